/* Whose code it is: the user's, or that of the system and of libraries, about which the user can do little.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_LIBRARY_H
#define CILKPROF_REPORT_LIBRARY_H

#include "cilkprof-report/model/model.h"
#include "cilkprof-report/names/system-files.h"

/* Finds from where functions are called, when their cycles are known.  */
void callers_find(struct model *model);

/* The nearest call that stands in the user's code: SITE, or the one above it through which most of the span comes.
   NULL where there is none.  */
const struct site *user_site(const struct model *model, const struct site *site);
/* The nearest function of the user's: FUNCTION, or the one that calls it in this way; FUNCTION where there is none.  */
const struct function *user_function(const struct model *model, const struct function *function);

#endif
