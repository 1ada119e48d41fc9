/* The profiles of one program, as read from their files.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_INPUT_H
#define CILKPROF_REPORT_INPUT_H

#include <stdio.h>
#include "cilkprof-report/model/model.h"
#include "cilkprof-report/options/options.h"

struct input {
  /* The profiles as read: first those with work and span, then those with samples only.  */
  struct cilkprof_profile *wholes;
  struct cilkprof_profile *profiles; /* the same profiles for the chosen root */
  const char **paths;
  size_t *sizes; /* sizes of the files */
  size_t count;
  size_t measured; /* number of profiles with work and span */
  bool is_trial;   /* a file holds several runs, with different numbers of workers */
  /* The program that the user named, if it is the one of the samples and not the one with work and span; otherwise
     NULL.  */
  const char *program;
  struct binding binding;
  struct bound_object ***bound; /* for every profile, the files of its objects */
};

/* Reads COUNT profiles and, if BIND, finds the files of their objects.  If PROGRAM is NULL, the program is the one that
   the first profile names.  */
struct input read_model_input(const char *program, const char *const *paths, size_t count, bool bind,
                              const struct options *options);

/* Fails if the profile OTHER, which was read from PATH, cannot be added to FIRST.  */
void check_model_input_compatible(const struct cilkprof_profile *first, const struct cilkprof_profile *other,
                                  const char *path);

/* Returns the path of the program of PROFILE, which was read from PATH.  Fails if the program is not found.  */
const char *find_model_input_program(const struct cilkprof_profile *profile, const char *path,
                                     const struct options *options);

/* Adds the sites of functions without events to MODEL, from the samples in INPUT.  Set by main, as samples are read by
   what is above the model.  */
extern void (*compose_model)(struct model *model, const struct input *input, const struct options *options);

/* Adds up the profiles in MODEL, which then owns them.  */
void build_model_from_input(struct input *input, struct model *model, const struct options *options);

/* roots.c: sets the profiles to those of the root NAME, or of the first root if NAME is NULL.  They are those of the
   whole program if NAME is empty or there are no roots.  */
void choose_model_root(struct input *input, const char *name);
/* roots.c: returns the root of PROFILE with this name, or NULL.  */
const struct cilkprof_root *find_model_root(const struct cilkprof_profile *profile, const char *name);

/* absent.c: if there is no file PATH, fails and tells the likely reason if PROGRAM, which may be NULL, gives
   one.  */
void check_model_input_present(const char *path, const char *program);

/* sum.c: writes the sum of the profiles to PATH.  A PATH that ends in .sum may be one of the profiles, so that sums can
   be continued.  */
void write_model_sum(const struct input *input, const char *path, bool force);

/* Returns whether PROFILE is of a program that was watched as it is, and has work, span and samples.  */
static inline bool is_watched_profile(const struct cilkprof_profile *profile) {
  return profile->program.mode == CILKPROF_MODE_WATCHED && profile->has_sampling;
}

/* Returns whether PROFILE has samples of a parallel run.  That of a serial run can have some, too.  */
static inline bool has_parallel_samples(const struct cilkprof_profile *profile) {
  return profile->has_sampling && profile->sampling.sampled != CILKPROF_SAMPLED_SERIAL;
}

#endif
