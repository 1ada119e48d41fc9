# From the options of options.awk to a completion of cilkprof-report for zsh.
# SPDX-License-Identifier: MIT

function action(completed) {
  return completed == "@build" ? "_cilkprof_report_builds" : completed == "@files" ? "_files" : completed == "@folders" ? "_directories" : completed == "" ? "" : "(" completed ")"
}

function quote(text) {
  gsub(/\\/, "\\\\", text)
  gsub(/\[/, "\\[", text)
  gsub(/\]/, "\\]", text)
  gsub(/'/, "'\\''", text)
  return text
}

function put(name, separator, takes, argument, explanation, completed, exclusive,    specification) {
  specification = exclusive name
  if (takes == "optional")
    specification = specification (separator "-")
  else if (takes == "required")
    specification = specification (separator == "" ? "+" : separator)
  specification = specification "[" quote(explanation) "]"
  if (takes != "none")
    specification = specification (takes == "optional" ? "::" : ":") tolower(argument) ":" action(completed)
  printf "  '%s'\n", specification
}

BEGIN {
  FS = "\t"
  print "#compdef cilkprof-report"
  print "# Completion of cilkprof-report for zsh; made from its --help."
  print "# SPDX-License-Identifier: MIT\n"
  print "local -a options=("
}
{
  exclusive = $1 != "" && $2 != "" ? "(-" $1 " --" $2 ")" : ""
  if ($1 != "")
    put("-" $1, "", $3, $4, $5, $6, exclusive)
  if ($2 != "")
    put("--" $2, "=", $3, $4, $5, $6, exclusive)
}
END {
  print ")"
  print "\n# Programs can be executed."
  print "(( $+functions[_cilkprof_report_builds] )) ||"
  print "_cilkprof_report_builds() {"
  print "  _files -g '*cilkprof* *(-*)' || _files"
  print "}"
  print "# Profiles are called cilkprof.something, or anything."
  print "(( $+functions[_cilkprof_report_profiles] )) ||"
  print "_cilkprof_report_profiles() {"
  print "  _files -g '*cilkprof*' || _files"
  print "}\n"
  print "if (( $words[(I)--diff] )); then"
  print "  _arguments -s -S $options '*:build:_cilkprof_report_builds'"
  print "else"
  print "  _arguments -s -S $options '1:program or profile:_cilkprof_report_builds' '*:profile:_cilkprof_report_profiles'"
  print "fi"
}
