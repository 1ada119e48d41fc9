/* All measurements of all call sites, regions, what-ifs or trials as comma-separated values (RFC 4180).  Names are
   quoted.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/analysis/bounds.h"
#include "cilkprof-report/analysis/foretold.h"
#include "cilkprof-report/emulation/synthesize.h"
#include "cilkprof-report/analysis/whatif.h"
#include "cilkprof-report/exports/exports.h"
#include "cilkprof-report/samples/samples.h"
#include "cilkprof-report/tables/columns.h"
#include "cilkprof-report/tables/labels.h"
#include "cilkprof-report/tables/trial-values.h"

/* Returns whether a spreadsheet would take STRING for a formula.  An apostrophe before it makes it text.  */
static bool is_csv_formula(const char *string) {
  return string[0] != 0 && strchr("=+-@\t\r", string[0]) != NULL;
}

/* Adds STRING to the line of CSV in quotes, with an apostrophe before it if it looks like a formula.  */
static void add_csv_string(struct line *line, const char *string) {
  line_add_string(line, 0, is_csv_formula(string) ? "\"'" : "\"");
  for (; *string != 0; string++) {
    if (*string == '"')
      line_add_character(line, '"');
    line_add_character(line, *string);
  }
  line_add_character(line, '"');
}

/* Adds the value that SITE has in COLUMN to the line of CSV, quoted if it is a string.  BUFFER is room for such
   strings.  */
static void add_csv_site_field(struct line *line, const struct column *column, const struct site *site,
                               struct buffer *buffer) {
  if (column->kind == COLUMN_STRING)
    add_csv_string(line, column->string(site, buffer));
  else if (!is_site_column_unknown(column, site))
    line_add_integer(line, 0, site_column_integer(column, site));
}

/* Adds COUNT values to the line of CSV, each with a comma before it.  */
static void add_csv_integers(struct line *line, const uint64_t *values, size_t count) {
  for (size_t i = 0; i < count; i++) {
    line_add_character(line, ',');
    line_add_integer(line, 0, values[i]);
  }
}

/* Prints the what-ifs for --csv=whatifs: a row for each candidate with the work and span that the program would
   have.  */
static void print_csv_whatif_rows(FILE *out, const struct model *model) {
  struct line line = {.out = out};
  line_add_string(&line, 0, "candidate,faster,count,work,span\r\n");
  for (size_t i = 0; i < model->whatif_count; i++) {
    const struct cilkprof_whatif *whatif = &model->whatifs[i];
    const uint64_t values[] = {whatif->faster, whatif->count, judged_whatif_cost(whatif, whatif->work),
                               judged_whatif_cost(whatif, whatif->span)};
    char *candidate = escape(whatif->candidate);
    add_csv_string(&line, candidate);
    add_csv_integers(&line, values, sizeof values / sizeof *values);
    line_add_string(&line, 0, "\r\n");
    free(candidate);
  }
  line_flush(&line);
}

/* Prints the resource usage for --csv=usage: a row for the profiled runs and one for the reference runs, as far as
   there were any.  */
static void print_csv_usage_rows(FILE *out, const struct model *model) {
  const struct cilkprof_usage_record *usage = &model->usages.sum;
  const struct {
    const char *name;
    const struct cilkprof_usage *used;
    uint64_t runs, unit;
  } rows[] = {{"\"run\"", &usage->run, model->run_count, usage->units_per_second},
              {"\"reference\"", &usage->reference, usage->reference_runs, model->run.units_per_second}};
  struct line line = {.out = out};
  line_add_string(&line, 0, "what,runs,cpu_ns,system_ns,minor_faults,major_faults,units_per_second\r\n");
  for (size_t i = 0; i < 2 && model->usages.known; i++) {
    const uint64_t values[] = {rows[i].runs,
                               rows[i].used->cpu_ns,
                               rows[i].used->system_ns,
                               rows[i].used->minor_faults,
                               rows[i].used->major_faults,
                               rows[i].unit};
    if (rows[i].runs == 0)
      continue;
    line_add_string(&line, 0, rows[i].name);
    add_csv_integers(&line, values, sizeof values / sizeof *values);
    line_add_string(&line, 0, "\r\n");
  }
  line_flush(&line);
}

/* Prints how runs on several workers went for --csv=workers, in a row; none if the runs were serial.  The speedup is
   empty where instructions were counted.  */
static void print_csv_workers_row(FILE *out, const struct model *model) {
  const struct cilkprof_workers *workers = &model->usages.workers;
  double speedup = speedup_of_this_run(model);
  fputs("runs,workers,elapsed_ns,speedup,deferred,stolen\r\n", out);
  if (workers->workers == 0)
    return;
  fprintf(out, "%zu,%llu,%llu,", model->run_count, (unsigned long long)workers->workers,
          (unsigned long long)workers->elapsed_ns);
  if (!isnan(speedup))
    fprintf(out, "%.10g", speedup);
  fprintf(out, ",%llu,%llu\r\n", (unsigned long long)workers->deferred, (unsigned long long)workers->stolen);
}

/* Prints the regions and named strands for --csv=regions, a row for each with its work and span.  */
static void print_csv_region_rows(FILE *out, const struct model *model) {
  struct line line = {.out = out};
  line_add_string(&line, 0, "kind,label,partial,count,work,span,burdened_span\r\n");
  for (size_t i = 0; i < model->regions.count; i++) {
    const struct cilkprof_region *region = &model->regions.regions[i];
    const struct cilkprof_measure *total = &region->total;
    const uint64_t values[] = {model_region_is_partial(region), total->count, total->work, total->span,
                               total->burdened_span};
    char *label = escape(region->label);
    add_csv_string(&line, model_region_kind(region));
    line_add_string(&line, 0, ",");
    add_csv_string(&line, label);
    add_csv_integers(&line, values, sizeof values / sizeof *values);
    line_add_string(&line, 0, "\r\n");
    free(label);
  }
  line_flush(&line);
}

/* Prints the samples of a parallel run for --csv=waste: a row for every calling context.  Times are in nanoseconds.  */
static void print_csv_waste_rows(FILE *out, const struct samples *samples) {
  struct line line = {.out = out};
  line_add_string(&line, 0,
                  "context,parent,function,file,line,samples,own_work,own_idleness,own_overhead,own_waiting,work,");
  line_add_string(&line, 0, "idleness,overhead,waiting\r\n");
  for (size_t i = 0; i < samples->count; i++) {
    const struct sample_context *context = &samples->contexts[i];
    char *file = escape(context->file != NULL ? context->file : "");
    line_add_integer(&line, 0, i);
    line_add_character(&line, ',');
    if (context->parent != NO_CONTEXT)
      line_add_integer(&line, 0, context->parent);
    line_add_character(&line, ',');
    add_csv_string(&line, context->function->name);
    line_add_character(&line, ',');
    add_csv_string(&line, file);
    add_csv_integers(&line, (const uint64_t[]){context->line, context->samples}, 2);
    add_csv_integers(&line, context->own.of, WASTE_KINDS);
    add_csv_integers(&line, context->all.of, WASTE_KINDS);
    line_add_string(&line, 0, "\r\n");
    free(file);
  }
  line_flush(&line);
}

/* Prints a row of --csv=trials for the runs in ROW.  Unknown values are empty.  COPIES: these are runs of several
   copies of the program at once.  */
static void print_csv_trial_row(FILE *out, const struct model *model, const struct trial_row *row, bool copies) {
  struct trial_value values[TRIAL_VALUES];
  fill_table_trial_columns(model, row, copies, values);
  fputs(copies ? "\"copies\"" : "\"trials\"", out);
  for (size_t i = 0; i < TRIAL_VALUES; i++)
    if (isnan(values[i].value))
      putc(',', out);
    else
      fprintf(out, ",%.10g", values[i].value);
  fputs("\r\n", out);
}

/* Prints the measured running times for --csv=trials: a row for each number of processors, and one for copies if such
   were run.  */
static void print_csv_trial_rows(FILE *out, const struct model *model) {
  const struct trials *trials = &model->trials;
  struct trial_value values[TRIAL_VALUES];
  fill_table_trial_columns(model, &trials->rows[0], false, values);
  fputs("kind", out);
  for (size_t i = 0; i < TRIAL_VALUES; i++)
    fprintf(out, ",%s", values[i].name);
  fputs("\r\n", out);
  for (size_t i = 0; i < trials->row_count; i++)
    print_csv_trial_row(out, model, &trials->rows[i], false);
  if (trials->copies.runs > 0)
    print_csv_trial_row(out, model, &trials->copies, true);
}

/* Prints three fields of the forecast at index PLACE for processors that share memory: the time, the speedup, and by
   how much longer the work takes.  The fields are empty if these are unknown.  */
static void print_csv_memory_forecast(FILE *out, const struct forecasts *forecasts, size_t place) {
  const struct forecast *forecast = forecasts->burdened != NULL ? &forecasts->burdened[place] : NULL;
  double speedup = forecast != NULL ? forecast_speedup(forecasts, forecast) : 0;
  if (speedup > 0)
    fprintf(out, "%.10g,%.10g,%.10g", forecast->time, speedup, forecast->memory);
  else
    fputs(",,", out);
}

/* Prints the emulated speedups for --csv=emulation: a row for every schedule and number of processors.  Times are in
   the units of the tree.  With --synthesize there is a column for the speedup of synthetic programs, which is empty if
   it was not measured.  */
static void print_csv_emulation_rows(FILE *out, const struct model *model, const struct options *options) {
  struct forecasts made = forecasts_of_analysed_model(model, options, "--csv=emulation");
  const struct forecasts *forecasts = &made;
  double share, *seconds = options->synthesize ? measure_synthetic_programs(forecasts, options, &share) : NULL;
  fputs("schedule,processors,time,deviation,speedup,overhead,serial,imbalance,locked,lock,units_per_second,"
        "memory_time,memory_speedup,memory",
        out);
  fputs(seconds != NULL ? ",synthesized\r\n" : "\r\n", out);
  for (size_t s = 0; s < forecasts->schedule_count; s++)
    for (size_t p = 0; p < forecasts->processor_count; p++) {
      const struct forecast *forecast = forecast_at(forecasts, s, p);
      struct line line = {.out = out};
      if (forecast->deadlock || forecast->cut)
        continue;
      add_csv_string(&line, forecasts->schedules[s].name);
      line_flush(&line);
      fprintf(out, ",%u,%.10g,%.10g,%.10g,%.10g,%.10g,%.10g,%.10g,", forecasts->processors[p], forecast->time,
              forecast->deviation, forecast_speedup(forecasts, forecast), forecast->overhead, forecast->serial,
              forecast->imbalance, forecast->locked);
      char *lock = escape(forecast->worst > 0 ? forecasts->tree->locks[forecast->worst_lock].name : "");
      add_csv_string(&line, lock);
      line_flush(&line);
      fprintf(out, ",%.10g,", forecasts->tree->units_per_second);
      print_csv_memory_forecast(out, forecasts, s * forecasts->processor_count + p);
      double synthesized = seconds != NULL ? synthesized_speedup(forecasts, seconds, s, p) : 0;
      fprintf(out, synthesized > 0 ? ",%.10g\r\n" : seconds != NULL ? ",\r\n" : "\r\n", synthesized);
      free(lock);
    }
  free(seconds);
}

/* Prints the call sites as CSV: a row for each that is listed, with all measurements in the units of the profile.  */
static void print_csv_site_rows(FILE *out, const struct model *model, const struct options *options) {
  struct buffer buffer = {NULL, 0};
  struct line line = {.out = out};
  const char *comma = "";
  for (size_t i = 0; i < column_count; i++)
    if (columns[i].name != NULL) {
      fprintf(out, "%s%s", comma, columns[i].name);
      comma = ",";
    }
  fputs("\r\n", out);
  for (size_t row = 0; row < model->site_count; row++) {
    if (!site_has_table_row(&model->sites[row], options))
      continue;
    comma = "";
    for (size_t i = 0; i < column_count; i++)
      if (columns[i].name != NULL) {
        line_add_string(&line, 0, comma);
        add_csv_site_field(&line, &columns[i], &model->sites[row], &buffer);
        comma = ",";
      }
    line_add_string(&line, 0, "\r\n");
  }
  line_flush(&line);
  free(buffer.text);
}

/* Prints the rows that --csv names as comma-separated values, by default the call sites, or samples if the profile has
   nothing else.  */
void print_csv(FILE *out, struct model *model, const struct options *options) {
  enum csv_rows rows = options->csv_rows == CSV_SITES && model->run_count == 0 ? CSV_WASTE : options->csv_rows;
  switch (rows) {
  case CSV_WASTE:
    print_csv_waste_rows(out, model->samples);
    break;
  case CSV_EFFICIENCY:
    print_csv_efficiency(out, model->samples);
    break;
  case CSV_INFLATION:
    print_csv_inflation(out, model->samples);
    break;
  case CSV_SITES:
    print_csv_site_rows(out, model, options);
    break;
  case CSV_REGIONS:
    print_csv_region_rows(out, model);
    break;
  case CSV_USAGE:
    print_csv_usage_rows(out, model);
    break;
  case CSV_WORKERS:
    print_csv_workers_row(out, model);
    break;
  case CSV_EMULATION:
    print_csv_emulation_rows(out, model, options);
    break;
  case CSV_TRIALS:
    print_csv_trial_rows(out, model);
    break;
  case CSV_WHATIFS:
    print_csv_whatif_rows(out, model);
    break;
  }
}
