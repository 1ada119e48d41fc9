/* What composing the call sites of functions without events works on (compose.c).
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_SAMPLES_COMPOSITION_H
#define CILKPROF_REPORT_SAMPLES_COMPOSITION_H

#include "cilkprof-report/model/model.h"
#include "cilkprof-report/samples/samples.h"
#include "cilkprof-report/support/table.h"

#define LEAST_SHARE 0.002 /* of the work or the span; what is less stays with its caller */

/* What one context did, in units of work; of a function without events also what is below it.  */
struct share {
  double work, on_span;
};

/* The strands of a function with events, or of one of its parallel loops: the exact local values of their sites, the
   samples in them, and what of both is of functions without events and of serial loops.  */
struct group {
  struct share exact, samples, taken;
  bool has_events;
};

/* A call site of a function without events, over all contexts.  */
struct composed {
  const struct sample_context *context;
  const struct function *caller; /* of the samples */
  struct share own, all;
  double span;     /* of all, on all of the work */
  double variance; /* of the own work */
  bool shown;
};

/* The values of a call site that is added, and how sure they are.  */
struct composed_values {
  struct cilkprof_site measured;
  struct cilkprof_estimate estimate;
};

/* All calls of a function with events by one without: exact values, and the samples in all contexts of them.  */
struct entered {
  const struct function *caller, *callee; /* of the model */
  struct share exact, samples;
  double span;
};

/* A serial loop of a function with events: the samples of its code, and what it did.  */
struct loop_samples {
  struct function *function; /* NULL: it is too small */
  struct share samples, own;
  uint64_t count;
};

struct composition {
  struct model *model;
  const struct samples *samples;
  struct function **functions; /* of the model, by the number of the samples' function */
  struct group *groups;        /* by the number of the model's function */
  uint32_t *anchors;           /* of each context: the nearest function with events, by its number; NO_CONTEXT: none */
  uint32_t *composed_of;       /* of each context without events: its call site; else NO_CONTEXT */
  struct composed *composed;
  size_t count, room;
  struct entered *entered;
  size_t entered_count, entered_room;
  struct table composed_table, entered_table;
  size_t *constructs; /* the numbers of the sites of parallel loops */
  size_t construct_count;
  struct loop_samples *loops; /* by the numbers of the model's */
};

/* Returns the part of the program in WASTE: nanoseconds of work, and of the span.  */
static inline struct share share_of_waste(const struct waste *waste) {
  return (struct share){(double)waste->of[WASTE_WORK], (double)waste->on_span};
}

/* Adds OTHER to SUM.  */
static inline void add_share(struct share *sum, struct share other) {
  sum->work += other.work;
  sum->on_span += other.on_span;
}

/* Returns A / B, or 0 if B is 0.  */
static inline double ratio(double a, double b) {
  return b > 0 ? a / b : 0;
}

/* compose-loops.c: the construct of a watched program whose body CONTEXT is; NULL if there is none.  */
struct function *construct_of_context(const struct model *model, const struct sample_context *context);
/* compose-loops.c: the function with events whose strands the local values of SITE are.  Those of a construct whose
   lines are not known are taken together with its function's.  */
const struct function *function_of_strands(const struct composition *of, const struct site *site);
/* Which strands of CALLER, a function with events, what is at LINE of FILE belongs to: those of a
   parallel loop, or its own.  */
const struct function *strands_at(const struct composition *of, const struct function *caller, const char *file,
                                  uint32_t line);
/* Moves the samples in parallel loops from the functions that they are in.  */
void move_samples_to_constructs(struct composition *of);
/* Finds the serial loops of functions with events that are large enough, and takes them from these; adds them.  */
void take_loops_from_groups(struct composition *of);
void add_loops(struct composition *of);
/* Returns the line of the innermost serial loop of CALLER around a call at LINE of FILE; NULL: it is in none.  */
const char *serial_loop_line(const struct composition *of, const struct function *caller, const char *file,
                             uint32_t line);
/* compose.c */
struct cilkprof_measure composed_measure(double work, double span);

#endif
