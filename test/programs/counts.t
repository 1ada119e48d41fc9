#!/bin/sh
# What count mode counts of code that is not optimised does not depend on the version of gcc that made it: work and span of
# every program, in instructions.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

while read -r program arguments work span; do
  compile -O0 -fcilkprof=count "$programs/$program.c" -o "$program" -lm
  # shellcheck disable=SC2046 # several arguments
  profile "$program" $(echo "$arguments" | tr , ' ')
  equal "$program: work and span" "$work $span" "$(whole Work) $(whole Span)"
done <<'END'
fib        20         164281    262
qsort      20000      5245539   1661925
mm         64         6906825   1959873
nqueens    8          3623589   8662
cilksort   10000      2368122   688530
stencil    200,20     29903970  1706950
saxpy      100000,10  17602174  2515864
snippet_a  10000      4490032   2250029
snippet_b  10000      4460023   2290023
matmul     150        87127554  3154104
rectmul    112        43194125  3704789
strassen   128        48031708  8387848
lu         64         1817311   904586
heat       150,60,10  3438833   534033
fft        4096       3944625   1284850
cholesky   32         121771    68937
knapsack   20         5003832   2523702
END
finish
