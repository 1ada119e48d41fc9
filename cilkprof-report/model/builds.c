/* A build of a program with its profiles, named by one argument.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <string.h>
#include <unistd.h>
#include "cilkprof-report/model/builds.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/support/support.h"

/* Existing files may have colons and commas in their names.  */
struct build build_parse(const char *text) {
  struct build build = {0};
  size_t room = 0;
  bool is_name = strcmp(text, "-") == 0 || access(text, F_OK) == 0;
  const char *colon = is_name ? NULL : strchr(text, ':'), *end;
  if (colon != NULL && colon > text)
    build.program = format_string("%.*s", (int)(colon - text), text);
  for (const char *at = colon != NULL ? colon + 1 : text;; at = end + 1) {
    end = is_name ? at + strlen(at) : strchrnul(at, ',');
    build.profiles = grow(build.profiles, build.profile_count, &room, sizeof *build.profiles);
    build.profiles[build.profile_count++] = format_string("%.*s", (int)(end - at), at);
    if (*end == 0)
      return build;
  }
}

/* Fills MODEL with the sum of COUNT profiles.  *FIRST is the profile with which they must be comparable; NULL becomes
   the first of them.  */
static void build_model(const struct build *build, const char *const *paths, size_t count,
                        const struct cilkprof_profile **first, struct model *model, const struct options *options) {
  struct input input = input_read(build->program, paths, count, true, options);
  for (size_t i = 0; i < count; i++) {
    if (i >= input.measured)
      fail(input.paths[i], "it has samples of a parallel run and no work and span, which are what is compared");
    if (*first == NULL)
      *first = &input.profiles[i];
    check_compatible(*first, &input.profiles[i], input.paths[i]);
    convert_units(&input.profiles[i], (*first)->run.units_per_second);
  }
  input_build(&input, model, options);
}

void build_sum(const struct build *build, const struct cilkprof_profile *first, struct model *model,
               const struct options *options) {
  build_model(build, build->profiles, build->profile_count, &first, model, options);
}

const struct cilkprof_profile *build_each(const struct build *build, const struct cilkprof_profile *first,
                                          struct model *models, const struct options *options) {
  for (size_t i = 0; i < build->profile_count; i++)
    build_model(build, &build->profiles[i], 1, &first, &models[i], options);
  return first;
}
