/* The link error of an instrumented unit that is linked without the engine.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "back.h"
#include "libcilkprof/cc/needs.h"

/* Returns true if NAME is a symbol of the engine.  Markers, which are defined nowhere, are not, and __cilkprof_r_ is
   the prefix of the parallel runtime.  */
static bool engine_symbol_p(const char *name) {
  return startswith(name, "__cilkprof_") && !startswith(name, MARKER_PREFIX) && !startswith(name, "__cilkprof_r_");
}

/* Makes the linker print one line that says which option is missing, if a unit compiled by PLUGIN is linked without the
   engine of its mode.  */
void require_engine_at_link(const char *plugin) {
  static needed_library engine = {"-fcilkprof", engine_symbol_p, NULL, NULL, NULL};
  engine.message = concat("__cilkprof_is_missing_link_with_fcilkprof_", measuring_mode_name(), NULL);
  register_needed_library(plugin, &engine, true);
}
