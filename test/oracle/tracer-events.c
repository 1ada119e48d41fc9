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
     n invocation work              a grain of a loop begins, by a call of the loop's body
     p invocation work site inside  serial_loop_end, of a loop that is a site: the work before it, and its own
     l invocation work              leave            m invocation                   resume
     x invocation work              tasks_leave
     A invocation work label        cilkprof_start; Z: cilkprof_stop
     z invocation work              the function returns, and may have begun regions
     t invocation threads           team             w invocation work what         taskwait
     o invocation schedule chunk trips               team_loop
     T invocation work site called deferred flags    task_begin; then, to the end of the line, pairs of how it uses an
                                                     address, 0 reads 1 excludes 2 writes, and the address
     k invocation work site called deferred flags    task_call, task_call_if; K invocation work: task_returned

   tracer-teams.c writes those of teams.  Addresses are hexadecimal and relative to the executable's beginning; 0 is
   none.  */

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "test/oracle/tracer.h"
#include "fmt/description.h"

/* What the program's records refer to.  The function does nothing: by its name the linker says what is missing where
   nothing defines it.  */
extern function_t __cilkprof_outside;
extern const uint64_t __cilkprof_mode_count;
function_t __cilkprof_outside;
const uint64_t __cilkprof_mode_count = 1;
void __cilkprof_is_missing_link_with_fcilkprof_count(void);
void __cilkprof_is_missing_link_with_fcilkprof_count(void) {}

/* Do nothing with the records from START to END, of which every executable and library tells the engine when it is
   loaded: the tracer sees each record when an event names it.  This covers all three functions.  */
void __cilkprof_records_add(char *start, char *end);
void __cilkprof_records_add(char *start, char *end) {
  (void)start;
  (void)end;
}
void __cilkprof_load(void *start, void *end);
void __cilkprof_load(void *start, void *end) {
  (void)start;
  (void)end;
}
void __cilkprof_close(void *start, void *end) __attribute__((alias("__cilkprof_load")));
/* Does nothing when a library, whose records are from START to END, is unloaded: random programs load none.  */
void __cilkprof_unload(const void *inside, char *start, char *end);
void __cilkprof_unload(const void *inside, char *start, char *end) {
  (void)inside;
  (void)start;
  (void)end;
}

extern const char __ehdr_start[];

struct tracer trace;

/* Opens the file that CILKPROF_TRACE names, and reserves the stack of frames.  Called at the first event, at which the
   engine starts too.  Aborts if that fails, as there would be nothing to compare.  */
static void tracer_start(void) {
  const char *name = getenv("CILKPROF_TRACE");
  trace.file = fopen(name ? name : "/dev/null", "w");
  trace.frames = mmap(NULL, MAX_FRAMES * sizeof(frame_t), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (!trace.file || trace.frames == MAP_FAILED) {
    perror("CILKPROF_TRACE");
    abort();
  }
  trace.top = trace.frames;
}

/* Closes the trace, after the program's own exit handlers and destructors, which have events too.  Aborts if not all of
   it could be written.  */
static __attribute__((destructor(101))) void tracer_finish(void) {
  if (trace.file && fclose(trace.file) != 0) {
    perror("CILKPROF_TRACE");
    abort();
  }
  trace.file = NULL;
}

/* Returns ADDRESS relative to the beginning of the executable; 0 for NULL.  */
static uint64_t tracer_relative(const void *address) {
  return address ? (uint64_t)address - (uint64_t)__ehdr_start : 0;
}

/* Returns the bytes of the executable's file, which is mapped the first time: descriptions of sites are not loaded, and
   only there.  NULL if it cannot be mapped.  */
static const char *tracer_own_file(void) {
  static const char *bytes;
  if (!bytes) {
    FILE *file = fopen("/proc/self/exe", "r");
    if (!file || fseek(file, 0, SEEK_END) != 0)
      abort();
    bytes = mmap(NULL, (size_t)ftell(file), PROT_READ, MAP_PRIVATE, fileno(file), 0);
    fclose(file);
  }
  return bytes == MAP_FAILED ? NULL : bytes;
}

/* Returns the description of the site whose slot is SLOT, from the executable's file.  Aborts if there is none.  */
static const struct cilkprof_description *tracer_describe(const void *slot) {
  const char *file = tracer_own_file();
  const Elf64_Ehdr *header = (const Elf64_Ehdr *)file;
  const Elf64_Phdr *first = (const Elf64_Phdr *)(file + header->e_phoff);
  while (first->p_type != PT_LOAD || first->p_offset != 0)
    first++;
  const Elf64_Shdr *sections = (const Elf64_Shdr *)(file + header->e_shoff);
  const char *names = file + sections[header->e_shstrndx].sh_offset;
  for (int s = 0; s < header->e_shnum; s++)
    if (!strcmp(names + sections[s].sh_name, CILKPROF_DESCRIPTION_SECTION))
      for (size_t at = 0; at < sections[s].sh_size;) {
        const struct cilkprof_description *each = (const void *)(file + sections[s].sh_offset + at);
        if (each->site == tracer_relative(slot) + first->p_vaddr)
          return each;
        at += each->size;
      }
  abort();
}

/* Returns the number of FUNCTION, which is written to the trace when it is first used.  The number is kept in a field
   of the record that only the engine uses.  */
static uint64_t tracer_function_number(function_t *function) {
  if (!function->open) {
    function->open = ++trace.functions;
    fprintf(trace.file, "F %lu %lx\n", function->open, tracer_relative(function->address));
  }
  return function->open;
}

/* Returns the number of SITE, which is written to the trace when it is first used, with its function and the strings of
   its description.  The number is kept in a field of the record that only the engine uses.  */
uint64_t tracer_site_number(site_t *site) {
  if (site->count)
    return site->count;
  uint64_t function = tracer_function_number(site->function);
  site->count = ++trace.sites;
  const struct cilkprof_description *head = tracer_describe(site->description);
  fprintf(trace.file, "S %lu %lu %u %u %u %u %lx\n", site->count, function, head->kind, head->flags, head->line,
          head->column, tracer_relative(site->callee));
  const char *string = (const char *)(head + 1);
  for (int i = 0; i < 4; i++, string += strlen(string) + 1)
    fprintf(trace.file, "%s\n", string);
  return site->count;
}

/* Writes that FUNCTION is entered, and starts the trace if that is the first event.  Returns its frame, whose key is
   the number of the invocation, and not KEY, which would differ from run to run.  */
EVENT(frame_t *, enter_linked, function_t *function, uint64_t key) {
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
/* Takes FRAME, and all that is left above it, off the stack.  Nothing is written.  */
EVENT(void, unlink_frame, frame_t *frame) {
  trace.top = frame - 1;
}

/* Writes LETTER, FRAME, its LOCAL_WORK and SITE, without the end of the line: a call begins.  LOCAL_WORK is kept in the
   frame, where the program gets it back from if setjmp returns once more.  */
static void tracer_call(char letter, frame_t *frame, uint64_t local_work, site_t *site) {
  uint64_t number = tracer_site_number(site);
  frame->local_work = local_work;
  fprintf(trace.file, "%c %lu %lu %lu", letter, frame->key, local_work, number);
}
/* Writes that FRAME calls an instrumented function at SITE.  */
EVENT(void, call, frame_t *frame, uint64_t local_work, site_t *site) {
  tracer_call('c', frame, local_work, site);
  putc('\n', trace.file);
}
/* Writes that what SITE called has returned to FRAME.  */
EVENT(void, returned, frame_t *frame, site_t *site) {
  fprintf(trace.file, "r %lu %lu\n", frame->key, tracer_site_number(site));
}
/* Writes that FRAME spawns an instrumented function at SITE.  */
EVENT(void, spawn, frame_t *frame, uint64_t local_work, site_t *site) {
  tracer_call('s', frame, local_work, site);
  putc('\n', trace.file);
}
/* Writes that what SITE spawned has returned to FRAME.  */
EVENT(void, spawn_returned, frame_t *frame, uint64_t local_work, site_t *site) {
  fprintf(trace.file, "R %lu %lu %lu\n", frame->key, local_work, tracer_site_number(site));
}
/* Writes that FRAME calls CALLEE, or spawns it if SPAWNED, which may have no instrumentation, at SITE.  */
EVENT(void, foreign_call, frame_t *frame, site_t *site, const void *callee, uint64_t local_work, uint64_t spawned) {
  tracer_call('f', frame, local_work, site);
  fprintf(trace.file, " %lx %lu\n", tracer_relative(callee), spawned);
}
/* Writes that a call of something that may have no instrumentation has returned to FRAME.  */
EVENT(void, foreign_returned, frame_t *frame) {
  fprintf(trace.file, "g %lu\n", frame->key);
}
/* Writes that FRAME joins its children.  */
EVENT(void, sync, frame_t *frame, uint64_t local_work) {
  fprintf(trace.file, "y %lu %lu\n", frame->key, local_work);
}
/* Writes that the function of FRAME returns.  */
EVENT(void, leave, frame_t *frame, uint64_t local_work) {
  fprintf(trace.file, "l %lu %lu\n", frame->key, local_work);
}
/* Makes FRAME the top of the stack again, since control has jumped there, and writes that.  */
EVENT(void, resume, frame_t *frame) {
  trace.top = frame;
  fprintf(trace.file, "m %lu\n", frame->key);
}

/* Does nothing where control may have left blocks of FRAME by a jump to a place inside of AROUND blocks: no generated
   program jumps out of a block to a place in the same function.  */
EVENT(void, close_blocks, frame_t *frame, uint64_t around) {
  (void)frame;
  (void)around;
}
/* Returns the site for calls of CALLEE at SITE, an indirect call, which is made when CALLEE is first called there.
   Nothing is written.  */
EVENT(site_t *, callee, site_t *site, const void *callee) {
  for (site_t *known = site->learnt.callees; known; known = known->learnt.callees)
    if (known->callee == callee)
      return known;
  site_t *new = calloc(1, sizeof *new);
  *new = (site_t){.function = site->function, .description = site->description, .callee = callee};
  new->learnt.callees = site->learnt.callees;
  return site->learnt.callees = new;
}

/* Writes that a block of KIND begins at SITE, NULL if it has none, in FRAME.  Returns the local work in it: that of the
   function goes on in a scope, and begins at 0 in others.  Blocks that longjmp leaves behind stay allocated, as the run
   is short.  */
EVENT(uint64_t, block_begin, frame_t *frame, uint64_t local_work, site_t *site, uint64_t kind) {
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

/* Frees the innermost block of FRAME, in which the local work is LOCAL_WORK.  Returns the local work with which the
   code around it goes on.  */
static uint64_t tracer_pop_block(frame_t *frame, uint64_t local_work) {
  block_t *block = frame->block;
  bool scope = (block->kind & __CILKPROF_BLOCK_KIND) == __CILKPROF_BLOCK_SCOPE;
  uint64_t work = scope ? local_work : block->outer_work;
  frame->block = block->outer.block;
  free(block);
  return work;
}
/* Writes that the innermost block of FRAME ends, and frees it.  Returns the local work of what is around it.  */
EVENT(uint64_t, block_end, frame_t *frame, uint64_t local_work) {
  fprintf(trace.file, "d %lu %lu\n", frame->key, local_work);
  return tracer_pop_block(frame, local_work);
}
/* Writes the grain that the loop of FRAME is given, 0 if none, and its TRIPS.  */
EVENT(void, loop_grains, frame_t *frame, uint64_t grain, uint64_t trips) {
  fprintf(trace.file, "G %lu %lu %lu\n", frame->key, grain, trips);
}
/* Writes that an iteration of the loop of FRAME begins.  */
EVENT(void, iterate, frame_t *frame, uint64_t local_work) {
  fprintf(trace.file, "i %lu %lu\n", frame->key, local_work);
}
/* Writes that the loop of FRAME ends, and frees its block.  TRIPS is the number of its iterations if there were no
   events between them, else 0.  Returns the local work of what is around it, after the barrier at the loop's end.  */
EVENT(uint64_t, loop_end, frame_t *frame, uint64_t local_work, uint64_t trips) {
  bool barrier = frame->block->flags & __CILKPROF_BLOCK_BARRIER;
  fprintf(trace.file, "L %lu %lu %lu\n", frame->key, local_work, trips);
  local_work = tracer_pop_block(frame, local_work);
  if (barrier)
    tracer_wait_at_barrier();
  return local_work;
}
/* Writes a serial loop at SITE in FRAME, and returns the work BEFORE it, if it was long.  Else its work stays that of
   the function, and LOCAL_WORK is returned.  */
EVENT(uint64_t, serial_loop_end, frame_t *frame, uint64_t local_work, site_t *site, uint64_t before) {
  if (local_work - before < __CILKPROF_LONG)
    return local_work;
  uint64_t number = tracer_site_number(site);
  fprintf(trace.file, "p %lu %lu %lu %lu\n", frame->key, before, number, local_work - before);
  return before;
}
/* Writes that the team of the region in FRAME has so many THREADS.  */
EVENT(void, team, frame_t *frame, uint64_t threads) {
  fprintf(trace.file, "t %lu %lu\n", frame->key, threads);
}
/* Writes how a team divides the loop of FRAME: by SCHEDULE, in chunks of CHUNK iterations, 0 if none is given, of
   TRIPS, 0 if that is not known.  */
EVENT(void, team_loop, frame_t *frame, uint64_t schedule, uint64_t chunk, uint64_t trips) {
  fprintf(trace.file, "o %lu %lu %lu %lu\n", frame->key, schedule, chunk, trips);
}

/* Writes the addresses on which a task depends, each behind a number that says how it uses it.  DEPEND is what libgomp
   is told: the number of all and of those that are written, then the addresses, those that are written first; or a 0,
   the number of all, and the numbers of those that are written, that exclude each other and that are read, then the
   addresses in this order.  No generated program has objects that hold dependences.  */
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
/* Writes that a task that is a block begins in FRAME, at the site SPAWNED if it is DEFERRED and else at the site
   CALLED, with its FLAGS and what it depends on, which is DEPEND, or nothing if that is NULL.  Returns its local work
   so far, 0.  Which of the sites it is follows from what is open, so both are written.  */
EVENT(uint64_t, task_begin, frame_t *frame, uint64_t local_work, site_t *spawned, site_t *called, uint64_t deferred,
      uint64_t flags, const void *depend) {
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
/* Writes that FRAME makes a task that is a call, with its FLAGS: at the site SPAWNED if it is DEFERRED, else at the
   site CALLED.  */
EVENT(void, task_call_if, frame_t *frame, uint64_t local_work, site_t *spawned, site_t *called, uint64_t deferred,
      uint64_t flags) {
  uint64_t number = tracer_site_number(called);
  tracer_call('k', frame, local_work, spawned);
  fprintf(trace.file, " %lu %lu %lu\n", number, deferred, flags);
}
/* Writes that FRAME makes a task that is a call and has no if or final clause: at the site SPAWNED, or at the site
   CALLED where tasks are not deferred.  */
EVENT(void, task_call, frame_t *frame, uint64_t local_work, site_t *spawned, site_t *called) {
  __cilkprof_t_task_call_if(frame, local_work, spawned, called, 1, 0);
}
/* Writes that a task that is a call has returned to FRAME.  */
EVENT(void, task_returned, frame_t *frame, uint64_t local_work) {
  fprintf(trace.file, "K %lu %lu\n", frame->key, local_work);
}
/* Does nothing where FRAME takes over the tasks that the callee of SITE has left behind: what a function leaves behind
   follows from what is open when it returns.  */
EVENT(void, adopt, frame_t *frame, uint64_t local_work, site_t *site) {
  (void)frame;
  (void)local_work;
  (void)site;
}
/* Writes that the function of FRAME, in a program of OpenMP, is about to return, and leaves its tasks to its
   caller.  */
EVENT(void, tasks_leave, frame_t *frame, uint64_t local_work) {
  fprintf(trace.file, "x %lu %lu\n", frame->key, local_work);
}

/* Keeps the LOCAL_WORK of FRAME, whose function is about to call __cilkprof_api_start or __cilkprof_api_stop, which
   write it.  */
EVENT(void, here, frame_t *frame, uint64_t local_work) {
  frame->local_work = local_work;
}
/* Writes that the function of FRAME, which may have begun regions, returns.  */
EVENT(void, strands_end, frame_t *frame, uint64_t local_work) {
  fprintf(trace.file, "z %lu %lu\n", frame->key, local_work);
}
/* Writes that the function on top of the stack starts the region LABEL.  */
void __cilkprof_api_start(const char *label);
void __cilkprof_api_start(const char *label) {
  fprintf(trace.file, "A %lu %lu %s\n", trace.top->key, trace.top->local_work, label);
}
/* Writes that the function on top of the stack stops the region LABEL.  */
void __cilkprof_api_stop(const char *label);
void __cilkprof_api_stop(const char *label) {
  fprintf(trace.file, "Z %lu %lu %s\n", trace.top->key, trace.top->local_work, label);
}
