/* The return slots of the thread, in which an invocation returns its cost to its caller; and the observer.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/engine/span/observer.h"
#include "libcilkprof/engine/span/site.h"
#include "libcilkprof/engine/whatif/whatif.h"

struct cilkprof_observer __cilkprof_observer;

/* Adds an invocation with the values of the return slots, in which it returns its cost to its caller, to TOTAL.  */
void __cilkprof_add_total(struct __cilkprof_total *total) {
  add_slots_to_site_total(total);
}

/* Sets the return slots to zero, which makes the invocation that returns cost nothing.  */
void __cilkprof_clear_slots(void) {
  THREAD.local_work = THREAD.local_off_span = THREAD.local_off_burdened_span = 0;
  THREAD.work = THREAD.span = THREAD.burdened_span = 0;
  __cilkprof_lanes_cleared();
}
