/* The call graph for callgrind_annotate and KCachegrind.
   SPDX-License-Identifier: GPL-3.0-or-later

   Functions have what they did themselves, calls what they did with all that they called: both are measured.  A reader
   of this format adds them up, so a call inside a cycle has no cost: it is part of the call that entered the cycle, and
   no function ever has more than the program.  For the same reason a loop is a line of the function that it is in: its
   calls are known as those of that function.  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/exports/exports.h"
#include "cilkprof-report/exports/stacks.h"
#include "cilkprof-report/tables/labels.h"
#include "cilkprof-report/tables/program.h"
#include "cilkprof-report/support/support.h"

struct graph {
  FILE *out;
  const struct model *model;
  const struct options *options;
  const struct site **sites; /* by caller */
  const struct function **known;
  const char **files;      /* of the functions, by their numbers */
  struct names site_files; /* as the sites name them */
  struct names names;      /* of the files that were printed: later their numbers serve */
  bool *named;             /* functions that were printed: the same */
};

/* The debugging information may have a longer name for a file than the descriptions of call sites.  */
static const char *shortened(struct graph *graph, const char *file) {
  char *text = escape(file);
  for (const char *at = text;; at++) {
    const char *known = name_find(&graph->site_files, at);
    if (known != NULL)
      return known;
    at = strchr(at, '/');
    if (at == NULL)
      return text;
  }
}

/* Readers of this format take no empty names.  */
static bool has_file(const struct function *function) {
  return function->place.file != NULL && function->place.file[0] != 0;
}

static const char *file_of(struct graph *graph, const struct function *function) {
  const char **file = &graph->files[function->number];
  if (*file == NULL)
    *file = has_file(function) ? shortened(graph, function->place.file) : "???";
  return *file;
}

/* KEY=(NUMBER) NAME, without the name where it is known.  */
static void print_file(struct graph *graph, const char *key, const char *file) {
  size_t known = graph->names.count;
  size_t number = name_number(&graph->names, file);
  fprintf(graph->out, "%s=(%zu)%s%s\n", key, number + 1, number == known ? " " : "", number == known ? file : "");
}

static void print_function(struct graph *graph, const char *key, const struct function *function) {
  bool *named = &graph->named[function->number];
  fprintf(graph->out, "%s=(%u)%s%s\n", key, function->number + 1, *named ? "" : " ", *named ? "" : function->name);
  *named = true;
}

static void print_costs(const struct graph *graph, uint32_t line, uint64_t work, uint64_t span) {
  uint64_t costs[] = {plain_cost(graph->model, work), plain_cost(graph->model, span)};
  bool span_first = graph->options->weight == WEIGHT_SPAN;
  fprintf(graph->out, "%u %llu %llu\n", line, (unsigned long long)costs[span_first],
          (unsigned long long)costs[!span_first]);
}

/* The calls that are made at LINE, or a loop there.  */
static void print_call(struct graph *graph, const struct site *site, uint32_t line) {
  const struct cilkprof_site *measured = site->measured;
  bool internal = site->caller->cycle == site->callee->cycle;
  if (site->kind == CILKPROF_SITE_LOOP) {
    print_costs(graph, line, measured->on_work.local.work, measured->on_span.local.span);
    return;
  }
  print_file(graph, "cfi", file_of(graph, site->callee));
  print_function(graph, "cfn", site->callee);
  fprintf(graph->out, "calls=%llu %u\n", (unsigned long long)measured->on_work.local.count, site->callee->place.line);
  print_costs(graph, line, internal ? 0 : measured->on_work.top_call_site.work,
              internal ? 0 : measured->on_span.top_call_site.span);
}

/* The first line that is known of FUNCTION, whose calls begin at NEXT of the sorted sites: its own, or that of a call.
   callgrind_annotate cannot read a file without any.  */
static uint32_t first_line(const struct graph *graph, const struct function *function, const char *file, size_t next) {
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

/* FUNCTION and its calls, which begin at *NEXT of the sorted sites.  What was inlined from another file counts as if it
   stood at the function's beginning: readers take a function with code of two files for two.  */
static void print_part(struct graph *graph, const struct function *function, size_t *next) {
  const char *file = file_of(graph, function);
  putc('\n', graph->out);
  print_file(graph, "fl", file);
  print_function(graph, "fn", function);
  uint32_t line = first_line(graph, function, file, *next);
  print_costs(graph, line, function->self, function->self_on_span);
  for (; *next < graph->model->site_count && graph->sites[*next]->caller == function; ++*next) {
    const struct site *site = graph->sites[*next];
    if (site->measured->on_work.local.count > 0)
      print_call(graph, site, strcmp(site->file, file) == 0 ? site->line : line);
  }
}

static size_t caller_number(const struct site *site) {
  return site->caller != NULL ? site->caller->number + 1 : 0;
}

static int compare_sites(const void *left, const void *right) {
  const struct site *a = *(const struct site *const *)left, *b = *(const struct site *const *)right;
  if (caller_number(a) != caller_number(b))
    return caller_number(a) < caller_number(b) ? -1 : 1;
  return a < b ? -1 : a > b;
}

static void sort_sites(struct graph *graph) {
  const struct model *model = graph->model;
  for (size_t i = 0; i < model->site_count; i++) {
    const struct site *site = &model->sites[i];
    graph->sites[i] = site;
    name_of(&graph->site_files, site->file);
  }
  qsort(graph->sites, model->site_count, sizeof *graph->sites, compare_sites);
}

static void print_header(const struct graph *graph) {
  const struct cilkprof_totals *totals = &graph->model->totals;
  bool span_first = graph->options->weight == WEIGHT_SPAN;
  fputs("# callgrind format\nversion: 1\ncreator: cilkprof-report " CILKPROF_VERSION "\ncmd: ", graph->out);
  print_command(graph->out, &graph->model->program);
  fprintf(graph->out, "positions: line\nevent: Work : Work (%s)\nevent: Span : Span on the critical path (%s)\n",
          plain_unit(graph->model), plain_unit(graph->model));
  fprintf(graph->out, "events: %s\nsummary: ", span_first ? "Span Work" : "Work Span");
  uint64_t costs[] = {plain_cost(graph->model, run_work(graph->model)), plain_cost(graph->model, totals->span)};
  fprintf(graph->out, "%llu %llu\n", (unsigned long long)costs[span_first], (unsigned long long)costs[!span_first]);
}

void print_callgrind(FILE *out, struct model *model, const struct options *options) {
  if (shows_samples(model, options)) {
    print_callgrind_samples(out, model->samples, options->weight);
    return;
  }
  struct graph graph = {
      .out = out,
      .model = model,
      .options = options,
      .sites = allocate(model->site_count, sizeof *graph.sites),
      .known = known_functions(model),
      .files = allocate(model->functions.count, sizeof *graph.files),
      .named = allocate(model->functions.count, sizeof *graph.named),
  };
  sort_sites(&graph);
  print_header(&graph);
  size_t next = 0;
  while (next < model->site_count && graph.sites[next]->caller == NULL)
    next++;
  for (size_t i = 0; i < model->functions.count; i++)
    if (function_is_listed(model->functions.list[i], options) && graph.known[i] == model->functions.list[i])
      print_part(&graph, model->functions.list[i], &next);
  free(graph.sites);
  free(graph.known);
  free(graph.files);
  free(graph.named);
}
