#!/bin/sh
# The manual and the README are true: pages are well formed, their examples run and print what is shown, and what they say
# of variables, options and defaults is what the sources say.
# SPDX-License-Identifier: MIT
. "$TOP/test/man/lib.sh"
unset CILKPROF_OUT CILKPROF_BURDEN CILKPROF_LOOP_WORKERS CILKPROF_CC CILKPROF_CXX
overview=$TOP/man/cilkprof-profile.7 readme=$TOP/README.md

for each_page in "$TOP"/man/*.[1-8]; do
  title=${each_page##*/}
  if command -v mandoc >/dev/null; then
    mandoc -T lint -W warning "$each_page" >comments 2>&1
    same "$title: mandoc finds nothing wrong" /dev/null comments
  fi
  if command -v groff >/dev/null; then
    groff -t -man -ww -T utf8 -r LL=78n -z "$each_page" >comments 2>&1
    same "$title: nor does groff, in 80 columns" /dev/null comments
  fi
  sed -n 's/^\.BR \(cilkprof[^ ]*\) (\(.\)).*/\1.\2/p' "$each_page" | while read -r other; do
    [ -f "$TOP/man/$other" ] || sed -n '/^\.SH NAME/{n;p;}' "$TOP"/man/*."${other##*.}" | grep -qw -e "${other%.?}" || echo "$other"
  done >missing
  same "$title: the pages that it names exist" /dev/null missing
done

# Of a report or a program's output, what is the same in every run: all but costs, and short serial loops that were
# interrupted.
sites() {
  grep -E ' (call|spawn|loop|serial|entry) .* -> ' "$1" | grep -Ev '^ *0\.[0-9]* .* serial ' |
    grep -Eo '[0-9]+  (call|spawn|loop|serial|entry) .*' | tr -s ' ' | sort
}
others() {
  grep -E '^ *((Command|Measured|Spawns|Syncs):|[0-9]+( numbers sorted)?$)' "$1" | tr -s ' ' | sort
}

# example NAME FILE: runs the lines of FILE that begin with a prompt.  They must print all sites that it shows, and no
# others, and the other lines that it shows.  The output is left in got.
example() {
  sed -n 's/^\$ //p' "$2" >commands
  sh -e ./commands >got 2>errors </dev/null || echo "status $?" >>errors
  same "$1: the commands run" /dev/null errors
  sites "$2" >wanted_sites
  sites got >got_sites
  same "$1: call sites and their counts" wanted_sites got_sites
  others "$2" >wanted_lines
  others got | comm -23 wanted_lines - >not_printed
  same "$1: spawns, syncs and output" /dev/null not_printed
}
# shows NAME FILE SITES OTHERS: there is something to compare.
shows() {
  equal "$1: has something to compare" "$3 $4" "$(sites "$2" | grep -c .) $(others "$2" | grep -c .)"
}
# in_instructions FILE: runs its commands once more, on instructions counted instead of time, for what the text says of
# costs: what another program takes of the machine is not in them.  A tenth of the numbers is enough for that.  The output is
# left in got.
in_instructions() {
  sed -n 's/^\$ //p' "$1" | sed 's/-fcilkprof /-fcilkprof=count /; s/^\.\/[a-z]*$/& 1000000/' >commands
  sh -e ./commands >got 2>&1 </dev/null
}
# share CALLER CALLEE, parallelism CALLER CALLEE: of that site in got; the share of the span, the parallelism on work.
share() {
  awk -v caller="$1" -v callee="$2" '$NF == callee && $(NF - 2) == caller { print $1; exit }' got
}
parallelism() {
  awk -v caller="$1" -v callee="$2" '$NF == callee && $(NF - 2) == caller { print $9; exit }' got
}

listing cilkprof-profile.7 qsort.c >qsort.c
for number in 1 2 3; do
  listing cilkprof-profile.7 "example $number" >shown$number
done
shows 'cilkprof-profile(7), example 1' shown1 0 4
shows 'cilkprof-profile(7), example 2' shown2 4 0
shows 'cilkprof-profile(7), example 3' shown3 5 0
for number in 1 2 3; do
  example "cilkprof-profile(7), example $number" shown$number
done
cat shown1 shown2 >shown
in_instructions shown
true_that 'cilkprof-profile(7): partition is serial and holds much of the span' \
  "$(parallelism sort partition) == 1 && $(share sort partition) > 40"
program_before=$(parallelism '<spontaneous>' main)
true_that 'cilkprof-profile(7): the sort has more parallelism than the program' "$(parallelism main sort) > $program_before"
in_instructions shown3
true_that 'cilkprof-profile(7): the change helps' \
  "$(parallelism '<spontaneous>' main) > $program_before && $(share sort partition) > 60"

listing cilkprof-cc.1 fib.c >fib.c
listing cilkprof-cc.1 'example 1' >shown
shows 'cilkprof-cc(1), example' shown 4 1
example 'cilkprof-cc(1), example' shown

# Parallel runs: races, and all that stays serial.
listing cilkprof-cc.1 race.c >race.c
listing cilkprof-cc.1 sum.c >sum.c
for number in 2 3; do
  listing cilkprof-cc.1 "example $number" >shown
  sed -n 's/^\$ //p' shown >commands
  grep -v '^\$ ' shown >wanted
  for workers in 1 2 8; do
    in_turn 3 || continue
    CILK_NWORKERS=$workers sh -e ./commands >got 2>&1
    same "cilkprof-cc(1), example $number: $workers workers" wanted got
  done
done
# section PAGE NAME
section() {
  awk -v heading=".SH $2" '/^\.SH / { on = $0 == heading } on' "$TOP/man/$1"
}
grep -oh '"[a-z][a-z-]* [^"%]* [^"%]*"' "$TOP"/libcilkprof/cc/parallel/*.cc | tr -d '"' | grep -vx -e 'there are errors' -e 'the type of a reducer is incomplete where it is used' | sort -u >reasons
section cilkprof-cc.1 'PARALLEL RUNS' | tr -d '"' >page
while read -r reason; do grep -q "^\.IR* $reason" page || echo "$reason"; done <reasons >missing
holds 'some places stay serial' test -s reasons
same 'cilkprof-cc(1): all reasons for that' /dev/null missing

listing cilkprof-run.1 'example 1' >shown
sed -n 's/^\$ //p' shown >commands
sh -e ./commands >got 2>&1
grep -v '^\$' shown | sed 's/[0-9][0-9.]* [mun]*s/TIME/; s/by [0-9] /by N /; s/[0-9]\.[0-9]*/N/; s/runs* (/run (/' >wanted
sed 's/[0-9][0-9.]* [mun]*s/TIME/; s/by [0-9] /by N /; s/by a /by N /; s/[0-9]\.[0-9]*/N/; s/runs* (/run (/' got >without
same 'cilkprof-run(1), example' wanted without
listing cilkprof-run.1 pi.c >pi.c
for number in 2 3 4 5; do
  listing cilkprof-run.1 "example $number" | sed -n 's/^\$ //p' >commands
  [ "$(nproc)" -gt 1 ] || sed -i 's/--copies/--trials/' commands # there is no room for them
  [ -n "$LONG" ] || sed -i '/cilkprof-run/{s/ --runs=[0-9]*//; s/cilkprof-run.* --\(trials\|copies\)[^ ]*/& --runs=1/;}' commands
  bash -e -o pipefail ./commands >got$number 2>errors || echo "status $?" >>errors
  same "cilkprof-run(1), example $number" /dev/null errors
done
holds 'cilkprof-run(1): speedups beside the bounds' grep -q '^processors .* lower    upper  speedup' got2
holds 'cilkprof-run(1): an OpenMP program' grep -q 'OpenMP workers: 2' got5
holds 'cilkprof-run(1): and without' grep -q '^processors .* median  speedup efficiency$' got3

# README.md: the example is between comments; the commands of "Install and use it" are indented.
mkdir -p test/programs
cp "$programs/qsort.c" "$programs/random.h" test/programs
sed -n '/^<!-- begin example -->/,/^<!-- end example -->/p' "$readme" >shown
shows README.md shown 4 2
example README.md shown
in_instructions shown
true_that 'README.md: partition is serial and takes much of the span' \
  "$(parallelism pqsort partition) == 1 && $(share pqsort partition) > 40"
sed -n '/^<!-- begin parallel -->/,/^<!-- end parallel -->/s/^\$ //p' "$readme" >commands
[ "$(nproc)" -gt 1 ] || sed -i 's/ --copies//' commands # there is no room for them
[ -n "$LONG" ] || sed -i 's/ --trials/& --runs=1/' commands
bash -e ./commands >got 2>errors </dev/null || echo "status $?" >>errors
holds 'README.md: it runs in parallel' grep -q '^10000000 numbers sorted$' got
holds 'README.md: its trials, beside the bounds' grep -q '^processors .* lower    upper  speedup' got
cp fib.c prog.c
sed -n '/^## Install/,/^## Cilk/s/^    //p' "$readme" | grep -v 'make install' >commands
equal 'README.md: five commands after installing' 5 "$(grep -c . commands)"
holds 'README.md: they run' sh -e ./commands
grep -o '^    make [a-z][a-z]*' "$readme" | sed 's/.* //' | sort -u | while read -r target; do
  grep -q "^$target:" "$TOP/Makefile" || echo "$target"
done >missing
same 'README.md: its targets are in the Makefile' /dev/null missing
holds 'README.md: its first screen has the one command and what one gets' \
  sh -c 'head -n 22 "$1" | grep -q "^    make demo" && head -n 22 "$1" | grep -q "verdict"' - "$readme"
grep -o '!\[[^]]*\]([^)]*)' "$readme" | sed 's/.*(//; s/)//' >pictures
equal 'README.md: two pictures' 2 "$(grep -c . pictures)"
while read -r picture; do [ -s "$TOP/$picture" ] || echo "$picture"; done <pictures >missing
same 'README.md: they are there' /dev/null missing
holds 'README.md: and small' test "$(cd "$TOP" && cat $(cat "$OLDPWD/pictures") | wc -c)" -lt 300000
holds 'README.md: make pictures makes them' grep -q '^pictures:' "$TOP/test/rules.mk"
PATH=/nowhere BUILD_DIR=$BUILD_DIR /bin/sh "$TOP/test/pictures.sh" >got 2>&1
holds 'make pictures without a browser: how to get one' \
  test $? = 1 -a "$(cat got)" = "cilkprof: no Chromium to take pictures with; run: apt-get install -y --no-install-recommends chromium"
for heading in 'What it needs' 'What it is not' 'What it costs'; do
  holds "README.md: $heading" grep -qx "## $heading" "$readme"
done
grep '^| `' "$readme" | cut -d '|' -f 2 | grep -o '`[^`]*`' | tr -d '`' | while read -r place; do
  [ -d "$TOP/$place" ] || echo "$place"
done >missing
same 'README.md: the folders of the map exist' /dev/null missing
(cd "$TOP" && echo */) | tr ' ' '\n' | grep -v '^build' | while read -r place; do
  grep -q "^|.*\`$place\`" "$readme" || echo "$place"
done >missing
same 'README.md: every folder is in the map' /dev/null missing

# variables PAGE: those that have an entry.
variables() {
  section "$1" ENVIRONMENT | sed -n '/^\.TP/{n;s/^\.B \([A-Z_]*\)$/\1/p;}' | sort
}
engine=$(cd "$TOP" && ls libcilkprof/common/*.c libcilkprof/engine/*.c libcilkprof/engine/*/*.c libcilkprof/sampler/*.c | sed "s|^|$TOP/|")
grep -ho '"CILKPROF_[A-Z_]*"' $engine | tr -d '"' | grep -v FORCE_STEALS | sort -u >wanted # that one is for tests
variables cilkprof-profile.7 | grep '^CILKPROF_' >got
holds 'the engine reads variables' test -s wanted
same 'they are in cilkprof-profile(7), and no others' wanted got
grep -h 'getenv(' $engine | grep -v 'secure_getenv(name)\|secure_getenv("*CILKPROF_' |
  grep -v "CILK_NWORKERS\|CILKSCALE_OUT\|OMP_SCHEDULE\|OMP_NUM_THREADS\|OMP_MAX_ACTIVE_LEVELS" >calls
same 'the engine reads no other variable' /dev/null calls
variables cilkprof.h.3 >got
echo CILKSCALE_OUT >wanted
same 'but that of cilkprof.h(3)' wanted got
sed -n 's/^#define \(CILKPROF_[A-Z_]*\) *"\1"/\1/p' "$TOP/libcilkprof/common/protocol.h" | sort >wanted
sed -n "/^\.SH ENV/,/^\.SH BUGS/s/^\.BR* \(CILKPROF_[A-Z_]*\)[ ,]*$/\1/p" "$TOP/man/cilkprof-run.1" | sort >got
holds 'cilkprof-run tells programs what it wants' test -s wanted
same 'by the variables of cilkprof-run(1)' wanted got
{
  grep -o '{CILKPROF_[A-Z_]*' "$TOP/libcilkprof/cc/driver/cilkprof-cc.sh"
  grep -ho 'getenv("[A-Z_]*' "$TOP"/libcilkprof/runtime/*.c | sed 's/.*"//'
} | tr -d '{' | sort -u >wanted
variables cilkprof-cc.1 >got
holds 'the front ends and the parallel runtime read variables' test "$(grep -c . wanted)" -ge 5
same 'they are in cilkprof-cc(1), and no others' wanted got

grep -o -e '^ *--[a-z-]*)' "$TOP/libcilkprof/cc/driver/cilkprof-cc.sh" | tr -d ' )' | sort -u >wanted
section cilkprof-cc.1 OPTIONS | sed -n 's/^\.B \(\\-\\-.*\)/\1/p' | tr -d '\\' | sort >got
same 'the options of the front ends are in cilkprof-cc(1)' wanted got
grep -o '!fcilkprof=[a-z][a-z-]*' "$TOP/libcilkprof/cc/driver/cilkprof.specs.in" | sed 's/.*=//' | sort -u >modes
sed -n 's/^\.B \\-fcilkprof=//p' "$overview" | tr -d '\\' | sort -u >got
holds 'there are modes' test -s modes
same 'they are in cilkprof-profile(7)' modes got

# constant FILE NAME: its value in an enum of the engine.
constant() {
  sed -n "s/.*\\<$2 = \\([0-9]*\\).*/\\1/p" "$TOP/libcilkprof/engine/$1"
}
# says NAME TEXT: cilkprof-profile(7) has it, wherever its lines end.
tr '\n' ' ' <"$overview" >on_one_line
says() {
  holds "cilkprof-profile(7): $1" grep -qF "$2" on_one_line
}
says 'the default burden' "The burden in instructions, $(constant run/start.c DEFAULT_BURDEN) by default"
says 'the default number of workers' "is chosen; $(constant run/start.c DEFAULT_LOOP_WORKERS) by default"
says 'the largest grain' "at most $(constant tasks/loop.c MAX_GRAIN) iterations"
says 'grains for each worker' "/ ($(constant tasks/loop.c GRAINS_PER_WORKER) \\(mu workers)"
says 'the cost of a spawn of a loop' "Its work includes $(constant time/clock.c LOOP_NODE_INSTRUCTIONS) instructions for each spawn"
says 'when strands are given processor time' "more than $(($(constant time/clock.c LONG_STRAND_NS) / 1000)) microseconds"

# How a run may end.
cat >end.c <<'EOC'
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char *argv[]) {
  const char *how = argv[argc - 1];
  if (!strcmp(how, "exit")) exit(0);
  if (!strcmp(how, "_exit")) _exit(0);
  if (!strcmp(how, "quick_exit")) quick_exit(0);
  if (!strcmp(how, "abort")) abort();
  if (!strcmp(how, "execve")) execl("/bin/true", "true", (char *)NULL);
  return 0;
}
EOC
compile -fcilkprof=count end.c -o end
for how in return exit _exit quick_exit abort execve; do
  rm -f cilkprof.out
  sh -c 'ulimit -c 0; ./end "$1"; :' - $how >/dev/null 2>&1
  [ -f cilkprof.out ] && echo $how
done >got
printf 'return\nexit\n_exit\nquick_exit\nexecve\n' >wanted
same 'which ends leave a profile' wanted got
awk '/^\.SS How a run may end/ { on = 1 } /^Any other end/ { on = 0 } on' "$overview" >whole
for how in _exit quick_exit execve; do
  grep -q "^\.BR $how " whole || echo $how
done >missing
same 'cilkprof-profile(7) says which do' /dev/null missing

# The completion of the front ends.
cat >complete.bash <<'EOC'
. "$TOP/completions/cilkprof-cc.bash"
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_cilkprof_cc "$1" "${!#}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\n' "${COMPREPLY[@]}"
EOC
complete() {
  TOP=$TOP bash complete.bash cilkprof-cc "$@" 2>&1 | sort
}
if command -v bash >/dev/null; then
  complete -fcilkprof = '' >got
  same 'completion: the modes' modes got
  complete -fcilkprof = h >got
  echo hybrid >wanted
  same 'completion: a mode' wanted got
  complete -fcilkprof=co >got
  echo -fcilkprof=count >wanted
  same 'completion: a mode where = does not end a word' wanted got
  complete -fcilk >got
  printf '%s\n' -fcilkplus -fcilkplus-pedigrees -fcilkplus=serial -fcilkprof -fcilkprof-callbacks -fcilkprof-no-reference -fcilkprof= >wanted
  same 'completion: the options' wanted got
  complete --print- >got
  printf '%s\n' --print-clangd --print-cmake --print-path --print-specs >wanted
  same 'completion: options of the first argument' wanted got
  complete -O2 --print- | grep path >got
  same 'completion: of no other' /dev/null got
  complete -O2 prog >got
  printf 'prog\nprog.c\n' >wanted
  same 'completion: files' wanted got
fi
finish
