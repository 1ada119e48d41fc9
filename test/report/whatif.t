#!/bin/sh
# What-if: the table, what is said of the candidates, estimates, the commands to run next; sums.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/report/lib.sh"

# `a' and `b' side by side in main: a holds 600 of a span of 1000, b would be 550 in its place.
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

                                         speedup on at most
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

  a: it holds 60.0% of the span, but removing it uncovers another path: the span falls by 5.0% only;
    on 8 processors the speedup can then be 1.74 instead of 1.65.
  b: it is not on the span, which stays as long without it.
  ways.c:7: it is worth the work: without it the span falls by 20.0%; on 8 processors the speedup
    can then be 2.06 instead of 1.65.
  main: it is nearly all of the span: ask for parts of it.
END

prints 'a profile without what-ifs: estimates' --whatif -b ways ways.out <<'END'
What if: estimates

     span  falls by      work  parallel
   1.000k              1.650k      1.65  as it is
      400    60.00%    1.050k      2.62  without the calls at ways.c:4
      800    20.00%    1.350k      1.69  without the calls at ways.c:7
END
prints 'the commands to run next' --whatif=auto ways ways.out <<'END'
cc -O2 -fcilkplus -fcilkprof=whatif ways.c -o ./ways
CILKPROF_WHATIF=ways.c:4,ways.c:7 ./ways ''\''two' 'words'\''' 'it'\''s'
END
"$report" --whatif ways ways.out >got
holds 'an estimate says that it is one, and how to find out' sh -c \
  'grep -q "Estimates, at best" got && grep -q "^CILKPROF_WHATIF=ways.c:4,ways.c:7 ./ways" got'
# A serial function that is nearly all of the span is worth asking for; what calls it is not.
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
"$report" --whatif=auto serial serial.out | sed -n 's/ .*//; s/^CILKPROF_WHATIF=//p' >got
echo serial.c:7 >wanted
same 'what holds the span itself is asked for, not what calls it' wanted got
"$report" --whatif -b --processors=8 most most.out | grep '^  most:' >got
holds 'nor is it said to be the program' grep -q 'most: it is worth the work: without it the span falls by 97.0%' got

refuses 'something else than auto' '--whatif takes nothing but auto' --whatif=a ways ways.out

"$report" -b asked asked.out >got
holds 'what-ifs are part of the whole report' grep -q '^What if: the program without' got
"$report" -b ways ways.out >got
holds 'estimates are not' sh -c '! grep -q "^What if" got'
"$report" -i asked asked.out >got
holds 'the records are counted' grep -q '8 what-if records' got

# Profiles are added up; what only some of them have is left out.
sed '/whatif b/d' asked.txt >fewer.txt
"$make_profile" profile fewer.txt asked >fewer.out
"$report" --whatif -b --processors=8 asked asked.out fewer.out >got
holds 'a sum of two' grep -q '1.900k  *5.00%  *2.100k .* 2  a costs nothing' got
holds 'without what is not in both' sh -c '! grep -q " b costs nothing" got'
"$report" -s asked asked.out fewer.out && "$report" --whatif -b --processors=8 asked cilkprof.sum >written
same 'the sum as a file says the same' got written
finish
