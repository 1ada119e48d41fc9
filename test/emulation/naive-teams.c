/* OpenMP's loops by brute force: every iteration by itself, all threads looked at for every step of time.
   SPDX-License-Identifier: GPL-3.0-or-later

   What it shares with the emulator is the rules: of threads that go on at the same time the lowest does first; a new
   thread has the lowest number that is free; threads for which a loop has no chunk do not take part in it; a thread
   that waits for its processor comes after those that do already.  */

#include "test/emulation/naive-teams.h"

struct naive_state naive;

/* Makes THREAD enter LEVEL, and returns the level on its stack.  */
struct level *naive_push(int thread, struct level level) {
  struct runner *runner = &naive.runners[thread];
  if (runner->depth == 200)
    abort();
  runner->levels[runner->depth] = level;
  return &runner->levels[runner->depth++];
}

/* Makes THREAD execute what NODE does, without its tasks if OWN.  The operations are written to a program first, which
   is never freed.  */
static void naive_push_program(int thread, const struct plain_node *node, bool own) {
  struct program *program = calloc(1, sizeof *program);
  naive_write_program(program, node, own, naive.overheads.lock);
  naive_push(thread, (struct level){.kind = IN_PROGRAM, .program = program});
}

/* Makes THREAD run, with so much WORK to do.  */
void naive_start(int thread, double work) {
  naive.runners[thread].running = true;
  naive.runners[thread].left = work;
}

/* Makes THREAD do AMOUNT of work.  If threads are pinned and its processor is taken, it waits for that first.  Returns
   whether that takes time: false if AMOUNT is 0.  */
static bool naive_do_work(int thread, double amount) {
  int processor = naive.runners[thread].processor;
  if (amount <= 0)
    return false;
  if (naive.nesting == NESTING_PINNED && naive.processor_owner[processor] >= 0) {
    naive.runners[thread].left = amount;
    naive.processor_queue[processor][naive.processor_waiting[processor]++] = thread;
    return true;
  }
  naive.processor_owner[processor] = thread;
  naive_start(thread, amount);
  return true;
}

/* Makes THREAD execute the next operation of the program of LEVEL.  Returns whether it stops, because it works or
   waits.  */
static bool naive_step_program(int thread, struct level *level) {
  struct operation *operation = &level->program->operations[level->at];
  struct runner *runner = &naive.runners[thread];
  switch (operation->what) {
  case WORK:
    level->at++;
    return naive_do_work(thread, operation->work);
  case TAKE: {
    int lock = (int)operation->lock;
    level->at++;
    if (naive.lock_owner[lock] < 0 || naive.lock_owner[lock] == thread) {
      naive.lock_owner[lock] = thread;
      naive.lock_depth[lock]++;
      return false;
    }
    naive.lock_queue[lock][naive.lock_waiting[lock]++] = thread;
    return true;
  }
  case RELEASE: {
    int lock = (int)operation->lock;
    level->at++;
    if (--naive.lock_depth[lock] > 0)
      return false;
    naive.lock_owner[lock] = -1;
    if (naive.lock_waiting[lock] > 0) {
      naive.lock_owner[lock] = naive.lock_queue[lock][0];
      naive.lock_depth[lock] = 1;
      memmove(naive.lock_queue[lock], naive.lock_queue[lock] + 1, (size_t)--naive.lock_waiting[lock] * sizeof(int));
      naive_start(naive.lock_owner[lock], 0);
    }
    return false;
  }
  case SECTION:
    level->at++;
    naive_push(thread, (struct level){.kind = IN_SECTION, .section = operation->section});
    return false;
  default: /* sections without a wait end here */
    if (level->crew != NULL && level->crew->open > 0) {
      level->crew->leader_waits = true;
      return true;
    }
    if (level->crew != NULL)
      for (unsigned i = 1; i < level->crew->size; i++)
        naive.runners[level->crew->members[i]].used = false;
    level->crew = NULL;
    if (++level->at < level->program->count)
      return false;
    runner->depth--;
    naive.finished = thread == 0 && runner->depth == 0;
    return naive.finished;
  }
}

/* Makes THREAD do the next step in the section of LEVEL: own work, fork, loop, wait or join.  Returns whether it
   stops.  */
static bool naive_step_section(int thread, struct level *level) {
  struct runner *runner = &naive.runners[thread];
  struct level *around = level - 1;
  uint64_t tasks = 0;
  bool nested = false, serial = false;
  for (size_t i = 0; i < level->section->count; i++)
    if (level->section->items[i].node != NULL && level->section->items[i].node->kind == 'T')
      tasks += level->section->items[i].repeat;
    else
      serial = true;
  for (struct level *at = runner->levels; at < level; at++)
    nested |= at->kind == IN_LOOP;
  switch (level->stage++) {
  case 0:
    if (serial)
      naive_push_program(thread, level->section, true);
    return false;
  case 1:
    if (tasks == 0) {
      runner->depth--;
      return false;
    }
    if (around->crew == NULL)
      around->crew = naive_make_crew(thread, nested);
    level->crew = around->crew;
    return naive_do_work(thread, (nested ? naive.overheads.nested : naive.overheads.fork) * (level->crew->size - 1));
  case 2:
    naive_begin_loop(level->crew, level->section);
    return false;
  case 3:
    if (level->section->kind != 'N' && level->crew->open > 0) {
      level->stage--;
      level->crew->leader_waits = true;
      return true;
    }
    return level->section->kind != 'N' && !nested &&
           naive_do_work(thread, naive.overheads.join * (level->crew->size - 1));
  default:
    runner->depth--;
    return false;
  }
}

/* Makes THREAD begin its next iteration in the loop of LEVEL, or leave it if there is none.  Returns whether it
   stops.  */
static bool naive_step_loop(int thread, struct level *level) {
  double cost = 0;
  if (level->from == level->to) {
    if (!naive_next_chunk(level)) {
      naive_finish_member(thread, level);
      return false;
    }
    cost = naive.schedule->kind == SCHEDULE_STATIC ? 0 : naive.overheads.iteration;
  }
  struct program *iteration = &level->loop->iterations[level->from++];
  double first = iteration->operations[0].work;
  naive_push(thread, (struct level){.kind = IN_PROGRAM, .program = iteration, .at = 1});
  return naive_do_work(thread, cost + first);
}

/* Makes THREAD go on until it works or waits.  */
static void naive_go_on(int thread) {
  struct runner *runner = &naive.runners[thread];
  bool stops = false;
  while (!stops && runner->depth > 0) {
    struct level *level = &runner->levels[runner->depth - 1];
    stops = level->kind == IN_PROGRAM   ? naive_step_program(thread, level)
            : level->kind == IN_SECTION ? naive_step_section(thread, level)
                                        : naive_step_loop(thread, level);
  }
}

/* Lets THREAD, which has done its work, leave its processor to the first thread that waits for it, if threads are
   pinned.  */
static void naive_leave_processor(int thread) {
  int processor = naive.runners[thread].processor;
  if (naive.nesting != NESTING_PINNED || naive.processor_owner[processor] != thread)
    return;
  naive.processor_owner[processor] = -1;
  if (naive.processor_waiting[processor] == 0)
    return;
  int next = naive.processor_owner[processor] = naive.processor_queue[processor][0];
  memmove(naive.processor_queue[processor], naive.processor_queue[processor] + 1,
          (size_t)--naive.processor_waiting[processor] * sizeof(int));
  naive_start(next, naive.runners[next].left);
}

/* Returns the time that the tree ROOT takes on so many PROCESSORS; -1 if threads wait for each other and none goes
   on.  */
double naive_teams(const struct plain_node *root, const struct schedule *schedule, unsigned processors,
                   enum section_nesting nesting, const struct overheads *overheads) {
  static struct runner runners[THREADS];
  double now = 0;
  memset(runners, 0, sizeof *runners * (size_t)(naive.thread_count + 1));
  memset(&naive, 0, sizeof naive);
  naive.schedule = schedule;
  naive.overheads = *overheads;
  naive.nesting = nesting;
  naive.processors = processors;
  naive.runners = runners;
  naive.thread_count = 1;
  for (int i = 0; i < 8; i++)
    naive.lock_owner[i] = -1;
  for (int i = 0; i < 1024; i++)
    naive.processor_owner[i] = -1;
  runners[0].used = true;
  naive_push_program(0, root, false);
  for (int next = 0; !naive.finished;) {
    naive_go_on(next);
    double least = -1;
    int running = 0;
    next = -1;
    for (int i = 0; i < naive.thread_count; i++)
      if (runners[i].running) {
        running++;
        if (next < 0 || runners[i].left < least) {
          next = i;
          least = runners[i].left;
        }
      }
    if (naive.finished)
      break;
    if (next < 0)
      return -1; /* each waits for another */
    for (int i = 0; i < naive.thread_count; i++)
      if (runners[i].running)
        runners[i].left -= least;
    bool shared = nesting != NESTING_PINNED && running > (int)processors;
    now += shared ? least * running / processors : least;
    runners[next].running = false;
    naive_leave_processor(next);
  }
  return now;
}
