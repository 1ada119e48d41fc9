/* Whose code it is: the user's, or that of the system and of libraries, about which the user can do little.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_LIBRARY_H
#define CILKPROF_REPORT_LIBRARY_H

#include "cilkprof-report/model/model.h"

/* Whether FILE is a header of the system, of the compiler or of an installed library.  */
bool is_system_file(const char *file);

/* Whether FUNCTION is of a library: it has no instrumentation, or is defined in such a header, or is of C++'s own
   namespaces where it is not known where it is defined.  */
static inline bool is_library(const struct function *function) {
  return function->library;
}
/* Finds which are, when they have their names.  */
void libraries_find(struct model *model);

/* Finds from where functions are called, when their cycles are known.  */
void callers_find(struct model *model);

/* The nearest call that stands in the user's code: SITE, or the one above it through which most of the span comes.
   NULL where there is none.  */
const struct site *user_site(const struct model *model, const struct site *site);
/* The nearest function of the user's: FUNCTION, or the one that calls it in this way; FUNCTION where there is none.  */
const struct function *user_function(const struct model *model, const struct function *function);

#endif
