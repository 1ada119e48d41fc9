/* Tests which functions and arcs the options admit.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/model/filters.h"
#include "cilkprof-report/support/names.h"
#include "cilkprof-report/support/support.h"

/* Returns whether WHOLE is NAME, or ends in NAME preceded by a C++ scope.  */
static bool has_model_name_ending(const char *whole, const char *name) {
  size_t all = strlen(whole), part = strlen(name);
  if (part == 0 || all < part || strcmp(whole + all - part, name) != 0)
    return false;
  return all == part || (all >= part + 2 && memcmp(whole + all - part - 2, "::", 2) == 0);
}

/* Returns whether NAME is the name of FUNCTION without parameters, or its last components, with or without template
   arguments.  */
static bool is_model_function_named(const struct function *function, const char *name) {
  if (has_model_name_ending(function->short_name, name))
    return true;
  if (strpbrk(function->short_name, "<({[") == NULL)
    return false;
  char *brief = brief_name(function->short_name, 0);
  bool ends = has_model_name_ending(brief, name);
  free(brief);
  return ends;
}

bool model_function_matches_symspec(const struct symspec *spec, const struct function *function) {
  if (spec->file != NULL && (function->place.file == NULL || !path_ends_in_file(function->place.file, spec->file)))
    return false;
  if (spec->line > 0 && function->place.line != spec->line)
    return false;
  if (spec->pattern != NULL)
    return regexec(spec->pattern, function->brief_name, 0, NULL, 0) == 0;
  return spec->function == NULL || strcmp(spec->function, function->symbol) == 0 ||
         strcmp(spec->function, function->name) == 0 || strcmp(spec->function, function->brief_name) == 0 ||
         is_model_function_named(function, spec->function);
}

bool model_function_matches_rules(const struct rules *rules, const struct function *function) {
  for (size_t i = 0; i < rules->count; i++)
    if (model_function_matches_symspec(&rules->rules[i].from, function))
      return true;
  return false;
}

/* Returns whether CALLER matches the first symspec of RULE and CALLEE the second.  CALLER may be NULL, which matches
   nothing.  */
bool model_arc_matches_rule(const struct rule *rule, const struct function *caller, const struct function *callee) {
  return caller != NULL && model_function_matches_symspec(&rule->from, caller) &&
         model_function_matches_symspec(&rule->to, callee);
}

/* Returns whether the arc from CALLER, which may be NULL, to CALLEE matches any of RULES.  */
static bool model_arc_matches_rules(const struct rules *rules, const struct function *caller,
                                    const struct function *callee) {
  for (size_t i = 0; i < rules->count; i++)
    if (model_arc_matches_rule(&rules->rules[i], caller, callee))
      return true;
  return false;
}

bool filter_admits_model_function(const struct filter *filter, const struct function *function) {
  if (filter->included.count > 0)
    return model_function_matches_rules(&filter->included, function);
  return !model_function_matches_rules(&filter->excluded, function);
}

/* Returns whether the arc from CALLER, which may be NULL, to CALLEE is included by FILTER or, if it includes nothing
   explicitly, not excluded.  */
bool filter_admits_model_arc(const struct filter *filter, const struct function *caller,
                             const struct function *callee) {
  if (filter->included.count > 0)
    return model_arc_matches_rules(&filter->included, caller, callee);
  return !model_arc_matches_rules(&filter->excluded, caller, callee);
}
