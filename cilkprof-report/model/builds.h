/* A build of a program with its profiles, named by one argument: [PROGRAM:]PROFILE[,PROFILE...].
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_BUILDS_H
#define CILKPROF_REPORT_BUILDS_H

#include "cilkprof-report/model/input.h"

struct build {
  const char *program; /* NULL: the program that the profile names */
  const char **profiles;
  size_t profile_count;
};

/* Parses TEXT.  A TEXT that is the name of an existing file, or "-", is one profile.  */
struct build parse_model_build(const char *text);

/* Fills MODEL with the sum of the profiles of BUILD.  If FIRST is not NULL, the profiles must be comparable with it and
   are converted to its units.  */
void fill_model_of_build(const struct build *build, const struct cilkprof_profile *first, struct model *model,
                         const struct options *options);

/* Fills one element of MODELS for each profile of BUILD.  If FIRST is not NULL, the profiles must be comparable with it
   and are converted to its units.  Returns FIRST, or the first profile if that is NULL.  */
const struct cilkprof_profile *fill_models_of_build(const struct build *build, const struct cilkprof_profile *first,
                                                    struct model *models, const struct options *options);

#endif
