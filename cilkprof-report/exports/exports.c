/* The table of export formats, and the checks of options and profiles against it.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <string.h>
#include <unistd.h>
#include "cilkprof-report/exports/exports.h"
#include "cilkprof-report/exports/stacks.h"
#include "cilkprof-report/options/options.h"
#include "cilkprof-report/samples/samples.h"
#include "cilkprof-report/support/output.h"
#include "cilkprof-report/support/support.h"

enum {
  NONE = 0,
  COSTS = 1 << WEIGHT_WORK | 1 << WEIGHT_SPAN,
  WASTE = 1 << WEIGHT_IDLENESS | 1 << WEIGHT_OVERHEAD | 1 << WEIGHT_WAITING,
  OF_SAMPLES = WASTE | 1 << WEIGHT_WORK,
  ALL = COSTS | 1 << WEIGHT_CALLS | WASTE,
};

static const struct format formats[] = {
    {"csv", print_csv, NONE, false, false, false},
    {"json", print_json, NONE, false, false, false},
    {"callgrind", print_callgrind, COSTS | WASTE, false, true, false},
    {"gmon", print_gmon, COSTS, false, true, true},
    {"collapsed", print_collapsed, ALL, true, false, false},
    {"flamegraph", print_flamegraph, ALL, true, false, false},
    {"speedscope", print_speedscope, ALL, true, true, false},
    {"pprof", print_pprof, ALL, true, true, true},
    {"perfetto", print_perfetto, NONE, false, false, false},
    {"sarif", print_sarif, NONE, false, true, false},
    {"github", print_github, NONE, false, true, false},
    {"markdown", print_markdown, NONE, false, true, false},
};

/* Returns the export format called NAME.  Fails if there is none.  */
static const struct format *find_export_format(const char *name) {
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
    if (strcmp(formats[i].name, name) == 0)
      return &formats[i];
  fail(name, "unknown format; known are csv, json, callgrind, gmon, collapsed, flamegraph, speedscope, pprof, "
             "perfetto, sarif, github and markdown");
}

const struct format *export_select(struct options *options) {
  if (options->format == NULL && options->weight_asked)
    fail("--metric", "it needs --format");
  if (options->format == NULL)
    return NULL;
  const struct format *format = find_export_format(options->format);
  if (options->weight_asked && format->weights == NONE)
    fail("--metric", "%s has all measurements", format->name);
  if (!(format->weights & 1U << options->weight) && format->weights != NONE)
    fail("--metric", "%s cannot show %s", format->name, option_metric_name(options->weight));
  if (format->is_binary && output_is_standard(options->output) && isatty(STDOUT_FILENO))
    fail(format->name, "it is not text; name a file with --output");
  bool shows_trials = format->print == print_json || (format->print == print_csv && options->csv_rows == CSV_TRIALS);
  if (options->trials != NULL && !shows_trials)
    fail("--trials", "%s does not show them; --format=json and --csv=trials do", format->name);
  options->format_needs_places = format->needs_places;
  return format;
}

/* Fails if MODEL lacks the data that FORMAT shows, which may be NULL.  Samples of a parallel run provide some metrics,
   and measurements of work and span others.  */
void export_check_model(const struct format *format, const struct model *model, const struct options *options) {
  if (format == NULL)
    return;
  bool waste = options->weight >= WEIGHT_IDLENESS || options->csv_rows == CSV_WASTE ||
               options->csv_rows == CSV_EFFICIENCY || options->csv_rows == CSV_INFLATION;
  if (waste && model->samples == NULL)
    fail("the profile", "it has no samples of a parallel run");
  bool known = format->weights == NONE || (format->weights & OF_SAMPLES & 1U << options->weight);
  bool judged = format->print == print_sarif || format->print == print_markdown ||
                (format->print == print_github && options->gate_count == 0);
  if (model->run_count == 0 && (!known || judged || format->print == print_gmon))
    fail(format->name, "%s needs work and span, and the profile has only samples of a parallel run",
         known ? "this" : option_metric_name(options->weight));
  if (format->print == print_perfetto && (model->samples == NULL || model->samples->thread_count == 0))
    fail(format->name, model->program.flags & CILKPROF_FROM_LIVE
                           ? "a live file has no timeline: that is written when the program ends"
                           : "this needs the timeline of one sampled parallel run: cilkprof waste -j 4 PROGRAM");
  if (format->needs_contexts && !export_shows_samples(model, options))
    require_model_contexts(&model->contexts);
}
