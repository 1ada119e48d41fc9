/* cilkprof-report: where the work and the span of a Cilk program are.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "cilkprof-report/sections.h"
#include "cilkprof-report/support.h"

static void read_profile(const char *path, struct cilkprof_profile *profile) {
  struct cilkprof_read_error error;
  struct file file = file_read(path);
  if (cilkprof_read(file.bytes, file.size, profile, &error) != 0)
    fail(path, "%s (at byte %zu)", error.message, error.offset);
  free(file.bytes);
}

static void build_model(struct model *model, const struct options *options) {
  struct cilkprof_profile *profiles = allocate(options->profile_count, sizeof *profiles);
  for (size_t i = 0; i < options->profile_count; i++)
    read_profile(options->profiles[i], &profiles[i]);
  struct binding binding = bind_program(options->program, options->force);
  for (size_t i = 0; i < options->profile_count; i++) {
    struct bound_object **bound = bind_profile(&binding, &profiles[i], options->profiles[i]);
    model_add(model, &profiles[i], bound, options->profiles[i], options->force);
    free(bound);
  }
  for (size_t i = 0; options->unused && i < binding.count; i++)
    model_add_unreached(model, binding.files[i]->object);
  model_finish(model);
}

static const struct {
  enum section section;
  void (*print)(FILE *out, struct model *model, const struct options *options);
} sections[] = {
    {SECTION_VERDICT, print_verdict}, {SECTION_SUMMARY, print_summary}, {SECTION_FLAT, print_flat},
    {SECTION_GRAPH, print_graph},     {SECTION_SITES, print_sites},     {SECTION_CSV, print_csv},
};

static void print_sections(struct model *model, const struct options *options) {
  const char *separator = "";
  for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
    if (!(options->sections & sections[i].section))
      continue;
    fputs(separator, stdout);
    sections[i].print(stdout, model, options);
    separator = "\f\n";
  }
}

/* Whatever was printed, by whichever way out: a report that is not whole on a full disk is a failure.  */
static void check_output(void) {
  if (!ferror(stdout) && fflush(stdout) == 0 && fclose(stdout) == 0)
    return;
  fprintf(stderr, "cilkprof-report: standard output: %s\n", strerror(errno));
  _exit(1);
}

int main(int argc, char **argv) {
  atexit(check_output);
  struct options options = options_read(argc, argv);
  struct model model = {0};
  build_model(&model, &options);
  print_sections(&model, &options);
  return 0;
}
