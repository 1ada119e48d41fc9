/* The regions that the program marked, and the strands that it named.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "cilkprof-report/model/regions.h"
#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/analysis/verdict.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/sections/sections.h"
#include "cilkprof-report/support/support.h"
#include "cilkprof-report/support/terminal.h"

static const char region_explanation[] =
    "\n"
    " A region is what the program did from cilkprof_start to cilkprof_stop, added up over all times that it was "
    "passed;\n"
    " inside another one of the same label it is part of that.\n"
    "\n"
    " work       its cost on one processor,\n"
    " span       and on any number of them,\n"
    " burdened   the latter with the cost of moving work between processors.\n"
    " parallel   work / span.\n"
    " speedup    the range that can be expected on so many processors, if the program does nothing else meanwhile.\n";

static const char strand_explanation[] =
    "\n"
    " A named strand is a part of what one function does itself, without what it calls, from cilkprof_strand on.\n";

static struct cilkprof_region *find(const struct regions *regions, const char *label, bool strand) {
  for (size_t i = 0; i < regions->count; i++)
    if (region_is_strand(&regions->regions[i]) == strand && strcmp(regions->regions[i].label, label) == 0)
      return &regions->regions[i];
  return NULL;
}

void regions_add(struct regions *regions, const struct cilkprof_profile *profile) {
  for (size_t i = 0; i < profile->region_count; i++) {
    const struct cilkprof_region *from = &profile->regions[i];
    struct cilkprof_region *sum = find(regions, from->label, region_is_strand(from));
    if (sum == NULL) {
      regions->regions = grow(regions->regions, regions->count, &regions->room, sizeof *regions->regions);
      regions->regions[regions->count++] = *from;
      continue;
    }
    sum->kind |= from->kind;
    add_measure(&sum->total, &from->total);
  }
}

const struct cilkprof_region *region_find(const struct regions *regions, const char *label) {
  const struct cilkprof_region *region = find(regions, label, false);
  return region != NULL ? region : find(regions, label, true);
}

static void print_label(FILE *out, const struct cilkprof_region *region) {
  char *label = escape(region->label);
  fprintf(out, " %10s  %s%s\n", grouped(region->total.count).text, label,
          region_is_partial(region) ? " (not measured every time)" : "");
  free(label);
}

static void print_bounds(FILE *out, const struct cilkprof_measure *total, unsigned processors) {
  struct cilkprof_totals totals = {.work = total->work, .span = total->span, .burdened_span = total->burdened_span};
  if (total->span == 0)
    fprintf(out, " %15s", "-");
  else
    fprintf(out, " %6.2f - %6.2f", speedup_lower(&totals, processors), speedup_upper(&totals, processors));
}

static void print_region(FILE *out, const struct model *model, const struct cilkprof_region *region) {
  const struct cilkprof_measure *total = &region->total;
  fprintf(out, "%9s %9s", quantity(model, (double)total->work, 4, "").text,
          quantity(model, (double)total->span, 4, "").text);
  fprintf(out, " %9s %9s", quantity(model, (double)total->burdened_span, 4, "").text,
          parallelism(total->work, total->span).text);
  for (unsigned processors = 2; processors <= 128; processors *= 4)
    print_bounds(out, total, processors);
  print_label(out, region);
}

static void print_marked(FILE *out, const struct model *model, const struct options *options) {
  print_styled(out, options->color, STYLE_TITLE, "Regions");
  fputs("\n\n", out);
  fprintf(out, "%39s    speedup on\n     work      span  burdened  parallel", "");
  for (unsigned processors = 2; processors <= 128; processors *= 4)
    fprintf(out, " %15u", processors);
  fputs("     passes  region\n", out);
  for (size_t i = 0; i < model->regions.count; i++)
    if (!region_is_strand(&model->regions.regions[i]))
      print_region(out, model, &model->regions.regions[i]);
  if (!options->brief)
    fputs(region_explanation, out);
}

static void print_strands(FILE *out, const struct model *model, const struct options *options) {
  print_styled(out, options->color, STYLE_TITLE, "Named strands");
  fputs("\n\n     work   of all     passes  strand\n", out);
  for (size_t i = 0; i < model->regions.count; i++) {
    const struct cilkprof_region *region = &model->regions.regions[i];
    if (!region_is_strand(region))
      continue;
    fprintf(out, "%9s %7.2f%%", quantity(model, (double)region->total.work, 4, "").text,
            percent(region->total.work, model->totals.work));
    print_label(out, region);
  }
  if (!options->brief)
    fputs(strand_explanation, out);
}

void print_regions(FILE *out, struct model *model, const struct options *options) {
  size_t strands = 0;
  for (size_t i = 0; i < model->regions.count; i++)
    strands += region_is_strand(&model->regions.regions[i]);
  if (strands < model->regions.count)
    print_marked(out, model, options);
  if (strands > 0 && strands < model->regions.count)
    putc('\n', out);
  if (strands > 0)
    print_strands(out, model, options);
  if (model->regions.count == 0)
    fputs("The program marked no regions (cilkprof_start).\n", out);
}
