/* Threads that share processors.
   SPDX-License-Identifier: GPL-3.0-or-later

   A system gives each thread the same share.  So all that run go on alike, and their events are ordered by how much one
   of them has done, which is the virtual time; what that is in real time depends on how many there are.  Threads that
   are pinned run one after another, each until its piece of work is done.  */

#include "cilkprof-report/emulation/teams.h"

static void start(struct teams *teams, uint32_t thread, double work) {
  heap_push(&teams->heap, (struct event){teams->virtual + work, thread, 0});
}

static void queue(struct teams *teams, struct processor *processor, uint32_t thread, double work) {
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
    start(teams, thread, work);
  } else if (processor->running == NOBODY) {
    processor->running = thread;
    start(teams, thread, work);
  } else {
    queue(teams, processor, thread, work);
  }
}

/* What is woken takes no time of the processor until it has work.  */
void thread_wake(struct teams *teams, uint32_t thread) {
  start(teams, thread, 0);
}

/* The thread's piece of work is done: the next one has the processor.  */
static void leave(struct teams *teams, uint32_t thread) {
  struct processor *processor = &teams->processors[teams->threads[thread].processor];
  if (processor->running != thread)
    return;
  uint32_t next = processor->running = processor->first;
  if (next == NOBODY)
    return;
  processor->first = teams->threads[next].next;
  if (processor->first == NOBODY)
    processor->last = NOBODY;
  start(teams, next, teams->threads[next].work);
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
    leave(teams, event.thread);
  return event.thread;
}
