/* Explains the columns of the flat profile and of the call graph.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_EXPLANATIONS_H
#define CILKPROF_REPORT_EXPLANATIONS_H

#include <stdio.h>
#include "cilkprof-report/model/model.h"
#include "cilkprof-report/options/options.h"

void explain_flat_profile(FILE *out, const struct model *model, const struct options *options);
void explain_call_graph(FILE *out, const struct model *model, const struct options *options);

#endif
