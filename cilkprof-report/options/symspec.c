/* Symspecs as in gprof: the functions and arcs that an option selects.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/options/symspec.h"
#include "cilkprof-report/support/support.h"

/* Returns the last colon that is not part of a :: in a C++ name, or NULL.  */
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

/* Sets the function or the line of SPEC from TEXT.  */
static void parse_function_or_line(struct symspec *spec, const char *text) {
  if (is_digit(text[0]))
    spec->line = (uint32_t)strtoul(text, NULL, 10);
  else if (text[0] != 0)
    spec->function = text;
}

bool is_pattern(const char *text) {
  size_t length = strlen(text);
  return length > 2 && text[0] == '/' && text[length - 1] == '/';
}

/* Returns the regular expression between the slashes of TEXT.  Fails if it is not valid.  */
static const regex_t *compile(const char *text) {
  regex_t *pattern = allocate(1, sizeof *pattern);
  char *inside = format_string("%.*s", (int)strlen(text) - 2, text + 1), why[256];
  int error = regcomp(pattern, inside, REG_EXTENDED | REG_NOSUB);
  if (error != 0) {
    regerror(error, pattern, why, sizeof why);
    fail(text, "no regular expression: %s", why);
  }
  free(inside);
  return pattern;
}

/* As in gprof, a text without a colon is a file if it has a dot, and a line if it starts with a digit.  */
struct symspec symspec_parse(const char *text) {
  struct symspec spec = {0};
  const char *colon = separator(text);
  if (is_pattern(text)) {
    spec.pattern = compile(text);
  } else if (colon != NULL) {
    if (colon > text)
      spec.file = format_string("%.*s", (int)(colon - text), text);
    parse_function_or_line(&spec, colon + 1);
  } else if (strchr(text, '.') != NULL && strchr(text, '(') == NULL) {
    spec.file = text;
  } else {
    parse_function_or_line(&spec, text);
  }
  return spec;
}

bool symspec_needs_places(const struct symspec *spec) {
  return spec->file != NULL || spec->line > 0;
}

static struct rule *add_rule(struct rules *rules, const char *text) {
  rules->rules = grow(rules->rules, rules->count, &rules->room, sizeof *rules->rules);
  rules->rules[rules->count] = (struct rule){.text = text};
  return &rules->rules[rules->count++];
}

void rules_add(struct rules *rules, const char *text) {
  add_rule(rules, text)->from = symspec_parse(text);
}

/* Returns the slash between FROM and TO, either of which may be a pattern between slashes; NULL if there is none.  */
static const char *slash_between(const char *text) {
  size_t length = strlen(text);
  if (text[0] == '/') {
    const char *close = strchr(text + 1, '/');
    return close != NULL && close[1] == '/' ? close + 1 : NULL;
  }
  if (length == 0 || text[length - 1] != '/')
    return strrchr(text, '/');
  const char *open = memrchr(text, '/', length - 1);
  return open != NULL && open > text && open[-1] == '/' ? open - 1 : NULL;
}

void rules_add_arc(struct rules *rules, const char *text) {
  const char *slash = slash_between(text);
  if (slash == NULL)
    fail(text, "it is not of the form FROM/TO");
  struct rule *rule = add_rule(rules, text);
  rule->arc = true;
  rule->from = symspec_parse(format_string("%.*s", (int)(slash - text), text));
  rule->to = symspec_parse(slash + 1);
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
