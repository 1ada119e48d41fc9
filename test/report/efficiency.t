#!/bin/sh
# The factors of the efficiency of parallel runs, from samples whose every number is known.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/report/lib.sh"
make_samples=$BUILD_DIR/test/report/make-samples

cp "$TOP/test/report/waste.c" .
gcc -g -O1 -Wl,--build-id waste.c -o waste || give_up 'the program is built'
# With one worker 640 ms of work.  With two, of 1400 ms: 60 nothing is known of, 40 locks, 60 overhead, 400 idle beside serial
# code, 40 idle beside pieces of a loop, 800 work.  With four, of 2000 ms: 800 work, 1200 idle beside pieces of the loop.
cat >1.txt <<'END'
sampling cilk 1 1 1000 640 640
path 400 0 0 at_main_serial at_serial
path 240 0 0 at_main_loop at_loop at_body
END
cat >2.txt <<'END'
sampling cilk 2 2 1000 700 860
path 400 400 0 at_main_serial at_serial
path 400 40 0 at_main_loop at_loop at_body
path 60 0 0 at_main_work at_work_call at_steal
path 0 0 40 at_main_work at_work_call at_lock
END
cat >4.txt <<'END'
sampling cilk 4 4 1000 500 800
path 800 1200 0 at_main_loop at_loop at_body
END
for workers in 1 2 4; do
  $make_samples $workers.txt waste >$workers.out || give_up "samples of $workers"
done
cat 4.out 1.out 2.out >trial

cat >table <<'END'
Efficiency of the parallel runs

  The worst factor with 2 workers is Serial parts, 0.68: processors were idle while code ran that is not parallel; 100 % of it in serial (waste.c:30).

  workers                         1        2
  Global efficiency            1.00     0.46 !
    Parallel efficiency        1.00     0.57 !
      Load balance             1.00     0.95
      Serial parts             1.00     0.68 !
      Scheduling               1.00     0.95
      Waiting for locks        1.00     0.97
      Processor available      1.00     0.96
    Computation scaling        1.00     0.80
  Speedup                      1.00     0.91
END
prints 'two files of samples' -b --efficiency 1.out 2.out <table
cat 1.out 2.out >both
prints 'one file of both' -b --efficiency both <table
prints 'a trial, in any order' -b --efficiency trial <<'END'
Efficiency of the parallel runs

  The worst factor with 4 workers is Load balance, 0.40: processors were idle because parallel pieces were too few or unequal; 100 % of it in cilk_for waste.c:34.

  workers                         1        2        4
  Global efficiency            1.00     0.46 !   0.32 !
    Parallel efficiency        1.00     0.57 !   0.40 !
      Load balance             1.00     0.95     0.40 !
      Serial parts             1.00     0.68 !   1.00
      Scheduling               1.00     0.95     1.00
      Waiting for locks        1.00     0.97     1.00
      Processor available      1.00     0.96     1.00
    Computation scaling        1.00     0.80     0.80
  Speedup                      1.00     0.91     1.28
END
prints 'without a run on one worker' -b --efficiency 4.out <<'END'
Efficiency of the parallel runs

  The worst factor with 4 workers is Load balance, 0.40: processors were idle because parallel pieces were too few or unequal; 100 % of it in cilk_for waste.c:34.

  workers                         4
  Global efficiency               -
    Parallel efficiency        0.40 !
      Load balance             0.40 !
      Serial parts             1.00
      Scheduling               1.00
      Waiting for locks        1.00
      Processor available      1.00
    Computation scaling           -
  Speedup                         -

  Computation scaling is not known without a run on one worker and the same input: cilkprof run --trials --samples.
END
"$report" -b --efficiency=functions both | sed '1,/global/d' >got
cat >wanted <<'END'
100.00   0.48!    0.60!   0.95    0.68!   0.95    0.97    0.80   main
 59.70   0.50!    0.50!   1.00    0.50!   1.00    1.00    1.00   serial
 32.84   0.55!    0.91    0.91    1.00    1.00    1.00    0.60!  cilk_for waste.c:34
  7.46      -     0.00!   1.00    1.00    0.00!   0.60!      -   work
  2.99      -     0.00!   1.00    1.00    1.00    0.00!      -   pthread_mutex_lock_slow
END
sed 's/  *$//' wanted >w && mv w wanted
sed 's/  *$//' got >g && mv g got
same 'by functions' wanted got
"$report" -b --efficiency=regions both | sed '1,/global/d' | sed 's/  *$//' >got
sed -n '/cilk_for/p' wanted >w
same 'by regions' w got
"$report" --csv=efficiency both | tr -d '\r' | sed -n '1,3p;/^region/s/"[^"]*waste.c"/FILE/p' >got
cat >wanted <<'END'
scope,name,file,line,workers,runs,elapsed_ns,global,parallel,load_balance,serial_parts,scheduling,waiting,available,computation,instructions,instructions_per_cycle,frequency
program,,,,1,1,640000000,1.000000,1.000000,1.000000,1.000000,1.000000,1.000000,1.000000,1.000000,,,
program,,,,2,1,700000000,0.457143,0.571429,0.952381,0.677419,0.953846,0.970149,0.957143,0.800000,,,
region,"cilk_for waste.c:34",FILE,34,2,,,0.545455,0.909091,0.909091,1.000000,1.000000,1.000000,1.000000,0.600000,,,
END
same 'as CSV' wanted got
"$report" --format=json both >got.json
holds 'as JSON' jq -e '.waste.efficiency | (.program | length == 2 and .[1].workers == 2 and .[1].serial_parts == 0.677419) and
  .worst.factor == "serial_parts" and .worst.name == "serial" and .worst.part == 1 and (.functions | length) == 5' got.json
"$report" --format=json 4.out | jq -c '.waste.efficiency.program[0] | [.computation, .global]' >got
echo '[null,null]' >wanted
same 'null is not known' wanted got
"$report" --html=page.html both
holds 'on the page' grep -qF '["Serial parts",2,[1.000000,0.677419]]' page.html

# The factors below another one multiply to it, whatever is lost.
"$report" --csv=efficiency trial | tr -d '\r' | awk -F, '$1 == "program" {
    product = $10 * $11 * $12 * $13 * $14; wrong += product - $9 > 1e-5 || $9 - product > 1e-5 || ($9 * $15 - $8) ^ 2 > 1e-10 }
  END { print wrong + 0, NR }' >got
holds 'factors multiply' sh -c 'read wrong rows <got && [ "$wrong" = 0 ] && [ "$rows" -gt 4 ]'

# What the processor counted divides computation scaling: with two workers 5/4 as many instructions, which take as many
# cycles each, and a clock that is as fast.
sed -e 's/at_serial$/&\ncounters 800e6 400e6 - -/' -e 's/at_body$/&\ncounters 480e6 240e6 7 -/' 1.txt >1c.txt
sed -e 's/at_serial$/&\ncounters 800e6 400e6 - -/' -e 's/at_body$/&\ncounters 800e6 400e6 7 -/' 2.txt >2c.txt
for workers in 1 2; do
  $make_samples ${workers}c.txt waste >${workers}c.out || give_up "counters of $workers"
done
"$report" -b --efficiency 1c.out 2c.out | sed -n '/Computation/,/Frequency/p' >got
cat >wanted <<'END'
    Computation scaling        1.00     0.80
      Instructions             1.00     0.80
      Instructions per cycle   1.00     1.00
      Frequency                1.00     1.00
END
same 'by counters' wanted got
"$report" -b --efficiency=functions 1c.out 2c.out | sed 's/  *$//' | sed -n '/cilk_for waste.c:34$/p' >got
echo ' 32.84   0.55!    0.91    0.91    1.00    1.00    1.00    0.60!   0.60!   1.00    1.00   cilk_for waste.c:34' >wanted
same 'functions by counters' wanted got
"$report" --efficiency 1c.out 2c.out >got
holds 'they are explained' grep -q '^ Instructions per cycle  *its instructions take more cycles' got
"$report" --efficiency 1.out 2.out >got
holds 'and it is said that there are none' sh -c "tr -s ' \n' '  ' <got | grep -q 'this system provides none'"

"$report" -b trial | grep -c '^Efficiency of the parallel runs' >got
"$report" -b 2.out | grep -c '^Efficiency of the parallel runs' >>got
printf '1\n0\n' >wanted
same 'shown unasked for a trial only' wanted got
{ cat 1.txt && echo 'command ./waste 7'; } >other.txt
$make_samples other.txt waste >other.out
"$report" -b --efficiency other.out 2.out 2>errors | grep '^    Computation' >got
echo '    Computation scaling           -        -' >wanted
same 'a run with another input is no reference' wanted got
refuses 'other runs are not added up still' 'ran with 4 workers on 4 processors.*cannot be added' --waste 2.out 4.out
refuses 'other words' 'tiny: unknown; --efficiency takes functions or regions' --efficiency=tiny both
build tree
refuses 'without samples' 'it has no samples of a parallel run' --efficiency tree.out

# A file of several profiles.
"$report" --waste both >waste.both
"$report" --waste 1.out 2.out >waste.two
same 'other sections: the run with the most workers, and the one with one' waste.two waste.both
head -c $(($(wc -c <both) - 40)) both >cut
refuses 'one that is cut short' 'truncated' --waste cut
{ cat 1.out && head -c 100 2.out && echo rubbish; } >damaged
refuses 'one that is damaged' '(at byte' --waste damaged
finish
