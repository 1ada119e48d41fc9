/* The profiles of one program, as they were read.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_INPUT_H
#define CILKPROF_REPORT_INPUT_H

#include <stdio.h>
#include "cilkprof-report/model/model.h"
#include "cilkprof-report/options/options.h"

struct input {
  struct cilkprof_profile
      *wholes; /* as they were read: those with work and span first, then those with samples alone */
  struct cilkprof_profile *profiles; /* the same of the root that was chosen */
  const char **paths;
  size_t *sizes; /* of the files */
  size_t count, measured;
  const char *program; /* as it was named; NULL: it was not, or is that of what was measured */
  struct binding binding;
  struct bound_object ***bound; /* for every profile the files of its objects */
};

/* Reads the profiles and finds the files of their objects, unless BIND is false.  PROGRAM NULL is the one that the
   first profile names.  */
struct input input_read(const char *program, const char *const *paths, size_t count, bool bind,
                        const struct options *options);

/* Fails if the profile OTHER, which was read from PATH, cannot be added to FIRST.  */
void check_compatible(const struct cilkprof_profile *first, const struct cilkprof_profile *other, const char *path);

/* The file of the program that PROFILE, at PATH, is of.  Fails when it is not found.  */
const char *input_find_program(const struct cilkprof_profile *profile, const char *path, const struct options *options);

/* Adds up the profiles, which from then on belong to the model.  */
void input_build(struct input *input, struct model *model, const struct options *options);

/* roots.c: chooses the root of the profiles: NAME, or if that is NULL the first one, if there is any.  An empty name is
   the whole program.  */
void choose_root(struct input *input, const char *name);
const struct cilkprof_root *find_root(const struct cilkprof_profile *profile, const char *name); /* NULL: it has none */

/* absent.c: where there is no file PATH, fails and says what that tells of PROGRAM, if there is something to say.  */
void check_present(const char *path, const char *program);

/* sum.c: writes the sum of the profiles.  Where PATH ends in .sum it may be one of them: sums are carried on.  */
void write_sum(const struct input *input, const char *path, bool force);

#endif
