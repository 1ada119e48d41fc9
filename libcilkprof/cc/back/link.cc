/* The engine, which an instrumented unit needs.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "back.h"
#include "libcilkprof/cc/needs.h"

const char *name_of_mode() {
  static const char *const names[] = {"count", "hybrid", "clock"};
  return whatif ? "whatif" : names[mode];
}

/* The markers are nobody's, and what begins with __cilkprof_r_ is of the runtime that runs Cilk in parallel.  */
static bool of_engine_p(const char *name) {
  return startswith(name, "__cilkprof_") && !startswith(name, MARKER_PREFIX) && !startswith(name, "__cilkprof_r_");
}

void need_engine(const char *plugin) {
  static needed_library engine = {"-fcilkprof", of_engine_p, NULL, NULL, NULL};
  engine.message = concat("__cilkprof_is_missing_link_with_fcilkprof_", name_of_mode(), NULL);
  register_need(plugin, &engine, true);
}
