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
  bool team, final; /* of what it is in, until it ends */
  uint32_t *behind; /* last vertices of tasks that ended tasks made */
  size_t behind_count, behind_room;
  struct ended *ended; /* those that others may depend on */
  size_t ended_count, ended_room;
  struct use *uses; /* of a task */
  size_t use_count;
  uint64_t *sizes; /* of a loop: of the chunks, the last for all that follow */
  size_t size_count;
};

static bool in_team, in_final;

void tasks_free(struct tasks *tasks) {
  if (!tasks)
    return;
  free(tasks->behind);
  free(tasks->ended);
  free(tasks->uses);
  free(tasks->sizes);
  free(tasks);
}

bool tasks_in_team(void) {
  return in_team;
}

void tasks_begin_block(struct context *c, uint64_t flags) {
  c->tasks = calloc(1, sizeof *c->tasks);
  if (!c->tasks)
    fail("out of memory");
  *c->tasks = (struct tasks){
      .open = flags & FLAG_OPEN, .task = flags & FLAG_TASK && c->kind != LOOP, .team = in_team, .final = in_final};
  run->openmp = true;
}

static bool is_task(const struct context *c) {
  return c->tasks && c->tasks->task;
}

/* What is around C and belongs to the same task; NULL: C is where the task begins.  */
static struct context *same_task(struct context *c) {
  switch (c->kind) {
  case FUNCTION:
    return c->from_outside || is_task(c) || run->invocations[c->invocation].spawned ? NULL : context_below(c);
  case SCOPE:
  case BLOCK:
    return c->tasks && c->tasks->open ? context_below(c) : NULL;
  default:
    return NULL;
  }
}

/* The construct that a task is: where it began.  */
static struct context *region_of(struct context *c) {
  for (struct context *outer; (outer = same_task(c));)
    c = outer;
  return c;
}

/* The same, or a taskgroup that is nearer.  */
static struct context *holder_of(struct context *c) {
  for (struct context *outer; c->kind != SCOPE && (outer = same_task(c));)
    c = outer;
  return c;
}

static void add_behind(struct context *holder, uint32_t last) {
  if (!holder->tasks)
    tasks_begin_block(holder, 0);
  struct tasks *tasks = holder->tasks;
  if (tasks->behind_count == tasks->behind_room) {
    tasks->behind_room = tasks->behind_room ? 2 * tasks->behind_room : 8;
    tasks->behind = reallocate(tasks->behind, tasks->behind_room * sizeof *tasks->behind);
  }
  tasks->behind[tasks->behind_count++] = last;
}

/* A join: the children of C itself, what it did, and then others.  Only of children is it a sync.  */
static uint32_t begin_join(struct context *c) {
  run->invocations[c->invocation].syncs += c->child_count > 0;
  uint32_t join = dag_vertex(&run->dag, c->invocation, 0);
  for (size_t i = 0; i < c->child_count; i++)
    dag_edge(&run->dag, c->children[i], join, NO_BURDEN);
  dag_edge(&run->dag, c->vertex, join, NO_BURDEN);
  c->child_count = 0;
  return c->vertex = join;
}

/* A join of none but others.  */
static uint32_t begin_wait(struct context *c) {
  uint32_t join = dag_vertex(&run->dag, c->invocation, 0);
  dag_edge(&run->dag, c->vertex, join, NO_BURDEN);
  return c->vertex = join;
}

static void join_behind(const struct context *holder, uint32_t join) {
  for (size_t i = 0; holder->tasks && i < holder->tasks->behind_count; i++)
    dag_edge_aside(&run->dag, holder->tasks->behind[i], join);
}

bool tasks_leave_function(struct context *c) {
  struct context *outer = same_task(c);
  if (is_task(c) && !c->spawned) {
    tasks_end_block(c);
    return true;
  }
  if (!outer || c->spawned)
    return false;
  for (size_t i = 0; i < c->child_count; i++)
    add_child(outer, c->children[i]);
  c->child_count = 0;
  return true;
}

/* A task that ends with vertex LAST.  */
static void note_uses(struct context *region, const struct use *uses, size_t count, uint32_t last) {
  if (!region->tasks)
    tasks_begin_block(region, 0);
  struct tasks *tasks = region->tasks;
  for (size_t i = 0; i < count; i++) {
    if (tasks->ended_count == tasks->ended_room) {
      tasks->ended_room = tasks->ended_room ? 2 * tasks->ended_room : 8;
      tasks->ended = reallocate(tasks->ended, tasks->ended_room * sizeof *tasks->ended);
    }
    tasks->ended[tasks->ended_count++] = (struct ended){uses[i].how, uses[i].address, last};
  }
}

/* A task leaves what it made to what waits for all; what one processor does at a time, to what is around it.  */
void tasks_end_block(struct context *c) {
  if (!c->tasks)
    return;
  in_team = c->tasks->team;
  in_final = c->tasks->final;
  struct context *outer = context_below(c);
  if (c->kind == BLOCK && c->tasks->open) {
    for (size_t i = 0; i < c->child_count; i++)
      add_child(outer, c->children[i]);
    c->child_count = 0;
  } else if (c->tasks->task) {
    struct context *holder = holder_of(outer);
    note_uses(region_of(outer), c->tasks->uses, c->tasks->use_count, c->vertex);
    for (size_t i = 0; i < c->child_count; i++)
      add_behind(holder, c->children[i]);
    for (size_t i = 0; i < c->tasks->behind_count; i++)
      add_behind(holder, c->tasks->behind[i]);
    c->child_count = 0;
  } else if (c->child_count || c->tasks->behind_count)
    join_behind(c, begin_join(c));
}

void tasks_next_grain(struct context *c) {
  if (!c->tasks)
    return;
  if (c->tasks->behind_count)
    join_behind(c, begin_join(c));
  c->tasks->behind_count = c->tasks->ended_count = 0;
}

void on_team(uint64_t frame, uint64_t threads) {
  if (!running(frame)->tasks)
    tasks_begin_block(top(), 0);
  in_team = threads != 1;
}

static void wait_here(struct context *c, bool barrier) {
  uint32_t join = begin_join(c);
  if (barrier)
    join_behind(region_of(c), join);
  for (struct context *outer = c; (outer = same_task(outer));)
    for (size_t i = 0; i < outer->child_count; i++)
      dag_edge_aside(&run->dag, outer->children[i], join);
}

bool tasks_barrier(const struct context *c) {
  return c->tasks && c->tasks->barrier;
}

void tasks_wait(struct context *c) {
  wait_here(c, true);
}

void on_taskwait(uint64_t frame, uint64_t work, bool barrier) {
  struct context *c = running(frame);
  end_strand(c, work);
  run->openmp = true;
  if (barrier && is_team_loop(c)) { /* the one at its end */
    c->tasks->barrier = true;
    return;
  }
  wait_here(c, barrier);
}

void on_tasks_leave(uint64_t frame, uint64_t work) {
  end_strand(running(frame), work);
}

/* Edges to vertex TO from all tasks that one with such uses waits for.  */
static void depend(struct context *region, const struct use *uses, size_t count, uint32_t to) {
  enum { READ, EXCLUDE, WRITE, USES };
  for (size_t i = 0; i < count; i++)
    for (unsigned other = READ; other < USES; other++)
      for (size_t j = 0; region->tasks && j < region->tasks->ended_count; j++) {
        const struct ended *ended = &region->tasks->ended[j];
        bool waits = other != uses[i].how || other == WRITE;
        if (ended->address == uses[i].address && ended->how == other && waits)
          dag_edge_aside(&run->dag, ended->last, to);
      }
}

void on_task_begin(uint64_t frame, uint64_t work, const uint32_t sites[2], bool deferred, bool final,
                   const struct use *uses, size_t count) {
  struct context *c = running(frame);
  bool included = !deferred || in_final || !in_team;
  end_strand(c, work);
  if (included && in_team && count)
    depend(region_of(c), uses, count, begin_wait(c));
  c = invoke(BLOCK, sites[included], !included);
  mark_task(c);
  tasks_begin_block(c, FLAG_TASK);
  if (!included) {
    depend(region_of(context_below(c)), uses, count, c->vertex);
    c->tasks->uses = allocate(count * sizeof *uses);
    c->tasks->use_count = count;
    for (size_t i = 0; i < count; i++)
      c->tasks->uses[i] = uses[i];
  }
  in_final |= final;
}

/* One that is a call: a function that ends as a block does.  */
void on_task_call(uint64_t frame, uint64_t work, const uint32_t sites[2], bool deferred, bool final) {
  bool included = !deferred || in_final || !in_team;
  end_strand(running(frame), work);
  struct context *c = invoke(CALLED, sites[included], !included);
  mark_task(c);
  tasks_begin_block(c, FLAG_TASK);
  in_final |= final;
}

void on_task_returned(uint64_t frame, uint64_t work) {
  uint32_t site = run->invocations[top()->invocation].site;
  if (is_task(top()))
    on_spawn_returned(frame, work, site);
  else
    fail("a task of invocation %" PRIu64 " returns, and it made none", frame);
}

/* Where none is given, a thread's part; single iterations of a dynamic schedule; of a taskloop, as many as make equally
   large tasks.  */
void on_team_loop(uint64_t frame, uint64_t schedule, uint64_t chunk, uint64_t trips) {
  enum { STATIC, DYNAMIC, GUIDED, RUNTIME, GRAINSIZE, NUM_TASKS, SCHEDULES = 7 };
  struct tasks *tasks = running(frame)->tasks;
  uint64_t kind = schedule & SCHEDULES, part = trips / loop_workers + (trips % loop_workers != 0), left = trips;
  tasks->sizes = allocate((trips + 2) * sizeof *tasks->sizes);
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
    tasks->sizes[tasks->size_count++] = in_team ? size : UINT64_MAX / 2;
    left = left > size ? left - size : 0;
  } while (left && kind == GUIDED && in_team);
  top()->grain = tasks->sizes[0];
}

bool is_team_loop(const struct context *c) {
  return c->kind == LOOP && c->tasks;
}

uint64_t team_grain(struct context *c, uint64_t grains) {
  return c->tasks->sizes[grains < c->tasks->size_count ? grains : c->tasks->size_count - 1];
}
