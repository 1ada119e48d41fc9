/* Describes the program that was profiled.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/support/names.h"
#include "cilkprof-report/support/support.h"
#include "cilkprof-report/tables/program.h"

/* Returns in a few words how a profile was measured in MODE, such as "clock: every strand timed".  */
const char *table_program_mode_text(enum cilkprof_mode mode) {
  switch (mode) {
  case CILKPROF_MODE_COUNT:
    return "count: instructions, counted by the compiler";
  case CILKPROF_MODE_HYBRID:
    return "hybrid: short strands counted, others timed";
  case CILKPROF_MODE_CLOCK:
    return "clock: every strand timed";
  case CILKPROF_MODE_SAMPLED:
    return "sampled: a parallel run";
  case CILKPROF_MODE_WATCHED:
    return "watched: processor time between forks and joins, of a program as it is";
  }
  return "unknown";
}

void print_table_program_command(FILE *out, const struct cilkprof_program *program) {
  for (uint32_t i = 0; i < program->argc; i++) {
    char *argument = escape(program->argv[i]);
    fprintf(out, "%s%s", i > 0 ? " " : "", argument);
    free(argument);
  }
  putc('\n', out);
}

char *table_program_command_text(const struct cilkprof_program *program) {
  char *text;
  size_t size;
  FILE *stream = open_memstream(&text, &size);
  if (stream == NULL)
    fail_without_memory();
  print_table_program_command(stream, program);
  if (fclose(stream) != 0 || text == NULL)
    fail_without_memory();
  text[strcspn(text, "\n")] = 0;
  return text;
}
