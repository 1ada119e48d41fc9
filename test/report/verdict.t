#!/bin/sh
# The verdict: every rule, with its number and its place.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/report/lib.sh"

build quicksort

prints 'the serial bottleneck of quicksort' --verdict --processors=8 quicksort quicksort.out <<'END'
Verdict for 8 processors

  Too little parallelism: 5.54 for 8 processors: they are idle at least 31% of the time (aim for
    80).
  Speedup: between 2.31 and 5.54 on 8 processors.
  Serial bottleneck: 'partition' takes 99.3% of the span when 'pqsort' calls it at qsort.c:20, with
    a parallelism of 1.00.  Parallelise 'partition'.
  Not the problem: 'pqsort' is on the critical path 35 times (from qsort.c:22, parallelism 5.84),
    but its callees take the time there, not 'pqsort' itself.
END

# says NAME PATTERN PROFILE PROCESSORS, says_not: the verdict, its lines joined, has the pattern or has it not.
verdict() {
  "$report" --verdict --processors="$2" "$1" "$1.out" | tr '\n' ' ' | tr -s ' ' >got
  echo >>got
}
says() {
  verdict "$3" "$4"
  if grep -q -e "$2" got; then pass "$1"; else fail "$1" got; fi
}
says_not() {
  verdict "$3" "$4"
  if grep -q -e "$2" got; then fail "$1" got; else pass "$1"; fi
}

says 'less parallelism than processors' 'Too little parallelism: 5.54 for 6' quicksort 6
says 'as much as processors' 'Parallelism: 5.54 is only 1.1 times the 5 processors, which will not all be busy (5 times is enough; aim for 50)' quicksort 5
says 'one processor' 'One processor: the parallelism is 5.54' quicksort 1

# program NAME WORK SPAN BURDENED SPAWNS [BURDEN]: main does nothing, a loop does all.
program() {
  cat >"$1.txt" <<END
burden ${6-15000}
totals $4 $5 1
site outside 0 loop.c 5 5 - main loop.c
on_work 1 $2 $3 $4  1 $2 $3 $4  1 0 0 0
on_span 1 $2 $3 $4  1 $2 $3 $4  1 0 0 0
site loop 0 loop.c 7 3 main - loop.c
on_work 1 $2 $3 $4  1 $2 $3 $4  1 $2 $3 $4
on_span 1 $2 $3 $4  1 $2 $3 $4  1 $2 $3 $4
END
  build "$1"
}
program at_ten 8000 100 120 1 20
says 'ten times the processors are ample' 'Ample parallelism: 80.00, 10.0 times the 8' at_ten 8
says 'and no limit' 'cilk_for at loop.c:7 take 100.0% of the span; .* 80.00. On its own that would be enough' at_ten 8
says 'one more processor is without reserve' 'with little slack' at_ten 9
says 'five times is enough' 'enough for 16' at_ten 16
says 'less is not' 'is only 4.7 times the 17 processors' at_ten 17
says 'then the loop is none yet' 'On its own that would be enough' at_ten 16
says 'below five times it is one' 'Split its longest iterations' at_ten 17
says 'bounds that are good leave memory bandwidth' 'cilkprof scale --copies .* runs 6 copies .* memory bandwidth' at_ten 6
says_not 'bounds that are not do not' 'memory bandwidth' at_ten 7
says_not 'a burden of less than half is no problem' 'Grain' at_ten 8

program nearly 12000 8000 8100 1
program fine 12000 100 13800 1
says 'fine grain, in a loop' 'Grain too fine: scheduling costs reduce the parallelism to 0.87. .* cilk_for at loop.c:7: move the cilk_for outward' fine 8
says 'it may be slower' 'between 0.48 and 8.00 on 8 processors. It may run slower' fine 8
says_not 'a program without parallelism is not slower by it' 'may run slower' nearly 8
says_not 'strands of 500 are no problem' 'Short strands' fine 8
program large 12000000 100 13800 1
says_not 'a burden is none while parallelism stays ample' 'Grain' large 8
program short 1999 10 10 1
says 'strands below 500' 'Short strands: 499 instructions on average; below 500, spawning .* Use larger grains in the cilk_for at loop.c:7' short 2
program serial 1000 1000 1000 0 5
says 'a loop in one grain' 'No parallelism: it is 1.00.* It runs as a single grain' serial 4

# Two loops that carry the same burden, 10 calls each.  That of 29 instructions in an iteration is best made serial: it
# gains 150,120 - 28,000 a call.  That of 16,000 is cut into 1,000 pieces where 739 are best, and gains 1,400.
cat >two.txt <<'END'
mode count
burden 15000
totals 3162200 20000 20
site outside 0 two.c 5 5 - main two.c
on_work 1 160291000 162200 3162200  1 160291000 162200 3162200  1 1000 1000 1000
on_span 1 160291000 162200 3162200  1 160291000 162200 3162200  1 1000 1000 1000
site loop 0 two.c 56 3 main - two.c
on_work 10 160000000 160000 1660000  10 160000000 160000 1660000  10 160000000 160000 1660000
on_span 10 160000000 160000 1660000  10 160000000 160000 1660000  10 160000000 160000 1660000
site loop 0 two.c 25 3 main - two.c
on_work 10 290000 1200 1501200  10 290000 1200 1501200  10 290000 1200 1501200
on_span 10 290000 1200 1501200  10 290000 1200 1501200  10 290000 1200 1501200
END
build two
says 'the loop to coarsen is the one that gains' 'Grain too fine: .* 50% of that cost is in the cilk_for at two.c:25' two 16
says 'the burden of the other is said' 'cilk_for at two.c:56 .* loop.s parallelism is 1000.0. With scheduling costs it is 96.39' two 32
says_not 'a fine grain is not to be lowered' 'lower its grainsize' two 128
sed 's/3162200/1300000/g' two.txt >other_path.txt
build other_path
says 'with burden the longest path may be another one: half of the cost is half' ' 50% of that cost is in the cilk_for at two.c:25' other_path 32

# One of 1,000 iterations is 9 times as long as the others, because of what it calls.
cat >uneven.txt <<'END'
mode count
totals 690000 1000 1
site outside 0 uneven.c 5 5 - main uneven.c
on_work 1 60480000 540000 690000  1 60480000 540000 690000  1 0 0 0
on_span 1 60480000 540000 690000  1 60480000 540000 690000  1 0 0 0
site loop 0 uneven.c 6 3 main - uneven.c
on_work 1 60480000 540000 690000  1 60480000 540000 690000  1 60000000 60000 210000
on_span 1 60480000 540000 690000  1 60480000 540000 690000  1 60000000 60000 210000
site call 0 uneven.c 10 20 main slow uneven.c
on_work 1 480000 480000 480000  1 480000 480000 480000  1 480000 480000 480000
on_span 1 480000 480000 480000  1 480000 480000 480000  1 480000 480000 480000
END
build uneven
says 'what the loop calls is part of its parallelism' 'uneven.c:6 take 11.1% .* loop.s parallelism is 112.0. Split its longest' uneven 32

sed 's/^command/burden 15000 5000\ncommand/' quicksort.txt >timed.txt
build timed
verdict timed 2
holds 'timed strands above 500 are no problem' sh -c '! grep -q Short got'
sed 's/^command/burden 15000 10000\ncommand/' quicksort.txt >timed.txt
build timed
says 'timed strands below 500' 'Short strands: 320 instructions .* .pqsort. is spawned, at qsort.c:21 (1,500,000 times)' timed 2
says 'with what to do' 'Stop the parallel recursion earlier' timed 2

# Without the call from even to odd, these are in no cycle, but still call each other.
cat >mutual.txt <<'END'
totals 100000 0 0
site outside 0 mutual.c 9 5 - main mutual.c
on_work 1 100000 100000 100000  1 100000 100000 100000  1 1000 1000 1000
on_span 1 100000 100000 100000  1 100000 100000 100000  1 1000 1000 1000
site call 0 mutual.c 9 9 main even mutual.c
on_work 1 99000 99000 99000  1 99000 99000 99000  1 3000 3000 3000
on_span 1 99000 99000 99000  1 99000 99000 99000  1 3000 3000 3000
site call 0 mutual.c 5 9 even odd mutual.c
on_work 1 96000 96000 96000  1 96000 96000 96000  4 90000 90000 90000
on_span 1 96000 96000 96000  1 96000 96000 96000  4 90000 90000 90000
site call 0 mutual.c 6 9 odd even mutual.c
on_work 1 95000 95000 95000  1 95000 95000 95000  4 6000 6000 6000
on_span 1 95000 95000 95000  1 95000 95000 95000  4 6000 6000 6000
END
build mutual
holds 'a cycle of which a call is left out: the verdict ends' timeout 60 "$report" -b --verdict -k even/odd mutual mutual.out
"$report" -b --verdict mutual mutual.out >whole
for arc in even/odd odd/even main/even; do
  "$report" -b --verdict -k $arc mutual mutual.out >got
  same "and is the same without $arc" whole got
done

cat >fib.txt <<'END'
totals 150000 10945 10945
site outside 0 fib.c 24 5 - main fib.c
on_work 1 164000 261 150000  1 164000 261 150000  1 102 102 102
on_span 1 164000 261 150000  1 164000 261 150000  1 102 102 102
site call 0 fib.c 30 16 main fib fib.c
on_work 1 163898 159 149898  1 163898 159 149898  1 12 8 15012
on_span 1 163898 159 149898  1 163898 159 149898  1 12 8 15012
site spawn 0 fib.c 18 18 fib fib fib.c
on_work 20 163000 151 134000  1 100000 140 134000  10945 163886 163886 163886
on_span 1 100000 140 134000  1 100000 140 134000  18 216 151 135180
END
build fib
says 'fine grain, in a recursion' 'in .fib., which spawns at fib.c:18: spawn larger pieces' fib 2
says 'the code of a function itself, of all its calls' 'Serial part: the code of .fib. itself, .* takes 60.9% of the span when it is called at fib.c:18 and fib.c:30' fib 2
{ echo 'burden 800'; cat fib.txt; } >many.txt
build many
says 'functions that were inlined are part of it' 'with inlined and library functions, takes .* Parallelise that code' many 1000
sed 's/fib.c 30 16/fib.c 18 30/' fib.txt >line.txt
build line
says 'a line is one place' '60.9% of the span when .fib. spawns it at fib.c:18' line 2
says_not 'which is said once' '-fno-inline.*-fno-inline' fib 1000
says 'of main too' 'Serial part: the code of .main. itself, .* takes 39.1% of the span (fib.c:24)' fib 128

# Ten calls of a serial function.  Of the span of 1,000 it has 100 itself, and 700 are below it: 650 in child, of these
# 350 in a function without instrumentation.
cat >nested.txt <<'END'
mode count
totals 1000 100 1
site outside 0 nested.c 80 5 - main nested.c
on_work 1 10800 1000 1000  1 10800 1000 1000  1 50 50 50
on_span 1 10800 1000 1000  1 10800 1000 1000  1 50 50 50
site call 0 nested.c 88 5 main insert nested.c
on_work 10 800 800 800  10 800 800 800  10 100 100 100
on_span 10 800 800 800  10 800 800 800  10 100 100 100
site call 0 nested.c 50 9 insert child nested.c
on_work 20 650 650 650  20 650 650 650  20 300 300 300
on_span 20 650 650 650  20 650 650 650  20 300 300 300
site call 8 /usr/include/new.h 32 9 child allocate nested.c
on_work 20 350 350 350  20 350 350 350  20 350 350 350
on_span 20 350 350 350  20 350 350 350  20 350 350 350
site call 0 nested.c 51 9 insert quad nested.c
on_work 10 50 50 50  10 50 50 50  10 50 50 50
on_span 10 50 50 50  10 50 50 50  10 50 50 50
site loop 0 nested.c 90 3 main - nested.c
on_work 1 9950 150 150  1 9950 150 150  1 9950 150 150
on_span 1 9950 150 150  1 9950 150 150  1 9950 150 150
END
build nested
says 'serial calls hold all below them' 'bottleneck: .insert., with its callees, takes 80.0% of the span when .main. calls it at nested.c:88, with a parallelism of 1.00. ' nested 16
says 'most of that is named' 'Of that, .child., called at nested.c:50, takes 65.0% of the span' nested 16
says_not 'what is inside is no finding of its own' '\(Parallelise\|bottleneck:\) .\(child\|allocate\)' nested 16
# The calls have 80 instructions.  Their best number of pieces, 80 * ln 2 / burden, gives 10 * log2(5.5) + 80 / 5.5 = 39,
# and 11 * log2(5.0) + 80 / 5.0 = 41.
sed 's/^mode count/&\nburden 10/' nested.txt >long.txt
build long
says 'calls that can be twice as fast are to be parallelised' 'bottleneck: .insert..* 1.00.*Parallelise .insert.' long 16
sed 's/^mode count/&\nburden 11/' nested.txt >brief.txt
build brief
says 'others are not' 'bottleneck: .insert..* 1.00.*Its calls are too short to split: run several in parallel' brief 16
sed 's/^totals 1000/totals 3000/' brief.txt >finer.txt
build finer
says 'nor several at once where the grain is too fine' 'Grain too fine.*bottleneck: .insert..* too short to split\. ' finer 16

sed 's/^\(on_[a-z]*\) 10 800 800 800  10 800 800 800  10 /\1 1 800 800 800  1 800 800 800  1 /; s/^burden 11/burden 110/; s/ 9950 / 29950 /g; s/ 10800 / 30800 /g' brief.txt >single.txt
build single
says 'nor where there is one call' 'bottleneck: .insert..* 1.00.*The call is too short to split\. ' single 16

# The same with all but allocate and lock inlined into main, 100 + 350 + 260 of 860; the loop has the rest.
cat >inlined.txt <<'END'
mode count
totals 860 100 1
site outside 0 inlined.c 80 5 - main inlined.c
on_work 1 10660 860 860  1 10660 860 860  1 100 100 100
on_span 1 10660 860 860  1 10660 860 860  1 100 100 100
site call 8 /usr/include/new.h 32 9 main allocate inlined.c
on_work 20 350 350 350  20 350 350 350  20 350 350 350
on_span 20 350 350 350  20 350 350 350  20 350 350 350
site call 8 /usr/include/lock.h 40 9 main lock inlined.c
on_work 20 260 260 260  20 260 260 260  20 260 260 260
on_span 20 260 260 260  20 260 260 260  20 260 260 260
site loop 0 inlined.c 90 3 main - inlined.c
on_work 1 9950 150 150  1 9950 150 150  1 9950 150 150
on_span 1 9950 150 150  1 9950 150 150  1 9950 150 150
END
build inlined
says 'library functions are part of their caller' 'Serial part: the code of .main. itself, .* takes 82.6% of the span (inlined.c:80). Of that, .allocate., called in code from new.h:32, takes 40.7%' inlined 16
says_not 'and are not to be parallelised' 'bottleneck' inlined 16
sed 's/^site loop/site outside 0 other.c 3 5 - allocate other.c\n&/' inlined.txt >other.txt
build other
says 'functions of other units are not of a library' 'bottleneck: .allocate. takes 40.7% .* in code from new.h:32' other 16
sed 's/ allocate / _ZSt8allocatev /; s/^site call 8/site call 0/' inlined.txt >standard.txt
build standard
says 'functions of namespace std are' 'code of .main. itself, .* Of that, .std::allocate., called in code' standard 16

# A library function that calls the program back: what it calls is part of it.
sed 's/ 350 350 350  20 350 350 350  20 350 350 350/ 350 350 350  20 350 350 350  20 0 0 0/' inlined.txt >back.txt
cat >>back.txt <<'END'
site outside 0 back.c 3 5 - order back.c
on_work 99 350 350 350  99 350 350 350  99 350 350 350
on_span 99 350 350 350  99 350 350 350  99 350 350 350
END
build back
says 'what a library calls is part of it' 'code of .main. itself, .* takes 82.6% .* Of that, .allocate., .* takes 40.7%' back 16
says_not 'and no finding of its own' 'order' back 16

# Library calls within what a library called: 600 of 1,000 are in sort, which calls order, which calls find, which calls
# equal.  Another function, also, is called by nothing known.
cat >inside.txt <<'END'
mode count
totals 1000 0 0
site outside 0 inside.c 1 5 - main inside.c
on_work 1 700 700 700  1 700 700 700  1 100 100 100
on_span 1 700 700 700  1 700 700 700  1 100 100 100
site call 8 inside.c 2 5 main sort inside.c
on_work 1 600 600 600  1 600 600 600  1 10 10 10
on_span 1 600 600 600  1 600 600 600  1 10 10 10
site outside 0 inside.c 4 5 - order inside.c
on_work 9 590 590 590  9 590 590 590  9 20 20 20
on_span 9 590 590 590  9 590 590 590  9 20 20 20
site call 8 inside.c 5 5 order find inside.c
on_work 9 570 570 570  9 570 570 570  9 10 10 10
on_span 9 570 570 570  9 570 570 570  9 10 10 10
site outside 0 inside.c 7 5 - equal inside.c
on_work 99 560 560 560  99 560 560 560  99 560 560 560
on_span 99 560 560 560  99 560 560 560  99 560 560 560
site outside 0 inside.c 9 5 - also inside.c
on_work 1 300 300 300  1 300 300 300  1 300 300 300
on_span 1 300 300 300  1 300 300 300  1 300 300 300
END
sed 's/ main / begin /' inside.txt >started.txt
for name in inside started; do
  build $name
  says "$name: what calls the library holds it" '.\(main\|begin\).[, ].* 70.0% of the span (inside.c:1).* Of that, .sort., called at inside.c:2, takes 60.0%' $name 16
  says_not "$name: what is called back does not" 'bottleneck: .\(order\|equal\)' $name 16
  says "$name: what is not, does" 'bottleneck: .also. takes 30.0% of the span' $name 16
done

# A function that is serial at two places, 600 and 200 of 1,000.
cat >places.txt <<'END'
mode count
totals 1000 100 1
site outside 0 places.c 1 5 - main places.c
on_work 1 10800 1000 1000  1 10800 1000 1000  1 0 0 0
on_span 1 10800 1000 1000  1 10800 1000 1000  1 0 0 0
site call 0 places.c 10 9 main prepare places.c
on_work 1 200 200 200  1 200 200 200  1 200 200 200
on_span 1 200 200 200  1 200 200 200  1 200 200 200
site call 0 places.c 20 9 main prepare places.c
on_work 3 600 600 600  3 600 600 600  3 600 600 600
on_span 3 600 600 600  3 600 600 600  3 600 600 600
site loop 0 places.c 30 3 main - places.c
on_work 1 10000 200 200  1 10000 200 200  1 10000 200 200
on_span 1 10000 200 200  1 10000 200 200  1 10000 200 200
END
build places
says 'a function is one finding' '.prepare. takes 80.0% of the span when it is called at places.c:20 and places.c:10,' places 16
sed '/^site loop/,$d; s/ 10800 / 1000 /g; s/ 1000 1000  1 0 0 0/ 1000 1000  1 200 200 200/' places.txt >whole.txt
build whole
says 'a serial program is named by what is largest in it' 'bottleneck: .prepare. takes 80.0% of the span when it is called at places.c:20 and places.c:10,' whole 16
sed 's/^mode count/&\nburden 15000/' whole.txt >tiny.txt
build tiny
says 'a run that is short as a whole' \
  'Short run: the work, 1,000 instructions, is only 1 times the cost .* Measure a longer run .*bottleneck: .prepare. ' tiny 16
says_not 'of which nothing is to be parallelised' 'Parallelise' tiny 16

# others NAME LINE...: as many calls of prepare as there are lines.
others() {
  name=$1
  sed '/^site call/,$d' places.txt >"$name.txt"
  shift
  for line; do
    cat >>"$name.txt" <<END
site call 0 places.c $line 9 main prepare places.c
on_work 1 200 200 200  1 200 200 200  1 200 200 200
on_span 1 200 200 200  1 200 200 200  1 200 200 200
END
  done
  build "$name"
}
others four 10 20 30 40
says 'one place more' 'called at places.c:10, places.c:20, places.c:30 and 1 other place,' four 16
others five 10 20 30 40 50
says 'several more' 'places.c:30 and 2 other places,' five 16

sed 's/^mode hybrid/mode hybrid\nflags 7/' quicksort.txt |
  sed 's/^on_span .*/on_span 0 0 0 0  0 0 0 0  0 0 0 0/' >flagged.txt
build flagged
says 'an incomplete run' 'Incomplete run' flagged 2
says 'no on-span data' 'No span data' flagged 2
says 'other threads' 'Other threads' flagged 2
program nothing 0 0 0 0
says 'a run without work' 'Nothing was measured' nothing 2

"$report" --summary --processors=6 quicksort quicksort.out >got
holds 'the estimate has the processors' grep -q '^    6 processors:         2.11 -   5.54$' got
holds 'in their place' test "$(grep -c 'processors:' got)" = 8
for number in 0 -1 x 2x ''; do
  refuses "--processors=$number" 'processors: .*: not a number from 1 to' --processors="$number" quicksort quicksort.out
done

# Equal shares of a static schedule, and serial code before the loop: nothing runs beside it, so the loop's own parallelism
# does not help.  The schedule is not to blame.
cat >amdahl.txt <<END
burden 0
totals 107812 128 1
site outside 0 amdahl.c 5 5 - main amdahl.c
on_work 1 1100000 107812 107812  1 1100000 107812 107812  1 100000 100000 100000
on_span 1 1100000 107812 107812  1 1100000 107812 107812  1 100000 100000 100000
site loop 0 amdahl.c 7 3 main - amdahl.c
on_work 1 1000000 7812 7812  1 1000000 7812 7812  1 1000000 7812 7812
on_span 1 1000000 7812 7812  1 1000000 7812 7812  1 1000000 7812 7812
loop 1 1 128 0 1000000  500000 250000 125000 62500 31250 15625 7812  492188 242188 117188 54688 23438 7813 0
END
build amdahl
says 'serial code is to blame where a schedule is even' 'Unusable parallelism: 10.20 .* limited by serial code between' amdahl 8

# A static schedule whose longest share is known for 2 and 4 threads, and not for 3.
program static 1000000 7813 7813 128 0
echo 'loop 1 1 128 0 1000000  700000 400000 200000 100000 50000 25000 12500  692187 392187 192187 92187 42187 17187 4687' >>static.txt
build static
says 'a static schedule is exact on a power of two' 'Speedup: between 2.50 and 2.50 on 4 processors' static 4
says 'and to blame for what it keeps from the processors' 'limited by the static schedule of the .* at loop.c:7' static 4
says_not 'and the verdict says nothing else' 'interpolated' static 4
says 'on other numbers it is interpolated, which the verdict says' 'between about 2.00 and 2.00 on 3 .* interpolated' static 3
says_not 'but not where schedules do not matter' 'interpolated' at_ten 3

finish
