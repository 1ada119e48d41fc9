/* Execution counts of functions and call sites.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include "cilkprof-report/model/filters.h"
#include "cilkprof-report/model/source-order.h"
#include "cilkprof-report/tables/labels.h"
#include "cilkprof-report/sections/sections.h"
#include "cilkprof-report/support/support.h"

static bool is_worth_a_line(uint64_t count, const struct options *options) {
  return count >= options->least_count && (count > 0 || options->unused);
}

static void print_count(struct line *line, uint64_t count) {
  line_string(line, 0, ") ");
  line_integer(line, 0, count);
  line_string(line, 0, " executions\n");
}

/* Prints a function.  PLACE is "file:line: (".  */
static void print_function(struct line *line, const char *place, const struct function *function) {
  char address[32] = "";
  if (function->place.holder != NULL)
    snprintf(address, sizeof address, ":0x%llx", (unsigned long long)function->place.address);
  line_string(line, 0, place);
  line_string(line, 0, function->brief_name);
  line_string(line, 0, address);
  print_count(line, sum_of(function->calls, function->own_calls));
}

static void print_site(struct line *line, const char *place, const struct site *site) {
  line_string(line, 0, place);
  line_string(line, 0, site->caller->brief_name);
  line_string(line, 0, " -> ");
  line_string(line, 0, site->callee->brief_name);
  print_count(line, site->measured->on_work.local.count);
}

/* Returns the file of a call.  If it is the file of the caller, the name is that of the debugging information, so that
   functions and calls have equal file names.  */
static const char *whole_file(const struct site *site) {
  const char *file = site->caller->place.file;
  return file != NULL && is_file(file, site->file) ? file : site->file;
}

/* Returns all functions and call sites to print, sorted by source location.  */
static struct source_order order_all(const struct model *model, const struct options *options) {
  const struct filter *filter = &options->filters[FILTER_COUNTS];
  struct source_order order = {0};
  for (size_t i = 0; i < model->functions.count; i++) {
    const struct function *function = model->functions.list[i];
    if (function_is_listed(function, options) && filter_admits(filter, function) && function->file == NULL)
      order_add_function(&order, function->place.file != NULL ? function->place.file : "<unknown>", function);
  }
  for (size_t i = 0; i < model->site_count; i++) {
    const struct site *site = &model->sites[i];
    if (site->caller != NULL && filter_admits(filter, site->caller))
      order_add_site(&order, whole_file(site), site->line, site);
  }
  order_sort(&order);
  return order;
}

/* Prints the functions that begin at a line, then the call sites in it.  KEY is the source location.  */
static void print_place(struct line *line, struct source_order *order, uint64_t key, const struct options *options) {
  struct ordered *functions = &order->functions, *sites = &order->sites;
  char *file = escape(order_file(order, key)), *place = format_string("%s:%u: (", file, order_line(key));
  for (; functions->next < functions->count && functions->items[functions->next].key == key; functions->next++) {
    const struct function *function = functions->items[functions->next].of;
    if (is_worth_a_line(sum_of(function->calls, function->own_calls), options))
      print_function(line, place, function);
  }
  for (; sites->next < sites->count && sites->items[sites->next].key == key; sites->next++) {
    const struct site *site = sites->items[sites->next].of;
    if (is_worth_a_line(site->measured->on_work.local.count, options))
      print_site(line, place, site);
  }
  free(place);
  free(file);
}

void print_counts(FILE *out, struct model *model, const struct options *options) {
  struct source_order order = order_all(model, options);
  struct line line = {.out = out};
  for (uint64_t key; order_next(&order, &key);)
    print_place(&line, &order, key, options);
  line_print(&line);
  order_free(&order);
}
