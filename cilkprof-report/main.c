/* cilkprof-report: shows where a Cilk program spends its work and its span.
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
#include "cilkprof-report/samples/samples.h"
#include "cilkprof-report/sections/sections.h"
#include "cilkprof-report/support/kept.h"
#include "cilkprof-report/support/output.h"
#include "cilkprof-report/support/support.h"
#include "cilkprof-report/support/terminal.h"

/* Exit statuses; 1 is any other failure.  */
enum status { STATUS_DONE = 0, STATUS_GATE = 3 };

/* Returns the index of the section to print at position I.  BSD's gprof printed the call graph before the flat
   profile.  */
static size_t section_place(const struct options *options, size_t i) {
  const struct section *rows = options->table->rows;
  if (!options->traditional)
    return i;
  if (rows[i].traits & BSD_PRINTS_LATER)
    return i + 1;
  return i > 0 && rows[i - 1].traits & BSD_PRINTS_LATER ? i - 1 : i;
}

/* Returns the optional data that the profiles have, as traits of the sections that show it.  */
static unsigned present_data(const struct model *model) {
  return (model->whatif_count > 0 ? SHOWS_WHATIFS : 0) | (model->tree.node_count > 0 ? NEEDS_TREE : 0) |
         (model->regions.count > 0 ? SHOWS_REGIONS : 0) | (model->samples != NULL ? NEEDS_SAMPLES : 0);
}

/* Returns the sections that the options name.  If they name none, the default depends on the profile: a profile with
   only samples or only annotations has no data for other sections.  */
static section_set wanted_sections(const struct model *model, const struct options *options) {
  const struct section_table *table = options->table;
  if (options->named != 0 || options->gate_count > 0 || options->format != NULL)
    return options->sections;
  if (model->run_count == 0)
    return sections_with(table, NEEDS_SAMPLES);
  if (model->tree.node_count > 0 && model->site_count == 0)
    return sections_with(table, NEEDS_TREE);
  return options->sections | (sections_with(table, PRINTED_IF_PRESENT) & sections_with(table, present_data(model)));
}

/* Fails if the profiles lack the data for a section.  */
static void check_sections(const struct input *input, const struct options *options) {
  section_set of_costs = sections_with(options->table, NEEDS_COSTS);
  bool asked = (options->named & options->sections & of_costs) != 0 || options->gate_count > 0;
  if (input->measured == 0 && asked)
    fail(input->paths[0], "it has samples of a parallel run, and no work and span; compile the program with -fcilkprof "
                          "as well and run it for a profile that has");
  bool sampled = false;
  for (size_t i = 0; i < input->count; i++)
    sampled |= input->profiles[i].has_sampling;
  if (!sampled && input->measured == 0)
    fail(input->paths[0], "what it said of its samples is lost: nothing of it can be shown");
  if (!sampled && options_want(options, NEEDS_SAMPLES))
    fail(input->paths[0], "it has no samples of a parallel run; compile the program with -fcilkplus alone, and run it "
                          "with CILKPROF_SAMPLE=1 in its environment");
}

/* Prints the sections that show the individual profiles, not the model.  Returns whether anything was printed to
   standard output.  */
static bool print_input_sections(const struct input *input, const struct options *options) {
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

/* Returns whether the report begins with the name of its root: it does if it has a root, and a section that is neither
   written to a file of its own nor input for the linker.  */
static bool has_head(const struct model *model, const struct section_table *table, section_set wanted) {
  section_set others = sections_with(table, WRITES_FILE | PRINTS_ORDER);
  for (size_t i = 0; i < table->count; i++)
    if (table->rows[i].print != NULL && (wanted & ~others) >> i & 1)
      return model->root != NULL;
  return false;
}

static void print_sections(struct model *model, const struct options *options, const char *separator) {
  const struct section_table *table = options->table;
  section_set wanted = wanted_sections(model, options);
  if (has_head(model, table, wanted)) {
    fputs(separator, stdout);
    print_head(stdout, model, options);
    separator = "";
  }
  for (size_t i = 0; i < table->count; i++) {
    size_t place = section_place(options, i);
    if (!(wanted >> place & 1) || table->rows[place].print == NULL)
      continue;
    fputs(separator, stdout);
    table->rows[place].print(stdout, model, options);
    separator = "\f\n";
  }
}

/* Returns whether no rule of the gate is broken.  FIRST is the first profile of the report.  */
static bool passes_gate(const struct gate *gate, const struct model *model, const struct cilkprof_profile *first,
                        const struct options *options) {
  struct model reference = {0};
  if (gate_needs_reference(gate)) {
    struct build build = build_parse(options->reference);
    build_sum(&build, first, &reference, options);
  }
  return gate_check(gate, model, &reference) == 0;
}

/* Fails if the report could not be written, before time is spent on it.  HAS_OWN_FILE: the only section of the report
   writes the file that --output names, and checks it itself.  */
static void check_outputs(const struct options *options, bool has_own_file) {
  const char *const inputs[] = {options->program, options->symbol_table, options->trials, options->file_mapping,
                                options->cachegrind};
  const char *const outputs[] = {has_own_file ? NULL : options->output, options->html, options->plot};
  for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
    keep_named(inputs[i]);
  for (size_t i = 0; i < options->profile_count; i++)
    keep_named(options->profiles[i]);
  for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
    output_check(outputs[i], options->force);
}

/* Builds the model, and reads the trials and samples that are shown with it.  Fails if they do not fit the options.  */
static void build_model(struct model *model, struct input *input, const struct format *format,
                        const struct options *options) {
  check_sections(input, options);
  model->samples = samples_build(input, options);
  if (input->measured > 0) {
    input_build(input, model, options);
  } else {
    model->program = model->samples->program;
    model->run = model->samples->run;
  }
  if (model->root != NULL && options->trials != NULL)
    fail(options->trials, "running times are of the whole program, the report of root %s; use --root=", model->root);
  model->trials = trials_read(options->trials, model_work_seconds(model));
  filters_check(options->filters, model);
  if (options_want(options, NEEDS_TREE))
    check_tree(model, "--emulate");
  model_check_memory(model, options);
  export_check_model(format, model, options);
  sources_keep(model, options);
  if (model->samples != NULL)
    functions_keep_sources(&model->samples->functions, options);
}

static enum status report(const struct options *options, const struct gate *gate, const struct format *format) {
  check_outputs(options, options_want_only(options, TAKES_OUTPUT));
  bool bind = !options_want_only(options, NEEDS_NO_PROGRAM);
  struct input input =
      input_read(options->program, (const char *const *)options->profiles, options->profile_count, bind, options);
  if (options->named == 0 || options_want(options, SHOWS_WHATIFS))
    whatifs_tell_lost(input.profiles, input.count);
  bool printed = print_input_sections(&input, options);
  if (!options_need_model(options))
    return STATUS_DONE;
  struct model model = {0};
  build_model(&model, &input, format, options);
  output_redirect(options->output, options->force);
  if (format != NULL)
    format->print(stdout, &model, options);
  print_sections(&model, options, printed ? "\f\n" : "");
  return passes_gate(gate, &model, &input.profiles[0], options) ? STATUS_DONE : STATUS_GATE;
}

static enum status compare(const struct options *options) {
  check_outputs(options, false);
  output_redirect(options->output, options->force);
  print_diff(stdout, options->program, options->profiles[0], options);
  return STATUS_DONE;
}

int main(int argc, char **argv) {
  mallopt(M_MMAP_THRESHOLD, 1 << 20); /* returns large blocks to the system as soon as they are freed */
  setvbuf(stdout, NULL, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF, 1 << 18);
  output_start();
  struct options options = options_read(argc, argv, &section_table);
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
