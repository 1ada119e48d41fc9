/* Finds brief names of functions that are still unique.
   SPDX-License-Identifier: GPL-3.0-or-later

   Functions with the same brief name, such as instances of one template, get more detail step by step: their template
   arguments if these are short, otherwise the first part in which they differ.  Functions that differ only in their
   parameters get the source location of their definitions.  */

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/names/functions.h"
#include "cilkprof-report/support/names.h"
#include "cilkprof-report/support/support.h"

enum { LONG_NAME = 40 }; /* longest name with template arguments, in columns */

static int compare_brief(const void *left, const void *right) {
  const struct function *const *a = left, *const *b = right;
  return strcmp((*a)->brief_name, (*b)->brief_name);
}

/* Returns the name of FUNCTION without parameters, shortened as far as LEVEL says.  Most names, and all names in C,
   have nothing to omit.  */
static const char *shortened(const struct function *function, int level) {
  bool is_loop = function->file != NULL;
  if (is_loop || strpbrk(function->short_name, "<({[") == NULL)
    return function->short_name;
  return brief_name(function->short_name, level);
}

/* Calls NAME for each subset of the functions that have the same brief name.  */
static void for_each_same_name(struct function **functions, size_t count, void (*name)(struct function **, size_t)) {
  qsort(functions, count, sizeof *functions, compare_brief);
  for (size_t i = 0, end; i < count; i = end) {
    for (end = i + 1; end < count && compare_brief(&functions[i], &functions[end]) == 0; end++)
      ;
    if (end - i > 1)
      name(functions + i, end - i);
  }
}

/* Gives the functions their full names.  */
static void name_wholly(struct function **functions, size_t count) {
  for (size_t i = 0; i < count; i++)
    functions[i]->brief_name = functions[i]->name;
}

/* Appends source locations to the brief names.  For loops these are columns, which differ for loops on the same
   line.  */
static void name_by_place(struct function **functions, size_t count) {
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
  for_each_same_name(functions, count, name_wholly);
}

/* Returns whether CHARACTER may be part of an identifier with its scope.  */
static bool is_word_character(char character) {
  return isalnum((unsigned char)character) || character == '_' || character == ':' || (unsigned char)character >= 0x80;
}

/* Returns the text in which functions of the same brief name differ; for a loop, the function that contains it.  */
static const char *distinction(const struct function *function) {
  return function->file != NULL ? demangle(function->symbol, demangle_style("auto"), false) : function->short_name;
}

/* Returns the length of the common prefix of the texts.  */
static size_t common_prefix(const char *const *texts, size_t count) {
  size_t length = strlen(texts[0]);
  for (size_t i = 1; i < count; i++)
    for (size_t same = 0; same < length; same++)
      if (texts[i][same] != texts[0][same])
        length = same;
  return length;
}

/* Returns the word of NAME around, or up to, the character at index DIFFERENT, including that.  Allocated.  */
static char *word_at(const char *name, size_t different) {
  size_t start = different, end = different + (name[different] != 0);
  while (start > 0 && is_word_character(name[start - 1]))
    start--;
  while (is_word_character(name[end]) && is_word_character(name[end - 1]))
    end++;
  return format_string("%.*s", (int)(end - start), name + start);
}

/* Adds the first word in which the functions differ, in brackets.  For example, std::__introsort_loop<...> for vectors
   of doubles becomes std::__introsort_loop [double].  Words that were added before are kept; the recursion ends because
   the subsets get smaller.  */
static void name_by_difference(struct function **functions, size_t count) {
  const char **texts = allocate(count, sizeof *texts);
  for (size_t i = 0; i < count; i++)
    texts[i] = distinction(functions[i]);
  size_t common = common_prefix(texts, count);
  bool differ = false;
  for (size_t i = 0; i < count; i++)
    differ |= texts[i][common] != 0;
  for (size_t i = 0; differ && i < count; i++) {
    const char *known = functions[i]->brief_name, *list = strstr(known, " [");
    char *word = word_at(texts[i], common);
    functions[i]->brief_name = list != NULL ? format_string("%.*s, %s]", (int)strlen(known) - 1, known, word)
                                            : format_string("%s [%s]", known, word);
    free(word);
  }
  free(texts);
  if (differ)
    for_each_same_name(functions, count, name_by_difference);
  else
    name_by_place(functions, count);
}

/* Adds template arguments to the brief names, for all functions or for none.  */
static void name_by_arguments(struct function **functions, size_t count) {
  const char *same = functions[0]->brief_name;
  size_t longest = 0;
  for (size_t i = 0; i < count; i++) {
    functions[i]->brief_name = shortened(functions[i], 1);
    size_t length = strlen(functions[i]->brief_name);
    longest = length > longest ? length : longest;
  }
  for (size_t i = 0; longest > LONG_NAME && i < count; i++)
    functions[i]->brief_name = same;
  for_each_same_name(functions, count, name_by_difference);
}

static int compare_shown(const void *left, const void *right) {
  const struct function *const *a = left, *const *b = right;
  int order = compare_brief(left, right);
  return order != 0 ? order : (*a)->number < (*b)->number ? -1 : 1;
}

void functions_name_briefly(struct functions *functions, bool full) {
  struct function **named = allocate(functions->count, sizeof *named);
  size_t count = 0;
  for (size_t i = 0; i < functions->count; i++) {
    struct function *function = functions->by_name[i]; /* nearly sorted by brief name as well */
    function->brief_name = full ? function->name : shortened(function, 0);
    if (!function->merged)
      named[count++] = function;
  }
  if (!full)
    for_each_same_name(named, count, name_by_arguments);
  qsort(functions->by_name, functions->count, sizeof *named, compare_shown);
  free(named);
}
