/* The functions of a program: their identities, names and source locations.
   SPDX-License-Identifier: GPL-3.0-or-later

   The model of work and span and the samples of parallel runs both use them.  */

#ifndef CILKPROF_REPORT_FUNCTIONS_H
#define CILKPROF_REPORT_FUNCTIONS_H

#include "cilkprof-report/objects/binding.h"
#include "cilkprof-report/support/names.h"
#include "fmt/profile.h"

/* Source location and symbol of a function.  */
struct function_place {
  const char *file;            /* NULL: unknown */
  uint32_t line;               /* 0: unknown */
  uint32_t symbol;             /* index of its symbol among those of HOLDER, until these are freed */
  uint64_t address;            /* address of the symbol */
  struct bound_object *holder; /* NULL: the symbol is unknown */
};

/* A function, the body of a cilk_for, or a serial loop.  It is identified by SYMBOL, by UNIT if it is static, and by
   FILE, LINE and COLUMN if it is a loop.  */
struct function {
  const char *name;       /* full name */
  const char *short_name; /* without parameters; or its source location, if the symbol cannot be demangled */
  const char *brief_name; /* name in tables: shortened as far as it stays unique, or the full name */
  struct cycle *cycle;
  uint32_t index;  /* index in the call graph; 0: not in it */
  uint32_t number; /* index in struct functions */
  uint32_t order;  /* number of its cycle among all cycles: callees have the same or a lower order */
  bool nameless;   /* only its address is known */
  bool merged;     /* alias of another function */
  bool in_graph;   /* has an entry in the call graph */
  bool counted;    /* its time, or that of some of its calls, counts there */
  bool foreign;    /* not instrumented */
  bool sampled;    /* it has no events, and how often it was called is not known */
  bool described;  /* the compiler recorded where it is defined */
  bool library;    /* not user code: see system-files.h */
  const char *symbol, *unit;
  const char *file; /* file of a loop; otherwise NULL */
  uint32_t line, column;
  const char *construct;    /* keyword or directive of a loop */
  const char *body;         /* of a sampled construct: symbol of the function that the compiler made of it, or NULL */
  const char *inlined;      /* of a serial loop: symbol of the inlined function that it is part of, or NULL; */
  const char *inlined_name; /* its name without parameters and template arguments; */
  bool at_call;             /* the location is that of its call, because it is in a library's header */
  struct function_place place; /* from the compiler's record or debugging information */

  /* Measurements, which only the model fills in.  */
  uint64_t self;                     /* local work */
  uint64_t counted_self;             /* the part of it that counts in the call graph */
  uint64_t self_on_span;             /* local span on the critical path */
  uint64_t calls;                    /* calls by other functions */
  uint64_t own_calls;                /* calls by itself */
  uint64_t children;                 /* work of callees outside its cycle that counts in the call graph */
  struct cilkprof_measure inclusive; /* cost of the calls from outside its cycle */
  struct cilkprof_measure entered;   /* cost of all calls that are not nested in others */
  const char *hot_file;              /* the line of its own code with most of the span, by samples; NULL: not known */
  uint32_t hot_line;
  struct arc **parents, **callees; /* in the order of the call graph */
  uint32_t parent_count, callee_count;
};

/* Initially {0}.  */
struct functions {
  struct names names; /* interned symbols, units and files */
  struct table table;
  struct function **list; /* by number */
  size_t count, room;
  struct function **by_name; /* NULL until they are named */
  struct function *block;    /* memory for the next functions */
  size_t block_left;
  struct names folders; /* directories in which the compiler ran, as far as known */
  const char *program;  /* path of the program; NULL: unknown, or several */
};

/* Returns the interned name of SYMBOL, without what the optimisers add to it at link time.  */
const char *intern_function_symbol(struct functions *functions, const char *symbol);

/* Returns the function with this symbol, and adds it if there is none.  UNIT is the unit of a static function, or
   NULL.  */
struct function *function_of_symbol(struct functions *functions, const char *symbol, const char *unit);
/* Returns the function with this symbol, which debugging information has as static in FILE, or as not static if FILE is
   NULL.  The compiler recorded it by its unit, which may be another file.  Adds the function if there is none.  */
struct function *function_of_debug_symbol(struct functions *functions, const char *symbol, const char *file);
/* Returns the function that stands for the loop in DESCRIPTION.  Adds it if there is none.  */
struct function *function_of_loop(struct functions *functions, const struct description *description);
/* Returns the function that stands for the serial loop in DESCRIPTION.  Adds it if there is none.  */
struct function *function_of_serial_loop(struct functions *functions, const struct description *description);
/* Returns the function with this symbol and unit, or NULL if there is none.  */
struct function *find_known_function(struct functions *functions, const char *symbol, const char *unit);
/* Returns the function that starts at ADDRESS of the object PATH.  BOUND is the file of the object, or NULL.  A
   function without a symbol is named by its address.  Adds the function if there is none.  */
struct function *function_at_address(struct functions *functions, struct bound_object *bound, const char *path,
                                     uint64_t address);
/* Gives all functions full and short names in this style of demangling.  */
void functions_set_names(struct functions *functions, int demangle_style);
/* Sorts BY_NAME by full name.  */
void functions_sort_by_name(struct functions *functions);
/* Distinguishes functions of the same name, which must be adjacent in BY_NAME.  */
void functions_tell_names_apart(struct functions *functions);
/* unreadable.c: names functions whose symbols cannot be demangled by their source locations or addresses.  */
void functions_name_unreadable(struct functions *functions, struct binding *binding);
/* brief-names.c: sets the brief names, which are the full names if FULL, and sorts the functions by them.  */
void functions_name_briefly(struct functions *functions, bool full);

/* definition-places.c: finds in debugging information where the functions are defined.  */
void functions_find_definition_places(struct functions *functions, struct binding *binding);

#endif
