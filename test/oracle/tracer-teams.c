/* The tracer's part for teams of OpenMP: threads are contexts of the C library, which run one after the other.
   SPDX-License-Identifier: MIT

     Q invocation work site threads  team_run: a team begins; each thread is a child that is spawned at the site
     N invocation thread             from here on that thread runs, up to a barrier or its end
     X invocation work               all threads have ended
     P invocation work number        the thread has written to a variable for which others may wait
     J invocation work number        the thread goes on behind the write with that number

   In the order of their numbers, each thread runs up to the next barrier, until it asks for a part of a loop or of
   sections, or until it waits for a variable: then the next one runs.  What threads do depends on nothing but that
   order.  A team that a thread makes runs up to its end before other threads of the outer team do.  */

#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "test/oracle/tracer.h"

enum { MAX_THREADS = 8, LEVELS = 2, STACK = 1 << 20, THREAD_FRAMES = 1 << 12, SHARES = 1 << 10, POSTS = 1 << 12 };

/* A loop or sections that the threads of a team divide while they run.  */
struct tracer_share {
  uint64_t number; /* of the construct in the team, from 1 on; 0: it was not reached yet */
  uint64_t kind, chunk, count, taken, start, step;
};

/* The last write to a variable in a team.  */
struct tracer_post {
  const void *address;
  uint64_t number, writer;
};

static struct tracer_team {
  uint64_t count, running, arrived, singles;
  uint64_t invocation; /* of what made the team */
  body_t *body;
  void *data;
  ucontext_t maker;
  struct tracer_thread {
    ucontext_t context;
    char *stack;
    frame_t *frames, *top;
    uint64_t singles, shares; /* how many of these it has reached */
    bool arrived, ended, waits;
    int inner;          /* regions without a team that are open in it */
    const void *polled; /* the variable that it read last; NULL: none */
    uint64_t seen;      /* the word of memory with it */
  } threads[MAX_THREADS];
  struct tracer_share shares[SHARES]; /* by number */
  struct tracer_post posts[POSTS];
  size_t post_count;
} teams[1 + LEVELS], *team = teams; /* the first one stands for none */

static int region_depth; /* outside of teams */

void __cilkprof_omp_region_begin(void *before);
void __cilkprof_omp_region_end(void *before);
int __cilkprof_omp_get_thread_num(void);
int __cilkprof_omp_get_num_threads(void);
bool __cilkprof_omp_single_start(void);
bool __cilkprof_omp_loop_start(uint64_t kind, uint64_t down, uint64_t start, uint64_t end, uint64_t step,
                               uint64_t chunk, uint64_t *from, uint64_t *to);
bool __cilkprof_omp_loop_next(uint64_t *from, uint64_t *to);
unsigned __cilkprof_omp_sections_start(unsigned count);
unsigned __cilkprof_omp_sections_next(unsigned last, unsigned count);
void __cilkprof_omp_share_end(void);
void __cilkprof_omp_critical_start(const void *name);
void __cilkprof_omp_critical_end(const void *name);
void __cilkprof_api_omp_poll(const void *address);
void __cilkprof_api_omp_post(const void *address);

/* Returns the thread of the team that runs, if constructs divide work between its threads here; NULL: they do not.  */
static struct tracer_thread *tracer_sharing_thread(void) {
  struct tracer_thread *thread = &team->threads[team->running];
  return team->count && !thread->inner ? thread : NULL;
}

/* Counts a parallel region that begins, in the thread of the team that runs or, outside of teams, in the program.
   Settings of OpenMP need not be kept in BEFORE: random programs change none.  */
void __cilkprof_omp_region_begin(void *before) {
  (void)before;
  ++*(team->count ? &team->threads[team->running].inner : &region_depth);
}
/* Counts a parallel region that ends.  BEFORE is not used, as by __cilkprof_omp_region_begin.  */
void __cilkprof_omp_region_end(void *before) {
  (void)before;
  --*(team->count ? &team->threads[team->running].inner : &region_depth);
}

/* Returns the number of the thread that runs, in its team, in place of omp_get_thread_num.  */
int __cilkprof_omp_get_thread_num(void) {
  return tracer_sharing_thread() ? (int)team->running : 0;
}
/* Returns how many threads the team has, in place of omp_get_num_threads.  */
int __cilkprof_omp_get_num_threads(void) {
  return tracer_sharing_thread() ? (int)team->count : 1;
}

/* Returns whether the thread that runs is the first one at the single construct that it has reached, and so executes
   it.  Where no team divides work it always is.  */
bool __cilkprof_omp_single_start(void) {
  struct tracer_thread *thread = tracer_sharing_thread();
  if (!thread || thread->singles++ == team->singles)
    return !thread || ++team->singles;
  return false;
}

/* Returns the share that THREAD is in.  */
static struct tracer_share *tracer_open_share(const struct tracer_thread *thread) {
  return &team->shares[thread->shares % SHARES];
}

/* Returns the share that THREAD reaches; the first thread of the team makes it, with VALUES.  */
static struct tracer_share *tracer_reach_share(struct tracer_thread *thread, struct tracer_share values) {
  thread->shares++;
  struct tracer_share *share = tracer_open_share(thread);
  values.number = thread->shares;
  if (share->number != values.number)
    *share = values;
  return share;
}

/* Takes the next part of SHARE, from *FIRST to before *LAST: so many at a time with a dynamic schedule, with a guided
   one as many as each thread would get of the rest, but no fewer.  Returns whether there is one.  */
static bool tracer_take_part(struct tracer_share *share, uint64_t *first, uint64_t *last) {
  uint64_t left = share->count - share->taken, part = share->chunk ? share->chunk : 1;
  if (share->kind == __CILKPROF_SCHEDULE_GUIDED && (left + team->count - 1) / team->count > part)
    part = (left + team->count - 1) / team->count;
  *first = share->taken;
  *last = share->taken += part < left ? part : left;
  return left > 0;
}

/* Sets *FROM and *TO to the next part of the loop that the thread is in.  Returns whether there is one; where no team
   divides it, the first part was all of it.  */
bool __cilkprof_omp_loop_next(uint64_t *from, uint64_t *to) {
  struct tracer_thread *thread = tracer_sharing_thread();
  uint64_t first, last;
  if (!thread || !tracer_take_part(tracer_open_share(thread), &first, &last))
    return false;
  *from = tracer_open_share(thread)->start + first * tracer_open_share(thread)->step;
  *to = tracer_open_share(thread)->start + last * tracer_open_share(thread)->step;
  return true;
}
/* Sets *FROM and *TO to the first part that the thread that runs has of a loop from START to END by STEP, with a
   schedule of this KIND and CHUNK iterations at a time; all of it where no team divides it.  Returns whether there is
   one.  DOWN: its variable decreases.  */
bool __cilkprof_omp_loop_start(uint64_t kind, uint64_t down, uint64_t start, uint64_t end, uint64_t step,
                               uint64_t chunk, uint64_t *from, uint64_t *to) {
  struct tracer_thread *thread = tracer_sharing_thread();
  bool any = down ? (int64_t)start > (int64_t)end : (int64_t)start < (int64_t)end;
  *from = start;
  *to = end;
  if (!thread)
    return any;
  uint64_t count = !any ? 0 : down ? (start - end - 1) / -step + 1 : (end - start - 1) / step + 1;
  tracer_reach_share(
      thread,
      (struct tracer_share){
          .kind = kind & __CILKPROF_SCHEDULE_KIND, .chunk = chunk, .count = count, .start = start, .step = step});
  return __cilkprof_omp_loop_next(from, to);
}
/* Returns the number of the section after LAST, of COUNT, that the thread runs; 0: there is none.  */
unsigned __cilkprof_omp_sections_next(unsigned last, unsigned count) {
  struct tracer_thread *thread = tracer_sharing_thread();
  uint64_t first, end;
  if (!thread)
    return last < count ? last + 1 : 0;
  return tracer_take_part(tracer_open_share(thread), &first, &end) ? (unsigned)first + 1 : 0;
}
/* Returns the number of the first of COUNT sections that the thread runs; 0: there is none.  */
unsigned __cilkprof_omp_sections_start(unsigned count) {
  struct tracer_thread *thread = tracer_sharing_thread();
  if (thread)
    tracer_reach_share(thread, (struct tracer_share){.kind = __CILKPROF_SCHEDULE_DYNAMIC, .count = count});
  return __cilkprof_omp_sections_next(0, count);
}
/* Does nothing at the end of a loop or of sections: the next one has another number.  */
void __cilkprof_omp_share_end(void) {}
/* Do nothing where the critical section with NAME begins and ends: a thread runs up to a barrier, and there is none in
   such a section, so no other can be in it.  This covers both functions.  */
void __cilkprof_omp_critical_start(const void *name) {
  (void)name;
}
void __cilkprof_omp_critical_end(const void *name) {
  (void)name;
}

/* Returns whether THREAD can run: it has neither ended nor is it at a barrier, nor does it wait unless WAITING.  */
static bool tracer_can_run(const struct tracer_thread *thread, bool waiting) {
  return !thread->arrived && !thread->ended && (waiting || !thread->waits);
}

/* Returns the number of the first thread from number FROM on, in rounds, that can run; of those that wait only if there
   is no other; the number of threads if there is none.  */
static uint64_t tracer_find_thread(uint64_t from) {
  for (int waiting = 0; waiting < 2; waiting++)
    for (uint64_t i = 0; i < team->count; i++)
      if (tracer_can_run(&team->threads[(from + i) % team->count], waiting))
        return (from + i) % team->count;
  return team->count;
}

/* Lets the next thread of the team run that can, and writes which; or what made the team if there is none.  The context
   of the caller is saved in FROM, where it goes on later; it may be that thread itself.  */
static void tracer_next_thread(ucontext_t *from) {
  uint64_t next = tracer_find_thread(from == &team->maker ? 0 : team->running + 1);
  if (from != &team->maker)
    team->threads[team->running].top = trace.top;
  if (next == team->count) {
    swapcontext(from, &team->maker);
    return;
  }
  team->running = next;
  trace.top = team->threads[next].top;
  fprintf(trace.file, "N %lu %lu\n", team->invocation, next);
  if (from != &team->threads[next].context)
    swapcontext(from, &team->threads[next].context);
}

/* Returns the post for ADDRESS in the team, or where it would be.  Aborts if there are too many.  */
static struct tracer_post *tracer_find_post(const void *address) {
  size_t i = 0;
  while (i < team->post_count && team->posts[i].address != address)
    i++;
  if (i == POSTS)
    abort();
  return &team->posts[i];
}

/* Writes that the thread that runs has written to the variable at ADDRESS, for which others may wait.  */
void __cilkprof_api_omp_post(const void *address) {
  static uint64_t posted;
  if (!tracer_sharing_thread())
    return;
  struct tracer_post *post = tracer_find_post(address);
  if (post == &team->posts[team->post_count])
    team->post_count++;
  *post = (struct tracer_post){address, ++posted, team->running};
  fprintf(trace.file, "P %lu %lu %lu\n", trace.top->key, trace.top->local_work, posted);
}

/* Writes that the thread that runs goes on behind the last write to the variable at ADDRESS, if that was by another
   one.  */
static void tracer_join_post(const void *address) {
  const struct tracer_post *post = tracer_find_post(address);
  if (post < &team->posts[team->post_count] && post->writer != team->running)
    fprintf(trace.file, "J %lu %lu %lu\n", trace.top->key, trace.top->local_work, post->number);
}

/* The thread that runs is about to read the variable at ADDRESS.  If it has read it just before, and the word of memory
   has not changed since, it waits, and others run.  */
void __cilkprof_api_omp_poll(const void *address) {
  struct tracer_thread *thread = tracer_sharing_thread();
  if (!thread)
    return;
  tracer_join_post(address);
  uint64_t seen = *(const volatile uint64_t *)((uintptr_t)address & ~(uintptr_t)7);
  bool again = thread->polled == address && thread->seen == seen;
  thread->polled = address;
  thread->seen = seen;
  if (!again)
    return;
  thread->waits = true;
  tracer_next_thread(&thread->context);
  thread->waits = false;
  tracer_join_post(address);
}

/* Runs the team's body in the thread that has been made for it, and lets the next one run.  Never returns.  */
static void tracer_run_thread(void) {
  team->body(team->data);
  team->threads[team->running].ended = true;
  tracer_next_thread(&team->threads[team->running].context);
}

/* Makes thread I of the team ready to run from its beginning.  Its stacks are those of the last team, if there was one.
   Aborts if there is no memory.  */
static void tracer_make_thread(uint64_t i) {
  struct tracer_thread *thread = &team->threads[i];
  *thread = (struct tracer_thread){.stack = thread->stack, .frames = thread->frames};
  if (!thread->stack) {
    thread->stack = malloc(STACK);
    thread->frames = calloc(THREAD_FRAMES, sizeof(frame_t));
  }
  if (!thread->stack || !thread->frames || getcontext(&thread->context) != 0)
    abort();
  thread->top = thread->frames;
  thread->context.uc_stack.ss_sp = thread->stack;
  thread->context.uc_stack.ss_size = STACK;
  makecontext(&thread->context, tracer_run_thread, 0);
}

/* Runs BODY with DATA, the code of the parallel region in FRAME, by a team of THREADS threads, each a child spawned at
   the site SPAWNED, and writes which of them runs when.  A team of one thread, or inside of as many others as
   OMP_MAX_ACTIVE_LEVELS says, is a task that is called at the site CALLED.  */
EVENT(void, team_run, frame_t *frame, uint64_t local_work, site_t *spawned, site_t *called, body_t *body, void *data,
      uint64_t threads) {
  const char *levels = getenv("OMP_MAX_ACTIVE_LEVELS");
  if (threads < 2 || team - teams >= (levels ? atoi(levels) : 1)) {
    __cilkprof_t_task_call_if(frame, local_work, spawned, called, 0, 0);
    body(data);
    __cilkprof_t_task_returned(frame, local_work);
    return;
  }
  if (threads > MAX_THREADS || team - teams == LEVELS)
    abort();
  frame_t *top = trace.top;
  uint64_t number = tracer_site_number(spawned);
  fprintf(trace.file, "Q %lu %lu %lu %lu\n", frame->key, local_work, number, threads);
  team++;
  team->count = threads;
  team->post_count = 0;
  team->running = team->arrived = team->singles = 0;
  memset(team->shares, 0, sizeof team->shares);
  team->invocation = frame->key;
  team->body = body;
  team->data = data;
  for (uint64_t i = 0; i < threads; i++)
    tracer_make_thread(i);
  tracer_next_thread(&team->maker);
  team->count = 0;
  team--;
  trace.top = top;
  fprintf(trace.file, "X %lu %lu\n", frame->key, local_work);
}

/* Lets the next thread of the team run, if there is one; at a barrier, until all are there: the last one to come lets
   all go on.  */
static void tracer_let_others_run(bool at_barrier) {
  struct tracer_thread *thread = tracer_sharing_thread();
  if (!thread)
    return;
  thread->arrived = at_barrier;
  if (thread->arrived && ++team->arrived == team->count) {
    team->arrived = 0;
    for (uint64_t i = 0; i < team->count; i++)
      team->threads[i].arrived = false;
  }
  tracer_next_thread(&thread->context);
}
void tracer_wait_at_barrier(void) {
  tracer_let_others_run(true);
}

/* Writes that FRAME waits for WHAT, one of __CILKPROF_WAIT_..., such as its tasks.  At a barrier of a team, and
   where it divides work, the next thread runs.  A barrier in a loop is the one at the loop's end.  */
EVENT(void, taskwait, frame_t *frame, uint64_t local_work, uint64_t what) {
  fprintf(trace.file, "w %lu %lu %lu\n", frame->key, local_work, what);
  block_t *block = frame->block;
  if (what == __CILKPROF_WAIT_TURN)
    tracer_let_others_run(false);
  else if (what == __CILKPROF_WAIT_BARRIER) {
    if (block && (block->kind & __CILKPROF_BLOCK_KIND) == __CILKPROF_BLOCK_LOOP)
      block->flags |= __CILKPROF_BLOCK_BARRIER;
    else
      tracer_let_others_run(true);
  }
}
