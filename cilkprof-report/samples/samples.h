/* Samples of a parallel run: a tree of logical calling contexts, and functions.
   SPDX-License-Identifier: GPL-3.0-or-later

   frames.c finds the functions of each address, tree.c turns stacks into contexts and distinguishes work from overhead
   and waiting, and samples.c adds up the contexts of each function.  */

#ifndef CILKPROF_REPORT_SAMPLES_H
#define CILKPROF_REPORT_SAMPLES_H

#include "cilkprof-report/model/input.h"
#include "cilkprof-report/model/model.h"

enum waste_kind { WASTE_WORK, WASTE_IDLENESS, WASTE_OVERHEAD, WASTE_WAITING, WASTE_KINDS };

/* What the processor counts: instructions, cycles, misses of the last-level cache, and loads of lines that another
   processor had modified.  */
enum counter { COUNTER_INSTRUCTIONS, COUNTER_CYCLES, COUNTER_MISSES, COUNTER_HITM, COUNTERS };

/* Nanoseconds of each kind of time, and what the processor counted in the work.  Without counters there are no cycles;
   a single counter that is missing is CILKPROF_NOT_COUNTED.  */
struct waste {
  uint64_t of[WASTE_KINDS];
  uint64_t counted[COUNTERS];
  uint64_t on_span, span_samples; /* of the work of a serial run: what is on the span, and how many samples that are */
};

/* A function with a chain of callers, which continues across threads.  */
struct sample_context {
  uint32_t parent;                    /* an earlier context; NO_CONTEXT: start of the program or of a thread */
  uint32_t first_child, next_sibling; /* sorted by effort, largest first */
  struct function *function;
  const char *file;      /* file of the call in the function of PARENT; NULL: unknown */
  uint32_t line;         /* 0: unknown */
  bool nested;           /* below another context of the same function */
  bool foreign;          /* code of a library, or a function that waits for locks */
  bool construct;        /* a parallel loop, region or task */
  bool spawned;          /* such a construct, or called by the runtime, as spawned functions are */
  struct waste own, all; /* without and with callees */
  uint64_t samples;      /* without callees */
  uint64_t all_samples;  /* with them */
};

/* Sum of all contexts of a function.  */
struct sample_function {
  struct function *function;
  struct waste own, all;
  uint64_t samples; /* with callees */
  uint64_t own_samples;
};

/* A source line and the time spent in it.  */
struct sample_line {
  const char *file; /* as debugging information names it */
  uint32_t line;
  struct function *function; /* whose code it is */
  struct waste own, inside;  /* the latter without the code of libraries that it calls */
  uint64_t samples, inside_samples;
};

/* A part of the run in which a thread did the same.  */
struct sample_slice {
  uint64_t begin_ns, end_ns; /* since the start of the run */
  enum cilkprof_thread_state state;
  const char *name; /* what it worked at; NULL: unknown, or it did not work */
  uint32_t creator; /* of the first slice of a task: the thread that created it; else CILKPROF_NO_THREAD */
};

/* A parallel region.  */
struct sample_region {
  uint64_t begin_ns, end_ns;
  const char *name;
};

/* What a thread did, and the regions that it began, in the order of time.  */
struct sample_thread {
  struct sample_slice *slices;
  size_t count, room;
  struct sample_region *regions;
  size_t region_count, region_room;
  uint64_t dropped; /* earlier changes of what it did, which were not kept */
};

struct samples {
  struct functions functions;
  struct cilkprof_sampling sampling;
  struct cilkprof_program program; /* from the first profile */
  struct cilkprof_run run;         /* from the first profile */
  struct cilkprof_object object;   /* the program of the first profile */
  const char *runtime;             /* path of OpenMP's runtime in the first profile; NULL: not known */
  const char *replaced;            /* path of the runtime whose place it took; NULL: of none */
  struct sample_context *contexts; /* parents first */
  size_t count, room;
  uint32_t first;                      /* first child of the start of the program */
  struct sample_function **by_waste;   /* sorted by waste, largest first */
  struct sample_function *of_function; /* indexed by function number */
  size_t function_count;
  struct sample_line *lines; /* sorted by file and line */
  size_t line_count, line_room;
  struct table table, line_table;
  struct names tasks;                       /* symbols of functions that are OpenMP tasks */
  struct waste total, not_unwound, orphans; /* the latter two are for stacks whose outer part is unknown */
  struct cilkprof_timeline timeline; /* BUCKET_NS is 0 if there is no timeline, or if there are several profiles */
  struct sample_thread *threads;     /* likewise none */
  size_t thread_count;
  struct sample_moments *moments; /* slices.c makes the threads from these */
  size_t profiles;
  struct samples *reference; /* runs with one worker, if the others have several; or NULL */
  struct samples *copies;    /* copies of the program with one worker each, which ran at once; or NULL */
  struct samples **trial;    /* these and all others that the input has, by number of workers, the smallest first */
  size_t trial_count;
  bool is_trial; /* they were read from the file of a trial */
};

/* Returns the sum of the samples of all profiles of parallel runs, or NULL if there are none.  */
struct samples *samples_build(const struct input *input, const struct options *options);
/* Returns the sum of the samples of all profiles of serial runs, or NULL if there are none.  */
struct samples *samples_of_strands(const struct input *input, const struct options *options);

/* Returns all processor time in WASTE, including idleness and waiting, in nanoseconds.  */
static inline uint64_t sample_waste_effort(const struct waste *waste) {
  return model_saturating_sum(model_saturating_sum(waste->of[WASTE_WORK], waste->of[WASTE_IDLENESS]),
                              model_saturating_sum(waste->of[WASTE_OVERHEAD], waste->of[WASTE_WAITING]));
}
/* Returns the processor time in WASTE that is not work, in nanoseconds.  */
static inline uint64_t sample_waste_lost(const struct waste *waste) {
  return sample_waste_effort(waste) - waste->of[WASTE_WORK];
}
/* Adds every kind of time in WASTE to SUM.  */
void sample_waste_add(struct waste *sum, const struct waste *waste);

/* Returns "Cilk", "OpenMP", "oneTBB" or "serial".  */
const char *sampled_runtime_name(const struct cilkprof_sampling *sampling);

/* Returns what a thread in STATE does, in a word.  */
const char *sample_state_name(enum cilkprof_thread_state state);

/* Returns the name of KIND, as tables show it.  */
const char *sample_waste_name(enum waste_kind kind);

#endif
