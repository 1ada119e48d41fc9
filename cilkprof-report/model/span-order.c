/* The call sites, sorted by their share of the span.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <string.h>
#include "cilkprof-report/model/model.h"
#include "cilkprof-report/support/sort.h"
#include "cilkprof-report/support/support.h"

/* Returns the sort key of SITE: its share of the span or, if it has none, its work, which is below all shares of the
   span.  */
static uint64_t model_site_span_weight(const struct site *site) {
  const uint64_t holds_span = UINT64_C(1) << 63;
  uint64_t span = site->measured->on_span.local.span, work = site->measured->on_work.local.work;
  uint64_t weight = span > 0 ? span : work;
  return (span > 0 ? holds_span : 0) | (weight < holds_span ? weight : holds_span - 1);
}

/* Callback of sort_keyed: compares two call sites by local span on the span, work and number of calls, largest first,
   then by file and line.  */
static int compare_model_sites_by_span(const void *left, const void *right, const void *closure) {
  const struct site *a = left, *b = right;
  const struct cilkprof_site *x = a->measured, *y = b->measured;
  (void)closure;
  if (x->on_span.local.span != y->on_span.local.span)
    return x->on_span.local.span > y->on_span.local.span ? -1 : 1;
  if (x->on_work.local.work != y->on_work.local.work)
    return x->on_work.local.work > y->on_work.local.work ? -1 : 1;
  if (x->on_work.local.count != y->on_work.local.count)
    return x->on_work.local.count > y->on_work.local.count ? -1 : 1;
  int order = strcmp(a->file, b->file);
  if (order != 0)
    return order;
  return a->line != b->line ? (a->line < b->line ? -1 : 1) : a < b ? -1 : a > b;
}

/* Returns the call sites of MODEL sorted by their share of the span, largest first.  They are sorted on the first call.
   The model owns the array.  */
const struct site **model_sites_by_span(struct model *model) {
  if (model->sites_by_span != NULL)
    return model->sites_by_span;
  struct keyed *keyed = allocate(model->site_count, sizeof *keyed);
  for (size_t i = 0; i < model->site_count; i++)
    keyed[i] = (struct keyed){~model_site_span_weight(&model->sites[i]), &model->sites[i]};
  sort_keyed(keyed, model->site_count, compare_model_sites_by_span, NULL);
  const struct site **sorted = (const struct site **)keyed; /* sorted in place: pointers are half as large as pairs */
  for (size_t i = 0; i < model->site_count; i++) {
    const struct site *site = keyed[i].of;
    sorted[i] = site;
  }
  return model->sites_by_span = reallocate(sorted, model->site_count, sizeof *sorted);
}
