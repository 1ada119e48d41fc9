/* Comparison functions: a leaf that a function like qsort(3) calls again and again.
   SPDX-License-Identifier: MIT

   Sorting a million elements calls the comparison function 20 million times, for a few nanoseconds each.  The first
   thousands of invocations are followed; then the function runs in its copy without events until the sort returns, and
   only counts.  Each of these invocations is taken to cost what the first ones did.  This is only done for functions of
   the C library that call nothing else of the program.  */

#include <search.h>
#include <stdlib.h>

#include "libcilkprof/engine/control/control.h"
#include "libcilkprof/engine/control/leaves.h"
#include "libcilkprof/engine/time/clock.h"

/* Returns whether FUNCTION is one of the C library that calls no function of the program but the one that is passed to
   it.  */
static int calls_one_function_back(const void *function) {
  const void *const known[] = {(void *)(uintptr_t)qsort, (void *)(uintptr_t)qsort_r, (void *)(uintptr_t)bsearch,
                               (void *)(uintptr_t)lfind, (void *)(uintptr_t)lsearch};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (function == known[i])
      return 1;
  return 0;
}

/* Lets the leaf FUNCTION, which the running code without instrumentation has called many times, run without events from
   now on, if the compiler takes it for a comparison function and that code can call no other function of the program.
   Does nothing except in hybrid mode.  */
void __cilkprof_callbacks_many(const function_t *function) {
  struct __cilkprof_foreign *foreign = &THREAD.foreign;
  const site_t *site = called_site((const frame_t *)foreign->key);
  if (!THREAD.recording || THREAD.counting || ENGINE.follow_all || ENGINE.mode != CILKPROF_MODE_HYBRID ||
      !(function->outside.flags & (uint64_t)1 << __CILKPROF_SITE_COMPARES) ||
      !calls_one_function_back(site->callee ? site->callee : site->target))
    return;
  foreign->counted_before = function->outside.counted;
  foreign->counting_since = __cilkprof_own_ticks();
  THREAD.counting = __CILKPROF_COUNTING_CALLBACKS;
}

/* Ends the time in which the leaf that foreign code calls back has no events.  It has counted its invocations, each of
   which is taken to cost what those before did.  */
void __cilkprof_callbacks_end(void) {
  struct __cilkprof_foreign *foreign = &THREAD.foreign;
  uint64_t count = foreign->leaf->counted - foreign->counted_before;
  foreign->leaf_work += (uint64_t)((unsigned __int128)foreign->leaf_work * count / foreign->leaf_count);
  foreign->leaf_count += count;
  /* book_pending_leaves adds the cost of following for all of them.  */
  foreign->probes -= count * (CALLED_BACK_INSTRUCTIONS - COUNTED_BACK_INSTRUCTIONS);
  foreign->counting_since = 0;
  THREAD.counting = 0;
}
