#!/bin/sh
# Profiles of parallel runs of functions whose events are inlined: what is deferred is added to frames in registers.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

# A recursion, one with many children before a sync that also returns early behind it, one that is below itself, and one
# whose children have equal paths.
cat >prog.c <<'END'
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int fib(int n) {
  int x, y;
  if (n < 2) return n;
  x = cilk_spawn fib(n - 1);
  y = fib(n - 2);
  cilk_sync;
  return x + y;
}
static int many(int n, int depth, const char *board) {
  int found[8] = {0}, sum = 0;
  char next[8][8];
  if (depth == 0) return board[n & 7] & 1;
  for (int i = 0; i < n % 8; i++) {
    memcpy(next[i], board, 8);
    next[i][i] = (char)(i + depth);
    if ((i ^ depth) & 1) found[i] = cilk_spawn many(n - i / 2, depth - 1, next[i]);
    if (i == 5) {
      cilk_sync;
      if (found[0] + found[1] > 1000) return 7;
    }
  }
  cilk_sync;
  for (int i = 0; i < 8; i++) sum += found[i];
  return sum;
}
static unsigned equal(unsigned depth) {
  unsigned a, b, c;
  if (!depth) return 1;
  a = cilk_spawn equal(depth - 1);
  b = cilk_spawn equal(depth - 1);
  c = equal(depth - 1);
  cilk_sync;
  return a + b + c;
}
int main(int argc, char **argv) {
  char board[8] = "1234567";
  int n = argc > 1 ? atoi(argv[1]) : 12;
  int a = fib(n), b = cilk_spawn many(n - 5, 4, board);
  unsigned c = cilk_spawn equal(5);
  cilk_sync;
  printf("%d %d %u\n", a, b, c);
  return 0;
}
END
sed 's/^static /extern "C" /' prog.c >prog.cc # names without types, and functions that other units may call
# compile_cxx OPTION...: as compile, with c++.
compile_cxx() {
  c++ -fcilkplus "$@" >compiler-said 2>&1 || give_up "c++ -fcilkplus $*" compiler-said
}

# columns PROGRAM: what must not depend on the schedule; the order of the sites does.
columns() {
  profile "$1" 12
  { sort sites.csv; cat "$1.stdout"; } >seen
}
# local PROGRAM: what the functions themselves did, which does not depend on how children are passed to other workers.
cat >local.awk <<'END'
NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
{ print $at["caller"], $at["callee"], $at["line"], $at["on_work_local_count"], $at["callee"] == "fib" ? $at["on_work_local_work"] : 0 }
END
for language in c cc; do
  compiler=compile
  [ $language = c ] || compiler=compile_cxx
  for level in -O1 -O2 -O3; do
    in_turn 3 || continue
    $compiler -w $level -fcilkprof=count prog.$language -o serial
    profile serial 12
    awk -F, -f local.awk sites.csv | sort >serial-local
    $compiler -w $level -fcilkprof=parallel-count prog.$language -o prog
    CILK_NWORKERS=1 columns prog
    cp seen wanted
    awk -F, -f local.awk sites.csv | sort >local
    same "$language $level: as in a serial run" serial-local local
    for workers in 1 2 3 4 8; do
      CILK_NWORKERS=$workers CILKPROF_FORCE_STEALS=$workers columns prog
      same "$language $level: $workers workers, with forced steals" wanted seen
    done
    $compiler -w $level -fcilkprof=parallel-count -fcilkprof-outline prog.$language -o called
    CILK_NWORKERS=1 columns called
    same "$language $level: with events that are called" wanted seen
  done
done

# Children with results of other types, and with what sanitizers add to their code.
cat >types.c <<'END'
#include <cilk/cilk.h>
#include <complex.h>
#include <stdio.h>
static double complex turn(double complex z, int n) {
  double complex a, b;
  if (n < 2) return z;
  a = cilk_spawn turn(z * I, n - 1);
  b = turn(z + 1, n - 2);
  cilk_sync;
  return a + b;
}
static short narrow(long n) {
  double a;
  short b;
  if (n < 2) return (short)n;
  a = cilk_spawn narrow(n - 1);
  b = narrow(n - 2);
  cilk_sync;
  return (short)(a + b);
}
int main(void) {
  double complex z = turn(1, 12);
  return printf("%g %g %d\n", creal(z), cimag(z), narrow(12)) < 0;
}
END
address='-O2 -fsanitize=address'
[ -z "$RUN" ] || address= # which qemu does not run
for options in -O2 '-O3 -fsanitize=undefined' ${address:+"$address"}; do
  compile -w $options -fcilkprof=parallel-count types.c -o prog
  CILK_NWORKERS=1 columns prog
  cp seen wanted
  CILK_NWORKERS=3 CILKPROF_FORCE_STEALS=3 columns prog
  same "results of other types, $options: with forced steals" wanted seen
  equal "results of other types, $options" '161 72 144' "$(cat prog.stdout)"
done

# The recursions, of functions that their own closures name, call none of the events that are for other functions, only
# what is rare.
compile -w -O2 -fcilkprof=parallel prog.c -o timed
"${CC%gcc*}objdump" -d --no-show-raw-insn timed >code
awk '/^[0-9a-f]+ <(fib|many|equal)[.]direct[.0-9a-z]*>:$/ { inside = $2 !~ /child/ } /^$/ { inside = 0 } inside' code >recursions
holds 'there is code of them' test "$(wc -l <recursions)" -gt 100
grep -o '<__cilkprof_o_[a-z_]*' recursions | sort -u >called
same 'their events are inlined' /dev/null called
for workers in 1 3; do
  CILK_NWORKERS=$workers CILKPROF_FORCE_STEALS=$workers profile timed 12
  equal "$workers workers, in time: it runs" 0 $status
  holds "$workers workers, in time: the profile is complete" test "$(cilkprof-report --format=json timed timed.prof | grep -c '"incomplete":false')" -eq 1
done
finish
