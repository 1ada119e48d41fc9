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
refuses 'an unknown command' 'raport: no such command .*: ./raport' raport
refuses 'help of an unknown command' 'raport: no such command' help raport
refuses 'no such program' './nothing: No such file' ./nothing
refuses 'a gate without rules' 'gate: no rule given' gate
refuses 'no format' 'export: no format given' export -o x
cc -O2 -x c - -o plain <<'EOC'
int main(void) { return 0; }
EOC
refuses 'a program that is neither' './plain: not compiled for profiling' ./plain
refuses 'predictions of it' './plain: predictions need a profiling build' predict ./plain

# Files and statuses.
cilkprof cc -O2 -g sum.c -o sum
refuses 'a burden that is no number' '--burden: x: not a number' run --burden=x ./sum
refuses 'the same without a command' '--burden: x: not a number' --burden=x ./sum
refuses 'no signal' '--signal: NONE: not a signal' run --signal=NONE ./sum
holds 'and nothing ran' test ! -e cilkprof.out
cilkprof report --help=gprof >out 2>errors
shows "gprof's options have a page" '^  -k FROM/TO'
refuses 'waste of a profiling build' './sum: built for profiling, it runs on one processor' waste ./sum
"$BUILD_DIR/lib/cilkprof/bin/cc" -O2 -fcilkplus -fcilkprof=parallel sum.c -o workers
refuses 'waste of a program that is profiled on all workers' './workers: compiled with -fcilkprof=parallel, it is profiled and cannot be sampled as well' waste ./workers
cilkprof run -o x.out ./sum 100 >out 2>errors
shows 'a named file is in what to type next' '^cilkprof: next: cilkprof report x.out$' errors
shows 'the program prints as ever' '^1$'
cilkprof --contexts ./sum 100 fails >out 2>errors
if [ $? = 1 ]; then pass 'the status is that of the program'; else fail 'the status is that of the program' errors; fi
shows 'it has a report all the same' '^Verdict for'
cilkprof report --contexts >out 2>errors
shows 'options of a run go before the program' 'sum'
cat >dies.c <<'EOC'
#include <signal.h>
int main(void) { return raise(SIGKILL); }
EOC
cilkprof cc -O2 dies.c -o dies
cilkprof --no-live --no-reference ./dies >out 2>errors
if [ $? = 137 ]; then pass 'a killed program'; else fail 'a killed program' errors; fi
holds 'a program that leaves no profile has no report of an older one' test -s cilkprof.out -a ! -s out
cilkprof cc --parallel -O2 -g sum.c -o fast
CILK_NWORKERS=2 cilkprof ./fast >out 2>errors
shows 'a parallel build is sampled' '^What the parallel run wasted'
shows 'and what comes next' '^cilkprof: next: cilkprof scale ./fast' errors
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
cilkprof html page.html >out 2>errors
shows 'the page' '<html' page.html
shows 'where it is' 'open page.html in a browser' errors
cilkprof html >out 2>errors
holds 'its usual name' test -s cilkprof.html
cilkprof cc --parallel -E -dM -x c /dev/null >out
shows 'a parallel build has no instrumentation' '__cilk'
finish
