#!/bin/sh
# The completion and the manual page know exactly the options that the report has.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/report/lib.sh"

# Options are the words at the start of a line that begin with a dash.
"$report" --help=all | awk '/^  *-/ { for (i = 1; $i ~ /^-/; i++) { sub(/[[=,].*/, "", $i); print $i } }' | sort >wanted

cat >complete.bash <<'EOF'
. "$BUILD_DIR/completions/cilkprof-report.bash"
complete_words() { # the words so far; the last is to be completed
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
  _cilkprof_report
  printf '%s\n' "${COMPREPLY[@]}"
}
EOF
complete() {
  bash -c '. ./complete.bash; complete_words "$@"' - cilkprof-report "$@" | sort
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

printf '#!/bin/sh\n' >program
chmod +x program
mkdir folder
complete '' >got
printf '%s\n' cilkprof.12 cilkprof.out folder program >wanted_files
same 'programs are what can be executed; a profile may stand alone' wanted_files got
complete --reference = '' >got
printf '%s\n' cilkprof.12 cilkprof.out folder program >wanted_files
same 'a build is a program or a profile' wanted_files got
complete --diff program c >got
printf '%s\n' cilkprof.12 cilkprof.out >wanted_files
same 'as are the arguments with --diff' wanted_files got
complete --reference=p >got
echo --reference=program >wanted_files
same 'in the same word' wanted_files got
complete --gate = '' >got
"$report" --gate 'nothing > 1' 2>&1 | sed 's/.*begin with one of //; s/ or /, /' | tr -s ', ' '\n' | sort >wanted_files
same 'what rules begin with' wanted_files got

complete --format p >got
printf 'perfetto\npprof\n' >wanted_files
same 'names of formats' wanted_files got
complete --metric = s >got
echo span >wanted_files
same 'names of metrics, after an equals sign' wanted_files got
complete --metric = >got
printf '%s\n' calls idleness overhead span waiting work >wanted_files
same 'all of them, right after it' wanted_files got
complete --metric=s >got
echo --metric=span >wanted_files
same 'an equals sign that is no word of its own' wanted_files got
complete -O m >got
echo magic >wanted_files
same 'the argument of a letter' wanted_files got
complete -Om >got
echo -Omagic >wanted_files
same 'the argument of a letter, in the same word' wanted_files got
complete --color n >got
echo notes.txt >wanted_files
same 'an optional argument is not the next word' wanted_files got
complete --metric = span ./a.out cilkprof.1 >got
echo cilkprof.12 >wanted_files
same 'a word after an equals sign is not the program' wanted_files got

# What is completed is what the option accepts: it lists that when it is given something else.
for option in --format --metric --demangle; do
  "$report" $option=nothing 2>&1 | sed 's/.*known are //; s/ and /, /' | tr -s ', ' '\n' | sort >wanted_files
  complete $option = >got
  same "$option: all words and no others" wanted_files got
done
for word in $(complete -O ''); do "$report" -O "$word" calls nowhere; done >got 2>&1
holds '-O: it accepts them' sh -c 'test "$(grep -c nowhere got)" = 2'

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
