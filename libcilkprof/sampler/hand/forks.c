/* The functions of <cilkprof.h> for forks by hand, in a program that is watched: what it says becomes what paths.h has.
   SPDX-License-Identifier: MIT

   A task whose spawned tasks are not waited for is over when they are.  */

#include <errno.h>
#include <pthread.h>

#define __CILKPROF_FORKS_EXPORTED
#include "libcilkprof/common/system.h"
#include "libcilkprof/include/cilkprof.h"
#include "libcilkprof/sampler/hand/hand.h"

#define EXPORTED __attribute__((visibility("default")))
EXPORTED uint64_t cilkprof_spawn(const char *name);
EXPORTED void cilkprof_task_begin(uint64_t number);
EXPORTED void cilkprof_task_end(uint64_t number);
EXPORTED void cilkprof_wait(void);
EXPORTED void cilkprof_sync(void);
extern EXPORTED const struct __cilkprof_forks __cilkprof_forks;

static atomic_bool on;
static struct hand_task program; /* the program's own part, in its first thread */
static __thread struct hand_task *running;
static __thread bool inside; /* of one of these functions: a signal's handler may call another one */
static pthread_key_t ending;

/* This thread ends, which ran tasks: those that it has not ended never do.  */
static void end_hand_thread(void *unused) {
  (void)unused;
  running = NULL;
  __cilkprof_s_thread_end();
  openmp_thread_end();
}

void hand_start(void) {
  if (!openmp_watched || pthread_key_create(&ending, end_hand_thread))
    return;
  program.task = paths_running();
  atomic_store(&program.open, 1);
  running = &program;
  atomic_store(&on, true);
}

void hand_stop(void) {
  atomic_store(&on, false);
}

/* Begins one of the functions.  Returns false if nothing is to be done; otherwise what the thread did until now is
   noted.  */
static bool hand_enters(void) {
  if (!atomic_load_explicit(&on, memory_order_relaxed) || inside)
    return false;
  inside = true;
  paths_strand_ends();
  return true;
}

/* Ends it, and sets errno to what it was, ERROR.  */
static void hand_leaves(int error) {
  paths_event_ends();
  inside = false;
  errno = error;
}

/* Notes what this thread does from here on, for samples.  */
static void note_hand_state(void) {
  bool waits = running && running->waits;
  if (!openmp_self)
    return;
  openmp_set_state(openmp_self, running && !waits ? WORKING : IDLE);
  __cilkprof_s_state(!running ? CILKPROF_THREAD_IDLE : waits ? CILKPROF_THREAD_WAITS : CILKPROF_THREAD_WORKS, NULL);
}

/* Returns whether this thread is measured, from here on if it was not.  */
static bool is_hand_thread(void) {
  if (openmp_self)
    return true;
  openmp_thread_begin(true);
  if (!openmp_self)
    return false;
  pthread_setspecific(ending, &program);
  __cilkprof_s_thread_begin();
  return true;
}

/* Makes a task with NAME for a call that returns to CODE, in the frame HERE.  Returns its number, or 0.  */
static uint64_t spawn_hand_task(const char *name, const void *code, uintptr_t here) {
  if (!running) {
    hand_say(HAND_OUTSIDE);
    return 0;
  }
  struct hand_task *made = hand_task_new(running, hand_site(name, code));
  if (!made) {
    hand_say(HAND_FULL);
    return 0;
  }
  made->origin = __cilkprof_s_origin_new(code, true, here);
  return made->number;
}

uint64_t cilkprof_spawn(const char *name) {
  int error = errno;
  if (!hand_enters())
    return 0;
  uint64_t number = spawn_hand_task(name, __builtin_extract_return_addr(__builtin_return_address(0)),
                                    (uintptr_t)__builtin_frame_address(0));
  hand_leaves(error);
  return number;
}

void cilkprof_task_begin(uint64_t number) {
  int error = errno;
  if (!number || !hand_enters())
    return;
  struct hand_task *task = is_hand_thread() ? hand_task_moves(number, HAND_SPAWNED, HAND_RUNS) : NULL;
  if (task) {
    task->under = running;
    running = task;
    openmp_push_task(openmp_self, NULL, task->origin, (uintptr_t)__builtin_dwarf_cfa());
    paths_task_begin(task->task);
    paths_run(task->task);
    note_hand_state();
  } else
    hand_say(HAND_BEGIN);
  hand_leaves(error);
}

/* The task that this thread runs goes on, if it waited for others.  */
static void end_hand_wait(void) {
  if (running->waits)
    paths_wait_end(running->task);
  running->waits = false;
}

/* It goes on where the last of those has ended that it has spawned.  */
static void join_hand_tasks(void) {
  if (running->forked)
    paths_join_children(running->task);
  running->forked = atomic_load(&running->open) > 1;
}

void cilkprof_task_end(uint64_t number) {
  int error = errno;
  if (!number || !hand_enters())
    return;
  struct hand_task *task = running;
  if (task && task != &program && task->number == number && hand_task_moves(number, HAND_RUNS, HAND_ENDED)) {
    if (task->waits)
      hand_say(HAND_WAITS);
    end_hand_wait();
    running = task->under;
    paths_run(running ? running->task : NULL);
    openmp_pop_task(openmp_self);
    note_hand_state();
    hand_task_over(task);
  } else
    hand_say(HAND_END);
  hand_leaves(error);
}

void cilkprof_wait(void) {
  int error = errno;
  if (!hand_enters())
    return;
  if (running) {
    paths_wait_begin(running->task);
    running->waits = true;
    note_hand_state();
  }
  hand_leaves(error);
}

void cilkprof_sync(void) {
  int error = errno;
  if (!hand_enters())
    return;
  if (running) {
    end_hand_wait();
    if (atomic_load(&running->open) > 1)
      hand_say(HAND_EARLY);
    join_hand_tasks();
    note_hand_state();
  }
  hand_leaves(error);
}

const struct __cilkprof_forks __cilkprof_forks = {cilkprof_spawn, cilkprof_task_begin, cilkprof_task_end, cilkprof_wait,
                                                  cilkprof_sync};

bool hand_ends(bool elsewhere) {
  if (!atomic_load(&on))
    return false;
  hand_stop();
  if (hand_tasks_left())
    hand_say(HAND_LEFT);
  if (elsewhere && hand_task_any())
    hand_say(HAND_OPENMP);
  if (running == &program) {
    if (program.waits)
      hand_say(HAND_WAITS);
    end_hand_wait();
    join_hand_tasks();
  }
  return hand_is_wrong();
}
