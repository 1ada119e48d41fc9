#!/bin/sh
# Colours, the width of the terminal and the pager.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/report/lib.sh"

build quicksort
escape=$(printf '\033')
unset NO_COLOR CLICOLOR_FORCE FORCE_COLOR COLUMNS PAGER LESS LESSOPEN

"$report" -b quicksort quicksort.out >plain
holds 'no colours in a file' sh -c '! grep -q "$1" plain' - "$escape"
"$report" -b --color=auto quicksort quicksort.out >got
same '--color=auto in a file' plain got
"$report" -b --color=never quicksort quicksort.out >got
same '--color=never' plain got
for option in --color --color=always; do
  "$report" -b $option quicksort quicksort.out >got
  holds "$option: titles" grep -q "^$escape\[1mFlat profile:$escape\[0m$" got
  holds "$option: what is serial on the span" grep -q "^$escape\[1;31m 99.29$escape\[0m   *141.9ms" got
  sed "s/$escape\[[0-9;]*m//g" got >without
  same "$option: the same text" plain without
done
NO_COLOR=1 "$report" -b --color=always quicksort quicksort.out >other
same 'NO_COLOR does not overrule --color=always' got other
for variable in CLICOLOR_FORCE FORCE_COLOR; do
  env $variable=1 "$report" -b quicksort quicksort.out >other
  same "$variable: colours in a file" got other
  env $variable=1 TERM=dumb "$report" -b quicksort quicksort.out >other
  same "$variable: on a dumb terminal" got other
  env $variable=1 NO_COLOR=1 "$report" -b quicksort quicksort.out >other
  same "NO_COLOR overrules $variable" plain other
  env $variable=1 "$report" -b --color=never quicksort quicksort.out >other
  same "--color=never overrules $variable" plain other
  env $variable=1 "$report" -b -o other quicksort quicksort.out
  same "$variable is about standard output" plain other
  for value in '' 0; do
    env $variable=$value "$report" -b quicksort quicksort.out >other
    same "$variable='$value' forces nothing" plain other
  done
done
refuses '--color=blue' 'auto, always or never' --color=blue quicksort quicksort.out
"$report" --verdict --processors=8 --color=always quicksort quicksort.out >got
holds 'the verdict has the colours of its findings' grep -q "^  $escape\[1;31mSerial bottleneck:$escape\[0m 'partition'" got

if ! script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
  finish
  exit 0
fi

# terminal COLUMNS COMMAND...: what the command, whose words are taken as they are, prints on a terminal.
terminal() {
  columns=$1
  shift
  TERM=xterm SHELL=/bin/sh script -qec "stty cols $columns rows 50; $*" /dev/null </dev/null 2>/dev/null | tr -d '\r' >got
}
terminal 120 PAGER=cat "$report" -b -p quicksort quicksort.out
holds 'colours on a terminal' grep -q "$escape\[1mFlat" got
terminal 120 NO_COLOR=1 PAGER=cat "$report" -b -p quicksort quicksort.out
holds 'not with NO_COLOR' sh -c '! grep -q "$1" got' - "$escape"
terminal 120 TERM=dumb PAGER=cat "$report" -b -p quicksort quicksort.out
holds 'not on a dumb one' sh -c '! grep -q "$1" got' - "$escape"
terminal 60 "$report" --no-pager --color=never --verdict --processors=8 quicksort quicksort.out
holds 'the verdict is as wide as the terminal' test "$(awk '{ if (length > most) most = length } END { print (most > 50 && most <= 60) }' got)" = 1
terminal 120 COLUMNS=60 "$report" --no-pager --color=never --verdict --processors=8 quicksort quicksort.out
holds 'or as COLUMNS says' test "$(awk '{ if (length > most) most = length } END { print (most > 50 && most <= 60) }' got)" = 1
build calls
terminal 140 "$report" --no-pager --color=never -b --sites calls calls.out
holds 'long names of call sites are cut there' test "$(awk '/^ *[0-9]/ && length > 140' got | wc -l)" = 0 -a \
  "$(grep -c '\.\.\.$' got)" -ge 1

# most: columns of the longest line.
most() {
  awk '{ if (length > most) most = length } END { print most + 0 }' got
}
for columns in 80 100 120; do
  terminal $columns "$report" --no-pager --color=never -b --sites quicksort quicksort.out
  holds "$columns columns: the call sites fit" test "$(most)" -gt 40 -a "$(most)" -le $columns
  holds "$columns columns: with what says most" grep -q '^% span local span .*parallel .*place  *caller -> callee$' got
done
holds '120 columns: more than on 80' grep -q 'on work' got
terminal 80 "$report" --no-pager --color=never --wide -b --sites quicksort quicksort.out
holds '--wide: all columns' grep -q '^% span local span local work     work     span parallel     work     span parallel      count' got
"$report" -b --sites quicksort quicksort.out >got
holds 'no terminal: all columns' grep -q '^% span local span local work     work     span parallel     work     span parallel      count' got

terminal 120 "PAGER='sed s/^/paged:/'" "$report" -b -p quicksort quicksort.out
holds 'PAGER' grep -q '^paged:.*Flat profile' got
holds 'it gets everything' grep -q '^paged:.* main$' got
terminal 120 "PAGER='sed s/^/paged:/'" "$report" quicksort quicksort.out
holds 'all tables go there' sh -c 'for table in "Verdict for" "Flat profile" "Call graph"; do grep -q "^paged:.*$table" got || exit 1; done'
terminal 120 "PAGER='sed s/^/paged:/'" "$report" --no-pager -b -p quicksort quicksort.out
holds '--no-pager' sh -c 'grep -q "Flat profile" got && ! grep -q paged got'
terminal 120 PAGER= "$report" -b -p quicksort quicksort.out
holds 'an empty PAGER is none' grep -q 'Flat profile' got
terminal 120 "PAGER='sed s/^/paged:/'" "$report" -b -p nowhere quicksort.out '; echo status $?'
holds 'errors are paged too' grep -q '^paged:cilkprof-report: nowhere: No such file' got
holds 'and the status stays' grep -q '^status 1$' got
terminal 120 "PAGER='sed s/^/paged:/'" "$report" --gate "'work < 1ms'" quicksort quicksort.out '; echo status $?'
holds 'a gate alone needs no pager' grep -q '^cilkprof-report: gate: work < 1ms: failed' got
holds 'its status' grep -q '^status 3$' got
terminal 120 "PAGER='echo LESS=\$LESS'" "$report" -b -p quicksort quicksort.out
holds 'less is told what git tells it' grep -q '^LESS=FRX$' got
PAGER='sed s/^/paged:/' "$report" -b -p quicksort quicksort.out >got
holds 'no pager in a pipe' sh -c '! grep -q paged got'

finish
