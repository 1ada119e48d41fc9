/* Activations, events and deques of workers.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "cilkprof-report/emulation/stealing.h"
#include "cilkprof-report/support/support.h"

struct activation *activation_push(struct stealing *stealing, struct worker *worker, struct activation activation) {
  struct activation *pushed = stealing->free;
  if (pushed != NULL)
    stealing->free = pushed->parent;
  else
    pushed = allocate(1, sizeof *pushed);
  *pushed = activation;
  pushed->parent = worker->top;
  return worker->top = pushed;
}

void activation_free(struct stealing *stealing, struct activation *activation) {
  activation->parent = stealing->free;
  stealing->free = activation;
}

void cursor_next(const struct stealing *stealing, struct activation *activation) {
  activation->stage = 0;
  if (--activation->left == 0 && ++activation->child < activation->node->count)
    activation->left = children_of(stealing->tree, activation->node)[activation->child].repeat;
}

bool cursor_ended(const struct activation *activation) {
  return activation->child == activation->node->count;
}

void worker_until(struct stealing *stealing, struct worker *worker, double time) {
  heap_push(&stealing->heap, (struct event){time, worker_number(stealing, worker), ++worker->stamp});
}

void worker_offer(struct stealing *stealing, struct worker *worker, struct activation *activation) {
  if (worker->head == worker->tail)
    worker->head = worker->tail = 0;
  worker->deque = grow(worker->deque, worker->tail, &worker->room, sizeof *worker->deque);
  worker->deque[worker->tail++] = activation;
  stealing->news = true;
}

void section_spawned(struct stealing *stealing, struct worker *worker, struct activation *section) {
  section->active++;
  if (cursor_ended(section))
    section->waits = true;
  else
    worker_offer(stealing, worker, section);
}

void worker_idle(struct stealing *stealing, struct worker *worker) {
  worker->top = NULL;
  worker->head = worker->tail = 0;
  worker->parked = true;
  worker->stamp++;
  stealing->parked++;
  stealing->news = true;
}
