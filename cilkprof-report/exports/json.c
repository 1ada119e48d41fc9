/* All data of a run as JSON: the verdict, the columns of the CSV for every call site, region and what-if, and the
   calling contexts.
   SPDX-License-Identifier: GPL-3.0-or-later

   Every object is on a line of its own.  The names of columns and other keys must not change, as other programs read
   them.  */

#include <math.h>
#include <stdlib.h>
#include "cilkprof-report/analysis/foretold.h"
#include "cilkprof-report/emulation/synthesize.h"
#include "cilkprof-report/analysis/timing.h"
#include "cilkprof-report/analysis/verdict.h"
#include "cilkprof-report/analysis/whatif.h"
#include "cilkprof-report/exports/exports.h"
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

/* Prints a member of a JSON object that is a number, with a comma before it.  */
static void print_json_number(FILE *out, const char *name, uint64_t value) {
  fprintf(out, ",\"%s\":%llu", name, (unsigned long long)value);
}

/* Returns how a profile was measured in one word, as the member "mode" has it.  */
static const char *json_mode_name(enum cilkprof_mode mode) {
  static const char *const names[] = {[CILKPROF_MODE_COUNT] = "count",
                                      [CILKPROF_MODE_HYBRID] = "hybrid",
                                      [CILKPROF_MODE_CLOCK] = "clock",
                                      [CILKPROF_MODE_SAMPLED] = "sampled"};
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

struct number {
  const char *name;
  uint64_t value;
};

/* Prints a member of a JSON object that is an object of NUMBERS.  That array ends with a number without a name.  */
static void print_json_numbers(FILE *out, const char *name, const struct number *numbers) {
  fprintf(out, ",\"%s\":{\"%s\":%llu", name, numbers->name, (unsigned long long)numbers->value);
  while ((++numbers)->name != NULL)
    print_json_number(out, numbers->name, numbers->value);
  putc('}', out);
}

/* Prints the member NAME, an object with the processor time and page faults of some runs.  */
static void print_json_used(FILE *out, const char *name, const struct cilkprof_usage *used) {
  print_json_numbers(out, name,
                     (const struct number[]){{"cpu_ns", used->cpu_ns},
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

/* Prints the member "totals": work, spans, spawns and syncs of the program or root.  */
static void print_json_totals(FILE *out, const struct cilkprof_totals *totals) {
  fprintf(out, ",\n\"totals\":{\"work\":%llu", (unsigned long long)totals->work);
  print_json_number(out, "span", totals->span);
  print_json_number(out, "burdened_span", totals->burdened_span);
  print_json_number(out, "spawns", totals->spawns);
  print_json_number(out, "syncs", totals->syncs);
  fputs("}", out);
}

/* Prints the member "verdict": the findings for a program on so many processors.  */
static void print_json_verdict(FILE *out, struct model *model, unsigned processors) {
  struct verdict verdict = find_verdict(model, processors);
  fprintf(out, ",\n\"verdict\":{\"processors\":%u,\"findings\":[", verdict.processors);
  for (size_t i = 0; i < verdict.count; i++) {
    const struct finding *finding = &verdict.findings[i];
    fprintf(out, "%s{\"tone\":\"%s\",\"subject\":", i > 0 ? ",\n" : "\n", finding_tone_name(finding->tone));
    print_json_string(out, finding->subject);
    fputs(",\"text\":", out);
    print_json_string(out, finding->text);
    putc('}', out);
  }
  fputs("]}", out);
}

/* Prints the runs in ROW as a JSON object, in which unknown values are null.  COPIES: these are runs of several copies
   of the program at once.  */
static void print_json_trial_row(FILE *out, const struct model *model, const struct trial_row *row, bool copies) {
  struct trial_value values[TRIAL_VALUES];
  fill_trial_columns(model, row, copies, values);
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

/* Prints SITE as a JSON object with the columns of the CSV.  BUFFER is room for their strings.  */
static void print_json_site(FILE *out, const struct site *site, struct buffer *buffer) {
  const char *comma = "";
  putc('{', out);
  for (size_t i = 0; i < column_count; i++) {
    const struct column *column = &columns[i];
    if (column->name == NULL)
      continue;
    fprintf(out, "%s\"%s\":", comma, column->name);
    if (column->kind == COLUMN_STRING)
      print_json_string(out, column->string(site, buffer));
    else
      fprintf(out, "%llu", (unsigned long long)site_column_integer(column, site));
    comma = ",";
  }
  putc('}', out);
}

/* Prints the member NAME, an object with the count, work and spans of MEASURE.  */
static void print_json_measure(FILE *out, const char *name, const struct cilkprof_measure *measure) {
  print_json_numbers(out, name,
                     (const struct number[]){{"count", measure->count},
                                             {"work", measure->work},
                                             {"span", measure->span},
                                             {"burdened_span", measure->burdened_span},
                                             {NULL, 0}});
}

/* Prints a calling context as a JSON object.  LISTED maps the numbers of sites in the model to their indices in the
   JSON export.  */
static void print_json_context(FILE *out, const struct context *context, const size_t *listed) {
  fprintf(out, "{\"site\":%zu,\"parent\":", listed[context->site]);
  if (context->parent == NO_CONTEXT)
    fputs("null", out);
  else
    fprintf(out, "%u", context->parent);
  print_json_measure(out, "on_work", &context->on_work);
  print_json_measure(out, "on_span", &context->on_span);
  putc('}', out);
}

/* Prints a region or a named strand as a JSON object, with its work and span.  */
static void print_json_region(FILE *out, const struct cilkprof_region *region) {
  const struct cilkprof_measure *total = &region->total;
  fprintf(out, "{\"kind\":\"%s\",\"label\":", model_region_kind(region));
  print_json_string(out, region->label);
  fprintf(out, ",\"partial\":%s", model_region_is_partial(region) ? "true" : "false");
  print_json_number(out, "count", total->count);
  print_json_number(out, "work", total->work);
  print_json_number(out, "span", total->span);
  print_json_number(out, "burdened_span", total->burdened_span);
  putc('}', out);
}

/* Prints a what-if as a JSON object: the candidate, and the work and span that the program would have.  */
static void print_json_whatif(FILE *out, const struct cilkprof_whatif *whatif) {
  fputs("{\"candidate\":", out);
  print_json_string(out, whatif->candidate);
  print_json_number(out, "faster", whatif->faster);
  print_json_number(out, "count", whatif->count);
  print_json_number(out, "work", whatif_cost(whatif, whatif->work));
  print_json_number(out, "span", whatif_cost(whatif, whatif->span));
  putc('}', out);
}

/* Prints the last member of a forecast, "with_memory", and the closing brace: the forecast at index PLACE for
   processors that share memory, or null if it is unknown.  */
static void print_json_memory_forecast(FILE *out, const struct forecasts *forecasts, size_t place) {
  const struct forecast *forecast = forecasts->burdened != NULL ? &forecasts->burdened[place] : NULL;
  double speedup = forecast != NULL ? forecast_speedup(forecasts, forecast) : 0;
  if (speedup > 0)
    fprintf(out, ",\"with_memory\":{\"time\":%.10g,\"speedup\":%.10g,\"memory\":%.10g}}", forecast->time, speedup,
            forecast->memory);
  else
    fputs(",\"with_memory\":null}", out);
}

/* Prints the memory use of a section of the tree as a JSON object, with its burden for each number of processors.  */
static void print_json_section_use(FILE *out, const struct forecasts *forecasts, const struct section_use *section) {
  fputs("{\"section\":", out);
  print_json_string(out, section->name);
  fprintf(out, ",\"instructions\":%.10g,\"misses\":%.10g,\"nanoseconds\":%.10g,\"megabytes_per_second\":%.10g",
          section->use.instructions, section->use.misses, section->use.time, section->traffic);
  fputs(",\"burden\":[", out);
  for (size_t p = 0; p < forecasts->processor_count; p++) {
    double burden = forecasts->burdened != NULL ? forecast_memory_burden(forecasts, section, p) : 0;
    fprintf(out, burden > 0 ? "%s%.10g" : "%snull", p > 0 ? "," : "", burden);
  }
  fputs("]}", out);
}

/* Prints the forecast for a schedule and a number of processors, both by index, as a JSON object.  Time and speedup are
   null if the emulated program deadlocks, or if its emulation had too many steps.  SECONDS are the running times of
   synthetic programs, or NULL.  */
static void print_json_forecast(FILE *out, const struct forecasts *forecasts, size_t schedule, size_t processors,
                                const double *seconds) {
  const struct forecast *forecast = forecast_at(forecasts, schedule, processors);
  fputs("{\"schedule\":", out);
  print_json_string(out, forecasts->schedules[schedule].name);
  print_json_number(out, "processors", forecasts->processors[processors]);
  double synthesized = seconds != NULL ? synthesized_speedup(forecasts, seconds, schedule, processors) : 0;
  if (seconds != NULL)
    fprintf(out, synthesized > 0 ? ",\"synthesized\":%.10g" : ",\"synthesized\":null", synthesized);
  if (forecast->deadlock || forecast->cut)
    fputs(",\"time\":null,\"speedup\":null}", out);
  else
    fprintf(out,
            ",\"time\":%.10g,\"speedup\":%.10g,\"deviation\":%.10g,\"overhead\":%.10g,\"serial\":%.10g,"
            "\"imbalance\":%.10g,\"locked\":%.10g",
            forecast->time, forecast_speedup(forecasts, forecast), forecast->deviation, forecast->overhead,
            forecast->serial, forecast->imbalance, forecast->locked);
  if (!forecast->deadlock && !forecast->cut)
    print_json_memory_forecast(out, forecasts, schedule * forecasts->processor_count + processors);
}

/* Ends the array before it, and prints the members "emulation" and "memory" but for the last bracket.  Both arrays are
   empty if the profile has no tree.  */
static void print_json_forecasts(FILE *out, const struct model *model, const struct options *options) {
  struct forecasts made = forecasts_of_analysed_model(model, options, NULL);
  const struct forecasts *forecasts = &made;
  double share, *seconds = NULL;
  if (options->synthesize && forecasts->tree != NULL)
    seconds = synthesize(forecasts, options, &share);
  fputs("],\n\"emulation\":[", out);
  for (size_t s = 0; s < forecasts->schedule_count; s++)
    for (size_t p = 0; p < forecasts->processor_count; p++) {
      fputs(s + p > 0 ? ",\n" : "\n", out);
      print_json_forecast(out, forecasts, s, p, seconds);
    }
  free(seconds);
  fputs("],\n\"memory\":[", out);
  for (size_t i = 0; forecasts->uses.source != USES_UNKNOWN && i < forecasts->uses.count; i++) {
    fputs(i > 0 ? ",\n" : "\n", out);
    print_json_section_use(out, forecasts, &forecasts->uses.sections[i]);
  }
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
  print_json_totals(out, &model->totals);
  print_json_usage(out, model);
  print_json_verdict(out, model, options->processors);
  print_json_trials(out, model);
  fputs(",\n\"sites\":[", out);
  for (size_t i = 0; i < model->site_count; i++) {
    if (!site_has_table_row(&model->sites[i], options))
      continue;
    fputs(count > 0 ? ",\n" : "\n", out);
    print_json_site(out, &model->sites[i], &buffer);
    listed[i] = count++;
  }
  fputs("],\n\"regions\":[", out);
  for (size_t i = 0; i < model->regions.count; i++) {
    fputs(i > 0 ? ",\n" : "\n", out);
    print_json_region(out, &model->regions.regions[i]);
  }
  fputs("],\n\"whatifs\":[", out);
  for (size_t i = 0; i < model->whatif_count; i++) {
    fputs(i > 0 ? ",\n" : "\n", out);
    print_json_whatif(out, &model->whatifs[i]);
  }
  print_json_forecasts(out, model, options);
  fputs("],\n\"contexts\":[", out);
  for (size_t i = 0; i < model->contexts.count; i++) {
    fputs(i > 0 ? ",\n" : "\n", out);
    print_json_context(out, &model->contexts.contexts[i], listed);
  }
  fputs("]}\n", out);
  free(buffer.text);
  free(listed);
}
