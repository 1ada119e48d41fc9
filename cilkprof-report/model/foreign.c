/* Which functions have no instrumentation: those that were only called by code that had not seen theirs, that call
   nothing, and that no object describes.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/model/model.h"
#include "cilkprof-report/support/support.h"

static bool is_foreign(const struct site *site) {
  return site->foreign && site->kind != CILKPROF_SITE_OUTSIDE;
}

/* What the sites tell.  Callees without a name yet are those of calls through pointers.  */
static void mark_callees(struct model *model) {
  for (size_t i = 0; i < model->site_count; i++)
    if (is_foreign(&model->sites[i]) && model->sites[i].callee != NULL)
      model->sites[i].callee->foreign = true;
  for (size_t i = 0; i < model->site_count; i++) {
    struct site *site = &model->sites[i];
    if (!is_foreign(site) && site->callee != NULL)
      site->callee->foreign = false;
    if (site->caller != NULL)
      site->caller->foreign = false;
  }
}

static int compare_symbols(const void *left, const void *right) {
  const struct function *const *a = left, *const *b = right;
  return strcmp((*a)->symbol, (*b)->symbol);
}

/* The FUNCTIONS are sorted by their symbols.  */
static void unmark_described(const struct object *object, struct function **functions, size_t count) {
  struct description_walk walk = {0};
  for (struct description description; object_next(object, &walk, &description);) {
    if (description.kind != CILKPROF_SITE_OUTSIDE || description.flags & CILKPROF_SITE_CALLEE_LOCAL)
      continue;
    const struct function key = {.symbol = description.callee}, *wanted = &key;
    struct function **found = bsearch(&wanted, functions, count, sizeof(struct function *), compare_symbols);
    if (found != NULL)
      (*found)->foreign = false;
  }
}

void find_foreign(struct model *model, const struct binding *binding) {
  mark_callees(model);
  struct function **marked = allocate(model->function_count, sizeof *marked);
  size_t count = 0;
  for (size_t i = 0; i < model->function_count; i++)
    if (model->functions[i]->foreign)
      marked[count++] = model->functions[i];
  if (count > 0)
    qsort(marked, count, sizeof *marked, compare_symbols);
  for (size_t i = 0; count > 0 && i < binding->count; i++)
    unmark_described(binding->files[i]->object, marked, count);
  free(marked);
}
