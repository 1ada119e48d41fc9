#!/bin/sh
# Samples beside work and span of the same program, and beside a run of one worker: the cause of every waste.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/report/lib.sh"
make_samples=$BUILD_DIR/test/report/make-samples

build causes
cat >waste.txt <<'END'
sampling cilk 2 2 1000 1000 1500
path 400 400 0 at_main_serial at_serial
path 300 100 0 at_main_work at_work
path 50 0 150 at_main_work at_work_call at_lock
path 100 50 0 at_main_work at_work_call at_leaf
path 200 80 0 at_main_loop at_loop at_body
path 10 0 0 at_main_work
END
sampled waste
"$report" -b --waste causes.out waste.out >whole
sed -n '/^  Too little/,/^$/p' whole >got
cat >wanted <<'END'
  Too little parallelism:   480.0 ms  24.00 %, mostly in serial
  Grain:                    150.0 ms   7.50 %, mostly in work
  Work inflation:           100.0 ms   5.00 %, mostly in cilk_for waste.c:34
  Lock contention:          200.0 ms  10.00 %, mostly in work

END
same 'every cause has its share of the time of the processors' wanted got
sed -n '/^Why/,$p' whole >got
cat >wanted <<'END'
Why it was slower than possible

  The work of one worker is taken from the profile of work and span, which is approximate; for better numbers add samples of one worker.

 work and span  ----- % of the effort -----
% span parallel   work   idle   over   wait times  cause        function or loop
 85.84     1.00  21.74  21.74   0.00   0.00  1.00  parallelism  serial
  1.07      100  16.30   5.43   0.00  10.87  0.60  lock         work
 10.73     2.00  10.87   4.35   0.00   0.00  2.00  inflation    cilk_for waste.c:34
  0.21      100   5.43   2.72   0.00   0.00  1.00  grain        leaf
  2.15     1.00   0.54   0.00   0.00   0.00     -  -            main
END
same 'every function has its cause' wanted got
"$report" -b --waste waste.out causes.out | sed -n '/^Why/,$p' >got
same 'in whichever order they are named' wanted got
"$report" -b --waste waste causes.out waste.out | sed -n '/^Why/,$p' >got
same 'with the program that was sampled' wanted got
"$report" -b --waste causes causes.out waste.out | sed -n '/^Why/,$p' >got
same 'or with the other one' wanted got
refuses 'but with no third one' '/bin/ls: ' /bin/ls causes.out waste.out
"$report" --waste causes.out waste.out >got
holds 'it is explained' grep -q '^ parallel   and its parallelism: how many processors' got
"$report" -b causes.out waste.out >got
holds 'it is part of the report of both' grep -q '^Why it was slower' got
holds 'with what work and span say' grep -q '^Parallelism profile' got

# Work on one worker, in samples: then the loop has not more on two, but is idle.
printf 'sampling cilk 2 1 1000 1000 1500\npath %s 0 0 at_main_loop at_loop at_body\n' 190 >one.txt
$make_samples one.txt waste >one.out
"$report" -b --waste causes.out waste.out one.out | sed -n '/^Why/,$p' >got
grep -o ' [0-9.]*  [a-z]*  *cilk_for.*' got >row
echo ' 1.05  parallelism  cilk_for waste.c:34' >wanted
same 'samples of one worker are more exact' wanted row
holds 'which is said' grep -q 'The work of one worker is taken from its samples' got
printf 'sampling cilk 2 1 1000 1000 1500\npath %s 0 0 at_main_loop at_loop at_body\n' 90 >one.txt
$make_samples one.txt waste >one.out
"$report" -b --waste one.out waste.out one.out | sed -n '/^Why/,/^What takes longer/p' >got
grep -o ' [0-9.]*  [a-z]*  *cilk_for.*' got >row
echo ' 2.22  inflation    cilk_for waste.c:34' >wanted
same 'they do without work and span' wanted row
printf 'sampling cilk 2 1 1000 1000 1500\npath %s 0 0 at_main_loop at_loop at_body\n' 170 >one.txt
$make_samples one.txt waste >one.out
"$report" -b --waste one.out waste.out >got
sed -n '/^Why/,$p' got | grep -o ' [0-9.]*  [a-z]*  *cilk_for.*' >row
echo ' 1.18  parallelism  cilk_for waste.c:34' >wanted
same 'what samples may differ by is no cause' wanted row
holds 'nor a loss' grep -q 'Work inflation: *0   0.00 %' got
"$report" -b --waste one.out >got
holds 'alone they are a run like others' grep -q 'Cilk workers: 1' got

# Runs that are not the same: other arguments, another build, less than half the work.
other='The 1-worker run had another input'
cp waste.txt alike.txt
echo 'command ./waste 100' >>alike.txt
$make_samples alike.txt waste >alike.out
sed 's/^command .*/command .\/profiled 100/' causes.txt >same.txt
build same
"$report" -b --waste same.out alike.out >got 2>errors
holds 'the same arguments of another program' sh -c 'test ! -s errors && grep -q "  2.00  inflation    cilk_for" got'
"$report" -b --waste causes.out alike.out >got 2>errors
echo 'cilkprof-report: alike.out: it ran with other arguments than causes.out; times of both are not compared' >wanted
same 'other arguments' wanted errors
holds 'are not compared' sh -c "grep -q '$other' got && ! grep -q ' inflation ' got"
holds 'and so nothing is known of inflation' grep -q '^  Work inflation: *unknown .*, same input$' got
printf 'sampling cilk 2 1 1000 1000 1500\npath 90 0 0 at_main_loop at_loop at_body\n' >one.txt
$make_samples one.txt waste >one.out
"$report" -b --waste one.out alike.out >got 2>errors
holds 'nor are samples of other arguments' grep -q "$other" got
printf 'sampling cilk 2 1 1000 1000 1500\npath 2300 0 0 at_main_loop at_loop at_body\n' >more.txt
$make_samples more.txt waste >more.out
"$report" -b --waste more.out waste.out >got
holds 'nor far more work' grep -q "$other" got
mkdir build && cp waste.c build && cc -g -O1 -Wl,--build-id -DOTHER=1 -fno-inline build/waste.c -o build/waste
$make_samples one.txt build/waste >build.out
refuses 'another build' 'its samples are of another build than the previous ones' --waste build.out waste.out
# A function that took next to nothing with one worker has no ratio: something else was inlined into it.
sed 's/1 10000000 10000000 10000000$/1 3 3 3/' causes.txt >next.txt
build next
sed 's/^path 10 0 0 at_main_work$/path 300 0 0 at_main_work/' waste.txt >much.txt
$make_samples much.txt waste >much.out
"$report" -b --waste next.out much.out >got
holds 'no number of nine digits' grep -q '  0.00  *1.00 .* 0.00     -  -  *main$' got

# Counted instructions are no time.
sed 's/mode clock/mode count/; /^units/d' causes.txt >counted.txt
build counted
"$report" -b --waste counted.out waste.out >got
holds 'instructions are no reference' grep -q 'Work inflation is unknown without a run on one worker' got
finish
