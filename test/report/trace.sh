# What the tests of traces share.
# SPDX-License-Identifier: GPL-3.0-or-later

# schema NAME FILE: it is a trace as the documentation of the format says.  With TRACE_VIEWER, the folder "tracing" of the
# sources of Chrome's viewer, also as its own importer has it: no warning, every event, and no slice inside of another.
schema() {
  if [ "$(jq -f "$TOP/test/report/trace-events.jq" "$2" 2>&1)" = true ]; then
    pass "$1"
  else
    jq -f "$TOP/test/report/trace-events.jq" "$2" >said 2>&1
    fail "$1" said
  fi
  [ -n "$TRACE_VIEWER" ] || return 0
  jq -c '[.traceEvents[] | .ph] as $all | def count($phase): $all | map(select(. == $phase)) | length;
    {warnings: [], threads: [.traceEvents[] | select(.name == "thread_name")] | length, slices: count("X"), inside: 0,
     regions: count("b"), arrows: count("s")}' "$2" >wanted-view
  node "$TOP/test/report/viewer.js" "$TRACE_VIEWER" "$2" >got-view 2>&1
  same "$1, and for the viewer's importer" wanted-view got-view
}
