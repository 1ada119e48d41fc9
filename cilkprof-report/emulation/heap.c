/* A binary heap of events.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include "cilkprof-report/emulation/heap.h"
#include "cilkprof-report/support/support.h"

/* Returns whether event A of an emulation comes before B: by time, then by thread number.  */
static bool is_emulated_event_before(const struct event *a, const struct event *b) {
  return a->time != b->time ? a->time < b->time : a->thread < b->thread;
}

/* Inserts EVENT at PLACE of the heap or above it, and moves later events down.  */
static void sift_emulated_event_up(struct heap *heap, size_t place, struct event event) {
  for (size_t parent; place > 0 && is_emulated_event_before(&event, &heap->events[parent = (place - 1) / 2]);
       place = parent)
    heap->events[place] = heap->events[parent];
  heap->events[place] = event;
}

/* Inserts EVENT at PLACE of the heap or below it, and moves earlier events up.  */
static void sift_emulated_event_down(struct heap *heap, size_t place, struct event event) {
  for (size_t child; (child = 2 * place + 1) < heap->count; place = child) {
    if (child + 1 < heap->count && is_emulated_event_before(&heap->events[child + 1], &heap->events[child]))
      child++;
    if (!is_emulated_event_before(&heap->events[child], &event))
      break;
    heap->events[place] = heap->events[child];
  }
  heap->events[place] = event;
}

/* Adds EVENT to the queue of an emulation.  */
void push_emulated_event(struct heap *heap, struct event event) {
  heap->events = grow_array(heap->events, heap->count, &heap->room, sizeof *heap->events);
  heap->count++;
  sift_emulated_event_up(heap, heap->count - 1, event);
}

/* Removes and returns the first event of an emulation.  The queue must not be empty.  */
struct event pop_emulated_event(struct heap *heap) {
  struct event first = heap->events[0], last = heap->events[--heap->count];
  if (heap->count > 0)
    sift_emulated_event_down(heap, 0, last);
  return first;
}

/* Adds LATER to the times of all events of an emulation whose threads MOVES returns true for; CLOSURE is passed to
   MOVES.  */
void postpone_emulated_events(struct heap *heap, double later, bool (*moves)(void *closure, uint32_t thread),
                              void *closure) {
  for (size_t i = 0; i < heap->count; i++)
    if (moves(closure, heap->events[i].thread))
      heap->events[i].time += later;
  for (size_t i = heap->count / 2; i > 0; i--)
    sift_emulated_event_down(heap, i - 1, heap->events[i - 1]);
}

/* Frees the queue of events of an emulation, and leaves it empty.  */
void free_emulated_events(struct heap *heap) {
  free(heap->events);
  *heap = (struct heap){0};
}
