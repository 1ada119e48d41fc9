#!/bin/sh
# How the time of counted calls divides among the sites inside, in random programs: as where all calls are followed, within
# the error that the profile states.  Time passes only where the program says so, so that nothing else disturbs it.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"
# The timer is not that of the samples.
export CILKPROF_SAMPLE_HZ=0

# generate SEED: a program in which functions take random times, and call others a random number of times.  A function
# that calls another uses the result, so that no call is left out.
generate() {
  awk -v seed="$1" 'function choose(n) { return int(rand() * n) }
    BEGIN {
      srand(seed)
      count = 5 + choose(6)
      print "#include <cilk/cilk.h>\n#include <stdint.h>\n#include <stdio.h>"
      print "extern uint64_t __cilkprof_test_now;\nstatic volatile unsigned sink;\nstatic unsigned state = 1;"
      print "static unsigned draw(unsigned n) { state = state * 1103515245 + 12345; return (state >> 16) % n; }"
      print "/* Takes N nanoseconds by the timer, and longer in truth.  */"
      print "static void take(unsigned n) { for (unsigned i = 0; i < 2 * n; i++) sink++; __cilkprof_test_now += n; }"
      for (f = count - 1; f >= 0; f--) {
        printf "__attribute__((noinline)) static unsigned f%d(void) {\n  unsigned sum = %d;\n  take(%d);\n", f, f, 5 + choose(60)
        if (f < count - 1)
          for (calls = 1 + choose(3); calls > 0; calls--) {
            callee = f + 1 + choose(count - f - 1)
            kind = choose(3)
            if (kind == 0)
              printf "  for (unsigned i = draw(%d); i > 0; i--) sum += f%d();\n", 3 + choose(3), callee
            else if (kind == 1)
              printf "  if (draw(%d) == 0) sum += f%d();\n", 2 + choose(6), callee
            else
              printf "  sum += f%d();\n", callee
            if (choose(2))
              printf "  take(%d + draw(%d));\n", 1 + choose(9), 2 + choose(30)
          }
        print "  return sum;\n}"
      }
      print "__attribute__((noinline)) static unsigned work(void) { return f0() + f1(); }"
      print "int main(void) {\n  unsigned sum = 0;"
      printf "  for (int i = 0; i < %d; i++) {\n    sum += cilk_spawn work();\n    take(3);\n    cilk_sync;\n  }\n", 3000 + choose(3000)
      print "  printf(\"%u\\n\", sum);\n  return 0;\n}"
    }'
}
# sites: the local work of each site and its error.  What main calls is not inside of a counted call.
sites() {
  awk -F, 'NR > 1 && $4 == "call" && $5 != "main" { print $2 ":" $3 ":" $6, $16, $34 }' sites.csv | sort
}

faulty=$BUILD_DIR/faulty-timer
TIMER_FAULT=program
export TIMER_FAULT
for seed in 1 2 3 4 5 6 7 8; do
  generate $seed >program.c
  compile -O1 -fcilkprof=hybrid -D__CILKPROF_TIMER=__cilkprof_test_timer -L"$faulty" program.c "$faulty/timer.o" -o program
  CILKPROF_FOLLOW=1 profile program
  sites >followed
  work=$(awk '{ sum += $2 } END { print sum }' followed)
  profile program
  sites >counted
  join followed counted >together
  # Four standard errors, and a thousandth of the work for the times of short strands, which are learnt in either run.
  holds "program $seed: shares are right within their errors" awk -v work="$work" '{
    off = $4 - $2
    if (off < 0) off = -off
    if (off > 4 * $5 + work / 1000) { print $0, "off by", off; wrong = 1 }
  } END { exit wrong || NR < 5 }' together
  true_that "program $seed: most calls are counted" \
    "$(awk -F, 'NR > 1 { counted += $31; followed += $32 } END { print counted + 0, ">", followed + 0 }' sites.csv)"
done
finish
