/* The data of a parallel run that the page shows, as JSON.  Times are in nanoseconds; arrays of times are in the order
   of enum waste_kind.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/analysis/causes.h"
#include "cilkprof-report/analysis/waste.h"
#include "cilkprof-report/html/html.h"
#include "cilkprof-report/model/annotations.h"
#include "cilkprof-report/model/library.h"
#include "cilkprof-report/support/json.h"
#include "cilkprof-report/support/support.h"

enum { MOST_CONTEXTS = 20000, MOST_SOURCE = 4 << 20 }; /* limits for browsers */

static void print_member(FILE *out, const char *name, uint64_t value) {
  fprintf(out, ",\"%s\":%llu", name, (unsigned long long)value);
}

static void print_times(FILE *out, const struct waste *waste) {
  for (size_t kind = 0; kind < WASTE_KINDS; kind++)
    fprintf(out, kind > 0 ? ",%llu" : "%llu", (unsigned long long)waste->of[kind]);
}

static void print_whole(FILE *out, const struct samples *samples) {
  const struct cilkprof_sampling *sampling = &samples->sampling;
  struct judgement judgement = judge(&samples->total);
  fprintf(out, "\"sampled\":\"%s\"", sampling->sampled == CILKPROF_SAMPLED_OPENMP ? "OpenMP" : "Cilk");
  print_member(out, "processors", sampling->processors);
  print_member(out, "workers", sampling->workers);
  print_member(out, "runs", sampling->runs);
  print_member(out, "hz", sampling->hz);
  print_member(out, "cpu", sampling->cpu_ns);
  print_member(out, "samples", sampling->samples + sampling->idle_samples);
  print_member(out, "elapsed", sampling->elapsed_ns);
  print_member(out, "neither", waste_neither(samples));
  print_member(out, "notUnwound", waste_effort(&samples->not_unwound));
  print_member(out, "flags", samples->program.flags);
  fprintf(out, ",\"brief\":\"%s\",\"advice\":\"%s\",\"total\":[", judgement.brief, judgement.advice);
  print_times(out, &samples->total);
  putc(']', out);
}

/* Prints the functions by number: for each the brief name, a judgement, and the full name if it differs.  */
static void print_functions(FILE *out, const struct samples *samples) {
  fputs(",\n\"functions\":[", out);
  for (size_t i = 0; i < samples->functions.count; i++) {
    const struct function *function = samples->functions.list[i];
    fputs(i > 0 ? ",\n[" : "\n[", out);
    print_json_string(out, function->brief_name);
    fprintf(out, ",\"%s\"", judge(&samples->of_function[i].all).brief);
    if (strcmp(function->brief_name, function->name) != 0) {
      putc(',', out);
      print_json_string(out, function->name);
    }
    putc(']', out);
  }
  putc(']', out);
}

static int compare_efforts(const void *left, const void *right) {
  uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return a > b ? -1 : a < b;
}

/* Returns the effort that a context must have to be shown.  Its callers have at least the same effort.  */
static uint64_t least_effort(const struct samples *samples) {
  if (samples->count <= MOST_CONTEXTS)
    return 0;
  uint64_t *efforts = allocate(samples->count, sizeof *efforts);
  for (size_t i = 0; i < samples->count; i++)
    efforts[i] = waste_effort(&samples->contexts[i].all);
  qsort(efforts, samples->count, sizeof *efforts, compare_efforts);
  uint64_t least = efforts[MOST_CONTEXTS - 1] + 1;
  free(efforts);
  return least;
}

/* Prints each context as an array: parent, function, file, line, exclusive times, inclusive times.  */
static void print_contexts(FILE *out, const struct samples *samples) {
  uint32_t *place = allocate(samples->count, sizeof *place), count = 0;
  uint64_t least = least_effort(samples);
  struct names files = {0};
  fputs(",\n\"contexts\":[", out);
  for (size_t i = 0; i < samples->count; i++) {
    const struct sample_context *context = &samples->contexts[i];
    if (waste_effort(&context->all) < least)
      continue;
    fprintf(out, "%s[%lld,%u,%lld,%u,", count > 0 ? ",\n" : "\n",
            context->parent != NO_CONTEXT ? (long long)place[context->parent] : -1, context->function->number,
            context->file != NULL ? (long long)name_number(&files, context->file) : -1, context->line);
    print_times(out, &context->own);
    putc(',', out);
    print_times(out, &context->all);
    putc(']', out);
    place[i] = count++;
  }
  fprintf(out, "],\"contextsLeftOut\":%zu,\"files\":[", samples->count - count);
  for (size_t i = 0; i < files.count; i++) {
    fputs(i > 0 ? "," : "", out);
    print_json_string(out, files.strings[i]);
  }
  putc(']', out);
  free(place);
}

static void print_causes(FILE *out, const struct model *model) {
  struct causes causes = causes_find(model);
  fputs(",\n\"causes\":[", out);
  const char *comma = "\n";
  for (size_t i = 0; i < causes.count; i++) {
    const struct cause_row *row = &causes.rows[i];
    if (100 * waste_effort(&row->own) < waste_effort(&model->samples->total))
      continue;
    fprintf(out, "%s[", comma);
    print_json_string(out, row->name);
    fprintf(out, ",%llu,%.6g,%.6g,\"%s\",", (unsigned long long)(row->measured ? row->measured->self_on_span : 0),
            row->measured != NULL ? own_parallelism(row->measured) : 0, row_inflation(row), cause_name(row->cause));
    print_times(out, &row->own);
    putc(']', out);
    comma = ",\n";
  }
  putc(']', out);
  free(causes.rows);
}

/* Prints a source file with the times of its lines, which are those from FIRST to before END.  */
static void print_source(FILE *out, const struct sample_line *first, const struct sample_line *end,
                         const struct file *file) {
  fputs("{\"file\":", out);
  print_json_string(out, first->file);
  fputs(",\"notes\":[", out);
  for (const struct sample_line *line = first; line < end; line++) {
    fprintf(out, "%s[%u,", line > first ? "," : "", line->line);
    print_times(out, &line->own);
    putc(']', out);
  }
  putc(']', out);
  html_print_lines(out, file->bytes, file->size);
  putc('}', out);
}

static void print_sources(FILE *out, const struct model *model, const struct options *options) {
  const struct samples *samples = model->samples;
  const struct sample_line *lines = samples->lines, *all = lines + samples->line_count;
  const char *comma = "\n";
  size_t room = MOST_SOURCE;
  fputs(",\n\"sources\":[", out);
  for (const struct sample_line *first = lines, *end; first < all; first = end) {
    for (end = first; end < all && end->file == first->file; end++)
      ;
    char *path = is_system_file(first->file) ? NULL : source_find(&model->functions, first->file, options);
    struct file file = {NULL, 0};
    if (path != NULL)
      file = file_read(path);
    if (path != NULL && file.size <= room) {
      room -= file.size;
      fputs(comma, out);
      print_source(out, first, end, &file);
      comma = ",\n";
    }
    free(file.bytes);
    free(path);
  }
  putc(']', out);
}

void html_print_waste(FILE *out, const struct model *model, const struct options *options) {
  const struct samples *samples = model->samples;
  fputs(",\n\"waste\":{", out);
  print_whole(out, samples);
  print_functions(out, samples);
  print_contexts(out, samples);
  if (samples->timeline.bucket_ns > 0)
    print_json_timeline(out, &samples->timeline);
  if (causes_are_known(model))
    print_causes(out, model);
  print_sources(out, model, options);
  putc('}', out);
}
