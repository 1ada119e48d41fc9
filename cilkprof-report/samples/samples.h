/* What a parallel run did, by samples: a tree of logical contexts, and functions.
   SPDX-License-Identifier: GPL-3.0-or-later

   design: frames.c finds the functions of every address, tree.c makes contexts of the paths and tells work from
   overhead and waiting, functions.c adds up contexts.  */

#ifndef CILKPROF_REPORT_SAMPLES_H
#define CILKPROF_REPORT_SAMPLES_H

#include "cilkprof-report/model/input.h"
#include "cilkprof-report/model/model.h"

enum waste_kind { WASTE_WORK, WASTE_IDLENESS, WASTE_OVERHEAD, WASTE_WAITING, WASTE_KINDS };

/* Nanoseconds of each kind.  */
struct waste {
  uint64_t of[WASTE_KINDS];
};

/* A function below those that led to it, through whatever threads.  */
struct sample_context {
  uint32_t parent;                    /* an earlier one, NO_CONTEXT: the program's or a thread's start */
  uint32_t first_child, next_sibling; /* those with most effort first */
  struct function *function;
  const char *file; /* where it is called, in the function of PARENT; NULL: not known */
  uint32_t line;    /* 0: not known */
  bool nested;      /* below another one of the same function */
  struct waste own, all;
  uint64_t samples; /* of its own */
};

/* All contexts of a function.  */
struct sample_function {
  struct function *function;
  struct waste own, all;
};

/* A line of source, with what was done in it.  */
struct sample_line {
  const char *file; /* as the debugging information has it */
  uint32_t line;
  struct waste own;
};

struct samples {
  struct functions functions;
  struct cilkprof_sampling sampling;
  struct cilkprof_program program; /* of the first profile */
  struct cilkprof_run run;         /* likewise */
  struct cilkprof_object object;   /* the program of that */
  struct sample_context *contexts; /* parents first */
  size_t count, room;
  uint32_t first;                      /* child of the program's start */
  struct sample_function **by_waste;   /* those that wasted most first */
  struct sample_function *of_function; /* by the numbers of functions */
  size_t function_count;
  struct sample_line *lines; /* by file and line */
  size_t line_count, line_room;
  struct table table, line_table;
  struct names tasks;                       /* symbols of functions that are tasks of OpenMP */
  struct waste total, not_unwound, orphans; /* the latter two: of paths whose beginning is not known */
  struct cilkprof_timeline timeline;        /* without BUCKET_NS where there is none, or profiles are several */
  size_t profiles;
  struct samples *reference; /* of runs of one worker, beside these of several; or NULL */
};

/* Those of all profiles that have some; NULL when none has.  */
struct samples *samples_build(const struct input *input, const struct options *options);

/* What is there to do, with waiting: as if all processors had been at it.  */
static inline uint64_t waste_effort(const struct waste *waste) {
  return sum_of(sum_of(waste->of[WASTE_WORK], waste->of[WASTE_IDLENESS]),
                sum_of(waste->of[WASTE_OVERHEAD], waste->of[WASTE_WAITING]));
}
/* All of that but work.  */
static inline uint64_t waste_lost(const struct waste *waste) {
  return waste_effort(waste) - waste->of[WASTE_WORK];
}
void waste_add(struct waste *sum, const struct waste *waste);

const char *waste_name(enum waste_kind kind);

#endif
