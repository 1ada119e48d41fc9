/* Descriptions of sites, while the program runs.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_NAMES_DESCRIPTIONS_H
#define CILKPROF_NAMES_DESCRIPTIONS_H

#include "fmt/description.h"
#include "libcilkprof/engine/engine.h"

/* The strings of a description, in order.  */
enum { SOURCE, CALLER, CALLEE, UNIT, NAME };

/* Returns the description of the site with this SLOT, or one that says nothing if there is none.  It stays valid.  */
HIDDEN const struct cilkprof_description *__cilkprof_describe(const void *slot);
/* Returns the string with NUMBER, one of SOURCE to NAME; an empty one if it is missing.  */
HIDDEN const char *__cilkprof_description_string(const struct cilkprof_description *description, int number);
/* Forgets the descriptions of a library that is unloaded, which holds the address INSIDE.  */
HIDDEN void __cilkprof_forget_descriptions(const void *inside);

#endif
