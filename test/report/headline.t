#!/bin/sh
# The headline of --waste: the largest loss of a parallel run, its place and its share of the time of all processors; what
# the system says of time without a processor; and nothing without evidence.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/report/lib.sh"

# run TEXT...: makes waste.out of these statements, of a run of one second on two processors.
cp "$TOP/test/report/waste.c" . && ${CC:-cc} -g -O1 -Wl,--build-id waste.c -o waste || give_up 'the program is compiled'
run() {
  { echo "sampling ${language:-cilk} 2 2 1000 1000 1500"; printf '%s\n' "$@"; } >waste.txt
  "$BUILD_DIR/test/report/make-samples" waste.txt waste >waste.out || give_up 'make-samples'
}
# says NAME TEXT: the headline, the second paragraph of the section.
says() {
  "$report" -b --waste waste waste.out | awk -v RS= 'NR == 2' >got
  printf '  %s\n' "$2" >wanted
  same "$1" wanted got
}
# silent NAME: there is none.
silent() {
  "$report" -b --waste waste waste.out | awk -v RS= 'NR == 2' >got
  holds "$1" grep -q '^  Command: ' got
}

run 'path 400 400 0 at_main_serial at_serial' 'path 1200 0 0 at_main_work at_work' 'delayed 0'
says 'serial code' "Serial bottleneck: serial (waste.c:30) runs alone while the other processor is idle, for 20 % of the processors' time.  Run parts of it in parallel, or overlap it with other work."
run 'path 500 300 0 at_main_loop at_loop at_body at_leaf' 'path 1200 0 0 at_main_work at_work' 'delayed 0'
says 'a loop whose pieces are unequal is named, not what they call' "Load imbalance: the pieces of cilk_for waste.c:34 are too few or unequal, and processors that finish early are idle, for 15 % of the processors' time.  Use more and smaller ones."
language=openmp
run 'path 500 300 0 at_main_loop at_loop at_body at_leaf' 'path 1200 0 0 at_main_work at_work' 'delayed 0'
says 'of OpenMP' "Load imbalance: the pieces of parallel waste.c:34 are too few or unequal, and processors that finish early are idle, for 15 % of the processors' time.  Use more and smaller ones, or schedule them dynamically."
language=
run 'path 500 300 0 at_main_work at_work_call at_child at_work' 'path 1200 0 0 at_main_work at_work_call at_leaf' 'delayed 0'
says 'spawns that are unequal' "Load imbalance: the spawns in work (waste.c:25) are too few or unequal, and processors that finish early are idle, for 15 % of the processors' time.  Use more and smaller ones."
run 'path 1700 0 0 at_main_work at_work' 'path 300 0 0 at_main_work at_work_call at_steal' 'delayed 0'
says 'overhead' "Overhead: the pieces of work (waste.c:25) are too small, and the runtime spends 15 % of the processors' time creating and distributing them.  Do more work in each spawn, task or chunk."
run 'path 900 0 0 at_main_work at_work' 'path 300 0 500 at_main_work at_work_call at_lock' 'delayed 0'
says 'a lock: who takes it is named, not the function that waits' "Contention: threads wait for a lock in work (waste.c:25), for 40 % of the processors' time.  Hold it for less time, use several locks, or keep a private copy per thread and combine them at the end."
run 'path 1940 30 0 at_main_work at_work' 'delayed 10'
silent 'where all is well there is no headline'
run 'path 900 800 0 at_main_work at_work' 'path 300 0 0 at_main_work at_leaf' 'delayed 0'
says 'nearly the whole program runs alone' "Serial bottleneck: work (waste.c:25) runs alone while the other processor is idle, for 40 % of the processors' time.  Run parts of it in parallel, or overlap it with other work."

# Inflation: what grew and by how much, and no cause that nobody measured.
run 'path 1600 0 0 at_main_work at_work' 'path 300 0 0 at_main_loop at_loop at_body' 'delayed 0'
mv waste.out two.out
sed -i '1s/ 2 2 / 2 1 /; s/path 1600/path 800/' waste.txt
"$BUILD_DIR/test/report/make-samples" waste.txt waste >one.out
grew="Work inflation: the work of work (waste.c:25) grows with the number of workers; 2 of them need 2.00 times the processor time of one, which costs 40 % of the processors' time."
"$report" -b --waste waste two.out one.out >got
holds 'inflation: what grew, and by how much' grep -qF "$grew" got
holds 'and the command that tells why' grep -q 'cilkprof scale --copies tells why' got
build causes
printf '1 1 1 0\n2 .9 1.8 0\ncopies 2 1 1.01 0\n' >trials
"$report" -b --waste --trials=trials causes.out two.out one.out >got
holds 'copies that do not slow each other rule bandwidth out' grep -qF "$grew  Copies that share no data do not slow each other down: look for false sharing" got
holds 'which is not named then' sh -c '! grep -q "it is memory bandwidth" got'
printf '1 1 1 0\n2 .9 1.8 0\ncopies 2 2 2 0\n' >trials
"$report" -b --waste --trials=trials causes.out two.out one.out >got
holds 'copies that do slow each other' grep -qF "$grew  Copies that share no data slow each other down as well" got

# Time without a processor, which the system divides.
run 'path 400 400 0 at_main_serial at_serial' 'path 200 0 0 at_main_work at_work' 'delayed 300'
"$report" -b --waste waste waste.out | sed -n '/^  Blocked:  /,/^  Preempted/p' >got
cat >wanted <<'END'
  Blocked:                  500.0 ms  25.00 %, asleep or waiting for I/O
  Preempted:                500.0 ms  25.00 %, by other programs
END
same 'delays weigh as much as samples would, the rest is blocked' wanted got
says 'much of either is said' "Blocked: the program slept or waited for input or output for 25 % of the processors' time; more processors do not help there.  Overlap these waits with work, or shorten them; strace -cfw lists them.  Busy machine: for 25 % of the processors' time the program was ready to run but preempted by other programs.  Times and shares may be off; measure again when the machine is idle."
run 'path 900 30 0 at_main_work at_work' 'delayed 2000'
says 'no more is preempted than there is' "Busy machine: for 54 % of the processors' time the program was ready to run but preempted by other programs.  Times and shares may be off; measure again when the machine is idle."
run 'path 450 0 0 at_main_work at_work' 'delayed 1490'
says 'a small loss is none, even if the program hardly had a processor' "Busy machine: for 74 % of the processors' time the program was ready to run but preempted by other programs.  Times and shares may be off; measure again when the machine is idle."
run 'path 900 30 0 at_main_work at_work'
"$report" -b --waste waste waste.out >got
holds 'a system that does not say' grep -q '^  Blocked or preempted: *1.070 s  53.50 %$' got
"$report" -s -o sum.out waste.out waste.out
"$report" -b --waste waste sum.out >got
holds 'nor for a sum' grep -q '^  Blocked or preempted: *2.140 s  53.50 %$' got
run 'path 900 30 0 at_main_work at_work' 'delayed 200'
"$report" -s -o delays.out waste.out waste.out
"$report" -b --waste waste delays.out >got
holds 'delays are added up' grep -q '^  Preempted: *413.3 ms  10.33 %,' got
"$report" --format=json -o got waste waste.out
holds 'JSON has them, with what was lost' grep -q '"blocked":863333334,"preempted":206666666,"headline":"Blocked: .*"share_error":3.333,"losses":{"parallelism":{"ns":30000000,"function":"work","file":".*waste.c","line":25}' got

run 'path 200 200 0 at_main_serial at_serial' 'delayed 600'
says 'where others had the processors for most of the time, there is no advice' "Busy machine: for 60 % of the processors' time the program was ready to run but preempted by other programs.  Times and shares may be off; measure again when the machine is idle."

# A runtime that takes the place of the program's own may be what loses the time.
for library in libgomp.so.1 libomp.so.5; do
  echo "void GOMP_parallel(void) { __asm__ volatile(\"at_$library: nop\"); }" | tr -d . >library.c
  ${CC:-cc} -g -shared -fPIC library.c -o $library || give_up "$library is compiled"
done
# replaced TEXT...: a run of OpenMP with both runtimes in it.
replaced() {
  { echo 'sampling openmp 2 2 1000 1000 1500'; printf '%s\n' "$@"; } >waste.txt
  "$BUILD_DIR/test/report/make-samples" waste.txt waste "$PWD/libgomp.so.1" "$PWD/libomp.so.5" >waste.out || give_up 'make-samples'
}
overhead="Overhead: the pieces of work (waste.c:25) are too small, and the runtime spends 15 % of the processors' time creating and distributing them.  Do more work in each spawn, task or chunk."
remark='  The runtime was libomp.so.5 in the place of libgomp.so.1, which may lose less: cilkprof scale measures the program with its own.'
replaced 'path 1700 0 0 at_main_work at_work' 'path 300 0 0 at_main_work at_work_call 2:at_libompso5' 'delayed 0'
says 'overhead in a runtime that is not the own one' "$overhead$remark"
"$report" -b --waste waste waste.out >got
holds 'how much of the effort it is' \
  grep -q '^  Runtime: .*/libomp.so.5 instead of libgomp.so.1: its overhead and waiting, 15 % of the effort, may differ from that$' got
cp waste.out tasks.out
sed -i '1s/ 2 2 / 2 1 /; /2:at_libompso5/d' waste.txt
"$BUILD_DIR/test/report/make-samples" waste.txt waste "$PWD/libgomp.so.1" "$PWD/libomp.so.5" >alone.out
replaced 'path 900 0 0 at_main_work at_work' 'path 300 0 500 at_main_work at_work_call at_lock' 'delayed 0'
"$report" -b --waste waste waste.out >got
holds 'waits for locks, too' grep -qF "combine them at the end.$remark" got
replaced 'path 400 400 0 at_main_serial at_serial' 'path 1200 0 0 at_main_work at_work' 'delayed 0'
"$report" -b --waste waste waste.out >got
holds 'but not what is lost in the program' sh -c '! grep -q "which may lose less" got'
printf '1 1 1 0\n2 .5 1 0\n' >trials
"$report" -b --waste --trials=trials causes.out tasks.out alone.out >got
holds 'trials with the own one tell what it cost' \
  grep -q '^  Runtime: .*/libomp.so.5 instead of libgomp.so.1: it took 2.00 times as long as the trials with that$' got
holds 'then the program is not blamed' grep -q "^  Another runtime: with libomp.so.5 in the place of libgomp.so.1 the program took 2.00 times as long as in the trials.  What was lost in the runtime, 15 % of the effort, says little about the program.$" got
holds 'not at all' sh -c '! grep -q "too small" got'
printf '1 2 2 0\n2 1 2 0\n' >trials
"$report" -b --waste --trials=trials causes.out tasks.out alone.out >got
holds 'a runtime that is as good is not mentioned' sh -c 'grep -q "chunk\.$" got && ! grep -q "which may lose less" got'

# Samples: how many there must be.
run 'path 14 14 0 at_main_serial at_serial' 'delayed 900'
for options in '' --waste; do
  "$report" -b $options waste waste.out >got
  cat >wanted <<'END'
What the parallel run wasted

  14 samples: too few to judge.  Run it longer, or sample more often: cilkprof waste -F 10000.
END
  same "too few samples, and nothing else: report $options" wanted got
done
run 'path 14 14 0 at_main_serial at_serial' 'delayed 900' 'clock timer'
says 'a clock that does not sample more often' '14 samples: too few to judge.  Run it longer.'
run 'path 40 0 0 at_main_serial at_serial' 'delayed 1'
says 'a run that mostly waits is not too short' "Hardly any computation: the program was blocked 98 % of the time, asleep or waiting for input or output, and there are only 40 samples.  Overlap these waits with work, or shorten them."
run 'path 800 0 0 at_main_work at_work' 'path 20 20 0 at_main_serial at_serial'
"$report" -b --waste waste waste.out >got
holds 'a function of few samples is not judged' grep -q '  few samples     serial$' got
holds 'what shares may be off by' grep -q 'Sampled: .* shares may be off by 4 %$' got
finish
