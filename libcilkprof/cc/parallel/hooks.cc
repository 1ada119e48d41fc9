/* The entry points of this folder.  front/ calls them through a table, so that it does not depend on this folder.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "parallel.h"

static void set_option(const char *option) {
  if (!strcmp(option, "pedigrees"))
    pedigrees = true;
  else if (!strcmp(option, "warn-serial"))
    warn_cilk_serial = true;
}

static const parallel_hooks hooks = {set_option,  need_runtime,          start_outlining,
                                     parallelise, lower_parallel_spawns, make_reducer};

/* This runs when GCC loads the plugin, before plugin_init.  */
__attribute__((constructor)) static void install_hooks() {
  parallel_hook = &hooks;
}
