/* Brief names of functions, which still tell them apart.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/model/model.h"
#include "cilkprof-report/support/names.h"
#include "cilkprof-report/support/support.h"

static int compare_brief(const void *left, const void *right) {
  const struct function *const *a = left, *const *b = right;
  return strcmp((*a)->brief_name, (*b)->brief_name);
}

/* Most names, and all of C, have nothing that could be left out.  Levels beyond MOST_LEVELS show all.  */
enum { MOST_LEVELS = 2 };
static const char *brief_of(const struct function *function, int level) {
  bool is_loop = function->file != NULL;
  if (level >= MOST_LEVELS || is_loop || strpbrk(function->short_name, "<({[") == NULL)
    return function->short_name;
  return brief_name(function->short_name, level);
}

/* Names of one LEVEL; of several functions with the same one, as those that one template makes, those of the next.  */
static void name_group(struct function **functions, size_t count, int level) {
  for (size_t i = 0; i < count; i++)
    functions[i]->brief_name = brief_of(functions[i], level);
  if (level >= MOST_LEVELS)
    return;
  qsort(functions, count, sizeof *functions, compare_brief);
  for (size_t i = 0, end; i < count; i = end) {
    for (end = i + 1; end < count && compare_brief(&functions[i], &functions[end]) == 0; end++)
      ;
    if (end - i > 1)
      name_group(functions + i, end - i, level + 1);
  }
}

void functions_name_briefly(struct model *model, bool full) {
  struct function **functions = allocate(model->function_count, sizeof *functions);
  size_t count = 0;
  for (size_t i = 0; i < model->function_count; i++) {
    model->functions[i]->brief_name = model->functions[i]->short_name;
    if (!model->functions[i]->merged)
      functions[count++] = model->functions[i];
  }
  name_group(functions, count, full ? MOST_LEVELS : 0);
  free(functions);
}
