/* The names of teams, for messages.
   SPDX-License-Identifier: MIT  */

#include <stdio.h>
#include <string.h>

#include "libcilkprof/engine/names/descriptions.h"
#include "libcilkprof/engine/teams/teams.h"

const char *__cilkprof_team_name(const struct team *team) {
  static const char prefix[] = "omp parallel thread ";
  static char name[256];
  const site_t *site = team->site;
  const char *text =
      site && site->description ? __cilkprof_description_string(__cilkprof_describe(site->description), CALLEE) : "";
  if (strncmp(text, prefix, strlen(prefix)) != 0)
    return "omp parallel";
  snprintf(name, sizeof name, "omp parallel %s", text + strlen(prefix));
  return name;
}
