#!/bin/sh
# cilkprof: every command has its help, of one screen; what cannot be done is said in a line; statuses and files.
# SPDX-License-Identifier: MIT
. "$TOP/test/command/lib.sh"

# fits NAME FILE: within 40 lines and 80 columns.
fits() {
  awk 'length > 80 { bad = 1 } END { exit bad || NR > 40 || NR < 3 }' "$2" && pass "$1" || fail "$1" "$2"
}
cilkprof --help >help
fits '--help is one screen' help
sed -n 's/^  \([a-z+][a-z+]*\)  .*/\1/p' help >commands
holds 'there are commands' test "$(grep -c . commands)" -gt 10
while read -r command; do
  cilkprof "$command" --help >out 2>errors
  fits "$command --help is one screen" out
  cilkprof help "$command" >again 2>&1
  same "help $command is the same" out again
  holds "cilkprof(1) has $command" grep -q "^\.B[RI]* \"cilkprof $command\"" "$TOP/man/cilkprof.1"
done <commands
cilkprof help >out
same 'help without a command' help out
cilkprof --version >out
shows '--version' '^cilkprof [0-9]'

refuses 'nothing to do' 'no program or command given'
for word in raport:report gaet:gate exprot:export hmtl:html runn:run ann:annotate; do
  refuses "a mistyped command, ${word%:*}" "${word%:*}: no such command; did you mean ${word#*:}?$" ${word%:*}
done
for word in prog x nothing-like-a-command abcdefghijklmnopqrstuvwxyz; do
  refuses "an unknown command, $word" "$word: no such command .*: ./$word" $word
done
refuses 'help of an unknown command' 'raport: no such command; did you mean report?' help raport
: >found
chmod +x found
refuses 'the name of a program without its folder' 'found: no such command; to run the program, name its folder: cilkprof ./found' found
refuses_with 126 'a source file' 'sum.c: a source file; compile it first: cilkprof cc -O2 -g sum.c -o sum$' sum.c
for command in '' run scale waste predict; do
  refuses_with 127 "no such program: $command" './nothing: No such file' $command ./nothing
  refuses_with 126 "a file that cannot be executed: $command" './errors: not an executable file' $command ./errors
done
refuses 'a gate without rules' 'gate: no rule given' gate
refuses 'no format' 'export: no format given' export -o x
cc -O2 -x c - -o plain <<'EOC'
int main(void) { return 0; }
EOC
refuses_with 125 'a program that is neither' './plain: not compiled for profiling' ./plain
refuses_with 125 'predictions of it' './plain: predictions need a profiling build' predict ./plain

# Files and statuses.
cilkprof cc -O2 -g sum.c -o sum
refuses_with 125 'a burden that is no number' '--burden: x: not a number' run --burden=x ./sum
refuses_with 125 'the same without a command' '--burden: x: not a number' --burden=x ./sum
refuses_with 125 'no signal' '--signal: NONE: not a signal' run --signal=NONE ./sum
holds 'and nothing ran' test ! -e cilkprof.out
cilkprof report --help=gprof >out 2>errors
shows "gprof's options have a page" '^  -k FROM/TO'
refuses_with 125 'waste of a profiling build' './sum: built for profiling, it runs on one processor' waste ./sum
"$BUILD_DIR/lib/cilkprof/bin/cc" -O2 -fcilkplus -fcilkprof=parallel sum.c -o workers
refuses_with 125 'waste of a program that is profiled on all workers' './workers: compiled with -fcilkprof=parallel, it is profiled and cannot be sampled as well' waste ./workers
cilkprof run -o x.out ./sum 100 >out 2>errors
shows 'a named file is in what to type next' '^cilkprof: next: cilkprof report x.out$' errors
cilkprof run -o "x y.out" ./sum 100 >out 2>errors
shows 'quoted where a shell needs that' "^cilkprof: next: cilkprof report 'x y.out'$" errors
shows 'the program prints as ever' '^1$'
cilkprof --contexts ./sum 100 fails >out 2>errors
if [ $? = 1 ]; then pass 'the status is that of the program'; else fail 'the status is that of the program' errors; fi
shows 'it has a report all the same' '^Verdict for'
cilkprof report --contexts >out 2>errors
shows 'options of a run go before the program' 'sum'
cilkprof --processors=64 ./sum 100 >out 2>errors
shows 'a verdict for the processors that a person has in mind' '^Verdict for 64 processors'
taskset -c 0 cilkprof ./sum 100 >out 2>errors
shows 'or for those of a server' '^Verdict for 16 processors'
refuses_with 125 'processors where nothing is judged' '--processors: cilkprof run prints no verdict' run --processors=64 ./sum
refuses_with 125 'no number of processors' '--processors: 0: not a number from 1 to' --processors=0 ./sum
cat >dies.c <<'EOC'
#include <signal.h>
int main(void) { return raise(SIGKILL); }
EOC
cilkprof cc -O2 dies.c -o dies
cilkprof --no-live --no-reference ./dies >out 2>errors
if [ $? = 137 ]; then pass 'a killed program'; else fail 'a killed program' errors; fi
holds 'a program that leaves no profile has no report of an older one' test -s cilkprof.out -a ! -s out
holds 'and nothing is said of a live file that it does not leave' sh -c '! grep -q "[.]live" errors'
cilkprof --no-reference ./dies >out 2>errors
if [ $? = 137 ]; then pass 'killed, with a live file: the status'; else fail 'killed, with a live file: the status' errors; fi
shows 'a live file that is left is named' '^cilkprof: ./dies: killed by signal 9 (Killed); cilkprof report cilkprof.out.[0-9]*.live prints what it had measured until then$' errors
holds 'it is there, and can be reported' cilkprof report --summary "$(sed 's/.*report //; s/ prints.*//' errors)"
cilkprof cc --parallel -O2 -g sum.c -o fast
CILK_NWORKERS=2 cilkprof ./fast >out 2>errors
shows 'a parallel build is sampled' '^What the parallel run wasted'
shows 'and what comes next' '^cilkprof: next: cilkprof scale ./fast$' errors
CILK_NWORKERS=2 cilkprof ./fast 100 >out 2>errors
shows 'with the arguments of the program' '^cilkprof: next: cilkprof scale ./fast 100$' errors
cat >quiet.c <<'EOC'
#include <cilk/cilk.h>
static void leaf(void) {}
int main(void) {
  cilk_spawn leaf();
  cilk_sync;
  return 0;
}
EOC
cilkprof cc --parallel -O2 quiet.c -o quiet
escape=$(printf '\033')
for words in "7 'a b' 'it'\\''s' '' '*'" "-x --y=z %,@" '$'"'it\\'s \\033[31m\\012'"; do
  printf 'cilkprof ./quiet %s\n' "$words" >line
  CILK_NWORKERS=2 bash ./line >out 2>errors
  sed -n 's/^cilkprof: next: //p' errors >got
  printf 'cilkprof scale ./quiet %s\n' "$words" >wanted
  same "quoted as it was: $words" wanted got
done
holds 'no escape sequence reaches the terminal' sh -c '! grep -q "$1" errors' - "$escape"
cilkprof scale -j 1,2 --runs=1 ./quiet 'n={}' 'a b' >out 2>errors
shows 'scale: the same run, with the number of threads filled in' "^cilkprof: next: cilkprof waste ./quiet n=2 'a b'$" errors
holds 'its samples leave the profile alone' cilkprof report --summary cilkprof.out
for trials in alone beside; do
  [ $trials = beside ] || mv cilkprof.out kept.out
  cilkprof scale -j 1,2 --runs=2 ./fast 100 >out 2>errors
  shows "scale, $trials: the table" '^processors '
  shows "scale, $trials: a plot" '^ *[0-9.]* |[-#*:]'
  holds "scale, $trials: 80 columns" awk 'length > 80 { exit 1 }' out
  [ $trials = beside ] || mv kept.out cilkprof.out
done
shows 'scale, beside a profile: what was measured is in the plot' '\* measured'
cilkprof report --format=json cilkprof.samples >out 2>errors
shows 'scale samples a short run often enough to tell what it lost' '"hz":10000[,}]'
mv cilkprof.samples 'with blank.samples'
cilkprof report 'with blank.samples' >out 2>errors
shows 'the screen: commands for more, quoted' "^More: cilkprof report --all 'with blank.samples', cilkprof html 'with blank.samples'$"
cilkprof html page.html >out 2>errors
shows 'the page' '<html' page.html
shows 'where it is' 'open page.html in a browser' errors
cilkprof html >out 2>errors
holds 'its usual name' test -s cilkprof.html
for option in '-o named' -onamed '--output named' --output=named; do
  rm -f named cilkprof.html
  # shellcheck disable=SC2086 # some are two words
  cilkprof html --processors=4 $option cilkprof.out >out 2>errors
  shows "$option: the page has that name" '<html' named
  shows "$option: and no other" 'open named in a browser' errors
  holds "$option: none of the usual name" test ! -e cilkprof.html
done
refuses 'a page without a name' 'html: -o needs the name of a file' html -o
mkdir none && cd none
cilkprof report >out 2>errors
shows 'where there is no profile, a way to one' "^cilkprof-report: cilkprof.out: No such file or directory; name a profile, or make one: cilkprof ./prog$" errors
cd ..
cilkprof cc --parallel -E -dM -x c /dev/null >out
shows 'a parallel build has no instrumentation' '__cilk'
finish
