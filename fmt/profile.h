/* The contents of a cilkprof.out file, which the engine writes and the report reads.
   SPDX-License-Identifier: MIT

   Like gmon.out, the file is a header and tagged records.  layout.h defines its bytes; cilkprof.out(5) explains
   them.  */

#ifndef CILKPROF_FMT_PROFILE_H
#define CILKPROF_FMT_PROFILE_H

#include <stddef.h>
#include <stdint.h>

#include "fmt/samples.h"

/* How the strands of a run were measured.  */
enum cilkprof_mode {
  CILKPROF_MODE_COUNT = 1,   /* instructions, counted at compile time: equal inputs give equal profiles */
  CILKPROF_MODE_HYBRID = 2,  /* tiny strands are counted, all others are timed */
  CILKPROF_MODE_CLOCK = 3,   /* every strand is timed */
  CILKPROF_MODE_SAMPLED = 4, /* a parallel run: the profile has only samples (samples.h) */
  CILKPROF_MODE_WATCHED =
      5, /* a parallel run of a program as it is: processor time between the events of its runtime */
};

/* Flags of a run.  */
enum {
  CILKPROF_INCOMPLETE = 1,    /* the run did not reach its end, or could not be measured completely */
  CILKPROF_NO_ON_SPAN = 2,    /* no memory was left for the on-span log: every on_span value is zero */
  CILKPROF_OTHER_THREADS = 4, /* instrumented code ran in threads that were not profiled */
  CILKPROF_CONTEXTS_CUT = 8,  /* too many calling contexts: those that were not kept are part of their parents */
  CILKPROF_DAMAGED = 16,      /* set by cilkprof_recover: parts of the file are lost */
  CILKPROF_SATURATED = 32,    /* a sum exceeded 64 bits: it stays at the largest number, or at one below it */
  CILKPROF_FROM_LIVE = 64, /* set by the reader of a live file, which has no span, contexts, regions, what-ifs, roots */
  CILKPROF_TASKS = 128,    /* tasks outlived their creators: on the span, an invocation may be without its caller */
};

/* The program and how it was measured.  This is equal in every run of the same command.  */
struct cilkprof_program {
  enum cilkprof_mode mode;
  uint64_t flags;
  uint64_t burden;       /* cost of migrating a continuation, in instructions */
  uint64_t loop_workers; /* processors for which the grains of cilk_for were chosen */
  uint32_t argc;
  const char *const *argv; /* the command line */
};

/* Values that differ from run to run, in a record of their own so that two files can be compared without them.  */
struct cilkprof_run {
  uint64_t pid;
  uint64_t start_ns;          /* wall-clock time since the Epoch */
  uint64_t elapsed_ns;        /* from the start of the measurement to its end */
  uint64_t units_per_second;  /* values of the profile divided by this are seconds; 0: they are instructions */
  uint64_t burden_units;      /* the burden in the units of this profile */
  uint64_t timer_hz;          /* frequency of the hardware timer; 0: it was not used */
  uint64_t timer_cost;        /* cost of one read of the timer, in 1/1024 ticks */
  uint64_t preempted_strands; /* timed strands from which the time of other processes was subtracted */
  uint64_t preempted_units;   /* the time that was subtracted */
  uint32_t load_count;
  const uint64_t *load_addresses; /* of every object, in the order of the object records */
};

/* The resources that a thread used.  */
struct cilkprof_usage {
  uint64_t cpu_ns, system_ns; /* CPU time; the part of it in the kernel */
  uint64_t minor_faults, major_faults;
};

/* The resources that the profiled thread used while it was measured, and those that it uses without measurement.  Count
   mode does not have this record.  */
struct cilkprof_usage_record {
  struct cilkprof_usage run;
  uint64_t reference_runs;         /* runs of the program without events; 0: there was none */
  struct cilkprof_usage reference; /* of the shortest of them */
  uint64_t units_per_second;       /* as measured; the run's differs if the work was scaled to the reference run */
  uint64_t delayed_ns;             /* time that the run was ready and had no processor, nor the machine */
  uint64_t blocked_ns;             /* time that the run slept or waited; both are 0 if the system does not say */
};

/* How a run on several workers went.  Profiles of serial runs do not have this record.  */
struct cilkprof_workers {
  uint64_t workers;    /* the threads that ran the program: in a sum of runs, the most */
  uint64_t elapsed_ns; /* wall-clock time from the program's first function to its end */
  uint64_t deferred;   /* spawned children that any worker could take */
  uint64_t stolen;     /* those of them that another worker took */
};

/* An executable or shared library that holds sites or callees.  */
struct cilkprof_object {
  const char *path;
  const uint8_t *build_id;
  uint32_t build_id_size; /* 0: it has none */
};

/* The values of the whole program, or of a root.  */
struct cilkprof_totals {
  uint64_t work, span, burdened_span;
  uint64_t spawns, syncs;
};

/* One measurement over a set of invocations of a call site.  */
struct cilkprof_measure {
  uint64_t count, work, span, burdened_span;
};

/* The three sets of invocations of the paper's Section 6.  */
struct cilkprof_measures {
  struct cilkprof_measure top_call_site, top_caller, local;
};

#define CILKPROF_NO_OBJECT UINT32_MAX

/* A call site.  An indirect call is one site for each of its callees.  */
struct cilkprof_site {
  uint32_t object;        /* index of the object with the site's description (description.h) */
  uint32_t callee_object; /* index of the object with the callee; CILKPROF_NO_OBJECT: the description names it */
  uint64_t description;   /* what the description begins with: the virtual address of the site's slot */
  uint64_t callee;        /* its virtual address in the object's file; of an entry from outside: where it returned to */
  struct cilkprof_measures on_work, on_span;
};

/* A loop that is divided among processors, over all of its executions: a cilk_for, or a loop of OpenMP's.  The arrays
   are for executions with a static schedule, which gives each thread of a team its share beforehand: the longest share
   in a team of 2, 4, ... 128 threads.  */
enum { CILKPROF_SHARES = 7 };
struct cilkprof_loop {
  uint64_t site;                     /* index of the loop's site */
  uint64_t executions, pieces;       /* those with at least one iteration; their grains or chunks */
  uint64_t single;                   /* executions in which a piece is one iteration */
  uint64_t work;                     /* the spans of all pieces, added up */
  uint64_t longest[CILKPROF_SHARES]; /* the cost of the longest share */
  uint64_t more[CILKPROF_SHARES];    /* what that is more than on the span, over the executions on the span */
};

/* How sure the times of a site are at which some calls were only counted.  How their time divides among the sites
   inside is known from calls that were followed, as a sample.  */
struct cilkprof_estimate {
  uint64_t site;     /* index of the site */
  uint64_t counted;  /* invocations that were counted */
  uint64_t followed; /* invocations that were followed */
  uint64_t timed;    /* invocations that were counted, with the timer read before and after them */
  uint64_t error;    /* standard error of the work of on_work.local */
};

/* A part of the program that the user named (cilkprof.h), with the sums over all of its executions.  */
struct cilkprof_region {
  const char *label;
  uint64_t kind;                 /* CILKPROF_REGION_... */
  struct cilkprof_measure total; /* its span is that of the path from the start of the region to its end */
};

enum {
  CILKPROF_REGION_MARKED = 1,   /* from a start mark to a stop mark */
  CILKPROF_REGION_STRAND = 2,   /* a named part of one function's own strands */
  CILKPROF_REGION_LOCK = 4,     /* while a lock or mutex was held */
  CILKPROF_REGION_PARTIAL = 16, /* added to one of these: some executions could not be measured */
};

#define CILKPROF_NO_CONTEXT UINT32_MAX

/* A calling context, folded at recursion: the top-call-site invocations of a site that are below the invocations of
   another context, its parent.  The values of a context that none of its children has are its own; they include its
   recursive calls.  */
struct cilkprof_context {
  uint32_t parent; /* index of an earlier context; CILKPROF_NO_CONTEXT: the start of the program */
  uint32_t site;
  struct cilkprof_measure on_work, on_span;
};

/* The work and span of the program if a candidate were FASTER times as fast; FASTER 0: if it cost nothing.  */
struct cilkprof_whatif {
  const char *candidate; /* a function, or a call site, as the user named it */
  uint64_t faster;
  uint64_t count;      /* outermost invocations of the candidate: those that were made faster */
  uint64_t work, span; /* in units of 1/FASTER, which makes them exact */
};

/* A tree of parallel sections, tasks and locks: what the program does, or would do, in parallel.  Emulators run it.

   A node represents all equal nodes.  A child refers to a node and states how often it is repeated in succession.
   Nodes precede the nodes that refer to them; the last one is the program, which is a task.  */
enum cilkprof_tree_kind {
  CILKPROF_TREE_TASK = 1,    /* its sections, locks and work run one after another */
  CILKPROF_TREE_SECTION = 2, /* its tasks may run in parallel; its locks and sections run in between */
  CILKPROF_TREE_LOCK = 3,    /* like a task, but it holds a lock */
};

/* Flags of a section.  */
enum {
  CILKPROF_TREE_NOWAIT = 1, /* not what follows, but the end of the task around it, waits for its tasks */
  CILKPROF_TREE_SPAWNS = 2, /* its tasks are spawned one by one, and are not iterations of a loop */
};

struct cilkprof_tree_node {
  uint64_t kind, flags;
  uint64_t name;         /* index of the name */
  uint64_t lock;         /* CILKPROF_TREE_LOCK: the identity of the lock */
  uint64_t first, count; /* the children: index of the first, and how many */
};

#define CILKPROF_NO_NODE UINT64_MAX

struct cilkprof_tree_child {
  uint64_t before; /* the parent's own work before each repetition */
  uint64_t repeat; /* number of repetitions, at least 1 */
  uint64_t node;   /* index of an earlier node; CILKPROF_NO_NODE: the child is only the work BEFORE */
};

/* Flags of a tree.  */
enum {
  CILKPROF_TREE_WIDENED = 1,  /* memory was short: tasks that differ by more than the tolerance were averaged */
  CILKPROF_TREE_CUT = 2,      /* memory was still too short: some sections are part of the work of their tasks */
  CILKPROF_TREE_OPEN = 4,     /* the program ended inside a section: open nodes end there */
  CILKPROF_TREE_NESTING = 8,  /* some annotations did not match, and were ignored */
  CILKPROF_TREE_OF_CILK = 16, /* made from the program's spawns, syncs and cilk_for, not from annotations */
  CILKPROF_TREE_COUNTED = 32, /* hardware counters were read in sections: there are counts */
};

/* The sums of hardware counters over all outermost sections with a name.  */
struct cilkprof_tree_counts {
  uint64_t name;  /* index of the name */
  uint64_t times; /* number of these sections */
  uint64_t nanoseconds;
  uint64_t instructions, cycles;
  uint64_t misses; /* misses of the last-level cache */
};

struct cilkprof_tree {
  uint64_t flags;
  uint64_t units_per_second; /* as in struct cilkprof_run */
  uint64_t tolerance;        /* as requested, in 1/1000: nodes that differ by at most this are equal */
  size_t node_count, child_count, name_count;
  const struct cilkprof_tree_node *nodes;
  const struct cilkprof_tree_child *children; /* those of all nodes, in the order of the nodes */
  const char *const *names;
  size_t count_count; /* 0 without CILKPROF_TREE_COUNTED */
  const struct cilkprof_tree_counts *counts;
};

/* The values of a site inside a root.  */
struct cilkprof_root_site {
  uint64_t site;        /* index of the site */
  uint64_t invocations; /* root invocations that are invocations of the site */
  struct cilkprof_measures on_work, on_span;
};

/* A part of the program that was measured like a program of its own: the sums over its root invocations, which are its
   outermost executions.  */
struct cilkprof_root {
  const char *name;     /* a function, a call site, or the label of a region, as the user named it */
  uint64_t kind;        /* CILKPROF_ROOT_... */
  uint64_t invocations; /* number of root invocations */
  struct cilkprof_totals totals;
  struct cilkprof_measure own; /* of a region: the local values of the function around it, which belong to no site */
  size_t site_count, context_count, whatif_count;
  struct cilkprof_root_site *sites;
  struct cilkprof_context *contexts;
  struct cilkprof_whatif *whatifs;
};

enum {
  CILKPROF_ROOT_PARTIAL = 1, /* some root invocations, or some of their sites, could not be measured */
};

/* Adds VALUE to *SUM.  If the sum exceeds 64 bits, it becomes the largest number, and CILKPROF_SATURATED is set in
   *FLAGS.  */
static inline void cilkprof_add(uint64_t *sum, uint64_t value, uint64_t *flags) {
  if (__builtin_add_overflow(*sum, value, sum)) {
    *sum = UINT64_MAX;
    *flags |= CILKPROF_SATURATED;
  }
}

/* A whole profile in memory.  It owns everything that it points to; cilkprof_profile_free releases it.  */
struct cilkprof_profile {
  struct cilkprof_program program;
  struct cilkprof_run run;
  struct cilkprof_totals totals;
  struct cilkprof_usage_record usage;
  int has_usage;
  struct cilkprof_workers workers; /* of a serial run: all 0 */
  size_t object_count, site_count, loop_count, estimate_count, region_count, context_count, whatif_count, root_count;
  struct cilkprof_object *objects;
  struct cilkprof_site *sites;
  struct cilkprof_loop *loops;
  struct cilkprof_estimate *estimates;
  struct cilkprof_region *regions;
  struct cilkprof_context *contexts;
  struct cilkprof_whatif *whatifs;
  struct cilkprof_tree tree; /* without nodes if the profile has no tree */
  struct cilkprof_root *roots;
  const struct cilkprof_root *root; /* the root that the profile is of; NULL: the whole program */
  struct cilkprof_measure own;      /* of a root: values that belong to no site */
  uint64_t outside;                 /* of a root: work of the run outside the root */
  struct cilkprof_sampling sampling;
  int has_sampling; /* 0: there are no samples, stacks or time line */
  size_t stack_count;
  struct cilkprof_stack *stacks;
  size_t stack_span_count;                 /* stacks that are on the span */
  struct cilkprof_stack_span *stack_spans; /* in the order of their stacks */
  size_t counters_count;                   /* stacks that have counters */
  struct cilkprof_counters *counters;      /* in the order of their stacks */
  struct cilkprof_timeline timeline;
  size_t thread_count; /* threads whose transitions are known */
  struct cilkprof_transitions *threads;
  void *storage, *file; /* memory of the profile; FILE is NULL unless it holds the sites */
};

/* A writer allocates no memory: it passes bytes to PUT, which returns 0, or -1 if it fails.  After a failure the writer
   calls PUT no more, and cilkprof_write_end returns -1.  Objects must be written before the sites that refer to them,
   sites and parents before the contexts that refer to them.  Roots are last: root sites, contexts and what-ifs that are
   written after a root belong to it.  */
struct cilkprof_writer {
  int (*put)(void *closure, const void *bytes, size_t size);
  void *closure;
  uint64_t records; /* written so far */
  int in_root;
  int failed;
};

void cilkprof_write_begin(struct cilkprof_writer *writer);
void cilkprof_write_program(struct cilkprof_writer *writer, const struct cilkprof_program *program);
void cilkprof_write_run(struct cilkprof_writer *writer, const struct cilkprof_run *run);
void cilkprof_write_object(struct cilkprof_writer *writer, const struct cilkprof_object *object);
void cilkprof_write_totals(struct cilkprof_writer *writer, const struct cilkprof_totals *totals);
void cilkprof_write_usage(struct cilkprof_writer *writer, const struct cilkprof_usage_record *usage);
void cilkprof_write_workers(struct cilkprof_writer *writer, const struct cilkprof_workers *workers);
void cilkprof_write_site(struct cilkprof_writer *writer, const struct cilkprof_site *site);
void cilkprof_write_loop(struct cilkprof_writer *writer, const struct cilkprof_loop *loop);
void cilkprof_write_estimate(struct cilkprof_writer *writer, const struct cilkprof_estimate *estimate);
void cilkprof_write_region(struct cilkprof_writer *writer, const struct cilkprof_region *region);
void cilkprof_write_context(struct cilkprof_writer *writer, const struct cilkprof_context *context);
void cilkprof_write_whatif(struct cilkprof_writer *writer, const struct cilkprof_whatif *whatif);
void cilkprof_write_tree(struct cilkprof_writer *writer, const struct cilkprof_tree *tree);
void cilkprof_write_sampling(struct cilkprof_writer *writer, const struct cilkprof_sampling *sampling);
void cilkprof_write_stack(struct cilkprof_writer *writer, const struct cilkprof_stack *stack);
void cilkprof_write_stack_span(struct cilkprof_writer *writer, const struct cilkprof_stack_span *span);
void cilkprof_write_counters(struct cilkprof_writer *writer, const struct cilkprof_counters *counters);
void cilkprof_write_timeline(struct cilkprof_writer *writer, const struct cilkprof_timeline *timeline);
void cilkprof_write_transitions(struct cilkprof_writer *writer, const struct cilkprof_transitions *transitions);
void cilkprof_write_root(struct cilkprof_writer *writer, const struct cilkprof_root *root); /* without its parts */
void cilkprof_write_root_site(struct cilkprof_writer *writer, const struct cilkprof_root_site *site);
int cilkprof_write_end(struct cilkprof_writer *writer); /* returns 0, or -1 if PUT failed */

/* Where and why a file cannot be read.  */
struct cilkprof_read_error {
  size_t offset;
  char message[160]; /* one line without the file's name */
};

/* Reads the SIZE bytes of a whole file.  Returns 0, or -1 with *ERROR filled in and nothing to free.  */
int cilkprof_read(const void *bytes, size_t size, struct cilkprof_profile *profile, struct cilkprof_read_error *error);

/* Reads a profile as cilkprof_read does, from BYTES allocated by malloc, and takes ownership of them.  The sites, which
   are most of a large file, stay in that memory and are never copied.  */
int cilkprof_read_in_place(void *bytes, size_t size, struct cilkprof_profile *profile,
                           struct cilkprof_read_error *error);

/* Returns the size of the first profile in the SIZE bytes of a file that holds several, one after the other, as the
   runs of a trial do.  Returns SIZE if there is only one, or if the file is damaged there.  */
size_t cilkprof_first_profile_size(const void *bytes, size_t size);

/* The parts of a damaged file that are lost.  */
struct cilkprof_losses {
  int header, run, totals, end; /* 1 if the record is lost */
  uint64_t objects;             /* executables and libraries */
  uint64_t sites;               /* including those that belong to lost objects */
  uint64_t others;              /* regions, contexts, what-ifs, samples, the tree, records of later versions */
  uint64_t bytes;               /* bytes whose records are unknown */
};

/* Reads a file that may be damaged or truncated: the records whose checksums are correct.  Fills in *LOSSES.  If
   anything is lost, the profile has the flags CILKPROF_INCOMPLETE and CILKPROF_DAMAGED.  Returns as cilkprof_read.  */
int cilkprof_recover(const void *bytes, size_t size, struct cilkprof_profile *profile, struct cilkprof_losses *losses,
                     struct cilkprof_read_error *error);
void cilkprof_profile_free(struct cilkprof_profile *profile);

/* Makes *PROFILE the profile of ROOT, a root of WHOLE, as if it were a program: it has the totals, sites, contexts and
   what-ifs of the root.  Everything else still belongs to WHOLE.  Returns 0, or -1 if memory is exhausted.  */
int cilkprof_root_profile(const struct cilkprof_profile *whole, const struct cilkprof_root *root,
                          struct cilkprof_profile *profile);

#endif
