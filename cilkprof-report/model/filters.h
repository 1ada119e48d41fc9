/* Which functions and arcs the options admit.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_FILTERS_H
#define CILKPROF_REPORT_FILTERS_H

#include "cilkprof-report/model/model.h"
#include "cilkprof-report/options/symspec.h"

bool symspec_matches(const struct symspec *spec, const struct function *function);
bool rule_matches_arc(const struct rule *rule, const struct function *caller, const struct function *callee);
bool rules_match(const struct rules *rules, const struct function *function);
bool filter_admits(const struct filter *filter, const struct function *function);
/* CALLER may be NULL.  */
bool filter_admits_arc(const struct filter *filter, const struct function *caller, const struct function *callee);

/* named.c: says which symspecs name nothing in the profile, and fails when all do that a part is to show.   */
void filters_check(const struct filter filters[FILTER_KINDS], const struct model *model);

#endif
