/* The model: functions, call sites, arcs and cycles with their measurements.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_MODEL_H
#define CILKPROF_REPORT_MODEL_H

#include <string.h>
#include "cilkprof-report/model/contexts.h"
#include "cilkprof-report/model/regions.h"
#include "cilkprof-report/model/sums.h"
#include "cilkprof-report/model/trials.h"
#include "cilkprof-report/model/usages.h"
#include "cilkprof-report/names/functions.h"
#include "fmt/profile.h"

struct options;
struct samples;

/* A call site and its callee.  */
struct site {
  const char *file;
  uint32_t line;
  unsigned column : 24; /* MOST_COLUMN: that or more */
  enum cilkprof_site_kind kind : 5;
  bool task : 1;           /* the call is an OpenMP task */
  bool foreign : 1;        /* defined in another unit: the callee may not be instrumented */
  bool unreached : 1;      /* not in any profile */
  struct function *caller; /* NULL: code without instrumentation */
  struct function *callee;
  struct cilkprof_site *measured;
};
enum { MOST_COLUMN = (1 << 24) - 1 };

/* All call sites of one function, or of one of its lines, that call another.  Inside a cycle the measurement is that of
   the top-caller invocations, which are never nested; otherwise that of the top-call-site invocations, which are all.  */
struct arc {
  struct function *caller; /* NULL: code without instrumentation */
  struct function *callee;
  const char *file; /* file of the line, if arcs are per line; otherwise NULL */
  uint32_t line;
  bool left_out;                           /* not in the call graph */
  bool uncounted;                          /* its time does not count in the call graph */
  uint64_t self_on_span;                   /* local span of these calls on the critical path */
  const struct cilkprof_measures *on_work; /* of the only site, or the sum of several */
};

/* A strongly connected component of the call graph.  Most have one member.  */
struct cycle {
  struct function **members;
  uint32_t member_count;
  uint32_t number;         /* 0: it has only one member */
  uint32_t index;          /* in the call graph; 0: not there */
  bool in_graph;           /* it has an entry in the call graph */
  uint64_t calls;          /* from outside */
  uint64_t internal_calls; /* among members */
  uint64_t self;
  struct cilkprof_measure inclusive;
};

struct model {
  struct functions functions;
  struct site *sites;
  const struct site **sites_by_span; /* NULL: not sorted yet */
  struct arc *arcs;
  struct arc **parents, **callees; /* of all functions, consecutively */
  struct cycle *cycles;
  const struct site **callers; /* by order of a function: largest call into its cycle, or NULL */
  struct contexts contexts;
  struct regions regions;
  const struct bound_object *program_file;
  size_t site_count, site_room, arc_count, cycle_count;

  struct cilkprof_program program; /* of the first profile, with the flags of all */
  struct cilkprof_run run;         /* of the first profile */
  struct cilkprof_totals totals;
  struct cilkprof_whatif *whatifs;
  size_t whatif_count;
  struct usages usages;
  struct cilkprof_tree tree; /* has no nodes if there is none */
  struct trials trials;      /* measured running times */
  uint64_t counted_work;     /* work of the functions whose time counts */
  size_t run_count;
  const struct samples *samples; /* of parallel runs, or NULL */

  const char *root;            /* the root that is profiled; NULL: the whole program */
  uint64_t passages;           /* through it */
  uint64_t outside;            /* work of the runs outside of the root */
  struct cilkprof_measure own; /* of a region: what belongs to no call site */
};

/* Adds a profile and takes over its sites.  BOUND has the files of its objects; FORCE admits sites without a
   description.  Functions that were called through pointers are named later, when the memory of the descriptions has
   been freed: large programs have many symbols.  */
void model_add(struct model *model, struct cilkprof_profile *profile, struct bound_object **bound, const char *path,
               bool force);
/* Names the callees of the sites from number FIRST on, which are those of PROFILE.  */
void model_name_callees(struct model *model, size_t first, const struct cilkprof_profile *profile,
                        struct bound_object **bound);
/* Merges sites that are identical.  Returns an allocated map from old to new site numbers.  */
uint32_t *model_merge_sites(struct model *model);
void model_add_site(struct model *model, const struct site *site);
/* Makes the callers of the root outside code, in the sites from number FIRST on, which are those of PROFILE.  */
void model_enter_root(struct model *model, size_t first, const struct cilkprof_profile *profile);
/* Adds a site for the work outside of the root, and one for what a region did itself.  */
void model_add_root(struct model *model);
/* Adds the sites of an object that are not in any profile.  */
void model_add_unreached(struct model *model, const struct object *object);
/* Computes functions, arcs and cycles from the sites.  */
void model_finish(struct model *model, struct binding *binding, const struct options *options);

/* definitions.c: finds where functions are defined and which are not instrumented.  This needs the descriptions.  */
void find_definitions(struct model *model, const struct binding *binding);

/* places.c: finds where the functions are defined.  */
void places_find(struct model *model, struct binding *binding);

/* selection.c: decides which functions have an entry in the call graph and whose time counts.  */
void select_functions(struct model *model, const struct options *options);

/* Replaces function number i by SHOWN[i] in all sites.  */
void replace_functions(struct model *model, struct function *const *shown);

/* aliases.c: merges functions that have several symbols, and sorts all by name.  */
void merge_aliases(struct model *model, struct binding *binding);

/* span-order.c: the sites by their share of the span, largest first.  The model owns the array.  */
const struct site **sites_by_span(struct model *model);

/* hide-statics.c: counts static functions as part of the preceding global one.  */
void hide_statics(struct model *model);

/* cycles.c: finds the strongly connected components of the arcs.  */
void cycles_find(struct model *model);

static inline bool arc_is_internal(const struct arc *arc) {
  return arc->caller != NULL && arc->caller->cycle == arc->callee->cycle;
}

static inline uint64_t arc_calls(const struct arc *arc) {
  return arc->on_work->local.count;
}

/* Identifies an arc by the numbers of its caller and callee.  Code without instrumentation comes after all functions.  */
static inline uint64_t ends_of(const struct function *caller, uint32_t callee) {
  return (uint64_t)(caller != NULL ? caller->number : UINT32_MAX) << 32 | callee;
}

/* Returns whether caller and callee call each other, possibly through arcs that are left out.  */
static inline bool is_nested(const struct function *caller, const struct function *callee) {
  return caller != NULL && caller->order == callee->order;
}

/* Returns whether this is the start of the program, not a callback from a library.  */
static inline bool is_start(const struct function *function) {
  return strcmp(function->symbol, "main") == 0;
}

/* Returns the local work of its calls.  */
static inline uint64_t arc_self(const struct arc *arc) {
  return arc->on_work->local.work;
}

/* Returns the cost of the arc without counting nested calls twice.  */
static inline const struct cilkprof_measure *arc_measure(const struct arc *arc) {
  return is_nested(arc->caller, arc->callee) ? &arc->on_work->top_caller : &arc->on_work->top_call_site;
}

/* Returns the measure from which the parallelism of a function is computed: that of the calls from outside its cycle or,
   in a cycle of several members, of all calls that are not nested.  */
static inline struct cilkprof_measure function_measure(const struct function *function) {
  return function->cycle->member_count == 1 ? function->inclusive : function->entered;
}

/* The work of all rows of a table: that of the root, and what ran outside of it.  */
static inline uint64_t run_work(const struct model *model) {
  return sum_of(model->totals.work, model->outside);
}

#endif
