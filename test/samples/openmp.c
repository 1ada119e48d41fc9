/* The tool of OpenMP programs, with this program in the place of OpenMP's runtime: threads that come and go make tasks
   for each other and run them, and tell the tool.  Each looks, as a sample would, who made what it runs.
   SPDX-License-Identifier: MIT  */

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "libcilkprof/sampler/openmp/ompt.h"
#include "libcilkprof/sampler/state.h"

extern ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime);

/* In most regions tasks make others, in a long one a thread makes all, a few at a time.  */
/* Flags.  */
enum { ompt_task_explicit = 4, ompt_parallel_team = INT_MIN };
enum { THREADS = 4, REGIONS = 30, TASKS = 40, WIDTH = 3, DEPTH = 4, LONG_TASKS = 60000, FEW = 200 };

static struct {
  ompt_callback_thread_begin_t thread_begin;
  ompt_callback_thread_end_t thread_end;
  ompt_callback_parallel_begin_t parallel_begin;
  ompt_callback_parallel_end_t parallel_end;
  ompt_callback_implicit_task_t implicit_task;
  ompt_callback_task_create_t task_create;
  ompt_callback_task_schedule_t task_schedule;
  ompt_callback_sync_region_t sync_region_wait;
  ompt_callback_mutex_acquire_t mutex_acquire;
  ompt_callback_mutex_t mutex_acquired;
  ompt_callback_nest_lock_t nest_lock;
} tool;

struct task {
  ompt_data_t data;
  ompt_frame_t frame;
  int depth;
  struct task *next;
};

static __thread struct task *current;

/* What is to be run: anybody's.  */
static struct {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  struct task *first;
  int unfinished;
} queue = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, 0};

static ompt_data_t region;
static bool is_long;
static _Atomic long wrong, looked;

/* OMPT's function: returns the data and frame of the current task.  */
static int test_samples_get_task_info(int level, int *flags, ompt_data_t **data, ompt_frame_t **frame,
                                      ompt_data_t **parallel, int *number) {
  (void)flags, (void)parallel, (void)number;
  if (level > 0 || !current)
    return 0;
  *data = &current->data;
  *frame = &current->frame;
  return 2;
}

/* OMPT's function: keeps the sampler's CALLBACK for EVENT.  */
static ompt_set_result_t test_samples_set_callback(ompt_callbacks_t event, ompt_callback_t callback) {
  switch (event) {
#define EVENT(name)                                                                                                    \
  case ompt_callback_##name:                                                                                           \
    tool.name = (__typeof__(tool.name))callback;                                                                       \
    return ompt_set_always
    EVENT(thread_begin);
    EVENT(thread_end);
    EVENT(parallel_begin);
    EVENT(parallel_end);
    EVENT(implicit_task);
    EVENT(task_create);
    EVENT(task_schedule);
    EVENT(sync_region_wait);
    EVENT(mutex_acquire);
    EVENT(mutex_acquired);
    EVENT(nest_lock);
  default:
    return ompt_set_never;
  }
}

/* OMPT's function: returns the function NAME.  */
static ompt_interface_fn_t test_samples_lookup(const char *name) {
  if (strcmp(name, "ompt_set_callback") == 0)
    return (ompt_interface_fn_t)test_samples_set_callback;
  return strcmp(name, "ompt_get_task_info") == 0 ? (ompt_interface_fn_t)test_samples_get_task_info : NULL;
}

/* Locks the queue of tasks, and tells the sampler.  */
static void test_samples_take_lock(void) {
  tool.mutex_acquire(ompt_mutex_lock, 0, 0, 1, __builtin_return_address(0));
  pthread_mutex_lock(&queue.mutex);
  tool.mutex_acquired(ompt_mutex_lock, 1, __builtin_return_address(0));
}

/* Unlocks the queue of tasks.  */
static void test_samples_leave_lock(void) {
  pthread_cond_broadcast(&queue.changed);
  pthread_mutex_unlock(&queue.mutex);
}

/* Creates a task, as the function of a runtime does that a program calls.  In the long region, waits while too many are
   unfinished.  */
static __attribute__((noinline)) void test_samples_make(void) {
  struct task *task = calloc(1, sizeof *task);
  task->depth = current->depth + 1;
  tool.task_create(&current->data, &current->frame, &task->data, ompt_task_explicit, 0, __builtin_return_address(0));
  test_samples_take_lock();
  task->next = queue.first;
  queue.first = task;
  queue.unfinished++;
  test_samples_leave_lock();
  pthread_mutex_lock(&queue.mutex);
  while (is_long && queue.unfinished > FEW)
    pthread_cond_wait(&queue.changed, &queue.mutex);
  pthread_mutex_unlock(&queue.mutex);
}

/* Checks the stack as a sample would see it: there must be as many creators above the current task as it is deep, not
   counting the region.  */
static void test_samples_look(void) {
  const struct sampler_agent *agent = SAMPLER.agent;
  struct sampled_task *task = agent->running();
  int makers = 0;
  for (uint32_t node = task && task->origin ? __cilkprof_s_origin_path(task->origin) : 0; node;
       node = SAMPLER.nodes[node].stack.parent)
    makers += SAMPLER.nodes[node].stack.kind == CILKPROF_STACK_SPAWN;
  int working = agent->working(), waiting = agent->waiting();
  wrong += makers != current->depth - 1 || !agent->has_work() || working < 1 || working > THREADS || waiting > THREADS;
  looked++;
}

/* Executes the body of a task: creates further tasks, unless it is deep enough, and looks at its stack.  */
static __attribute__((noinline)) void test_samples_task_body(void) {
  if (current->depth > 1 && current->depth < DEPTH && !is_long)
    for (int i = 0; i < WIDTH; i++)
      test_samples_make();
  test_samples_look();
}

/* Executes the body of the region in thread NUMBER: the first thread creates the tasks.  */
static __attribute__((noinline)) void test_samples_region_body(int number) {
  for (int i = 0; number == 0 && i < (is_long ? LONG_TASKS : TASKS); i++)
    test_samples_make();
  test_samples_look();
}

/* Calls the body of TASK as a runtime does, with its exit frame set.  */
static __attribute__((noinline)) void test_samples_call(struct task *task, int number) {
  task->frame.exit_frame.ptr = __builtin_frame_address(0);
  number < 0 ? test_samples_task_body() : test_samples_region_body(number);
  __asm__ volatile("" ::: "memory"); /* no tail call: the frame is to be there */
}

/* Notes that a task has finished.  */
static void test_samples_finish_one(void) {
  test_samples_take_lock();
  queue.unfinished--;
  test_samples_leave_lock();
}

/* Runs a task from the queue.  Returns false if none is left.  */
static bool test_samples_run_one(void) {
  test_samples_take_lock();
  while (!queue.first && queue.unfinished > 0)
    pthread_cond_wait(&queue.changed, &queue.mutex);
  struct task *task = queue.first, *below = current;
  if (task)
    queue.first = task->next;
  pthread_mutex_unlock(&queue.mutex);
  if (!task)
    return false;
  current = task;
  tool.task_schedule(&below->data, ompt_task_switch, &task->data);
  test_samples_call(task, -1);
  tool.task_schedule(&task->data, ompt_task_complete, &below->data);
  current = below;
  free(task);
  test_samples_finish_one();
  return true;
}

/* Takes part in the region as thread NUMBER of the team, with the OMPT events of an implicit task.  */
static void test_samples_member(int number) {
  struct task implicit = {.depth = 1};
  struct task *below = current;
  tool.implicit_task(ompt_scope_begin, &region, &implicit.data, THREADS, (unsigned)number, ompt_task_implicit);
  current = &implicit;
  test_samples_call(&implicit, number);
  if (number == 0)
    test_samples_finish_one();
  tool.sync_region_wait(ompt_sync_region_barrier, ompt_scope_begin, &region, &implicit.data, NULL);
  while (test_samples_run_one())
    ;
  tool.sync_region_wait(ompt_sync_region_barrier, ompt_scope_end, &region, &implicit.data, NULL);
  current = below;
  tool.implicit_task(ompt_scope_end, NULL, &implicit.data, THREADS, (unsigned)number, ompt_task_implicit);
}

/* Thread function of a worker: takes part in the region with the number in ARGUMENT.  */
static void *test_samples_worker(void *argument) {
  ompt_data_t data = {0};
  tool.thread_begin(ompt_thread_worker, &data);
  test_samples_member((int)(intptr_t)argument);
  tool.thread_end(&data);
  return NULL;
}

/* Runs a parallel region.  */
static __attribute__((noinline)) void test_samples_parallel(void) {
  pthread_t threads[THREADS];
  queue.unfinished = 1; /* what makes tasks: until then all wait for them */
  tool.parallel_begin(&current->data, &current->frame, &region, THREADS, ompt_parallel_team,
                      __builtin_return_address(0));
  for (intptr_t i = 1; i < THREADS; i++)
    pthread_create(&threads[i], NULL, test_samples_worker, (void *)i);
  test_samples_member(0);
  for (int i = 1; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  region.ptr = (void *)-1; /* as in a runtime that has freed it */
  tool.parallel_end(&region, &current->data, ompt_parallel_team, NULL);
}

/* Returns whether the peak of the process's memory has grown by more than a little since BEFORE, which it updates.  The
   answer is no under sanitizers, which have memory of their own.  */
static bool test_samples_has_grown(long *before) {
  enum { LITTLE_KB = 3000, LITTLE_WATCHED_KB = 12000 }; /* a stretch of a path for each task would be 17 MB */
  struct rusage usage;
  long was = *before;
  getrusage(RUSAGE_SELF, &usage);
  *before = usage.ru_maxrss;
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
  return false;
#endif
  return *before > was + (getenv("CILKPROF_WATCHED") ? LITTLE_WATCHED_KB : LITTLE_KB);
}

/* Plays OpenMP's runtime: starts the tool, runs many short regions and a long one, and prints what was wrong or
   missing, who still is at work, and whether the long region took memory.  Returns 1 if the tool does not start.  */
int main(void) {
  struct task initial = {.depth = 0};
  const char *watched = getenv("WATCHED");
  char setting[32];
  snprintf(setting, sizeof setting, "%d:1", (int)getpid());
  if (watched && *watched)
    setenv("CILKPROF_WATCHED", setting, 1); /* as cilkprof-run does */
  ompt_start_tool_result_t *result = ompt_start_tool(201811, "a test");
  if (!result || !result->initialize(test_samples_lookup, 0, &result->tool_data))
    return 1;
  tool.thread_begin(ompt_thread_initial, &initial.data);
  current = &initial;
  tool.implicit_task(ompt_scope_begin, NULL, &initial.data, 1, 0, ompt_task_initial);
  long peak = 0, wanted = REGIONS * (THREADS + TASKS * (1L + WIDTH + WIDTH * WIDTH)) + THREADS + LONG_TASKS;
  for (int i = 0; i < REGIONS; i++)
    test_samples_parallel();
  test_samples_has_grown(&peak);
  is_long = true;
  test_samples_parallel();
  printf("%ld wrong, %ld missing\n", wrong, wanted - looked);
  printf("%d at work, %d waiting\n", SAMPLER.agent->working(), SAMPLER.agent->waiting());
  puts(test_samples_has_grown(&peak) ? "tasks that are over take memory" : "tasks that are over take no memory");
  result->finalize(&result->tool_data);
  return 0;
}
