#!/bin/sh
# The completion and the manual page know exactly the options that the report has.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/report/lib.sh"

# Options are the words at the start of a line that begin with a dash.
"$report" --help | awk '/^  *-/ { for (i = 1; $i ~ /^-/; i++) { sub(/[[=,].*/, "", $i); print $i } }' | sort >wanted

cat >complete.bash <<'EOF'
. "$TOP/completions/cilkprof-report.bash"
complete_words() { # the words so far; the last is to be completed
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
  _cilkprof_report
  printf '%s\n' "${COMPREPLY[@]}"
}
EOF
complete() {
  TOP=$TOP bash -c '. ./complete.bash; complete_words "$@"' - cilkprof-report "$@" | sort
}
complete - >got
same 'every option is completed' wanted got

touch cilkprof.out cilkprof.12 notes.txt
complete n >got
echo notes.txt >wanted_files
same 'the program is a file' wanted_files got
complete -p ./a.out c >got
printf 'cilkprof.12\ncilkprof.out\ncomplete.bash\n' | grep cilkprof >wanted_files
same 'after it come profiles' wanted_files got
complete -w 90 n >got
echo notes.txt >wanted_files
same 'the argument of an option is not the program' wanted_files got
complete -p ./a.out n >got
echo notes.txt >wanted_files
same 'or any file, when none is called so' wanted_files got

complete --format p >got
echo pprof >wanted_files
same 'names of formats' wanted_files got
complete --metric = s >got
echo span >wanted_files
same 'names of metrics, after an equals sign' wanted_files got
"$report" --format=none 2>errors
complete --format '' | while read -r format; do grep -q "$format" errors || echo "$format"; done >got
same 'all of them are known' /dev/null got

# Options stand in the page as ".BR \-p ", " \-\-flat\-profile" after .TP, arguments in italics.
sed -n '/^\.SH OPTIONS/,/^\.SH EXIT/p' "$TOP/man/cilkprof-report.1" | awk 'last == ".TP" && /^\.B/; { last = $0 }' |
  sed 's/\\f[IPR]//g; s/\\-/-/g' | tr ' "[=' '\n' | grep '^-' | tr -d ',' | sort >got
same 'every option is in the manual page' wanted got
if command -v mandoc >/dev/null; then
  mandoc -T lint -W warning "$TOP/man/cilkprof-report.1" >comments 2>&1
  same 'mandoc finds nothing wrong in the page' /dev/null comments
fi
if command -v groff >/dev/null; then
  groff -man -ww -z "$TOP/man/cilkprof-report.1" >comments 2>&1
  same 'nor does groff' /dev/null comments
fi

finish
