/* Checks for symspecs that match nothing, so that a report that lacks what the user asked for says so.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "cilkprof-report/model/filters.h"
#include "cilkprof-report/model/model.h"
#include "cilkprof-report/options/symspec.h"
#include "cilkprof-report/support/support.h"

static bool matches_any_arc(const struct rule *rule, const struct model *model) {
  for (size_t i = 0; i < model->arc_count; i++)
    if (rule_matches_arc(rule, model->arcs[i].caller, model->arcs[i].callee))
      return true;
  return false;
}

static bool matches_any_function(const struct rule *rule, const struct model *model) {
  for (size_t i = 0; i < model->functions.count; i++)
    if (symspec_matches(&rule->from, model->functions.list[i]))
      return true;
  return false;
}

/* Returns whether RULE matches any arc or function of MODEL.  */
static bool matches_any(const struct rule *rule, const struct model *model) {
  return rule->arc ? matches_any_arc(rule, model) : matches_any_function(rule, model);
}

/* Returns whether one of RULES comes from the same argument TEXT.  Pointers are compared.  */
static bool has_text(const struct rules *rules, const char *text) {
  for (size_t i = 0; i < rules->count; i++)
    if (rules->rules[i].text == text)
      return true;
  return false;
}

/* Fails if there are RULES for what to show and none of them matches: nothing would be printed.  */
static void check_included(const struct rules *rules, const struct model *model) {
  for (size_t i = 0; i < rules->count; i++)
    if (matches_any(&rules->rules[i], model))
      return;
  if (rules->count > 0)
    fail(rules->rules[0].text, "nothing in the profile is called so");
}

/* Tells the user which RULES match nothing.  One option may add its argument to several filters; it is mentioned for
   the first of them only.  FILTERS[0] to FILTERS[KIND - 1] have been checked before.  */
static void tell_unmatched(const struct rules *rules, const struct filter *filters, size_t kind,
                           const struct model *model) {
  for (size_t i = 0; i < rules->count; i++) {
    const struct rule *rule = &rules->rules[i];
    bool told = false;
    for (size_t earlier = 0; earlier < kind; earlier++)
      told |= has_text(&filters[earlier].included, rule->text) || has_text(&filters[earlier].excluded, rule->text);
    if (!told && !matches_any(rule, model))
      note(rule->text, "nothing in the profile is called so; it is ignored");
  }
}

void filters_check(const struct filter filters[FILTER_KINDS], const struct model *model) {
  for (size_t kind = 0; kind < FILTER_KINDS; kind++)
    check_included(&filters[kind].included, model);
  for (size_t kind = 0; kind < FILTER_KINDS; kind++) {
    tell_unmatched(&filters[kind].included, filters, kind, model);
    tell_unmatched(&filters[kind].excluded, filters, kind, model);
  }
}
