/* How often functions and call sites were executed.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/sections/labels.h"
#include "cilkprof-report/sections/sections.h"
#include "cilkprof-report/support/support.h"

/* A function, or a call site in one.  */
struct counted {
  const char *file;
  uint32_t line;
  uint64_t count;
  const struct function *function;
  const struct site *site; /* or NULL */
};

static int compare_counted(const void *left, const void *right) {
  const struct counted *a = left, *b = right;
  int order = strcmp(a->file, b->file);
  if (order != 0)
    return order;
  if (a->line != b->line)
    return a->line < b->line ? -1 : 1;
  if ((a->site == NULL) != (b->site == NULL))
    return a->site == NULL ? -1 : 1;
  if (a->function != b->function)
    return strcmp(a->function->name, b->function->name);
  return a->site < b->site ? -1 : a->site > b->site;
}

static void print_counted(FILE *out, const struct counted *counted) {
  const struct symbol *symbol = counted->function->place.symbol;
  char *file = escape(counted->file);
  fprintf(out, "%s:%u: (%s", file, counted->line, counted->function->name);
  if (counted->site != NULL)
    fprintf(out, " -> %s", counted->site->callee->name);
  else if (symbol != NULL)
    fprintf(out, ":0x%llx", (unsigned long long)symbol->address);
  fprintf(out, ") %llu executions\n", (unsigned long long)counted->count);
  free(file);
}

/* The file of a call as the debugging information names it for the caller, so that both look alike.  */
static const char *whole_file(const struct site *site) {
  const char *file = site->caller->place.file;
  return file != NULL && is_file(file, site->file) ? file : site->file;
}

void print_counts(FILE *out, struct model *model, const struct options *options) {
  const struct filter *filter = &options->filters[FILTER_COUNTS];
  struct counted *all = allocate(model->function_count + model->site_count, sizeof *all);
  size_t count = 0;
  for (size_t i = 0; i < model->function_count; i++) {
    const struct function *function = model->functions[i];
    const char *file = function->place.file != NULL ? function->place.file : "<unknown>";
    if (function_is_listed(function, options) && filter_admits(filter, function) && function->file == NULL)
      all[count++] =
          (struct counted){file, function->place.line, sum_of(function->calls, function->own_calls), function, NULL};
  }
  for (size_t i = 0; i < model->site_count; i++) {
    const struct site *site = &model->sites[i];
    if (site->caller != NULL && filter_admits(filter, site->caller))
      all[count++] =
          (struct counted){whole_file(site), site->line, site->measured->on_work.local.count, site->caller, site};
  }
  qsort(all, count, sizeof *all, compare_counted);
  for (size_t i = 0; i < count; i++)
    if (all[i].count >= options->least_count && (all[i].count > 0 || options->unused))
      print_counted(out, &all[i]);
  free(all);
}
