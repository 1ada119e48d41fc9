/* Functions, call sites and arcs: what the sections print.
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
  bool task : 1;           /* it makes a task of OpenMP's of what it calls */
  bool foreign : 1;        /* the compiler did not see the callee, which may have no instrumentation */
  bool unreached : 1;      /* no profile has it */
  struct function *caller; /* NULL: code without instrumentation */
  struct function *callee;
  struct cilkprof_site *measured;
};
enum { MOST_COLUMN = (1 << 24) - 1 };

/* All call sites of one function, or of one of its lines, that lead to another.  Inside a cycle the measurement is that
   of the top-caller invocations, which never lie below one another; else that of the top-call-site invocations, which
   are all.  */
struct arc {
  struct function *caller; /* NULL: code without instrumentation */
  struct function *callee;
  const char *file; /* when lines are told apart: all of them are there; else NULL */
  uint32_t line;
  bool left_out;                           /* of the call graph */
  bool uncounted;                          /* its time does not count in the call graph */
  uint64_t self_on_span;                   /* local span of these calls on the span */
  const struct cilkprof_measures *on_work; /* of the only site, or the sum of several */
};

/* Functions that call each other, directly or not; most have one member.  */
struct cycle {
  struct function **members;
  uint32_t member_count;
  uint32_t number;         /* 0: it has one member and no name */
  uint32_t index;          /* in the call graph; 0: not there */
  bool in_graph;           /* it has an entry there */
  uint64_t calls;          /* from outside */
  uint64_t internal_calls; /* of one member by another */
  uint64_t self;
  struct cilkprof_measure inclusive;
};

struct model {
  struct functions functions;
  struct site *sites;
  const struct site **sites_by_span; /* NULL: not yet sorted */
  struct arc *arcs;
  struct arc **parents, **callees; /* of all functions, one after another */
  struct cycle *cycles;
  const struct site **callers; /* by the order of a function: the largest call of its cycle from outside, or NULL */
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
  struct cilkprof_tree tree; /* without nodes: there is none */
  struct trials trials;      /* measured elsewhere */
  uint64_t counted_work;     /* of the functions whose time counts */
  size_t run_count;
  const struct samples *samples; /* of parallel runs; NULL: there are none */

  const char *root;            /* of whose passages all this is; NULL: of the whole program */
  uint64_t passages;           /* through it */
  uint64_t outside;            /* the work of the runs that is in none */
  struct cilkprof_measure own; /* of a region: what is no call site's */
};

/* Adds a profile, whose sites from then on belong to the model.  BOUND has the files of its objects; FORCE admits sites
   without a description.  Functions that were called by their address are named later, when the memory of the
   descriptions is free: a large program has many symbols.  */
void model_add(struct model *model, struct cilkprof_profile *profile, struct bound_object **bound, const char *path,
               bool force);
/* Names what the sites from number FIRST on called, which are those of PROFILE.  */
void model_name_callees(struct model *model, size_t first, const struct cilkprof_profile *profile,
                        struct bound_object **bound);
/* Adds up the sites that cannot be told apart.  Returns, allocated, which place each site has from then on.  */
uint32_t *model_merge_sites(struct model *model);
void model_add_site(struct model *model, const struct site *site);
/* The sites from number FIRST on, which are those of PROFILE: whatever has called the root is outside.  */
void model_enter_root(struct model *model, size_t first, const struct cilkprof_profile *profile);
/* Adds a site for what is outside of the root, and one for what a region did itself.  */
void model_add_root(struct model *model);
/* Adds the sites of an object that no profile has.  */
void model_add_unreached(struct model *model, const struct object *object);
/* Computes functions, arcs and cycles from the sites.  */
void model_finish(struct model *model, struct binding *binding, const struct options *options);

/* definitions.c: finds where functions are defined, and which have no instrumentation, as long as the descriptions are
   known.  */
void find_definitions(struct model *model, const struct binding *binding);

/* places.c: finds where the functions are defined.  */
void places_find(struct model *model, struct binding *binding);

/* selection.c: decides which functions have an entry in the call graph and whose time counts.  */
void select_functions(struct model *model, const struct options *options);

/* In all sites, SHOWN[i] in the place of function number i.  */
void replace_functions(struct model *model, struct function *const *shown);

/* aliases.c: makes one function of those that have several symbols, and sorts all by name.  */
void merge_aliases(struct model *model, struct binding *binding);

/* span-order.c: those that hold most of the span first.  The model keeps them.  */
const struct site **sites_by_span(struct model *model);

/* hide-statics.c: counts static functions as part of the one before them.  */
void hide_statics(struct model *model);

/* cycles.c: finds the strongly connected components of the arcs.  */
void cycles_find(struct model *model);

static inline bool arc_is_internal(const struct arc *arc) {
  return arc->caller != NULL && arc->caller->cycle == arc->callee->cycle;
}

static inline uint64_t arc_calls(const struct arc *arc) {
  return arc->on_work->local.count;
}

/* The numbers of its caller and its callee tell an arc.  Code without instrumentation comes after all functions.  */
static inline uint64_t ends_of(const struct function *caller, uint32_t callee) {
  return (uint64_t)(caller != NULL ? caller->number : UINT32_MAX) << 32 | callee;
}

/* Whether caller and callee call each other, also through what is left out.  */
static inline bool is_nested(const struct function *caller, const struct function *callee) {
  return caller != NULL && caller->order == callee->order;
}

/* Whether the program starts there: no library has called it back.  */
static inline bool is_start(const struct function *function) {
  return strcmp(function->symbol, "main") == 0;
}

/* Local work of its calls.  */
static inline uint64_t arc_self(const struct arc *arc) {
  return arc->on_work->local.work;
}

/* What the arc cost, counted once.  */
static inline const struct cilkprof_measure *arc_measure(const struct arc *arc) {
  return is_nested(arc->caller, arc->callee) ? &arc->on_work->top_caller : &arc->on_work->top_call_site;
}

/* The calls of a function whose work and span give its parallelism: those from outside its cycle; for a member of a
   cycle of several, all that are not below another one.  */
static inline struct cilkprof_measure function_measure(const struct function *function) {
  return function->cycle->member_count == 1 ? function->inclusive : function->entered;
}

/* The work of all rows of a table: that of the root, and what ran outside of it.  */
static inline uint64_t run_work(const struct model *model) {
  return sum_of(model->totals.work, model->outside);
}

#endif
