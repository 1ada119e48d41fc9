/* All data of a run as JSON: the verdict, the columns of the CSV for every call site, region and what-if, and the
   calling contexts.
   SPDX-License-Identifier: GPL-3.0-or-later

   Every object is on a line of its own.  The names of columns and other keys must not change, as other programs read
   them.  */

#include <math.h>
#include <stdlib.h>
#include "cilkprof-report/analysis/bounds.h"
#include "cilkprof-report/analysis/timing.h"
#include "cilkprof-report/analysis/verdict.h"
#include "cilkprof-report/analysis/whatif.h"
#include "cilkprof-report/exports/exports.h"
#include "cilkprof-report/exports/json-members.h"
#include "cilkprof-report/support/json.h"
#include "cilkprof-report/tables/columns.h"
#include "cilkprof-report/tables/labels.h"
#include "cilkprof-report/tables/trial-values.h"

/* Prints COUNT strings as the elements of a JSON array, without its brackets.  */
static void print_json_strings(FILE *out, const char *const *strings, size_t count) {
  for (size_t i = 0; i < count; i++) {
    fputs(i > 0 ? "," : "", out);
    print_json_string(out, strings[i]);
  }
}

/* Returns how a profile was measured in one word, as the member "mode" has it.  */
static const char *json_mode_name(enum cilkprof_mode mode) {
  static const char *const names[] = {[CILKPROF_MODE_COUNT] = "count",
                                      [CILKPROF_MODE_HYBRID] = "hybrid",
                                      [CILKPROF_MODE_CLOCK] = "clock",
                                      [CILKPROF_MODE_SAMPLED] = "sampled",
                                      [CILKPROF_MODE_WATCHED] = "watched"};
  return names[mode];
}

/* Prints a member of a JSON object that is true if the profiles have FLAG, and false otherwise.  */
static void print_json_flag(FILE *out, const struct model *model, const char *name, uint64_t flag) {
  fprintf(out, ",\"%s\":%s", name, model->program.flags & flag ? "true" : "false");
}

/* Prints the first members of the JSON export: the command, the mode and the flags of the profiles.  */
static void print_json_program(FILE *out, const struct model *model) {
  fputs("\"command\":[", out);
  print_json_strings(out, model->program.argv, model->program.argc);
  fprintf(out, "],\n\"mode\":\"%s\"", json_mode_name(model->program.mode));
  print_json_number(out, "runs", model->run_count);
  print_json_number(out, "units_per_second", model->run.units_per_second);
  print_json_number(out, "burden", model->program.burden);
  print_json_number(out, "loop_workers", model->program.loop_workers);
  print_json_flag(out, model, "incomplete", CILKPROF_INCOMPLETE);
  print_json_flag(out, model, "no_on_span", CILKPROF_NO_ON_SPAN);
  print_json_flag(out, model, "other_threads", CILKPROF_OTHER_THREADS);
  print_json_flag(out, model, "contexts_cut", CILKPROF_CONTEXTS_CUT);
  print_json_flag(out, model, "saturated", CILKPROF_SATURATED);
}

/* Prints the member NAME, an object with the processor time and page faults of some runs.  */
static void print_json_used(FILE *out, const char *name, const struct cilkprof_usage *used) {
  print_json_numbers(out, name,
                     (const struct json_number[]){{"cpu_ns", used->cpu_ns},
                                                  {"system_ns", used->system_ns},
                                                  {"minor_faults", used->minor_faults},
                                                  {"major_faults", used->major_faults},
                                                  {NULL, 0}});
}

/* Prints the member "usage", the resource usage of the profiled runs and of the reference runs; null if it is
   unknown.  */
static void print_json_usage(FILE *out, const struct model *model) {
  const struct cilkprof_usage_record *usage = &model->usages.sum;
  static const char *const kinds[] = {[TIMING_UNKNOWN] = "unknown",
                                      [TIMING_UNCHECKED] = "unchecked",
                                      [TIMING_CHECKED] = "checked",
                                      [TIMING_CONTRARY] = "contrary"};
  if (!model->usages.known) {
    fputs(",\n\"usage\":null", out);
    return;
  }
  fprintf(out, ",\n\"usage\":{\"time\":\"%s\"", kinds[timing_reliability(model).kind]);
  print_json_number(out, "measured_units_per_second", usage->units_per_second);
  print_json_used(out, "run", &usage->run);
  print_json_number(out, "delayed_ns", usage->delayed_ns);
  print_json_number(out, "blocked_ns", usage->blocked_ns);
  print_json_number(out, "reference_runs", usage->reference_runs);
  print_json_used(out, "reference", &usage->reference);
  putc('}', out);
}

/* Prints the member "workers", how runs on several workers went; null if they were serial.  */
static void print_json_workers(FILE *out, const struct model *model) {
  const struct cilkprof_workers *workers = &model->usages.workers;
  if (workers->workers == 0) {
    fputs(",\n\"workers\":null", out);
    return;
  }
  fprintf(out, ",\n\"workers\":{\"workers\":%llu", (unsigned long long)workers->workers);
  print_json_number(out, "elapsed_ns", workers->elapsed_ns);
  print_json_real(out, "speedup", speedup_of_this_run(model));
  print_json_number(out, "deferred", workers->deferred);
  print_json_number(out, "stolen", workers->stolen);
  putc('}', out);
}

/* Prints the member "seconds" of an object with the costs in MEASURE.  */
static void print_json_measure_seconds(FILE *out, const struct model *model, const struct cilkprof_measure *measure) {
  print_json_seconds(
      out, model,
      (const struct json_number[]){
          {"work", measure->work}, {"span", measure->span}, {"burdened_span", measure->burdened_span}, {NULL, 0}});
}

/* Prints the member "totals": work, spans, spawns and syncs of the program or root.  */
static void print_json_totals(FILE *out, const struct model *model) {
  const struct cilkprof_totals *totals = &model->totals;
  fprintf(out, ",\n\"totals\":{\"work\":%llu", (unsigned long long)totals->work);
  print_json_number(out, "span", totals->span);
  print_json_number(out, "burdened_span", totals->burdened_span);
  print_json_number(out, "spawns", totals->spawns);
  print_json_number(out, "syncs", totals->syncs);
  print_json_measure_seconds(out, model,
                             &(struct cilkprof_measure){0, totals->work, totals->span, totals->burdened_span});
  putc('}', out);
}

/* Prints the runs in ROW as a JSON object, in which unknown values are null.  COPIES: these are runs of several copies
   of the program at once.  */
static void print_json_trial_row(FILE *out, const struct model *model, const struct trial_row *row, bool copies) {
  struct trial_value values[TRIAL_VALUES];
  fill_table_trial_columns(model, row, copies, values);
  for (size_t i = 0; i < TRIAL_VALUES; i++) {
    fprintf(out, "%s\"%s\":", i > 0 ? "," : "{", values[i].name);
    if (isnan(values[i].value))
      fputs("null", out);
    else
      fprintf(out, "%.10g", values[i].value);
  }
  putc('}', out);
}

/* Prints the members "trials" and "copies": the running times of --trials.  "copies" is null if no copies were run.  */
static void print_json_trials(FILE *out, const struct model *model) {
  fputs(",\n\"trials\":[", out);
  for (size_t i = 0; i < model->trials.row_count; i++) {
    fputs(i > 0 ? ",\n" : "\n", out);
    print_json_trial_row(out, model, &model->trials.rows[i], false);
  }
  fputs("],\n\"copies\":", out);
  if (model->trials.copies.runs > 0)
    print_json_trial_row(out, model, &model->trials.copies, true);
  else
    fputs("null", out);
}

/* Prints the member "seconds" of a call site: those of its columns that are costs.  */
static void print_json_site_seconds(FILE *out, const struct model *model, const struct site *site) {
  enum { MAX_COSTS = 64 };
  struct json_number costs[MAX_COSTS + 1];
  size_t count = 0;
  for (size_t i = 0; i < column_count && count < MAX_COSTS; i++)
    if (columns[i].name != NULL && columns[i].kind == COLUMN_COST)
      costs[count++] = (struct json_number){columns[i].name, site_column_integer(&columns[i], site)};
  costs[count].name = NULL;
  print_json_seconds(out, model, costs);
}

/* Prints SITE as a JSON object with the columns of the CSV, and their seconds.  BUFFER is room for strings.  */
static void print_json_site(FILE *out, const struct model *model, const struct site *site, struct buffer *buffer) {
  const char *comma = "";
  putc('{', out);
  for (size_t i = 0; i < column_count; i++) {
    const struct column *column = &columns[i];
    if (column->name == NULL)
      continue;
    fprintf(out, "%s\"%s\":", comma, column->name);
    if (column->kind == COLUMN_STRING)
      print_json_string(out, column->string(site, buffer));
    else if (is_site_column_unknown(column, site))
      fputs("null", out);
    else
      fprintf(out, "%llu", (unsigned long long)site_column_integer(column, site));
    comma = ",";
  }
  print_json_site_seconds(out, model, site);
  putc('}', out);
}

/* Prints the members "count", "work", "span", "burdened_span" and "seconds" of an object, all of MEASURE.  */
static void print_json_measure_members(FILE *out, const struct model *model, const struct cilkprof_measure *measure) {
  fprintf(out, "\"count\":%llu", (unsigned long long)measure->count);
  print_json_number(out, "work", measure->work);
  print_json_number(out, "span", measure->span);
  print_json_number(out, "burdened_span", measure->burdened_span);
  print_json_measure_seconds(out, model, measure);
}

/* Prints the member NAME, an object with the count, work and spans of MEASURE.  */
static void print_json_measure(FILE *out, const struct model *model, const char *name,
                               const struct cilkprof_measure *measure) {
  fprintf(out, ",\"%s\":{", name);
  print_json_measure_members(out, model, measure);
  putc('}', out);
}

/* Prints a calling context as a JSON object.  LISTED maps the numbers of sites in the model to their indices in the
   JSON export.  */
static void print_json_context(FILE *out, const struct model *model, const struct context *context,
                               const size_t *listed) {
  fprintf(out, "{\"site\":%zu,\"parent\":", listed[context->site]);
  if (context->parent == NO_CONTEXT)
    fputs("null", out);
  else
    fprintf(out, "%u", context->parent);
  print_json_measure(out, model, "on_work", &context->on_work);
  print_json_measure(out, model, "on_span", &context->on_span);
  putc('}', out);
}

/* Prints a region or a named strand as a JSON object, with its work and span.  */
static void print_json_region(FILE *out, const struct model *model, const struct cilkprof_region *region) {
  fprintf(out, "{\"kind\":\"%s\",\"label\":", model_region_kind(region));
  print_json_string(out, region->label);
  fprintf(out, ",\"partial\":%s,", model_region_is_partial(region) ? "true" : "false");
  print_json_measure_members(out, model, &region->total);
  putc('}', out);
}

/* Prints a what-if as a JSON object: the candidate, the work and span that the program would have and, if the candidate
   would cost nothing, whether that is worth it on so many PROCESSORS.  */
static void print_json_whatif(FILE *out, const struct model *model, const struct cilkprof_whatif *whatif,
                              unsigned processors) {
  uint64_t work = judged_whatif_cost(whatif, whatif->work), span = judged_whatif_cost(whatif, whatif->span);
  fputs("{\"candidate\":", out);
  print_json_string(out, whatif->candidate);
  print_json_number(out, "faster", whatif->faster);
  print_json_number(out, "count", whatif->count);
  print_json_number(out, "work", work);
  print_json_number(out, "span", span);
  print_json_seconds(out, model, (const struct json_number[]){{"work", work}, {"span", span}, {NULL, 0}});
  if (whatif->faster == 0) {
    struct finding finding = judge_whatif(model, whatif, processors);
    print_json_text(out, "code", finding_code_name(finding.code));
    print_json_text(out, "text", finding.text);
  }
  putc('}', out);
}

/* Prints the member "root": the root that the following members describe, or null for the whole program.  */
static void print_json_root(FILE *out, const struct model *model) {
  fputs(",\n\"root\":", out);
  if (model->root == NULL) {
    fputs("null", out);
    return;
  }
  fputs("{\"name\":", out);
  print_json_string(out, model->root);
  print_json_number(out, "invocations", model->invocations);
  print_json_number(out, "outside_work", model->outside);
  print_json_seconds(out, model, (const struct json_number[]){{"outside_work", model->outside}, {NULL, 0}});
  putc('}', out);
}

/* Prints all data of the profiles as one JSON object.  Contexts refer to sites by their index in the printed list,
   which omits sites that are not listed.  */
void print_json(FILE *out, struct model *model, const struct options *options) {
  fputs("{\"cilkprof\":1,\n", out);
  print_json_program(out, model);
  if (model->samples != NULL) {
    fputs(",\n\"waste\":", out);
    print_json_samples(out, model);
  }
  if (model->run_count == 0) {
    fputs("}\n", out);
    return;
  }
  struct buffer buffer = {NULL, 0};
  size_t *listed = allocate(model->site_count, sizeof *listed), count = 0;
  print_json_root(out, model);
  print_json_totals(out, model);
  print_json_usage(out, model);
  print_json_workers(out, model);
  print_json_verdict(out, model, options);
  print_json_trials(out, model);
  fputs(",\n\"sites\":[", out);
  for (size_t i = 0; i < model->site_count; i++) {
    listed[i] = SIZE_MAX;
    if (!site_has_table_row(&model->sites[i], options))
      continue;
    fputs(count > 0 ? ",\n" : "\n", out);
    print_json_site(out, model, &model->sites[i], &buffer);
    listed[i] = count++;
  }
  putc(']', out);
  print_json_bounds(out, model, options, listed);
  fputs(",\n\"regions\":[", out);
  for (size_t i = 0; i < model->regions.count; i++) {
    fputs(i > 0 ? ",\n" : "\n", out);
    print_json_region(out, model, &model->regions.regions[i]);
  }
  fputs("],\n\"whatifs\":[", out);
  for (size_t i = 0; i < model->whatif_count; i++) {
    fputs(i > 0 ? ",\n" : "\n", out);
    print_json_whatif(out, model, &model->whatifs[i], options->processors);
  }
  print_json_forecasts(out, model, options);
  fputs("],\n\"contexts\":[", out);
  for (size_t i = 0; i < model->contexts.count; i++) {
    fputs(i > 0 ? ",\n" : "\n", out);
    print_json_context(out, model, &model->contexts.contexts[i], listed);
  }
  fputs("]}\n", out);
  free(buffer.text);
  free(listed);
}
