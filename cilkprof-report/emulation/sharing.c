/* Lets threads share processors.
   SPDX-License-Identifier: GPL-3.0-or-later

   The operating system gives each thread the same share, so all running threads advance equally.  Their events are
   sorted by the work that one thread has done, which is the virtual time.  If there are more threads than processors,
   real time advances faster than virtual time.  Pinned threads of a processor run one after another, each until its
   piece of work is done.  */

#include "cilkprof-report/emulation/teams.h"

/* Adds an event for the virtual time at which an emulated thread has done WORK.  */
static void add_emulated_thread_event(struct teams *teams, uint32_t thread, double work) {
  push_emulated_event(&teams->heap, (struct event){teams->virtual + work, thread, 0});
}

/* Appends a pinned emulated thread, which has WORK to do, to the queue of its processor.  */
static void queue_for_emulated_processor(struct teams *teams, struct processor *processor, uint32_t thread,
                                         double work) {
  teams->threads[thread].work = work;
  teams->threads[thread].next = NOBODY;
  if (processor->last == NOBODY)
    processor->first = thread;
  else
    teams->threads[processor->last].next = thread;
  processor->last = thread;
}

/* Lets an emulated thread do WORK before its next step.  A pinned one first waits until its processor is free.  While
   the program is in no section, the other processors are counted as idle meanwhile.  */
void let_emulated_thread_work(struct teams *teams, uint32_t thread, double work) {
  struct processor *processor = &teams->processors[teams->threads[thread].processor];
  if (teams->open_sections == 0)
    teams->forecast.serial += work * (teams->machine->processors - 1);
  if (teams->machine->nesting != NESTING_PINNED) {
    add_emulated_thread_event(teams, thread, work);
  } else if (processor->running == NOBODY) {
    processor->running = thread;
    add_emulated_thread_event(teams, thread, work);
  } else {
    queue_for_emulated_processor(teams, processor, thread, work);
  }
}

/* Lets an emulated thread make its next step now.  It does not need the processor until it has work.  */
void wake_emulated_thread(struct teams *teams, uint32_t thread) {
  add_emulated_thread_event(teams, thread, 0);
}

/* Gives the processor of a pinned emulated thread whose work is done to the next thread in the queue.  */
static void release_emulated_processor(struct teams *teams, uint32_t thread) {
  struct processor *processor = &teams->processors[teams->threads[thread].processor];
  if (processor->running != thread)
    return;
  uint32_t next = processor->running = processor->first;
  if (next == NOBODY)
    return;
  processor->first = teams->threads[next].next;
  if (processor->first == NOBODY)
    processor->last = NOBODY;
  add_emulated_thread_event(teams, next, teams->threads[next].work);
}

/* Advances the time of an emulation of teams to the next event.  Returns the thread of that event, or NOBODY if there
   is none.  */
uint32_t advance_emulated_teams(struct teams *teams) {
  size_t running = teams->heap.count;
  if (running == 0)
    return NOBODY;
  struct event event = pop_emulated_event(&teams->heap);
  double done = event.time - teams->virtual, processors = teams->machine->processors;
  bool shared = teams->machine->nesting != NESTING_PINNED && running > teams->machine->processors;
  teams->now += shared ? done * (double)running / processors : done;
  teams->virtual = event.time;
  if (teams->machine->nesting == NESTING_PINNED)
    release_emulated_processor(teams, event.thread);
  return event.thread;
}
