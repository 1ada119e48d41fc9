/* Finds the file on disk for each object of a profile.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_BINDING_H
#define CILKPROF_REPORT_BINDING_H

#include <stdbool.h>
#include "cilkprof-report/objects/objects.h"
#include "cilkprof-report/objects/symbols.h"
#include "fmt/profile.h"

/* An open object file.  Symbols are read on demand.  */
struct bound_object {
  struct object *object;
  struct object *debug;      /* separate debugging information, or NULL */
  bool debug_sought;         /* DEBUG was searched for, or is not needed */
  const char *debug_folders; /* directories with debugging information */
  bool symbols_read, statics_read;
  struct symbols symbols;
  struct line_table *lines;        /* NULL: not opened or not available */
  struct static_function *statics; /* static functions in the descriptions, sorted */
  size_t static_count;
};

/* Returns the file with symbols and lines: the object itself or separate debugging information.  */
struct object *bound_object_debug(struct bound_object *bound);

/* statics.c: returns the function symbols of the file, which are read on the first call.  */
const struct symbols *bound_object_symbols(struct bound_object *bound);
/* statics.c: makes SYMBOLS the symbols of the file.  */
void bound_object_set_symbols(struct bound_object *bound, struct symbols symbols);
/* statics.c: frees the descriptions.  */
void bound_object_forget_descriptions(struct bound_object *bound);
/* statics.c: closes the file and frees the symbols, which are large for large programs.  */
void bound_object_close(struct bound_object *bound);
/* statics.c: returns the translation unit of a local SYMBOL, as the descriptions name it.  */
const char *bound_object_unit(struct bound_object *bound, const struct symbol *symbol);

/* All open object files of a program.  The first is the program itself.  */
struct binding {
  struct bound_object **files;
  size_t count, room;
  const char *debug_folders; /* see find.h */
  bool force;
};

/* Opens a program.  SYMBOL_TABLE is a text file with its symbols, or NULL.  */
struct binding bind_program_object(const char *path, const char *symbol_table, const char *debug_folders, bool force);

/* The programs of several profiles, each of which is bound once.  Initially {0}.  */
struct bindings {
  struct program_binding **programs;
  size_t count, room;
};

/* Returns the binding of the program, which bind_program_object makes on the first call.  */
struct binding *bind_program_object_once(struct bindings *bindings, const char *path, const char *symbol_table,
                                         const char *debug_folders, bool force);
/* Closes all files of all programs.  */
void close_bound_objects(struct bindings *bindings);

/* Returns the file of each object of PROFILE; NULL for objects that are not needed or, only with FORCE, not found.
   Fails if the program is not the profiled one.  Allocated.  */
struct bound_object **bind_profile_objects(struct binding *binding, const struct cilkprof_profile *profile,
                                           const char *profile_path);

/* Returns the file from which OBJECT was loaded, whether it is instrumented or not.  If it is not found, returns NULL
   and sets *WRONG to a message.  IS_SYSTEM says that source locations are not needed.  */
struct bound_object *bind_object(struct binding *binding, const struct cilkprof_object *object,
                                 const char *profile_path, bool is_system, const char **wrong);

/* Returns whether PROGRAM, or a library of that name, took part in the run of PROFILE.  */
bool is_profiled_object(const struct object *program, const struct cilkprof_profile *profile);

#endif
