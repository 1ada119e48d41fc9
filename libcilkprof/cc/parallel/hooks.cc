/* The entry points of this folder.  front/ calls them through a table, so that it does not depend on this folder.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "parallel.h"

/* Sets OPTION, an argument of the plugin: "pedigrees" or "warn-serial".  Others are ignored.  */
static void set_parallel_option(const char *option) {
  if (!strcmp(option, "pedigrees"))
    pedigrees = true;
  else if (!strcmp(option, "warn-serial"))
    warn_cilk_serial = true;
}

static const parallel_hooks hooks = {set_parallel_option,  need_parallel_runtime, start_parallel_outlining,
                                     parallelise_function, lower_parallel_spawns, make_reducer};

/* Installs the table of this folder's functions that front/ calls.  This runs when GCC loads the plugin, before
   plugin_init.  */
__attribute__((constructor)) static void install_parallel_hooks() {
  parallel_hook = &hooks;
}
