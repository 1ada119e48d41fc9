/* The contents of a cilkprof.out file: what the engine writes and the report reads.
   SPDX-License-Identifier: MIT

   The file is gmon-like: a header, then tagged records.  layout.h has its bytes; cilkprof.out(5) explains them.  */

#ifndef CILKPROF_FMT_PROFILE_H
#define CILKPROF_FMT_PROFILE_H

#include <stddef.h>
#include <stdint.h>

#include "fmt/samples.h"

/* How the strands of a run were measured.  */
enum cilkprof_mode {
  CILKPROF_MODE_COUNT = 1,  /* instructions, counted at compile time: the same input gives the same profile */
  CILKPROF_MODE_HYBRID = 2, /* tiny strands counted, all others timed */
  CILKPROF_MODE_CLOCK = 3,  /* every strand timed */
  CILKPROF_MODE_SAMPLED = 4 /* a parallel run, of which there are samples (samples.h) and nothing else */
};

/* Flags of a run.  */
enum {
  CILKPROF_INCOMPLETE = 1,    /* the run did not reach its end, or could not be followed all the way */
  CILKPROF_NO_ON_SPAN = 2,    /* no memory was left for the on-span log: every on_span value is zero */
  CILKPROF_OTHER_THREADS = 4, /* instrumented code ran in threads that were not profiled */
  CILKPROF_CONTEXTS_CUT = 8,  /* there were more calling contexts than are kept: the others are part of those above */
  CILKPROF_DAMAGED = 16,      /* set by cilkprof_recover: parts of the file were lost */
  CILKPROF_SATURATED = 32,    /* a sum stays at the largest number, or at one below it: it was larger */
  CILKPROF_FROM_LIVE = 64,    /* set by the reader of a live file: no span, contexts, regions, what-ifs, roots */
  CILKPROF_TASKS = 128,       /* tasks outlived what made them: what is on the span need not be in what is around it */
};

/* What the program was, and how it was measured: the same in every run of the same command.  */
struct cilkprof_program {
  enum cilkprof_mode mode;
  uint64_t flags;
  uint64_t burden;       /* cost of migrating a continuation, in instructions */
  uint64_t loop_workers; /* processors for which the grains of cilk_for were chosen */
  uint32_t argc;
  const char *const *argv; /* the command line */
};

/* What differs from run to run, kept in one record so that two files can be compared without it.  */
struct cilkprof_run {
  uint64_t pid;
  uint64_t start_ns;          /* wall-clock time since 1970 */
  uint64_t elapsed_ns;        /* from the start of the measurement to its end */
  uint64_t units_per_second;  /* values of a profile divided by this are seconds; 0: they are instructions */
  uint64_t burden_units;      /* the burden in the units of this profile */
  uint64_t timer_hz;          /* frequency of the hardware timer; 0: not used */
  uint64_t timer_cost;        /* what one read of it costs, in 1/1024 ticks */
  uint64_t preempted_strands; /* timed strands from which the time of other processes was subtracted */
  uint64_t preempted_units;   /* how much that was */
  uint32_t load_count;
  const uint64_t *load_addresses; /* of every object, in the order of the object records */
};

/* What a thread took of the machine.  */
struct cilkprof_usage {
  uint64_t cpu_ns, system_ns; /* the former with the latter */
  uint64_t minor_faults, major_faults;
};

/* What the profiled thread took while it was measured, and what it takes when it is not.  Not in count mode.  */
struct cilkprof_usage_record {
  struct cilkprof_usage run;
  uint64_t reference_runs;         /* of the program without events; 0: there was none */
  struct cilkprof_usage reference; /* the shortest of them */
  uint64_t units_per_second; /* as measured; that of the run is another where the work was made to be the reference's */
};

/* An executable or shared library that holds sites or callees.  */
struct cilkprof_object {
  const char *path;
  const uint8_t *build_id;
  uint32_t build_id_size; /* 0: it has none */
};

/* The whole program.  */
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

/* A call site; for an indirect call one for each of its callees.  */
struct cilkprof_site {
  uint32_t object;        /* index of the object with its description (description.h) */
  uint32_t callee_object; /* index of the object with its callee, CILKPROF_NO_OBJECT: the description names it */
  uint64_t description;   /* the description's virtual address in the object's file */
  uint64_t callee;        /* the callee's virtual address in the object's file */
  struct cilkprof_measures on_work, on_span;
};

/* A part of the program that the user named (cilkprof.h): the sums over all times that it was passed.  */
struct cilkprof_region {
  const char *label;
  uint64_t kind;                 /* CILKPROF_REGION_... */
  struct cilkprof_measure total; /* of the region: its span is that of the path from its start to its end */
};

enum {
  CILKPROF_REGION_MARKED = 1,   /* from a start to a stop */
  CILKPROF_REGION_STRAND = 2,   /* a named part of one function's own strands */
  CILKPROF_REGION_LOCK = 4,     /* while a lock of OpenMP's was held */
  CILKPROF_REGION_PARTIAL = 16, /* added to one of these: it could not be measured every time */
};

#define CILKPROF_NO_CONTEXT UINT32_MAX

/* A calling context, folded at recursion: the invocations of a site that are top-call-site invocations, below those
   of another context.  What a context has beyond its children is its own: its recursive calls are part of that.  */
struct cilkprof_context {
  uint32_t parent; /* an earlier context, CILKPROF_NO_CONTEXT: the program's start */
  uint32_t site;
  struct cilkprof_measure on_work, on_span;
};

/* The whole program as it would be if a candidate were FASTER times as fast; 0: if it cost nothing.  */
struct cilkprof_whatif {
  const char *candidate; /* a function, or a call site, as the user named it */
  uint64_t faster;
  uint64_t count;      /* invocations that were changed: those without another one of the candidate above them */
  uint64_t work, span; /* in units of 1/FASTER, so that they are exact */
};

/* A tree of parallel sections, tasks and locks: what the program did, or would do, in parallel.  Emulators run it.

   Every node stands for all of its kind that are equal: a child names it and says how often it comes, one after
   another.  Nodes come before those that name them; the last one is the program, a task.  */
enum cilkprof_tree_kind {
  CILKPROF_TREE_TASK = 1,    /* what it holds runs one after another: sections, locks, work */
  CILKPROF_TREE_SECTION = 2, /* its tasks may run in parallel; locks and sections of its own run in between */
  CILKPROF_TREE_LOCK = 3,    /* as a task, but while it holds a lock */
};

/* Flags of a section.  */
enum {
  CILKPROF_TREE_NOWAIT = 1, /* what follows it does not wait for its tasks; the end of the task around it does */
  CILKPROF_TREE_SPAWNS = 2, /* its tasks are spawned one by one, they are no iterations of a loop */
};

struct cilkprof_tree_node {
  uint64_t kind, flags;
  uint64_t name;         /* index of it */
  uint64_t lock;         /* of a lock: which one */
  uint64_t first, count; /* its children */
};

#define CILKPROF_NO_NODE UINT64_MAX

struct cilkprof_tree_child {
  uint64_t before; /* the parent's own work before each of them */
  uint64_t repeat; /* how often, at least once */
  uint64_t node;   /* an earlier one; CILKPROF_NO_NODE: it is only the work */
};

/* Flags of a tree.  */
enum {
  CILKPROF_TREE_WIDENED = 1,  /* memory was short: tasks that differ more were taken to be equal to their mean */
  CILKPROF_TREE_CUT = 2,      /* it was shorter: some sections are part of the work of their tasks */
  CILKPROF_TREE_OPEN = 4,     /* the program ended inside of a section: what was open ends there */
  CILKPROF_TREE_NESTING = 8,  /* some annotations did not match, and were left out */
  CILKPROF_TREE_OF_CILK = 16, /* of the program's spawns, syncs and cilk_for */
  CILKPROF_TREE_COUNTED = 32, /* the processor counted what sections did: there are counts */
};

/* What the processor counted in all sections of a name that are in no other section.  */
struct cilkprof_tree_counts {
  uint64_t name;  /* index of it */
  uint64_t times; /* that there was such a section */
  uint64_t nanoseconds;
  uint64_t instructions, cycles;
  uint64_t misses; /* of the last-level cache */
};

struct cilkprof_tree {
  uint64_t flags;
  uint64_t units_per_second; /* as of a run */
  uint64_t tolerance;        /* in 1/1000: equal is what differs by no more; as asked for */
  size_t node_count, child_count, name_count;
  const struct cilkprof_tree_node *nodes;
  const struct cilkprof_tree_child *children; /* those of all nodes, in their order */
  const char *const *names;
  size_t count_count; /* 0 unless it is CILKPROF_TREE_COUNTED */
  const struct cilkprof_tree_counts *counts;
};

/* What a root has of a site.  */
struct cilkprof_root_site {
  uint64_t site;     /* its number */
  uint64_t passages; /* that are an invocation of it */
  struct cilkprof_measures on_work, on_span;
};

/* A part of the program whose outermost passages were each measured as a program of its own: their sums.  */
struct cilkprof_root {
  const char *name; /* a function, a call site, or the label of a region, as the user named it */
  uint64_t kind;    /* CILKPROF_ROOT_... */
  uint64_t passages;
  struct cilkprof_totals totals;
  struct cilkprof_measure own; /* of a region: what the function did itself that it is in; it is no site's */
  size_t site_count, context_count, whatif_count;
  struct cilkprof_root_site *sites;
  struct cilkprof_context *contexts;
  struct cilkprof_whatif *whatifs;
};

enum {
  CILKPROF_ROOT_PARTIAL = 1, /* some passages could not be measured, or not all of their sites */
};

/* Adds to a sum; one that would exceed 64 bits stays at the largest number, and FLAGS say so.  */
static inline void cilkprof_add(uint64_t *sum, uint64_t value, uint64_t *flags) {
  if (__builtin_add_overflow(*sum, value, sum)) {
    *sum = UINT64_MAX;
    *flags |= CILKPROF_SATURATED;
  }
}

/* A whole profile, as read.  Everything it points to belongs to it until cilkprof_profile_free.  */
struct cilkprof_profile {
  struct cilkprof_program program;
  struct cilkprof_run run;
  struct cilkprof_totals totals;
  struct cilkprof_usage_record usage;
  int has_usage;
  size_t object_count, site_count, region_count, context_count, whatif_count, root_count;
  struct cilkprof_object *objects;
  struct cilkprof_site *sites;
  struct cilkprof_region *regions;
  struct cilkprof_context *contexts;
  struct cilkprof_whatif *whatifs;
  struct cilkprof_tree tree; /* without nodes: there is none */
  struct cilkprof_root *roots;
  const struct cilkprof_root *root; /* whose profile it is; NULL: of the whole program */
  struct cilkprof_measure own;      /* its measure that is no site's, */
  uint64_t outside;                 /* and the work of the run outside of it */
  struct cilkprof_sampling sampling;
  int has_sampling; /* 0: there are no samples, stacks or time line */
  size_t stack_count;
  struct cilkprof_stack *stacks;
  struct cilkprof_timeline timeline;
  void *storage, *file; /* memory that is the profile's own; FILE is NULL unless the sites are in it */
};

/* Writing.  A writer keeps no memory of its own: it passes bytes to PUT, which returns 0, or -1 when it cannot take
   them. After a failure nothing more is put, and cilkprof_write_end says so.  Objects come before the sites that name
   them, sites and parents before the contexts that do.  Roots come last: sites of roots, contexts and what-ifs behind
   one are its own.  */
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
void cilkprof_write_site(struct cilkprof_writer *writer, const struct cilkprof_site *site);
void cilkprof_write_region(struct cilkprof_writer *writer, const struct cilkprof_region *region);
void cilkprof_write_context(struct cilkprof_writer *writer, const struct cilkprof_context *context);
void cilkprof_write_whatif(struct cilkprof_writer *writer, const struct cilkprof_whatif *whatif);
void cilkprof_write_tree(struct cilkprof_writer *writer, const struct cilkprof_tree *tree);
void cilkprof_write_sampling(struct cilkprof_writer *writer, const struct cilkprof_sampling *sampling);
void cilkprof_write_stack(struct cilkprof_writer *writer, const struct cilkprof_stack *stack);
void cilkprof_write_timeline(struct cilkprof_writer *writer, const struct cilkprof_timeline *timeline);
void cilkprof_write_root(struct cilkprof_writer *writer, const struct cilkprof_root *root); /* without its parts */
void cilkprof_write_root_site(struct cilkprof_writer *writer, const struct cilkprof_root_site *site);
int cilkprof_write_end(struct cilkprof_writer *writer); /* 0, or -1 when a put failed */

/* Where and why a file is not a profile.  */
struct cilkprof_read_error {
  size_t offset;
  char message[160]; /* one line without the file's name */
};

/* Reads the SIZE bytes of a whole file.  Returns 0, or -1 with *ERROR filled in and nothing to free.  */
int cilkprof_read(const void *bytes, size_t size, struct cilkprof_profile *profile, struct cilkprof_read_error *error);

/* The same for BYTES that malloc gave and that are the caller's no longer.  The sites, which are nearly all of a large
   file, stay in that memory: there is never a second copy of them.  */
int cilkprof_read_in_place(void *bytes, size_t size, struct cilkprof_profile *profile,
                           struct cilkprof_read_error *error);

/* What a damaged file has lost.  */
struct cilkprof_losses {
  int header, run, totals, end; /* whether they are */
  uint64_t objects;             /* executables and libraries */
  uint64_t sites;               /* and those that belong to lost objects */
  uint64_t others;              /* regions, contexts, what-ifs, samples, the tree, what later versions may have */
  uint64_t bytes;               /* of which nothing is known */
};

/* The same for a file that is damaged or was cut short: reads what its checksums vouch for.  The profile has the flags
   INCOMPLETE and DAMAGED unless nothing is lost.  */
int cilkprof_recover(const void *bytes, size_t size, struct cilkprof_profile *profile, struct cilkprof_losses *losses,
                     struct cilkprof_read_error *error);
void cilkprof_profile_free(struct cilkprof_profile *profile);

/* The profile of a root of WHOLE, as that of a program: its totals, sites, contexts and what-ifs.  All else is WHOLE's
   and stays so.  Returns 0, or -1 when there is no memory.  */
int cilkprof_root_profile(const struct cilkprof_profile *whole, const struct cilkprof_root *root,
                          struct cilkprof_profile *profile);

#endif
