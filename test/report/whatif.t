#!/bin/sh
# What-if: the table, what is said of the candidates, estimates, the commands to run next; sums.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/report/lib.sh"

# `a' and `b' side by side in main: a takes 600 of a span of 1000, b would be 550 in its place.
cat >ways.txt <<'END'
mode count
command ./ways 'two words' it's
totals 16000 1 1
site outside 8 ways.c 1 1 - main ways.c
on_work 1 1650 1000 16000  1 1650 1000 16000  1 200 200 15200
on_span 1 1650 1000 16000  1 1650 1000 16000  1 200 200 15200
site spawn 0 ways.c 4 5 main a ways.c
on_work 1 600 600 600  1 600 600 600  1 600 600 600
on_span 1 600 600 600  1 600 600 600  1 600 600 600
site call 0 ways.c 5 5 main b ways.c
on_work 1 550 550 550  1 550 550 550  1 550 550 550
on_span 0 0 0 0  0 0 0 0  0 0 0 0
site call 0 ways.c 7 5 main c ways.c
on_work 2 300 200 200  2 300 200 200  2 300 200 200
on_span 2 300 200 200  2 300 200 200  2 300 200 200
END
cp ways.txt asked.txt
cat >>asked.txt <<'END'
whatif a 0 1 1050 950
whatif a 4 1 4800 3800
whatif b 0 1 1100 1000
whatif b 2 1 2750 2000
whatif ways.c:7 0 2 1350 800
whatif ways.c:7 2 2 3000 1800
whatif main 0 1 0 0
whatif main 2 1 1650 1000
END
build ways
build asked

prints 'the candidates, and what is said of them' --whatif -b --processors=8 asked asked.out <<'END'
What if: the program without a candidate, or with a faster one

                                        ----------------- speedup on at most ------------------
     span  falls by      work  parallel       2       4       8      16      32      64     128      calls
   1.000k              1.650k      1.65    1.65    1.65    1.65    1.65    1.65    1.65    1.65             as it is
      950     5.00%    1.050k      1.11    1.74    1.74    1.74    1.74    1.74    1.74    1.74          1  a costs nothing
      950     5.00%    1.200k      1.26    1.74    1.74    1.74    1.74    1.74    1.74    1.74          1  a is 4 times as fast
   1.000k     0.00%    1.100k      1.10    1.65    1.65    1.65    1.65    1.65    1.65    1.65          1  b costs nothing
   1.000k     0.00%    1.375k      1.38    1.65    1.65    1.65    1.65    1.65    1.65    1.65          1  b is 2 times as fast
      800    20.00%    1.350k      1.69    2.06    2.06    2.06    2.06    2.06    2.06    2.06          2  ways.c:7 costs nothing
      900    10.00%    1.500k      1.67    1.83    1.83    1.83    1.83    1.83    1.83    1.83          2  ways.c:7 is 2 times as fast
        0   100.00%         0         -       -       -       -       -       -       -       -          1  main costs nothing
      500    50.00%       825      1.65    3.30    3.30    3.30    3.30    3.30    3.30    3.30          1  main is 2 times as fast

  a: it takes 60.0% of the span, but without it another path is nearly as long: the span falls by
    only 5.0%; on 8 processors the speedup could then be up to 1.74 instead of 1.65.
  b: it is not on the critical path (in instructions): the span stays the same without it.
  ways.c:7: worth the effort: without it the span falls by 20.0%; on 8 processors the speedup could
    then be up to 2.06 instead of 1.65.
  main: it is nearly the whole span: ask about parts of it.
END

prints 'a profile without what-ifs: estimates' --whatif -b ways ways.out <<'END'
What if: estimates

     span  falls by      work  parallel
   1.000k              1.650k      1.65  as it is
      400    60.00%    1.050k      2.62  without the calls at ways.c:4
      800    20.00%    1.350k      1.69  without the calls at ways.c:7
END
prints 'the commands to run next' --whatif=auto ways ways.out <<'END'
# Add the options with which the program is compiled.
cilkprof cc -O2 -fcilkprof=whatif ways.c -o ./ways-whatif
cilkprof run -o ./ways-whatif.out --whatif=ways.c:4,ways.c:7 ./ways-whatif ''\''two' 'words'\''' 'it'\''s'
cilkprof report --whatif ./ways-whatif ./ways-whatif.out
END
"$report" --whatif ways ways.out >got
holds 'an estimate says that it is one, and how to find out' sh -c \
  'grep -q "Upper limits: the span falls" got && grep -q " --whatif=ways.c:4,ways.c:7 ./ways-whatif" got'
# candidates: those of the commands on standard input.
candidates() {
  sed -n 's/.* --whatif=\([^ ]*\).*/\1/p'
}
# What the verdict names is worth asking for, and what holds most of it.
cat >serial.txt <<'END'
mode count
command ./serial
totals 1000 0 0
site outside 8 serial.c 1 1 - main serial.c
on_work 1 1000 1000 1000  1 1000 1000 1000  1 10 10 10
on_span 1 1000 1000 1000  1 1000 1000 1000  1 10 10 10
site call 0 serial.c 3 5 main all serial.c
on_work 1 990 990 990  1 990 990 990  1 20 20 20
on_span 1 990 990 990  1 990 990 990  1 20 20 20
site call 0 serial.c 7 5 all most serial.c
on_work 1 970 970 970  1 970 970 970  1 970 970 970
on_span 1 970 970 970  1 970 970 970  1 970 970 970
END
cp serial.txt most.txt
echo 'whatif most 0 1 30 30' >>most.txt
build serial
build most
"$report" --whatif=auto serial serial.out | candidates >got
echo serial.c:3,serial.c:7 >wanted
same 'what the verdict names is asked for, and what holds most of it' wanted got
"$report" --whatif -b --processors=8 most most.out | grep '^  most:' >got
holds 'nor is it said to be the program' grep -q 'most: worth the effort: without it the span falls by 97.0%' got

# Two calls of one line are two candidates; calls of the same function, and a loop with its body, are one.
cat >line.txt <<'END'
mode count
command ./line
totals 2000 0 0
site outside 8 line.c 1 1 - main line.c
on_work 1 2000 1900 2000  1 2000 1900 2000  1 10 10 10
on_span 1 2000 1900 2000  1 2000 1900 2000  1 10 10 10
site call 0 line.c 4 10 main one line.c
on_work 1 700 700 700  1 700 700 700  1 700 700 700
on_span 1 700 700 700  1 700 700 700  1 700 700 700
site call 0 line.c 4 20 main two line.c
on_work 1 400 400 400  1 400 400 400  1 400 400 400
on_span 1 400 400 400  1 400 400 400  1 400 400 400
site call 0 line.c 5 10 main three line.c
on_work 1 290 290 290  1 290 290 290  1 290 290 290
on_span 1 290 290 290  1 290 290 290  1 290 290 290
site call 0 line.c 5 20 main three line.c
on_work 1 200 200 200  1 200 200 200  1 200 200 200
on_span 1 200 200 200  1 200 200 200  1 200 200 200
site loop 0 line.c 6 3 main - line.c
on_work 1 400 300 300  1 400 300 300  1 100 50 50
on_span 1 400 300 300  1 400 300 300  1 100 50 50
site call 0 line.c 6 40 main four line.c
on_work 4 300 300 300  0 0 0 0  4 300 300 300
on_span 4 300 250 250  0 0 0 0  4 300 250 250
END
cp line.txt columns.txt
printf 'whatif line.c:4:10 0 1 1300 1200\nwhatif line.c:4:20 0 1 1600 1500\n' >>columns.txt
build line
build columns
"$report" --whatif=auto line line.out | candidates >got
echo line.c:4:10,line.c:5,line.c:4:20,line.c:6 >wanted
same 'two calls of one line are told apart by their columns' wanted got
"$report" --whatif -b line line.out | sed 's/^ *//; s/  */ /g' | grep 'line.c:4' >got
printf '%s\n' '1.200k 36.84% 1.300k 1.08 without the calls at line.c:4:10' \
  '1.500k 21.05% 1.600k 1.07 without the calls at line.c:4:20' >wanted
same 'and estimated by themselves' wanted got
"$report" --whatif -b --processors=8 columns columns.out | grep '^  line.c:4' >got
holds 'and judged' grep -q '^  line.c:4:20: worth the effort: without it the span falls by 21.1%' got

# A shorter span is worth little where the work is the limit: 2.00 would be 2.07.
cat >bound.txt <<'END'
mode count
command ./bound
totals 8000 0 0
site outside 8 bound.c 1 1 - main bound.c
on_work 1 29000 8000 8000  1 29000 8000 8000  1 7000 7000 7000
on_span 1 29000 8000 8000  1 29000 8000 8000  1 7000 7000 7000
site spawn 0 bound.c 4 10 main part bound.c
on_work 1 1000 1000 1000  1 1000 1000 1000  1 1000 1000 1000
on_span 1 1000 1000 1000  1 1000 1000 1000  1 1000 1000 1000
site spawn 0 bound.c 5 10 main rest bound.c
on_work 3 21000 21000 21000  3 21000 21000 21000  3 21000 21000 21000
on_span 0 0 0 0  0 0 0 0  0 0 0 0
whatif part 0 1 28000 7000
END
build bound
"$report" --whatif -b --processors=2 bound bound.out | tr '\n' ' ' | tr -s ' ' >got
holds 'a gain of 4% is not worth the work' grep -q \
  'part: not worth much here: without it the span falls by 12.5%; on 2 processors the speedup could then be up to 2.07 instead of 2.00' got
"$report" --whatif -b --processors=8 bound bound.out | tr '\n' ' ' | tr -s ' ' >got
holds 'but where the span is the limit it is' grep -q \
  'part: worth the effort: without it the span falls by 12.5%; on 8 processors the speedup could then be up to 4.14 instead of 3.62' got

# Files of one name are told apart by their folders, where both have calls in the line.
cat >folders.txt <<'END'
mode count
command bin/a%b 100
totals 1000 0 0
site outside 8 x/u.c 1 1 - main x/u.c
on_work 1 1000 1000 1000  1 1000 1000 1000  1 10 10 10
on_span 1 1000 1000 1000  1 1000 1000 1000  1 10 10 10
site call 0 x/u.c 4 5 main one x/u.c
on_work 1 300 300 300  1 300 300 300  1 300 300 300
on_span 1 300 300 300  1 300 300 300  1 300 300 300
site call 0 y/u.c 4 5 main two y/u.c
on_work 1 400 400 400  1 400 400 400  1 400 400 400
on_span 1 400 400 400  1 400 400 400  1 400 400 400
site call 0 y/u.c 5 5 main three y/u.c
on_work 1 290 290 290  1 290 290 290  1 290 290 290
on_span 1 290 290 290  1 290 290 290  1 290 290 290
END
build folders
"$report" --whatif=auto folders folders.out | candidates >got
echo y/u.c:4,x/u.c:4,u.c:5 >wanted
same 'as much of the path as tells files apart' wanted got
sed 's|y/u.c|y/u,v.c|g' folders.txt >commas.txt
build commas
"$report" --whatif=auto commas commas.out >all
candidates <all >got
echo u.c:4 >wanted
same 'without files that the list would end at' wanted got
grep '^#.*comma' all >got
printf '# u,v.c:%s is left out: --whatif cannot name a file with a comma.\n' 4 5 >wanted
same 'which is said' wanted got
sed 's|x/u.c|x/,u.c|g' commas.txt >only-commas.txt
build only-commas
"$report" --whatif=auto only-commas only-commas.out | grep -v '^#.*comma' >got
same 'no commands without a candidate' /dev/null got
"$report" --whatif -b folders folders.out | sed -n 's/.* \([0-9.]*%\).* without the calls at/\1/p' >got
printf '%s\n' '40.00% y/u.c:4' '30.00% x/u.c:4' '29.00% u.c:5' >wanted
same 'and what each of them holds' wanted got

# C and C++ in one command; a source is of the language of its name, or of its symbols: the compiler for C++ takes w.c
# for C++ only where no -x is before it.  Nothing that is there is
# overwritten: neither the program, nor another one in PATH, nor the profile.
sed 's|y/u.c|y/v.cc|g; s|x/u.c|it.c|g; s|main three|_Z3foov three|; s|y/v.cc 5|w.c 5|' folders.txt >languages.txt
sed -n '/site outside/,/on_span/{ s/it.c/other.c/g; s/on_.*/on_work 1 0 0 0  1 0 0 0  1 0 0 0/; s/main/helper/; p; }' languages.txt | sed '$s/work/span/' >>languages.txt
build languages
prints 'both languages, and files of their own' --whatif=auto languages languages.out <<'END'
# Add the options with which the program is compiled.
cilkprof c++ -O2 -fcilkprof=whatif y/v.cc w.c -x c it.c -x c other.c -x none -o ./a%b-whatif
cilkprof run -o ./a%%b-whatif.out --whatif=v.cc:4,it.c:4,w.c:5 ./a%b-whatif 100
cilkprof report --whatif ./a%b-whatif ./a%b-whatif.out
END

# The options, where the compiler recorded them for all that is profiled alike.
# recorded STRING...: the compiler of the sources says that of itself.
recorded() {
  for said in "GNU C11 12.2.0 -O3 -fPIC" "$@"; do printf '%s\0' "$said"; done >strings
  objcopy --add-section .debug_str=strings languages compiled
  $make_profile profile languages.txt compiled >compiled.out
  "$report" --whatif=auto compiled compiled.out | sed -n '2s, y/v.cc .*,,p; 1p'
}
profiled='-fplugin=/usr/lib/p.so -fplugin-arg-cilkprof_back-mode=hybrid -fasynchronous-unwind-tables'
recorded "GNU C17 12.2.0 -mabi=lp64 -g -O1 -fno-inline \$(x) $profiled" \
  "GNU C++17 12.2.0 -mabi=lp64 -g -O1 -fno-inline \$(x) $profiled" >got
cat >wanted <<'END'
# Add its -D, -I and -L options, which are not known.
cilkprof c++ -g -O1 -fno-inline '$(x)' -fcilkprof=whatif
END
same 'the options that were recorded' wanted got
recorded "GNU C17 12.2.0 -g -O1 $profiled" "GNU C++17 12.2.0 -g $profiled" >got
cat >wanted <<'END'
# Add the options with which the program is compiled.
cilkprof c++ -O2 -fcilkprof=whatif
END
same 'but not when sources differ in them' wanted got

# What the program was linked with, but not what the compiler links by itself.
for library in m z; do echo "int in_$library;" | gcc -xc -shared -fPIC -Wl,-soname,lib$library.so.6 - -o lib$library-made.so; done
cp languages.txt needs.txt
build needs -Wl,--no-as-needed ./libm-made.so ./libz-made.so -lpthread
"$report" --whatif=auto needs needs.out | sed -n '2s/.* -o //p' >got
echo './a%b-whatif -lm -lz' >wanted
same 'the libraries of the program' wanted got

# Of a timed profile, what passes in code without instrumentation: a run that counts instructions does not see it.
cat >timed.txt <<'END'
mode hybrid
units 1000000000
command ./timed
totals 1000 0 0
site outside 8 timed.c 1 1 - main timed.c
on_work 1 1000 1000 1000  1 1000 1000 1000  1 10 10 10
on_span 1 1000 1000 1000  1 1000 1000 1000  1 10 10 10
site call 8 timed.c 3 5 main qsort timed.c
on_work 1 400 400 400  1 400 400 400  1 390 390 390
on_span 1 400 400 400  1 400 400 400  1 390 390 390
site outside 0 timed.c 30 1 - compare timed.c
on_work 1 10 10 10  1 10 10 10  1 10 10 10
on_span 1 10 10 10  1 10 10 10  1 10 10 10
site call 8 timed.c 4 5 main elsewhere timed.c
on_work 1 300 300 300  1 300 300 300  1 300 300 300
on_span 1 300 300 300  1 300 300 300  1 300 300 300
site call 0 timed.c 5 5 main near timed.c
on_work 1 290 290 290  1 290 290 290  1 290 290 290
on_span 1 290 290 290  1 290 290 290  1 290 290 290
site outside 8 elsewhere.c 1 1 - elsewhere elsewhere.c
END
build timed
"$report" --whatif=auto timed timed.out >commands
candidates <commands >got
echo timed.c:4,timed.c:5 >wanted
same 'no candidate without instrumentation' wanted got
holds 'and what else of it may not be seen is said' \
  grep -q '^# That run counts instructions, so uninstrumented code' commands
holds 'sources whose functions were not called are compiled too' grep -q ' timed.c elsewhere.c -o ' commands
"$report" --whatif asked asked.out >got
holds 'a what-if run says what it counts' grep -q 'It counted instructions' got
sed '/^units/d; s/hybrid/count/' timed.txt >counting.txt
build counting
"$report" --whatif=auto counting counting.out >commands
candidates <commands >got
echo timed.c:3,timed.c:4,timed.c:5 >wanted
same 'counted instructions are instructions' wanted got
holds 'nothing is said of them' sh -c '! grep -q "^# The run counts" commands'

# Candidates are the sites that the program took for them: one overload, a loop or the function around it, the static
# functions of one file or of all.
cat >named.txt <<'END'
mode count
command ./named
totals 1000 0 1
site outside 8 one.cc 1 1 - main one.cc
on_work 1 2000 1000 1000  1 2000 1000 1000  1 1010 10 10
on_span 1 2000 1000 1000  1 2000 1000 1000  1 1010 10 10
site call 0 one.cc 3 5 main _Z4overi one.cc
on_work 1 90 90 90  1 90 90 90  1 90 90 90
on_span 1 90 90 90  1 90 90 90  1 90 90 90
site call 0 one.cc 4 5 main _Z4overd one.cc
on_work 1 200 200 200  1 200 200 200  1 200 200 200
on_span 1 200 200 200  1 200 200 200  1 200 200 200
site call 0 one.cc 5 5 main _Z5loopsv one.cc
on_work 1 300 300 300  1 300 300 300  1 50 50 50
on_span 1 300 300 300  1 300 300 300  1 50 50 50
site loop 0 one.cc 9 5 _Z5loopsv - one.cc
on_work 1 250 250 250  1 250 250 250  1 250 250 250
on_span 1 250 250 250  1 250 250 250  1 250 250 250
site call 4 one.cc 6 5 main _ZL4samei one.cc
on_work 1 150 150 150  1 150 150 150  1 150 150 150
on_span 1 150 150 150  1 150 150 150  1 150 150 150
site call 4 two.cc 6 5 main _ZL4samei two.cc
on_work 1 250 250 250  1 250 250 250  1 250 250 250
on_span 1 250 250 250  1 250 250 250  1 250 250 250
END
cat >wanted <<'END'
over(int): 9.0%
over(double): 20.0%
over: 29.0%
_Z4overd: 20.0%
loops: 30.0%
_Z5loopsv: 30.0%
cilk_for one.cc:9: 25.0%
one.cc:9: 25.0%
same: 40.0%
same(int): 40.0%
same (one.cc): 15.0%
same(int) (two.cc): 25.0%
END
sed 's/\(.*\): .*/\1/; s/ /~/g; s/^/whatif /; s/$/ 0 1 1500 980/' wanted >>named.txt
build named
for mangled in '' --no-demangle; do
  "$report" $mangled --whatif -b --processors=8 named named.out |
    sed -n 's/^  \(.*\): it takes \([0-9.]*%\) of the span.*/\1: \2/p' >got
  same "what the sites of a candidate hold $mangled" wanted got
done

# A one-line cilk_for: the calls of work are part of the loop, so that the line takes 60,050 of 138,056.
cat >loop.txt <<'END'
mode count
command ./loop
totals 198056 9 9
site outside 8 loop.c 6 5 - main loop.c
on_work 1 408196 138056 198056  1 408196 138056 198056  1 3 3 3
on_span 1 408196 138056 198056  1 408196 138056 198056  1 3 3 3
site call 0 loop.c 7 3 main init loop.c
on_work 1 78003 78003 78003  1 78003 78003 78003  1 78003 78003 78003
on_span 1 78003 78003 78003  1 78003 78003 78003  1 78003 78003 78003
site loop 0 loop.c 8 3 main - loop.c
on_work 1 330190 60050 120050  1 330190 60050 120050  1 140 45 60045
on_span 1 330190 60050 120050  1 330190 60050 120050  1 140 45 60045
site call 0 loop.c 8 37 main work loop.c
on_work 10 330050 330050 330050  0 0 0 0  10 330050 330050 330050
on_span 1 60005 60005 60005  0 0 0 0  1 60005 60005 60005
END
cp loop.txt loop-asked.txt
echo 'whatif loop.c:8 0 1 78006 78006' >>loop-asked.txt
build loop
build loop-asked
prints 'calls in the body of a loop of the same line count once' --whatif -b loop loop.out <<'END'
What if: estimates

     span  falls by      work  parallel
   138.1k              408.2k      2.96  as it is
   60.05k    56.50%    330.2k      5.50  without the calls at loop.c:7
   78.01k    43.50%    78.01k      1.00  without the calls at loop.c:8
END
"$report" --whatif -b --processors=8 loop-asked loop-asked.out | grep '^  loop.c:8:' >got
holds 'also in what is said of the line' grep -q 'worth the effort: without it the span falls by 43.5%' got

# Mutual recursion without a spawn: f takes 40% of the span, though its calls by g and h are long as well.
cat >mutual.txt <<'END'
mode count
command ./mutual
totals 1000 0 0
site outside 8 mutual.c 1 1 - main mutual.c
on_work 1 1000 1000 1000  1 1000 1000 1000  1 600 600 600
on_span 1 1000 1000 1000  1 1000 1000 1000  1 600 600 600
site call 0 mutual.c 2 1 main f mutual.c
on_work 1 400 400 400  1 400 400 400  1 5 5 5
on_span 1 400 400 400  1 400 400 400  1 5 5 5
site call 0 mutual.c 3 1 f g mutual.c
on_work 1 390 390 390  1 200 200 200  2 5 5 5
on_span 1 390 390 390  1 200 200 200  2 5 5 5
site call 0 mutual.c 4 1 f h mutual.c
on_work 1 380 380 380  1 190 190 190  2 5 5 5
on_span 1 380 380 380  1 190 190 190  2 5 5 5
site call 0 mutual.c 5 1 g f mutual.c
on_work 1 385 385 385  1 385 385 385  2 200 200 200
on_span 1 385 385 385  1 385 385 385  2 200 200 200
site call 0 mutual.c 6 1 h f mutual.c
on_work 1 375 375 375  1 375 375 375  2 185 185 185
on_span 1 375 375 375  1 375 375 375  2 185 185 185
site call 0 mutual.c 7 1 main tiny mutual.c
on_work 1 0 0 0  1 0 0 0  1 0 0 0
on_span 1 0 0 0  1 0 0 0  1 0 0 0
whatif f 0 1 600 600
whatif mutual.c:6 0 1 625 625
whatif tiny 0 1 1000 1000
END
build mutual
"$report" --whatif -b --processors=8 mutual mutual.out | sed -n '/^  f:/,$p' | tr -s '\n ' ' ' >got
holds 'of a function in a cycle only the outermost calls count' \
  grep -q 'f: worth the effort: without it the span falls by 40.0%' got
holds 'a call on the span with less than 1% of it is there' grep -q 'tiny: it takes less than 1% of the span\.' got

# Whatever the calls of f add up to, it holds no more than its work, which the run knows.
sed 's/^whatif f .*/whatif f 0 3 950 950/; /^whatif [mt]/d' mutual.txt >less.txt
build less
"$report" --whatif -b --processors=8 less less.out | grep '^  f:' >got
holds 'no more is held than the work' grep -q 'f: not worth much: without it the span falls by 5.0%' got

# A live file, and a run that memory ran out in.
for flags in 2 3 67; do
  sed "s/^command/flags $flags\\n&/; s/^on_span.*/on_span 0 0 0 0  0 0 0 0  0 0 0 0/" ways.txt >unknown.txt
  build unknown
  "$report" --whatif -b unknown unknown.out >got
  holds "flags $flags: what is on the span was not recorded" sh -c \
    'grep -q "^  The critical path was not recorded" got && ! grep -q "No call site" got'
done

refuses 'something else than auto' '--whatif takes auto or nothing' --whatif=a ways ways.out

"$report" -b asked asked.out >got
holds 'what-ifs are part of the whole report' grep -q '^What if: the program without' got
"$report" -b ways ways.out >got
holds 'estimates are not' sh -c '! grep -q "^What if" got'
"$report" -i asked asked.out >got
holds 'the records are counted' grep -q '8 what-if records' got

# For other programs: the numbers of the table.
"$report" --csv=whatifs asked asked.out | tr -d '\r' >got
cat >wanted <<'END'
candidate,faster,count,work,span
"a",0,1,1050,950
"a",4,1,1200,950
"b",0,1,1100,1000
"b",2,1,1375,1000
"ways.c:7",0,2,1350,800
"ways.c:7",2,2,1500,900
"main",0,1,0,0
"main",2,1,825,500
END
same 'as comma-separated values' wanted got
"$report" --format=json asked asked.out >json
jq -r '.whatifs | map(del(.seconds, .code, .text)) | (.[0] | keys_unsorted | join(",")), (.[] | [.[]] | @csv)' json >got
same 'as JSON' wanted got
jq -r '.whatifs[] | select(.code) | [.candidate, .code] | join(" ")' json >got
printf '%s\n' 'a whatif-other-path' 'b whatif-no-effect' 'ways.c:7 whatif-worth-it' 'main whatif-nearly-all' >wanted
same 'with a code for what is said of it' wanted got
holds 'JSON of a profile without them' sh -c '"$1" --format=json ways ways.out | jq -e ".whatifs == []"' - "$report"
printf 'whatif =1+"2\033 0 1 1050 950\nwhatif c 3 2 4051 2399\n' | cat ways.txt - >odd.txt
build odd
"$report" --csv=whatifs odd odd.out | tr -d '\r' | sed 1d >got
printf '%s\n' "\"'=1+\"\"2\\033\",0,1,1050,950" '"c",3,2,1350,800' >wanted
same 'a candidate is no formula, and numbers are rounded' wanted got
"$report" --format=json odd odd.out | jq -r '.whatifs[0].candidate' >got
printf '%s\n' '=1+"2\033' >wanted
same 'nor is it an escape sequence' wanted got

# In the page.
"$report" --html=page.html --processors=8 asked asked.out
perl -0777 -MJSON::PP -ne 'm{id="data">(.*?)</script>}s or die; my $d = decode_json $1;
  print join(" ", @{$_}[0 .. 4]), $_->[5] ? " $_->[5]{tone}: $_->[5]{text}" : "", "\n" for @{$d->{whatifs}}' page.html >got
cat >wanted <<'END'
a 0 1 1050 950 bad: it takes 60.0% of the span, but without it another path is nearly as long: the span falls by only 5.0%; on 8 processors the speedup could then be up to 1.74 instead of 1.65.
a 4 1 1200 950
b 0 1 1100 1000 notice: it is not on the critical path (in instructions): the span stays the same without it.
b 2 1 1375 1000
ways.c:7 0 2 1350 800 good: worth the effort: without it the span falls by 20.0%; on 8 processors the speedup could then be up to 2.06 instead of 1.65.
ways.c:7 2 2 1500 900
main 0 1 0 0 notice: it is nearly the whole span: ask about parts of it.
main 2 1 825 500
END
same 'the page has them, and what is said of them' wanted got

# Profiles are added up; what only some of them have is left out.
sed '/whatif b/d' asked.txt >fewer.txt
"$make_profile" profile fewer.txt asked >fewer.out
"$report" --whatif -b --processors=8 asked asked.out fewer.out >got 2>errors
holds 'a sum of two' grep -q '1.900k  *5.00%  *2.100k .* 2  a costs nothing' got
holds 'without what is not in both' sh -c '! grep -q " b costs nothing" got'
echo 'cilkprof-report: the sum of the profiles: what-ifs that are not in all profiles are ignored: b; name the same in every run' >wanted
same 'which is said' wanted errors
"$report" -s asked asked.out fewer.out 2>errors && "$report" --whatif -b --processors=8 asked cilkprof.sum >written
same 'the sum as a file says the same' got written
same 'and what is not in it is said' wanted errors
sed '/whatif [^a]/d; s/whatif a 4/whatif a 3/' asked.txt >others.txt
echo 'whatif c 0 2 1350 800' >>others.txt
"$make_profile" profile others.txt asked >others.out
"$report" -b --summary asked asked.out others.out 2>errors >got
same 'nothing where what-ifs are not asked for' /dev/null errors
"$report" -b -o got asked asked.out asked.out others.out 2>errors
echo 'cilkprof-report: the sum of the profiles: what-ifs that are not in all profiles are ignored: a/4, b, ways.c:7, main, a/3, c; name the same in every run' >wanted
same 'factors and candidates of all profiles' wanted errors
"$make_profile" profile ways.txt asked >none.out
"$report" -b asked none.out others.out 2>errors >got
holds 'one of them without any' grep -q ' are ignored: a, c;' errors
finish
