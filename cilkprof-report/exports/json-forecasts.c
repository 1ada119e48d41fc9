/* Forecasts as JSON: the speedups that emulations give, and what sections use of memory.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include "cilkprof-report/analysis/foretold.h"
#include "cilkprof-report/emulation/synthesize.h"
#include "cilkprof-report/exports/json-members.h"
#include "cilkprof-report/support/json.h"

/* A cost of a forecast, with its name.  Arrays of them end with one without a name.  */
struct cost {
  const char *name;
  double value;
};

/* Prints COSTS of a forecast as members in units of the profile, and then in seconds as members of "seconds", which is
   null if instructions were counted.  */
static void print_json_forecast_costs(FILE *out, const struct forecasts *forecasts, const struct cost *costs) {
  double units_per_second = forecasts->tree->units_per_second;
  for (const struct cost *cost = costs; cost->name != NULL; cost++)
    print_json_real(out, cost->name, cost->value);
  if (units_per_second == 0) {
    fputs(",\"seconds\":null", out);
    return;
  }
  fprintf(out, ",\"seconds\":{\"%s\":%.10g", costs->name, costs->value / units_per_second);
  while ((++costs)->name != NULL)
    print_json_real(out, costs->name, costs->value / units_per_second);
  putc('}', out);
}

/* Prints the last member of a forecast, "with_memory", and the closing brace: the forecast at index PLACE for
   processors that share memory, or null if it is unknown.  */
static void print_json_memory_forecast(FILE *out, const struct forecasts *forecasts, size_t place) {
  const struct forecast *forecast = forecasts->burdened != NULL ? &forecasts->burdened[place] : NULL;
  double speedup = forecast != NULL ? forecast_speedup(forecasts, forecast) : 0;
  if (speedup > 0) {
    fprintf(out, ",\"with_memory\":{\"speedup\":%.10g", speedup);
    print_json_forecast_costs(out, forecasts,
                              (const struct cost[]){{"time", forecast->time}, {"memory", forecast->memory}, {NULL, 0}});
    fputs("}}", out);
  } else
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
  if (forecast->deadlock || forecast->cut) {
    fputs(",\"speedup\":null,\"time\":null}", out);
    return;
  }
  print_json_real(out, "speedup", forecast_speedup(forecasts, forecast));
  print_json_forecast_costs(out, forecasts,
                            (const struct cost[]){{"time", forecast->time},
                                                  {"deviation", forecast->deviation},
                                                  {"overhead", forecast->overhead},
                                                  {"serial", forecast->serial},
                                                  {"imbalance", forecast->imbalance},
                                                  {"locked", forecast->locked},
                                                  {NULL, 0}});
  print_json_memory_forecast(out, forecasts, schedule * forecasts->processor_count + processors);
}

/* Ends the array before it, and prints the members "emulation" and "memory" but for the last bracket.  Both arrays are
   empty if the profile has no tree.  */
void print_json_forecasts(FILE *out, const struct model *model, const struct options *options) {
  struct forecasts made = forecasts_of_analysed_model(model, options, NULL);
  const struct forecasts *forecasts = &made;
  double share, *seconds = NULL;
  if (options->synthesize && forecasts->tree != NULL)
    seconds = measure_synthetic_programs(forecasts, options, &share);
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
