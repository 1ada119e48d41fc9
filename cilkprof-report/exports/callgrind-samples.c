/* The call graph of a parallel run for callgrind_annotate and KCachegrind, from samples.
   SPDX-License-Identifier: GPL-3.0-or-later

   The self cost of a function is attributed to its first line, and a call has the inclusive cost of its callee.  A
   recursive call has no cost, for the reason that callgrind.c explains.  Samples do not tell how often a function was
   called, so a call is counted once for every call path that contains it.  */

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "cilkprof-report/exports/exports.h"
#include "cilkprof-report/samples/samples.h"
#include "cilkprof-report/support/support.h"
#include "cilkprof-report/tables/program.h"

/* All calls of CALLEE from LINE of CALLER.  */
struct call {
  const struct function *caller, *callee;
  uint32_t line;
  uint64_t count;
  struct waste waste;
};

struct sampled_graph {
  FILE *out;
  const struct samples *samples;
  enum waste_kind first; /* the first event, which other programs show by default */
  struct call *calls;    /* sorted by caller */
  size_t count, room;
  char folder[PATH_MAX]; /* the current one */
  struct names files;    /* files whose names have been printed */
  bool *named;           /* by number of the function: its name has been printed */
};

static bool is_call(const void *array, size_t place, const void *key) {
  const struct call *a = (const struct call *)array + place, *b = key;
  return a->caller == b->caller && a->callee == b->callee && a->line == b->line;
}

static int compare_calls(const void *left, const void *right) {
  const struct call *a = left, *b = right;
  if (a->caller != b->caller)
    return a->caller->number < b->caller->number ? -1 : 1;
  return a->line != b->line ? a->line < b->line ? -1 : 1 : a->callee->number < b->callee->number ? -1 : 1;
}

static const char *file_of(const struct function *function) {
  const char *file = function->place.file;
  return file != NULL && file[0] != 0 ? file : "???";
}

/* Returns the line of a call in CALLER.  If the call was inlined from another file, this is the first line of CALLER,
   because readers take all lines for lines of the caller's file.  */
static uint32_t line_of(const struct sample_context *context, const struct function *caller) {
  bool same = context->file != NULL && strcmp(context->file, file_of(caller)) == 0;
  return same ? context->line : caller->place.line;
}

/* Collects the calls of all contexts, sorted by caller.  */
static void list_calls(struct sampled_graph *graph) {
  const struct samples *samples = graph->samples;
  struct table table = {0};
  for (size_t i = 0; i < samples->count; i++) {
    const struct sample_context *context = &samples->contexts[i];
    if (context->parent == NO_CONTEXT)
      continue;
    struct call call = {.caller = samples->contexts[context->parent].function, .callee = context->function};
    call.line = line_of(context, call.caller);
    uint64_t hash = hash_add(hash_add(hash_add(0, (uintptr_t)call.caller), (uintptr_t)call.callee), call.line);
    size_t place = table_find(&table, hash, is_call, graph->calls, &call, graph->count);
    if (place == graph->count) {
      graph->calls = grow(graph->calls, graph->count, &graph->room, sizeof *graph->calls);
      graph->calls[graph->count++] = call;
    }
    graph->calls[place].count++;
    if (!context->nested)
      waste_add(&graph->calls[place].waste, &context->all);
  }
  table_forget(&table);
  if (graph->count > 0)
    qsort(graph->calls, graph->count, sizeof *graph->calls, compare_calls);
}

/* Returns the kind of event I.  GRAPH->first is event 0, the others follow in their order.  */
static enum waste_kind event_kind(const struct sampled_graph *graph, size_t i) {
  return (enum waste_kind)(i == 0 ? graph->first : i <= graph->first ? i - 1 : i);
}

static void print_costs(const struct sampled_graph *graph, const struct waste *waste) {
  for (size_t i = 0; i < WASTE_KINDS; i++)
    fprintf(graph->out, " %llu", (unsigned long long)waste->of[event_kind(graph, i)]);
  putc('\n', graph->out);
}

/* Prints KEY=(NUMBER) NAME, without the name if it has been printed before.  Not all readers look for relative names in
   the current folder, so the names of files there are printed without it.  */
static void print_file(struct sampled_graph *graph, const char *key, const char *file) {
  size_t length = strlen(graph->folder);
  bool here = length > 1 && strncmp(file, graph->folder, length) == 0 && file[length] == '/';
  char *text = escape(here ? file + length + 1 : file);
  size_t known = graph->files.count, number = name_number(&graph->files, text);
  fprintf(graph->out, "%s=(%zu)%s%s\n", key, number + 1, number == known ? " " : "", number == known ? text : "");
  free(text);
}

static void print_function(struct sampled_graph *graph, const char *key, const struct function *function) {
  bool *named = &graph->named[function->number];
  fprintf(graph->out, "%s=(%u)%s%s\n", key, function->number + 1, *named ? "" : " ", *named ? "" : function->name);
  *named = true;
}

static void print_header(const struct sampled_graph *graph) {
  static const char *const names[] = {"Work", "Idleness", "Overhead", "Waiting"};
  fputs("# callgrind format\nversion: 1\ncreator: cilkprof-report " CILKPROF_VERSION "\ncmd: ", graph->out);
  print_command(graph->out, &graph->samples->program);
  fputs("positions: line\n", graph->out);
  for (size_t i = 0; i < WASTE_KINDS; i++)
    fprintf(graph->out, "event: %s : %s of the parallel run (nanoseconds)\n", names[i], names[i]);
  fputs("events:", graph->out);
  for (size_t i = 0; i < WASTE_KINDS; i++)
    fprintf(graph->out, " %s", names[event_kind(graph, i)]);
  fputs("\nsummary:", graph->out);
  print_costs(graph, &graph->samples->total);
}

void print_callgrind_samples(FILE *out, const struct samples *samples, enum weight weight) {
  struct sampled_graph graph = {
      .out = out,
      .samples = samples,
      .first = weight >= WEIGHT_IDLENESS ? WASTE_IDLENESS + (weight - WEIGHT_IDLENESS) : WASTE_WORK,
      .named = allocate(samples->functions.count, sizeof *graph.named),
  };
  if (getcwd(graph.folder, sizeof graph.folder) == NULL)
    graph.folder[0] = 0;
  list_calls(&graph);
  print_header(&graph);
  for (size_t i = 0, next = 0; i < samples->functions.count; i++) {
    const struct function *function = samples->functions.list[i];
    if (samples->of_function[i].function == NULL)
      continue;
    putc('\n', out);
    print_file(&graph, "fl", file_of(function));
    print_function(&graph, "fn", function);
    fprintf(out, "%u", function->place.line);
    print_costs(&graph, &samples->of_function[i].own);
    for (; next < graph.count && graph.calls[next].caller == function; next++) {
      const struct call *call = &graph.calls[next];
      print_file(&graph, "cfi", file_of(call->callee));
      print_function(&graph, "cfn", call->callee);
      fprintf(out, "calls=%llu %u\n%u", (unsigned long long)call->count, call->callee->place.line, call->line);
      print_costs(&graph, &call->waste);
    }
  }
  free(graph.calls);
  free(graph.named);
}
