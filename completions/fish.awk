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
  print "# Programs, profiles and folders, or all files where there are none of these."
  print "function __cilkprof_report_files"
  print "    set -l all (__fish_complete_path (string replace -r '^--[^=]*=' '' -- (commandline -ct)))"
  print "    set -l files"
  print "    for file in $all"
  print "        set -l name (string split -f 1 \\t -- $file)"
  print "        if test -d $name; or test -x $name; or string match -q '*cilkprof*' -- (basename $name)"
  print "            set -a files $file"
  print "        end"
  print "    end"
  print "    set -q files[1]; or set files $all"
  print "    printf '%s\\n' $files"
  print "end\n"
  print "complete -c cilkprof-report -f -a '(__cilkprof_report_files)'"
}
{
  line = "complete -c cilkprof-report"
  if ($1 != "")
    line = line " -s " $1
  if ($2 != "")
    line = line " -l " $2
  # fish takes an argument that must follow from the next word; an optional one stands in the same.
  if ($3 == "required")
    line = line ($6 ~ /^@f/ ? " -r -F" : " -x")
  if ($6 == "@build")
    line = line " -a '(__cilkprof_report_files)'"
  else if ($6 != "" && $6 !~ /^@/)
    line = line ($3 == "optional" ? " -f" : "") " -a " quote($6)
  print line " -d " quote($5)
}
