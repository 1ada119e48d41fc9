/* The data of a parallel run that the page shows, as JSON.  Times are in nanoseconds; arrays of times are in the order
   of enum waste_kind.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/analysis/headline.h"
#include "cilkprof-report/analysis/waste.h"
#include "cilkprof-report/html/html.h"
#include "cilkprof-report/model/annotations.h"
#include "cilkprof-report/model/library.h"
#include "cilkprof-report/support/json.h"
#include "cilkprof-report/support/support.h"

enum { MAX_CONTEXTS = 20000 }; /* limit for browsers */

/* Prints a member of the page's data on a parallel run that is a number, with a comma before it.  */
static void print_html_waste_member(FILE *out, const char *name, uint64_t value) {
  fprintf(out, ",\"%s\":%llu", name, (unsigned long long)value);
}

/* Prints the nanoseconds of each kind of time in WASTE, separated by commas, as elements of an array.  */
static void print_html_waste_times(FILE *out, const struct waste *waste) {
  for (size_t kind = 0; kind < WASTE_KINDS; kind++)
    fprintf(out, kind > 0 ? ",%llu" : "%llu", (unsigned long long)waste->of[kind]);
}

/* Prints the members of the page's data that describe the parallel run as a whole: how it was sampled, its times and
   the judgement.  */
static void print_html_waste_whole(FILE *out, const struct model *model) {
  const struct samples *samples = model->samples;
  const struct cilkprof_sampling *sampling = &samples->sampling;
  struct causes causes = find_causes(model);
  struct absence absence = divide_judged_absent_time(samples);
  char *headline = waste_headline(model, &causes);
  fprintf(out, "\"sampled\":\"%s\"", sampled_runtime_name(sampling));
  print_html_waste_member(out, "processors", sampling->processors);
  print_html_waste_member(out, "workers", sampling->workers);
  print_html_waste_member(out, "runs", sampling->runs);
  print_html_waste_member(out, "hz", sampling->hz);
  print_html_waste_member(out, "cpu", sampling->cpu_ns);
  print_html_waste_member(out, "samples", sampling->samples + sampling->idle_samples);
  print_html_waste_member(out, "elapsed", sampling->elapsed_ns);
  print_html_waste_member(out, "neither", judged_waste_absent_time(samples));
  if (absence.known) {
    print_html_waste_member(out, "blocked", absence.blocked);
    print_html_waste_member(out, "preempted", absence.preempted);
  }
  print_html_waste_member(out, "notUnwound", sample_waste_effort(&samples->not_unwound));
  print_html_waste_member(out, "flags", samples->program.flags);
  fprintf(out, ",\"brief\":\"%s\",\"advice\":", judge_waste(&samples->total, sampling->samples).brief);
  print_json_string(out, headline != NULL ? headline : "");
  fputs(",\"total\":[", out);
  print_html_waste_times(out, &samples->total);
  putc(']', out);
  free(headline);
  free(causes.rows);
}

/* Prints the member "functions" of the page's data on a parallel run, by number: for each the brief name, a judgement,
   and the full name if it differs.  */
static void print_html_waste_functions(FILE *out, const struct samples *samples) {
  fputs(",\n\"functions\":[", out);
  for (size_t i = 0; i < samples->functions.count; i++) {
    const struct function *function = samples->functions.list[i];
    fputs(i > 0 ? ",\n[" : "\n[", out);
    print_json_string(out, function->brief_name);
    fprintf(out, ",\"%s\"", judge_waste(&samples->of_function[i].all, samples->of_function[i].samples).brief);
    if (strcmp(function->brief_name, function->name) != 0) {
      putc(',', out);
      print_json_string(out, function->name);
    }
    putc(']', out);
  }
  putc(']', out);
}

/* Compares two efforts, the larger first, for qsort.  */
static int compare_html_efforts(const void *left, const void *right) {
  uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return a > b ? -1 : a < b;
}

/* Returns the effort, in nanoseconds, that a context of a parallel run must have to be shown on the page, so that there
   are not too many.  The callers of such a context have at least the same effort.  */
static uint64_t least_html_effort(const struct samples *samples) {
  if (samples->count <= MAX_CONTEXTS)
    return 0;
  uint64_t *efforts = allocate(samples->count, sizeof *efforts);
  for (size_t i = 0; i < samples->count; i++)
    efforts[i] = sample_waste_effort(&samples->contexts[i].all);
  qsort(efforts, samples->count, sizeof *efforts, compare_html_efforts);
  uint64_t least = efforts[MAX_CONTEXTS - 1] + 1;
  free(efforts);
  return least;
}

/* Prints the member "contexts" of the page's data on a parallel run: each as an array of parent, function, file, line,
   exclusive times and inclusive times.  Contexts with little effort are left out if there are too many.  */
static void print_html_waste_contexts(FILE *out, const struct samples *samples) {
  uint32_t *place = allocate(samples->count, sizeof *place), count = 0;
  uint64_t least = least_html_effort(samples);
  struct names files = {0};
  fputs(",\n\"contexts\":[", out);
  for (size_t i = 0; i < samples->count; i++) {
    const struct sample_context *context = &samples->contexts[i];
    if (sample_waste_effort(&context->all) < least)
      continue;
    fprintf(out, "%s[%lld,%u,%lld,%u,", count > 0 ? ",\n" : "\n",
            context->parent != NO_CONTEXT ? (long long)place[context->parent] : -1, context->function->number,
            context->file != NULL ? (long long)interned_name_number(&files, context->file) : -1, context->line);
    print_html_waste_times(out, &context->own);
    putc(',', out);
    print_html_waste_times(out, &context->all);
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

/* Prints the member "causes" of the page's data: why functions with at least one percent of the effort were slow in the
   parallel run.  */
static void print_html_waste_causes(FILE *out, const struct model *model) {
  struct causes causes = find_causes(model);
  fputs(",\n\"causes\":[", out);
  const char *comma = "\n";
  for (size_t i = 0; i < causes.count; i++) {
    const struct cause_row *row = &causes.rows[i];
    if (100 * sample_waste_effort(&row->own) < sample_waste_effort(&model->samples->total))
      continue;
    fprintf(out, "%s[", comma);
    print_json_string(out, row->name);
    fprintf(out, ",%llu,%.6g,%.6g,\"%s\",", (unsigned long long)(row->measured ? row->measured->self_on_span : 0),
            row->measured != NULL ? cause_own_parallelism(row->measured) : 0, cause_row_inflation(row),
            cause_name(row->cause));
    print_html_waste_times(out, &row->own);
    putc(']', out);
    comma = ",\n";
  }
  putc(']', out);
  free(causes.rows);
}

/* Prints a source file as an object of the page's data, with the times of its lines, which are those from FIRST to
   before END.  */
static void print_html_waste_source(FILE *out, const struct sample_line *first, const struct sample_line *end,
                                    const struct file *file) {
  fputs("{\"file\":", out);
  print_json_string(out, first->file);
  fputs(",\"notes\":[", out);
  for (const struct sample_line *line = first; line < end; line++) {
    fprintf(out, "%s[%u,", line > first ? "," : "", line->line);
    print_html_waste_times(out, &line->own);
    putc(']', out);
  }
  putc(']', out);
  html_print_lines(out, file->bytes, file->size);
  putc('}', out);
}

/* Prints the members "sources" and "missing" of the page's data on a parallel run: the user's source files, and which
   of them are not there, and why.  */
static void print_html_waste_sources(FILE *out, const struct model *model, const struct options *options) {
  const struct samples *samples = model->samples;
  const struct sample_line *lines = samples->lines, *all = lines + samples->line_count;
  struct html_sources sources = {0};
  fputs(",\n\"sources\":[", out);
  for (const struct sample_line *first = lines, *end; first < all; first = end) {
    for (end = first; end < all && end->file == first->file; end++)
      ;
    struct file file;
    if (is_system_source_file(first->file) ||
        !html_take_source(&sources, &model->functions, first->file, options, &file))
      continue;
    fputs(sources.taken > 1 ? ",\n" : "\n", out);
    print_html_waste_source(out, first, end, &file);
    free(file.bytes);
  }
  putc(']', out);
  html_print_missing_sources(out, &sources);
}

/* Prints the member "waste" of the page's data, for samples of a parallel run.  */
void html_print_waste(FILE *out, const struct model *model, const struct options *options) {
  const struct samples *samples = model->samples;
  fputs(",\n\"waste\":{", out);
  print_html_waste_whole(out, model);
  print_html_waste_functions(out, samples);
  print_html_waste_contexts(out, samples);
  if (samples->timeline.bucket_ns > 0)
    print_json_timeline(out, &samples->timeline);
  if (samples->thread_count > 0)
    html_print_slices(out, samples);
  html_print_efficiency(out, samples);
  html_print_inflation(out, samples);
  if (are_causes_known(model))
    print_html_waste_causes(out, model);
  print_html_waste_sources(out, model, options);
  putc('}', out);
}
