# What the tests of programs with oneTBB share: how they are measured, and what they do.  Without the library there is
# nothing to test.
# SPDX-License-Identifier: MIT
. "$TOP/test/include/lib.sh"
# The library of a system need not link with its older compilers.
printf '#include <oneapi/tbb/task_arena.h>\nint main() { tbb::task_arena().initialize(); }\n' >there.cc
g++ -std=c++17 there.cc -o there -ltbb 2>said || {
  pass 'oneTBB is not installed for this compiler (libtbb-dev): nothing to test'
  finish
  exit
}

measured="-std=c++17 -O2 -g $warnings -fcilkplus -fcilkprof=count"
# measured NAME OPTION...: compiles NAME.cc, and sets its output, work, span and spawns.
measured() {
  file=$1.cc
  shift
  c++ $measured "$@" -include spin.h "$file" -o "${file%.cc}" -ltbb >said 2>&1 || {
    fail "$file $*" said
    return 1
  }
  profile "${file%.cc}"
  work=$(whole Work) span=$(whole Span) spawns=$(whole Spawns)
}

# What all programs have: something to do, which takes a known time.
cat >spin.h <<'EOC'
#pragma once
#include <cstdio>
#include <vector>
#ifdef CILK
#include <cilk/cilk.h>
#else
#include <oneapi/tbb/parallel_sort.h>
#include <tbb/blocked_range2d.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_for_each.h>
#include <tbb/parallel_invoke.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_scan.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>
#endif
__attribute__((noinline)) inline long spin(long n) {
  volatile long x = 0;
  for (long i = 0; i < n; i++)
    x = x + i;
  return x;
}
EOC
# Most of the time is the library's headers'.
[ -n "$LONG" ] || c++ $measured -Wno-error spin.h -o spin.h.gch 2>said
