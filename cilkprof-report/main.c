/* cilkprof-report: where the work and the span of a Cilk program are.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <malloc.h>
#include <unistd.h>
#include "cilkprof-report/analysis/foretold.h"
#include "cilkprof-report/analysis/gate.h"
#include "cilkprof-report/emulation/calibrate.h"
#include "cilkprof-report/exports/exports.h"
#include "cilkprof-report/model/annotations.h"
#include "cilkprof-report/model/builds.h"
#include "cilkprof-report/model/filters.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/model/whatifs.h"
#include "cilkprof-report/html/html.h"
#include "cilkprof-report/samples/samples.h"
#include "cilkprof-report/sections/sections.h"
#include "cilkprof-report/support/kept.h"
#include "cilkprof-report/support/output.h"
#include "cilkprof-report/support/support.h"
#include "cilkprof-report/support/terminal.h"

/* 1 is any failure.  */
enum status { STATUS_DONE = 0, STATUS_GATE = 3 };

/* In the order of the report.  */
static const struct {
  enum section section;
  void (*print)(FILE *out, struct model *model, const struct options *options);
} sections[] = {
    {SECTION_VERDICT, print_verdict},
    {SECTION_SUMMARY, print_summary},
    {SECTION_TRIALS, print_trials},
    {SECTION_REGIONS, print_regions},
    {SECTION_EMULATION, print_emulation},
    {SECTION_WHATIF, print_whatif},
    {SECTION_FLAT, print_flat},
    {SECTION_GRAPH, print_graph},
    {SECTION_COUNTS, print_counts},
    {SECTION_SOURCE, print_source},
    {SECTION_FUNCTION_ORDER, print_function_order},
    {SECTION_FILE_ORDER, print_file_order},
    {SECTION_SITES, print_sites},
    {SECTION_CRITICAL_PATH, print_critical_path},
    {SECTION_CONTEXTS, print_contexts},
    {SECTION_WASTE, print_waste},
    {SECTION_TOP_DOWN, print_top_down},
    {SECTION_BOTTOM_UP, print_bottom_up},
    {SECTION_PLOT, print_plot},
    {SECTION_HTML, print_html},
};
enum { SECTION_COUNT = sizeof sections / sizeof *sections };

/* BSD's gprof had the call graph before the flat profile.  */
static size_t traditional_place(size_t i) {
  return sections[i].section == SECTION_FLAT ? i + 1 : sections[i].section == SECTION_GRAPH ? i - 1 : i;
}

/* Regions, what-ifs, samples and emulations are shown where the program has some.  Of samples alone nothing else is
   known, nor of a program that was only annotated.  */
static unsigned wanted_sections(const struct model *model, const struct options *options) {
  bool all = options->named == 0 && options->gate_count == 0 && options->format == NULL;
  if (all && model->run_count == 0)
    return SECTIONS_OF_SAMPLES;
  if (all && model->tree.node_count > 0 && model->site_count == 0)
    return SECTION_EMULATION;
  return options->sections | (all && model->whatif_count > 0 ? SECTION_WHATIF : 0) |
         (all && model->tree.node_count > 0 ? SECTION_EMULATION : 0) |
         (all && model->regions.count > 0 ? SECTION_REGIONS : 0) | (all && model->samples != NULL ? SECTION_WASTE : 0);
}

/* What a profile has not cannot be shown.  */
static void check_sections(const struct input *input, const struct options *options) {
  const unsigned others = SECTIONS_OF_SAMPLES | SECTION_INFO | SECTION_SUM | SECTION_HTML;
  bool asked = (options->named & options->sections & ~others) != 0 || options->gate_count > 0;
  if (input->measured == 0 && asked)
    fail(input->paths[0], "it has samples of a parallel run, and no work and span; compile the program with -fcilkprof "
                          "as well and run it for a profile that has");
  bool sampled = false;
  for (size_t i = 0; i < input->count; i++)
    sampled |= input->profiles[i].has_sampling;
  if (!sampled && input->measured == 0)
    fail(input->paths[0], "what it said of its samples is lost: nothing of it can be shown");
  if (!sampled && options->sections & SECTIONS_OF_SAMPLES)
    fail(input->paths[0], "it has no samples of a parallel run; compile the program with -fcilkplus alone, and run it "
                          "with CILKPROF_SAMPLE=1 in its environment");
}

/* Those that are for the eye say what they are of.  */
static bool has_head(const struct model *model, unsigned wanted) {
  const unsigned others =
      SECTION_FUNCTION_ORDER | SECTION_FILE_ORDER | SECTION_INFO | SECTION_SUM | SECTION_PLOT | SECTION_HTML;
  return model->root != NULL && (wanted & ~others) != 0;
}

static void print_sections(struct model *model, const struct options *options, const char *separator) {
  unsigned wanted = wanted_sections(model, options);
  if (has_head(model, wanted)) {
    fputs(separator, stdout);
    print_head(stdout, model, options);
    separator = "";
  }
  for (size_t i = 0; i < SECTION_COUNT; i++) {
    size_t place = options->traditional ? traditional_place(i) : i;
    if (!(wanted & sections[place].section))
      continue;
    fputs(separator, stdout);
    sections[place].print(stdout, model, options);
    separator = "\f\n";
  }
}

/* Whether the model keeps the rules.  */
static bool passes_gate(const struct gate *gate, const struct model *model, const struct cilkprof_profile *first,
                        const struct options *options) {
  struct model reference = {0};
  if (gate_needs_reference(gate)) {
    struct build build = build_parse(options->reference);
    build_sum(&build, first, &reference, options);
  }
  return gate_check(gate, model, &reference) == 0;
}

/* Before time is spent on a report that could not be written.  */
static void check_outputs(const struct options *options, bool only_sum) {
  const char *const inputs[] = {options->program, options->symbol_table, options->trials, options->file_mapping,
                                options->cachegrind};
  const char *const outputs[] = {only_sum ? NULL : options->output, options->html, options->plot};
  for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
    keep_named(inputs[i]);
  for (size_t i = 0; i < options->profile_count; i++)
    keep_named(options->profiles[i]);
  for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
    output_check(outputs[i], options->force);
}

static enum status report(const struct options *options, const struct gate *gate, const struct format *format) {
  bool needs_model = options_need_model(options);
  bool only_info = options->sections == SECTION_INFO && !needs_model;
  bool only_sum = options->sections == SECTION_SUM && !needs_model;
  check_outputs(options, only_sum);
  struct input input =
      input_read(options->program, (const char *const *)options->profiles, options->profile_count, !only_info, options);
  struct model model = {0};
  if (options->named == 0 || options->sections & (SECTION_SUM | SECTION_WHATIF | SECTION_HTML))
    whatifs_tell_lost(input.profiles, input.count);
  if (options->sections & SECTION_INFO) {
    output_redirect(options->output, options->force);
    print_info(stdout, &input, options);
  }
  if (options->sections & SECTION_SUM)
    write_sum(&input, only_sum && options->output != NULL ? options->output : "cilkprof.sum", options->force);
  if (!needs_model)
    return STATUS_DONE;
  check_sections(&input, options);
  model.samples = samples_build(&input, options);
  if (input.measured > 0) {
    input_build(&input, &model, options);
  } else {
    model.program = model.samples->program;
    model.run = model.samples->run;
  }
  if (model.root != NULL && options->trials != NULL)
    fail(options->trials, "running times are of the whole program, the report of root %s; use --root=", model.root);
  model.trials = trials_read(options->trials, model_work_seconds(&model));
  filters_check(options->filters, &model);
  if (options->sections & SECTION_EMULATION)
    check_tree(&model, "--emulate");
  model_check_memory(&model, options);
  export_check_model(format, &model, options);
  sources_keep(&model, options);
  if (model.samples != NULL)
    functions_keep_sources(&model.samples->functions, options);
  output_redirect(options->output, options->force);
  if (format != NULL)
    format->print(stdout, &model, options);
  print_sections(&model, options, options->sections & SECTION_INFO ? "\f\n" : "");
  return passes_gate(gate, &model, &input.profiles[0], options) ? STATUS_DONE : STATUS_GATE;
}

static enum status compare(const struct options *options) {
  check_outputs(options, false);
  output_redirect(options->output, options->force);
  print_diff(stdout, options->program, options->profiles[0], options);
  return STATUS_DONE;
}

int main(int argc, char **argv) {
  mallopt(M_MMAP_THRESHOLD, 1 << 20); /* large memory that is freed goes back at once */
  setvbuf(stdout, NULL, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF, 1 << 18);
  output_start();
  struct options options = options_read(argc, argv);
  if (options.calibrate) {
    calibrate(stdout);
    output_finish();
    return STATUS_DONE;
  }
  struct gate gate = gate_parse(&options);
  const struct format *format = export_select(&options);
  if (!options.no_pager && output_is_standard(options.output) && (options.sections != 0 || options.diff))
    pager_start();
  enum status status = options.diff ? compare(&options) : report(&options, &gate, format);
  output_finish();
  return status;
}
