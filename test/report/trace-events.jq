# Whether the input is a trace in Chrome's trace event format, by its documentation: true, or else an error that says what
# is wrong.  Only the kinds of events that the report writes are allowed.
# SPDX-License-Identifier: GPL-3.0-or-later
def must($what; condition): if condition then . else error($what + ": " + tojson) end;
def is_number: type == "number" and . >= 0;
def is_whole: is_number and . == floor;
def check_event:
  must("an event is an object with a phase, a process and a name";
    type == "object" and (.ph | type) == "string" and (.pid | is_whole) and (.name | type) == "string") |
  if .ph == "M" then
    must("a name of metadata"; .name | IN("process_name", "thread_name", "thread_sort_index")) |
    must("arguments of metadata"; if .name == "thread_sort_index" then .args.sort_index | is_whole else .args.name | type == "string" end)
  else
    must("a phase"; .ph | IN("X", "s", "f", "b", "e")) |
    must("a thread, a time and a category"; (.tid | is_whole) and (.ts | is_number) and (.cat | type) == "string") |
    if .ph == "X" then must("a duration, without which viewers bind no arrow"; .dur | is_number and . > 0) else must("an id"; has("id")) end |
    if .ph == "f" then must("an arrow binds to the slice around it"; .bp == "e") else . end
  end;
def check_slices: # of one thread: none overlaps the next one; times have three digits
  sort_by(.ts) | . as $all | reduce range(1; length) as $i (true;
    . and ($all[$i - 1].ts + $all[$i - 1].dur <= $all[$i].ts + 0.0005 or error("slices overlap: \($all[$i - 1]) \($all[$i])")));
def check_pairs($first; $last): # each has a beginning and an end, in this order
  group_by(.id) | all(.[]; length == 2 and (map(.ph) | sort) == ([$first, $last] | sort) and
    (map(select(.ph == $first))[0].ts <= map(select(.ph == $last))[0].ts)) or error("\($first) without \($last)");
def check_arrows($slices): # both ends are in slices of their threads
  ($slices | group_by(.tid) | map({key: "\(.[0].tid)", value: sort_by(.ts)}) | from_entries) as $of |
  ($of | map_values(map(.ts))) as $starts |
  all(.[]; . as $tip | "\(.tid)" as $thread | ($starts[$thread] // [] | bsearch($tip.ts)) as $found |
    (if $found < 0 then -2 - $found else $found end) as $last | # the last slice that begins before it
    $last >= 0 and ($of[$thread][$last] | $tip.ts <= .ts + .dur)) or error("an arrow from nowhere");
must("a trace"; type == "object" and (.traceEvents | type) == "array" and (.displayTimeUnit == "ns")) |
(.traceEvents | all(.[]; check_event | true)) and
([.traceEvents[] | select(.ph == "X")] as $slices |
  ($slices | group_by(.tid) | all(.[]; check_slices)) and
  ([.traceEvents[] | select(.ph == "s" or .ph == "f")] | check_pairs("s"; "f") and check_arrows($slices))) and
([.traceEvents[] | select(.ph == "b" or .ph == "e")] | check_pairs("b"; "e"))
