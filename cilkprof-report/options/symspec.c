/* Which functions and arcs an option means: gprof's symspecs.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/model/model.h"
#include "cilkprof-report/options/symspec.h"
#include "cilkprof-report/support/support.h"

/* The last colon that is not one of C++'s pairs.  */
static const char *separator(const char *text) {
  const char *found = NULL;
  for (const char *at = text; (at = strchr(at, ':')) != NULL;)
    if (at[1] == ':') {
      at += 2;
    } else {
      found = at++;
    }
  return found;
}

static bool is_digit(char character) {
  return character >= '0' && character <= '9';
}

static void parse_place(struct symspec *spec, const char *text) {
  if (is_digit(text[0]))
    spec->line = (uint32_t)strtoul(text, NULL, 10);
  else if (text[0] != 0)
    spec->function = text;
}

/* As gprof: without a colon a dot makes it a file and a digit at its start a line.  */
struct symspec symspec_parse(const char *text) {
  struct symspec spec = {0};
  const char *colon = separator(text);
  if (colon != NULL) {
    if (colon > text)
      spec.file = format_string("%.*s", (int)(colon - text), text);
    parse_place(&spec, colon + 1);
  } else if (strchr(text, '.') != NULL && strchr(text, '(') == NULL) {
    spec.file = text;
  } else {
    parse_place(&spec, text);
  }
  return spec;
}

bool is_file(const char *path, const char *file) {
  size_t length = strlen(path), wanted = strlen(file);
  return length >= wanted && strcmp(path + length - wanted, file) == 0 &&
         (length == wanted || path[length - wanted - 1] == '/');
}

bool symspec_needs_places(const struct symspec *spec) {
  return spec->file != NULL || spec->line > 0;
}

bool symspec_matches(const struct symspec *spec, const struct function *function) {
  if (spec->file != NULL && (function->place.file == NULL || !is_file(function->place.file, spec->file)))
    return false;
  if (spec->line > 0 && function->place.line != spec->line)
    return false;
  return spec->function == NULL || strcmp(spec->function, function->symbol) == 0 ||
         strcmp(spec->function, function->short_name) == 0 || strcmp(spec->function, function->name) == 0;
}

static struct rule *add_rule(struct rules *rules, const char *text) {
  rules->rules = grow(rules->rules, rules->count, &rules->room, sizeof *rules->rules);
  rules->rules[rules->count] = (struct rule){.text = text};
  return &rules->rules[rules->count++];
}

void rules_add(struct rules *rules, const char *text) {
  add_rule(rules, text)->from = symspec_parse(text);
}

void rules_add_arc(struct rules *rules, const char *text) {
  const char *slash = strrchr(text, '/');
  if (slash == NULL)
    fail(text, "it is not of the form FROM/TO");
  struct rule *rule = add_rule(rules, text);
  rule->arc = true;
  rule->from = symspec_parse(format_string("%.*s", (int)(slash - text), text));
  rule->to = symspec_parse(slash + 1);
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

static bool rules_need_places(const struct rules *rules) {
  for (size_t i = 0; i < rules->count; i++)
    if (symspec_needs_places(&rules->rules[i].from) || symspec_needs_places(&rules->rules[i].to))
      return true;
  return false;
}

bool filters_need_places(const struct filter filters[FILTER_KINDS]) {
  for (size_t i = 0; i < FILTER_KINDS; i++)
    if (rules_need_places(&filters[i].included) || rules_need_places(&filters[i].excluded))
      return true;
  return false;
}
