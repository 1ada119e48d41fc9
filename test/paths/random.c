/* Random programs of tasks, groups, dependences, regions and loops, on a clock that this test moves.  Beside the paths
   of the library it keeps, for every task, what the longest path to it consists of, as a list of all sites; at the end
   both must be the same.
   SPDX-License-Identifier: MIT  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fmt/profile.h"
#include "libcilkprof/common/ticks.h"
#include "libcilkprof/paths/internal.h"

enum { SITES = 24, DEEPEST = 5, MOST_PENDING = 64, ADDRESSES = 4, NODES = 40, TEAM = 4 };

/* The longest path to some point, in full.  */
struct known {
  uint64_t span, at[SITES], samples[NODES];
};
struct test_task {
  struct task *task;
  struct known path, children, read[ADDRESSES], written[ADDRESSES];
  struct known *group;
  struct test_task *creator;
  struct test_team *team;
  int depth, phase;
  uint32_t site, inside;
  unsigned reads, writes; /* the addresses that it depends on, as bits */
  struct test_task *pending[MOST_PENDING];
  int pending_count;
};
struct test_team {
  struct team *team;
  struct known barrier[2], ends[2];
  uint64_t free[TEAM]; /* when threads would be that take a chunk of the loop whenever they have none */
  uint32_t size;
};

static uint64_t cpu_ns, work[SITES], state;
static uint32_t sites[SITES];
static char code[SITES];

int __wrap_clock_gettime(clockid_t clock, struct timespec *time);
/* The clock of the thread is this test's.  The other one makes all strands long, so that the first one counts.  */
int __wrap_clock_gettime(clockid_t clock, struct timespec *time) {
  static uint64_t other_ns;
  uint64_t ns = clock == CLOCK_THREAD_CPUTIME_ID ? cpu_ns : (other_ns += 1000000000000);
  *time = (struct timespec){.tv_sec = (time_t)(ns / 1000000000), .tv_nsec = (long)(ns % 1000000000)};
  return 0;
}

/* Returns a random number below LIMIT.  */
static unsigned below(unsigned limit) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(state >> 33) % limit;
}

/* PATH becomes the longer of both.  */
static void longer(struct known *path, const struct known *other) {
  if (other->span > path->span)
    *path = *other;
}

/* TASK works for a while, and a sample may be taken.  */
static void run_strand(struct test_task *task) {
  uint64_t ns = 1 + below(1000000);
  if (below(3) == 0) {
    uint32_t node = below(NODES);
    paths_sample(node, ns, read_ticks());
    task->path.samples[node]++;
  }
  cpu_ns += ns;
  work[task->inside] += ns;
  task->path.at[task->inside] += ns;
  task->path.span += ns;
}

/* Returns a random site.  The first is the program.  */
static uint32_t any_site(void) {
  return 1 + below(SITES - 1);
}

static void run_statements(struct test_task *task, int count);

/* Runs CHILD where its creator is.  */
static void run_child(struct test_task *child) {
  struct test_task *creator = child->creator;
  paths_strand_ends();
  for (int i = 0; i < ADDRESSES; i++) {
    if ((child->reads | child->writes) >> i & 1)
      longer(&child->path, &creator->written[i]);
    if (child->writes >> i & 1)
      longer(&child->path, &creator->read[i]);
  }
  paths_task_begin(child->task);
  paths_run(child->task);
  run_statements(child, 1 + (int)below(6));
  paths_strand_ends();
  longer(&creator->children, &child->path);
  if (child->group)
    longer(child->group, &child->path);
  if (child->team)
    longer(&child->team->ends[child->phase], &child->path);
  for (int i = 0; i < ADDRESSES; i++)
    if ((child->reads | child->writes) >> i & 1)
      longer(child->writes >> i & 1 ? &creator->written[i] : &creator->read[i], &child->path);
  paths_run(creator->task);
  paths_task_end(child->task);
  free(child);
}

/* Runs the children of TASK that wait to be run.  */
static void run_pending(struct test_task *task) {
  for (int i = 0; i < task->pending_count; i++)
    run_child(task->pending[i]);
  task->pending_count = 0;
}

/* TASK creates a child, which runs at once or later.  */
static void create_child(struct test_task *task) {
  struct test_task *child = calloc(1, sizeof *child);
  paths_strand_ends();
  child->site = child->inside = any_site();
  child->task = paths_task_new(task->task, sites[child->site], false);
  child->path = task->path;
  child->creator = task;
  child->group = task->group;
  child->team = task->team;
  child->phase = task->phase;
  child->depth = task->depth + 1;
  for (int i = 0; i < ADDRESSES && below(3) == 0; i++) {
    unsigned address = below(ADDRESSES), bit = 1u << address;
    if ((child->reads | child->writes) & bit)
      continue;
    bool writes = below(2);
    *(writes ? &child->writes : &child->reads) |= bit;
    paths_depend(child->task, &code[address], writes);
  }
  if ((task->pending_count > 0 || below(2)) && task->pending_count < MOST_PENDING)
    task->pending[task->pending_count++] = child;
  else {
    run_pending(task);
    run_child(child);
  }
}

/* TASK waits for its children.  */
static void wait_for_children(struct test_task *task) {
  paths_wait_begin(task->task);
  cpu_ns += below(1000); /* of the runtime */
  run_pending(task);
  paths_wait_end(task->task);
  paths_join_children(task->task);
  longer(&task->path, &task->children);
  task->children = (struct known){0};
}

/* TASK runs some statements in a group, and waits for all tasks in it.  */
static void run_group(struct test_task *task) {
  struct known ends = {0}, *outer = task->group;
  run_pending(task);
  paths_strand_ends();
  paths_group_begin(task->task);
  task->group = &ends;
  run_statements(task, 3);
  paths_strand_ends();
  run_pending(task);
  paths_group_end(task->task);
  task->group = outer;
  longer(&task->path, &ends);
}

/* The thread TASK comes to a barrier.  */
static void come_to_barrier(struct test_task *task) {
  run_pending(task);
  paths_barrier_begin(task->task);
  longer(&task->team->barrier[task->phase], &task->path);
}

/* The thread TASK leaves it, as all have come.  */
static void leave_barrier(struct test_task *task) {
  paths_run(task->task);
  paths_barrier_end(task->task);
  longer(&task->path, &task->team->barrier[task->phase]);
  longer(&task->path, &task->team->ends[task->phase]);
  task->phase ^= 1;
}

/* The thread TASK runs a chunk of the loop at PLACE, which goes to the thread of its team that would be free first.  */
static void run_chunk(struct test_task *task, uint32_t place) {
  struct test_team *team = task->team;
  uint32_t first = 0;
  uint64_t before = task->path.span;
  paths_chunk_begins(task->task);
  run_strand(task);
  uint64_t ns = task->path.span - before;
  for (uint32_t i = 1; i < team->size; i++)
    if (team->free[i] < team->free[first])
      first = i;
  team->free[first] += ns;
  task->path.span = before;
  task->path.at[place] -= ns;
}

/* The thread TASK runs its share of what is at the site PLACE, or some chunks of it if that is DYNAMIC.  */
static void run_share(struct test_task *task, uint32_t place, bool dynamic) {
  paths_enter(task->task, sites[place]);
  task->inside = place;
  unsigned chunks = dynamic ? below(4) : 0;
  for (unsigned i = 0; i < chunks; i++)
    run_chunk(task, place);
  if (!dynamic)
    run_strand(task);
  paths_leave(task->task, true);
  task->inside = task->site;
  uint64_t last = 0;
  for (uint32_t i = 0; i < task->team->size && chunks > 0; i++)
    last = task->team->free[i] > last ? task->team->free[i] : last;
  task->path.span += last;
  task->path.at[place] += last;
}

/* TASK begins a region with some threads, which run between barriers, one after the other.  */
static void run_region(struct test_task *task) {
  struct test_team team = {0};
  struct test_task *threads[TEAM] = {0};
  uint32_t site = any_site(), size = 1 + below(TEAM), phases = 1 + below(4);
  paths_wait_begin(task->task);
  team.size = size;
  team.team = paths_team_new(task->task, sites[site]);
  for (uint32_t i = 0; i < size; i++) {
    threads[i] = calloc(1, sizeof *threads[i]);
    threads[i]->task = paths_team_task(team.team, size, i);
    threads[i]->team = &team;
    threads[i]->site = threads[i]->inside = site;
    threads[i]->path = task->path;
    threads[i]->depth = task->depth + 1;
  }
  for (uint32_t phase = 0; phase < phases; phase++) {
    uint32_t loop = below(2) ? any_site() : 0;
    loop = loop == site ? 0 : loop; /* a region is no part of itself */
    bool dynamic = below(2);
    memset(team.free, 0, sizeof team.free);
    for (uint32_t i = 0; i < size; i++) {
      paths_strand_ends();
      paths_run(threads[i]->task);
      run_statements(threads[i], 1 + (int)below(3));
      if (loop)
        run_share(threads[i], loop, dynamic);
      come_to_barrier(threads[i]);
    }
    for (uint32_t i = 0; i < size && phase + 1 < phases; i++)
      leave_barrier(threads[i]);
  }
  for (uint32_t i = 0; i < size; i++) {
    paths_team_task_end(threads[i]->task);
    free(threads[i]);
  }
  paths_run(task->task);
  paths_team_end(team.team, task->task);
  paths_team_release(team.team);
  paths_wait_end(task->task);
  for (int i = 0; i < 2; i++) {
    longer(&task->path, &team.barrier[i]);
    longer(&task->path, &team.ends[i]);
  }
}

/* TASK runs COUNT random statements.  */
static void run_statements(struct test_task *task, int count) {
  for (int i = 0; i < count; i++) {
    unsigned kind = task->depth < DEEPEST ? below(10) : 0;
    if (kind < 4)
      run_strand(task);
    else if (kind < 7)
      create_child(task);
    else if (kind < 8)
      wait_for_children(task);
    else if (kind < 9)
      run_group(task);
    else
      run_region(task);
  }
  run_pending(task);
}

static struct {
  char bytes[1 << 20];
  size_t size;
} file;

/* Takes BYTES of the file.  */
static int put(void *closure, const void *bytes, size_t size) {
  (void)closure;
  if (size > sizeof file.bytes - file.size)
    return -1;
  memcpy(file.bytes + file.size, bytes, size);
  file.size += size;
  return 0;
}

/* Returns the index of the only object, and its address: that of the site's number.  */
static uint32_t object_of(uintptr_t address, uint64_t *in_file) {
  *in_file = address - (uintptr_t)code;
  return 0;
}

static struct cilkprof_profile profile;

/* Writes the profile, and reads it, which checks what all profiles have in common.  Returns whether it can be read.  */
static bool write_and_read(void) {
  struct cilkprof_writer writer = {.put = put};
  struct cilkprof_read_error error;
  struct cilkprof_totals totals;
  uint64_t address = 0;
  char name[] = "test", *argv[] = {name};
  uint64_t flags = paths_add_up(&totals);
  paths_list_objects(object_of);
  cilkprof_write_begin(&writer);
  cilkprof_write_program(
      &writer, &(struct cilkprof_program){
                   .mode = CILKPROF_MODE_WATCHED, .flags = flags, .argc = 1, .argv = (const char *const *)argv});
  cilkprof_write_run(
      &writer, &(struct cilkprof_run){.units_per_second = 1000000000, .load_count = 1, .load_addresses = &address});
  cilkprof_write_object(&writer, &(struct cilkprof_object){.path = "test"});
  cilkprof_write_totals(&writer, &totals);
  paths_write_sites(&writer);
  cilkprof_write_end(&writer);
  if (flags == 0 && cilkprof_read(file.bytes, file.size, &profile, &error) == 0)
    return true;
  printf("# flags %llu, %s\n", (unsigned long long)flags, flags ? "" : error.message);
  return false;
}

/* Returns whether VALUE of WHAT at site number I is as WANTED, and says so if it is not.  */
static bool is_equal(const char *what, unsigned i, uint64_t value, uint64_t wanted) {
  if (value != wanted)
    printf("# %s of %u: %llu, wanted %llu\n", what, i, (unsigned long long)value, (unsigned long long)wanted);
  return value == wanted;
}

/* Takes the number of samples on the span that is written.  */
static uint64_t samples_on_span(uint32_t node) {
  struct cilkprof_writer writer = {.put = put};
  size_t before = file.size;
  uint64_t count = 0;
  paths_write_samples(&writer, node, 0);
  if (file.size > before) /* a header of 16 bytes, then the stack */
    memcpy(&count, file.bytes + before + 24, sizeof count);
  file.size = before;
  return count;
}

/* Compares the profile with what the PATH to the end of the program consists of.  */
static bool is_as_known(const struct known *path) {
  bool equal = is_equal("span", 0, profile.totals.span, path->span);
  uint64_t found[SITES] = {0}, spans[SITES] = {0};
  for (size_t i = 0; i < profile.site_count; i++) {
    const struct cilkprof_site *site = &profile.sites[i];
    unsigned number = site->callee == CILKPROF_CONSTRUCT_PROGRAM ? 0 : (unsigned)site->description;
    found[number] = site->on_work.local.work;
    spans[number] = site->on_span.local.span;
  }
  for (unsigned i = 0; i < SITES; i++) {
    equal &= is_equal("work", i, found[i], work[i]);
    equal &= is_equal("span", i, spans[i], path->at[i]);
  }
  for (uint32_t i = 0; i < NODES; i++)
    equal &= is_equal("samples", i, samples_on_span(i), path->samples[i]);
  return equal;
}

int main(int argc, char **argv) {
  static struct test_task program;
  state = argc > 1 ? strtoull(argv[1], NULL, 10) * 7919 + 1 : 1;
  for (int i = 0; i < 8; i++)
    below(2);
  if (!paths_thread_begin())
    return 1;
  paths_start();
  for (unsigned i = 1; i < SITES; i++)
    sites[i] = paths_site(&code[i], i % 2 ? CILKPROF_CONSTRUCT_TASK : CILKPROF_CONSTRUCT_LOOP);
  program.task = paths_first_task();
  paths_run(program.task);
  run_statements(&program, 4 + (int)below(40));
  bool right = write_and_read() && is_as_known(&program.path);
  printf("%s seed %s: %zu sites, span %llu\n", right ? "ok" : "not ok", argc > 1 ? argv[1] : "0", profile.site_count,
         (unsigned long long)profile.totals.span);
  return !right;
}
