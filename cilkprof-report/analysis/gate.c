/* Checks the rules of a gate.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include "cilkprof-report/analysis/gate.h"
#include "cilkprof-report/model/filters.h"
#include "cilkprof-report/support/support.h"

/* Returns whether VALUE satisfies a COMPARISON, as the rule of a gate has it, with LIMIT.  */
static bool is_gate_comparison_true(enum comparison comparison, double value, double limit) {
  switch (comparison) {
  case BELOW:
    return value < limit;
  case AT_MOST:
    return value <= limit;
  case EQUAL:
    return value == limit;
  case AT_LEAST:
    return value >= limit;
  case ABOVE:
    return value > limit;
  }
  return false;
}

/* Returns the limit that RULE of a gate sets, in the unit of its metric.  REFERRED is the value in the reference.  */
static double gate_rule_limit(const struct gate_rule *rule, const struct model *model, double referred) {
  if (!rule->to_reference)
    return convert_to_gate_metric_unit(rule->metric, model, rule->value, rule->unit);
  if (rule->in_percent)
    return referred * (1 + rule->value / 100);
  return rule->value == 0 ? referred
                          : referred + convert_to_gate_metric_unit(rule->metric, model, rule->value, rule->unit);
}

size_t check_gate(struct gate *gate, const struct model *model, const struct model *reference,
                  const struct options *options) {
  size_t broken = 0;
  for (size_t i = 0; i < gate->count; i++) {
    struct gate_rule *rule = &gate->rules[i];
    double value = gate_metric_value(rule->metric, model, rule->place, options);
    double referred = rule->to_reference ? gate_metric_value(rule->metric, reference, rule->place, options) : 0;
    if (is_gate_comparison_true(rule->comparison, value, gate_rule_limit(rule, model, referred)))
      continue;
    broken++;
    rule->failure = format_string("failed, it is %s%s%s", gate_metric_text(rule->metric, model, value),
                                  rule->to_reference ? ", and in the reference " : "",
                                  rule->to_reference ? gate_metric_text(rule->metric, reference, referred) : "");
    note("gate", "%s: %s", rule->text, rule->failure);
  }
  return broken;
}

bool locate_gate_rule(const struct gate_rule *rule, const struct model *model, const char **file, uint32_t *line) {
  struct symspec spec = symspec_parse(rule->place);
  for (size_t i = 0; spec.line > 0 && i < model->site_count; i++)
    if (model->sites[i].line == spec.line &&
        (spec.file == NULL || path_ends_in_file(model->sites[i].file, spec.file))) {
      *file = model->sites[i].file;
      *line = spec.line;
      return true;
    }
  for (size_t i = 0; spec.line == 0 && i < model->functions.count; i++) {
    const struct function *function = model->functions.list[i];
    if (function->file == NULL && function->place.file != NULL && model_function_matches_symspec(&spec, function)) {
      *file = function->place.file;
      *line = function->place.line;
      return true;
    }
  }
  return false;
}
