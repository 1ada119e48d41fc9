/* A build of a program with its profiles, named by one argument: [PROGRAM:]PROFILE[,PROFILE...].
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_BUILDS_H
#define CILKPROF_REPORT_BUILDS_H

#include "cilkprof-report/model/input.h"

struct build {
  const char *program; /* NULL: the one that the profile names */
  const char **profiles;
  size_t profile_count;
};

struct build build_parse(const char *text);

/* The model of the sum of its profiles.  FIRST, unless it is NULL, is a profile with which they must be comparable, and
   whose units they get.  */
void build_sum(const struct build *build, const struct cilkprof_profile *first, struct model *model,
               const struct options *options);

/* A model for each of its profiles.  Returns the first profile.  */
const struct cilkprof_profile *build_each(const struct build *build, const struct cilkprof_profile *first,
                                          struct model *models, const struct options *options);

#endif
