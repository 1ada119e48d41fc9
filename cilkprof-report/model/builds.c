/* A build of a program with its profiles, named by one argument.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <string.h>
#include <unistd.h>
#include "cilkprof-report/model/builds.h"
#include "cilkprof-report/model/commands.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/support/support.h"

/* Parses TEXT, a build to be compared: profiles separated by commas, optionally preceded by a program and a colon.  A
   TEXT that is the name of an existing file, or "-", is one profile, because existing files may have colons and commas
   in their names.  */
struct build parse_model_build(const char *text) {
  struct build build = {0};
  size_t room = 0;
  bool is_name = strcmp(text, "-") == 0 || access(text, F_OK) == 0;
  const char *colon = is_name ? NULL : strchr(text, ':'), *end;
  if (colon != NULL && colon > text)
    build.program = format_string("%.*s", (int)(colon - text), text);
  for (const char *at = colon != NULL ? colon + 1 : text;; at = end + 1) {
    end = is_name ? at + strlen(at) : strchrnul(at, ',');
    build.profiles = grow_array(build.profiles, build.profile_count, &room, sizeof *build.profiles);
    build.profiles[build.profile_count++] = format_string("%.*s", (int)(end - at), at);
    if (*end == 0)
      return build;
  }
}

/* Fills MODEL with the sum of the COUNT profiles PATHS of BUILD. *FIRST is the profile with which they must be
   comparable and to whose units they are converted; NULL becomes the first of them.  */
static void fill_model_of_profiles(const struct build *build, const char *const *paths, size_t count,
                                   const struct cilkprof_profile **first, struct model *model,
                                   const struct options *options) {
  struct input input = read_model_input(build->program, paths, count, true, options);
  for (size_t i = 0; i < count; i++) {
    if (i >= input.measured)
      fail(input.paths[i], "it has samples of a parallel run, but no work and span to compare");
    if (*first == NULL)
      *first = &input.profiles[i];
    check_model_input_compatible(*first, &input.profiles[i], input.paths[i]);
    if (!is_same_model_command(&(*first)->program, &input.profiles[i].program))
      note(input.paths[i], "it ran with other arguments than what it is compared with, so differences may be those of "
                           "the input");
    convert_model_profile_units(&input.profiles[i], (*first)->run.units_per_second);
  }
  build_model_from_input(&input, model, options);
}

void fill_model_of_build(const struct build *build, const struct cilkprof_profile *first, struct model *model,
                         const struct options *options) {
  fill_model_of_profiles(build, build->profiles, build->profile_count, &first, model, options);
}

const struct cilkprof_profile *fill_models_of_build(const struct build *build, const struct cilkprof_profile *first,
                                                    struct model *models, const struct options *options) {
  for (size_t i = 0; i < build->profile_count; i++)
    fill_model_of_profiles(build, &build->profiles[i], 1, &first, &models[i], options);
  return first;
}
