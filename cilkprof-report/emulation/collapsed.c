/* Expands collapsed subtrees: finds out how far a worker has come in one.
   SPDX-License-Identifier: GPL-3.0-or-later

   If one strand ends right now and the next one begins, the worker is still in the first if its event would come after
   the event of the other worker that is being handled; otherwise it is AHEAD, in the second.  */

#include <math.h>
#include "cilkprof-report/emulation/stealing.h"

/* Returns the last child that begins before DONE or, if AHEAD, at DONE.  */
static const struct tree_child *child_at(const struct stealing *stealing, const struct tree_node *node, double done,
                                         bool ahead) {
  const double *before = &stealing->costs.before[node->first];
  uint64_t low = 0, high = node->count;
  while (high - low > 1) {
    uint64_t middle = low + (high - low) / 2;
    if (before[middle] < done || (ahead && before[middle] == done))
      low = middle;
    else
      high = middle;
  }
  return &children_of(stealing->tree, node)[low];
}

/* Returns whether the event of WORKER would come before the one that is being handled.  */
static bool is_ahead(const struct stealing *stealing, const struct worker *worker) {
  return worker_number(stealing, worker) < stealing->current;
}

/* Returns whether something that takes TAKES is still running after DONE.  */
static bool is_in(double done, double takes, bool ahead) {
  return done < takes || (done == takes && !ahead);
}

/* Returns which of REPEAT repetitions, each of which takes EACH, is running after DONE.  */
static uint64_t number_at(double done, double each, uint64_t repeat, bool ahead) {
  double number = ahead ? floor(done / each) : ceil(done / each) - 1;
  return number < 0 ? 0 : number < (double)repeat ? (uint64_t)number : repeat - 1;
}

/* Moves the cursor of AT to the child that is running after *DONE, and makes *DONE relative to that child.  Returns the
   time before the node of the child begins.  */
static double place_cursor(const struct stealing *stealing, struct activation *at, double *done, double spawn,
                           bool ahead) {
  const struct tree_child *child = child_at(stealing, at->node, *done, ahead);
  double inside = child->node == NO_NODE ? 0 : stealing->costs.node[child->node];
  double begins = child->before + (is_task(stealing->tree, child) ? spawn : 0);
  *done -= stealing->costs.before[child - stealing->tree->children];
  uint64_t number = child->node == NO_NODE ? 0 : number_at(*done, begins + inside, child->repeat, ahead);
  *done -= (double)number * (begins + inside);
  at->child = (uint64_t)(child - children_of(stealing->tree, at->node));
  at->left = child->repeat - number;
  return child->node == NO_NODE ? begins * (double)child->repeat : begins;
}

/* Pushes a collapsed subtree of which DONE is already done.  */
static void push_collapsed(struct stealing *stealing, struct worker *worker, uint32_t node, double done) {
  activation_push(
      stealing, worker,
      (struct activation){.kind = IN_COLLAPSED, .node = &stealing->tree->nodes[node], .started = stealing->now - done});
  worker_until(stealing, worker, stealing->now + stealing->costs.node[node] - done);
}

/* Expands a sequence, or a section that spawns, into the child that the worker has reached.  The worker is either
   before the node of the child or in it.  Returns whether that node can be expanded further.  */
static bool open_cursor(struct stealing *stealing, struct worker *worker, struct activation *at, double done,
                        bool spawns) {
  bool ahead = is_ahead(stealing, worker);
  double begins = place_cursor(stealing, at, &done, spawns ? spawn_cost(stealing, at->node) : 0, ahead);
  const struct tree_child *child = &children_of(stealing->tree, at->node)[at->child];
  at->stage = 1;
  if (is_in(done, begins, ahead) || child->node == NO_NODE) {
    if (child->node == NO_NODE && !spawns) {
      at->left = 1; /* the cursor of a sequence is already after it, that of a section that spawns is not */
      cursor_next(stealing, at);
    }
    worker_until(stealing, worker, stealing->now + begins - done);
    return false;
  }
  cursor_next(stealing, at);
  if (spawns && is_task(stealing->tree, child))
    section_spawned(stealing, worker, at);
  push_collapsed(stealing, worker, child->node, done - begins);
  return stealing->tree->nodes[child->node].forks;
}

/* Expands the section of a loop if the worker is in its serial part, which comes first.  Children that are tasks are
   skipped.  */
static void open_serial(struct stealing *stealing, struct worker *worker, const struct tree_node *node, double done) {
  bool ahead = is_ahead(stealing, worker);
  struct activation *at = activation_push(
      stealing, worker,
      (struct activation){.kind = IN_SEQUENCE, .node = node, .left = children_of(stealing->tree, node)->repeat});
  for (;; at->left = 1, cursor_next(stealing, at)) {
    const struct tree_child *child = &children_of(stealing->tree, node)[at->child];
    double inside = child->node == NO_NODE ? 0 : stealing->costs.node[child->node];
    double each = child->before + inside, all = each * (double)child->repeat;
    if (is_task(stealing->tree, child))
      continue;
    if (!is_in(done, all, ahead)) {
      done -= all;
      continue;
    }
    uint64_t number = child->node == NO_NODE ? 0 : number_at(done, each, child->repeat, ahead);
    done -= each * (double)number;
    at->left = child->repeat - number;
    at->stage = 1;
    if (child->node == NO_NODE) {
      at->left = 1;
      cursor_next(stealing, at);
      worker_until(stealing, worker, stealing->now + all - done);
    } else if (is_in(done, child->before, ahead)) {
      worker_until(stealing, worker, stealing->now + child->before - done);
    } else {
      cursor_next(stealing, at);
      push_collapsed(stealing, worker, child->node, done - child->before);
    }
    return;
  }
}

/* Expands the section of a loop if the worker is in its tasks.  Returns whether the task can be expanded further.  */
static bool open_range(struct stealing *stealing, struct worker *worker, const struct tree_node *node, double done) {
  struct activation *range = activation_push(
      stealing, worker, (struct activation){.kind = IN_RANGE, .stage = 1, .node = node, .end = node->tasks});
  worker_offer(stealing, worker, range);
  bool ahead = is_ahead(stealing, worker);
  const struct tree_child *child = child_at(stealing, node, done, ahead);
  double begins = child->before + spawn_cost(stealing, node), inside = stealing->costs.node[child->node];
  done -= stealing->costs.before[child - stealing->tree->children];
  uint64_t number = number_at(done, begins + inside, child->repeat, ahead);
  range->at = child->first + number;
  done -= (double)number * (begins + inside);
  if (stealing->tree->nodes[child->node].plain) {
    range->batch = child->repeat - number;
    range->each = begins + inside;
    range->started = stealing->now - done;
    worker_until(stealing, worker, range->started + range->each * (double)range->batch);
    return false;
  }
  range->at++;
  if (is_in(done, begins, ahead)) {
    range->task = child;
    worker_until(stealing, worker, stealing->now + begins - done);
    return false;
  }
  push_collapsed(stealing, worker, child->node, done - begins);
  return stealing->tree->nodes[child->node].forks;
}

/* Expands a section.  Returns whether the node that the worker has reached can be expanded further.  */
static bool open_section(struct stealing *stealing, struct worker *worker, const struct tree_node *node, double done) {
  struct activation *section = activation_push(stealing, worker, (struct activation){.kind = IN_SECTION, .node = node});
  stealing->open_sections++;
  if (node->spawns)
    return open_cursor(stealing, worker, section, done, true);
  section->stage = 1; /* the tasks come next */
  double serial = stealing->costs.serial[node - stealing->tree->nodes];
  if (node->serial && is_in(done, serial, is_ahead(stealing, worker))) {
    open_serial(stealing, worker, node, done);
    return worker->top->kind == IN_COLLAPSED && worker->top->node->forks;
  }
  section->active = 1;
  return open_range(stealing, worker, node, done - serial);
}

/* Enters NODE again, without collapsing it: it has just begun.  */
static void enter_expanded(struct stealing *stealing, struct worker *worker, const struct tree_node *node) {
  bool fine = stealing->fine;
  stealing->fine = true;
  worker_enter(stealing, worker, node);
  stealing->fine = fine;
}

void collapsed_expand(struct stealing *stealing, struct worker *worker) {
  bool more = worker->top != NULL && worker->top->kind == IN_COLLAPSED && worker->top->node->forks;
  while (more) {
    struct activation *collapsed = worker->top;
    const struct tree_node *node = collapsed->node;
    double done = stealing->now - collapsed->started;
    worker->top = collapsed->parent;
    activation_free(stealing, collapsed);
    if (done <= 0) {
      enter_expanded(stealing, worker, node);
      return;
    }
    if (node->kind == CILKPROF_TREE_SECTION) {
      more = open_section(stealing, worker, node, done);
    } else {
      struct activation *at = activation_push(stealing, worker, (struct activation){.kind = IN_SEQUENCE, .node = node});
      more = open_cursor(stealing, worker, at, done, false);
    }
  }
}

void range_update(const struct stealing *stealing, const struct worker *worker, struct activation *range) {
  if (range->batch == 0 || range->each <= 0)
    return;
  uint64_t begun = number_at(stealing->now - range->started, range->each, range->batch, is_ahead(stealing, worker));
  range->at += begun;
  range->batch -= begun;
  range->started += (double)begun * range->each;
}
