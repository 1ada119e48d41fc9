/* Which file on disk is which object of a profile.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_BINDING_H
#define CILKPROF_REPORT_BINDING_H

#include <stdbool.h>
#include "cilkprof-report/objects/objects.h"
#include "cilkprof-report/objects/symbols.h"
#include "fmt/profile.h"

/* A file that was opened, with its symbols once they are needed.  */
struct bound_object {
  struct object *object;
  struct object *debug;      /* has what strip took out of it; or NULL */
  bool debug_sought;         /* or nothing is missed */
  const char *debug_folders; /* where it is sought */
  bool symbols_read, statics_read;
  struct symbols symbols;
  struct line_table *lines;        /* prepared before; or NULL */
  struct static_function *statics; /* that its descriptions name, sorted */
  size_t static_count;
};

/* The file with its symbols and lines: itself, or another.  */
struct object *bound_debug(struct bound_object *bound);

/* statics.c */
const struct symbols *bound_symbols(struct bound_object *bound);
void bound_set_symbols(struct bound_object *bound, struct symbols symbols);
/* When nothing more will be asked of them.  */
void bound_forget_descriptions(struct bound_object *bound);
/* Frees the symbols and what else the file was open for: of a large program that is much.  */
void bound_close(struct bound_object *bound);
/* The unit, as the descriptions name it, of a local symbol.  */
const char *bound_unit(struct bound_object *bound, const struct symbol *symbol);

/* The files that were opened so far.  The first is the program.  */
struct binding {
  struct bound_object **files;
  size_t count, room;
  const char *debug_folders; /* as find.h has them */
  bool force;
};

/* SYMBOL_TABLE is a text with the program's symbols, or NULL.  */
struct binding bind_program(const char *path, const char *symbol_table, const char *debug_folders, bool force);

/* For every object of the profile the file that it is, or NULL where it is not needed or (only with FORCE) not to be
   had. Fails when the program is not the profiled one.  */
struct bound_object **bind_profile(struct binding *binding, const struct cilkprof_profile *profile,
                                   const char *profile_path);

/* The file that OBJECT was loaded from, whatever it is; NULL, and what is wrong, where it is not to be had.  IS_SYSTEM
   of what is shown without lines.  */
struct bound_object *bind_object(struct binding *binding, const struct cilkprof_object *object,
                                 const char *profile_path, bool is_system, const char **wrong);

/* Whether PROGRAM, or a library of that name, took part in the run.  */
bool is_profiled(const struct object *program, const struct cilkprof_profile *profile);

#endif
