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
#include "version.h"

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

/* Returns whether the call at index PLACE of ARRAY has the caller, callee and line of the call KEY.  For
   hash_table_find.  */
static bool is_same_callgrind_call(const void *array, size_t place, const void *key) {
  const struct call *a = (const struct call *)array + place, *b = key;
  return a->caller == b->caller && a->callee == b->callee && a->line == b->line;
}

/* Compares two sampled calls by caller, then by line, then by callee, for qsort.  */
static int compare_callgrind_calls(const void *left, const void *right) {
  const struct call *a = left, *b = right;
  if (a->caller != b->caller)
    return a->caller->number < b->caller->number ? -1 : 1;
  return a->line != b->line ? a->line < b->line ? -1 : 1 : a->callee->number < b->callee->number ? -1 : 1;
}

/* Returns the source file of FUNCTION, or "???", callgrind's name for an unknown one.  */
static const char *callgrind_file_of(const struct function *function) {
  const char *file = function->place.file;
  return file != NULL && file[0] != 0 ? file : "???";
}

/* Returns the line of the call of CONTEXT in CALLER.  If the call was inlined from another file, this is the first line
   of CALLER, because readers take all lines for lines of the caller's file.  */
static uint32_t callgrind_call_line(const struct sample_context *context, const struct function *caller) {
  bool same = context->file != NULL && strcmp(context->file, callgrind_file_of(caller)) == 0;
  return same ? context->line : caller->place.line;
}

/* Collects the calls of all sampled contexts in GRAPH, those with the same caller, callee and line as one, sorted by
   caller.  */
static void list_callgrind_calls(struct sampled_graph *graph) {
  const struct samples *samples = graph->samples;
  struct table table = {0};
  for (size_t i = 0; i < samples->count; i++) {
    const struct sample_context *context = &samples->contexts[i];
    if (context->parent == NO_CONTEXT)
      continue;
    struct call call = {.caller = samples->contexts[context->parent].function, .callee = context->function};
    call.line = callgrind_call_line(context, call.caller);
    uint64_t hash = hash_add(hash_add(hash_add(0, (uintptr_t)call.caller), (uintptr_t)call.callee), call.line);
    size_t place = hash_table_find(&table, hash, is_same_callgrind_call, graph->calls, &call, graph->count);
    if (place == graph->count) {
      graph->calls = grow_array(graph->calls, graph->count, &graph->room, sizeof *graph->calls);
      graph->calls[graph->count++] = call;
    }
    graph->calls[place].count++;
    if (!context->nested)
      sample_waste_add(&graph->calls[place].waste, &context->all);
  }
  hash_table_free(&table);
  if (graph->count > 0)
    qsort(graph->calls, graph->count, sizeof *graph->calls, compare_callgrind_calls);
}

/* Returns the kind of time that callgrind's event number I is.  The first event of GRAPH is number 0, the others follow
   in their order.  */
static enum waste_kind callgrind_event_kind(const struct sampled_graph *graph, size_t i) {
  return (enum waste_kind)(i == 0 ? graph->first : i <= graph->first ? i - 1 : i);
}

/* Prints the times in WASTE, in nanoseconds and in the order of the events, and a newline.  */
static void print_callgrind_costs(const struct sampled_graph *graph, const struct waste *waste) {
  for (size_t i = 0; i < WASTE_KINDS; i++)
    fprintf(graph->out, " %llu", (unsigned long long)waste->of[callgrind_event_kind(graph, i)]);
  putc('\n', graph->out);
}

/* Prints KEY=(NUMBER) NAME for a source file, without the name if it has been printed before.  Not all readers look for
   relative names in the current folder, so the names of files there are printed without it.  */
static void print_callgrind_file(struct sampled_graph *graph, const char *key, const char *file) {
  size_t length = strlen(graph->folder);
  bool here = length > 1 && strncmp(file, graph->folder, length) == 0 && file[length] == '/';
  char *text = escape(here ? file + length + 1 : file);
  size_t known = graph->files.count, number = interned_name_number(&graph->files, text);
  fprintf(graph->out, "%s=(%zu)%s%s\n", key, number + 1, number == known ? " " : "", number == known ? text : "");
  free(text);
}

/* Prints KEY=(NUMBER) NAME for FUNCTION, without the name if it has been printed before.  */
static void print_callgrind_function(struct sampled_graph *graph, const char *key, const struct function *function) {
  bool *named = &graph->named[function->number];
  fprintf(graph->out, "%s=(%u)%s%s\n", key, function->number + 1, *named ? "" : " ", *named ? "" : function->name);
  *named = true;
}

/* Prints the header of the callgrind file: the command, the events and their totals.  */
static void print_callgrind_header(const struct sampled_graph *graph) {
  static const char *const names[] = {"Work", "Idleness", "Overhead", "Waiting"};
  fputs("# callgrind format\nversion: 1\ncreator: cilkprof-report " CILKPROF_VERSION "\ncmd: ", graph->out);
  print_table_program_command(graph->out, &graph->samples->program);
  fputs("positions: line\n", graph->out);
  for (size_t i = 0; i < WASTE_KINDS; i++)
    fprintf(graph->out, "event: %s : %s of the parallel run (nanoseconds)\n", names[i], names[i]);
  fputs("events:", graph->out);
  for (size_t i = 0; i < WASTE_KINDS; i++)
    fprintf(graph->out, " %s", names[callgrind_event_kind(graph, i)]);
  fputs("\nsummary:", graph->out);
  print_callgrind_costs(graph, &graph->samples->total);
}

/* Prints the samples of a parallel run in callgrind's format.  The event of WEIGHT comes first, because readers show
   that one by default.  */
void print_callgrind_samples(FILE *out, const struct samples *samples, enum weight weight) {
  struct sampled_graph graph = {
      .out = out,
      .samples = samples,
      .first = weight >= WEIGHT_IDLENESS ? WASTE_IDLENESS + (weight - WEIGHT_IDLENESS) : WASTE_WORK,
      .named = allocate(samples->functions.count, sizeof *graph.named),
  };
  if (getcwd(graph.folder, sizeof graph.folder) == NULL)
    graph.folder[0] = 0;
  list_callgrind_calls(&graph);
  print_callgrind_header(&graph);
  for (size_t i = 0, next = 0; i < samples->functions.count; i++) {
    const struct function *function = samples->functions.list[i];
    if (samples->of_function[i].function == NULL)
      continue;
    putc('\n', out);
    print_callgrind_file(&graph, "fl", callgrind_file_of(function));
    print_callgrind_function(&graph, "fn", function);
    fprintf(out, "%u", function->place.line);
    print_callgrind_costs(&graph, &samples->of_function[i].own);
    for (; next < graph.count && graph.calls[next].caller == function; next++) {
      const struct call *call = &graph.calls[next];
      print_callgrind_file(&graph, "cfi", callgrind_file_of(call->callee));
      print_callgrind_function(&graph, "cfn", call->callee);
      fprintf(out, "calls=%llu %u\n%u", (unsigned long long)call->count, call->callee->place.line, call->line);
      print_callgrind_costs(&graph, &call->waste);
    }
  }
  free(graph.calls);
  free(graph.named);
}
