/* Checks that a plugin fits the compiler that loads it.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_CC_GCC_FIT_H
#define CILKPROF_CC_GCC_FIT_H

struct plugin_gcc_version;

bool plugin_fits_gcc_p(const plugin_gcc_version *running, const char *option);

#endif
