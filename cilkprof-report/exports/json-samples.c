/* The samples of a parallel run as JSON: the whole program, its functions and its contexts, in nanoseconds.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include "cilkprof-report/analysis/headline.h"
#include "cilkprof-report/analysis/waste.h"
#include "cilkprof-report/exports/exports.h"
#include "cilkprof-report/exports/json-members.h"
#include "cilkprof-report/support/json.h"

/* Prints a member of a JSON object that is an object itself: the nanoseconds of each kind of time in WASTE.  */
static void print_json_times(FILE *out, const char *name, const struct waste *waste) {
  fprintf(out, ",\"%s\":{", name);
  for (enum waste_kind kind = 0; kind < WASTE_KINDS; kind++)
    fprintf(out, "%s\"%s\":%llu", kind > 0 ? "," : "", sample_waste_name(kind), (unsigned long long)waste->of[kind]);
  putc('}', out);
}

/* Prints the members that describe how the parallel run was sampled, the first of a JSON object.  */
static void print_json_sampling(FILE *out, const struct samples *samples) {
  const struct cilkprof_sampling *sampling = &samples->sampling;
  const char *sampled = sampling->sampled == CILKPROF_SAMPLED_OPENMP ? "openmp"
                        : sampling->sampled == CILKPROF_SAMPLED_TBB  ? "tbb"
                                                                     : "cilk";
  fprintf(out, "\"sampled\":\"%s\",\"clock\":\"%s\"", sampled,
          sampling->clock == CILKPROF_SAMPLING_PERF ? "perf" : "timer");
  print_json_text(out, "runtime", samples->runtime);
  print_json_text(out, "in_place_of", samples->replaced);
  print_json_number(out, "processors", sampling->processors);
  print_json_number(out, "workers", sampling->workers);
  print_json_number(out, "threads", sampling->threads);
  print_json_number(out, "hz", sampling->hz);
  print_json_number(out, "runs", sampling->runs);
  print_json_number(out, "elapsed_ns", sampling->elapsed_ns);
  print_json_number(out, "cpu_ns", sampling->cpu_ns);
  print_json_number(out, "samples", sampling->samples);
  print_json_number(out, "idle_samples", sampling->idle_samples);
  print_json_number(out, "lost_samples", sampling->lost_samples);
}

/* Prints the member "functions": the sampled functions with their times and the judgement of each, those with most
   waste first.  */
static void print_json_functions(FILE *out, const struct samples *samples) {
  fputs(",\n\"functions\":[", out);
  for (size_t i = 0; i < samples->function_count; i++) {
    const struct sample_function *of = samples->by_waste[i];
    fprintf(out, "%s{\"judgement\":\"%s\"", i > 0 ? ",\n" : "\n", judge_waste(&of->all, of->samples).code);
    print_json_text(out, "function", of->function->name);
    print_json_text(out, "file", of->function->place.file);
    print_json_number(out, "line", of->function->place.line);
    print_json_times(out, "own", &of->own);
    print_json_times(out, "all", &of->all);
    putc('}', out);
  }
  putc(']', out);
}

/* Prints the member "contexts": the sampled calling contexts, each with the index of its parent, or null, and its
   times.  */
static void print_json_contexts(FILE *out, const struct samples *samples) {
  fputs(",\n\"contexts\":[", out);
  for (size_t i = 0; i < samples->count; i++) {
    const struct sample_context *context = &samples->contexts[i];
    fputs(i > 0 ? ",\n{\"parent\":" : "\n{\"parent\":", out);
    if (context->parent == NO_CONTEXT)
      fputs("null", out);
    else
      fprintf(out, "%u", context->parent);
    print_json_text(out, "function", context->function->name);
    print_json_text(out, "file", context->file);
    print_json_number(out, "line", context->line);
    print_json_number(out, "samples", context->samples);
    print_json_times(out, "own", &context->own);
    print_json_times(out, "all", &context->all);
    putc('}', out);
  }
  putc(']', out);
}

/* Prints the member "causes": for each function why it was slow in the parallel run, and what that is derived from.  */
static void print_json_causes(FILE *out, const struct model *model) {
  struct causes causes = find_causes(model);
  fputs(",\n\"causes\":[", out);
  for (size_t i = 0; i < causes.count; i++) {
    const struct cause_row *row = &causes.rows[i];
    fprintf(out, "%s{\"cause\":\"%s\"", i > 0 ? ",\n" : "\n",
            row->cause == CAUSE_NONE ? "none" : cause_name(row->cause));
    print_json_text(out, "function", row->name);
    print_json_number(out, "self_on_span", row->measured != NULL ? row->measured->self_on_span : 0);
    fprintf(out, ",\"parallelism\":%.10g,\"times\":%.10g",
            row->measured != NULL ? cause_own_parallelism(row->measured) : 0, cause_row_inflation(row));
    print_json_times(out, "own", &row->own);
    putc('}', out);
  }
  putc(']', out);
}

/* Prints the members "blocked" and "preempted": how the time that is neither divides, null if that is not known.  */
static void print_json_absence(FILE *out, const struct samples *samples) {
  struct absence absence = divide_judged_absent_time(samples);
  if (!absence.known) {
    fputs(",\"blocked\":null,\"preempted\":null", out);
    return;
  }
  print_json_number(out, "blocked", absence.blocked);
  print_json_number(out, "preempted", absence.preempted);
}

/* Prints the members "headline", null if little was lost, "share_error" in percent, and "losses": the nanoseconds that
   each cause lost, and the function to blame.  */
static void print_json_losses(FILE *out, const struct model *model) {
  struct causes causes = find_causes(model);
  char *headline = waste_headline(model, &causes);
  print_json_text(out, "headline", headline);
  fprintf(out, ",\"share_error\":%.4g,\"losses\":{", judged_waste_share_error(model->samples));
  for (enum cause cause = CAUSE_NONE + 1; cause < CAUSES; cause++) {
    const struct function *function = cause_culprit(&causes, cause);
    fprintf(out, "%s\"%s\":{\"ns\":%.0f", cause > CAUSE_NONE + 1 ? "," : "", cause_name(cause),
            cause_loss(&causes, cause));
    print_json_text(out, "function", function != NULL ? function->name : NULL);
    print_json_text(out, "file", function != NULL ? function->place.file : NULL);
    print_json_number(out, "line", function != NULL ? function->place.line : 0);
    putc('}', out);
  }
  putc('}', out);
  free(headline);
  free(causes.rows);
}

/* Prints the samples of a parallel run as a JSON object, the member "waste" of the JSON export.  */
void print_json_samples(FILE *out, const struct model *model) {
  const struct samples *samples = model->samples;
  putc('{', out);
  print_json_sampling(out, samples);
  print_json_times(out, "total", &samples->total);
  print_json_times(out, "not_unwound", &samples->not_unwound);
  print_json_times(out, "orphans", &samples->orphans);
  print_json_number(out, "neither", judged_waste_absent_time(samples));
  print_json_absence(out, samples);
  print_json_losses(out, model);
  print_json_efficiency(out, samples);
  print_json_inflation(out, samples);
  print_json_text(out, "judgement", judge_waste(&samples->total, samples->sampling.samples).code);
  print_json_functions(out, samples);
  print_json_contexts(out, samples);
  if (samples->timeline.bucket_ns > 0)
    print_json_timeline(out, &samples->timeline);
  if (are_causes_known(model))
    print_json_causes(out, model);
  putc('}', out);
}
