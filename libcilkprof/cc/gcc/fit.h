/* Checks that a plugin fits the compiler that loads it.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_CC_GCC_FIT_H
#define CILKPROF_CC_GCC_FIT_H

struct plugin_gcc_version;

/* Returns whether this plugin fits the RUNNING compiler.  If not, it reports an error that says what to do.  OPTION is
   what the user asked for.  */
bool plugin_fits_gcc_p(const plugin_gcc_version *running, const char *option);

#endif
