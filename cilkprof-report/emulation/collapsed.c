/* Expands collapsed subtrees: finds out how far a worker has come in one.
   SPDX-License-Identifier: GPL-3.0-or-later

   If one strand ends right now and the next one begins, the worker is still in the first if its event would come after
   the event of the other worker that is being handled; otherwise it is AHEAD, in the second.  */

#include <math.h>
#include "cilkprof-report/emulation/stealing.h"

/* Returns the child of NODE that an emulated worker has reached when it has spent the time DONE in NODE: the last that
   begins before DONE or, if AHEAD, at DONE.  */
static const struct tree_child *emulated_child_at_time(const struct stealing *stealing, const struct tree_node *node,
                                                       double done, bool ahead) {
  const double *before = &stealing->costs.before[node->first];
  uint64_t low = 0, high = node->count;
  while (high - low > 1) {
    uint64_t middle = low + (high - low) / 2;
    if (before[middle] < done || (ahead && before[middle] == done))
      low = middle;
    else
      high = middle;
  }
  return &emulated_node_children(stealing->tree, node)[low];
}

/* Returns whether an event of an emulated WORKER would be handled before the present one if both were at the same
   time.  */
static bool is_emulated_worker_ahead(const struct stealing *stealing, const struct worker *worker) {
  return emulated_worker_number(stealing, worker) < stealing->current;
}

/* Returns whether a part of an emulated program that takes the time TAKES is still running when the time DONE has
   passed.  */
static bool is_emulated_part_running(double done, double takes, bool ahead) {
  return done < takes || (done == takes && !ahead);
}

/* Returns the number, from 0, of the repetition that is running when the time DONE has passed.  There are REPEAT
   repetitions, and each takes EACH.  */
static uint64_t emulated_repetition_at_time(double done, double each, uint64_t repeat, bool ahead) {
  double number = ahead ? floor(done / each) : ceil(done / each) - 1;
  return number < 0 ? 0 : number < (double)repeat ? (uint64_t)number : repeat - 1;
}

/* Moves the cursor of the activation AT to the child that is running after the time *DONE, and makes *DONE relative to
   that child.  SPAWN is the overhead before a task.  Returns the time before the node of the child begins.  */
static double place_emulated_cursor(const struct stealing *stealing, struct activation *at, double *done, double spawn,
                                    bool ahead) {
  const struct tree_child *child = emulated_child_at_time(stealing, at->node, *done, ahead);
  double inside = child->node == NO_NODE ? 0 : stealing->costs.node[child->node];
  double begins = child->before + (is_emulated_task(stealing->tree, child) ? spawn : 0);
  *done -= stealing->costs.before[child - stealing->tree->children];
  uint64_t number =
      child->node == NO_NODE ? 0 : emulated_repetition_at_time(*done, begins + inside, child->repeat, ahead);
  *done -= (double)number * (begins + inside);
  at->child = (uint64_t)(child - emulated_node_children(stealing->tree, at->node));
  at->left = child->repeat - number;
  return child->node == NO_NODE ? begins * (double)child->repeat : begins;
}

/* Lets an emulated WORKER run the rest of the subtree NODE in one event; the time DONE of it has passed.  */
static void push_emulated_collapsed_subtree(struct stealing *stealing, struct worker *worker, uint32_t node,
                                            double done) {
  push_emulated_activation(
      stealing, worker,
      (struct activation){.kind = IN_COLLAPSED, .node = &stealing->tree->nodes[node], .started = stealing->now - done});
  schedule_emulated_worker_event(stealing, worker, stealing->now + stealing->costs.node[node] - done);
}

/* Expands the activation AT, a sequence or a section that spawns, into the child that an emulated WORKER has reached.
   The worker is either before the node of the child or in it.  Returns whether that node can be expanded further.  */
static bool expand_emulated_cursor(struct stealing *stealing, struct worker *worker, struct activation *at, double done,
                                   bool spawns) {
  bool ahead = is_emulated_worker_ahead(stealing, worker);
  double begins =
      place_emulated_cursor(stealing, at, &done, spawns ? emulated_spawn_cost(stealing, at->node) : 0, ahead);
  const struct tree_child *child = &emulated_node_children(stealing->tree, at->node)[at->child];
  at->stage = 1;
  if (is_emulated_part_running(done, begins, ahead) || child->node == NO_NODE) {
    if (child->node == NO_NODE && !spawns) {
      at->left = 1; /* the cursor of a sequence is already after it, that of a section that spawns is not */
      advance_emulated_cursor(stealing, at);
    }
    schedule_emulated_worker_event(stealing, worker, stealing->now + begins - done);
    return false;
  }
  advance_emulated_cursor(stealing, at);
  if (spawns && is_emulated_task(stealing->tree, child))
    note_emulated_spawn(stealing, worker, at);
  push_emulated_collapsed_subtree(stealing, worker, child->node, done - begins);
  return stealing->tree->nodes[child->node].forks;
}

/* Expands NODE, the section of a loop that an emulated WORKER has been running in one event for the time DONE, while it
   is still in its serial part, which comes before all tasks.  Pushes an activation at the child that the worker has
   reached, so that the worker goes on from there.  */
static void expand_emulated_serial_part(struct stealing *stealing, struct worker *worker, const struct tree_node *node,
                                        double done) {
  bool ahead = is_emulated_worker_ahead(stealing, worker);
  struct activation *at = push_emulated_activation(
      stealing, worker,
      (struct activation){
          .kind = IN_SEQUENCE, .node = node, .left = emulated_node_children(stealing->tree, node)->repeat});
  for (;; at->left = 1, advance_emulated_cursor(stealing, at)) {
    const struct tree_child *child = &emulated_node_children(stealing->tree, node)[at->child];
    double inside = child->node == NO_NODE ? 0 : stealing->costs.node[child->node];
    double each = child->before + inside, all = each * (double)child->repeat;
    if (is_emulated_task(stealing->tree, child))
      continue;
    if (!is_emulated_part_running(done, all, ahead)) {
      done -= all;
      continue;
    }
    uint64_t number = child->node == NO_NODE ? 0 : emulated_repetition_at_time(done, each, child->repeat, ahead);
    done -= each * (double)number;
    at->left = child->repeat - number;
    at->stage = 1;
    if (child->node == NO_NODE) {
      at->left = 1;
      advance_emulated_cursor(stealing, at);
      schedule_emulated_worker_event(stealing, worker, stealing->now + all - done);
    } else if (is_emulated_part_running(done, child->before, ahead)) {
      schedule_emulated_worker_event(stealing, worker, stealing->now + child->before - done);
    } else {
      advance_emulated_cursor(stealing, at);
      push_emulated_collapsed_subtree(stealing, worker, child->node, done - child->before);
    }
    return;
  }
}

/* Expands NODE, the section of a loop that an emulated WORKER has been running in one event for the time DONE, into a
   range of its tasks, if the worker has reached these.  Returns whether the present task can be expanded further.  */
static bool expand_emulated_loop_range(struct stealing *stealing, struct worker *worker, const struct tree_node *node,
                                       double done) {
  struct activation *range = push_emulated_activation(
      stealing, worker, (struct activation){.kind = IN_RANGE, .stage = 1, .node = node, .end = node->tasks});
  offer_to_emulated_thieves(stealing, worker, range);
  bool ahead = is_emulated_worker_ahead(stealing, worker);
  const struct tree_child *child = emulated_child_at_time(stealing, node, done, ahead);
  double begins = child->before + emulated_spawn_cost(stealing, node), inside = stealing->costs.node[child->node];
  done -= stealing->costs.before[child - stealing->tree->children];
  uint64_t number = emulated_repetition_at_time(done, begins + inside, child->repeat, ahead);
  range->at = child->first + number;
  done -= (double)number * (begins + inside);
  if (stealing->tree->nodes[child->node].plain) {
    range->batch = child->repeat - number;
    range->each = begins + inside;
    range->started = stealing->now - done;
    schedule_emulated_worker_event(stealing, worker, range->started + range->each * (double)range->batch);
    return false;
  }
  range->at++;
  if (is_emulated_part_running(done, begins, ahead)) {
    range->task = child;
    schedule_emulated_worker_event(stealing, worker, stealing->now + begins - done);
    return false;
  }
  push_emulated_collapsed_subtree(stealing, worker, child->node, done - begins);
  return stealing->tree->nodes[child->node].forks;
}

/* Expands NODE, a section that an emulated WORKER has been running for the time DONE.  Returns whether the node that
   the worker has reached in it can be expanded further.  */
static bool expand_emulated_section(struct stealing *stealing, struct worker *worker, const struct tree_node *node,
                                    double done) {
  struct activation *section =
      push_emulated_activation(stealing, worker, (struct activation){.kind = IN_SECTION, .node = node});
  stealing->open_sections++;
  if (node->spawns)
    return expand_emulated_cursor(stealing, worker, section, done, true);
  section->stage = 1; /* the tasks come next */
  double serial = stealing->costs.serial[node - stealing->tree->nodes];
  if (node->serial && is_emulated_part_running(done, serial, is_emulated_worker_ahead(stealing, worker))) {
    expand_emulated_serial_part(stealing, worker, node, done);
    return worker->top->kind == IN_COLLAPSED && worker->top->node->forks;
  }
  section->active = 1;
  return expand_emulated_loop_range(stealing, worker, node, done - serial);
}

/* Lets an emulated WORKER enter NODE again, which has just begun, this time without collapsing it.  */
static void reenter_emulated_node(struct stealing *stealing, struct worker *worker, const struct tree_node *node) {
  bool fine = stealing->fine;
  stealing->fine = true;
  run_emulated_worker_at_node(stealing, worker, node);
  stealing->fine = fine;
}

/* Replaces the collapsed subtree that an emulated WORKER runs, if it does, by activations that tell how far it has
   come, so that thieves can take parts of it.  */
void expand_emulated_subtree(struct stealing *stealing, struct worker *worker) {
  bool more = worker->top != NULL && worker->top->kind == IN_COLLAPSED && worker->top->node->forks;
  while (more) {
    struct activation *collapsed = worker->top;
    const struct tree_node *node = collapsed->node;
    double done = stealing->now - collapsed->started;
    worker->top = collapsed->parent;
    recycle_emulated_activation(stealing, collapsed);
    if (done <= 0) {
      reenter_emulated_node(stealing, worker, node);
      return;
    }
    if (node->kind == CILKPROF_TREE_SECTION) {
      more = expand_emulated_section(stealing, worker, node, done);
    } else {
      struct activation *at =
          push_emulated_activation(stealing, worker, (struct activation){.kind = IN_SEQUENCE, .node = node});
      more = expand_emulated_cursor(stealing, worker, at, done, false);
    }
  }
}

/* Removes from the batch of equal tasks of RANGE, which an emulated WORKER runs, those that have begun by now.  */
void update_emulated_batch(const struct stealing *stealing, const struct worker *worker, struct activation *range) {
  if (range->batch == 0 || range->each <= 0)
    return;
  uint64_t begun = emulated_repetition_at_time(stealing->now - range->started, range->each, range->batch,
                                               is_emulated_worker_ahead(stealing, worker));
  range->at += begun;
  range->batch -= begun;
  range->started += (double)begun * range->each;
}
