#!/bin/sh
# What a program asks the runtime.
# SPDX-License-Identifier: MIT
. "$TOP/test/include/lib.sh"

cat >api.c <<'EOC'
#include <cilk/cilk.h>
#include <cilk/cilk_api.h>
#include <cilk/cilk_undocumented.h>
#include <stdio.h>
static int started;
static void start(void) { started = 1; }
static void stop(void) { puts("stopped"); }
static int fib(int n) {
  int x, y;
  if (n < 2)
    return n;
  x = cilk_spawn fib(n - 1);
  y = fib(n - 2);
  cilk_sync;
  return x + y;
}
int main(void) {
  __cilkrts_pedigree pedigree;
  __cilkrts_pedigree_context_t context = {sizeof(__cilkrts_pedigree_context_t), {0, 0, 0}};
  uint64_t rank, random;
  int accepted;
  if (__cilkrts_set_param("nworkers", "4") != __CILKRTS_SET_PARAM_SUCCESS)
    puts("cannot set nworkers");
  accepted = __cilkrts_set_param("force reduce", "true");
  __cilkrts_init();
  printf("%d %d %d %d %d\n", accepted, __cilkrts_get_nworkers(), __cilkrts_get_total_workers(),
         __cilkrts_get_worker_number(), __cilkrts_get_force_reduce());
  printf("%d %d %d\n", __cilkrts_is_initialized(), __cilkrts_running_on_workers(), __cilkrts_synched());
  printf("%d %d", __cilkrts_atinit(start), __cilkrts_atexit(stop));
  printf(" %d\n", started);
  printf("%d %d\n", __cilkrts_bump_worker_rank(), __cilkrts_bump_loop_rank());
  pedigree = __cilkrts_get_pedigree();
  printf("%d %d", __cilkrts_get_worker_rank(&rank), __cilkrts_get_pedigree_info(&context, &random));
  printf(" %d %d %d\n", (int)rank, (int)pedigree.rank, pedigree.parent == NULL);
  __cilkrts_init_dprng();
  __cilkrts_dprand_set_seed(7);
  random = __cilkrts_get_dprand();
  printf("%d", random != __cilkrts_get_dprand());
  __cilkrts_dprand_set_seed(7);
  printf(" %d\n", random == __cilkrts_get_dprand());
  __cilkrts_metacall(2, 0, 0);
  __cilkrts_dump_stats();
  printf("%d\n", fib(10));
  __cilkrts_end_cilk();
  return 0;
}
EOC
cp api.c api.cc
wants '0 1 1 0 0' '1 0 1' '0 0 1' '0 0' '0 1 1 1 1' '1 1' 55 stopped
prints_serially api.c gnu89 c99 c11 c2x
prints_serially api.cc c++98 c++11 c++17 c++20

# One pedigree for a program of two files, one of which is not instrumented.
cat >one.c <<'EOC'
#include <cilk/cilk_api.h>
#include <stdio.h>
void bump(void);
int main(void) {
  bump();
  __cilkrts_bump_worker_rank();
  bump();
  printf("%d\n", (int)__cilkrts_get_pedigree().rank);
  return 0;
}
EOC
cat >two.cc <<'EOC'
#include <cilk/cilk_api.h>
extern "C" void bump(void) { __cilkrts_bump_worker_rank(); }
EOC
compile -fcilkprof -O2 -c one.c
c++ -fcilkplus -fcilkprof -O2 -c two.cc && c++ -fcilkprof one.o two.o -o two && CILKPROF_OUT=profile ./two >got
equal 'one rank for all files' 3 "$(cat got)"
finish
