/* What the profiles are and contain.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <time.h>
#include "cilkprof-report/model/input.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/sections/sections.h"
#include "cilkprof-report/tables/program.h"
#include "cilkprof-report/support/support.h"
#include "fmt/layout.h"

static void print_line(FILE *out, const char *label, const char *text) {
  fprintf(out, "\t%-24s%s\n", label, text);
}

static void print_flags(FILE *out, uint64_t flags) {
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
  };
  const char *before = "";
  fprintf(out, "\t%-24s%s", "flags:", flags == 0 ? "none" : "");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (flags & names[i].flag) {
      fprintf(out, "%s%s", before, names[i].name);
      before = " ";
    }
  fputc('\n', out);
}

static const char *start_time(uint64_t start_ns, struct buffer *buffer) {
  time_t seconds = (time_t)(start_ns / 1000000000);
  struct tm fields;
  char text[40];
  if (gmtime_r(&seconds, &fields) == NULL || strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &fields) == 0)
    return "unknown";
  return buffer_print(buffer, "%s", text);
}

static void print_program(FILE *out, const struct cilkprof_profile *profile, struct buffer *buffer) {
  const struct cilkprof_program *program = &profile->program;
  const struct cilkprof_run *run = &profile->run;
  fprintf(out, "\t%-24s", "command:");
  print_command(out, program);
  print_line(out, "measured:", mode_name(program->mode));
  print_flags(out, program->flags);
  print_line(out, "burden:",
             buffer_print(buffer, "%s instructions, %s units", grouped(program->burden).text,
                          grouped(run->burden_units).text));
  print_line(out, "processors of loops:", buffer_print(buffer, "%llu", (unsigned long long)program->loop_workers));
}

static void print_run(FILE *out, const struct cilkprof_run *run, struct buffer *buffer) {
  print_line(out, "started:", start_time(run->start_ns, buffer));
  print_line(out, "process:", buffer_print(buffer, "%llu", (unsigned long long)run->pid));
  print_line(out, "elapsed:", buffer_print(buffer, "%.6f s", (double)run->elapsed_ns * 1e-9));
  if (run->units_per_second == 0)
    print_line(out, "unit:", "instruction");
  else
    print_line(out, "unit:", buffer_print(buffer, "1/%s s", grouped(run->units_per_second).text));
  if (run->timer_hz == 0)
    print_line(out, "timer:", "not used");
  else
    print_line(out, "timer:",
               buffer_print(buffer, "%s Hz, %.2f ticks to read it", grouped(run->timer_hz).text,
                            (double)run->timer_cost / 1024));
  print_line(out, "preempted strands:",
             buffer_print(buffer, "%s, %s units subtracted", grouped(run->preempted_strands).text,
                          grouped(run->preempted_units).text));
}

static void print_used(FILE *out, const char *label, const struct cilkprof_usage *used, struct buffer *buffer) {
  print_line(out, label,
             buffer_print(buffer, "%.6f s, %.6f s of it in the system, %s minor and %s major page faults",
                          (double)used->cpu_ns * 1e-9, (double)used->system_ns * 1e-9, grouped(used->minor_faults).text,
                          grouped(used->major_faults).text));
}

static void print_usage(FILE *out, const struct cilkprof_usage_record *usage, struct buffer *buffer) {
  print_used(out, "processor time:", &usage->run, buffer);
  print_line(out, "reference runs:", buffer_print(buffer, "%s", grouped(usage->reference_runs).text));
  if (usage->reference_runs > 0)
    print_used(out, "reference:", &usage->reference, buffer);
  print_line(out, "as measured:", buffer_print(buffer, "1/%s s", grouped(usage->units_per_second).text));
}

static void print_objects(FILE *out, const struct cilkprof_profile *profile) {
  for (size_t i = 0; i < profile->object_count; i++) {
    const struct cilkprof_object *object = &profile->objects[i];
    char *path = escape(object->path), *build_id = format_build_id(object->build_id, object->build_id_size);
    fprintf(out, "\t%-24s%s (build-id %s)\n", i == 0 ? "program:" : "library:", path, build_id);
    free(path);
    free(build_id);
  }
}

void print_info(FILE *out, const struct input *input) {
  struct buffer buffer = {NULL, 0};
  for (size_t i = 0; i < input->count; i++) {
    const struct cilkprof_profile *profile = &input->profiles[i];
    char *path = escape(input->paths[i]);
    fprintf(out, "File `%s' (version %u) contains:\n", path, CILKPROF_FILE_VERSION);
    fprintf(out, "\t%zu object record%s\n\t%zu call-site record%s\n", profile->object_count,
            plural(profile->object_count), profile->site_count, plural(profile->site_count));
    if (profile->region_count > 0)
      fprintf(out, "\t%zu region record%s\n", profile->region_count, plural(profile->region_count));
    if (profile->whatif_count > 0)
      fprintf(out, "\t%zu what-if record%s\n", profile->whatif_count, plural(profile->whatif_count));
    print_program(out, profile, &buffer);
    print_run(out, &profile->run, &buffer);
    if (profile->has_usage)
      print_usage(out, &profile->usage, &buffer);
    print_objects(out, profile);
    free(path);
  }
  free(buffer.text);
}
