/* cilkprof-report: shows where a Cilk program spends its work and its span.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <malloc.h>
#include <unistd.h>
#include "cilkprof-report/analysis/foretold.h"
#include "cilkprof-report/analysis/gate.h"
#include "cilkprof-report/analysis/waste.h"
#include "cilkprof-report/emulation/calibrate.h"
#include "cilkprof-report/exports/exports.h"
#include "cilkprof-report/exports/findings.h"
#include "cilkprof-report/model/annotations.h"
#include "cilkprof-report/model/builds.h"
#include "cilkprof-report/model/filters.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/model/whatifs.h"
#include "cilkprof-report/samples/compose.h"
#include "cilkprof-report/samples/samples.h"
#include "cilkprof-report/sections/sections.h"
#include "cilkprof-report/support/kept.h"
#include "cilkprof-report/support/output.h"
#include "cilkprof-report/support/support.h"
#include "cilkprof-report/support/terminal.h"

/* Exit statuses; 1 is any other failure.  */
enum status { STATUS_DONE = 0, STATUS_GATE = 3 };

/* Returns the row of the section that the report prints at position I.  This is row I, except in the order of BSD,
   where gprof printed the call graph before the flat profile.  */
static size_t main_section_at(const struct options *options, size_t i) {
  const struct section *rows = options->table->rows;
  if (!options->traditional)
    return i;
  if (rows[i].traits & BSD_PRINTS_LATER)
    return i + 1;
  return i > 0 && rows[i - 1].traits & BSD_PRINTS_LATER ? i - 1 : i;
}

/* Returns the optional data that the profiles have (what-ifs, a tree, regions, samples), as a set of the traits of the
   sections that show it.  */
static unsigned main_data_traits(const struct model *model) {
  return (model->whatif_count > 0 ? SHOWS_WHATIFS : 0) | (has_analysed_tree_sections(&model->tree) ? NEEDS_TREE : 0) |
         (model->regions.count > 0 ? SHOWS_REGIONS : 0) | (model->samples != NULL ? NEEDS_SAMPLES : 0);
}

/* Returns the sections to print: those that the options name or, if they name none, a default that depends on the
   profile, because a profile with only samples or only annotations has no data for other sections.  */
static section_set main_wanted_sections(const struct model *model, const struct options *options) {
  const struct section_table *table = options->table;
  if (options->named != 0 || options->gate_count > 0 || options->format != NULL)
    return options->sections;
  if (model->run_count == 0 && are_samples_too_few_to_judge(model->samples))
    return options_sections_with(table, NEEDS_SAMPLES) & options_sections_with(table, PRINTED_IF_PRESENT);
  if (model->run_count == 0)
    return options_sections_with(table, NEEDS_SAMPLES) &
           ~(model->samples->is_trial ? 0 : options_sections_with(table, COMPARES_WORKERS));
  if (model->tree.node_count > 0 && model->site_count == 0)
    return options_sections_with(table, NEEDS_TREE);
  return options->sections |
         (options_sections_with(table, PRINTED_IF_PRESENT) & options_sections_with(table, main_data_traits(model)));
}

/* Fails if the profiles lack the data that a section of the report needs, such as samples of a parallel run, or work
   and span.  */
static void main_check_sections(const struct input *input, const struct gate *gate, const struct options *options) {
  section_set of_costs = options_sections_with(options->table, NEEDS_COSTS);
  bool asked = (options->named & options->sections & of_costs) != 0 || gate_needs(gate, GATE_COSTS);
  if (input->measured == 0 && asked)
    fail(input->paths[0],
         "it has samples of a parallel run, but no work and span; make a profile too: cilkprof cc, then cilkprof run");
  bool sampled = false;
  for (size_t i = 0; i < input->count; i++)
    sampled |= has_parallel_samples(&input->profiles[i]);
  if (!sampled && input->measured == 0)
    fail(input->paths[0], "the description of its samples is lost: nothing can be shown");
  if (!sampled && options_want(options, NEEDS_SAMPLES))
    fail(input->paths[0],
         "it has no samples of a parallel run; make some: cilkprof cc --parallel, then cilkprof waste");
}

/* Prints the sections that show the individual profiles, such as --file-info, and not the model.  Returns whether
   anything was printed to standard output.  */
static bool main_print_input_sections(const struct input *input, const struct options *options) {
  const struct section_table *table = options->table;
  bool printed = false;
  for (size_t i = 0; i < table->count; i++) {
    if (!(options->sections >> i & 1) || table->rows[i].print_input == NULL)
      continue;
    if (!(table->rows[i].traits & WRITES_FILE)) {
      output_redirect(options->output, options->force);
      printed = true;
    }
    table->rows[i].print_input(stdout, input, options);
  }
  return printed;
}

/* Returns whether the report begins with the name of its root: it does if it has a root, and if one of the WANTED
   sections is neither written to a file of its own nor input for the linker.  */
static bool main_prints_head(const struct model *model, const struct section_table *table, section_set wanted) {
  section_set others = options_sections_with(table, WRITES_FILE | PRINTS_ORDER);
  for (size_t i = 0; i < table->count; i++)
    if (table->rows[i].print != NULL && (wanted & ~others) >> i & 1)
      return model->root != NULL;
  return false;
}

/* Prints the wanted sections that show the model, in the order of the table, with form feeds between them.  SEPARATOR
   is printed before the first of them.  */
static void main_print_sections(struct model *model, const struct options *options, const char *separator) {
  const struct section_table *table = options->table;
  section_set wanted = main_wanted_sections(model, options);
  if (options->screen) {
    fputs(separator, stdout);
    print_screen(stdout, model, options);
    return;
  }
  if (main_prints_head(model, table, wanted)) {
    fputs(separator, stdout);
    print_report_head(stdout, model, options);
    separator = "";
  }
  for (size_t i = 0; i < table->count; i++) {
    size_t place = main_section_at(options, i);
    if (!(wanted >> place & 1) || table->rows[place].print == NULL)
      continue;
    fputs(separator, stdout);
    table->rows[place].print(stdout, model, options);
    separator = "\f\n";
  }
}

/* Returns whether no rule of the gate is broken.  FIRST is the first profile of the report; the reference build, if a
   rule needs one, is converted to its units.  */
static bool main_passes_gate(struct gate *gate, const struct model *model, const struct cilkprof_profile *first,
                             const struct options *options) {
  struct model reference = {0};
  struct build build = options->reference != NULL ? parse_model_build(options->reference) : (struct build){0};
  if (gate_needs_reference(gate, GATE_COSTS))
    fill_model_of_build(&build, first, &reference, options);
  if (gate_needs_reference(gate, GATE_SAMPLES)) {
    struct input input = read_model_input(build.program, build.profiles, build.profile_count, true, options);
    reference.samples = samples_build(&input, options);
  }
  return check_gate(gate, model, &reference, options) == 0;
}

/* Fails if a file that the report writes must not be overwritten, before time is spent on the report.  HAS_OWN_FILE:
   the only section of the report writes the file that --output names, and checks it itself.  */
static void main_check_outputs(const struct options *options, bool has_own_file) {
  const char *const inputs[] = {options->program,      options->symbol_table, options->trials,
                                options->file_mapping, options->cachegrind,   options->copies};
  const char *const outputs[] = {has_own_file ? NULL : options->output, options->html, options->plot};
  for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
    keep_named_file(inputs[i]);
  for (size_t i = 0; i < options->profile_count; i++)
    keep_named_file(options->profiles[i]);
  for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
    output_check(outputs[i], options->force);
}

/* Reads the samples of copies that the options name, if they do, for comparison with SAMPLES.  Fails if they are not
   those of runs with one worker.  */
static void main_read_copies(struct samples *samples, const struct options *options) {
  if (options->copies == NULL)
    return;
  if (samples == NULL)
    fail("--copies", "the profile has no samples of a parallel run, with which copies are compared");
  struct input input = read_model_input(NULL, &options->copies, 1, true, options);
  samples->copies = samples_build(&input, options);
  if (samples->copies == NULL || samples->copies->sampling.workers != 1)
    fail(options->copies, "it has no samples of runs with one worker each; make them: cilkprof-run --copies --samples");
}

/* Composes the sites of functions without events in MODEL from the samples in INPUT, which are kept.  */
static void main_compose_model(struct model *model, const struct input *input, const struct options *options) {
  if (model->strands == NULL)
    model->strands = samples_of_strands(input, options);
  compose_calls_without_events(model, model->strands);
}

/* Builds the model of the profiles in INPUT, and reads the trials and samples that are shown with it.  Fails if they do
   not fit the options.  */
static void main_build_model(struct model *model, struct input *input, const struct gate *gate,
                             const struct format *format, const struct options *options) {
  main_check_sections(input, gate, options);
  struct samples *samples = samples_build(input, options);
  main_read_copies(samples, options);
  model->samples = samples;
  if (options_want(options, NEEDS_STRANDS))
    model->strands = samples_of_strands(input, options);
  compose_model = main_compose_model;
  if (input->measured > 0) {
    build_model_from_input(input, model, options);
  } else {
    model->program = model->samples->program;
    model->run = model->samples->run;
  }
  if (model->root != NULL && options->trials != NULL)
    fail(options->trials,
         "running times cover the whole program, but the report is about root %s; use --root=", model->root);
  model->trials = read_model_trials(options->trials, model_work_seconds(model));
  check_model_filters(options->filters, model);
  if (options_want(options, NEEDS_TREE))
    check_analysed_model_tree(model, "--emulate");
  check_analysed_model_cachegrind(model, options);
  export_check_model(format, model, options);
  model_keep_sources(model, options);
  if (model->samples != NULL)
    functions_keep_sources(&model->samples->functions, options);
  if (options_want(options, NEEDS_STRANDS) && model->strands == NULL)
    fail(options->profiles[0], "it has no samples of a serial run; make them: cilkprof cc, then cilkprof run");
}

/* Makes a report on one build: reads the profiles, builds the model, prints the sections or the export FORMAT, and
   checks the gate.  Returns the exit status.  */
static enum status main_report_on_build(struct options *options, struct gate *gate, const struct format *format) {
  main_check_outputs(options, options_want_only(options, TAKES_OUTPUT));
  bool bind = !options_want_only(options, NEEDS_NO_PROGRAM);
  struct input input =
      read_model_input(options->program, (const char *const *)options->profiles, options->profile_count, bind, options);
  if (options->asked_processors == 0 && input.measured > 0 && is_watched_profile(&input.profiles[0]) &&
      has_parallel_samples(&input.profiles[0]))
    options->processors = (unsigned)input.profiles[0].sampling.workers;
  if (options->named == 0 || options_want(options, SHOWS_WHATIFS))
    tell_lost_model_whatifs(input.profiles, input.count);
  bool printed = main_print_input_sections(&input, options);
  if (!options_need_model(options))
    return STATUS_DONE;
  struct model model = {0};
  main_build_model(&model, &input, gate, format, options);
  output_redirect(options->output, options->force);
  if (format != NULL)
    format->print(stdout, &model, options);
  main_print_sections(&model, options, printed ? "\f\n" : "");
  if (main_passes_gate(gate, &model, &input.profiles[0], options))
    return STATUS_DONE;
  if (format != NULL && format->print == print_github)
    print_github_gate(stdout, gate, &model, options);
  return STATUS_GATE;
}

/* Makes the report of --diff, a comparison of the two builds that the command line names.  Returns the exit status.  */
static enum status main_compare_builds(const struct options *options) {
  main_check_outputs(options, false);
  output_redirect(options->output, options->force);
  print_diff(stdout, options->program, options->profiles[0], options);
  return STATUS_DONE;
}

/* Reads the command line, and then calibrates, compares two builds or makes a report, as it says.  Returns 0, or 3 if
   the gate is not passed; failures exit with status 1.  */
int main(int argc, char **argv) {
  mallopt(M_MMAP_THRESHOLD, 1 << 20); /* returns large blocks to the system as soon as they are freed */
  setvbuf(stdout, NULL, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF, 1 << 18);
  output_start();
  struct options options = options_read(argc, argv, &section_table);
  if (options.calibrate) {
    calibrate_emulated_overheads(stdout, options.force);
    output_finish();
    return STATUS_DONE;
  }
  struct gate gate = parse_gate(&options);
  const struct format *format = export_select(&options);
  if (!options.no_pager && output_is_standard(options.output) && (options.sections != 0 || options.diff))
    pager_start();
  enum status status = options.diff ? main_compare_builds(&options) : main_report_on_build(&options, &gate, format);
  output_finish();
  return status;
}
