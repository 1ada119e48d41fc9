# From the options of options.awk to a completion of cilkprof-report for fish.
# SPDX-License-Identifier: MIT

function quote(text) {
  gsub(/\\/, "\\\\", text)
  gsub(/'/, "\\'", text)
  return "'" text "'"
}

# Words that an argument can be, which an explanation that is nothing but a list has; empty where it is a file, "-" where it is nothing that can be listed.
function words(argument, explanation) {
  if (explanation ~ /^[a-z]+(, [a-z]+)+$/) {
    gsub(/,/, "", explanation)
    return explanation
  }
  if (argument ~ /^(FILE|MAP|BUILD|DIRS)$/)
    return ""
  if (argument == "WHEN")
    return "auto always never"
  if (argument == "STYLE")
    return "auto gnu-v3 java gnat dlang rust none"
  if (argument ~ /^[a-z|]+$/) {
    gsub(/\|/, " ", argument)
    return argument
  }
  return "-"
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
  if ($3 != "none") {
    list = words($4, $5)
    # fish takes an argument that must follow from the next word; an optional one stands in the same.
    line = line ($3 == "required" ? (list == "" ? " -r" : " -x") : "")
    if (list != "" && list != "-")
      line = line " -a " quote(list)
    if ($3 == "optional" && list != "" && list != "-")
      line = line " -f"
  }
  print line " -d " quote($5)
}
