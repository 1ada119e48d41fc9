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
#include "cilkprof-report/objects/binding.h"
#include "cilkprof-report/support/names.h"
#include "fmt/profile.h"

struct options;
struct samples;

/* Where a function is defined, as far as it is known.  */
struct place {
  const char *file;            /* NULL: not known */
  uint32_t line;               /* 0: not known */
  uint32_t symbol;             /* number of its symbol among those of HOLDER, as long as these are known */
  uint64_t address;            /* of that symbol */
  struct bound_object *holder; /* NULL: its symbol is not known */
};

/* A function, or the body of a cilk_for.  SYMBOL, UNIT (only of a static function) and, of a loop, its place tell it
   from others.  */
struct function {
  const char *name;       /* all of it */
  const char *short_name; /* the same without its parameters; or its place, when nobody can read it */
  const char *brief_name; /* as tables show it: as little of it as tells it from others, or all */
  struct cycle *cycle;
  uint32_t index;  /* in the call graph; 0: not there */
  uint32_t number; /* in the model's list */
  uint32_t order;  /* of its cycle, with all calls: what it calls is of the same or comes before */
  bool nameless;   /* it is known by its address only */
  bool merged;     /* it is another one by a second symbol */
  bool in_graph;   /* it has an entry in the call graph */
  bool counted;    /* its time counts there, or that of some of its calls */
  bool foreign;    /* it has no instrumentation */
  bool described;  /* the compiler said where it is defined */
  bool library;    /* it is not the user's: see library.h */
  const char *symbol, *unit;
  const char *file; /* of a loop; else NULL */
  uint32_t line, column;
  const char *construct; /* of a loop: what its language calls it */
  struct place place;    /* as the compiler said it, or the debugging information when places_find was called */

  uint64_t self;                     /* local work */
  uint64_t counted_self;             /* what counts of it in the call graph */
  uint64_t self_on_span;             /* local span on the span */
  uint64_t calls;                    /* by others */
  uint64_t own_calls;                /* by itself */
  uint64_t children;                 /* work below it, outside its cycle, that counts */
  struct cilkprof_measure inclusive; /* of the calls from outside its cycle */
  struct cilkprof_measure entered;   /* of all call sites that lead to it, without those below one another */
  struct arc **parents, **callees;   /* in the order of the call graph */
  uint32_t parent_count, callee_count;
};

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
  struct names names;
  struct table function_table;
  struct function **functions;
  struct site *sites;
  const struct site **sites_by_span; /* NULL: not yet sorted */
  struct function **functions_by_name;
  struct function *function_block; /* where the next functions go */
  size_t function_block_left;
  struct arc *arcs;
  struct arc **parents, **callees; /* of all functions, one after another */
  struct cycle *cycles;
  const struct site **callers; /* by the order of a function: the largest call of its cycle from outside, or NULL */
  struct contexts contexts;
  struct regions regions;
  struct names folders; /* in which the compiler ran, as far as it is known */
  const struct bound_object *program_file;
  size_t function_count, function_room, site_count, site_room, arc_count, cycle_count;

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

/* functions.c */
struct function *function_of_symbol(struct model *model, const char *symbol, const char *unit);
struct function *function_of_loop(struct model *model, const struct description *description);
/* NULL: there is none.  */
struct function *function_known(struct model *model, const char *symbol, const char *unit);
struct function *function_at(struct model *model, struct bound_object *bound, const char *path, uint64_t address);
/* Gives the functions their names; then tells those apart that have the same, which follow one another in
   functions_by_name.  */
void functions_name(struct model *model, int demangle_style);
void functions_sort(struct model *model);
void functions_tell_apart(struct model *model);
/* unreadable.c: those whose symbols cannot be read are known by their places, or by their addresses.  */
void functions_name_unreadable(struct model *model, struct binding *binding);
/* Gives them brief names, or FULL ones, and sorts them by these.  */
void functions_name_briefly(struct model *model, bool full);

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
