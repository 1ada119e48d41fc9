/* User code and library code: the user can do little about code of the system and of libraries.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_LIBRARY_H
#define CILKPROF_REPORT_LIBRARY_H

#include "cilkprof-report/model/model.h"
#include "cilkprof-report/names/system-files.h"

/* Finds the largest call into each cycle, and for the calls in libraries those in user code that lead to them.  The
   order of functions must be known.  */
void find_largest_model_callers(struct model *model);

/* Returns the nearest call site in user code: SITE, or the one above it along the callers with most of the span.
   Returns NULL if there is none.  */
const struct site *model_user_site(const struct model *model, const struct site *site);
/* Returns the nearest function of user code: FUNCTION, or the one above it along the callers with most of the span.
   Returns FUNCTION if there is none.  */
const struct function *model_user_function(const struct model *model, const struct function *function);

#endif
