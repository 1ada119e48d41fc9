/* Finds brief names of functions that are still unique.
   SPDX-License-Identifier: GPL-3.0-or-later

   Functions with the same brief name, such as instances of one template, get more detail step by step: their template
   arguments if these are short, otherwise the first part in which they differ.  Functions that differ only in their
   parameters get the source location of their definitions or, where that is not known, their parameters.  */

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/names/functions.h"
#include "cilkprof-report/support/names.h"
#include "cilkprof-report/support/support.h"

/* The longest name with template arguments, and with parameters, in columns.  */
enum { LONG_NAME = 40, LONG_WITH_PARAMETERS = 60 };

/* Callback of qsort: compares two functions by brief name.  */
static int compare_brief_function_names(const void *left, const void *right) {
  const struct function *const *a = left, *const *b = right;
  return strcmp((*a)->brief_name, (*b)->brief_name);
}

/* Returns the name of FUNCTION without parameters, shortened as far as LEVEL says.  Most names, and all names in C,
   have nothing to omit.  */
static const char *shortened_function_name(const struct function *function, int level) {
  bool is_loop = function->file != NULL;
  if (is_loop || strpbrk(function->short_name, "<({[") == NULL)
    return function->short_name;
  return brief_name(function->short_name, level);
}

/* Sorts COUNT functions by brief name, and calls NAME for each subset of two or more that have the same one.  */
static void for_each_same_brief_name(struct function **functions, size_t count,
                                     void (*name)(struct function **, size_t)) {
  qsort(functions, count, sizeof *functions, compare_brief_function_names);
  for (size_t i = 0, end; i < count; i = end) {
    for (end = i + 1; end < count && compare_brief_function_names(&functions[i], &functions[end]) == 0; end++)
      ;
    if (end - i > 1)
      name(functions + i, end - i);
  }
}

/* Returns whether CHARACTER may be part of an identifier with its scope.  */
static bool is_function_name_character(char character) {
  return isalnum((unsigned char)character) || character == '_' || character == ':' || (unsigned char)character >= 0x80;
}

/* Returns the text in which FUNCTION differs from others of the same brief name: its name with template arguments; for
   a loop, the name of the function that contains it.  */
static const char *function_name_distinction(const struct function *function) {
  return function->file != NULL ? demangle(function->symbol, demangle_style("auto"), false) : function->short_name;
}

/* Returns the length of the common prefix of COUNT names of functions.  */
static size_t common_function_name_prefix(const char *const *texts, size_t count) {
  size_t length = strlen(texts[0]);
  for (size_t i = 1; i < count; i++)
    for (size_t same = 0; same < length; same++)
      if (texts[i][same] != texts[0][same])
        length = same;
  return length;
}

/* Returns the word of the function name NAME around, or up to, the character at index DIFFERENT, including that.
   Allocated.  */
static char *function_name_word_at(const char *name, size_t different) {
  size_t start = different, end = different + (name[different] != 0);
  while (start > 0 && is_function_name_character(name[start - 1]))
    start--;
  while (is_function_name_character(name[end]) && is_function_name_character(name[end - 1]))
    end++;
  return format_string("%.*s", (int)(end - start), name + start);
}

/* Adds to the brief names of COUNT functions that have the same one, in brackets, the first word in which TEXTS differ,
   one for each function.  Words that were added before are kept.  Returns whether the texts differ.  */
static bool add_differing_function_words(struct function **functions, const char *const *texts, size_t count) {
  size_t common = common_function_name_prefix(texts, count);
  bool differ = false;
  for (size_t i = 0; i < count; i++)
    differ |= texts[i][common] != 0;
  for (size_t i = 0; differ && i < count; i++) {
    const char *known = functions[i]->brief_name, *list = strstr(known, " [");
    char *word = function_name_word_at(texts[i], common + strspn(texts[i] + common, " "));
    if (word[0] != 0)
      functions[i]->brief_name = list != NULL && known[strlen(known) - 1] == ']'
                                     ? format_string("%.*s, %s]", (int)strlen(known) - 1, known, word)
                                     : format_string("%s [%s]", known, word);
    free(word);
  }
  return differ;
}

/* Makes COUNT functions with the same brief name differ by words of their full names, or, where that does not help, by
   their full names.  The recursion ends because the subsets get smaller.  */
static void name_functions_by_whole_names(struct function **functions, size_t count) {
  const char **texts = allocate(count, sizeof *texts);
  for (size_t i = 0; i < count; i++)
    texts[i] = functions[i]->name;
  add_differing_function_words(functions, texts, count);
  free(texts);
  bool split = false;
  for (size_t i = 1; i < count; i++)
    split |= strcmp(functions[0]->brief_name, functions[i]->brief_name) != 0;
  for (size_t i = 0; !split && i < count; i++)
    functions[i]->brief_name = functions[i]->name;
  if (split)
    for_each_same_brief_name(functions, count, name_functions_by_whole_names);
}

/* Returns the parameters of FUNCTION without template arguments, such as "(std::vector&) const"; empty if its name has
   none.  */
static const char *brief_function_name_parameters(const struct function *function) {
  const char *found = strstr(function->name, function->short_name);
  const char *text = found != NULL ? found + strlen(function->short_name) : "";
  return text[0] == '(' ? brief_name(text, 0) : "";
}

/* Adds parameters to the brief names of COUNT functions that have the same one, for all or, if one name would get too
   long, for none.  Then makes those that are still equal differ.  */
static void name_functions_by_parameters(struct function **functions, size_t count) {
  size_t longest = 0;
  for (size_t i = 0; i < count; i++) {
    size_t length = strlen(functions[i]->brief_name) + strlen(brief_function_name_parameters(functions[i]));
    longest = length > longest ? length : longest;
  }
  for (size_t i = 0; longest <= LONG_WITH_PARAMETERS && i < count; i++)
    functions[i]->brief_name =
        format_string("%s%s", functions[i]->brief_name, brief_function_name_parameters(functions[i]));
  for_each_same_brief_name(functions, count, name_functions_by_whole_names);
}

/* Appends source locations to the brief names of COUNT functions that have the same one.  For loops these are columns,
   which differ for loops on the same line.  */
static void name_functions_by_place(struct function **functions, size_t count) {
  for (size_t i = 0; i < count; i++) {
    struct function *function = functions[i];
    if (function->file != NULL)
      function->brief_name = format_string("%s:%u", function->brief_name, function->column);
    if (function->place.file == NULL || function->place.line == 0 || function->file != NULL)
      continue;
    char *file = escape(base_name(function->place.file));
    function->brief_name = format_string("%s (%s:%u)", function->brief_name, file, function->place.line);
    free(file);
  }
  for_each_same_brief_name(functions, count, name_functions_by_parameters);
}

/* Adds to the brief names of COUNT functions that have the same one, in brackets, the first word in which the functions
   differ.  For example, std::__introsort_loop<...> for vectors of doubles becomes std::__introsort_loop [double].
   Words that were added before are kept; the recursion ends because the subsets get smaller.  */
static void name_functions_by_difference(struct function **functions, size_t count) {
  const char **texts = allocate(count, sizeof *texts);
  for (size_t i = 0; i < count; i++)
    texts[i] = function_name_distinction(functions[i]);
  bool differ = add_differing_function_words(functions, texts, count);
  free(texts);
  if (differ)
    for_each_same_brief_name(functions, count, name_functions_by_difference);
  else
    name_functions_by_place(functions, count);
}

/* Adds template arguments to the brief names of COUNT functions that have the same one, for all or, if one name would
   get too long, for none.  Then makes those that are still equal differ.  */
static void name_functions_by_arguments(struct function **functions, size_t count) {
  const char *same = functions[0]->brief_name;
  size_t longest = 0;
  for (size_t i = 0; i < count; i++) {
    functions[i]->brief_name = shortened_function_name(functions[i], 1);
    size_t length = strlen(functions[i]->brief_name);
    longest = length > longest ? length : longest;
  }
  for (size_t i = 0; longest > LONG_NAME && i < count; i++)
    functions[i]->brief_name = same;
  for_each_same_brief_name(functions, count, name_functions_by_difference);
}

/* Callback of qsort: compares two functions by brief name, then by number, so that the order is always the same.  */
static int compare_shown_function_names(const void *left, const void *right) {
  const struct function *const *a = left, *const *b = right;
  int order = compare_brief_function_names(left, right);
  return order != 0 ? order : (*a)->number < (*b)->number ? -1 : 1;
}

/* Sets the brief names of FUNCTIONS, which are the full names if FULL, and sorts the functions by them.  */
void functions_name_briefly(struct functions *functions, bool full) {
  struct function **named = allocate(functions->count, sizeof *named);
  size_t count = 0;
  for (size_t i = 0; i < functions->count; i++) {
    struct function *function = functions->by_name[i]; /* nearly sorted by brief name as well */
    function->brief_name = full ? function->name : shortened_function_name(function, 0);
    if (!function->merged)
      named[count++] = function;
  }
  if (!full)
    for_each_same_brief_name(named, count, name_functions_by_arguments);
  qsort(functions->by_name, functions->count, sizeof *named, compare_shown_function_names);
  free(named);
}
