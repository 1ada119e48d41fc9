/* The call graph for callgrind_annotate and KCachegrind.
   SPDX-License-Identifier: GPL-3.0-or-later

   Functions have their self cost and calls have their inclusive cost; both are measured.  Readers of this format add
   these up.  Therefore a call inside a cycle has no cost: it is part of the call that entered the cycle, and no
   function gets a higher cost than the program.  For the same reason a loop is a line of the function that contains it,
   and its calls are calls of that function.  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/exports/exports.h"
#include "cilkprof-report/exports/stacks.h"
#include "cilkprof-report/tables/labels.h"
#include "cilkprof-report/tables/program.h"
#include "cilkprof-report/support/support.h"
#include "version.h"

struct graph {
  FILE *out;
  const struct model *model;
  const struct options *options;
  const struct site **sites;     /* sorted by caller */
  const struct function **known; /* see exported_functions */
  const char **files;            /* by number of the function: its file */
  struct names site_files;       /* file names in the descriptions of call sites */
  struct names names;            /* file names that have been printed, which are replaced by numbers later */
  bool *named;                   /* by number of the function: its name has been printed */
};

/* Returns the file name FILE as the descriptions of call sites have it: the debugging information may have a longer
   name.  */
static const char *callgrind_short_file(struct graph *graph, const char *file) {
  char *text = escape(file);
  for (const char *at = text;; at++) {
    const char *known = find_interned_name(&graph->site_files, at);
    if (known != NULL)
      return known;
    at = strchr(at, '/');
    if (at == NULL)
      return text;
  }
}

/* Returns whether the source file of FUNCTION is known.  Readers of callgrind's format do not accept empty names.  */
static bool has_callgrind_file(const struct function *function) {
  return function->place.file != NULL && function->place.file[0] != 0;
}

/* Returns the source file of FUNCTION as call sites name it, or "???" if it is unknown.  It is looked up once for each
   function.  */
static const char *callgrind_file_of(struct graph *graph, const struct function *function) {
  const char **file = &graph->files[function->number];
  if (*file == NULL)
    *file = has_callgrind_file(function) ? callgrind_short_file(graph, function->place.file) : "???";
  return *file;
}

/* Prints KEY=(NUMBER) NAME for a source file, without the name if it has been printed before.  */
static void print_callgrind_file(struct graph *graph, const char *key, const char *file) {
  size_t known = graph->names.count;
  size_t number = interned_name_number(&graph->names, file);
  fprintf(graph->out, "%s=(%zu)%s%s\n", key, number + 1, number == known ? " " : "", number == known ? file : "");
}

/* Prints KEY=(NUMBER) NAME for FUNCTION, without the name if it has been printed before.  */
static void print_callgrind_function(struct graph *graph, const char *key, const struct function *function) {
  bool *named = &graph->named[function->number];
  fprintf(graph->out, "%s=(%u)%s%s\n", key, function->number + 1, *named ? "" : " ", *named ? "" : function->name);
  *named = true;
}

/* Prints a line of costs: the source line, and WORK and SPAN in nanoseconds or instructions, the metric of --metric
   first.  */
static void print_callgrind_costs(const struct graph *graph, uint32_t line, uint64_t work, uint64_t span) {
  uint64_t costs[] = {exported_cost(graph->model, work), exported_cost(graph->model, span)};
  bool span_first = graph->options->weight == WEIGHT_SPAN;
  fprintf(graph->out, "%u %llu %llu\n", line, (unsigned long long)costs[span_first],
          (unsigned long long)costs[!span_first]);
}

/* Prints the calls of SITE at LINE with their inclusive cost or, if SITE is a loop, the cost of the loop itself.  Calls
   inside a cycle have no cost.  */
static void print_callgrind_call(struct graph *graph, const struct site *site, uint32_t line) {
  const struct cilkprof_site *measured = site->measured;
  bool internal = site->caller->cycle == site->callee->cycle;
  if (is_model_loop_site(site)) {
    print_callgrind_costs(graph, line, measured->on_work.local.work, measured->on_span.local.span);
    return;
  }
  print_callgrind_file(graph, "cfi", callgrind_file_of(graph, site->callee));
  print_callgrind_function(graph, "cfn", site->callee);
  fprintf(graph->out, "calls=%llu %u\n", (unsigned long long)measured->on_work.local.count, site->callee->place.line);
  print_callgrind_costs(graph, line, internal ? 0 : measured->on_work.top_call_site.work,
                        internal ? 0 : measured->on_span.top_call_site.span);
}

/* Returns the line where FUNCTION begins or, if that is unknown, the first line of FILE with a call in it.  Its calls
   begin at index NEXT of the sorted sites. callgrind_annotate cannot read a file without lines.  */
static uint32_t callgrind_first_line(const struct graph *graph, const struct function *function, const char *file,
                                     size_t next) {
  uint32_t first = function->place.line;
  for (; function->place.line == 0 && next < graph->model->site_count; next++) {
    const struct site *site = graph->sites[next];
    if (site->caller != function)
      break;
    if (site->line > 0 && (first == 0 || site->line < first) && strcmp(site->file, file) == 0)
      first = site->line;
  }
  return first;
}

/* Prints FUNCTION and its calls, which begin at index *NEXT of the sorted sites, and advances *NEXT past them.  Calls
   that were inlined from another file are printed at the function's first line, because readers would split a function
   with code from two files.  */
static void print_callgrind_function_calls(struct graph *graph, const struct function *function, size_t *next) {
  const char *file = callgrind_file_of(graph, function);
  putc('\n', graph->out);
  print_callgrind_file(graph, "fl", file);
  print_callgrind_function(graph, "fn", function);
  uint32_t line = callgrind_first_line(graph, function, file, *next);
  print_callgrind_costs(graph, line, function->self, function->self_on_span);
  for (; *next < graph->model->site_count && graph->sites[*next]->caller == function; ++*next) {
    const struct site *site = graph->sites[*next];
    if (site->measured->on_work.local.count > 0)
      print_callgrind_call(graph, site, strcmp(site->file, file) == 0 ? site->line : line);
  }
}

/* Returns a number by which the call sites are sorted by caller; those without a caller come first.  */
static size_t callgrind_caller_number(const struct site *site) {
  return site->caller != NULL ? site->caller->number + 1 : 0;
}

/* Compares two call sites by caller, then by their order in the model, for qsort.  */
static int compare_callgrind_sites(const void *left, const void *right) {
  const struct site *a = *(const struct site *const *)left, *b = *(const struct site *const *)right;
  if (callgrind_caller_number(a) != callgrind_caller_number(b))
    return callgrind_caller_number(a) < callgrind_caller_number(b) ? -1 : 1;
  return a < b ? -1 : a > b;
}

/* Fills GRAPH with the call sites of the model, sorted by caller, and with their file names.  */
static void sort_callgrind_sites(struct graph *graph) {
  const struct model *model = graph->model;
  for (size_t i = 0; i < model->site_count; i++) {
    const struct site *site = &model->sites[i];
    graph->sites[i] = site;
    interned_name_text(&graph->site_files, site->file);
  }
  qsort(graph->sites, model->site_count, sizeof *graph->sites, compare_callgrind_sites);
}

/* Prints the header of the callgrind file: the command, the events Work and Span, and their totals.  */
static void print_callgrind_header(const struct graph *graph) {
  const struct cilkprof_totals *totals = &graph->model->totals;
  bool span_first = graph->options->weight == WEIGHT_SPAN;
  fputs("# callgrind format\nversion: 1\ncreator: cilkprof-report " CILKPROF_VERSION "\ncmd: ", graph->out);
  print_table_program_command(graph->out, &graph->model->program);
  fprintf(graph->out, "positions: line\nevent: Work : Work (%s)\nevent: Span : Span on the critical path (%s)\n",
          exported_cost_unit(graph->model), exported_cost_unit(graph->model));
  fprintf(graph->out, "events: %s\nsummary: ", span_first ? "Span Work" : "Work Span");
  uint64_t costs[] = {exported_cost(graph->model, model_run_work(graph->model)),
                      exported_cost(graph->model, totals->span)};
  fprintf(graph->out, "%llu %llu\n", (unsigned long long)costs[span_first], (unsigned long long)costs[!span_first]);
}

/* Prints the call graph in callgrind's format, from samples if these are what --metric asks for or all that there
   is.  */
void print_callgrind(FILE *out, struct model *model, const struct options *options) {
  if (export_shows_samples(model, options)) {
    print_callgrind_samples(out, model->samples, options->weight);
    return;
  }
  struct graph graph = {
      .out = out,
      .model = model,
      .options = options,
      .sites = allocate(model->site_count, sizeof *graph.sites),
      .known = exported_functions(model),
      .files = allocate(model->functions.count, sizeof *graph.files),
      .named = allocate(model->functions.count, sizeof *graph.named),
  };
  sort_callgrind_sites(&graph);
  print_callgrind_header(&graph);
  size_t next = 0;
  while (next < model->site_count && graph.sites[next]->caller == NULL)
    next++;
  for (size_t i = 0; i < model->functions.count; i++)
    if (function_has_table_row(model->functions.list[i], options) && graph.known[i] == model->functions.list[i])
      print_callgrind_function_calls(&graph, model->functions.list[i], &next);
  free(graph.sites);
  free(graph.known);
  free(graph.files);
  free(graph.named);
}
