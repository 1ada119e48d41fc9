/* Checks for symspecs that match nothing, so that a report that lacks what the user asked for says so.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "cilkprof-report/model/filters.h"
#include "cilkprof-report/model/model.h"
#include "cilkprof-report/options/symspec.h"
#include "cilkprof-report/support/support.h"

/* Returns whether RULE, which is about arcs, matches any arc of MODEL.  */
static bool rule_matches_any_model_arc(const struct rule *rule, const struct model *model) {
  for (size_t i = 0; i < model->arc_count; i++)
    if (model_arc_matches_rule(rule, model->arcs[i].caller, model->arcs[i].callee))
      return true;
  return false;
}

/* Returns whether RULE matches any function of MODEL.  */
static bool rule_matches_any_model_function(const struct rule *rule, const struct model *model) {
  for (size_t i = 0; i < model->functions.count; i++)
    if (model_function_matches_symspec(&rule->from, model->functions.list[i]))
      return true;
  return false;
}

/* Returns whether RULE matches any arc or function of MODEL.  */
static bool rule_matches_model(const struct rule *rule, const struct model *model) {
  return rule->arc ? rule_matches_any_model_arc(rule, model) : rule_matches_any_model_function(rule, model);
}

/* Returns whether one of RULES comes from the argument TEXT of an option.  Pointers are compared.  */
static bool has_model_filter_text(const struct rules *rules, const char *text) {
  for (size_t i = 0; i < rules->count; i++)
    if (rules->rules[i].text == text)
      return true;
  return false;
}

/* Fails if there are RULES for what to show and none of them matches anything in MODEL: nothing would be printed.  */
static void check_model_filter_included(const struct rules *rules, const struct model *model) {
  for (size_t i = 0; i < rules->count; i++)
    if (rule_matches_model(&rules->rules[i], model))
      return;
  if (rules->count > 0)
    fail(rules->rules[0].text, "nothing in the profile has that name");
}

/* Tells the user which RULES match nothing in MODEL.  One option may add its argument to several filters; it is
   mentioned for the first of them only.  FILTERS[0] to FILTERS[KIND - 1] have been checked before.  */
static void tell_unmatched_model_filter(const struct rules *rules, const struct filter *filters, size_t kind,
                                        const struct model *model) {
  for (size_t i = 0; i < rules->count; i++) {
    const struct rule *rule = &rules->rules[i];
    bool told = false;
    for (size_t earlier = 0; earlier < kind; earlier++)
      told |= has_model_filter_text(&filters[earlier].included, rule->text) ||
              has_model_filter_text(&filters[earlier].excluded, rule->text);
    if (!told && !rule_matches_model(rule, model))
      note(rule->text, "nothing in the profile has that name; it is ignored");
  }
}

/* Tells the user which symspecs match nothing in MODEL.  Fails if none of those that select what a section shows
   matches.  */
void check_model_filters(const struct filter filters[FILTER_KINDS], const struct model *model) {
  for (size_t kind = 0; kind < FILTER_KINDS; kind++)
    check_model_filter_included(&filters[kind].included, model);
  for (size_t kind = 0; kind < FILTER_KINDS; kind++) {
    tell_unmatched_model_filter(&filters[kind].included, filters, kind, model);
    tell_unmatched_model_filter(&filters[kind].excluded, filters, kind, model);
  }
}
