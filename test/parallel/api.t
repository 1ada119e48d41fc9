#!/bin/sh
# What a program asks the parallel runtime, and the ways to link it.
# SPDX-License-Identifier: MIT
. "$TOP/test/parallel/lib.sh"

cat >api.c <<'EOC'
#include <cilk/cilk_api.h>
#include <stdatomic.h>
#include "test/parallel/by-hand.h"
static atomic_int seen[4096];
struct note_closure {
  int unused;
};
static void note(void *closure) {
  (void)closure;
  seen[__cilkrts_get_worker_number()]++;
}
static void spawn_some(void) {
  FRAME;
  for (int i = 0; i < 1000; i++)
    SPAWN(note, 0);
  SYNC;
}
/* All notes are by workers whose number is less than this.  */
static int below(int workers) {
  int sum = 0;
  for (int i = 0; i < workers; i++)
    sum += atomic_exchange(&seen[i], 0);
  return sum == 1000;
}
int main(void) {
  CHECK(__cilkrts_get_nworkers() == 3);
  CHECK(__cilkrts_get_total_workers() <= 4096 && __cilkrts_get_total_workers() > 3);
  CHECK(!__cilkrts_is_initialized());
  CHECK(__cilkrts_set_param("nworkers", "x") == __CILKRTS_SET_PARAM_INVALID);
  CHECK(__cilkrts_set_param("nworkers", "1000000") == __CILKRTS_SET_PARAM_XRANGE);
  CHECK(__cilkrts_set_param("stack size", "1000000") == __CILKRTS_SET_PARAM_SUCCESS);
  CHECK(__cilkrts_set_param("nothing", "1") == __CILKRTS_SET_PARAM_UNIMP);
  CHECK(__cilkrts_set_param("nworkers", "0") == __CILKRTS_SET_PARAM_SUCCESS);
  CHECK(__cilkrts_set_param("nworkers", "4") == __CILKRTS_SET_PARAM_SUCCESS);
  CHECK(__cilkrts_get_nworkers() == 4);
  spawn_some();
  CHECK(below(4));
  CHECK(__cilkrts_is_initialized());
  CHECK(__cilkrts_set_param("nworkers", "2") == __CILKRTS_SET_PARAM_LATE);
  for (int i = 1; i <= 5; i++) {
    char text[] = {(char)('0' + i), 0};
    __cilkrts_end_cilk();
    CHECK(!__cilkrts_is_initialized());
    CHECK(__cilkrts_set_param("nworkers", text) == __CILKRTS_SET_PARAM_SUCCESS);
    __cilkrts_init();
    CHECK(__cilkrts_get_nworkers() == i);
    spawn_some();
    CHECK(below(i));
  }
  CHECK(__cilkrts_get_worker_number() == 0);
  CHECK(!__cilkrts_running_on_workers());
  return 0;
}
EOC
compile() {
  $CC -std=gnu11 -O2 -Wall -Wextra -Werror -D__cilkprof_parallel__ -I"$TOP" -I"$LIB/include" "$@" >said 2>&1
}
for how in '' -static -static-pie '-no-pie -fno-pie' -flto; do
  if compile $how api.c "$LIB/libcilkprof-parallel.a" -o api; then
    holds "the interface${how:+, $how}" env CILK_NWORKERS=3 timeout 100 ./api
    holds "the interface${how:+, $how}, forced" env CILK_NWORKERS=3 CILKPROF_FORCE_STEALS=1 timeout 100 ./api
  else
    fail "the interface${how:+, $how}" said
  fi
done
if compile api.c "$LIB/libcilkprof-parallel.so" -Wl,-rpath,"$LIB" -o api; then
  holds 'the interface, by the shared library' env CILK_NWORKERS=3 timeout 100 ./api
else
  fail 'the interface, by the shared library' said
fi
RUNTIME="$LIB/libcilkprof-parallel-c++.a $LIB/libcilkprof-parallel.so -Wl,-rpath,$LIB" by_hand exceptions exceptions.cc
for part in first reducers; do
  holds "C++ by the shared library: $part" env CILK_NWORKERS=3 timeout 100 ./exceptions $part 5
done
compile api.c "$LIB/libcilkrts.a" "$LIB/libcilkprof-parallel.a" -o api
holds 'libcilkrts beside it does not answer' env CILK_NWORKERS=3 timeout 100 ./api

# Of the processors only those that the process may use are counted.
cat >count.c <<'EOC'
#include <cilk/cilk_api.h>
#include <stdio.h>
int main(void) {
  printf("%d\n", __cilkrts_get_nworkers());
  return 0;
}
EOC
compile count.c "$LIB/libcilkprof-parallel.a" -o count
holds 'as many workers as processors' test "$(./count)" = "$(nproc)"
holds 'the affinity mask is obeyed' test "$(taskset -c 0 ./count)" = 1

# A program of C needs nothing of C++, and what a library has of the runtime is its interface alone.
holds 'nothing of C++ in it' sh -c "! nm -u '$LIB/libcilkprof-parallel.so' | grep -E '_Z|__cxa_(begin|throw)|__gxx'"
nm -D --defined-only "$LIB/libcilkprof-parallel.so" | awk '$3 !~ /^__(cilkprof_r|cilkrts)_/' >said
same 'the names that it exports' /dev/null said

finish
