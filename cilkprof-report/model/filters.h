/* Tests which functions and arcs the options admit.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_FILTERS_H
#define CILKPROF_REPORT_FILTERS_H

#include "cilkprof-report/model/model.h"
#include "cilkprof-report/options/symspec.h"

/* Returns whether FUNCTION matches the file, line, pattern and name of SPEC, as far as it has them.  */
bool model_function_matches_symspec(const struct symspec *spec, const struct function *function);
/* Returns whether CALLER and CALLEE match both symspecs of RULE.  CALLER may be NULL, which matches nothing.  */
bool model_arc_matches_rule(const struct rule *rule, const struct function *caller, const struct function *callee);
/* Returns whether FUNCTION matches the first symspec of any of RULES.  */
bool model_function_matches_rules(const struct rules *rules, const struct function *function);
/* Returns whether FUNCTION is included by FILTER or, if it includes nothing explicitly, not excluded.  */
bool filter_admits_model_function(const struct filter *filter, const struct function *function);
/* Returns whether the arc is included by FILTER or, if it includes nothing explicitly, not excluded.  CALLER may be
   NULL.  */
bool filter_admits_model_arc(const struct filter *filter, const struct function *caller, const struct function *callee);

/* named.c: tells the user which symspecs match nothing in the profile.  Fails if none of those that select what a
   section shows matches.  */
void check_model_filters(const struct filter filters[FILTER_KINDS], const struct model *model);

#endif
