/* Steps of a worker through its activations.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "cilkprof-report/emulation/stealing.h"
#include "cilkprof-report/support/support.h"

/* Pops the activation from the deque, unless a thief took it.  */
static bool withdraw(struct worker *worker, const struct activation *activation) {
  bool there = worker->tail > worker->head && worker->deque[worker->tail - 1] == activation;
  worker->tail -= there;
  return there;
}

/* Result of a step: the worker can make the next one at once, or has to wait for an event.  */
enum progress { GOES_ON, TAKES_TIME };

/* Lets TIME pass before the next step of the worker.  */
static enum progress take_time(struct stealing *stealing, struct worker *worker, double time) {
  if (time <= 0)
    return GOES_ON;
  if (stealing->open_sections == 0)
    stealing->forecast.serial += time * (stealing->machine->processors - 1);
  worker_until(stealing, worker, stealing->now + time);
  return TAKES_TIME;
}

static void pop(struct stealing *stealing, struct worker *worker) {
  struct activation *top = worker->top;
  worker->top = top->parent;
  activation_free(stealing, top);
}

static void push_sequence(struct stealing *stealing, struct worker *worker, const struct tree_node *node) {
  uint64_t left = node->count > 0 ? children_of(stealing->tree, node)->repeat : 0;
  activation_push(stealing, worker, (struct activation){.kind = IN_SEQUENCE, .node = node, .left = left});
}

/* Enters NODE.  Collapses the subtree if it has no locks and no idle worker could take a part of it.  */
static enum progress enter(struct stealing *stealing, struct worker *worker, const struct tree_node *node) {
  double cost = stealing->costs.node[node - stealing->tree->nodes];
  if (node->kind != CILKPROF_TREE_LOCK && !node->locks && cost > 0 &&
      ((stealing->parked == 0 && !stealing->fine) || !node->forks)) {
    activation_push(stealing, worker,
                    (struct activation){.kind = IN_COLLAPSED, .node = node, .started = stealing->now});
    return take_time(stealing, worker, cost);
  }
  if (node->kind == CILKPROF_TREE_SECTION) {
    uint64_t left = node->count > 0 ? children_of(stealing->tree, node)->repeat : 0;
    activation_push(stealing, worker, (struct activation){.kind = IN_SECTION, .node = node, .left = left});
    stealing->open_sections++;
    return GOES_ON;
  }
  push_sequence(stealing, worker, node);
  if (node->kind == CILKPROF_TREE_LOCK &&
      !lock_take(&stealing->locks, node->lock, worker_number(stealing, worker), stealing->now))
    return TAKES_TIME;
  return GOES_ON;
}

/* Ends a spawned task.  Its worker continues the section, unless a thief already does.  */
static void end_spawned(struct stealing *stealing, struct worker *worker) {
  struct activation *section = worker->top;
  section->active--;
  if (!withdraw(worker, section) && (section->active > 0 || !section->waits))
    worker_idle(stealing, worker);
}

/* Ends a sequence whose children are all done, and releases its lock if it has one.  */
static enum progress end_sequence(struct stealing *stealing, struct worker *worker) {
  const struct tree_node *node = worker->top->node;
  pop(stealing, worker);
  if (node->kind == CILKPROF_TREE_LOCK) {
    uint32_t next = lock_release(&stealing->locks, node->lock, stealing->now);
    if (next != NOBODY)
      worker_until(stealing, &stealing->workers[next], stealing->now);
  }
  if (worker->top == NULL) {
    stealing->finished = true;
    return TAKES_TIME;
  }
  if (node->kind == CILKPROF_TREE_TASK && worker->top->kind == IN_SECTION)
    end_spawned(stealing, worker);
  return GOES_ON;
}

/* Runs the next child of a sequence.  In the serial part of a section, tasks are skipped.  */
static enum progress step_sequence(struct stealing *stealing, struct worker *worker, struct activation *top) {
  bool locked = top->node->kind == CILKPROF_TREE_LOCK;
  if (locked && top->at == 0 && stealing->machine->overheads.lock > 0) {
    top->at = 1; /* the overhead is paid while the lock is held */
    stealing->forecast.overhead += stealing->machine->overheads.lock;
    return take_time(stealing, worker, stealing->machine->overheads.lock);
  }
  if (cursor_ended(top))
    return end_sequence(stealing, worker);
  const struct tree_child *child = &children_of(stealing->tree, top->node)[top->child];
  if (top->node->kind == CILKPROF_TREE_SECTION && is_task(stealing->tree, child)) {
    top->left = 1;
    cursor_next(stealing, top);
    return GOES_ON;
  }
  if (child->node == NO_NODE) {
    double work = child->before * (double)top->left;
    top->left = 1;
    cursor_next(stealing, top);
    return take_time(stealing, worker, work);
  }
  if (top->stage == 0) {
    top->stage = 1;
    return take_time(stealing, worker, child->before);
  }
  cursor_next(stealing, top);
  return enter(stealing, worker, &stealing->tree->nodes[child->node]);
}

static enum progress end_section(struct stealing *stealing, struct worker *worker) {
  stealing->open_sections--;
  pop(stealing, worker);
  return GOES_ON;
}

enum { LOOP_BEGINS, LOOP_SHARES, LOOP_ENDS };

/* Steps through the section of a loop: first its serial part, then a range with all its tasks.  */
static enum progress step_loop(struct stealing *stealing, struct worker *worker, struct activation *section) {
  const struct tree_node *node = section->node;
  if (section->stage == LOOP_BEGINS) {
    section->stage = LOOP_SHARES;
    if (node->serial)
      push_sequence(stealing, worker, node);
    return GOES_ON;
  }
  if (section->stage == LOOP_ENDS || node->tasks == 0)
    return end_section(stealing, worker);
  section->active = 1;
  activation_push(stealing, worker, (struct activation){.kind = IN_RANGE, .node = node, .end = node->tasks});
  return GOES_ON;
}

/* Steps through a section whose tasks are spawned one by one: thieves may take the continuation of a spawn.  */
static enum progress step_spawns(struct stealing *stealing, struct worker *worker, struct activation *section) {
  if (cursor_ended(section)) {
    section->waits = true;
    if (section->active == 0)
      return end_section(stealing, worker);
    worker_idle(stealing, worker);
    return GOES_ON;
  }
  const struct tree_child *child = &children_of(stealing->tree, section->node)[section->child];
  bool task = is_task(stealing->tree, child);
  if (section->stage == 0) {
    double times = child->node == NO_NODE ? (double)section->left : 1;
    double cost = task ? spawn_cost(stealing, section->node) : 0;
    section->stage = 1;
    return take_time(stealing, worker, child->before * times + cost);
  }
  if (child->node == NO_NODE)
    section->left = 1;
  cursor_next(stealing, section);
  if (child->node == NO_NODE)
    return GOES_ON;
  if (task)
    section_spawned(stealing, worker, section);
  return enter(stealing, worker, &stealing->tree->nodes[child->node]);
}

/* Ends a range whose tasks are done.  The worker that ends the last range continues after the section.  */
static enum progress end_range(struct stealing *stealing, struct worker *worker, struct activation *range) {
  struct activation *section = range->parent;
  withdraw(worker, range);
  pop(stealing, worker);
  if (--section->active == 0)
    section->stage = LOOP_ENDS;
  else
    worker_idle(stealing, worker);
  return GOES_ON;
}

/* Runs the next task of a range, or all equal tasks that come next if they are only work.  */
static enum progress step_range(struct stealing *stealing, struct worker *worker, struct activation *range) {
  const struct task_tree *tree = stealing->tree;
  if (range->stage == 0) { /* offered only now, so that a thief is not robbed before it begins */
    range->stage = 1;
    worker_offer(stealing, worker, range);
  }
  if (range->task != NULL) { /* the work before the task is done */
    const struct tree_node *task = &tree->nodes[range->task->node];
    range->task = NULL;
    return enter(stealing, worker, task);
  }
  if (range->batch > 0) {
    range->at += range->batch;
    range->batch = 0;
  }
  if (range->at == range->end)
    return end_range(stealing, worker, range);
  const struct tree_child *child = task_child(tree, range->node, range->at);
  double before = child->before + spawn_cost(stealing, range->node);
  if (!tree->nodes[child->node].plain) {
    range->at++;
    range->task = child;
    return take_time(stealing, worker, before);
  }
  uint64_t limit = child->first + child->repeat;
  range->batch = (range->end < limit ? range->end : limit) - range->at;
  range->each = before + tree->nodes[child->node].work;
  range->started = stealing->now;
  return take_time(stealing, worker, range->each * (double)range->batch);
}

void worker_go_on(struct stealing *stealing, struct worker *worker) {
  enum progress step = GOES_ON;
  while (step == GOES_ON && worker->top != NULL && ++stealing->forecast.steps < stealing->most_steps) {
    struct activation *top = worker->top;
    switch (top->kind) {
    case IN_SEQUENCE:
      step = step_sequence(stealing, worker, top);
      break;
    case IN_SECTION:
      step = (top->node->spawns ? step_spawns : step_loop)(stealing, worker, top);
      break;
    case IN_RANGE:
      step = step_range(stealing, worker, top);
      break;
    case IN_COLLAPSED: /* the subtree is done */ {
      enum cilkprof_tree_kind kind = top->node->kind;
      pop(stealing, worker);
      if (kind == CILKPROF_TREE_TASK && worker->top->kind == IN_SECTION)
        end_spawned(stealing, worker);
      break;
    }
    }
  }
}

void worker_enter(struct stealing *stealing, struct worker *worker, const struct tree_node *node) {
  if (enter(stealing, worker, node) == GOES_ON)
    worker_go_on(stealing, worker);
}
