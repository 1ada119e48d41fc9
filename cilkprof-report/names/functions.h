/* The functions of a program: which there are, what they are called and where they are defined.
   SPDX-License-Identifier: GPL-3.0-or-later

   Both the model of work and span and the samples of parallel runs name their functions in this way.  */

#ifndef CILKPROF_REPORT_FUNCTIONS_H
#define CILKPROF_REPORT_FUNCTIONS_H

#include "cilkprof-report/objects/binding.h"
#include "cilkprof-report/support/names.h"
#include "fmt/profile.h"

/* Where a function is defined.  */
struct function_place {
  const char *file;            /* NULL: unknown */
  uint32_t line;               /* 0: unknown */
  uint32_t symbol;             /* index of its symbol among those of HOLDER, until these are freed */
  uint64_t address;            /* of that symbol */
  struct bound_object *holder; /* NULL: the symbol is unknown */
};

/* A function, or the body of a cilk_for.  It is identified by SYMBOL, by UNIT if it is static, and by FILE, LINE and
   COLUMN if it is a loop.  */
struct function {
  const char *name;       /* full name */
  const char *short_name; /* without parameters; or its place, if the symbol cannot be demangled */
  const char *brief_name; /* as tables show it: shortened as far as it stays unique, or the full name */
  struct cycle *cycle;
  uint32_t index;  /* in the call graph; 0: not there */
  uint32_t number; /* index in struct functions */
  uint32_t order;  /* of its cycle among all cycles: callees have the same or a lower one */
  bool nameless;   /* only its address is known */
  bool merged;     /* alias of another function */
  bool in_graph;   /* has an entry in the call graph */
  bool counted;    /* its time, or that of some of its calls, counts there */
  bool foreign;    /* not instrumented */
  bool described;  /* the compiler recorded where it is defined */
  bool library;    /* not user code: see system-files.h */
  const char *symbol, *unit;
  const char *file; /* of a loop; otherwise NULL */
  uint32_t line, column;
  const char *construct;       /* of a loop: its keyword or directive */
  struct function_place place; /* from the compiler's record, or from debugging information once that is read */

  /* Measurements, which only the model fills in.  */
  uint64_t self;                     /* local work */
  uint64_t counted_self;             /* the part of it that counts in the call graph */
  uint64_t self_on_span;             /* local span on the critical path */
  uint64_t calls;                    /* by other functions */
  uint64_t own_calls;                /* by itself */
  uint64_t children;                 /* work of callees outside its cycle that counts */
  struct cilkprof_measure inclusive; /* of the calls from outside its cycle */
  struct cilkprof_measure entered;   /* of all calls to it, without those nested in one another */
  struct arc **parents, **callees;   /* in the order of the call graph */
  uint32_t parent_count, callee_count;
};

/* Initially {0}.  */
struct functions {
  struct names names; /* interned symbols, units and files */
  struct table table;
  struct function **list; /* by number */
  size_t count, room;
  struct function **by_name; /* NULL until they are named */
  struct function *block;    /* where the next functions are allocated */
  size_t block_left;
  struct names folders; /* in which the compiler ran, as far as known */
  const char *program;  /* path of the program; NULL: unknown, or several */
};

struct function *function_of_symbol(struct functions *functions, const char *symbol, const char *unit);
struct function *function_of_loop(struct functions *functions, const struct description *description);
/* Returns NULL if there is none.  */
struct function *function_known(struct functions *functions, const char *symbol, const char *unit);
struct function *function_at(struct functions *functions, struct bound_object *bound, const char *path,
                             uint64_t address);
/* Names the functions.  */
void functions_name(struct functions *functions, int demangle_style);
void functions_sort(struct functions *functions);
/* Distinguishes functions of the same name, which must be adjacent in BY_NAME.  */
void functions_tell_apart(struct functions *functions);
/* unreadable.c: functions whose symbols cannot be demangled are named by their places or addresses.  */
void functions_name_unreadable(struct functions *functions, struct binding *binding);
/* brief-names.c: gives the functions brief names, or FULL ones, and sorts them by these.  */
void functions_name_briefly(struct functions *functions, bool full);

/* definition-places.c: finds in debugging information where the functions are defined.  */
void functions_place(struct functions *functions, struct binding *binding);

#endif
