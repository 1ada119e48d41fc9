/* OpenMP's loops by brute force: every iteration by itself, all threads looked at for every step of time.
   SPDX-License-Identifier: GPL-3.0-or-later

   What it shares with the emulator is the rules: of threads that go on at the same time the lowest does first; a new
   thread has the lowest number that is free; threads for which a loop has no chunk do not take part in it; a thread
   that waits for its processor comes behind those that do already.  */

#include "test/emulation/naive-program.h"

enum { THREADS = 1 << 12 };

struct loop { /* a section that a team runs */
  const struct plain_node *section;
  struct program *iterations;
  uint64_t count, taken;
  unsigned unfinished;
  struct loop *next;
};

struct crew { /* a team */
  unsigned size, open;
  int members[1024];
  struct loop *last;
  bool leader_waits;
};

struct level { /* of what a thread is in */
  enum { IN_PROGRAM, IN_SECTION, IN_LOOP } kind;
  struct program *program;
  size_t at;
  const struct plain_node *section;
  struct loop *loop;
  struct crew *crew;
  int stage;
  uint64_t from, to, next; /* iterations */
  bool begun;
};

struct runner {
  bool used, running, idle, queued;
  double left; /* of its work */
  struct level levels[200];
  int depth, member, processor;
  struct crew *crew;
};

static struct {
  const struct schedule *schedule;
  struct overheads overheads;
  enum section_nesting nesting;
  unsigned processors;
  struct runner *runners;
  int most;
  int lock_owner[8], lock_queue[8][THREADS], lock_waiting[8], lock_depth[8];
  int processor_owner[1024], processor_queue[1024][64], processor_waiting[1024];
  bool finished;
} all;

/* THREAD enters LEVEL.  */
static struct level *naive_push(int thread, struct level level) {
  struct runner *runner = &all.runners[thread];
  if (runner->depth == 200)
    abort();
  runner->levels[runner->depth] = level;
  return &runner->levels[runner->depth++];
}
/* THREAD enters NODE, without its tasks if OWN; what it does is written out first, and never freed.  */
static void naive_push_program(int thread, const struct plain_node *node, bool own) {
  struct program *program = calloc(1, sizeof *program);
  naive_write_program(program, node, own, all.overheads.lock);
  naive_push(thread, (struct level){.kind = IN_PROGRAM, .program = program});
}

/* THREAD works.  */
static void naive_start(int thread, double work) {
  all.runners[thread].running = true;
  all.runners[thread].left = work;
}

/* Returns whether it takes time.  */
static bool naive_do_work(int thread, double amount) {
  int processor = all.runners[thread].processor;
  if (amount <= 0)
    return false;
  if (all.nesting == NESTING_PINNED && all.processor_owner[processor] >= 0) {
    all.runners[thread].left = amount;
    all.processor_queue[processor][all.processor_waiting[processor]++] = thread;
    return true;
  }
  all.processor_owner[processor] = thread;
  naive_start(thread, amount);
  return true;
}
/* Returns a new team of LEADER and idle threads that it begins; of LEADER alone if NESTED teams are not parallel.  */
static struct crew *naive_make_crew(int leader, bool nested) {
  struct crew *crew = calloc(1, sizeof *crew);
  int used = 0;
  for (int i = 0; i < THREADS; i++)
    used += all.runners[i].used;
  crew->size = nested && (all.nesting == NESTING_SERIAL || used + (int)all.processors > THREADS) ? 1 : all.processors;
  crew->members[0] = leader;
  for (unsigned i = 1; i < crew->size; i++) {
    int thread = 0;
    while (all.runners[thread].used)
      thread++;
    crew->members[i] = thread;
    all.most = thread >= all.most ? thread + 1 : all.most;
    all.runners[thread] = (struct runner){.used = true,
                                          .idle = true,
                                          .crew = crew,
                                          .member = (int)i,
                                          .processor = (all.runners[leader].processor + (int)i) % (int)all.processors};
  }
  return crew;
}

/* Returns the size of chunks.  */
static uint64_t naive_chunk_size(void) {
  return all.schedule->chunk > 0 ? all.schedule->chunk : 1;
}
/* MEMBER of CREW enters LOOP: its part of the iterations, or the number of its first chunk, is fixed here.  */
static void naive_begin_member(struct crew *crew, unsigned member, struct loop *loop) {
  struct level level = {.kind = IN_LOOP, .loop = loop, .crew = crew, .section = loop->section};
  if (all.schedule->kind == SCHEDULE_STATIC && all.schedule->chunk == 0) {
    uint64_t at = 0;
    for (unsigned i = 0; i <= member; i++) {
      level.from = at;
      at += loop->count / crew->size + (i < loop->count % crew->size);
      level.to = at;
    }
    level.next = UINT64_MAX;
  } else {
    level.next = naive_chunk_size() * member;
  }
  naive_push(crew->members[member], level);
}

/* Returns whether there is another chunk.  */
static bool naive_next_chunk(struct level *level) {
  struct loop *loop = level->loop;
  uint64_t size = naive_chunk_size();
  if (all.schedule->kind == SCHEDULE_STATIC) {
    if (level->next >= loop->count)
      return false;
    level->from = level->next;
    level->next += size * level->crew->size;
  } else {
    uint64_t left = loop->count - loop->taken;
    if (left == 0)
      return false;
    if (all.schedule->kind == SCHEDULE_GUIDED && (left + level->crew->size - 1) / level->crew->size > size)
      size = (left + level->crew->size - 1) / level->crew->size;
    level->from = loop->taken;
    loop->taken += size < left ? size : left;
  }
  level->to = level->from + size < loop->count ? level->from + size : loop->count;
  return true;
}
/* Returns a new loop of all tasks in SECTION, each of whose iterations is written out; it is never freed.  */
static struct loop *naive_make_loop(const struct plain_node *section) {
  struct loop *loop = calloc(1, sizeof *loop);
  loop->section = section;
  for (size_t i = 0; i < section->count; i++)
    if (section->items[i].node != NULL && section->items[i].node->kind == 'T')
      loop->count += section->items[i].repeat;
  loop->iterations = calloc(loop->count + 1, sizeof *loop->iterations);
  uint64_t number = 0;
  for (size_t i = 0; i < section->count; i++)
    if (section->items[i].node != NULL && section->items[i].node->kind == 'T')
      for (uint64_t r = 0; r < section->items[i].repeat; r++)
        naive_write_iteration(&loop->iterations[number++], &section->items[i], all.overheads.lock);
  return loop;
}
/* CREW begins the loop of SECTION: its leader, and all idle threads for which there is a chunk.  */
static void naive_begin_loop(struct crew *crew, const struct plain_node *section) {
  struct loop *loop = naive_make_loop(section);
  uint64_t size = all.schedule->kind == SCHEDULE_GUIDED ? 1 : naive_chunk_size();
  uint64_t chunks = (loop->count + size - 1) / size;
  loop->unfinished = crew->size;
  crew->open++;
  if (crew->last != NULL)
    crew->last->next = loop;
  crew->last = loop;
  naive_begin_member(crew, 0, loop);
  for (unsigned i = 1; i < crew->size; i++) {
    struct runner *runner = &all.runners[crew->members[i]];
    if (!runner->idle)
      continue;
    if (i >= chunks) {
      loop->unfinished--;
      continue;
    }
    runner->idle = false;
    naive_begin_member(crew, i, loop);
    naive_start(crew->members[i], 0);
  }
}
/* THREAD leaves the loop of LEVEL for the next one, or becomes idle.  The last thread wakes a leader that waits.  */
static void naive_finish_member(int thread, struct level *level) {
  struct crew *crew = level->crew;
  struct loop *loop = level->loop, *next = loop->next;
  struct runner *runner = &all.runners[thread];
  runner->depth--;
  if (crew->members[0] != thread && next != NULL)
    naive_begin_member(crew, (unsigned)runner->member, next);
  else if (crew->members[0] != thread)
    runner->idle = true;
  if (--loop->unfinished > 0)
    return;
  if (crew->last == loop)
    crew->last = NULL;
  if (--crew->open == 0 && crew->leader_waits) {
    crew->leader_waits = false;
    naive_start(crew->members[0], 0);
  }
}

/* THREAD does the next operation of the program of LEVEL.  Returns whether it stops: it works or waits.  */
static bool naive_step_program(int thread, struct level *level) {
  struct operation *operation = &level->program->operations[level->at];
  struct runner *runner = &all.runners[thread];
  switch (operation->what) {
  case WORK:
    level->at++;
    return naive_do_work(thread, operation->work);
  case TAKE: {
    int lock = (int)operation->lock;
    level->at++;
    if (all.lock_owner[lock] < 0 || all.lock_owner[lock] == thread) {
      all.lock_owner[lock] = thread;
      all.lock_depth[lock]++;
      return false;
    }
    all.lock_queue[lock][all.lock_waiting[lock]++] = thread;
    return true;
  }
  case RELEASE: {
    int lock = (int)operation->lock;
    level->at++;
    if (--all.lock_depth[lock] > 0)
      return false;
    all.lock_owner[lock] = -1;
    if (all.lock_waiting[lock] > 0) {
      all.lock_owner[lock] = all.lock_queue[lock][0];
      all.lock_depth[lock] = 1;
      memmove(all.lock_queue[lock], all.lock_queue[lock] + 1, (size_t)--all.lock_waiting[lock] * sizeof(int));
      naive_start(all.lock_owner[lock], 0);
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
        all.runners[level->crew->members[i]].used = false;
    level->crew = NULL;
    if (++level->at < level->program->count)
      return false;
    runner->depth--;
    all.finished = thread == 0 && runner->depth == 0;
    return all.finished;
  }
}
/* THREAD does the next step in the section of LEVEL: own work, fork, loop, wait or join.  Returns whether it stops.  */
static bool naive_step_section(int thread, struct level *level) {
  struct runner *runner = &all.runners[thread];
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
    return naive_do_work(thread, (nested ? all.overheads.nested : all.overheads.fork) * (level->crew->size - 1));
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
           naive_do_work(thread, all.overheads.join * (level->crew->size - 1));
  default:
    runner->depth--;
    return false;
  }
}
/* THREAD begins its next iteration in the loop of LEVEL, or leaves it if there is none.  Returns whether it stops.  */
static bool naive_step_loop(int thread, struct level *level) {
  double cost = 0;
  if (level->from == level->to) {
    if (!naive_next_chunk(level)) {
      naive_finish_member(thread, level);
      return false;
    }
    cost = all.schedule->kind == SCHEDULE_STATIC ? 0 : all.overheads.iteration;
  }
  struct program *iteration = &level->loop->iterations[level->from++];
  double first = iteration->operations[0].work;
  naive_push(thread, (struct level){.kind = IN_PROGRAM, .program = iteration, .at = 1});
  return naive_do_work(thread, cost + first);
}

/* THREAD goes on until it stops.  */
static void naive_go_on(int thread) {
  struct runner *runner = &all.runners[thread];
  bool stops = false;
  while (!stops && runner->depth > 0) {
    struct level *level = &runner->levels[runner->depth - 1];
    stops = level->kind == IN_PROGRAM   ? naive_step_program(thread, level)
            : level->kind == IN_SECTION ? naive_step_section(thread, level)
                                        : naive_step_loop(thread, level);
  }
}
/* THREAD has done its work, and leaves its processor, if it is pinned, to the first thread that waits for it.  */
static void naive_leave_processor(int thread) {
  int processor = all.runners[thread].processor;
  if (all.nesting != NESTING_PINNED || all.processor_owner[processor] != thread)
    return;
  all.processor_owner[processor] = -1;
  if (all.processor_waiting[processor] == 0)
    return;
  int next = all.processor_owner[processor] = all.processor_queue[processor][0];
  memmove(all.processor_queue[processor], all.processor_queue[processor] + 1,
          (size_t)--all.processor_waiting[processor] * sizeof(int));
  naive_start(next, all.runners[next].left);
}
/* Returns the time that the tree ROOT takes on PROCESSORS; -1 if threads wait for each other and none goes on.  */
double naive_teams(const struct plain_node *root, const struct schedule *schedule, unsigned processors,
                   enum section_nesting nesting, const struct overheads *overheads) {
  static struct runner runners[THREADS];
  double now = 0;
  memset(runners, 0, sizeof *runners * (size_t)(all.most + 1));
  memset(&all, 0, sizeof all);
  all.schedule = schedule;
  all.overheads = *overheads;
  all.nesting = nesting;
  all.processors = processors;
  all.runners = runners;
  all.most = 1;
  for (int i = 0; i < 8; i++)
    all.lock_owner[i] = -1;
  for (int i = 0; i < 1024; i++)
    all.processor_owner[i] = -1;
  runners[0].used = true;
  naive_push_program(0, root, false);
  for (int next = 0; !all.finished;) {
    naive_go_on(next);
    double least = -1;
    int running = 0;
    next = -1;
    for (int i = 0; i < all.most; i++)
      if (runners[i].running) {
        running++;
        if (next < 0 || runners[i].left < least) {
          next = i;
          least = runners[i].left;
        }
      }
    if (all.finished)
      break;
    if (next < 0)
      return -1; /* each waits for another */
    for (int i = 0; i < all.most; i++)
      if (runners[i].running)
        runners[i].left -= least;
    bool shared = nesting != NESTING_PINNED && running > (int)processors;
    now += shared ? least * running / processors : least;
    runners[next].running = false;
    naive_leave_processor(next);
  }
  return now;
}
