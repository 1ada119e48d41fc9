#!/bin/sh
# Roots: the report of a part of the program that was measured as a program of its own, and which parts are worth one.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/report/lib.sh"

# main reads 1000 beside solve, which spawns two halves of 300 and then takes 200 by itself; the span is all reading.
build driver
sed '/^root/,$d' driver.txt >plain.txt
sed '/^root solve/,/^root half/{/^root half/!d;}' driver.txt >other.txt
build plain
$make_profile profile other.txt driver >other.out

# What is next.
"$report" -b --verdict --processors=8 plain plain.out >got
grep -A2 '^  Next' got >part
cat >wanted <<'END'
  Next bottleneck: 'solve' has 44.5% of the work, is off the critical path today, and has a
    parallelism of only 1.59: it comes next once 'read_input' is fixed.  To look into it: cilkprof
    --root=solve ./plain 'it'\''s'
END
same 'what is large, nearly serial and off the span is named, with the command' wanted part
equal_lines() { [ "$(grep -c "$2" "$1")" = "$3" ]; }
holds 'what is below it is not named as well' equal_lines got '^  Next' 1
sed 's/^on_work 2 600 600 600.*/on_work 600 600 600 600  600 600 600 600  600 600 600 600/; s/^totals.*/totals 15010000 601 2/' \
  plain.txt >many.txt
sed -i 's/^on_work 1 810 510 15510  1 810 510 15510/on_work 900 810 510 15510  900 810 510 15510/; s/1 10 10 15010$/900 10 10 15010/' many.txt
build many
"$report" -b --verdict --processors=8 many many.out >got
holds 'nothing is that is short each time' equal_lines got '^  Next' 0

# One root or another, or none.
prints 'the first root: head, verdict and summary are its own' -b --verdict --summary --processors=2 driver driver.out <<'END'
Profile of solve: 1 invocation, profiled as a program of its own, with 44.51% of the work of the
  run.

Verdict for 2 processors

  Short run: the work, 810 instructions, is only 1 times the cost of moving a task to another
    processor.  Measure a longer run before changing anything.
  Too little parallelism: 1.59 for 2 processors: they are idle at least 21% of the time (aim for
    20).
  Speedup: between 0.03 and 1.59 on 2 processors.  It may run slower than on one processor.
  Grain too fine: scheduling costs reduce the parallelism to 0.05.  100% of that cost is in 'solve',
    which spawns at driver.c:20: spawn larger pieces, so that small problems are called instead of
    spawned.
  Serial bottleneck: 'half' takes 58.8% of the span when 'solve' spawns it at driver.c:20, with a
    parallelism of 1.00.
  Serial bottleneck: 'norm' takes 39.2% of the span when 'solve' calls it at driver.c:22, with a
    parallelism of 1.00.
  Short strands: 135 instructions on average; below 500, spawning is a noticeable overhead even on
    one processor.  Most often 'half' is spawned, at driver.c:20 (2 times).

Parallelism profile

  Command:                ./plain it's
  Measured:               count: instructions, counted by the compiler
  Work:                   810 instructions
  Span:                   510 instructions
  Burdened span:          15,510 instructions
  Parallelism:            1.59
  Burdened parallelism:   0.05
  Spawns:                 2
  Syncs:                  1
  Average maximal strand: 135 instructions

Speedup estimate

    2 processors:         0.03 -   1.59
    4 processors:         0.03 -   1.59
    8 processors:         0.03 -   1.59
   16 processors:         0.03 -   1.59
   32 processors:         0.03 -   1.59
   64 processors:         0.03 -   1.59
  128 processors:         0.03 -   1.59
END
prints 'what is outside has a row: the total is the run' -b -p driver driver.out <<'END'
Profile of solve: 1 invocation, profiled as a program of its own, with 44.51% of the work of the
  run.

Flat profile:

Each instruction counts as 1 instr.
  %   cumulative   self              self     total  on span     %                     
 time     instr    instr     calls   i/call   i/call            span parallel  name    
 55.49   1010.00  1010.00        1  1010.00  1010.00        0   0.00        -  <outside>
 32.97   1610.00   600.00        2   300.00   300.00      300  58.82     1.00  half
 10.99   1810.00   200.00        1   200.00   200.00      200  39.22     1.00  norm
  0.55   1820.00    10.00        1    10.00   810.00       10   1.96     1.59  solve
END
prints 'the critical path is the part'\''s' -b --critical-path driver driver.out <<'END'
Profile of solve: 1 invocation, profiled as a program of its own, with 44.51% of the work of the
  run.

Critical path

% span      own     span     calls parallel  callee (place of the call)
  1.96       10      510         1     1.59  spawn solve (driver.c:40)
 58.82      300      300         1     1.00    spawn half (driver.c:20)
 39.22      200      200         1     1.00    norm (driver.c:22)
END
"$report" -b --summary --root=half driver driver.out >got
cat >wanted <<'END'
Profile of half: 2 invocations, each profiled as a program of its own, with 32.97% of the work of
  the run.
END
head -n 2 got >part
same '--root chooses another' wanted part
"$report" -b --root= driver driver.out >got
"$report" -b plain plain.out >wanted
same 'an empty name is the whole program' wanted got
refuses 'a root that the profile does not have' 'driver.out: it has no root norm, only: solve, half$' --root=norm driver driver.out
refuses 'a profile without roots' "plain.out: it has no root solve; use cilkprof run --root='solve'$" --root=solve plain plain.out
"$report" -i driver driver.out >got
grep root got >part
printf '\t2 root records\n\troot:                   solve, 1 invocation\n\troot:                   half, 2 invocations\n' >wanted
same 'what the profile contains' wanted part

# Exports.
"$report" --format=json driver driver.out >got
holds 'JSON has the root' grep -q '^"root":{"name":"solve","invocations":1,"outside_work":1010,"seconds":null},*$' got
"$report" --format=json plain plain.out >got
holds 'JSON without a root' grep -q '^"root":null,*$' got
"$report" --csv driver driver.out >got
holds 'CSV has the row' grep -q '<outside>' got
"$report" --html=page.html driver driver.out
holds 'the page has it' grep -q '"root":"solve","invocations":1' page.html
"$report" --format=callgrind driver driver.out >got
holds 'callgrind: the total is the run' grep -q '^summary: 1820 510$' got
holds 'callgrind: calls of the root are there' grep -q '^calls=2 ' got
"$report" --whatif=auto driver driver.out >got 2>&1
holds 'the commands for what-if have the root' grep -q -e '--root=solve --whatif=' got

# What a root has not is said alone, before anything is printed.
for section in --emulate --synthesize; do
  refuses "$section: of the whole program" '--emulate: the tree of tasks covers the whole program, but the report is about root solve; use --root=$' \
    $section driver driver.out
  holds "$section: nothing is printed before that" test ! -s got
done

# Running times are of the whole program.
refuses 'trials beside a root' 'times.csv: running times cover the whole program' --trials=times.csv driver driver.out

# Comparison.
"$report" -b --diff driver.out driver.out >got 2>errors
holds 'a difference of equal roots' grep -q '^  Span: *510 *510 ' got
holds 'its head names the root' grep -q '^Difference from driver.out to driver.out, of solve$' got
refuses 'a difference of other roots' 'other.out: it is about root half, the previous profile about root solve; choose the same with --root$' \
  --diff driver.out other.out
refuses 'one of a root and the whole' 'plain.out: it is about the whole program, the previous profile about root solve' \
  --diff driver.out plain.out
"$report" -b --root=half --diff driver.out other.out >got 2>errors
holds 'a difference of the roots that are chosen' grep -q '^  Span: *600 *600 ' got
"$report" -b --gate='span <= 510' driver driver.out >got 2>errors
holds 'a gate is about the root' test $? = 0
"$report" -b --gate='span <= 509' driver driver.out >got 2>errors
status=$?
holds 'and fails by it' test $status = 3
refuses 'a reference of another root' 'other.out: it is about root half' --gate='span <= reference' --reference=other.out driver driver.out

# Sums.
"$report" -s -o both.sum driver driver.out driver.out
"$report" -b --summary --root=half driver both.sum >got
holds 'a sum has the roots' grep -q '^Profile of half: 4 invocations' got
"$report" -b -p driver both.sum >got
holds 'and their sites' grep -q ' 1200.00 *4 .* half$' got
"$report" -s -o one.sum driver driver.out other.out 2>errors
holds 'a root that not all have is left out' grep -q 'other.out: it has no root solve, so the sum has none' errors
"$report" -b --summary driver one.sum >got
holds 'the others are not' grep -q '^Profile of half: 4 invocations' got
refuses 'profiles of which one lacks the root' 'plain.out: it has no root solve' driver driver.out plain.out
finish
