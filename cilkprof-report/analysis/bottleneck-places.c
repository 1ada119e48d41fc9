/* The places in the source at which a bottleneck is called: those with the largest spans.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "cilkprof-report/analysis/bottlenecks.h"
#include "cilkprof-report/model/model.h"

/* Returns the span that PLACE, a call site of BOTTLENECK, contributes: with callees if the bottleneck is serial,
   otherwise of own code only.  */
static uint64_t bottleneck_place_span(const struct bottleneck *bottleneck, const struct site *place) {
  const struct cilkprof_measures *on_span = &place->measured->on_span;
  return bottleneck->kind == BOTTLENECK_SERIAL ? on_span->top_call_site.span : on_span->local.span;
}

/* Inserts SITE into the first COUNT call sites of BOTTLENECK, which are sorted by span, largest first; one that no
   longer fits is dropped.  */
static void insert_bottleneck_place(struct bottleneck *bottleneck, size_t count, const struct site *site) {
  for (; count > 0 &&
         bottleneck_place_span(bottleneck, bottleneck->places[count - 1]) < bottleneck_place_span(bottleneck, site);
       count--)
    if (count < MOST_PLACES)
      bottleneck->places[count] = bottleneck->places[count - 1];
  if (count < MOST_PLACES)
    bottleneck->places[count] = site;
}

/* Adds SITE to the call sites of BOTTLENECK, of which the MOST_PLACES with the largest spans are kept.  Of calls on the
   same line, only the one with the larger span is kept.  */
void add_bottleneck_place(struct bottleneck *bottleneck, const struct site *site) {
  size_t known = bottleneck->place_count < MOST_PLACES ? bottleneck->place_count : MOST_PLACES;
  for (size_t i = 0; i < known; i++) {
    const struct site *place = bottleneck->places[i];
    if (place->file != site->file || place->line != site->line)
      continue;
    if (bottleneck_place_span(bottleneck, place) < bottleneck_place_span(bottleneck, site)) {
      bottleneck->places[i] = site;
      insert_bottleneck_place(bottleneck, i, site);
    }
    return;
  }
  insert_bottleneck_place(bottleneck, known, site);
  bottleneck->place_count++;
}
