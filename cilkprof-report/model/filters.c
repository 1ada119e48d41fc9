/* Which functions and arcs the options admit.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <string.h>
#include "cilkprof-report/model/filters.h"
#include "cilkprof-report/support/support.h"

bool symspec_matches(const struct symspec *spec, const struct function *function) {
  if (spec->file != NULL && (function->place.file == NULL || !is_file(function->place.file, spec->file)))
    return false;
  if (spec->line > 0 && function->place.line != spec->line)
    return false;
  return spec->function == NULL || strcmp(spec->function, function->symbol) == 0 ||
         strcmp(spec->function, function->short_name) == 0 || strcmp(spec->function, function->name) == 0;
}

bool rules_match(const struct rules *rules, const struct function *function) {
  for (size_t i = 0; i < rules->count; i++)
    if (symspec_matches(&rules->rules[i].from, function))
      return true;
  return false;
}

bool rule_matches_arc(const struct rule *rule, const struct function *caller, const struct function *callee) {
  return caller != NULL && symspec_matches(&rule->from, caller) && symspec_matches(&rule->to, callee);
}

static bool rules_match_arc(const struct rules *rules, const struct function *caller, const struct function *callee) {
  for (size_t i = 0; i < rules->count; i++)
    if (rule_matches_arc(&rules->rules[i], caller, callee))
      return true;
  return false;
}

bool filter_admits(const struct filter *filter, const struct function *function) {
  if (filter->included.count > 0)
    return rules_match(&filter->included, function);
  return !rules_match(&filter->excluded, function);
}

bool filter_admits_arc(const struct filter *filter, const struct function *caller, const struct function *callee) {
  if (filter->included.count > 0)
    return rules_match_arc(&filter->included, caller, callee);
  return !rules_match_arc(&filter->excluded, caller, callee);
}
