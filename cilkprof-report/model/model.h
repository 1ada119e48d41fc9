/* The model: functions, call sites, arcs and cycles with their measurements.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_MODEL_H
#define CILKPROF_REPORT_MODEL_H

#include <string.h>
#include "cilkprof-report/model/contexts.h"
#include "cilkprof-report/model/estimates.h"
#include "cilkprof-report/model/source-loops.h"
#include "cilkprof-report/model/loops.h"
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
  unsigned column : 24; /* MAX_COLUMN stands for this column or a later one */
  enum cilkprof_site_kind kind : 4;
  bool task : 1;             /* the call is an OpenMP task */
  bool atomic : 1;           /* the loop or the callee updates memory atomically, as far as the compiler saw */
  bool foreign : 1;          /* the callee is defined in another unit and may not be instrumented */
  bool unreached : 1;        /* no profile has it */
  bool sampled : 1;          /* the callee has no events: how often it was called is not known */
  struct function *together; /* tasks of all names, if several are forked here by hand; else NULL */
  bool divided : 1;          /* a part of the code of a watched program that its team divides, or one thread runs */
  struct function *caller;   /* NULL: code without instrumentation */
  struct function *callee;
  const char *body;        /* symbol of the function that the compiler made of the construct around it; NULL: none */
  bool is_body;            /* it is known by its own body, which is BODY */
  const char *library;     /* symbol of the inlined library function that the call is part of; NULL: none */
  const char *loop;        /* line of the innermost serial loop around the call, or FILE:LINE; NULL: none */
  const char *clock;       /* by which the program itself times the call; NULL: it does not */
  const struct site *user; /* if FILE is one of the system: the call in user code that leads there; else NULL */
  struct cilkprof_site *measured;
  const struct cilkprof_estimate *estimate; /* how sure its times are; NULL: all of its calls were followed */
};
enum { MAX_COLUMN = (1 << 24) - 1 };

/* All call sites of one function, or of one of its lines, that call the same callee.  Inside a cycle the top-caller
   measurements count, because top-caller invocations are never nested; elsewhere the top-call-site measurements,
   because all invocations are top-call-site invocations.  */
struct arc {
  struct function *caller; /* NULL: code without instrumentation */
  struct function *callee;
  const char *file; /* file of LINE if arcs are per line; otherwise NULL */
  uint32_t line;
  bool left_out;                           /* excluded from the call graph */
  bool uncounted;                          /* its time does not count in the call graph */
  bool sampled;                            /* how many calls these are is not known */
  uint64_t self_on_span;                   /* local span of these calls on the critical path */
  const struct cilkprof_measures *on_work; /* measurements of the only site, or the sum of those of several sites */
};

/* A strongly connected component of the call graph.  Most have one member.  */
struct cycle {
  struct function **members;
  uint32_t member_count;
  uint32_t number;         /* 0: the cycle has only one member */
  uint32_t index;          /* index in the call graph; 0: not in it */
  bool in_graph;           /* has an entry in the call graph */
  uint64_t calls;          /* calls from outside the cycle */
  uint64_t internal_calls; /* calls among members */
  uint64_t self;
  struct cilkprof_measure inclusive;
};

struct model {
  unsigned number; /* of this model, among all that the process makes: what was computed for it is kept by that */
  struct functions functions;
  struct site *sites;
  const struct site **sites_by_span; /* NULL: not sorted yet */
  struct arc *arcs;
  struct arc **parents, **callees; /* slices of these arrays are the PARENTS and CALLEES of each function */
  struct cycle *cycles;
  const struct site **callers; /* indexed by the order of a function: the largest call into its cycle, or NULL */
  struct contexts contexts;
  struct loops loops;
  struct source_loops source_loops;
  struct estimates estimates;
  struct regions regions;
  const struct bound_object *program_file;
  const struct binding *files; /* the program's, and of its libraries */
  size_t site_count, site_room, arc_count, cycle_count;

  struct cilkprof_program program; /* from the first profile, with the flags of all profiles */
  struct cilkprof_run run;         /* from the first profile */
  struct cilkprof_totals totals;
  struct cilkprof_whatif *whatifs;
  size_t whatif_count;
  struct usages usages;
  struct cilkprof_tree tree; /* has no nodes if no profile has a tree */
  struct trials trials;      /* measured running times */
  uint64_t counted_work;     /* work of the functions whose time counts */
  bool composed; /* functions that neither fork nor join have no events: their sites are composed from samples */
  size_t run_count;
  uint64_t threads;              /* of a watched program, the most that it had; else 0 */
  const struct samples *samples; /* samples of parallel runs, or NULL */
  const struct samples *strands; /* samples of serial runs, if a section shows them, or NULL */

  const char *root;            /* the root that the report is about; NULL: the whole program */
  uint64_t invocations;        /* invocations of the root */
  uint64_t outside;            /* work of the runs outside the root */
  struct cilkprof_measure own; /* if the root is a region: cost that belongs to no call site */
};

/* Adds PROFILE, which was read from PATH, and takes over its sites.  BOUND has the files of its objects; FORCE admits
   sites without a description.  The callees of calls through pointers are named later, by model_name_callees, when the
   memory of the descriptions has been freed: large programs have many symbols.  */
void model_add(struct model *model, struct cilkprof_profile *profile, struct bound_object **bound, const char *path,
               bool force);
/* watched.c: returns the site MEASURED of a watched program, in the object at PATH.  BOUND is its file, or NULL.  */
struct site model_site_of_construct(struct model *model, struct bound_object *bound, const char *path,
                                    const struct cilkprof_site *measured);
/* watched.c: makes one site of a region and of the loop that is all of it, among the sites from number FIRST on.  */
void combine_watched_constructs(struct model *model, size_t first);
/* Returns whether SYMBOL is a function that the compiler made of the body of a construct.  */
bool is_outlined_model_symbol(const char *symbol);
/* Names the callees of calls through pointers among the sites from number FIRST on, which are those of PROFILE.  */
void model_name_callees(struct model *model, size_t first, const struct cilkprof_profile *profile,
                        struct bound_object **bound);
/* Names the callers of functions that code without events called, among the same sites.  */
void model_name_outside_callers(struct model *model, size_t first, const struct cilkprof_profile *profile,
                                struct bound_object **bound);
/* Merges identical sites and adds up their measurements.  Returns an allocated map from old to new site numbers.  */
uint32_t *model_merge_sites(struct model *model);
/* Adds a copy of SITE without merging it.  */
void model_add_site(struct model *model, const struct site *site);
/* Makes the callers of the root code without instrumentation, in the sites from number FIRST on, which are those of
   PROFILE.  */
void model_enter_root(struct model *model, size_t first, const struct cilkprof_profile *profile);
/* Adds a site for the work outside the root, and one for the work that a region did itself.  */
void model_add_root(struct model *model);
/* Adds the described sites of OBJECT that are in no profile.  */
void model_add_unreached(struct model *model, const struct object *object);
/* Names the functions and computes functions, arcs and cycles from the sites.  */
void model_finish(struct model *model, struct binding *binding, const struct options *options);

/* definitions.c: finds where functions are defined and which of them are not instrumented.  The descriptions must not
   have been freed.  */
void find_model_definitions(struct model *model, const struct binding *binding);

/* places.c: finds the source locations of the functions in debugging information and call sites.  */
void find_model_places(struct model *model, struct binding *binding);

/* selection.c: decides which functions have an entry in the call graph and whose time counts.  */
void select_model_functions(struct model *model, const struct options *options);

/* model.c: replaces function number i by SHOWN[i] in all sites.  */
void model_replace_functions(struct model *model, struct function *const *shown);

/* aliases.c: merges functions that have several symbols, and sorts all functions by name.  */
void merge_model_aliases(struct model *model, struct binding *binding);

/* span-order.c: returns the sites sorted by their share of the span, largest first.  The model owns the array.  */
const struct site **model_sites_by_span(struct model *model);

/* hide-statics.c: counts static functions as part of the preceding global one.  */
void hide_model_statics(struct model *model);

/* cycles.c: finds the strongly connected components of the arcs.  */
void find_model_cycles(struct model *model);

/* Returns whether caller and callee of ARC are in the same cycle.  */
static inline bool model_arc_is_internal(const struct arc *arc) {
  return arc->caller != NULL && arc->caller->cycle == arc->callee->cycle;
}

/* Returns the number of calls that were made along ARC.  */
static inline uint64_t model_arc_calls(const struct arc *arc) {
  return arc->on_work->local.count;
}

/* Returns a key that identifies an arc by the numbers of CALLER and CALLEE.  Code without instrumentation, a CALLER of
   NULL, sorts after all functions.  */
static inline uint64_t model_arc_ends_key(const struct function *caller, uint32_t callee) {
  return (uint64_t)(caller != NULL ? caller->number : UINT32_MAX) << 32 | callee;
}

/* Returns whether SITE is a loop, parallel or serial: its callee is a part of the caller.  */
static inline bool is_model_loop_site(const struct site *site) {
  return site->kind == CILKPROF_SITE_LOOP || site->kind == CILKPROF_SITE_SERIAL_LOOP;
}

/* Returns whether CALLER and CALLEE call each other, possibly through arcs that are left out.  CALLER may be NULL.  */
static inline bool is_nested_model_call(const struct function *caller, const struct function *callee) {
  return caller != NULL && caller->order == callee->order;
}

/* Returns whether FUNCTION is the start of the program, in C or Fortran, and not a callback from a library.  */
static inline bool is_model_start_function(const struct function *function) {
  return strcmp(function->symbol, "main") == 0 || strcmp(function->symbol, "MAIN__") == 0;
}

/* Returns the local work of the calls of ARC: that of the callee without its own callees.  */
static inline uint64_t model_arc_self_work(const struct arc *arc) {
  return arc->on_work->local.work;
}

/* Returns the cost of the calls of ARC without counting nested ones twice.  */
static inline const struct cilkprof_measure *model_arc_measure(const struct arc *arc) {
  return is_nested_model_call(arc->caller, arc->callee) ? &arc->on_work->top_caller : &arc->on_work->top_call_site;
}

/* Returns the measure from which the parallelism of FUNCTION is computed: the calls from outside its cycle or, in a
   cycle of several members, all calls that are not nested.  */
static inline struct cilkprof_measure model_function_measure(const struct function *function) {
  return function->cycle->member_count == 1 ? function->inclusive : function->entered;
}

/* Returns the work of the whole run of MODEL: that of its root, if the report is about one, and the work outside of it.
   It is what all rows of a table add up to.  */
static inline uint64_t model_run_work(const struct model *model) {
  return model_saturating_sum(model->totals.work, model->outside);
}

#endif
