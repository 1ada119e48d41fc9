#!/bin/sh
# A speedup below its bounds, and samples of the run: which of overhead, work inflation, idleness and waiting took the
# difference, and where.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/report/lib.sh"
make_samples=$BUILD_DIR/test/report/make-samples

build causes
cat >trials <<'END'
# Trials of cilkprof-run: ./waste
1 1.110 1.110 0.01
2 1.600 1.700 0.01
END

# names NAME PATTERN PATH...: what is said of a sampled run of two workers with these paths.
names() {
  what=$1 pattern=$2
  shift 2
  printf 'sampling cilk 2 2 1000 %s 1500\n' "${elapsed:-1000}" >waste.txt
  printf '%s\n' "$@" >>waste.txt
  sampled waste
  "$report" -b --trials=trials --processors=2 causes.out waste.out one.out 2>&1 | tr '\n' ' ' | tr -s ' ' >got
  echo >>got
  if grep -q -e "$pattern" got; then pass "$what"; else fail "$what" got; fi
}
printf 'sampling cilk 2 1 1000 1000 1500\npath 400 0 0 at_main_serial at_serial\npath 300 0 0 at_main_work at_work\npath 100 0 0 at_main_loop at_loop at_body\n' >one.txt
printf 'sampling cilk 2 2 1000 1000 1500\npath 400 400 0 at_main_serial at_serial\n' >waste.txt
sampled waste
$make_samples one.txt waste >one.out

names 'idleness, and the code that runs alone' 'difference: .*idleness 2[0-9]%.*Mostly idleness in serial' \
  'path 400 400 0 at_main_serial at_serial' 'path 300 0 0 at_main_work at_work'
names 'work inflation, and the loop that takes longer' 'difference: .*Mostly work inflation in cilk_for waste.c:34. waste.c:35 takes 6.00 times as long on 2 workers as on one (+-1.30)' \
  'path 400 40 0 at_main_serial at_serial' 'path 300 0 0 at_main_work at_work' 'path 600 0 0 at_main_loop at_loop at_body'
names 'waiting for a lock, and who waits' 'difference: .*Mostly waiting in work.*Hold locks for less time' \
  'path 400 100 0 at_main_serial at_serial' 'path 300 0 400 at_main_work at_work_call at_lock'
names 'overhead, and the spawn whose pieces are small' 'overhead took 25%.*Mostly overhead in .*waste.c:25' \
  'path 400 40 0 at_main_serial at_serial' 'path 300 0 0 at_main_work at_work' 'path 500 0 0 at_main_work at_work_call at_steal'
names 'none of them' 'difference: .*none of them explains it' 'path 400 10 0 at_main_serial at_serial' 'path 300 0 0 at_main_work at_work'
names 'several small ones that make it together' 'difference: overhead took 3%.*idleness 4%.*Mostly idleness in serial' \
  'path 400 80 0 at_main_serial at_serial' 'path 300 0 0 at_main_work at_work' 'path 60 0 0 at_main_work at_work_call at_steal'
elapsed=500
names 'work inflation of all functions a little, and the one with most of it' 'difference: .*work inflation 9%.*Mostly work inflation in serial' \
  'path 440 0 0 at_main_serial at_serial' 'path 335 0 0 at_main_work at_work' 'path 112 0 0 at_main_loop at_loop at_body'
names 'but not if it is within what runs vary' 'difference: .*none of them explains it' \
  'path 412 0 0 at_main_serial at_serial' 'path 310 0 0 at_main_work at_work' 'path 104 0 0 at_main_loop at_loop at_body'
elapsed=8000
names 'what is left of the time of other programs is not waiting' 'difference: .*none of them explains it' \
  'path 400 10 0 at_main_serial at_serial' 'path 300 0 0 at_main_work at_work' 'delayed 14960'
names 'but much more is, though not for locks' 'difference: .*waiting [3-9][0-9]%.*Mostly waiting\. It slept, or waited for input' \
  'path 400 10 0 at_main_serial at_serial' 'path 300 0 0 at_main_work at_work' 'delayed 14000'
unset elapsed
cp trials quiet
sed '/^[12]/s/$/ busy/' quiet >trials
names 'on a busy machine, too' 'Busy machine: .*difference: .*Mostly idleness in serial' \
  'path 400 400 0 at_main_serial at_serial' 'path 300 0 0 at_main_work at_work'
cp quiet trials
"$report" -b --trials=trials --processors=2 causes.out 2>&1 | tr '\n' ' ' | tr -s ' ' >got
holds 'without samples causes are only listed' sh -c 'grep -q "Slower than the bounds" got && ! grep -q "took the difference" got'
"$report" --format=json --trials=trials --processors=2 causes.out waste.out one.out >got
holds 'JSON has it' grep -q '"trial-loss"' got

finish
