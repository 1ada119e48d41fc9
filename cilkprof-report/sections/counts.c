/* Execution counts of functions and call sites.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include "cilkprof-report/model/filters.h"
#include "cilkprof-report/model/source-order.h"
#include "cilkprof-report/tables/labels.h"
#include "cilkprof-report/sections/sections.h"
#include "cilkprof-report/support/support.h"

/* Returns whether --exec-counts lists something that was executed COUNT times: at least as often as --min-count says,
   and not never, unless unused functions are shown.  */
static bool is_execution_count_shown(uint64_t count, const struct options *options) {
  return count >= options->least_count && (count > 0 || options->unused);
}

/* Adds the end of a line of --exec-counts: the number of executions.  */
static void print_execution_count(struct line *line, uint64_t count) {
  line_add_string(line, 0, ") ");
  line_add_integer(line, 0, count);
  line_add_string(line, 0, " executions\n");
}

/* Prints how often FUNCTION was executed.  PLACE is its source location, as "file:line: (".  */
static void print_function_execution_count(struct line *line, const char *place, const struct function *function) {
  char address[32] = "";
  if (function->place.holder != NULL)
    snprintf(address, sizeof address, ":0x%llx", (unsigned long long)function->place.address);
  line_add_string(line, 0, place);
  line_add_string(line, 0, function->brief_name);
  line_add_string(line, 0, address);
  print_execution_count(line, model_saturating_sum(function->calls, function->own_calls));
}

/* Prints how often the call at SITE was executed.  PLACE is its source location, as "file:line: (".  */
static void print_site_execution_count(struct line *line, const char *place, const struct site *site) {
  line_add_string(line, 0, place);
  line_add_string(line, 0, site->caller->brief_name);
  line_add_string(line, 0, " -> ");
  line_add_string(line, 0, site->callee->brief_name);
  print_execution_count(line, site->measured->on_work.local.count);
}

/* Returns the file of a call for --exec-counts.  If it is the file of the caller, the name is that of the debugging
   information, so that functions and calls have equal file names.  */
static const char *execution_count_file(const struct site *site) {
  const char *file = site->caller->place.file;
  return file != NULL && path_ends_in_file(file, site->file) ? file : site->file;
}

/* Returns all functions and call sites that --exec-counts may print, sorted by source location.  */
static struct source_order order_execution_counts(const struct model *model, const struct options *options) {
  const struct filter *filter = &options->filters[FILTER_COUNTS];
  struct source_order order = {0};
  for (size_t i = 0; i < model->functions.count; i++) {
    const struct function *function = model->functions.list[i];
    if (function_has_table_row(function, options) && filter_admits_model_function(filter, function) &&
        function->file == NULL)
      model_source_order_add_function(&order, function->place.file != NULL ? function->place.file : "<unknown>",
                                      function);
  }
  for (size_t i = 0; i < model->site_count; i++) {
    const struct site *site = &model->sites[i];
    if (site->caller != NULL && filter_admits_model_function(filter, site->caller))
      model_source_order_add_site(&order, execution_count_file(site), site->line, site);
  }
  model_source_order_sort(&order);
  return order;
}

/* Prints the execution counts of the functions that begin at a line, then those of the call sites in it.  KEY is the
   source location.  */
static void print_execution_counts_at(struct line *line, struct source_order *order, uint64_t key,
                                      const struct options *options) {
  struct ordered *functions = &order->functions, *sites = &order->sites;
  char *file = escape(model_source_order_file(order, key)),
       *place = format_string("%s:%u: (", file, model_source_order_line(key));
  for (; functions->next < functions->count && functions->items[functions->next].key == key; functions->next++) {
    const struct function *function = functions->items[functions->next].of;
    if (is_execution_count_shown(model_saturating_sum(function->calls, function->own_calls), options))
      print_function_execution_count(line, place, function);
  }
  for (; sites->next < sites->count && sites->items[sites->next].key == key; sites->next++) {
    const struct site *site = sites->items[sites->next].of;
    if (is_execution_count_shown(site->measured->on_work.local.count, options))
      print_site_execution_count(line, place, site);
  }
  free(place);
  free(file);
}

/* Prints the section of --exec-counts: how often functions and call sites were executed, in the order of the
   sources.  */
void print_counts(FILE *out, struct model *model, const struct options *options) {
  struct source_order order = order_execution_counts(model, options);
  struct line line = {.out = out};
  for (uint64_t key; model_source_order_next(&order, &key);)
    print_execution_counts_at(&line, &order, key, options);
  line_flush(&line);
  model_source_order_free(&order);
}
