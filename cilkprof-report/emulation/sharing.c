/* Lets threads share processors.
   SPDX-License-Identifier: GPL-3.0-or-later

   The operating system gives each thread the same share, so all running threads advance equally.  Their events are
   sorted by the work that one thread has done, which is the virtual time.  If there are more threads than processors,
   real time advances faster than virtual time.  Pinned threads of a processor run one after another, each until its
   piece of work is done.  */

#include "cilkprof-report/emulation/teams.h"

/* Adds an event for the time at which WORK is done.  */
static void schedule_event(struct teams *teams, uint32_t thread, double work) {
  heap_push(&teams->heap, (struct event){teams->virtual + work, thread, 0});
}

/* Appends the thread to the queue of a processor.  */
static void wait_for_processor(struct teams *teams, struct processor *processor, uint32_t thread, double work) {
  teams->threads[thread].work = work;
  teams->threads[thread].next = NOBODY;
  if (processor->last == NOBODY)
    processor->first = thread;
  else
    teams->threads[processor->last].next = thread;
  processor->last = thread;
}

void thread_work(struct teams *teams, uint32_t thread, double work) {
  struct processor *processor = &teams->processors[teams->threads[thread].processor];
  if (teams->open_sections == 0)
    teams->forecast.serial += work * (teams->machine->processors - 1);
  if (teams->machine->nesting != NESTING_PINNED) {
    schedule_event(teams, thread, work);
  } else if (processor->running == NOBODY) {
    processor->running = thread;
    schedule_event(teams, thread, work);
  } else {
    wait_for_processor(teams, processor, thread, work);
  }
}

/* A thread that wakes up does not need the processor until it has work.  */
void thread_wake(struct teams *teams, uint32_t thread) {
  schedule_event(teams, thread, 0);
}

/* Gives the processor of a thread whose work is done to the next thread in the queue.  */
static void release_processor(struct teams *teams, uint32_t thread) {
  struct processor *processor = &teams->processors[teams->threads[thread].processor];
  if (processor->running != thread)
    return;
  uint32_t next = processor->running = processor->first;
  if (next == NOBODY)
    return;
  processor->first = teams->threads[next].next;
  if (processor->first == NOBODY)
    processor->last = NOBODY;
  schedule_event(teams, next, teams->threads[next].work);
}

uint32_t teams_next(struct teams *teams) {
  size_t running = teams->heap.count;
  if (running == 0)
    return NOBODY;
  struct event event = heap_pop(&teams->heap);
  double done = event.time - teams->virtual, processors = teams->machine->processors;
  bool shared = teams->machine->nesting != NESTING_PINNED && running > teams->machine->processors;
  teams->now += shared ? done * (double)running / processors : done;
  teams->virtual = event.time;
  if (teams->machine->nesting == NESTING_PINNED)
    release_processor(teams, event.thread);
  return event.thread;
}
