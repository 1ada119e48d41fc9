/* Makes the linker name the missing option if a program lacks the runtime that its units need.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "parallel.h"
#include "libcilkprof/cc/needs.h"

/* Returns true if the symbol NAME is one of the parallel runtime's.  */
static bool parallel_runtime_symbol_p(const char *name) {
  return startswith(name, "__cilkprof_r_");
}

/* Makes the linker name the missing option if the program is linked without the parallel runtime.  The code that keeps
   exceptions needs the C++ library, so it is a separate object file.  */
void need_parallel_runtime(const char *plugin) {
  static needed_library runtime = {"-fcilkplus", parallel_runtime_symbol_p,
                                   "__cilkprof_r_is_missing_link_with_fcilkplus", "__cilkprof_r_caught",
                                   "__cilkprof_r_is_missing_link_with_gxx_fcilkplus"};
  register_needed_library(plugin, &runtime, parallel || deferring);
}
