/* Reads the rules of a gate.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/analysis/gate.h"
#include "cilkprof-report/support/names.h"
#include "cilkprof-report/support/support.h"

/* Reads a RULE from left to right; AT is the first character that is not read yet.  */
struct reader {
  const char *rule, *at;
};

/* Ends the report with a message that the rule of a gate is wrong; WHAT says why.  */
__attribute__((noreturn)) static void fail_gate_rule(const struct reader *reader, const char *what) {
  fail("--gate", "%s: %s", reader->rule, what);
}

/* Advances READER over blanks in the rule of a gate.  */
static void skip_gate_rule_blanks(struct reader *reader) {
  while (isspace((unsigned char)*reader->at))
    reader->at++;
}

/* Reads TEXT from the rule of a gate if it comes next, after blanks.  Returns whether it does.  */
static bool take_gate_rule_text(struct reader *reader, const char *text) {
  skip_gate_rule_blanks(reader);
  if (strncmp(reader->at, text, strlen(text)) != 0)
    return false;
  reader->at += strlen(text);
  return true;
}

/* Reads the name of a metric from the rule of a gate and replaces dashes by underscores.  Returns it allocated; it is
   empty if there is none.  */
static char *take_gate_metric_name(struct reader *reader) {
  skip_gate_rule_blanks(reader);
  size_t length = strspn(reader->at, "abcdefghijklmnopqrstuvwxyz_-");
  char *name = format_string("%.*s", (int)length, reader->at);
  for (char *dash; (dash = strchr(name, '-')) != NULL;)
    *dash = '_';
  reader->at += length;
  return name;
}

/* Reads the place in the rule of a gate, up to the closing parenthesis, and returns it allocated.  C++ names may
   contain nested parentheses.  */
static char *take_gate_rule_place(struct reader *reader) {
  const char *start = reader->at;
  for (int depth = 1; depth > 0; reader->at++) {
    if (*reader->at == 0)
      fail_gate_rule(reader, "a closing parenthesis is missing");
    depth += *reader->at == '(' ? 1 : *reader->at == ')' ? -1 : 0;
  }
  return format_string("%.*s", (int)(reader->at - 1 - start), start);
}

/* Reads the comparison in the rule of a gate, such as <=.  Fails if there is none.  */
static enum comparison take_gate_comparison(struct reader *reader) {
  static const struct {
    const char *text;
    enum comparison comparison;
  } comparisons[] = {{"<=", AT_MOST}, {">=", AT_LEAST}, {"==", EQUAL}, {"<", BELOW}, {">", ABOVE}, {"=", EQUAL}};
  for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++)
    if (take_gate_rule_text(reader, comparisons[i].text))
      return comparisons[i].comparison;
  fail_gate_rule(reader, "a comparison is missing: <, <=, ==, >= or >");
}

/* Reads a number with its unit from the rule of a gate into RULE.  Fails if there is none.  */
static void take_gate_number(struct reader *reader, struct gate_rule *rule) {
  char *end;
  skip_gate_rule_blanks(reader);
  errno = 0;
  rule->value = strtod(reader->at, &end);
  if (!(isdigit((unsigned char)*reader->at) || *reader->at == '.') || end == reader->at)
    fail_gate_rule(reader, "a number is missing");
  if (errno == ERANGE)
    fail_gate_rule(reader, "the number is too large or too small");
  reader->at = end;
  skip_gate_rule_blanks(reader);
  size_t length = strspn(reader->at, "%kMGTsmun");
  if (length >= sizeof rule->unit)
    fail_gate_rule(reader, "unknown unit");
  memcpy(rule->unit, reader->at, length);
  reader->at += length;
}

/* Reads what the rule of a gate compares with into RULE: a number, or "reference" with its tolerance.  */
static void take_gate_value(struct reader *reader, struct gate_rule *rule) {
  if (!take_gate_rule_text(reader, "reference")) {
    take_gate_number(reader, rule);
    return;
  }
  rule->to_reference = true;
  bool plus = take_gate_rule_text(reader, "+");
  if (!plus && !take_gate_rule_text(reader, "-"))
    return;
  take_gate_number(reader, rule);
  rule->in_percent = strcmp(rule->unit, "%") == 0;
  if (!plus)
    rule->value = -rule->value;
}

/* Returns the rule of a gate that TEXT holds.  Fails if it is not valid.  */
static struct gate_rule parse_gate_rule(const char *text) {
  struct reader reader = {text, text};
  struct gate_rule rule = {.text = text};
  rule.metric = find_gate_metric(take_gate_metric_name(&reader));
  if (rule.metric == NULL)
    fail_gate_rule(&reader, format_string("it must begin with one of %s", gate_metric_names()));
  if (take_gate_rule_text(&reader, "("))
    rule.place = take_gate_rule_place(&reader);
  rule.comparison = take_gate_comparison(&reader);
  take_gate_value(&reader, &rule);
  skip_gate_rule_blanks(&reader);
  if (*reader.at != 0)
    fail_gate_rule(&reader, format_string("unexpected '%s'; write, for example, span <= reference+10%%", reader.at));
  return rule;
}

/* Adds the rules in TEXT, which are separated by semicolons or newlines, to GATE.  Fails if there is none.  */
static void add_gate_rules(struct gate *gate, const char *text) {
  size_t before = gate->count;
  for (size_t length; *text != 0; text += length + (text[length] != 0)) {
    length = strcspn(text, ";\n");
    size_t blanks = strspn(text, " \t;\n");
    if (blanks >= length)
      continue;
    size_t end = length;
    while (end > blanks && isspace((unsigned char)text[end - 1]))
      end--;
    gate->rules = grow_array(gate->rules, gate->count, &gate->room, sizeof *gate->rules);
    gate->rules[gate->count++] = parse_gate_rule(format_string("%.*s", (int)(end - blanks), text + blanks));
  }
  if (gate->count == before)
    fail("--gate", "the rule is empty");
}

/* Returns whether a rule of GATE is about DATA.  */
bool gate_needs(const struct gate *gate, enum gate_data data) {
  for (size_t i = 0; i < gate->count; i++)
    if (gate_metric_data(gate->rules[i].metric) == data)
      return true;
  return false;
}

/* Returns whether a rule of GATE compares DATA with a reference, which is another profile.  */
bool gate_needs_reference(const struct gate *gate, enum gate_data data) {
  for (size_t i = 0; i < gate->count; i++)
    if (gate->rules[i].to_reference && gate_metric_data(gate->rules[i].metric) == data)
      return true;
  return false;
}

/* Reads the rules of the gate in OPTIONS.  Fails if a rule is invalid, if a rule needs a reference and there is none,
   or if there is a reference that no rule needs.  */
struct gate parse_gate(const struct options *options) {
  struct gate gate = {0};
  for (size_t i = 0; i < options->gate_count; i++)
    add_gate_rules(&gate, options->gate[i]);
  bool needed = gate_needs_reference(&gate, GATE_COSTS) || gate_needs_reference(&gate, GATE_SAMPLES);
  if (needed && options->reference == NULL)
    fail("--gate", "a rule mentions the reference; name one with --reference=PROFILE");
  if (options->reference != NULL && !needed)
    fail("--reference", "no rule mentions the reference; remove it, or write a rule such as span <= reference+10%%");
  return gate;
}
