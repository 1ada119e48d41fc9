/* Tests which functions and arcs the options admit.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/model/filters.h"
#include "cilkprof-report/support/names.h"
#include "cilkprof-report/support/support.h"

/* Returns whether WHOLE is NAME, or ends in NAME preceded by a C++ scope.  */
static bool ends_in(const char *whole, const char *name) {
  size_t all = strlen(whole), part = strlen(name);
  if (part == 0 || all < part || strcmp(whole + all - part, name) != 0)
    return false;
  return all == part || (all >= part + 2 && memcmp(whole + all - part - 2, "::", 2) == 0);
}

/* Returns whether NAME is the name of FUNCTION without parameters, or its last components, with or without template
   arguments.  */
static bool is_called(const struct function *function, const char *name) {
  if (ends_in(function->short_name, name))
    return true;
  if (strpbrk(function->short_name, "<({[") == NULL)
    return false;
  char *brief = brief_name(function->short_name, 0);
  bool ends = ends_in(brief, name);
  free(brief);
  return ends;
}

bool symspec_matches(const struct symspec *spec, const struct function *function) {
  if (spec->file != NULL && (function->place.file == NULL || !is_file(function->place.file, spec->file)))
    return false;
  if (spec->line > 0 && function->place.line != spec->line)
    return false;
  if (spec->pattern != NULL)
    return regexec(spec->pattern, function->brief_name, 0, NULL, 0) == 0;
  return spec->function == NULL || strcmp(spec->function, function->symbol) == 0 ||
         strcmp(spec->function, function->name) == 0 || strcmp(spec->function, function->brief_name) == 0 ||
         is_called(function, spec->function);
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
