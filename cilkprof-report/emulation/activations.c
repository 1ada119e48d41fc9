/* Steps of a worker through its activations.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "cilkprof-report/emulation/stealing.h"
#include "cilkprof-report/support/support.h"

/* Removes ACTIVATION from the end of the deque of an emulated WORKER.  Returns false if it is not there because a thief
   took it.  */
static bool withdraw_from_emulated_deque(struct worker *worker, const struct activation *activation) {
  bool there = worker->tail > worker->head && worker->deque[worker->tail - 1] == activation;
  worker->tail -= there;
  return there;
}

/* Result of a step: the worker can make the next one at once, or has to wait for an event.  */
enum progress { GOES_ON, TAKES_TIME };

/* Lets TIME pass before the next step of an emulated WORKER.  While the program is in no section, the other processors
   are counted as idle meanwhile.  Returns whether the worker has to wait.  */
static enum progress delay_emulated_worker(struct stealing *stealing, struct worker *worker, double time) {
  if (time <= 0)
    return GOES_ON;
  if (stealing->open_sections == 0)
    stealing->forecast.serial += time * (stealing->machine->processors - 1);
  schedule_emulated_worker_event(stealing, worker, stealing->now + time);
  return TAKES_TIME;
}

/* Removes the innermost activation from the stack of an emulated WORKER, and frees it.  */
static void pop_emulated_activation(struct stealing *stealing, struct worker *worker) {
  struct activation *top = worker->top;
  worker->top = top->parent;
  recycle_emulated_activation(stealing, top);
}

/* Lets an emulated WORKER begin NODE as a sequence, whose children run one after another.  */
static void push_emulated_worker_sequence(struct stealing *stealing, struct worker *worker,
                                          const struct tree_node *node) {
  uint64_t left = node->count > 0 ? emulated_node_children(stealing->tree, node)->repeat : 0;
  push_emulated_activation(stealing, worker, (struct activation){.kind = IN_SEQUENCE, .node = node, .left = left});
}

/* Lets an emulated WORKER enter NODE: a section, a task or a lock.  Collapses the subtree into one event if it has no
   locks and no idle worker could take a part of it.  Returns whether the worker has to wait.  */
static enum progress enter_emulated_node(struct stealing *stealing, struct worker *worker,
                                         const struct tree_node *node) {
  double cost = stealing->costs.node[node - stealing->tree->nodes];
  if (node->kind != CILKPROF_TREE_LOCK && !node->locks && cost > 0 &&
      ((stealing->parked == 0 && !stealing->fine) || !node->forks)) {
    push_emulated_activation(stealing, worker,
                             (struct activation){.kind = IN_COLLAPSED, .node = node, .started = stealing->now});
    return delay_emulated_worker(stealing, worker, cost);
  }
  if (node->kind == CILKPROF_TREE_SECTION) {
    uint64_t left = node->count > 0 ? emulated_node_children(stealing->tree, node)->repeat : 0;
    push_emulated_activation(stealing, worker, (struct activation){.kind = IN_SECTION, .node = node, .left = left});
    stealing->open_sections++;
    return GOES_ON;
  }
  push_emulated_worker_sequence(stealing, worker, node);
  if (node->kind == CILKPROF_TREE_LOCK &&
      !take_emulated_lock(&stealing->locks, node->lock, emulated_worker_number(stealing, worker), stealing->now))
    return TAKES_TIME;
  return GOES_ON;
}

/* Ends a spawned task of the section on top of the stack of an emulated WORKER.  The worker continues the section,
   unless a thief already does.  */
static void end_emulated_spawned_task(struct stealing *stealing, struct worker *worker) {
  struct activation *section = worker->top;
  section->active--;
  if (!withdraw_from_emulated_deque(worker, section) && (section->active > 0 || !section->waits))
    park_emulated_worker(stealing, worker);
}

/* Ends a sequence of an emulated WORKER, whose children are all done, and releases its lock if it has one.  The
   emulation is finished when the sequence of the program ends.  */
static enum progress end_emulated_worker_sequence(struct stealing *stealing, struct worker *worker) {
  const struct tree_node *node = worker->top->node;
  pop_emulated_activation(stealing, worker);
  if (node->kind == CILKPROF_TREE_LOCK) {
    uint32_t next = release_emulated_lock(&stealing->locks, node->lock, stealing->now);
    if (next != NOBODY)
      schedule_emulated_worker_event(stealing, &stealing->workers[next], stealing->now);
  }
  if (worker->top == NULL) {
    stealing->finished = true;
    return TAKES_TIME;
  }
  if (node->kind == CILKPROF_TREE_TASK && worker->top->kind == IN_SECTION)
    end_emulated_spawned_task(stealing, worker);
  return GOES_ON;
}

/* Lets an emulated WORKER run the next child of the sequence TOP.  In the serial part of a section, tasks are skipped.
   Returns whether the worker has to wait.  */
static enum progress step_emulated_worker_sequence(struct stealing *stealing, struct worker *worker,
                                                   struct activation *top) {
  bool locked = top->node->kind == CILKPROF_TREE_LOCK;
  if (locked && top->at == 0 && stealing->machine->overheads.lock > 0) {
    top->at = 1; /* the overhead is paid while the lock is held */
    stealing->forecast.overhead += stealing->machine->overheads.lock;
    return delay_emulated_worker(stealing, worker, stealing->machine->overheads.lock);
  }
  if (is_emulated_cursor_at_end(top))
    return end_emulated_worker_sequence(stealing, worker);
  const struct tree_child *child = &emulated_node_children(stealing->tree, top->node)[top->child];
  if (top->node->kind == CILKPROF_TREE_SECTION && is_emulated_task(stealing->tree, child)) {
    top->left = 1;
    advance_emulated_cursor(stealing, top);
    return GOES_ON;
  }
  if (child->node == NO_NODE) {
    double work = child->before * (double)top->left;
    top->left = 1;
    advance_emulated_cursor(stealing, top);
    return delay_emulated_worker(stealing, worker, work);
  }
  if (top->stage == 0) {
    top->stage = 1;
    return delay_emulated_worker(stealing, worker, child->before);
  }
  advance_emulated_cursor(stealing, top);
  return enter_emulated_node(stealing, worker, &stealing->tree->nodes[child->node]);
}

/* Ends the section on top of the stack of an emulated WORKER, which goes on after the section.  */
static enum progress end_emulated_worker_section(struct stealing *stealing, struct worker *worker) {
  stealing->open_sections--;
  pop_emulated_activation(stealing, worker);
  return GOES_ON;
}

enum { LOOP_BEGINS, LOOP_SHARES, LOOP_ENDS };

/* Advances the section of an emulated loop by one stage: first its serial part, then a range with all its tasks, then
   its end.  */
static enum progress step_emulated_loop_section(struct stealing *stealing, struct worker *worker,
                                                struct activation *section) {
  const struct tree_node *node = section->node;
  if (section->stage == LOOP_BEGINS) {
    section->stage = LOOP_SHARES;
    if (node->serial)
      push_emulated_worker_sequence(stealing, worker, node);
    return GOES_ON;
  }
  if (section->stage == LOOP_ENDS || node->tasks == 0)
    return end_emulated_worker_section(stealing, worker);
  section->active = 1;
  push_emulated_activation(stealing, worker, (struct activation){.kind = IN_RANGE, .node = node, .end = node->tasks});
  return GOES_ON;
}

/* Advances an emulated SECTION whose tasks are spawned one by one: runs its next child.  Thieves may take the
   continuation of a spawn.  */
static enum progress step_emulated_spawning_section(struct stealing *stealing, struct worker *worker,
                                                    struct activation *section) {
  if (is_emulated_cursor_at_end(section)) {
    section->waits = true;
    if (section->active == 0)
      return end_emulated_worker_section(stealing, worker);
    park_emulated_worker(stealing, worker);
    return GOES_ON;
  }
  const struct tree_child *child = &emulated_node_children(stealing->tree, section->node)[section->child];
  bool task = is_emulated_task(stealing->tree, child);
  if (section->stage == 0) {
    double times = child->node == NO_NODE ? (double)section->left : 1;
    double cost = task ? emulated_spawn_cost(stealing, section->node) : 0;
    section->stage = 1;
    return delay_emulated_worker(stealing, worker, child->before * times + cost);
  }
  if (child->node == NO_NODE)
    section->left = 1;
  advance_emulated_cursor(stealing, section);
  if (child->node == NO_NODE)
    return GOES_ON;
  if (task)
    note_emulated_spawn(stealing, worker, section);
  return enter_emulated_node(stealing, worker, &stealing->tree->nodes[child->node]);
}

/* Ends a RANGE of an emulated loop, whose tasks are done.  The worker that ends the last range of the loop continues
   after the section; others become idle.  */
static enum progress end_emulated_loop_range(struct stealing *stealing, struct worker *worker,
                                             struct activation *range) {
  struct activation *section = range->parent;
  withdraw_from_emulated_deque(worker, range);
  pop_emulated_activation(stealing, worker);
  if (--section->active == 0)
    section->stage = LOOP_ENDS;
  else
    park_emulated_worker(stealing, worker);
  return GOES_ON;
}

/* Runs the next task of a RANGE of an emulated loop, or all equal tasks that come next if they are only work.  */
static enum progress step_emulated_loop_range(struct stealing *stealing, struct worker *worker,
                                              struct activation *range) {
  const struct task_tree *tree = stealing->tree;
  if (range->stage == 0) { /* offered only now, so that a thief is not robbed before it begins */
    range->stage = 1;
    offer_to_emulated_thieves(stealing, worker, range);
  }
  if (range->task != NULL) { /* the work before the task is done */
    const struct tree_node *task = &tree->nodes[range->task->node];
    range->task = NULL;
    return enter_emulated_node(stealing, worker, task);
  }
  if (range->batch > 0) {
    range->at += range->batch;
    range->batch = 0;
  }
  if (range->at == range->end)
    return end_emulated_loop_range(stealing, worker, range);
  const struct tree_child *child = find_emulated_task_child(tree, range->node, range->at);
  double before = child->before + emulated_spawn_cost(stealing, range->node);
  if (!tree->nodes[child->node].plain) {
    range->at++;
    range->task = child;
    return delay_emulated_worker(stealing, worker, before);
  }
  uint64_t limit = child->first + child->repeat;
  range->batch = (range->end < limit ? range->end : limit) - range->at;
  range->each = before + tree->nodes[child->node].work;
  range->started = stealing->now;
  return delay_emulated_worker(stealing, worker, range->each * (double)range->batch);
}

/* Makes steps of an emulated WORKER until one takes time, nothing is left to do, or the limit of steps is reached.  */
void run_emulated_worker(struct stealing *stealing, struct worker *worker) {
  enum progress step = GOES_ON;
  while (step == GOES_ON && worker->top != NULL && ++stealing->forecast.steps < stealing->most_steps) {
    struct activation *top = worker->top;
    switch (top->kind) {
    case IN_SEQUENCE:
      step = step_emulated_worker_sequence(stealing, worker, top);
      break;
    case IN_SECTION:
      step = (top->node->spawns ? step_emulated_spawning_section : step_emulated_loop_section)(stealing, worker, top);
      break;
    case IN_RANGE:
      step = step_emulated_loop_range(stealing, worker, top);
      break;
    case IN_COLLAPSED: /* the subtree is done */ {
      enum cilkprof_tree_kind kind = top->node->kind;
      pop_emulated_activation(stealing, worker);
      if (kind == CILKPROF_TREE_TASK && worker->top->kind == IN_SECTION)
        end_emulated_spawned_task(stealing, worker);
      break;
    }
    }
  }
}

/* Lets an emulated WORKER enter NODE, and makes its further steps until one takes time.  */
void run_emulated_worker_at_node(struct stealing *stealing, struct worker *worker, const struct tree_node *node) {
  if (enter_emulated_node(stealing, worker, node) == GOES_ON)
    run_emulated_worker(stealing, worker);
}
