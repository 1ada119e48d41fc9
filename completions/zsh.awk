# From the options of options.awk to a completion of cilkprof-report for zsh.
# SPDX-License-Identifier: MIT

# What an argument can be.  An explanation that is nothing but a list has all that it can.
function action(argument, explanation) {
  if (explanation ~ /^[a-z]+(, [a-z]+)+$/) {
    gsub(/,/, "", explanation)
    return "(" explanation ")"
  }
  if (argument ~ /^(FILE|MAP|BUILD)$/)
    return "_files"
  if (argument == "DIRS")
    return "_directories"
  if (argument == "WHEN")
    return "(auto always never)"
  if (argument == "STYLE")
    return "(auto gnu-v3 java gnat dlang rust none)"
  if (argument ~ /^[a-z|]+$/) {
    gsub(/\|/, " ", argument)
    return "(" argument ")"
  }
  return ""
}

function quote(text) {
  gsub(/\\/, "\\\\", text)
  gsub(/\[/, "\\[", text)
  gsub(/\]/, "\\]", text)
  gsub(/'/, "'\\''", text)
  return text
}

function put(name, separator, takes, argument, explanation, exclusive,    specification) {
  specification = exclusive name
  if (takes == "optional")
    specification = specification (separator "-")
  else if (takes == "required")
    specification = specification (separator == "" ? "+" : separator)
  specification = specification "[" quote(explanation) "]"
  if (takes != "none")
    specification = specification (takes == "optional" ? "::" : ":") tolower(argument) ":" action(argument, explanation)
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
    put("-" $1, "", $3, $4, $5, exclusive)
  if ($2 != "")
    put("--" $2, "=", $3, $4, $5, exclusive)
}
END {
  print ")"
  print "\n# Profiles are called cilkprof.something, or anything."
  print "(( $+functions[_cilkprof_report_profiles] )) ||"
  print "_cilkprof_report_profiles() {"
  print "  _files -g '*cilkprof*' || _files"
  print "}\n"
  print "_arguments -s -S $options '1:program:_files' '*:profile:_cilkprof_report_profiles'"
}
