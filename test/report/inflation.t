#!/bin/sh
# What takes longer with several workers than with one, and why, from samples whose every number is known: false sharing, a
# memory triad and a hot lock are named with their causes, an innocent loop is not.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/report/lib.sh"
make_samples=$BUILD_DIR/test/report/make-samples

cat >program.c <<'END'
#define AT(name) __asm__ volatile(#name ": nop")
#define APART __attribute__((noipa)) static void
APART __aarch64_ldadd8_relax(void) { AT(at_atomic); }
APART counters(void) { AT(at_counters); AT(at_add); __aarch64_ldadd8_relax(); }
APART triad(void) { AT(at_triad); }
APART innocent(void) { AT(at_innocent); }
APART rare(void) { AT(at_rare); }
APART pthread_mutex_lock_slow(void) { AT(at_lock); }
APART update(void) { AT(at_update); AT(at_update_lock); pthread_mutex_lock_slow(); }
int main(void) {
  AT(at_main);
  counters();
  triad();
  innocent();
  rare();
  update();
  return 0;
}
END
gcc -g -O1 -Wl,--build-id program.c -o program || give_up 'the program is built'
# text SAMPLING COUNTERS TRIAD INNOCENT RARE UPDATE WAITING WAITING_IN_LOCK: the text of a run, in ms.
text() {
  printf 'sampling %s\n' "$1"
  printf 'path %s\n' "$2 0 0 at_main at_counters" "$3 0 0 at_main at_triad" "$4 0 0 at_main at_innocent" "$5 0 0 at_main at_rare" \
    "$6 0 0 at_main at_update" "0 0 $7 at_main at_update_lock" "0 0 $8 at_main at_update_lock at_lock"
}
text 'cilk 1 1 1000 1610 1610' 400 400 400 10 400 0 0 >one.txt
text 'cilk 4 4 1000 1000 3000' 1000 800 410 40 410 1000 200 >four.txt
text 'cilk 1 1 1000 2000 2000' 404 760 400 10 400 0 0 >copy.txt
for run in one four copy; do
  $make_samples $run.txt program >$run.out || give_up "samples of $run"
done
cat copy.out copy.out >copies

# inflated OPTION...: the table of what takes longer.
inflated() {
  "$report" -b --waste "$@" | sed -n '/^What takes longer than with one worker/,$p'
}
inflated one.out four.out --copies=copies >got
cat >wanted <<'END'
What takes longer than with one worker

  program.c:9 takes 3.52 times as long on 4 workers as on one (+-0.50), 50 % of all that takes longer.  It waits for a lock: hold it for less time, or use more of them.

% longer  times    +- copies  cause     code
   54.75   4.03  0.57   1.00  lock      update (program.c:9)
   27.15   2.50  0.30   1.01  sharing   counters (program.c:4)
   18.10   2.00  0.24   1.90  memory    triad (program.c:5)

   50.25   3.52  0.50   1.00  lock      program.c:9
   29.85   2.50  0.30   1.01  sharing   program.c:4
   19.90   2.00  0.24   1.90  memory    program.c:5
END
same 'three are named with their causes, and the innocent loop is not' wanted got
inflated one.out four.out | sed -n 's/^ *[0-9.]* *2\.[0-9]* .* \(-\) *\([a-z]*\) (.*/\2 \1/p' >got
printf 'counters -\ntriad -\n' >wanted
same 'without copies the cause is not known' wanted got
sed 's/0 0 1000 /0 0 0 /' four.txt >unlocked.txt
$make_samples unlocked.txt program >unlocked.out
"$report" -b --waste one.out unlocked.out >got
holds 'and it is said how to know' grep -q 'Samples of copies tell why: cilkprof-run --trials --copies --samples' got
holds 'nor in the verdict' grep -q 'counters (program.c:4) grows .* cilkprof scale --copies tells why' got
"$report" -b --waste --copies=copies one.out unlocked.out >got
holds 'with copies the verdict has the line and the cause' \
  grep -q "^  Work inflation costs .* of the processors' time: program.c:4 takes 2.50 times .*Copies of the program, which share no data, are not slower" got
sed 's/at_main at_counters/at_main at_add at_atomic/' unlocked.txt >atomic.txt
$make_samples atomic.txt program >atomic.out
sed 's/at_main at_counters/at_main at_add at_atomic/' one.txt >atomic-one.txt
$make_samples atomic-one.txt program >atomic-one.out
"$report" -b --waste --efficiency=functions atomic-one.out atomic.out >got
holds 'atomic operations are code of their caller' grep -q 'Work inflation: the work of counters (program.c:4) grows' got
holds 'also in the worst factor' grep -q 'is Computation scaling, .* of it in counters (program.c:4)' got
holds 'and have no row' test "$(grep -c aarch64 got)" = 0
"$report" --csv=inflation --copies=copies one.out four.out | tr -d '\r' | sed 's/"[^"]*program.c"/FILE/' >got
cat >wanted <<'END'
scope,name,file,line,times,error,copies,one_ns,several_ns,lost_ns,cause,one_misses,several_misses,one_hitm,several_hitm
function,"update",FILE,9,4.025000,0.565739,1.000000,400000000,1610000000,1210000000,lock,,,,
function,"counters",FILE,4,2.500000,0.295804,1.010000,400000000,1000000000,600000000,sharing,,,,
function,"triad",FILE,5,2.000000,0.244949,1.900000,400000000,800000000,400000000,memory,,,,
END
head -n 4 got >first
same 'as CSV: functions' wanted first
cut -d , -f 1,4,11 got | sed 1,4d >lines
printf 'line,9,lock\nline,4,sharing\nline,5,memory\n' >wanted
same 'as CSV: lines' wanted lines
"$report" --format=json --copies=copies one.out four.out | jq -c '.waste.inflation | [.functions[] | [.name, .times + 0, .cause]],
  [.lines[] | [.line, .cause]], (.text | startswith("program.c:9 takes 3.52 times"))' >got
cat >wanted <<'END'
[["update",4.025,"lock"],["counters",2.5,"sharing"],["triad",2,"memory"]]
[[9,"lock"],[4,"sharing"],[5,"memory"]]
true
END
same 'as JSON' wanted got
"$report" --html=page.html --copies=copies one.out four.out
holds 'on the page' grep -qF '[0.2715,2.5000,0.2958,1.0100,"sharing","counters (program.c:4)",null,null]' page.html

# The processor's counters: lines that others had modified, and misses.  Without copies they tell the cause.
# counted FILE COUNTERS TRIAD: adds counters to those paths of the text.
counted() {
  sed -e "s/at_counters\$/&\ncounters $2/" -e "s/at_triad\$/&\ncounters $3/" "$1.txt" >"$1-counted.txt"
  $make_samples "$1-counted.txt" program >"$1-counted.out" || give_up "counters of $1"
}
counted one '2000000000 1000000000 1000 0' '1000000000 1000000000 12000000 0'
counted four '2000000000 2500000000 2000 20000000' '1000000000 2000000000 12500000 100'
inflated one-counted.out four-counted.out | sed '1,/^% longer/d' >got
cat >wanted <<'END'
   54.75   4.03  0.57      -       -       -  lock      update (program.c:9)
   27.15   2.50  0.30      -    0.00   10.00  sharing   counters (program.c:4)
   18.10   2.00  0.24      -   12.50    0.00  memory    triad (program.c:5)

   50.25   3.52  0.50      -       -       -  lock      program.c:9
   29.85   2.50  0.30      -    0.00   10.00  sharing   program.c:4
   19.90   2.00  0.24      -   12.50    0.00  memory    program.c:5
END
same 'counters tell the cause without copies' wanted got
"$report" --csv=inflation one-counted.out four-counted.out | tr -d '\r' | sed -n 's/^function,"\(counters\|triad\)".*,\([a-z]*,[0-9]*,[0-9]*,[0-9]*,[0-9]*\)$/\1 \2/p' >got
printf '%s\n' 'counters sharing,1000,2000,0,20000000' 'triad memory,12000000,12500000,0,100' >wanted
same 'counters as CSV' wanted got
"$report" --format=json one-counted.out four-counted.out | jq -c '.waste.inflation.functions[1] | [.one_misses, .several_misses, .one_hitm, .several_hitm]' >got
echo '[1000,2000,0,20000000]' >wanted
same 'counters as JSON' wanted got
"$report" --html=page.html one-counted.out four-counted.out
holds 'counters on the page' grep -qF '"sharing","counters (program.c:4)",0.0010,10.0000]' page.html
sed 's/^\(counters.*\) [0-9]*$/\1 -/' four-counted.txt >no-hitm.txt
$make_samples no-hitm.txt program >no-hitm.out
inflated one-counted.out no-hitm.out | sed -n 's/^ *27.15 *//p' >got
echo '2.50  0.30      -    0.00       -  -         counters (program.c:4)' >wanted
same 'misses alone do not tell' wanted got
"$report" -s -o both.sum four-counted.out four-counted.out
"$report" -i program both.sum | sed -n 's/^.counted: *//p' >got
echo '6,000,000,000 instructions, 9,000,000,000 cycles, 25,004,000 misses, 40,000,200 HITM' >wanted
same 'in a sum of runs' wanted got

inflated four.out >got
holds 'nothing without a run on one worker' test ! -s got
text 'cilk 4 4 1000 1000 3000' 420 410 410 12 400 0 0 >even.txt
$make_samples even.txt program >even.out
inflated one.out even.out >got
holds 'nothing if nothing takes longer' test ! -s got
{ cat one.txt && echo 'command ./program 7'; } >other.txt
$make_samples other.txt program >other.out
inflated other.out four.out 2>errors >got
holds 'nothing if the other run had another input' test ! -s got
refuses 'copies with more workers' 'it has no samples of runs with one worker each' --waste --copies=four.out one.out four.out
build tree
refuses 'copies without samples' 'copies: the profile has no samples of a parallel run' --copies=copies --summary tree.out
finish
