/* The link error of an instrumented unit that is linked without the engine.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "back.h"
#include "libcilkprof/cc/needs.h"

/* Markers are defined nowhere, and __cilkprof_r_ is the prefix of the parallel runtime.  */
static bool of_engine_p(const char *name) {
  return startswith(name, "__cilkprof_") && !startswith(name, MARKER_PREFIX) && !startswith(name, "__cilkprof_r_");
}

void need_engine(const char *plugin) {
  static needed_library engine = {"-fcilkprof", of_engine_p, NULL, NULL, NULL};
  engine.message = concat("__cilkprof_is_missing_link_with_fcilkprof_", name_of_mode(), NULL);
  register_need(plugin, &engine, true);
}
