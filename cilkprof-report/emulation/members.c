/* Teams, their threads, and the tasks that each member takes of a section.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include "cilkprof-report/emulation/teams.h"
#include "cilkprof-report/support/support.h"

enum {
  MAX_THREADS = 4096, /* a team that would exceed it has one thread, as with the thread limit of OpenMP */
  LEAST_ROUNDS = 4,   /* rounds of equal tasks that are worth skipping */
};

/* Returns the number of the lowest free thread of an emulated OpenMP program; makes one if all are taken.  */
static uint32_t take_free_emulated_thread(struct teams *teams) {
  if (teams->free_threads.count > 0)
    return pop_emulated_event(&teams->free_threads).thread;
  teams->threads = grow_array(teams->threads, teams->thread_count, &teams->thread_room, sizeof *teams->threads);
  teams->threads[teams->thread_count] = (struct thread){.next = NOBODY};
  return (uint32_t)teams->thread_count++;
}

/* Returns the number of threads of a new emulated team.  A NESTED team has one thread if nested sections run serially
   or there are too many threads already.  */
static unsigned emulated_team_size(const struct teams *teams, bool nested) {
  size_t taken = teams->thread_count - teams->free_threads.count;
  if (!nested)
    return teams->machine->processors;
  return teams->machine->nesting == NESTING_SERIAL || taken + teams->machine->processors > MAX_THREADS
             ? 1
             : teams->machine->processors;
}

/* Makes a team of LEADER and free threads of the emulated OpenMP program.  The members are idle until a section
   begins.  */
struct team *make_emulated_team(struct teams *teams, uint32_t leader, bool nested) {
  struct team *team = teams->free_teams;
  unsigned size = emulated_team_size(teams, nested), first = teams->threads[leader].processor;
  if (team != NULL)
    teams->free_teams = team->next;
  else
    team = allocate(1, sizeof *team);
  *team =
      (struct team){.threads = reallocate(team->threads, size, sizeof *team->threads), .size = size, .nested = nested};
  team->threads[0] = leader;
  for (unsigned i = 1; i < size; i++) {
    uint32_t number = team->threads[i] = take_free_emulated_thread(teams);
    struct thread *thread = &teams->threads[number];
    *thread = (struct thread){.frames = thread->frames,
                              .room = thread->room,
                              .team = team,
                              .member = i,
                              .processor = (first + i) % teams->machine->processors,
                              .idle = true,
                              .next = NOBODY};
  }
  return team;
}

/* Frees an emulated team and its threads, except for the leader, for other teams.  */
void release_emulated_team(struct teams *teams, struct team *team) {
  for (unsigned i = 1; i < team->size; i++)
    push_emulated_event(&teams->free_threads, (struct event){0, team->threads[i], 0});
  team->next = teams->free_teams;
  teams->free_teams = team;
}

/* Begins the share of MEMBER of an emulated team in the section of CONTEXT.  */
static void begin_emulated_member_share(struct teams *teams, struct team *team, unsigned member,
                                        struct context *context) {
  uint32_t number = team->threads[member];
  push_emulated_frame(teams, number,
                      (struct frame){.kind = FRAME_MEMBER,
                                     .node = context->section,
                                     .team = team,
                                     .context = context,
                                     .range = begin_emulated_chunks(&context->shares, member)});
  teams->threads[number].step = NULL;
  teams->threads[number].shares++;
}

/* Begins SECTION in an emulated team.  The leader continues by itself.  Other members begin now if they are idle, or
   when they have finished their present section.  Idle members for which there are no iterations do not begin.  */
struct context *begin_emulated_team_section(struct teams *teams, struct team *team, const struct tree_node *section) {
  struct context *context = teams->free_contexts;
  if (context != NULL)
    teams->free_contexts = context->next;
  else
    context = allocate(1, sizeof *context);
  *context = (struct context){
      .section = section, .shares = {teams->schedule, section->tasks, 0, team->size}, .unfinished = team->size};
  unsigned wanted = emulated_members_with_iterations(&context->shares);
  team->open++;
  teams->forecast.steps += team->size; /* the loop below looks at each member */
  if (team->last != NULL)
    team->last->next = context;
  team->last = context;
  begin_emulated_member_share(teams, team, 0, context);
  for (unsigned i = 1; i < team->size; i++) {
    struct thread *thread = &teams->threads[team->threads[i]];
    if (!thread->idle)
      continue;
    if (i >= wanted) {
      context->unfinished--;
      continue;
    }
    thread->idle = false;
    begin_emulated_member_share(teams, team, i, context);
    wake_emulated_thread(teams, team->threads[i]);
  }
  return context;
}

/* Frees CONTEXT, a section that all members of an emulated team have finished, and wakes the leader if it waits.
   Members that were idle meanwhile had no iterations in it.  */
static void finish_emulated_team_section(struct teams *teams, struct team *team, struct context *context) {
  team->open--;
  if (team->last == context)
    team->last = NULL;
  context->next = teams->free_contexts;
  teams->free_contexts = context;
  if (team->open == 0 && team->leader_waits) {
    team->leader_waits = false;
    wake_emulated_thread(teams, team->threads[0]);
  }
}

/* Ends the share of emulated thread NUMBER in CONTEXT.  The thread goes on with the next section of its team, or is
   idle.  */
void finish_emulated_member_share(struct teams *teams, uint32_t number, struct context *context) {
  struct thread *thread = &teams->threads[number];
  struct team *team = thread->frames[thread->depth - 1].team;
  struct context *next = context->next;
  bool leads = team->threads[0] == number;
  thread->depth--;
  thread->shares--;
  if (!leads && next != NULL)
    begin_emulated_member_share(teams, team, thread->member, next);
  else if (!leads)
    thread->idle = true;
  if (--context->unfinished == 0)
    finish_emulated_team_section(teams, team, context);
}

/* Callback of postpone_emulated_events: returns whether THREAD is a member of the team CLOSURE.  */
static bool is_emulated_team_member(void *closure, uint32_t thread) {
  const struct team *team = closure;
  for (unsigned i = 0; i < team->size; i++)
    if (team->threads[i] == thread)
      return true;
  return false;
}

/* Skips rounds of an emulated loop with a dynamic schedule.  If all members are in equal tasks, and many more of these
   follow, each round is like the one before.  Returns the time of the skipped rounds; LENGTH is that of one round.  */
static double skip_emulated_dynamic_rounds(struct teams *teams, struct frame *frame, struct thread *thread,
                                           const struct tree_child *child, double length) {
  struct context *context = frame->context;
  struct shares *shares = &context->shares;
  uint64_t chunk = frame->range.end - frame->range.at, left = child->first + child->repeat - shares->taken;
  if (context->step != child)
    context->step = child, context->in_step = 0;
  bool again = thread->step == child;
  context->in_step += !again;
  thread->step = child;
  uint64_t round = chunk * shares->members, rounds = left / round;
  if (!again || context->in_step < shares->members || rounds < LEAST_ROUNDS + 1)
    return 0;
  double later = length * (double)(rounds - 1);
  shares->taken += (rounds - 1) * round;
  frame->range.at += (rounds - 1) * round;
  frame->range.end = frame->range.at + chunk;
  postpone_emulated_events(&teams->heap, later, is_emulated_team_member, frame->team);
  return later;
}

/* Takes for a member of an emulated team all equal tasks that come next and are only work.  Returns their work, with
   that of skipped rounds.  */
static double take_emulated_plain_tasks(struct teams *teams, struct frame *frame, struct thread *thread,
                                        const struct tree_child *child) {
  const struct overheads *overheads = &teams->machine->overheads;
  struct shares *shares = &frame->context->shares;
  uint64_t limit = child->first + child->repeat;
  double each = child->before + teams->tree->nodes[child->node].work;
  if (teams->machine->nesting == NESTING_PINNED) {
    frame->range.at++; /* other threads may use the processor between tasks */
    return each;
  }
  if (is_emulated_static_schedule(shares->schedule))
    return each * (double)skip_emulated_iterations(&frame->range, shares, limit);
  uint64_t end = frame->range.end < limit ? frame->range.end : limit, size = end - frame->range.at;
  double work = each * (double)size, passed = 0;
  bool whole = frame->range.end <= limit && shares->schedule->kind == SCHEDULE_DYNAMIC &&
               size == (shares->schedule->chunk > 0 ? shares->schedule->chunk : 1);
  if (whole)
    passed = skip_emulated_dynamic_rounds(teams, frame, thread, child, work + overheads->iteration);
  if (passed > 0) /* each member has the overhead of a chunk in each skipped round */
    teams->forecast.overhead += passed / (work + overheads->iteration) * overheads->iteration * shares->members;
  frame->range.at += size;
  return work + passed;
}

/* Takes what a member of an emulated team does next in its share: some WORK, and then TASK, if that is not NULL.
   Returns false if nothing is left.  */
bool take_emulated_member_task(struct teams *teams, struct frame *frame, uint32_t number, double *work,
                               const struct tree_node **task) {
  const struct task_tree *tree = teams->tree;
  struct shares *shares = &frame->context->shares;
  struct thread *thread = &teams->threads[number];
  *work = 0;
  *task = NULL;
  if (frame->range.at == frame->range.end) {
    if (!take_emulated_chunk(&frame->range, shares))
      return false;
    double cost = is_emulated_static_schedule(shares->schedule) ? 0 : teams->machine->overheads.iteration;
    teams->forecast.overhead += cost;
    *work = cost;
  }
  const struct tree_child *child = find_emulated_task_child(tree, frame->node, frame->range.at);
  if (tree->nodes[child->node].plain) {
    *work += take_emulated_plain_tasks(teams, frame, thread, child);
    return true;
  }
  frame->range.at++;
  *work += child->before;
  *task = &tree->nodes[child->node];
  return true;
}
