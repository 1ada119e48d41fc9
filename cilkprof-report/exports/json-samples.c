/* The samples of a parallel run as JSON: the whole program, its functions and its contexts, in nanoseconds.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "cilkprof-report/analysis/causes.h"
#include "cilkprof-report/analysis/waste.h"
#include "cilkprof-report/exports/exports.h"
#include "cilkprof-report/support/json.h"

static void print_number(FILE *out, const char *name, uint64_t value) {
  fprintf(out, ",\"%s\":%llu", name, (unsigned long long)value);
}

static void print_text(FILE *out, const char *name, const char *text) {
  fprintf(out, ",\"%s\":", name);
  if (text != NULL)
    print_json_string(out, text);
  else
    fputs("null", out);
}

static void print_times(FILE *out, const char *name, const struct waste *waste) {
  fprintf(out, ",\"%s\":{", name);
  for (enum waste_kind kind = 0; kind < WASTE_KINDS; kind++)
    fprintf(out, "%s\"%s\":%llu", kind > 0 ? "," : "", waste_name(kind), (unsigned long long)waste->of[kind]);
  putc('}', out);
}

static void print_sampling(FILE *out, const struct samples *samples) {
  const struct cilkprof_sampling *sampling = &samples->sampling;
  fprintf(out, "\"sampled\":\"%s\",\"clock\":\"%s\"", sampling->sampled == CILKPROF_SAMPLED_OPENMP ? "openmp" : "cilk",
          sampling->clock == CILKPROF_SAMPLING_PERF ? "perf" : "timer");
  print_number(out, "processors", sampling->processors);
  print_number(out, "workers", sampling->workers);
  print_number(out, "threads", sampling->threads);
  print_number(out, "hz", sampling->hz);
  print_number(out, "runs", sampling->runs);
  print_number(out, "elapsed_ns", sampling->elapsed_ns);
  print_number(out, "cpu_ns", sampling->cpu_ns);
  print_number(out, "samples", sampling->samples);
  print_number(out, "idle_samples", sampling->idle_samples);
  print_number(out, "lost_samples", sampling->lost_samples);
}

static void print_functions(FILE *out, const struct samples *samples) {
  fputs(",\n\"functions\":[", out);
  for (size_t i = 0; i < samples->function_count; i++) {
    const struct sample_function *of = samples->by_waste[i];
    fprintf(out, "%s{\"judgement\":\"%s\"", i > 0 ? ",\n" : "\n", judge(&of->all).brief);
    print_text(out, "function", of->function->name);
    print_text(out, "file", of->function->place.file);
    print_number(out, "line", of->function->place.line);
    print_times(out, "own", &of->own);
    print_times(out, "all", &of->all);
    putc('}', out);
  }
  putc(']', out);
}

static void print_contexts(FILE *out, const struct samples *samples) {
  fputs(",\n\"contexts\":[", out);
  for (size_t i = 0; i < samples->count; i++) {
    const struct sample_context *context = &samples->contexts[i];
    fputs(i > 0 ? ",\n{\"parent\":" : "\n{\"parent\":", out);
    if (context->parent == NO_CONTEXT)
      fputs("null", out);
    else
      fprintf(out, "%u", context->parent);
    print_text(out, "function", context->function->name);
    print_text(out, "file", context->file);
    print_number(out, "line", context->line);
    print_number(out, "samples", context->samples);
    print_times(out, "own", &context->own);
    print_times(out, "all", &context->all);
    putc('}', out);
  }
  putc(']', out);
}

static void print_causes(FILE *out, const struct model *model) {
  struct causes causes = causes_find(model);
  fputs(",\n\"causes\":[", out);
  for (size_t i = 0; i < causes.count; i++) {
    const struct cause_row *row = &causes.rows[i];
    fprintf(out, "%s{\"cause\":\"%s\"", i > 0 ? ",\n" : "\n",
            row->cause == CAUSE_NONE ? "none" : cause_name(row->cause));
    print_text(out, "function", row->name);
    print_number(out, "self_on_span", row->measured != NULL ? row->measured->self_on_span : 0);
    fprintf(out, ",\"parallelism\":%.10g,\"times\":%.10g", row->measured != NULL ? own_parallelism(row->measured) : 0,
            row_inflation(row));
    print_times(out, "own", &row->own);
    putc('}', out);
  }
  putc(']', out);
}

void print_json_samples(FILE *out, const struct model *model) {
  const struct samples *samples = model->samples;
  putc('{', out);
  print_sampling(out, samples);
  print_times(out, "total", &samples->total);
  print_times(out, "not_unwound", &samples->not_unwound);
  print_times(out, "orphans", &samples->orphans);
  print_number(out, "neither", waste_neither(samples));
  print_text(out, "judgement", judge(&samples->total).brief);
  print_functions(out, samples);
  print_contexts(out, samples);
  if (samples->timeline.bucket_ns > 0)
    print_json_timeline(out, &samples->timeline);
  if (causes_are_known(model))
    print_causes(out, model);
  putc('}', out);
}
