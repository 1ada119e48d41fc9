/* A queue of events, sorted by time, then by thread number.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_HEAP_H
#define CILKPROF_REPORT_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct event {
  double time;
  uint32_t thread;
  uint32_t stamp; /* for the user of the heap, who may recognise cancelled events by it */
};

/* Initialise with {0}.  */
struct heap {
  struct event *events;
  size_t count, room;
};

void push_emulated_event(struct heap *heap, struct event event);
/* Removes and returns the first event.  The heap must not be empty.  */
struct event pop_emulated_event(struct heap *heap);
/* Adds LATER to the time of all events of threads for which MOVES returns true.  */
void postpone_emulated_events(struct heap *heap, double later, bool (*moves)(void *closure, uint32_t thread),
                              void *closure);
void free_emulated_events(struct heap *heap);

#endif
