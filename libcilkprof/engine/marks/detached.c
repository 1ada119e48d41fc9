/* Detached OpenMP tasks: such a task has ended when its body has ended and its event is fulfilled.
   SPDX-License-Identifier: MIT

   The body runs where the task is made.  The event may be fulfilled by then, later by this thread, or by a thread that
   is not one of OpenMP's.  In the last case, code that waits for the task waits here.  If no thread is left that could
   fulfil the event, or if a task depends on one whose event this thread would have to fulfil later, the program goes
   on, and this is reported.

   A handle is the address of an event plus 1: those of libgomp are even.  */

#include <errno.h>
#include <linux/futex.h>
#include <sys/single_threaded.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "libcilkprof/engine/marks/marks.h"
#include "libcilkprof/engine/tasks/task.h"
#include "libcilkprof/common/system.h"
#include "libcilkprof/engine/memory.h"

enum { ADDRESSES = 8, CHUNK_BYTES = 1 << 16, PAUSE_NS = 10000000, MAX_PAUSES = 200 };

/* A task that makes others: the outermost function and block that belong to it.  */
struct maker {
  const frame_t *frame;
  const block_t *block;
};

struct event {
  int fulfilled;
  int given_up; /* tasks that depend on this one do not wait for it any more */
  struct event *next;
  struct maker maker;
  uint64_t count; /* of addresses; if it is more than ADDRESSES, any address may be among them */
  const void *addresses[ADDRESSES];
};

/* The events that this thread made.  Other threads only fulfil them.  */
static __thread struct { struct event *pending, *free; } events;

enum scope { CHILDREN, GROUP, ALL };

extern EXPORT void __cilkprof_api_omp_detach(uintptr_t *handle, const void *depend);
extern EXPORT void __cilkprof_api_omp_await(uint64_t scope, const void *depend);
extern EXPORT void __cilkprof_omp_fulfill_event(uintptr_t handle);
extern void __wrap_omp_fulfill_event(uintptr_t handle);
extern void __real_omp_fulfill_event(uintptr_t handle) __attribute__((weak));

/* Returns the OpenMP task that is running: its outermost function and block.  Both are NULL if nothing is recorded.  */
static struct maker detaching_omp_task(void) {
  if (!THREAD.recording || THREAD.frames < profiled_thread()->frames.first)
    return (struct maker){NULL, NULL};
  struct cilkprof_enclosing enclosing = __cilkprof_innermost_in_task(THREAD.frames, THREAD.frames->local_work);
  while (__cilkprof_step_out_in_task(&enclosing))
    continue;
  return (struct maker){enclosing.frame, enclosing.block};
}

/* Returns whether EVENT, that of a detached task, is fulfilled.  Another thread may have fulfilled it.  */
static int is_detach_event_fulfilled(const struct event *event) {
  return __atomic_load_n(&event->fulfilled, __ATOMIC_ACQUIRE);
}

/* Moves the events of detached tasks that are fulfilled to the list of free ones.  */
static void free_fulfilled_detach_events(void) {
  for (struct event **link = &events.pending, *event; (event = *link);)
    if (is_detach_event_fulfilled(event)) {
      *link = event->next;
      event->next = events.free;
      events.free = event;
    } else
      link = &event->next;
}

/* Returns a new event for a detached task, in the list of pending ones; NULL: there is no memory.  */
static struct event *new_detach_event(void) {
  if (!events.free)
    free_fulfilled_detach_events();
  struct event *chunk = events.free ? NULL : __cilkprof_reserve(CHUNK_BYTES);
  for (size_t i = 0; chunk && i < CHUNK_BYTES / sizeof *chunk; i++) {
    chunk[i].next = events.free;
    events.free = &chunk[i];
  }
  struct event *event = events.free;
  if (!event)
    return NULL;
  events.free = event->next;
  event->next = events.pending;
  event->given_up = 0;
  __atomic_store_n(&event->fulfilled, 0, __ATOMIC_RELEASE);
  return events.pending = event;
}

/* Makes the event of a detached task, which is about to be made with the dependences DEPEND (or NULL), and stores its
   handle.  Without memory for it, nothing waits for the event.  */
void __cilkprof_api_omp_detach(uintptr_t *handle, const void *depend) {
  struct event *event = new_detach_event();
  *handle = (uintptr_t)event | 1;
  if (!event)
    return;
  event->maker = detaching_omp_task();
  event->count = depend ? __cilkprof_task_depend_addresses(depend, event->addresses, ADDRESSES) : 0;
}

/* Fulfils EVENT, that of a detached task, and wakes the thread that may wait for it.  Any thread may call this; NULL is
   ignored.  */
static void fulfill_detach_event(struct event *event) {
  if (!event)
    return;
  int error = errno;
  __atomic_store_n(&event->fulfilled, 1, __ATOMIC_RELEASE);
  syscall(SYS_futex, &event->fulfilled, FUTEX_WAKE_PRIVATE, 1, NULL);
  errno = error;
}

/* Fulfils the event of HANDLE, in place of omp_fulfill_event: one of the engine's if HANDLE is odd, otherwise libgomp
   does it.  */
void __cilkprof_omp_fulfill_event(uintptr_t handle) {
  if (handle & 1)
    fulfill_detach_event((struct event *)(handle - 1));
  else if (__real_omp_fulfill_event)
    __real_omp_fulfill_event(handle);
}

/* Fulfils the event of HANDLE.  Calls of omp_fulfill_event in objects that were compiled without -fcilkprof are
   redirected to this (cilkprof.specs).  */
void __wrap_omp_fulfill_event(uintptr_t handle) {
  __cilkprof_omp_fulfill_event(handle);
}

/* Reports WHY a detached task is not waited for any longer; only the first report of the run is printed.  */
static void report_detach_event_once(const char *why) {
  static int said;
  if (!__atomic_exchange_n(&said, 1, __ATOMIC_RELAXED))
    __cilkprof_say("OpenMP", why, "the program goes on");
}

/* Waits until EVENT is fulfilled, or until no thread is left that could fulfil it.  DEPENDS: a task depends on the one
   with EVENT, and does not wait longer than MAX_PAUSES.  */
static void wait_for_detach_event(struct event *event, int depends) {
  for (int i = 0; !is_detach_event_fulfilled(event); i++) {
    if (__libc_single_threaded || (depends && i == MAX_PAUSES)) {
      report_detach_event_once(depends ? "a task depends on one whose event has not been fulfilled"
                                       : "nothing is left that could fulfil the event of a task");
      event->given_up |= depends;
      return;
    }
    struct timespec pause = {.tv_nsec = PAUSE_NS};
    syscall(SYS_futex, &event->fulfilled, FUTEX_WAIT_PRIVATE, 0, &pause);
  }
}

/* Returns whether a task with COUNT ADDRESSES in its depend clauses has to wait for EVENT, that of a detached task.  */
static int depends_on_detach_event(const struct event *event, const void *const *addresses, uint64_t count) {
  if (event->given_up || count == 0 || event->count == 0)
    return 0;
  if (event->count > ADDRESSES || count > ADDRESSES)
    return 1;
  for (uint64_t i = 0; i < count * event->count; i++)
    if (addresses[i / event->count] == event->addresses[i % event->count])
      return 1;
  return 0;
}

/* Returns whether MAKER is TASK or inside of it.  Frames and blocks are on stacks: one that is inside has a larger
   address of its frame, or the same frame and no smaller address of its block.  */
static int is_detach_event_of_task(const struct maker *maker, const struct maker *task) {
  return maker->frame > task->frame || (maker->frame == task->frame && maker->block >= task->block);
}

/* Waits for the events of detached tasks: of the children of the current task, of all tasks that were made inside of
   it, or of all tasks, as SCOPE says; if DEPEND is given, of those children on which a task with DEPEND depends.  */
static void await_detach_events(enum scope scope, const void *depend) {
  const struct maker here = detaching_omp_task();
  const void *addresses[ADDRESSES];
  uint64_t count = depend ? __cilkprof_task_depend_addresses(depend, addresses, ADDRESSES) : 0;
  for (struct event *event = events.pending; event; event = event->next) {
    int child = event->maker.frame == here.frame && event->maker.block == here.block;
    if (depend ? child && depends_on_detach_event(event, addresses, count)
               : scope == ALL || (scope == GROUP ? is_detach_event_of_task(&event->maker, &here) : child))
      wait_for_detach_event(event, depend != NULL);
  }
  free_fulfilled_detach_events();
}

/* Waits for the events of detached tasks where the program waits for tasks: those of SCOPE or, if DEPEND is not NULL,
   those on which a task with DEPEND depends.  The time is not charged to the program.  */
void __cilkprof_api_omp_await(uint64_t scope, const void *depend) {
  if (!events.pending)
    return;
  int error = errno, records = __cilkprof_api_begins();
  await_detach_events((enum scope)scope, depend);
  if (records)
    __cilkprof_api_ends();
  errno = error;
}
