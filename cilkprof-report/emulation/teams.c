/* Emulates parallel loops of OpenMP: a discrete-event simulation of threads in teams, which share the iterations of
   sections.
   SPDX-License-Identifier: GPL-3.0-or-later

   A thread has a stack of frames: its task, a lock inside that, a section inside that and its share of the section, a
   task of the share, and so on.  A thread makes steps until something takes time, or it has to wait.  */

#include <stdlib.h>
#include "cilkprof-report/emulation/teams.h"
#include "cilkprof-report/support/support.h"

struct frame *frame_push(struct teams *teams, uint32_t number, struct frame frame) {
  struct thread *thread = &teams->threads[number];
  thread->frames = grow(thread->frames, thread->depth, &thread->room, sizeof *thread->frames);
  thread->frames[thread->depth] = frame;
  return &thread->frames[thread->depth++];
}

static void push_sequence(struct teams *teams, uint32_t thread, const struct tree_node *node) {
  uint64_t left = node->count > 0 ? children_of(teams->tree, node)->repeat : 0;
  frame_push(teams, thread, (struct frame){.kind = FRAME_SEQUENCE, .node = node, .left = left});
}

/* Result of a step: the thread can make the next one at once, or has to wait for an event.  */
enum step { GOES_ON, TAKES_TIME };

/* Lets the thread do WORK and OVERHEAD before its next step.  */
static enum step take_time(struct teams *teams, uint32_t thread, double work, double overhead) {
  teams->forecast.overhead += overhead;
  if (work + overhead <= 0)
    return GOES_ON;
  thread_work(teams, thread, work + overhead);
  return TAKES_TIME;
}

/* Ends a sequence whose children are all done.  Waits for sections with nowait, and releases the lock.  */
static enum step end_sequence(struct teams *teams, uint32_t number, struct frame *frame) {
  struct team *team = frame->team;
  if (team != NULL && team->open > 0) {
    team->leader_waits = true;
    return TAKES_TIME;
  }
  if (team != NULL)
    team_release(teams, team);
  const struct tree_node *node = frame->node;
  teams->threads[number].depth--;
  if (node->kind == CILKPROF_TREE_LOCK) {
    uint32_t next = lock_release(&teams->locks, node->lock, teams->now);
    if (next != NOBODY)
      thread_wake(teams, next);
  }
  teams->finished = number == 0 && teams->threads[number].depth == 0;
  return teams->finished ? TAKES_TIME : GOES_ON;
}

/* Advances to the next repetition of the same child, or to the next child.  */
static void next_child(const struct teams *teams, struct frame *frame) {
  frame->stage = 0;
  if (--frame->left == 0 && ++frame->child < frame->node->count)
    frame->left = children_of(teams->tree, frame->node)[frame->child].repeat;
}

/* Enters a section or takes a lock.  */
static enum step enter(struct teams *teams, uint32_t thread, const struct tree_node *node) {
  if (node->kind == CILKPROF_TREE_SECTION) {
    frame_push(teams, thread, (struct frame){.kind = FRAME_SECTION, .node = node});
    return GOES_ON;
  }
  push_sequence(teams, thread, node);
  if (!lock_take(&teams->locks, node->lock, thread, teams->now))
    return TAKES_TIME; /* the owner passes the lock on, and wakes this thread */
  return GOES_ON;
}

/* Runs the next child.  The overhead of a lock is paid while the lock is held, so that others wait for it too.  */
static enum step step_sequence(struct teams *teams, uint32_t thread, struct frame *frame) {
  if (frame->node->kind == CILKPROF_TREE_LOCK && !frame->paid) {
    frame->paid = true;
    return take_time(teams, thread, 0, teams->machine->overheads.lock);
  }
  if (frame->child == frame->node->count)
    return end_sequence(teams, thread, frame);
  const struct tree_child *child = &children_of(teams->tree, frame->node)[frame->child];
  if (frame->node->kind == CILKPROF_TREE_SECTION && is_task(teams->tree, child)) {
    frame->left = 1; /* in a section, only its serial part is run here */
    next_child(teams, frame);
    return GOES_ON;
  }
  if (child->node == NO_NODE) {
    double work = child->before * (double)frame->left;
    frame->left = 1;
    next_child(teams, frame);
    return take_time(teams, thread, work, 0);
  }
  if (frame->stage == 0) {
    frame->stage = 1;
    return take_time(teams, thread, child->before, 0);
  }
  next_child(teams, frame);
  return enter(teams, thread, &teams->tree->nodes[child->node]);
}

/* Returns the team of the sequence that contains SECTION.  Sections that do not wait for each other share it.  */
static struct team *find_team(struct teams *teams, uint32_t number, struct frame *section) {
  struct frame *around = section - 1;
  size_t place = (size_t)(around - teams->threads[number].frames);
  if (around->team == NULL) {
    struct team *team = team_make(teams, number, teams->threads[number].shares > 0);
    around = &teams->threads[number].frames[place]; /* team_make may move the threads */
    around->team = team;
  }
  return around->team;
}

enum { SECTION_BEGINS, SECTION_FORKS, SECTION_SHARES, SECTION_WAITS, SECTION_ENDS };

/* Runs the serial part of a section.  */
static enum step begin_section(struct teams *teams, uint32_t number, struct frame *frame) {
  const struct tree_node *node = frame->node;
  frame->stage = SECTION_FORKS;
  if (node->serial)
    push_sequence(teams, number, node);
  return GOES_ON;
}

/* Finds a team for the section, and pays for its fork.  */
static enum step fork_section(struct teams *teams, uint32_t number) {
  struct thread *thread = &teams->threads[number];
  size_t place = thread->depth - 1;
  if (thread->frames[place].node->tasks == 0) {
    thread->depth--;
    return GOES_ON;
  }
  teams->open_sections++;
  struct team *team = find_team(teams, number, &thread->frames[place]);
  struct frame *frame = &teams->threads[number].frames[place];
  frame->team = team;
  frame->stage = SECTION_SHARES;
  const struct overheads *overheads = &teams->machine->overheads;
  return take_time(teams, number, 0, (team->nested ? overheads->nested : overheads->fork) * (team->size - 1));
}

/* Waits for the team unless the section has nowait, and pays for the join.  */
static enum step wait_section(struct teams *teams, uint32_t number, struct frame *frame) {
  if (!frame->node->nowait && frame->team->open > 0) {
    frame->team->leader_waits = true;
    return TAKES_TIME;
  }
  frame->stage = SECTION_ENDS;
  bool joins = !frame->node->nowait && !frame->team->nested; /* a nested team has paid for it at the fork */
  return take_time(teams, number, 0, joins ? teams->machine->overheads.join * (frame->team->size - 1) : 0);
}

/* Advances a section, in its leader, to the next stage.  */
static enum step step_section(struct teams *teams, uint32_t number, struct frame *frame) {
  switch (frame->stage) {
  case SECTION_BEGINS:
    return begin_section(teams, number, frame);
  case SECTION_FORKS:
    return fork_section(teams, number);
  case SECTION_SHARES:
    frame->stage = SECTION_WAITS;
    team_begin(teams, frame->team, frame->node);
    return GOES_ON;
  case SECTION_WAITS:
    return wait_section(teams, number, frame);
  default:
    teams->open_sections--;
    teams->threads[number].depth--;
    return GOES_ON;
  }
}

/* Runs the next task of a member, or ends its share.  */
static enum step step_member(struct teams *teams, uint32_t number, struct frame *frame) {
  const struct tree_node *task;
  double work;
  if (!member_take(teams, frame, number, &work, &task)) {
    member_finish(teams, number, frame->context);
    return GOES_ON;
  }
  if (task != NULL)
    push_sequence(teams, number, task);
  return take_time(teams, number, work, 0);
}

/* Makes steps of a thread until it has to wait.  */
static void run_thread(struct teams *teams, uint32_t number) {
  enum step step = GOES_ON;
  while (step == GOES_ON && teams->threads[number].depth > 0 && ++teams->forecast.steps < teams->most_steps) {
    struct thread *thread = &teams->threads[number];
    struct frame *frame = &thread->frames[thread->depth - 1];
    step = frame->kind == FRAME_SEQUENCE  ? step_sequence(teams, number, frame)
           : frame->kind == FRAME_SECTION ? step_section(teams, number, frame)
                                          : step_member(teams, number, frame);
  }
}

/* Computes the losses.  Imbalance is the time that no other loss explains.  */
static struct forecast sum_up(struct teams *teams) {
  struct forecast *forecast = &teams->forecast;
  forecast->time = teams->now;
  forecast->cut = !teams->finished && forecast->steps >= teams->most_steps;
  forecast->deadlock = !teams->finished && !forecast->cut;
  locks_sum(&teams->locks, forecast);
  forecast->imbalance = forecast->time * teams->machine->processors - tree_root(teams->tree)->work -
                        forecast->overhead - forecast->serial - forecast->locked;
  if (forecast->imbalance < 0)
    forecast->imbalance = 0;
  return *forecast;
}

static void free_all(struct teams *teams) {
  for (size_t i = 0; i < teams->thread_count; i++)
    free(teams->threads[i].frames);
  for (struct team *team = teams->free_teams, *next; team != NULL; team = next) {
    next = team->next;
    free(team->threads);
    free(team);
  }
  for (struct context *context = teams->free_contexts, *next; context != NULL; context = next) {
    next = context->next;
    free(context);
  }
  free(teams->threads);
  free(teams->processors);
  heap_free(&teams->heap);
  heap_free(&teams->free_threads);
  locks_free(&teams->locks);
}

struct forecast emulate_teams(const struct task_tree *tree, const struct schedule *schedule,
                              const struct machine *machine) {
  struct teams teams = {.tree = tree,
                        .schedule = schedule,
                        .machine = machine,
                        .locks = locks_make(tree->lock_count),
                        .processors = allocate(machine->processors, sizeof *teams.processors)};
  for (unsigned i = 0; i < machine->processors; i++)
    teams.processors[i] = (struct processor){NOBODY, NOBODY, NOBODY};
  teams.threads = grow(NULL, 0, &teams.thread_room, sizeof *teams.threads);
  teams.threads[teams.thread_count++] = (struct thread){.next = NOBODY};
  push_sequence(&teams, 0, tree_root(tree));
  uint32_t thread = 0;
  teams.most_steps = machine->most_steps > 0 ? machine->most_steps : UINT64_MAX;
  do
    run_thread(&teams, thread);
  while (!teams.finished && teams.forecast.steps < teams.most_steps && (thread = teams_next(&teams)) != NOBODY);
  struct forecast forecast = sum_up(&teams);
  free_all(&teams);
  return forecast;
}
