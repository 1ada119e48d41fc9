# The calls that a flat profile and a call graph of gprof's layout tell, one per line: functions, entries and arcs.
# Times are left out, indices too, and the numbers of cycles, which depend on times.
# SPDX-License-Identifier: GPL-3.0-or-later

/cumulative/ { part = "flat"; next }
/^index % time/ { part = "graph"; above = 1; count = 0; next }
/^Index by/ { part = "" }
/^$/ || /^\f/ { if (part == "flat") part = ""; next }

# The columns up to the calls have fixed widths.
part == "flat" && !/^ *time/ {
  calls = substr($0, 26, 8)
  gsub(/ /, "", calls)
  if (calls != "") print "function", substr($0, 55), calls
}

part != "graph" { next }

# A line without its times and its index: "calls name".
function line_of(text) {
  text = substr(text, 29)
  sub(/ [[(][0-9]+[])]$/, "", text)
  sub(/<cycle [0-9]+/, "<cycle", text)
  gsub(/ +/, " ", text)
  sub(/^ /, "", text)
  return text
}

/^---/ {
  for (i = 1; i <= count; i++) print primary, arcs[i]
  above = 1
  count = 0
  next
}
/^\[/ {
  primary = "entry " line_of($0)
  above = 0
  print primary
  next
}
!/<spontaneous>/ { arcs[++count] = (above ? "from " : "to ") line_of($0) }
