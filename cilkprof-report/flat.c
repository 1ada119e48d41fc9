/* The flat profile: gprof's, with the span beside the time.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/sections.h"
#include "cilkprof-report/support.h"
#include "cilkprof-report/units.h"

static const char explanation[] =
    "\n"
    " %%          the percentage of the program's work that this function did itself.\n"
    " time\n"
    "\n"
    " cumulative a running sum of the work of this function and those listed above it.\n"
    "\n"
    " self       the work of this function alone, without the functions that it called.  The table is sorted by it.\n"
    "\n"
    " calls      the number of times this function was called by others; calls by itself are not counted.\n"
    "\n"
    " self       the average work of this function alone per call,\n"
    " total      and together with all that it called.\n"
    "\n"
    " on span    the part of the program's span that this function holds itself: what remains of it on any number\n"
    "            of processors,\n"
    " %%          and as a percentage of the span.  A function with a large share limits the speedup.\n"
    " span\n"
    "\n"
    " parallel   its parallelism: the work of its calls divided by their span, with all that they called.\n"
    "            A function with a large share of the span and a parallelism near 1 is the one to parallelise.\n"
    "\n"
    " name       the name of the function; a cilk_for has one of its own.\n"
    "%s";

static const char instructions_explanation[] = "\n"
                                               " Work and span are counted in instructions; k, M, G and T are "
                                               "thousands, millions, billions and trillions of them.\n";

struct cilkprof_measure function_measure(const struct function *function) {
  return function->cycle->member_count == 1 ? function->inclusive : function->entered;
}

bool function_is_listed(const struct function *function, const struct options *options) {
  bool used = function->calls + function->own_calls > 0 || function->self > 0 || function->children > 0;
  return used || (options->unused && function->symbol[0] != 0);
}

static int compare_functions(const void *left, const void *right) {
  const struct function *a = *(const struct function *const *)left, *b = *(const struct function *const *)right;
  if (a->self != b->self)
    return a->self > b->self ? -1 : 1;
  if (a->calls != b->calls)
    return a->calls > b->calls ? -1 : 1;
  int order = strcmp(a->name, b->name);
  return order != 0 ? order : a->number < b->number ? -1 : 1;
}

static struct function **sorted_functions(const struct model *model) {
  struct function **sorted = allocate(model->function_count, sizeof *sorted);
  memcpy(sorted, model->functions, model->function_count * sizeof *sorted);
  qsort(sorted, model->function_count, sizeof *sorted, compare_functions);
  return sorted;
}

static double total_per_call(const struct function *function) {
  return function->calls > 0 ? (double)(function->self + function->children) / (double)function->calls : 0;
}

/* gprof scales the columns per call by the function with the largest value in them; for it main has no calls.  */
static struct unit unit_per_call(const struct model *model) {
  double largest = 0;
  for (size_t i = 0; i < model->function_count; i++) {
    const struct function *function = model->functions[i];
    bool is_root = function->parent_count == 1 && function->parents[0]->caller == NULL;
    if (!is_root && total_per_call(function) > largest)
      largest = total_per_call(function);
  }
  return unit_for(model, largest > 0 ? largest : (double)model->totals.work);
}

static void print_header(FILE *out, const struct model *model, const struct unit *unit, const struct unit *per_call) {
  static const char format[] = "%5.5s %10.10s %8.8s %8.8s %8.8s %8.8s %8.8s %6.6s %8.8s  %-8.8s\n";
  const char *what = model->run.units_per_second > 0 ? "unit of the timer" : "instruction";
  char name[16];
  snprintf(name, sizeof name, "%s ", unit->name);
  fprintf(out, "Flat profile:\n\nEach %s counts as %g %s.\n", what, unit->factor, unit->name);
  if (model->totals.work == 0)
    fputs(" no time accumulated\n\n", out);
  fprintf(out, format, "%  ", "cumulative", "self  ", "", "self  ", "total ", "on span ", "%  ", "", "");
  fprintf(out, format, "time", name, name, "calls", per_call->per_call, per_call->per_call, "", "span", "parallel",
          "name");
}

static void print_row(FILE *out, const struct model *model, const struct function *function, const struct unit *unit,
                      const struct unit *per_call, uint64_t cumulative) {
  fprintf(out, "%6.2f %9.2f %8.2f", percent(function->self, model->totals.work), (double)cumulative * unit->factor,
          (double)function->self * unit->factor);
  if (function->calls > 0)
    fprintf(out, " %8llu %8.2f %8.2f", (unsigned long long)function->calls,
            (double)function->self / (double)function->calls * per_call->factor,
            total_per_call(function) * per_call->factor);
  else
    fprintf(out, " %8.8s %8.8s %8.8s", "", "", "");
  struct cilkprof_measure measure = function_measure(function);
  fprintf(out, " %8s %6.2f %8s  %s\n", quantity(model, (double)function->self_on_span, 4, "").text,
          percent(function->self_on_span, model->totals.span), parallelism(measure.work, measure.span).text,
          function->name);
}

void print_flat(FILE *out, struct model *model, const struct options *options) {
  struct unit unit = unit_for_table(model), per_call = unit_per_call(model);
  struct function **functions = sorted_functions(model);
  uint64_t cumulative = 0;
  print_header(out, model, &unit, &per_call);
  for (size_t i = 0; i < model->function_count; i++) {
    if (!function_is_listed(functions[i], options))
      continue;
    cumulative += functions[i]->self;
    print_row(out, model, functions[i], &unit, &per_call, cumulative);
  }
  free(functions);
  if (!options->brief)
    fprintf(out, explanation, model->run.units_per_second > 0 ? "" : instructions_explanation);
}
