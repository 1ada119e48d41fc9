#!/bin/sh
# With --screen, which the command cilkprof passes, the report is one screen: 40 lines of 80 columns, of any program;
# --all, sections and gprof's letters give the rest.  Without it it has gprof's tables, below the verdict.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/report/lib.sh"
PATH=$BUILD_DIR/lib/cilkprof/bin:$BUILD_DIR/bin:$PATH

# fits NAME FILE: within 40 lines and 80 columns, in characters.
fits() {
  awk 'length > 80 { print FILENAME ":" FNR ": " length " columns" } END { if (NR > 40) print NR " lines"; if (NR < 10) print "only " NR " lines" }' \
    "$2" >said
  same "$1 fits a screen" /dev/null said
}

# Ten programs, in C and C++, with Cilk and OpenMP; six of them without LONG.
while read -r source options; do
  case $LONG$source in programs/cilksort.c | verdicts/*/nbody.c | verdicts/*/mergesort.cc | verdicts/*/hash.cc) continue ;; esac
  case $source in *.cc) compiler=c++ ;; *) compiler=cc ;; esac
  rm -f cilkprof.out
  # shellcheck disable=SC2086 # several options
  if ! $compiler -O2 -g $options "$TOP/test/$source" -o program -lm >said 2>&1 || ! ./program >said 2>&1; then
    fail "$source runs" said
    continue
  fi
  "$report" --screen program cilkprof.out >screen 2>errors
  fits "$source" screen
  holds "$source: a verdict" grep -q '^Verdict for ' screen
  holds "$source: the speedup" grep -q '^  speedup from ' screen
  holds "$source: call sites" grep -q '^% span ' screen
done <<'END'
programs/fib.c -fcilkplus -fcilkprof=count
programs/qsort.c -fcilkplus -fcilkprof
programs/cilksort.c -fcilkplus -fcilkprof
programs/nqueens.c -fcilkplus -fcilkprof=count
verdicts/programs/kmeans.c -fopenmp -fcilkprof
verdicts/programs/nbody.c -fopenmp -fcilkprof
verdicts/programs/tracer.cc -fcilkplus -fcilkprof
verdicts/programs/kdtree.cc -fcilkplus -fcilkprof
verdicts/programs/mergesort.cc -fcilkplus -fcilkprof
verdicts/programs/hash.cc -fcilkplus -fcilkprof
END

# A program that spawns nothing has no speedup that could be foretold.
cat >serial.c <<'EOC'
static double values[100000];
int main(void) {
  for (int i = 0; i < 100000; i++)
    values[i] = 0.5 * i;
  return values[99999] < 0;
}
EOC
cc -O2 -fcilkprof=count serial.c -o serial && CILKPROF_OUT=serial.out ./serial
"$report" --screen serial serial.out >screen
holds 'a program that spawns nothing: no speedups' sh -c '! grep -q "speedup from" screen'
holds 'but its hot loop' grep -q 'Serial loop: the loop at serial.c:[34] ' screen
"$report" --summary -b serial serial.out >screen
holds 'the summary says why' grep -q '^  none: nothing is spawned$' screen

# So many short loops that emulating them on some numbers of processors would take too long: these are left out.
cat >loops.c <<'EOC'
#include <cilk/cilk.h>
static long values[1000];
int main(void) {
  for (int round = 0; round < 100000; round++)
    cilk_for (int i = 0; i < 1000; i++) values[i] += round * i;
  return values[999] == 1;
}
EOC
cc -O2 -fcilkplus -fcilkprof loops.c -o loops && CILKPROF_OUT=loops.out ./loops
"$report" --screen loops loops.out >screen
holds 'too much to emulate: a dash' grep -q '^  expected .* -$' screen
holds 'and never nan' sh -c '! grep -q nan screen'

# A profile of every kind: many call sites, roots, samples, a tree.
build quicksort
build tree
build driver
sampled waste
cp "$TOP/test/report/waste.c" preempted.c
{ cat "$TOP/test/report/waste.txt"; echo 'delayed 300'; } >preempted.txt
sampled preempted
for profile in quicksort tree driver waste preempted; do
  "$report" --screen $profile $profile.out >screen 2>errors
  fits "$profile" screen
done
# However much there is to say about the run, the speedup and the first code to blame are on the screen.
{ cat "$TOP/test/report/quicksort.txt"; printf '%s\n' 'usage 2000000000 0 1 0 0 0 0 0 0 1000000' 'waits 5000000000 7000000000'; } >crowded.txt
build crowded
COLUMNS=50 "$report" --screen --processors=8 crowded crowded.out >screen
holds 'the speedup is shown' grep -q '^  Speedup: ' screen
holds 'so is what limits it' grep -q "'partition' takes" screen
holds 'and the number of the rest' grep -q '^  [0-9]* more findings*: --verdict$' screen
"$report" --screen waste waste.out >screen
holds 'of samples, the losses' grep -q '^What the parallel run wasted' screen
"$report" --screen tree tree.out >screen
holds 'the last line has the commands for more' sh -c 'tail -n 1 screen | grep -q "^More: cilkprof report --all tree.out, cilkprof html tree.out$"'
cp quicksort.out cilkprof.out
"$report" --screen quicksort >screen
holds 'without a file that is meant anyway' sh -c 'tail -n 1 screen | grep -q "^More: cilkprof report --all, cilkprof html$"'

# On a terminal shares are bars as well; in a file they are not.
holds 'no bars in a file' sh -c '! grep -q "##" screen'
"$report" --screen --color=always quicksort quicksort.out | sed "s/$(printf '\033')\[[0-9;]*m//g" >screen
fits 'the screen with bars' screen
holds 'bars' grep -q '^ *[0-9.]*  ####' screen
COLUMNS=100 "$report" --screen --color=always waste waste.out >screen
holds 'a large share has a long bar' test "$(sed -n 's/^ *98.62  \(#*\) .*/\1/p' screen | head -n 1)" = '########'

# titles: those of the sections in the file shown, in their order.
titles() {
  tr -d '\f\t' <shown | sed -n 's/^ *\(Verdict\|Parallelism profile\|Flat profile\|Call graph\|Index by\|Call sites\).*/\1/p' | tr '\n' ','
}
tables='Verdict,Parallelism profile,Flat profile,Call graph,Index by,Call sites,'
"$report" quicksort quicksort.out >shown
holds 'without --screen, the verdict and then as gprof' test "$(titles)" = "$tables"
for explanation in '^ % *the percentage of' 'This table describes the calls of' '^ *parallel '; do
  holds "with gprof's explanations: $explanation" grep -q "$explanation" shown
done
holds 'and what limits the speedup' grep -q '^  *128 processors: ' shown
"$report" -b quicksort quicksort.out >shown
holds 'with -b the same' test "$(titles)" = "$tables"
holds 'without explanations' sh -c '! grep -q "This table describes the calls of" shown'
cilkprof report quicksort quicksort.out >shown
fits 'cilkprof report' shown
cilkprof report --all quicksort quicksort.out >shown
holds 'cilkprof report --all: every table' test "$(titles)" = "$tables"
cilkprof report --summary quicksort quicksort.out >shown
holds 'cilkprof report --summary: that' test "$(titles)" = 'Parallelism profile,'
"$report" waste waste.out >shown
holds 'of samples, what was lost and both views of the call paths' \
  test "$(grep -c '^\(What the parallel run wasted\|Top-down: \|Bottom-up: \)' shown)" = 3

# has_tables NAME OPTION...: the flat profile and the call graph are there; or not.
has_tables() {
  name=$1
  shift
  "$report" --screen "$@" quicksort quicksort.out >shown
  if grep -q '^ *[a-z%]* *cumulative ' shown && grep -q '^index ' shown; then pass "$name"; else fail "$name" shown; fi
}
has_tables '--all' --all
for option in -b -T -l -L -z -w100 -x -t3 -m2 -I. -a -c -D -kmain/pqsort -nmain -Npartition -emain -Epartition -fmain -Fmain --inline-file-names; do
  has_tables "gprof's $option" $option
done
for option in --processors=8 --color=always --top=2 --focus=pqsort; do
  "$report" --screen $option quicksort quicksort.out >shown
  holds "$option is for the screen" sh -c '! grep -q "^Flat profile" shown && grep -q "partition\|pqsort" shown'
done
"$report" --screen --top=2 quicksort quicksort.out >shown
holds 'as many rows as --top says' test "$(sed -n '/^% span/,/^$/p' shown | grep -c '^ *[0-9]')" = 2
finish
