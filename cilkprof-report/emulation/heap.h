/* Events in the order of their time; of those at the same time, that of the lower thread.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_HEAP_H
#define CILKPROF_REPORT_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct event {
  double time;
  uint32_t thread;
  uint32_t stamp; /* the owner's: it may tell that an event is no longer meant */
};

/* Starts as {0}.  */
struct heap {
  struct event *events;
  size_t count, room;
};

void heap_push(struct heap *heap, struct event event);
struct event heap_pop(struct heap *heap); /* there must be one */
/* All events of the threads for which MOVES holds come LATER.  */
void heap_move(struct heap *heap, double later, bool (*moves)(void *closure, uint32_t thread), void *closure);
void heap_free(struct heap *heap);

#endif
