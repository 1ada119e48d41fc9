/* The places in the source at which a bottleneck is called, and the largest bottlenecks.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include "cilkprof-report/analysis/bottlenecks.h"
#include "cilkprof-report/analysis/verdict.h"
#include "cilkprof-report/model/model.h"
#include "cilkprof-report/support/support.h"

uint64_t bottleneck_place_span(const struct bottleneck *bottleneck, const struct site *place) {
  const struct cilkprof_measures *on_span = &place->measured->on_span;
  return bottleneck->kind == BOTTLENECK_SERIAL ? on_span->top_call_site.span : on_span->local.span;
}

/* Returns the least span that makes a bottleneck of MODEL worth a finding: LARGE_SHARE percent of the program's.  In a
   watched program it is not less than what the start and the end of a process may take.  */
uint64_t least_bottleneck_span(const struct model *model) {
  const uint64_t start_ns = 1000000;
  uint64_t least = (uint64_t)ceil((double)model->totals.span * LARGE_SHARE / 100);
  return model->threads > 0 && least < start_ns ? start_ns : least;
}

/* Moves the call site at INDEX of BOTTLENECK to where it belongs: they are sorted by span, largest first.  */
static void sort_bottleneck_place(struct bottleneck *bottleneck, size_t index) {
  const struct site *site = bottleneck->places[index];
  uint64_t span = bottleneck_place_span(bottleneck, site);
  for (; index > 0 && bottleneck_place_span(bottleneck, bottleneck->places[index - 1]) < span; index--)
    bottleneck->places[index] = bottleneck->places[index - 1];
  bottleneck->places[index] = site;
}

/* Adds SITE to the call sites of BOTTLENECK, of which the MAX_PLACES with the largest spans are kept.  Of calls on the
   same line, only the one with the larger span is kept.  */
void add_bottleneck_place(struct bottleneck *bottleneck, const struct site *site) {
  size_t i = 0;
  while (i < bottleneck->place_count &&
         (bottleneck->places[i]->file != site->file || bottleneck->places[i]->line != site->line))
    i++;
  if (i == bottleneck->place_count)
    bottleneck->places =
        grow_array(bottleneck->places, bottleneck->place_count++, &bottleneck->place_room, sizeof *bottleneck->places);
  else if (bottleneck_place_span(bottleneck, bottleneck->places[i]) >= bottleneck_place_span(bottleneck, site))
    return;
  bottleneck->places[i] = site;
  sort_bottleneck_place(bottleneck, i);
}

size_t keep_largest_bottleneck(struct bottleneck *bottlenecks, size_t count, size_t most,
                               const struct bottleneck *bottleneck) {
  size_t place = count < most ? count++ : most;
  for (; place > 0 && bottlenecks[place - 1].held.span < bottleneck->held.span; place--)
    if (place < most)
      bottlenecks[place] = bottlenecks[place - 1];
  if (place < most)
    bottlenecks[place] = *bottleneck;
  return count;
}
