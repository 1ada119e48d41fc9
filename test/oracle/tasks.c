/* OpenMP in the dag: what tasks wait for, from the definitions of the standard.
   SPDX-License-Identifier: MIT

   A taskwait waits for the children of the task that runs; the end of a taskgroup, a barrier and the end of a region
   for all that were made in it, at any depth.  A function that returns leaves its tasks to its caller, if that is in
   the same task.  Edges of equal length count in the order in which they are drawn.  */

#include <inttypes.h>
#include <stdlib.h>

#include "test/oracle/follow.h"

enum { FLAG_OPEN = 8, FLAG_TASK = 32 };

struct ended {
  unsigned how;
  uint64_t address;
  uint32_t last;
};

/* Of a construct.  */
struct tasks {
  bool open;        /* the task around it runs it */
  bool barrier;     /* it ends with one */
  bool task;        /* it is one */
  enum team team;   /* of what it is in, until it ends */
  bool final;       /* likewise */
  uint32_t *behind; /* last vertices of tasks that ended tasks made */
  size_t behind_count, behind_room;
  struct ended *ended; /* those that others may depend on */
  size_t ended_count, ended_room;
  struct use *uses; /* of a task */
  size_t use_count;
  uint64_t *sizes; /* of a loop: of the chunks, the last for all that follow */
  size_t size_count;
};

static enum team in_team;
static bool in_final;

/* Frees TASKS, which may be NULL.  */
void oracle_tasks_free(struct tasks *tasks) {
  if (!tasks)
    return;
  free(tasks->behind);
  free(tasks->ended);
  free(tasks->uses);
  free(tasks->sizes);
  free(tasks);
}

/* Returns whether one thread runs for all of a team with several.  */
bool oracle_tasks_in_team(void) {
  return in_team == ANY_TEAM;
}

/* Sets in what team what runs now is, and whether it is in a final task.  Returns the team before.  */
enum team oracle_tasks_set_team(enum team team) {
  enum team before = in_team;
  in_team = team;
  return before;
}

/* Makes C a construct of OpenMP, with the FLAGS of its block, and the run one of OpenMP.  Keeps the team around it,
   which is restored at its end.  */
void oracle_tasks_begin_block(struct context *c, uint64_t flags) {
  c->tasks = calloc(1, sizeof *c->tasks);
  if (!c->tasks)
    oracle_fail("out of memory");
  *c->tasks = (struct tasks){.open = flags & FLAG_OPEN || (c->kind == LOOP && in_team == THREAD_OF_TEAM),
                             .task = flags & FLAG_TASK && c->kind != LOOP,
                             .team = in_team,
                             .final = in_final};
  run->openmp = true;
}

/* Returns whether C is an OpenMP task.  */
static bool oracle_is_task(const struct context *c) {
  return c->tasks && c->tasks->task;
}

/* Returns the context that encloses C and belongs to the same task, or NULL if the task begins with C.  */
static struct context *oracle_same_task(struct context *c) {
  switch (c->kind) {
  case FUNCTION:
    return c->from_outside || oracle_is_task(c) || run->invocations[c->invocation].spawned ? NULL
                                                                                           : oracle_context_below(c);
  case LOOP:
  case SCOPE:
  case BLOCK:
    return c->tasks && c->tasks->open ? oracle_context_below(c) : NULL;
  default:
    return NULL;
  }
}

/* Returns the context with which the task of C begins.  */
static struct context *oracle_region_of(struct context *c) {
  for (struct context *outer; (outer = oracle_same_task(c));)
    c = outer;
  return c;
}

/* Returns the context that waits for tasks that C leaves behind: an enclosing taskgroup, else where its task
   begins.  */
static struct context *oracle_holder_of(struct context *c) {
  for (struct context *outer; c->kind != SCOPE && (outer = oracle_same_task(c));)
    c = outer;
  return c;
}

/* Leaves a task that ended with vertex LAST to HOLDER, which waits for it at its end.  */
static void oracle_leave_task_to(struct context *holder, uint32_t last) {
  if (!holder->tasks)
    oracle_tasks_begin_block(holder, 0);
  struct tasks *tasks = holder->tasks;
  if (tasks->behind_count == tasks->behind_room) {
    tasks->behind_room = tasks->behind_room ? 2 * tasks->behind_room : 8;
    tasks->behind = oracle_reallocate(tasks->behind, tasks->behind_room * sizeof *tasks->behind);
  }
  tasks->behind[tasks->behind_count++] = last;
}

/* Adds a vertex to C that joins its children and its running strand, and returns it; the caller may add further edges
   to it.  It counts as a sync only if there were children.  */
static uint32_t oracle_begin_join(struct context *c) {
  run->invocations[c->invocation].syncs += c->child_count > 0;
  uint32_t join = oracle_dag_vertex(&run->dag, c->invocation, 0);
  for (size_t i = 0; i < c->child_count; i++)
    oracle_dag_edge(&run->dag, c->children[i], join, NO_BURDEN);
  oracle_dag_edge(&run->dag, c->vertex, join, NO_BURDEN);
  c->child_count = 0;
  return c->vertex = join;
}

/* Adds a vertex to C after its running strand, without joining children, and returns it; the caller adds edges from
   what C waits for.  */
static uint32_t oracle_begin_wait(struct context *c) {
  uint32_t join = oracle_dag_vertex(&run->dag, c->invocation, 0);
  oracle_dag_edge(&run->dag, c->vertex, join, NO_BURDEN);
  return c->vertex = join;
}

/* Makes JOIN wait for all tasks that were left to HOLDER.  */
static void oracle_join_left_tasks(const struct context *holder, uint32_t join) {
  for (size_t i = 0; holder->tasks && i < holder->tasks->behind_count; i++)
    oracle_dag_edge_aside(&run->dag, holder->tasks->behind[i], join);
}

/* Leaves the tasks of C, a function that returns, to its caller if that is in the same task, or ends C if it is a task
   itself.  Returns false if neither is so, or C spawned with Cilk: then its children are to be joined.  */
bool oracle_tasks_leave_function(struct context *c) {
  struct context *outer = oracle_same_task(c);
  if (oracle_is_task(c) && !c->spawned) {
    oracle_tasks_end_block(c);
    return true;
  }
  if (!outer || c->spawned)
    return false;
  for (size_t i = 0; i < c->child_count; i++)
    oracle_add_child(outer, c->children[i]);
  c->child_count = 0;
  return true;
}

/* Notes in REGION that a task that ended with vertex LAST had these COUNT USES of addresses, on which later tasks may
   depend.  */
static void oracle_note_uses(struct context *region, const struct use *uses, size_t count, uint32_t last) {
  if (!region->tasks)
    oracle_tasks_begin_block(region, 0);
  struct tasks *tasks = region->tasks;
  for (size_t i = 0; i < count; i++) {
    if (tasks->ended_count == tasks->ended_room) {
      tasks->ended_room = tasks->ended_room ? 2 * tasks->ended_room : 8;
      tasks->ended = oracle_reallocate(tasks->ended, tasks->ended_room * sizeof *tasks->ended);
    }
    tasks->ended[tasks->ended_count++] = (struct ended){uses[i].how, uses[i].address, last};
  }
}

/* Ends the OpenMP construct C, if it is one.  A task leaves its unfinished children to the context that waits for them;
   single, master and the like leave them to the enclosing context; others join them.  */
void oracle_tasks_end_block(struct context *c) {
  if (!c->tasks)
    return;
  in_team = c->tasks->team;
  in_final = c->tasks->final;
  struct context *outer = oracle_context_below(c);
  if (c->kind == BLOCK && c->tasks->open) {
    for (size_t i = 0; i < c->child_count; i++)
      oracle_add_child(outer, c->children[i]);
    c->child_count = 0;
  } else if (c->tasks->task) {
    struct context *holder = oracle_holder_of(outer);
    oracle_note_uses(oracle_region_of(outer), c->tasks->uses, c->tasks->use_count, c->vertex);
    for (size_t i = 0; i < c->child_count; i++)
      oracle_leave_task_to(holder, c->children[i]);
    for (size_t i = 0; i < c->tasks->behind_count; i++)
      oracle_leave_task_to(holder, c->tasks->behind[i]);
    c->child_count = 0;
  } else if (c->child_count || c->tasks->behind_count)
    oracle_join_left_tasks(c, oracle_begin_join(c));
}

/* Waits, between two grains of the loop C, for tasks that were left to it, and forgets those on which others may
   depend.  */
void oracle_tasks_next_grain(struct context *c) {
  if (!c->tasks)
    return;
  if (c->tasks->behind_count)
    oracle_join_left_tasks(c, oracle_begin_join(c));
  c->tasks->behind_count = c->tasks->ended_count = 0;
}

/* Event: the parallel region in invocation FRAME has a team of so many THREADS from here on.  */
void oracle_on_team(uint64_t frame, uint64_t threads) {
  if (!oracle_running(frame)->tasks)
    oracle_tasks_begin_block(oracle_top(), 0);
  in_team = threads == 1 || in_team == THREAD_OF_TEAM ? NO_TEAM : ANY_TEAM;
}

/* Makes C wait for the children of its task or, at a BARRIER, for all tasks of its region.  */
static void oracle_wait_here(struct context *c, bool barrier) {
  uint32_t join = oracle_begin_join(c);
  if (barrier)
    oracle_join_left_tasks(oracle_region_of(c), join);
  for (struct context *outer = c; (outer = oracle_same_task(outer));)
    for (size_t i = 0; i < outer->child_count; i++)
      oracle_dag_edge_aside(&run->dag, outer->children[i], join);
}

/* Returns whether C ends with a barrier.  */
bool oracle_tasks_barrier(const struct context *c) {
  return c->tasks && c->tasks->barrier;
}

/* Makes C wait at a barrier: for all tasks of its region and, in a thread of a team, for the others.  */
void oracle_tasks_wait(struct context *c) {
  oracle_wait_here(c, true);
  if (in_team == THREAD_OF_TEAM)
    oracle_teams_barrier(c);
}

/* Event: a taskwait, or another wait, as WHAT says: at a barrier, at the end of a thread of a team, or for its
   turn.  */
void oracle_on_taskwait(uint64_t frame, uint64_t work, uint64_t what) {
  enum { CHILDREN, BARRIER, END, TURN };
  struct context *c = oracle_running(frame);
  oracle_end_strand(c, work);
  run->openmp = true;
  if (what == TURN)
    return;
  if (what == BARRIER && oracle_is_team_loop(c)) { /* the one at its end */
    c->tasks->barrier = true;
    return;
  }
  if (what == BARRIER)
    oracle_tasks_wait(c);
  else
    oracle_wait_here(c, what != CHILDREN);
}

/* Event: the function of invocation FRAME in an OpenMP program, with WORK of its own, is about to return.  */
void oracle_on_tasks_leave(uint64_t frame, uint64_t work) {
  oracle_end_strand(oracle_running(frame), work);
}

/* Adds edges to vertex TO from all ended tasks in REGION on which a task with these COUNT USES depends.  */
static void oracle_depend(struct context *region, const struct use *uses, size_t count, uint32_t to) {
  enum { READ, EXCLUDE, WRITE, USES };
  for (size_t i = 0; i < count; i++)
    for (unsigned other = READ; other < USES; other++)
      for (size_t j = 0; region->tasks && j < region->tasks->ended_count; j++) {
        const struct ended *ended = &region->tasks->ended[j];
        bool waits = other != uses[i].how || other == WRITE;
        if (ended->address == uses[i].address && ended->how == other && waits)
          oracle_dag_edge_aside(&run->dag, ended->last, to);
      }
}

/* Event: invocation FRAME, with WORK of its own, begins a task that is a block: at the first of SITES if it is
   DEFERRED, or at the second if its creator executes it at once.  FINAL tasks include their children; the COUNT USES
   are its depend clauses.  */
void oracle_on_task_begin(uint64_t frame, uint64_t work, const uint32_t sites[2], uint64_t deferred, bool final,
                          const struct use *uses, size_t count) {
  enum { SHARE = 2 }; /* a section or the like: the thread of a team that gets to it runs it */
  struct context *c = oracle_running(frame);
  bool included = !deferred || in_final || !in_team || (deferred == SHARE && in_team == THREAD_OF_TEAM);
  oracle_end_strand(c, work);
  if (included && in_team && count)
    oracle_depend(oracle_region_of(c), uses, count, oracle_begin_wait(c));
  c = oracle_invoke(BLOCK, sites[included], !included);
  oracle_mark_task(c);
  oracle_tasks_begin_block(c, FLAG_TASK);
  if (!included) {
    oracle_depend(oracle_region_of(oracle_context_below(c)), uses, count, c->vertex);
    c->tasks->uses = oracle_allocate(count * sizeof *uses);
    c->tasks->use_count = count;
    for (size_t i = 0; i < count; i++)
      c->tasks->uses[i] = uses[i];
  }
  in_final |= final;
}

/* Event: invocation FRAME, with WORK of its own, creates a task that is a single call; otherwise as
   oracle_on_task_begin.  */
void oracle_on_task_call(uint64_t frame, uint64_t work, const uint32_t sites[2], bool deferred, bool final) {
  bool included = !deferred || in_final || !in_team;
  oracle_end_strand(oracle_running(frame), work);
  struct context *c = oracle_invoke(CALLED, sites[included], !included);
  oracle_mark_task(c);
  oracle_tasks_begin_block(c, FLAG_TASK);
  in_final |= final;
}

/* Event: a task that was a call has returned to invocation FRAME, which has WORK of its own.  */
void oracle_on_task_returned(uint64_t frame, uint64_t work) {
  uint32_t site = run->invocations[oracle_top()->invocation].site;
  if (oracle_is_task(oracle_top()))
    oracle_on_spawn_returned(frame, work, site);
  else
    oracle_fail("a task of invocation %" PRIu64 " returns, and it made none", frame);
}

/* Event: the loop in invocation FRAME, of TRIPS iterations, is divided by SCHEDULE and CHUNK.  Computes the sizes of
   its grains.  Without a chunk, static and guided schedules give each thread an equal part, and dynamic ones single
   iterations; a taskloop makes tasks of equal size.  */
void oracle_on_team_loop(uint64_t frame, uint64_t schedule, uint64_t chunk, uint64_t trips) {
  enum { STATIC, DYNAMIC, GUIDED, RUNTIME, GRAINSIZE, NUM_TASKS, SCHEDULES = 7 };
  struct tasks *tasks = oracle_running(frame)->tasks;
  uint64_t kind = schedule & SCHEDULES, part = trips / loop_workers + (trips % loop_workers != 0), left = trips;
  tasks->sizes = oracle_allocate((trips + 2) * sizeof *tasks->sizes);
  tasks->size_count = 0;
  part = part ? part : 1;
  if (kind == RUNTIME)
    kind = DYNAMIC;
  do {
    uint64_t size = chunk ? chunk : kind == DYNAMIC ? 1 : part;
    if (kind == GUIDED) {
      size = left / loop_workers + (left % loop_workers != 0);
      size = size < chunk ? chunk : size ? size : 1;
    } else if (kind == GRAINSIZE && chunk && trips > chunk)
      size = (trips + trips / chunk - 1) / (trips / chunk);
    else if (kind == NUM_TASKS && chunk)
      size = trips < chunk ? 1 : (trips + chunk - 1) / chunk;
    tasks->sizes[tasks->size_count++] = in_team == ANY_TEAM ? size : UINT64_MAX / 2;
    left = left > size ? left - size : 0;
  } while (left && kind == GUIDED && in_team == ANY_TEAM);
  oracle_top()->grain = tasks->sizes[0];
}

/* Returns whether C is a loop that a team shares, or a taskloop.  */
bool oracle_is_team_loop(const struct context *c) {
  return c->kind == LOOP && c->tasks;
}

/* Returns how many iterations the next grain of the team loop C has after so many GRAINS.  */
uint64_t oracle_team_grain(struct context *c, uint64_t grains) {
  return c->tasks->sizes[grains < c->tasks->size_count ? grains : c->tasks->size_count - 1];
}
