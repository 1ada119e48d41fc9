/* Activations, events and deques of workers.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "cilkprof-report/emulation/stealing.h"
#include "cilkprof-report/support/support.h"

/* Pushes a copy of ACTIVATION on the stack of an emulated WORKER, and returns the copy.  */
struct activation *push_emulated_activation(struct stealing *stealing, struct worker *worker,
                                            struct activation activation) {
  struct activation *pushed = stealing->free;
  if (pushed != NULL)
    stealing->free = pushed->parent;
  else
    pushed = allocate(1, sizeof *pushed);
  *pushed = activation;
  pushed->parent = worker->top;
  return worker->top = pushed;
}

/* Puts ACTIVATION, which no emulated worker uses any more, on the list of free ones, for reuse.  */
void recycle_emulated_activation(struct stealing *stealing, struct activation *activation) {
  activation->parent = stealing->free;
  stealing->free = activation;
}

/* Moves the cursor of ACTIVATION, a sequence or section of an emulated worker, to the next repetition of the same
   child, or to the next child.  */
void advance_emulated_cursor(const struct stealing *stealing, struct activation *activation) {
  activation->stage = 0;
  if (--activation->left == 0 && ++activation->child < activation->node->count)
    activation->left = emulated_node_children(stealing->tree, activation->node)[activation->child].repeat;
}

/* Returns whether the cursor of ACTIVATION, a sequence or section of an emulated worker, is past its last child.  */
bool is_emulated_cursor_at_end(const struct activation *activation) {
  return activation->child == activation->node->count;
}

/* Schedules the next event of an emulated WORKER for TIME.  The event that it waited for so far is cancelled.  */
void schedule_emulated_worker_event(struct stealing *stealing, struct worker *worker, double time) {
  push_emulated_event(&stealing->heap, (struct event){time, emulated_worker_number(stealing, worker), ++worker->stamp});
}

/* Pushes ACTIVATION on the deque of an emulated WORKER, from which idle workers may steal it.  */
void offer_to_emulated_thieves(struct stealing *stealing, struct worker *worker, struct activation *activation) {
  if (worker->head == worker->tail)
    worker->head = worker->tail = 0;
  worker->deque = grow_array(worker->deque, worker->tail, &worker->room, sizeof *worker->deque);
  worker->deque[worker->tail++] = activation;
  stealing->news = true;
}

/* Notes that an emulated SECTION has spawned the task before its cursor.  If children remain, thieves may take the
   continuation.  */
void note_emulated_spawn(struct stealing *stealing, struct worker *worker, struct activation *section) {
  section->active++;
  if (is_emulated_cursor_at_end(section))
    section->waits = true;
  else
    offer_to_emulated_thieves(stealing, worker, section);
}

/* Parks an emulated WORKER that has nothing to do, until there is something to steal.  */
void park_emulated_worker(struct stealing *stealing, struct worker *worker) {
  worker->top = NULL;
  worker->head = worker->tail = 0;
  worker->parked = true;
  worker->stamp++;
  stealing->parked++;
  stealing->news = true;
}
