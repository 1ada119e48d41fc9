/* Information about the profiles and their contents.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "cilkprof-report/emulation/overheads.h"
#include "cilkprof-report/model/input.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/sections/sections.h"
#include "cilkprof-report/tables/program.h"
#include "cilkprof-report/support/prose.h"
#include "cilkprof-report/support/support.h"
#include "fmt/layout.h"

/* The output and its width.  */
struct info {
  FILE *out;
  unsigned terminal_width;
  struct buffer buffer;
};

/* Prints a tab and a label, as gprof does, and a text that may take several lines.  */
static void print_info_line(const struct info *info, const char *label, const char *text) {
  enum { TAB = 8, LABELS = 24 };
  fprintf(info->out, "\t%-*s", LABELS, label);
  print_prose_field(info->out, text, TAB + LABELS, info->terminal_width);
}

/* Prints the names of the FLAGS that a profile has, such as "incomplete", or "none".  */
static void print_info_flags(struct info *info, uint64_t flags) {
  static const struct {
    uint64_t flag;
    const char *name;
  } names[] = {
      {CILKPROF_INCOMPLETE, "incomplete"},
      {CILKPROF_NO_ON_SPAN, "no-on-span"},
      {CILKPROF_OTHER_THREADS, "other-threads"},
      {CILKPROF_CONTEXTS_CUT, "contexts-cut"},
      {CILKPROF_DAMAGED, "damaged"},
      {CILKPROF_SATURATED, "saturated"},
      {CILKPROF_FROM_LIVE, "from-live"},
      {CILKPROF_TASKS, "tasks"},
  };
  char text[sizeof names / sizeof *names * 16] = "", *end = text;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (flags & names[i].flag)
      end = stpcpy(stpcpy(end, end > text ? " " : ""), names[i].name);
  print_info_line(info, "flags:", flags == 0 ? "none" : text);
}

/* Returns the time when a run started, in nanoseconds since 1970, as text in BUFFER, or "unknown".  */
static const char *printed_info_start_time(uint64_t start_ns, struct buffer *buffer) {
  time_t seconds = (time_t)(start_ns / 1000000000);
  struct tm fields;
  char text[40];
  if (gmtime_r(&seconds, &fields) == NULL || strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &fields) == 0)
    return "unknown";
  return buffer_print(buffer, "%s", text);
}

/* Prints the command of the profiled program, how it was measured, and with which settings.  */
static void print_info_program(struct info *info, const struct cilkprof_profile *profile) {
  const struct cilkprof_program *program = &profile->program;
  const struct cilkprof_run *run = &profile->run;
  char *command = table_program_command_text(program);
  print_info_line(info, "command:", command);
  free(command);
  print_info_line(info, "measured:", table_program_mode_text(program->mode));
  print_info_flags(info, program->flags);
  if (program->mode == CILKPROF_MODE_SAMPLED)
    return;
  print_info_line(info, "burden:",
                  buffer_print(&info->buffer, "%s instructions, %s units", model_grouped_number(program->burden).text,
                               model_grouped_number(run->burden_units).text));
  print_info_line(
      info, "processors of loops:", buffer_print(&info->buffer, "%llu", (unsigned long long)program->loop_workers));
}

/* Prints the roots of a profile, with the number of times that each was measured.  */
static void print_info_roots(struct info *info, const struct cilkprof_profile *profile) {
  for (size_t i = 0; i < profile->root_count; i++) {
    const struct cilkprof_root *root = &profile->roots[i];
    char *name = escape(root->name);
    print_info_line(info, "root:",
                    buffer_print(&info->buffer, "%s, %s invocation%s%s", name,
                                 model_grouped_number(root->invocations).text, model_plural_ending(root->invocations),
                                 root->kind & CILKPROF_ROOT_PARTIAL ? ", not measured every time" : ""));
    free(name);
  }
}

/* Prints when and how long the program ran, and how its time was measured.  SAMPLED: it was a parallel run, to which
   only the former applies.  */
static void print_info_run(struct info *info, const struct cilkprof_run *run, bool sampled) {
  print_info_line(info, "started:", printed_info_start_time(run->start_ns, &info->buffer));
  print_info_line(info, "process:", buffer_print(&info->buffer, "%llu", (unsigned long long)run->pid));
  print_info_line(info, "elapsed:", buffer_print(&info->buffer, "%.6f s", (double)run->elapsed_ns * 1e-9));
  if (sampled)
    return;
  if (run->units_per_second == 0)
    print_info_line(info, "unit:", "instruction");
  else
    print_info_line(info,
                    "unit:", buffer_print(&info->buffer, "1/%s s", model_grouped_number(run->units_per_second).text));
  if (run->timer_hz == 0)
    print_info_line(info, "timer:", "not used");
  else
    print_info_line(info, "timer:",
                    buffer_print(&info->buffer, "%s Hz, %.2f ticks to read it",
                                 model_grouped_number(run->timer_hz).text, (double)run->timer_cost / 1024));
  print_info_line(info, "preempted strands:",
                  buffer_print(&info->buffer, "%s, %s units subtracted",
                               model_grouped_number(run->preempted_strands).text,
                               model_grouped_number(run->preempted_units).text));
}

/* Prints the processor time and the page faults of some runs after LABEL.  */
static void print_info_used(struct info *info, const char *label, const struct cilkprof_usage *used) {
  print_info_line(info, label,
                  buffer_print(&info->buffer, "%.6f s, %.6f s of it in the system, %s minor and %s major page faults",
                               (double)used->cpu_ns * 1e-9, (double)used->system_ns * 1e-9,
                               model_grouped_number(used->minor_faults).text,
                               model_grouped_number(used->major_faults).text));
}

/* Prints the resource usage of the profiled run and of the reference runs.  */
static void print_info_usage(struct info *info, const struct cilkprof_usage_record *usage) {
  print_info_used(info, "processor time:", &usage->run);
  if (usage->delayed_ns > 0 || usage->blocked_ns > 0)
    print_info_line(info, "without a processor:",
                    buffer_print(&info->buffer, "%.6f s ready to run, %.6f s asleep or waiting",
                                 (double)usage->delayed_ns * 1e-9, (double)usage->blocked_ns * 1e-9));
  print_info_line(
      info, "reference runs:", buffer_print(&info->buffer, "%s", model_grouped_number(usage->reference_runs).text));
  if (usage->reference_runs > 0)
    print_info_used(info, "reference:", &usage->reference);
  print_info_line(
      info, "as measured:", buffer_print(&info->buffer, "1/%s s", model_grouped_number(usage->units_per_second).text));
}

/* Prints how a run on several workers went.  */
static void print_info_workers(struct info *info, const struct cilkprof_workers *workers) {
  print_info_line(info, "workers:",
                  buffer_print(&info->buffer, "%s, %.6f s elapsed, %s children deferred, %s stolen",
                               model_grouped_number(workers->workers).text, (double)workers->elapsed_ns * 1e-9,
                               model_grouped_number(workers->deferred).text,
                               model_grouped_number(workers->stolen).text));
}

/* Prints the size of the tree of sections and tasks in a profile, and its flags.  */
static void print_info_tree(struct info *info, const struct cilkprof_tree *tree) {
  static const struct {
    uint64_t flag;
    const char *name;
  } flags[] = {{CILKPROF_TREE_WIDENED, ", widened"}, {CILKPROF_TREE_CUT, ", cut"},
               {CILKPROF_TREE_OPEN, ", open"},       {CILKPROF_TREE_NESTING, ", nesting"},
               {CILKPROF_TREE_OF_CILK, ", of Cilk"}, {CILKPROF_TREE_COUNTED, ", counted"}};
  char text[64] = "", *end = text;
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
    if (tree->flags & flags[i].flag)
      end = stpcpy(end, flags[i].name);
  print_info_line(info, "tree:",
                  buffer_print(&info->buffer, "%s nodes, %s children, tolerance %.1f%%%s",
                               model_grouped_number(tree->node_count).text,
                               model_grouped_number(tree->child_count).text, (double)tree->tolerance / 10, text));
}

/* Prints the costs that emulations assume on this machine, in nanoseconds, and whether they were measured.  */
static void print_info_overheads(struct info *info) {
  struct overheads overheads;
  bool measured = read_emulated_overheads(&overheads) == OVERHEADS_MEASURED;
  char text[256] = "", *end = text;
  for (size_t i = 0; i < OVERHEADS; i++)
    end += sprintf(end, "%s%s %.0f", i > 0 ? ", " : "", overhead_names[i].name,
                   *emulated_overhead_by_index(&overheads, i));
  print_info_line(info, "overheads:",
                  buffer_print(&info->buffer, "%s ns; %s", text, measured ? "measured by --calibrate" : "typical"));
}

/* Prints the hardware counters of the sections in a profile.  */
static void print_info_counted(struct info *info, const struct cilkprof_tree *tree) {
  for (size_t i = 0; i < tree->count_count; i++) {
    const struct cilkprof_tree_counts *counts = &tree->counts[i];
    char *name = escape(tree->names[counts->name]);
    print_info_line(info, "counted:",
                    buffer_print(&info->buffer, "%s: %s times, %s ns, %s instructions, %s cycles, %s misses",
                                 name[0] != 0 ? name : "(no name)", model_grouped_number(counts->times).text,
                                 model_grouped_number(counts->nanoseconds).text,
                                 model_grouped_number(counts->instructions).text,
                                 model_grouped_number(counts->cycles).text, model_grouped_number(counts->misses).text));
    free(name);
  }
}

/* Prints the model of this machine's memory that emulations use.  */
static void print_info_memory_costs(struct info *info) {
  struct memory_machine machine = read_memory_contention_parameters();
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (out == NULL)
    fail_without_memory();
  print_memory_contention_parameters(out, &machine, " ", ", ");
  fclose(out);
  bool known = is_memory_contention_calibrated(&machine);
  print_info_line(info, "memory:",
                  known ? buffer_print(&info->buffer, "%.*s; measured by --calibrate", (int)size - 2, text)
                        : "not measured; --calibrate does");
  free(text);
}

/* Prints what the processor counted in all samples of PROFILE, if it counted anything.  */
static void print_info_sampled_counters(struct info *info, const struct cilkprof_profile *profile) {
  struct cilkprof_counters sum = {0};
  for (size_t i = 0; i < profile->counters_count; i++) {
    model_add_saturating(&sum.instructions, profile->counters[i].instructions);
    model_add_saturating(&sum.cycles, profile->counters[i].cycles);
    model_add_saturating(&sum.misses, profile->counters[i].misses);
    model_add_saturating(&sum.hitm, profile->counters[i].hitm);
  }
  if (profile->counters_count == 0)
    return;
  struct quantity misses = model_grouped_number(sum.misses), hitm = model_grouped_number(sum.hitm);
  print_info_line(info, "counted:",
                  buffer_print(&info->buffer, "%s instructions, %s cycles, %s misses, %s HITM",
                               model_grouped_number(sum.instructions).text, model_grouped_number(sum.cycles).text,
                               sum.misses != CILKPROF_NOT_COUNTED ? misses.text : "no",
                               sum.hitm != CILKPROF_NOT_COUNTED ? hitm.text : "no"));
}

/* Prints how many samples a profile of a parallel run has, and of how many workers.  */
static void print_info_sampling(struct info *info, const struct cilkprof_sampling *sampling) {
  print_info_line(info, "samples:",
                  buffer_print(&info->buffer, "%s, %s of idle threads, %s without memory for their paths",
                               model_grouped_number(sampling->samples).text,
                               model_grouped_number(sampling->idle_samples).text,
                               model_grouped_number(sampling->lost_samples).text));
  print_info_line(info, "workers:",
                  buffer_print(&info->buffer, "%llu on %llu processors", (unsigned long long)sampling->workers,
                               (unsigned long long)sampling->processors));
}

/* Prints how many samples a run has that was profiled, and how many of them are on the span.  */
static void print_info_strands(struct info *info, const struct cilkprof_profile *profile) {
  uint64_t on_span = 0;
  for (size_t i = 0; i < profile->stack_span_count; i++)
    model_add_saturating(&on_span, profile->stack_spans[i].samples);
  print_info_line(info, "samples:",
                  buffer_print(&info->buffer, "%s, %s on the span",
                               model_grouped_number(profile->sampling.samples).text,
                               model_grouped_number(on_span).text));
}

/* Prints the program and the libraries of a profile, with their build IDs.  */
static void print_info_objects(struct info *info, const struct cilkprof_profile *profile) {
  for (size_t i = 0; i < profile->object_count; i++) {
    const struct cilkprof_object *object = &profile->objects[i];
    char *path = escape(object->path), *build_id = format_object_build_id(object->build_id, object->build_id_size);
    print_info_line(info,
                    i == 0 ? "program:" : "library:", buffer_print(&info->buffer, "%s (build-id %s)", path, build_id));
    free(path);
    free(build_id);
  }
}

/* Prints the section of --file-info: for each profile its records, its program and its run.  */
void print_info(FILE *out, const struct input *input, const struct options *options) {
  struct info info = {out, options->terminal_width, {NULL, 0}};
  for (size_t i = 0; i < input->count; i++) {
    const struct cilkprof_profile *profile = &input->wholes[i];
    char *path = escape(input->paths[i]);
    fprintf(out, "File `%s' (version %u) contains:\n", path, CILKPROF_FILE_VERSION);
    fprintf(out, "\t%zu object record%s\n\t%zu call-site record%s\n", profile->object_count,
            model_plural_ending(profile->object_count), profile->site_count, model_plural_ending(profile->site_count));
    if (profile->region_count > 0)
      fprintf(out, "\t%zu region record%s\n", profile->region_count, model_plural_ending(profile->region_count));
    if (profile->whatif_count > 0)
      fprintf(out, "\t%zu what-if record%s\n", profile->whatif_count, model_plural_ending(profile->whatif_count));
    if (profile->root_count > 0)
      fprintf(out, "\t%zu root record%s\n", profile->root_count, model_plural_ending(profile->root_count));
    if (profile->has_sampling)
      fprintf(out, "\t%zu stack record%s\n", profile->stack_count, model_plural_ending(profile->stack_count));
    print_info_program(&info, profile);
    print_info_roots(&info, profile);
    print_info_run(&info, &profile->run, profile->program.mode == CILKPROF_MODE_SAMPLED);
    if (profile->has_usage)
      print_info_usage(&info, &profile->usage);
    if (profile->workers.workers > 0)
      print_info_workers(&info, &profile->workers);
    if (profile->tree.node_count > 0) {
      print_info_tree(&info, &profile->tree);
      print_info_counted(&info, &profile->tree);
      print_info_overheads(&info);
      print_info_memory_costs(&info);
    }
    if (has_parallel_samples(profile))
      print_info_sampling(&info, &profile->sampling);
    else if (profile->has_sampling)
      print_info_strands(&info, profile);
    print_info_sampled_counters(&info, profile);
    print_info_objects(&info, profile);
    free(path);
  }
  free(info.buffer.text);
}
