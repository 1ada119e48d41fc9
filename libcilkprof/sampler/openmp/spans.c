/* What happens before what in an OpenMP program, for its work and span.
   SPDX-License-Identifier: MIT

   The events of OpenMP's runtime become those of paths.h.  The runtime keeps a pointer with every task and region: the
   task or the team of paths.h.  */

#include "libcilkprof/sampler/openmp/openmp.h"
#include "libcilkprof/sampler/origins.h"

bool openmp_watched;
atomic_bool openmp_elsewhere;
static bool other_threads; /* of the program's own have used OpenMP, too */

/* Returns the task of the runtime's DATA; NULL if there is none, or if it is not watched.  */
static struct task *task_of(const ompt_data_t *data) {
  return openmp_watched && data ? data->ptr : NULL;
}

struct task_origin *watched_origin(const ompt_data_t *data) {
  const struct task *task = task_of(data);
  if (!task)
    return NULL;
  return task->is_thread ? task->team->source : task->source;
}

/* Starts to measure work and span: this thread runs the program.  */
void openmp_spans_start(void) {
  openmp_watched = paths_thread_begin();
  if (!openmp_watched)
    return;
  paths_start();
  paths_run(paths_first_task());
}

/* Notes that the runtime starts or ends in this thread: until its next event, nothing is the program's work.  */
void openmp_runtime_works(void) {
  if (openmp_watched && paths_running())
    paths_wait_begin(paths_running());
}

/* CREATOR begins a region in a call that returns to CODE, where ORIGIN is: PARALLEL becomes its team.  */
void openmp_region_begins(const ompt_data_t *creator, ompt_data_t *parallel, const void *code,
                          struct task_origin *origin) {
  struct task *task = task_of(creator);
  struct team *team = NULL;
  if (!openmp_watched) {
    parallel->ptr = origin;
    return;
  }
  if (task) {
    if (task != paths_running())
      atomic_store(&openmp_elsewhere, true);
    paths_wait_begin(task);
    team = paths_team_new(task, paths_site(code, CILKPROF_CONSTRUCT_PARALLEL));
  }
  parallel->ptr = team;
  if (team)
    team->source = origin;
  else
    __cilkprof_s_origin_release(origin);
}

/* The REGION that CREATOR began ends.  In one with one thread, the runtime tells only later that this thread's part of
   it ends.  */
void openmp_region_ends(void *region, const ompt_data_t *creator) {
  struct task *task = task_of(creator), *running = paths_running();
  struct team *team = region;
  if (!openmp_watched)
    __cilkprof_s_origin_release(region);
  if (!task)
    return;
  if (team && running && running->is_thread && running->team == team && !running->waits)
    paths_barrier_begin(running);
  paths_run(task);
  if (team) {
    paths_team_end(team, task);
    __cilkprof_s_origin_release(team->source);
    paths_team_release(team);
  }
  paths_wait_end(task);
}

/* Returns the task for the program's part outside of any region, which a thread of it begins: the one that RUNNING has
   been from the start on, or in another thread than the first a new one.  One that the program has forked by hand is
   not OpenMP's: what it does there is not known.  */
static struct task *initial_task(struct task *running) {
  if (!running) {
    other_threads = true;
    return paths_first_task();
  }
  paths_wait_end(running);
  if (running->creator)
    atomic_store(&openmp_elsewhere, true);
  return running->creator ? NULL : running;
}

/* This thread, the one with INDEX of so many THREADS, begins its part of the region PARALLEL, or the program's own
   thread its first part outside of any, as FLAGS say: DATA becomes the task for it.  */
void openmp_thread_enters(const ompt_data_t *parallel, ompt_data_t *data, unsigned threads, unsigned index, int flags) {
  struct task *running = paths_running(), *task = NULL;
  data->ptr = parallel ? parallel->ptr : NULL;
  if (!openmp_watched)
    return;
  paths_strand_ends();
  if (flags & ompt_task_initial)
    task = initial_task(running);
  else if (data->ptr)
    task = paths_team_task(data->ptr, threads, index);
  data->ptr = task;
  if (!task || task == running)
    return;
  task->under = running;
  paths_run(task);
}

/* This thread ends its part of a region, or of the program.  */
void openmp_thread_leaves(ompt_data_t *data) {
  struct task *task = task_of(data);
  if (!openmp_watched)
    data->ptr = NULL;
  if (!task || !task->is_thread)
    return;
  paths_strand_ends();
  if (paths_running() == task)
    paths_run(task->under);
  data->ptr = NULL;
  paths_team_task_end(task);
}

/* The watched task CREATOR creates the task DATA, as FLAGS say, in a call that returns to CODE, where ORIGIN is.  A
   team of one thread runs all tasks at once, though they could wait.  */
void openmp_task_created(const ompt_data_t *creator, ompt_data_t *data, int flags, const void *code,
                         struct task_origin *origin) {
  struct task *task = task_of(creator), *created = NULL;
  paths_strand_ends();
  bool several = task && task->team && atomic_load(&task->team->size) > 1, waits = flags & ompt_task_taskwait;
  if (task && !(flags & (ompt_task_initial | ompt_task_implicit)))
    created = paths_task_new(task, paths_site(openmp_loop_caller ? openmp_loop_caller : code, CILKPROF_CONSTRUCT_TASK),
                             waits || (several && flags & ompt_task_undeferred));
  data->ptr = created;
  if (created)
    created->source = origin;
  else
    __cilkprof_s_origin_release(origin);
}

/* This thread goes from the watched task PRIOR, which ends if STATUS says so, to NEXT.  */
void openmp_task_scheduled(ompt_data_t *prior, ompt_task_status_t status, const ompt_data_t *next) {
  struct task *ends = task_of(prior), *begins = task_of(next);
  bool ended = status != ompt_task_switch && status != ompt_task_yield && status != ompt_task_early_fulfill;
  paths_strand_ends();
  openmp_loop_caller = NULL; /* what runs now is not the function that makes tasks */
  if (begins && begins->creator && !begins->begun)
    paths_task_begin(begins);
  paths_run(begins);
  if (!ends || !ended)
    return;
  prior->ptr = NULL;
  paths_task_end(ends);
}

/* Callback of OpenMP's runtime when TASK comes to a barrier, or waits for its children or those of a group, and when it
   goes on.  */
void on_ompt_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t point, ompt_data_t *parallel, ompt_data_t *data,
                         const void *code) {
  struct task *task = task_of(data);
  bool begins = point == ompt_scope_begin;
  (void)parallel, (void)code;
  if (!task || !openmp_self || kind == ompt_sync_region_reduction)
    return;
  if (kind == ompt_sync_region_taskgroup) {
    paths_strand_ends();
    (begins ? paths_group_begin : paths_group_end)(task);
  } else if (kind != ompt_sync_region_taskwait)
    (begins ? paths_barrier_begin : paths_barrier_end)(task);
  else if (begins)
    paths_wait_begin(task);
  else {
    paths_wait_end(task);
    paths_join_children(task);
  }
  openmp_event_ends();
}

/* Returns what kind of construct the runtime calls KIND; CILKPROF_CONSTRUCT_PROGRAM: one in which nothing is done.  */
static enum cilkprof_construct construct_of(ompt_work_t kind) {
  static const enum cilkprof_construct kinds[] = {
      [ompt_work_loop] = CILKPROF_CONSTRUCT_LOOP,
      [ompt_work_sections] = CILKPROF_CONSTRUCT_SECTIONS,
      [ompt_work_single_executor] = CILKPROF_CONSTRUCT_SINGLE,
      [ompt_work_workshare] = CILKPROF_CONSTRUCT_WORKSHARE,
      [ompt_work_distribute] = CILKPROF_CONSTRUCT_DISTRIBUTE,
      [ompt_work_taskloop] = CILKPROF_CONSTRUCT_TASKLOOP,
      [ompt_work_scope] = CILKPROF_CONSTRUCT_SCOPE,
  };
  enum { LOOPS = 10, LOOPS_END = 14 }; /* loops with their schedules, in later versions */
  if ((int)kind >= LOOPS && (int)kind < LOOPS_END)
    return CILKPROF_CONSTRUCT_LOOP;
  return kind < sizeof kinds / sizeof *kinds ? kinds[kind] : CILKPROF_CONSTRUCT_PROGRAM;
}

/* Returns the return address of the call by which TASK begins a construct that the runtime says returns to CODE.  For
   gcc's sections it does not know: they are where the region is.  */
static const void *code_of_work(const struct task *task, const void *code) {
  if (openmp_loop_caller)
    return openmp_loop_caller;
  return code ? code : paths_code(task->site);
}

/* Callback of OpenMP's runtime when TASK begins or ends its part of a loop or another construct that a team divides, in
   a call that returns to CODE.  */
void on_ompt_work(ompt_work_t kind, ompt_scope_endpoint_t point, ompt_data_t *parallel, ompt_data_t *data,
                  uint64_t count, const void *code) {
  struct task *task = task_of(data);
  enum cilkprof_construct construct = construct_of(kind);
  (void)parallel, (void)count;
  if (!task || !openmp_self || construct == CILKPROF_CONSTRUCT_PROGRAM)
    return;
  if (point == ompt_scope_begin)
    paths_enter(task, paths_site(code_of_work(task, code), construct));
  else
    paths_leave(task, construct != CILKPROF_CONSTRUCT_SINGLE && construct != CILKPROF_CONSTRUCT_TASKLOOP);
  openmp_event_ends();
}

static __thread bool waits_for_lock; /* the task that this thread runs */

/* Notes that this thread of a watched program begins to wait for a lock.  */
void openmp_lock_waits(void) {
  struct task *task = paths_running();
  if (!task || task->waits)
    return;
  paths_wait_begin(task);
  waits_for_lock = true;
}

/* Notes that this thread of a watched program no longer waits for a lock.  */
void openmp_lock_waited(void) {
  struct task *task = paths_running();
  if (task && waits_for_lock)
    paths_wait_end(task);
  waits_for_lock = false;
}

/* Notes that this thread of a watched program holds a lock of KIND, which it has acquired in a call that returns to
   CODE.  */
void openmp_lock_acquired(ompt_mutex_t kind, const void *code) {
  struct task *task = paths_running();
  enum cilkprof_construct construct = kind == ompt_mutex_critical  ? CILKPROF_CONSTRUCT_CRITICAL
                                      : kind == ompt_mutex_ordered ? CILKPROF_CONSTRUCT_ORDERED
                                                                   : CILKPROF_CONSTRUCT_LOCK;
  openmp_lock_waited();
  if (task && !task->waits)
    paths_hold(task, paths_site(code, construct));
  paths_event_ends();
}

/* Notes that this thread of a watched program has released a lock.  */
void openmp_lock_released(void) {
  struct task *task = paths_running();
  if (task && !task->waits)
    paths_let_go(task);
  paths_event_ends();
}

/* Callback of OpenMP's runtime when this thread has released a lock.  */
void on_ompt_mutex_released(ompt_mutex_t kind, ompt_wait_id_t lock, const void *code) {
  (void)kind, (void)lock, (void)code;
  if (!openmp_lock_noted)
    openmp_lock_released();
}

/* Callback of OpenMP's runtime when it knows what the task DATA depends on.  */
void on_ompt_dependences(ompt_data_t *data, const ompt_dependence_t *list, int count) {
  struct task *task = task_of(data);
  for (int i = 0; task && openmp_self && i < count; i++)
    paths_depend(task, list[i].variable.ptr, list[i].dependence_type != ompt_dependence_type_in);
  openmp_event_ends();
}

/* Adds up the work and the span, for the profile.  */
static bool add_up_openmp_spans(uint64_t *flags, struct cilkprof_totals *totals) {
  if (!atomic_load(&paths_on))
    return false;
  *flags |= paths_add_up(totals) | (other_threads ? CILKPROF_OTHER_THREADS : 0);
  return true;
}

const struct sampled_spans openmp_spans = {
    .sampled = paths_sample,
    .add_up = add_up_openmp_spans,
    .list_objects = paths_list_objects,
    .write = paths_write_sites,
    .wrote = paths_write_samples,
};
