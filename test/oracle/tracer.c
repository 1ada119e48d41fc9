/* Writes down the events of a run, for the oracle: what a program links that was compiled with -fcilkprof-callbacks.
   SPDX-License-Identifier: MIT

   One event a line, in the file that CILKPROF_TRACE names.  A letter, the number of the invocation, then values:

     F function address                              a function record, before it is first named
     S site function kind flags line column callee   a site, likewise; four lines with its strings follow
     e invocation function outside                   enter; the site of its entries from outside, or 0
     c invocation work site         call             r invocation site              returned
     s invocation work site         spawn            R invocation work site         spawn_returned
     f invocation work site callee spawned           foreign_call; g invocation: foreign_returned
     b invocation work site kind    block_begin      d invocation work              block_end
     G invocation grain trips       loop_grains      i invocation work              iterate
     L invocation work trips        loop_end         y invocation work              sync
     p invocation work site inside  serial_loop_end, of a loop that is a site: the work before it, and its own
     l invocation work              leave            m invocation                   resume
     x invocation work              tasks_leave
     A invocation work label        cilkprof_start; Z: cilkprof_stop
     z invocation work              the function returns, and may have begun regions
     t invocation threads           team             w invocation work barrier      taskwait
     o invocation schedule chunk trips               team_loop
     T invocation work site called deferred flags    task_begin; then, to the end of the line, pairs of how it uses an
                                                     address, 0 reads 1 excludes 2 writes, and the address
     k invocation work site called deferred flags    task_call, task_call_if; K invocation work: task_returned

   Addresses are hexadecimal and relative to the executable's beginning; 0 is none.  */

#include "test/oracle/tracer.h"

/* What the program's records refer to.  */
extern function_t __cilkprof_outside;
extern const uint64_t __cilkprof_mode_count;
function_t __cilkprof_outside;
const uint64_t __cilkprof_mode_count = 1;

void __cilkprof_is_missing_link_with_fcilkprof_count(void);
/* Does nothing: the linker needs it, as objects refer to it.  */
void __cilkprof_is_missing_link_with_fcilkprof_count(void) {}

void __cilkprof_records_add(char *start, char *end);
/* Does nothing: every executable announces its records to the engine by this, and the tracer finds them by itself.  */
void __cilkprof_records_add(char *start, char *end) {
  (void)start;
  (void)end;
}

void __cilkprof_load(void *start, void *end);
/* Does nothing: every object announces its slots to the engine by this, and the tracer finds them by itself.  */
void __cilkprof_load(void *start, void *end) {
  (void)start;
  (void)end;
}

void __cilkprof_omp_region_begin(void *before);
/* Does nothing at the beginning of a parallel region: random programs ask nothing about it.  */
void __cilkprof_omp_region_begin(void *before) {
  (void)before;
}

void __cilkprof_omp_region_end(void *before);
/* Does nothing at the end of a parallel region.  */
void __cilkprof_omp_region_end(void *before) {
  (void)before;
}

void __cilkprof_unload(const void *inside, char *start, char *end);
/* Does nothing when a library is unloaded: random programs load none.  */
void __cilkprof_unload(const void *inside, char *start, char *end) {
  (void)inside;
  (void)start;
  (void)end;
}

/* The events, which the program calls.  Most write a line of the trace, whose form is listed at the top.  */
#define DECLARE(name, result, ...)  result __cilkprof_t_##name(__VA_ARGS__);
#define TOLD(name, result, ...)     DECLARE(name, result, __VA_ARGS__)
#define DIRECT(name, result, ...)   DECLARE(name, result, __VA_ARGS__)
#define CALLBACK(name, result, ...) DECLARE(name, result, __VA_ARGS__)
#include "libcilkprof/abi/events.def"

/* Writes that FUNCTION is entered, and starts the trace if that is the first event.  Returns its frame, whose key
   numbers the invocation.  */
frame_t *__cilkprof_t_enter_linked(function_t *function, uint64_t key) {
  (void)key;
  if (!trace.file)
    tracer_start();
  uint64_t number = tracer_function_number(function);
  uint64_t outside = function->outside.description ? tracer_site_number(&function->outside) : 0;
  frame_t *frame = ++trace.top;
  if (frame >= trace.frames + MAX_FRAMES)
    abort();
  *frame = (frame_t){.key = ++trace.invocations};
  fprintf(trace.file, "e %lu %lu %lu\n", frame->key, number, outside);
  return frame;
}

/* Removes FRAME, and everything above it, from the stack.  Nothing is written.  */
void __cilkprof_t_unlink_frame(frame_t *frame) {
  trace.top = frame - 1;
}

/* Begins the line of a call: its LETTER, the invocation, its local work and the site.  Keeps the local work in FRAME,
   where code after a setjmp reads it.  */
static void tracer_call(char letter, frame_t *frame, uint64_t local_work, site_t *site) {
  uint64_t number = tracer_site_number(site);
  frame->local_work = local_work;
  fprintf(trace.file, "%c %lu %lu %lu", letter, frame->key, local_work, number);
}

/* Writes that FRAME calls an instrumented function at SITE.  */
void __cilkprof_t_call(frame_t *frame, uint64_t local_work, site_t *site) {
  tracer_call('c', frame, local_work, site);
  putc('\n', trace.file);
}

/* Writes that what SITE called has returned to FRAME.  */
void __cilkprof_t_returned(frame_t *frame, site_t *site) {
  fprintf(trace.file, "r %lu %lu\n", frame->key, tracer_site_number(site));
}

/* Writes that FRAME spawns an instrumented function at SITE.  */
void __cilkprof_t_spawn(frame_t *frame, uint64_t local_work, site_t *site) {
  tracer_call('s', frame, local_work, site);
  putc('\n', trace.file);
}

/* Writes that what SITE spawned has returned to FRAME.  */
void __cilkprof_t_spawn_returned(frame_t *frame, uint64_t local_work, site_t *site) {
  fprintf(trace.file, "R %lu %lu %lu\n", frame->key, local_work, tracer_site_number(site));
}

/* Writes that FRAME calls CALLEE, or spawns it if SPAWNED, which may have no instrumentation, at SITE.  */
void __cilkprof_t_foreign_call(frame_t *frame, site_t *site, const void *callee, uint64_t local_work,
                               uint64_t spawned) {
  tracer_call('f', frame, local_work, site);
  fprintf(trace.file, " %lx %lu\n", tracer_relative(callee), spawned);
}

/* Writes that a call of something that may have no instrumentation has returned to FRAME.  */
void __cilkprof_t_foreign_returned(frame_t *frame) {
  fprintf(trace.file, "g %lu\n", frame->key);
}

/* Writes that FRAME joins its children.  */
void __cilkprof_t_sync(frame_t *frame, uint64_t local_work) {
  fprintf(trace.file, "y %lu %lu\n", frame->key, local_work);
}

/* Writes that the function of FRAME returns.  */
void __cilkprof_t_leave(frame_t *frame, uint64_t local_work) {
  fprintf(trace.file, "l %lu %lu\n", frame->key, local_work);
}

/* Makes FRAME the top of the stack again, since control has jumped there, and writes that.  */
void __cilkprof_t_resume(frame_t *frame) {
  trace.top = frame;
  fprintf(trace.file, "m %lu\n", frame->key);
}

/* Does nothing: no generated program jumps out of a block to a place in the same function.  */
void __cilkprof_t_close_blocks(frame_t *frame, uint64_t around) {
  (void)frame;
  (void)around;
}

/* Returns the site for calls of CALLEE at SITE, an indirect call; it is made the first time.  Nothing is written.  */
site_t *__cilkprof_t_callee(site_t *site, const void *callee) {
  for (site_t *known = site->learnt.callees; known; known = known->learnt.callees)
    if (known->callee == callee)
      return known;
  site_t *new = calloc(1, sizeof *new);
  *new = (site_t){.function = site->function, .description = site->description, .callee = callee};
  new->learnt.callees = site->learnt.callees;
  return site->learnt.callees = new;
}

/* Writes that a block of this KIND begins in FRAME, at SITE if it has one.  Returns the local work to begin with.
   Blocks that longjmp leaves are never freed: the run is short.  */
uint64_t __cilkprof_t_block_begin(frame_t *frame, uint64_t local_work, site_t *site, uint64_t kind) {
  block_t *block = calloc(1, sizeof *block);
  if (!block)
    abort();
  uint64_t number = site ? tracer_site_number(site) : 0;
  block->kind = kind;
  block->outer_work = local_work;
  block->outer.block = frame->block;
  frame->block = block;
  fprintf(trace.file, "b %lu %lu %lu %lu\n", frame->key, local_work, number, kind);
  return (kind & __CILKPROF_BLOCK_KIND) == __CILKPROF_BLOCK_SCOPE ? local_work : 0;
}

/* Closes the innermost block of FRAME.  Returns the local work with which the code around it goes on.  */
static uint64_t tracer_pop_block(frame_t *frame, uint64_t local_work) {
  block_t *block = frame->block;
  bool scope = (block->kind & __CILKPROF_BLOCK_KIND) == __CILKPROF_BLOCK_SCOPE;
  uint64_t work = scope ? local_work : block->outer_work;
  frame->block = block->outer.block;
  free(block);
  return work;
}

/* Writes that the innermost block of FRAME ends, and frees it.  Returns the local work of what is around it.  */
uint64_t __cilkprof_t_block_end(frame_t *frame, uint64_t local_work) {
  fprintf(trace.file, "d %lu %lu\n", frame->key, local_work);
  return tracer_pop_block(frame, local_work);
}

/* Writes the grain that the loop of FRAME is given, 0 if none, and its TRIPS.  */
void __cilkprof_t_loop_grains(frame_t *frame, uint64_t grain, uint64_t trips) {
  fprintf(trace.file, "G %lu %lu %lu\n", frame->key, grain, trips);
}

/* Writes that an iteration of the loop of FRAME begins.  */
void __cilkprof_t_iterate(frame_t *frame, uint64_t local_work) {
  fprintf(trace.file, "i %lu %lu\n", frame->key, local_work);
}

/* Writes that the loop of FRAME ends, and frees its block.  Returns the local work of what is around it.  */
uint64_t __cilkprof_t_loop_end(frame_t *frame, uint64_t local_work, uint64_t trips) {
  fprintf(trace.file, "L %lu %lu %lu\n", frame->key, local_work, trips);
  return tracer_pop_block(frame, local_work);
}

/* Writes that a serial loop at SITE has ended if it was long, and returns the work BEFORE it.  A short one is not
   written: its work remains part of LOCAL_WORK, which is returned.  */
uint64_t __cilkprof_t_serial_loop_end(frame_t *frame, uint64_t local_work, site_t *site, uint64_t before) {
  if (local_work - before < __CILKPROF_LONG)
    return local_work;
  uint64_t number = tracer_site_number(site);
  fprintf(trace.file, "p %lu %lu %lu %lu\n", frame->key, before, number, local_work - before);
  return before;
}

/* Writes that the team of the region in FRAME has so many THREADS.  */
void __cilkprof_t_team(frame_t *frame, uint64_t threads) {
  fprintf(trace.file, "t %lu %lu\n", frame->key, threads);
}

/* Writes how a team divides the loop of FRAME: SCHEDULE, CHUNK and TRIPS.  */
void __cilkprof_t_team_loop(frame_t *frame, uint64_t schedule, uint64_t chunk, uint64_t trips) {
  fprintf(trace.file, "o %lu %lu %lu %lu\n", frame->key, schedule, chunk, trips);
}

/* Writes what a task depends on, from the array DEPEND for libgomp: its counts, then the addresses that are written and
   those that are read.  If the first element is 0, there are also addresses whose users exclude each other.  No
   generated program has depend objects.  */
static void tracer_write_uses(void *const *depend) {
  uint64_t counts[3] = {0}, *writes = &counts[0], *excludes = &counts[1], *reads = &counts[2];
  bool first_form = depend[0] != NULL;
  *writes = (uint64_t)depend[first_form ? 1 : 2];
  *excludes = first_form ? 0 : (uint64_t)depend[3];
  *reads = first_form ? (uint64_t)depend[0] - *writes : (uint64_t)depend[4];
  depend += first_form ? 2 : 5;
  for (int use = 2; use >= 0; use--)
    for (uint64_t i = 0; i < counts[2 - use]; i++)
      fprintf(trace.file, " %d %lu", use, (uint64_t)*depend++);
}

/* Writes that a task that is a block begins, and what it depends on.  Returns its local work so far, 0.  */
uint64_t __cilkprof_t_task_begin(frame_t *frame, uint64_t local_work, site_t *spawned, site_t *called,
                                 uint64_t deferred, uint64_t flags, const void *depend) {
  uint64_t numbers[] = {tracer_site_number(spawned), tracer_site_number(called)};
  block_t *block = calloc(1, sizeof *block);
  if (!block)
    abort();
  block->kind = __CILKPROF_BLOCK_SPAWN;
  block->outer_work = local_work;
  block->outer.block = frame->block;
  frame->block = block;
  fprintf(trace.file, "T %lu %lu %lu %lu %lu %lu", frame->key, local_work, numbers[0], numbers[1], deferred, flags);
  if (depend)
    tracer_write_uses(depend);
  putc('\n', trace.file);
  return 0;
}

/* Writes that FRAME makes a task that is a call: at SPAWNED if it is DEFERRED, else at CALLED.  */
void __cilkprof_t_task_call_if(frame_t *frame, uint64_t local_work, site_t *spawned, site_t *called, uint64_t deferred,
                               uint64_t flags) {
  uint64_t number = tracer_site_number(called);
  tracer_call('k', frame, local_work, spawned);
  fprintf(trace.file, " %lu %lu %lu\n", number, deferred, flags);
}

/* Writes that FRAME makes a task that is a call and may be deferred.  */
void __cilkprof_t_task_call(frame_t *frame, uint64_t local_work, site_t *spawned, site_t *called) {
  __cilkprof_t_task_call_if(frame, local_work, spawned, called, 1, 0);
}

/* Writes that a task that is a call has returned to FRAME.  */
void __cilkprof_t_task_returned(frame_t *frame, uint64_t local_work) {
  fprintf(trace.file, "K %lu %lu\n", frame->key, local_work);
}

/* Writes that FRAME waits for its tasks, or at a BARRIER for all tasks of the region.  */
void __cilkprof_t_taskwait(frame_t *frame, uint64_t local_work, uint64_t barrier) {
  fprintf(trace.file, "w %lu %lu %lu\n", frame->key, local_work, barrier);
}

/* Does nothing: which tasks a function leaves behind follows from what is open when it returns.  */
void __cilkprof_t_adopt(frame_t *frame, uint64_t local_work, site_t *site) {
  (void)frame;
  (void)local_work;
  (void)site;
}

/* Writes that the function of FRAME, in a program of OpenMP, is about to return.  */
void __cilkprof_t_tasks_leave(frame_t *frame, uint64_t local_work) {
  fprintf(trace.file, "x %lu %lu\n", frame->key, local_work);
}

/* Keeps FRAME's local work: the program is about to call one of the functions below, which mark regions.  */
void __cilkprof_t_here(frame_t *frame, uint64_t local_work) {
  frame->local_work = local_work;
}

/* Writes that the function of FRAME, which may have begun regions, returns.  */
void __cilkprof_t_strands_end(frame_t *frame, uint64_t local_work) {
  fprintf(trace.file, "z %lu %lu\n", frame->key, local_work);
}

void __cilkprof_api_start(const char *label);
/* Writes that the function on top of the stack starts the region LABEL.  */
void __cilkprof_api_start(const char *label) {
  fprintf(trace.file, "A %lu %lu %s\n", trace.top->key, trace.top->local_work, label);
}

void __cilkprof_api_stop(const char *label);
/* Writes that the function on top of the stack stops the region LABEL.  */
void __cilkprof_api_stop(const char *label) {
  fprintf(trace.file, "Z %lu %lu %s\n", trace.top->key, trace.top->local_work, label);
}
