/* Emulates parallel loops of OpenMP: a discrete-event simulation of threads in teams, which share the iterations of
   sections.
   SPDX-License-Identifier: GPL-3.0-or-later

   A thread has a stack of frames: its task, a lock inside that, a section inside that and its share of the section, a
   task of the share, and so on.  A thread makes steps until something takes time, or it has to wait.  */

#include <stdlib.h>
#include "cilkprof-report/emulation/teams.h"
#include "cilkprof-report/support/support.h"

/* Pushes a copy of FRAME on the stack of emulated OpenMP thread NUMBER, and returns the copy, which moves when the
   stack grows.  */
struct frame *push_emulated_frame(struct teams *teams, uint32_t number, struct frame frame) {
  struct thread *thread = &teams->threads[number];
  thread->frames = grow_array(thread->frames, thread->depth, &thread->room, sizeof *thread->frames);
  thread->frames[thread->depth] = frame;
  return &thread->frames[thread->depth++];
}

/* Lets an emulated OpenMP thread begin NODE as a sequence, whose children run one after another.  */
static void push_emulated_thread_sequence(struct teams *teams, uint32_t thread, const struct tree_node *node) {
  uint64_t left = node->count > 0 ? emulated_node_children(teams->tree, node)->repeat : 0;
  push_emulated_frame(teams, thread, (struct frame){.kind = FRAME_SEQUENCE, .node = node, .left = left});
}

/* Result of a step: the thread can make the next one at once, or has to wait for an event.  */
enum step { GOES_ON, TAKES_TIME };

/* Lets an emulated OpenMP thread do WORK and OVERHEAD before its next step.  Returns whether it has to wait.  */
static enum step delay_emulated_thread(struct teams *teams, uint32_t thread, double work, double overhead) {
  teams->forecast.overhead += overhead;
  if (work + overhead <= 0)
    return GOES_ON;
  let_emulated_thread_work(teams, thread, work + overhead);
  return TAKES_TIME;
}

/* Ends a sequence of an emulated OpenMP thread, whose children are all done.  Waits for sections with nowait, releases
   the team, and releases the lock if the sequence holds one.  */
static enum step end_emulated_thread_sequence(struct teams *teams, uint32_t number, struct frame *frame) {
  struct team *team = frame->team;
  if (team != NULL && team->open > 0) {
    team->leader_waits = true;
    return TAKES_TIME;
  }
  if (team != NULL)
    release_emulated_team(teams, team);
  const struct tree_node *node = frame->node;
  teams->threads[number].depth--;
  if (node->kind == CILKPROF_TREE_LOCK) {
    uint32_t next = release_emulated_lock(&teams->locks, node->lock, teams->now);
    if (next != NOBODY)
      wake_emulated_thread(teams, next);
  }
  teams->finished = number == 0 && teams->threads[number].depth == 0;
  return teams->finished ? TAKES_TIME : GOES_ON;
}

/* Advances FRAME of an emulated OpenMP thread to the next repetition of the same child, or to the next child.  */
static void advance_emulated_frame(const struct teams *teams, struct frame *frame) {
  frame->stage = 0;
  if (--frame->left == 0 && ++frame->child < frame->node->count)
    frame->left = emulated_node_children(teams->tree, frame->node)[frame->child].repeat;
}

/* Lets an emulated OpenMP thread enter NODE, which is a section or a lock.  Returns whether it has to wait for the
   lock.  */
static enum step enter_emulated_section_or_lock(struct teams *teams, uint32_t thread, const struct tree_node *node) {
  if (node->kind == CILKPROF_TREE_SECTION) {
    push_emulated_frame(teams, thread, (struct frame){.kind = FRAME_SECTION, .node = node});
    return GOES_ON;
  }
  push_emulated_thread_sequence(teams, thread, node);
  if (!take_emulated_lock(&teams->locks, node->lock, thread, teams->now))
    return TAKES_TIME; /* the owner passes the lock on, and wakes this thread */
  return GOES_ON;
}

/* Lets an emulated OpenMP thread run the next child of a sequence.  The overhead of a lock is paid while the lock is
   held, so that others wait for it too.  */
static enum step step_emulated_thread_sequence(struct teams *teams, uint32_t thread, struct frame *frame) {
  if (frame->node->kind == CILKPROF_TREE_LOCK && !frame->paid) {
    frame->paid = true;
    return delay_emulated_thread(teams, thread, 0, teams->machine->overheads.lock);
  }
  if (frame->child == frame->node->count)
    return end_emulated_thread_sequence(teams, thread, frame);
  const struct tree_child *child = &emulated_node_children(teams->tree, frame->node)[frame->child];
  if (frame->node->kind == CILKPROF_TREE_SECTION && is_emulated_task(teams->tree, child)) {
    frame->left = 1; /* in a section, only its serial part is run here */
    advance_emulated_frame(teams, frame);
    return GOES_ON;
  }
  if (child->node == NO_NODE) {
    double work = child->before * (double)frame->left;
    frame->left = 1;
    advance_emulated_frame(teams, frame);
    return delay_emulated_thread(teams, thread, work, 0);
  }
  if (frame->stage == 0) {
    frame->stage = 1;
    return delay_emulated_thread(teams, thread, child->before, 0);
  }
  advance_emulated_frame(teams, frame);
  return enter_emulated_section_or_lock(teams, thread, &teams->tree->nodes[child->node]);
}

/* Returns the team that runs SECTION of an emulated OpenMP thread.  Sections of the same sequence share a team, which
   is made for the first of them.  */
static struct team *find_emulated_team(struct teams *teams, uint32_t number, struct frame *section) {
  struct frame *around = section - 1;
  size_t place = (size_t)(around - teams->threads[number].frames);
  if (around->team == NULL) {
    struct team *team = make_emulated_team(teams, number, teams->threads[number].shares > 0);
    around = &teams->threads[number].frames[place]; /* make_emulated_team may move the threads */
    around->team = team;
  }
  return around->team;
}

enum { SECTION_BEGINS, SECTION_FORKS, SECTION_SHARES, SECTION_WAITS, SECTION_ENDS };

/* Lets the leader of an emulated section run its serial part, if it has one, before it forks.  */
static enum step begin_emulated_section(struct teams *teams, uint32_t number, struct frame *frame) {
  const struct tree_node *node = frame->node;
  frame->stage = SECTION_FORKS;
  if (node->serial)
    push_emulated_thread_sequence(teams, number, node);
  return GOES_ON;
}

/* Finds a team for the emulated section on top of the leader's stack, and pays for its fork.  A section without tasks
   ends here.  */
static enum step fork_emulated_section(struct teams *teams, uint32_t number) {
  struct thread *thread = &teams->threads[number];
  size_t place = thread->depth - 1;
  if (thread->frames[place].node->tasks == 0) {
    thread->depth--;
    return GOES_ON;
  }
  teams->open_sections++;
  struct team *team = find_emulated_team(teams, number, &thread->frames[place]);
  struct frame *frame = &teams->threads[number].frames[place];
  frame->team = team;
  frame->stage = SECTION_SHARES;
  const struct overheads *overheads = &teams->machine->overheads;
  return delay_emulated_thread(teams, number, 0,
                               (team->nested ? overheads->nested : overheads->fork) * (team->size - 1));
}

/* Lets the leader of an emulated section wait for its team, unless the section has nowait, and pay for the join.  */
static enum step join_emulated_section(struct teams *teams, uint32_t number, struct frame *frame) {
  if (!frame->node->nowait && frame->team->open > 0) {
    frame->team->leader_waits = true;
    return TAKES_TIME;
  }
  frame->stage = SECTION_ENDS;
  bool joins = !frame->node->nowait && !frame->team->nested; /* a nested team has paid for it at the fork */
  return delay_emulated_thread(teams, number, 0, joins ? teams->machine->overheads.join * (frame->team->size - 1) : 0);
}

/* Advances an emulated section, in its leader, to the next stage: serial part, fork, shares, join, end.  */
static enum step step_emulated_section(struct teams *teams, uint32_t number, struct frame *frame) {
  switch (frame->stage) {
  case SECTION_BEGINS:
    return begin_emulated_section(teams, number, frame);
  case SECTION_FORKS:
    return fork_emulated_section(teams, number);
  case SECTION_SHARES:
    frame->stage = SECTION_WAITS;
    begin_emulated_team_section(teams, frame->team, frame->node);
    return GOES_ON;
  case SECTION_WAITS:
    return join_emulated_section(teams, number, frame);
  default:
    teams->open_sections--;
    teams->threads[number].depth--;
    return GOES_ON;
  }
}

/* Lets a member of an emulated team run the next task of its share, or end the share.  */
static enum step step_emulated_member(struct teams *teams, uint32_t number, struct frame *frame) {
  const struct tree_node *task;
  double work;
  if (!take_emulated_member_task(teams, frame, number, &work, &task)) {
    finish_emulated_member_share(teams, number, frame->context);
    return GOES_ON;
  }
  if (task != NULL)
    push_emulated_thread_sequence(teams, number, task);
  return delay_emulated_thread(teams, number, work, 0);
}

/* Makes steps of an emulated OpenMP thread until it has to wait, or the limit of steps is reached.  */
static void run_emulated_thread(struct teams *teams, uint32_t number) {
  enum step step = GOES_ON;
  while (step == GOES_ON && teams->threads[number].depth > 0 && ++teams->forecast.steps < teams->most_steps) {
    struct thread *thread = &teams->threads[number];
    struct frame *frame = &thread->frames[thread->depth - 1];
    step = frame->kind == FRAME_SEQUENCE  ? step_emulated_thread_sequence(teams, number, frame)
           : frame->kind == FRAME_SECTION ? step_emulated_section(teams, number, frame)
                                          : step_emulated_member(teams, number, frame);
  }
}

/* Completes the forecast of an emulation of teams with its time and losses, and returns it.  Imbalance is the time that
   no other loss explains.  */
static struct forecast sum_emulated_team_losses(struct teams *teams) {
  struct forecast *forecast = &teams->forecast;
  forecast->time = teams->now;
  forecast->cut = !teams->finished && forecast->steps >= teams->most_steps;
  forecast->deadlock = !teams->finished && !forecast->cut;
  sum_emulated_lock_waits(&teams->locks, forecast);
  forecast->imbalance = forecast->time * teams->machine->processors - emulated_tree_root(teams->tree)->work -
                        forecast->overhead - forecast->serial - forecast->locked;
  if (forecast->imbalance < 0)
    forecast->imbalance = 0;
  return *forecast;
}

/* Frees the threads, teams, processors, events and locks of an emulation of teams.  */
static void free_emulated_teams(struct teams *teams) {
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
  free_emulated_events(&teams->heap);
  free_emulated_events(&teams->free_threads);
  free_emulated_locks(&teams->locks);
}

/* Emulates TREE under a SCHEDULE of OpenMP loops (static, dynamic or guided) on MACHINE.  Returns the forecast.  */
struct forecast emulate_teams(const struct task_tree *tree, const struct schedule *schedule,
                              const struct machine *machine) {
  struct teams teams = {.tree = tree,
                        .schedule = schedule,
                        .machine = machine,
                        .locks = make_emulated_locks(tree->lock_count),
                        .processors = allocate(machine->processors, sizeof *teams.processors)};
  for (unsigned i = 0; i < machine->processors; i++)
    teams.processors[i] = (struct processor){NOBODY, NOBODY, NOBODY};
  teams.threads = grow_array(NULL, 0, &teams.thread_room, sizeof *teams.threads);
  teams.threads[teams.thread_count++] = (struct thread){.next = NOBODY};
  push_emulated_thread_sequence(&teams, 0, emulated_tree_root(tree));
  uint32_t thread = 0;
  teams.most_steps = machine->most_steps > 0 ? machine->most_steps : UINT64_MAX;
  do
    run_emulated_thread(&teams, thread);
  while (!teams.finished && teams.forecast.steps < teams.most_steps &&
         (thread = advance_emulated_teams(&teams)) != NOBODY);
  struct forecast forecast = sum_emulated_team_losses(&teams);
  free_emulated_teams(&teams);
  return forecast;
}
