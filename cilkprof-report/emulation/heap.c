/* A binary heap of events.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include "cilkprof-report/emulation/heap.h"
#include "cilkprof-report/support/support.h"

static bool is_before(const struct event *a, const struct event *b) {
  return a->time != b->time ? a->time < b->time : a->thread < b->thread;
}

/* Inserts EVENT at PLACE or above it.  */
static void sift_up(struct heap *heap, size_t place, struct event event) {
  for (size_t parent; place > 0 && is_before(&event, &heap->events[parent = (place - 1) / 2]); place = parent)
    heap->events[place] = heap->events[parent];
  heap->events[place] = event;
}

/* Inserts EVENT at PLACE or below it.  */
static void sift_down(struct heap *heap, size_t place, struct event event) {
  for (size_t child; (child = 2 * place + 1) < heap->count; place = child) {
    if (child + 1 < heap->count && is_before(&heap->events[child + 1], &heap->events[child]))
      child++;
    if (!is_before(&heap->events[child], &event))
      break;
    heap->events[place] = heap->events[child];
  }
  heap->events[place] = event;
}

void heap_push(struct heap *heap, struct event event) {
  heap->events = grow(heap->events, heap->count, &heap->room, sizeof *heap->events);
  heap->count++;
  sift_up(heap, heap->count - 1, event);
}

struct event heap_pop(struct heap *heap) {
  struct event first = heap->events[0], last = heap->events[--heap->count];
  if (heap->count > 0)
    sift_down(heap, 0, last);
  return first;
}

void heap_move(struct heap *heap, double later, bool (*moves)(void *closure, uint32_t thread), void *closure) {
  for (size_t i = 0; i < heap->count; i++)
    if (moves(closure, heap->events[i].thread))
      heap->events[i].time += later;
  for (size_t i = heap->count / 2; i > 0; i--)
    sift_down(heap, i - 1, heap->events[i - 1]);
}

void heap_free(struct heap *heap) {
  free(heap->events);
  *heap = (struct heap){0};
}
