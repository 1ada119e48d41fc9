# From the options of options.awk, and cilkprof-report.bash.in, to a completion of cilkprof-report for bash.
# SPDX-License-Identifier: MIT

function add(list, separator, item) {
  return list == "" ? item : list separator item
}

BEGIN { FS = "\t" }
FILENAME ~ /\.in$/ {
  functions = functions $0 "\n"
  next
}
{
  name = ""
  if ($1 != "")
    name = add(name, " ", "-" $1)
  if ($2 != "")
    name = add(name, " ", "--" $2)
  options = add(options, " ", name)
  gsub(/ /, " | ", name)
  if ($3 == "required")
    required = add(required, " | ", name)
  if ($6 != "")
    cases = cases "  " name ") echo '" $6 "' ;;\n"
}
END {
  print "# Completion of cilkprof-report for bash; made from its --help."
  print "# SPDX-License-Identifier: MIT\n"
  print "_cilkprof_report_options='" options "'\n"
  print "# What the argument of an option can be.\n_cilkprof_report_argument() {\n  case $1 in\n" cases "  esac\n}\n"
  print "# Whether the word after an option is its argument.\n_cilkprof_report_takes_word() {"
  print "  case $1 in\n  " required ") true ;;\n  *) false ;;\n  esac\n}\n"
  printf "%s", functions
}
