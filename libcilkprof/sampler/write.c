/* Writing the profile of a sampled run.
   SPDX-License-Identifier: MIT  */

#include <string.h>
#include <sys/mman.h>

#include "libcilkprof/sampler/state.h"
#include "libcilkprof/common/file.h"

static bool watched; /* the work and span of the run are known, too */

/* Writes the first records of a sampled profile or of its live file: the program with its command line and FLAGS, and
   the run with the load addresses of the objects.  */
void __cilkprof_s_write_program(struct cilkprof_writer *writer, enum cilkprof_mode mode, uint64_t flags) {
  struct cilkprof_program program = {.mode = mode, .flags = flags};
  program.argv = __cilkprof_command(&program.argc);
  uint64_t addresses[MAX_OBJECTS];
  uint32_t objects = SAMPLER.shared ? (uint32_t)SAMPLER.shared->object_count : 0;
  for (uint32_t i = 0; i < objects; i++)
    addresses[i] = SAMPLER.objects[i].load_address;
  cilkprof_write_program(writer, &program);
  cilkprof_write_run(writer, &(struct cilkprof_run){
                                 .pid = (uint64_t)SAMPLER.pid,
                                 .start_ns = SAMPLER.start_ns,
                                 .elapsed_ns = sampler_clock_ns(CLOCK_MONOTONIC) - SAMPLER.monotonic_ns,
                                 .units_per_second = mode == CILKPROF_MODE_WATCHED ? 1000000000 : 0,
                                 .load_count = objects,
                                 .load_addresses = addresses,
                             });
}

/* Lists the objects that hold sampled code in the profile of an agent that writes it: the address of what is loaded
   becomes that of its index there.  */
void __cilkprof_s_list_objects(void) {
  for (uint32_t i = 0; SAMPLER.shared && i < SAMPLER.shared->object_count; i++)
    SAMPLER.objects[i].index = SAMPLER.agent->object(SAMPLER.objects[i].low);
}

/* Writes a record for each program or library that holds sampled code: its path and build ID.  */
static void write_sampled_objects(struct cilkprof_writer *writer) {
  for (uint32_t i = 0; i < SAMPLER.shared->object_count; i++) {
    const struct object *object = &SAMPLER.objects[i];
    cilkprof_write_object(writer, &(struct cilkprof_object){object->path, object->id, (uint32_t)object->id_size});
  }
}

/* The number of a node in the file, plus FIRST_NUMBER.  Before that: whether it or a node below has samples.  */
enum { UNUSED = 0, USED = 1, FIRST_NUMBER = 2 };

/* Marks in NUMBERS, which has a number for each of the COUNT nodes of call paths, the nodes with samples or waiting and
   all nodes above them as USED.  Paths of tasks that were never sampled are not written.  */
static void mark_sampled_nodes(uint32_t *numbers, uint32_t count) {
  for (uint32_t i = 1; i < count; i++) {
    const struct cilkprof_stack *stack = &SAMPLER.nodes[i].stack;
    if (stack->kind < CILKPROF_STACK_KINDS && (stack->samples || stack->waiting_ns))
      for (uint32_t node = i; node && numbers[node] == UNUSED; node = SAMPLER.nodes[node].stack.parent)
        numbers[node] = USED;
  }
}

/* Writes NODE of the tree of call paths and its counters, and gives it the next number in the file, *NEXT, in NUMBERS.
   Its parent has the number PARENT.  */
static void write_call_path_node(struct cilkprof_writer *writer, uint32_t node, uint32_t parent, uint32_t *numbers,
                                 uint32_t *next) {
  struct cilkprof_stack stack = SAMPLER.nodes[node].stack;
  stack.parent = parent;
  if (SAMPLER.agent->object && stack.object != CILKPROF_NO_OBJECT)
    stack.object = SAMPLER.objects[stack.object].index;
  cilkprof_write_stack(writer, &stack);
  __cilkprof_s_counters_write(writer, node, *next - FIRST_NUMBER);
  if (watched)
    SAMPLER.agent->spans->wrote(writer, node, *next - FIRST_NUMBER);
  if (SAMPLER.agent->wrote)
    SAMPLER.agent->wrote(writer, node, *next - FIRST_NUMBER);
  numbers[node] = (*next)++;
}

/* Writes the used nodes of call paths below TOP, parents before their children, and numbers them from *NEXT on.  */
static void write_call_paths_below(struct cilkprof_writer *writer, uint32_t top, uint32_t *numbers, uint32_t *next) {
  struct node *nodes = SAMPLER.nodes;
  for (uint32_t node = atomic_load(&nodes[top].child); node;) {
    uint32_t parent = nodes[node].stack.parent, child = 0;
    if (numbers[node] == USED) {
      write_call_path_node(writer, node, parent ? numbers[parent] - FIRST_NUMBER : CILKPROF_NO_CONTEXT, numbers, next);
      child = atomic_load(&nodes[node].child);
    }
    if (!child)
      while (node != top && !(child = nodes[node].sibling))
        node = nodes[node].stack.parent;
    node = node == top ? 0 : child;
  }
}

/* Writes the node ORPHAN, of a task whose creating path is not known, and the used nodes below it.  */
static void write_orphan_call_paths(struct cilkprof_writer *writer, uint32_t orphan, uint32_t *numbers,
                                    uint32_t *next) {
  write_call_path_node(writer, orphan, CILKPROF_NO_CONTEXT, numbers, next);
  write_call_paths_below(writer, orphan, numbers, next);
}

/* Writes all call paths with samples: those from the root of the tree, then those below orphans.  The transitions of
   threads, which refer to them, follow.  Marks WRITER as failed if there is no memory.  */
static void write_sampled_call_paths(struct cilkprof_writer *writer) {
  uint32_t count = (uint32_t)SAMPLER.shared->node_count, next = FIRST_NUMBER;
  uint32_t *numbers = mmap(NULL, count * sizeof *numbers, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (numbers == MAP_FAILED) {
    writer->failed = 1;
    return;
  }
  mark_sampled_nodes(numbers, count);
  write_call_paths_below(writer, 0, numbers, &next);
  for (uint32_t node = 1; node < count; node++)
    if (SAMPLER.nodes[node].stack.kind == CILKPROF_STACK_ORPHAN && numbers[node] == USED)
      write_orphan_call_paths(writer, node, numbers, &next);
  if (!SAMPLER.agent->took)
    __cilkprof_s_transitions_write(writer, numbers, FIRST_NUMBER);
  munmap(numbers, count * sizeof *numbers);
}

/* Writes the timeline of the run, with one row per thread.  All have the intervals of the thread with the longest ones;
   intervals after the end of the run are omitted.  */
static void write_sampled_timeline(struct cilkprof_writer *writer) {
  enum { MAX_ROWS = 256 };
  static uint64_t rows[MAX_ROWS * BUCKETS];
  struct cilkprof_timeline line = {.work_ns = rows};
  struct sampled_thread *threads[MAX_ROWS];
  for (unsigned i = 0; i < MAX_THREADS && line.thread_count < MAX_ROWS; i++) {
    struct sampled_thread *thread = atomic_load(&SAMPLER.threads[i]);
    if (!thread || !thread->bucket_ns)
      continue;
    threads[line.thread_count++] = thread;
    if (thread->bucket_ns > line.bucket_ns)
      line.bucket_ns = thread->bucket_ns;
  }
  if (!line.thread_count)
    return;
  uint64_t elapsed = SAMPLER.shared->sampling.elapsed_ns;
  line.bucket_count = elapsed / line.bucket_ns + 1 < BUCKETS ? elapsed / line.bucket_ns + 1 : BUCKETS;
  for (uint64_t i = 0; i < line.thread_count; i++) {
    __cilkprof_s_timeline_widen(threads[i], line.bucket_ns);
    memcpy(rows + i * line.bucket_count, threads[i]->work_ns, line.bucket_count * sizeof *rows);
  }
  cilkprof_write_timeline(writer, &line);
}

/* Writes the samples into the profile of an agent that writes it.  */
void __cilkprof_s_write_samples(struct cilkprof_writer *writer) {
  if (!SAMPLER.shared || !SAMPLER.shared->sampling.samples)
    return;
  cilkprof_write_sampling(writer, &SAMPLER.shared->sampling);
  write_sampled_call_paths(writer);
}

/* Writes a whole profile of the sampled run so far to WRITER.  */
void __cilkprof_s_write(struct cilkprof_writer *writer) {
  const struct sampled_spans *spans = SAMPLER.agent->spans;
  struct cilkprof_totals totals = {0};
  uint64_t flags = 0;
  watched = spans && spans->add_up(&flags, &totals); /* what follows is no work of the program */
  cilkprof_write_begin(writer);
  __cilkprof_s_transitions_list_objects();
  if (watched)
    spans->list_objects(__cilkprof_s_object_of);
  __cilkprof_s_write_program(writer, watched ? CILKPROF_MODE_WATCHED : CILKPROF_MODE_SAMPLED, flags);
  write_sampled_objects(writer);
  cilkprof_write_totals(writer, &totals);
  if (watched)
    spans->write(writer);
  cilkprof_write_sampling(writer, &SAMPLER.shared->sampling);
  write_sampled_call_paths(writer);
  write_sampled_timeline(writer);
}
