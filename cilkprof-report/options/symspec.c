/* Symspecs as in gprof: the functions and arcs that an option selects.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/options/symspec.h"
#include "cilkprof-report/support/support.h"

/* Returns the colon between file and function, or file and line, of a symspec: the last one that is not part of a :: in
   a C++ name, or NULL.  */
static const char *symspec_separator(const char *text) {
  const char *found = NULL;
  for (const char *at = text; (at = strchr(at, ':')) != NULL;)
    if (at[1] == ':') {
      at += 2;
    } else {
      found = at++;
    }
  return found;
}

/* Returns whether CHARACTER is a decimal digit: a symspec that begins with one is a line.  */
static bool is_symspec_digit(char character) {
  return character >= '0' && character <= '9';
}

/* Sets the line of SPEC if TEXT begins with a digit, and its function otherwise.  An empty TEXT sets neither.  */
static void parse_symspec_function_or_line(struct symspec *spec, const char *text) {
  if (is_symspec_digit(text[0]))
    spec->line = (uint32_t)strtoul(text, NULL, 10);
  else if (text[0] != 0)
    spec->function = text;
}

bool is_symspec_pattern(const char *text) {
  size_t length = strlen(text);
  return length > 2 && text[0] == '/' && text[length - 1] == '/';
}

/* Returns the regular expression between the slashes of the symspec TEXT.  Allocated.  Fails if it is not valid.  */
static const regex_t *compile_symspec_pattern(const char *text) {
  regex_t *pattern = allocate(1, sizeof *pattern);
  char *inside = format_string("%.*s", (int)strlen(text) - 2, text + 1), why[256];
  int error = regcomp(pattern, inside, REG_EXTENDED | REG_NOSUB);
  if (error != 0) {
    regerror(error, pattern, why, sizeof why);
    fail(text, "invalid regular expression: %s", why);
  }
  free(inside);
  return pattern;
}

/* Returns the symspec in TEXT, to which it may point.  As in gprof, a text without a colon is a file if it has a dot,
   and a line if it starts with a digit.  */
struct symspec symspec_parse(const char *text) {
  struct symspec spec = {0};
  const char *colon = symspec_separator(text);
  if (is_symspec_pattern(text)) {
    spec.pattern = compile_symspec_pattern(text);
  } else if (colon != NULL) {
    if (colon > text)
      spec.file = format_string("%.*s", (int)(colon - text), text);
    parse_symspec_function_or_line(&spec, colon + 1);
  } else if (strchr(text, '.') != NULL && strchr(text, '(') == NULL) {
    spec.file = text;
  } else {
    parse_symspec_function_or_line(&spec, text);
  }
  return spec;
}

bool symspec_needs_places(const struct symspec *spec) {
  return spec->file != NULL || spec->line > 0;
}

/* Appends a rule for TEXT to RULES and returns it; the caller fills in its symspecs.  The rule is valid until the next
   one is added.  */
static struct rule *add_symspec_rule(struct rules *rules, const char *text) {
  rules->rules = grow_array(rules->rules, rules->count, &rules->room, sizeof *rules->rules);
  rules->rules[rules->count] = (struct rule){.text = text};
  return &rules->rules[rules->count++];
}

/* Adds a rule for the functions that TEXT, a symspec, selects.  */
void symspec_rules_add(struct rules *rules, const char *text) {
  add_symspec_rule(rules, text)->from = symspec_parse(text);
}

/* Returns the slash between the two symspecs of the arc FROM/TO, either of which may be a pattern between slashes; NULL
   if there is none.  */
static const char *symspec_arc_slash(const char *text) {
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

/* Adds a rule for the arcs that TEXT selects.  Fails if it is not of the form FROM/TO.  */
void symspec_rules_add_arc(struct rules *rules, const char *text) {
  const char *slash = symspec_arc_slash(text);
  if (slash == NULL)
    fail(text, "not of the form FROM/TO");
  struct rule *rule = add_symspec_rule(rules, text);
  rule->arc = true;
  rule->from = symspec_parse(format_string("%.*s", (int)(slash - text), text));
  rule->to = symspec_parse(slash + 1);
}

/* Returns whether a rule can only be matched if the source locations of functions are known.  */
static bool symspec_rules_need_places(const struct rules *rules) {
  for (size_t i = 0; i < rules->count; i++)
    if (symspec_needs_places(&rules->rules[i].from) || symspec_needs_places(&rules->rules[i].to))
      return true;
  return false;
}

/* Returns whether one of the filters can only be applied if the source locations of functions are known.  */
bool symspec_filters_need_places(const struct filter filters[FILTER_KINDS]) {
  for (size_t i = 0; i < FILTER_KINDS; i++)
    if (symspec_rules_need_places(&filters[i].included) || symspec_rules_need_places(&filters[i].excluded))
      return true;
  return false;
}
