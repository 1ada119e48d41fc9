# From the options of options.awk to a completion of cilkprof-report for fish.
# SPDX-License-Identifier: MIT

function quote(text) {
  gsub(/\\/, "\\\\", text)
  gsub(/'/, "\\'", text)
  return "'" text "'"
}

BEGIN {
  FS = "\t"
  print "# Completion of cilkprof-report for fish; made from its --help."
  print "# SPDX-License-Identifier: MIT\n"
}
{
  line = "complete -c cilkprof-report"
  if ($1 != "")
    line = line " -s " $1
  if ($2 != "")
    line = line " -l " $2
  # fish takes an argument that must follow from the next word; an optional one stands in the same.
  if ($3 == "required")
    line = line ($6 ~ /^@/ ? " -r" : " -x")
  if ($6 != "" && $6 !~ /^@/)
    line = line ($3 == "optional" ? " -f" : "") " -a " quote($6)
  print line " -d " quote($5)
}
