/* The file of trials, which cilkprof-report --trials reads.
   SPDX-License-Identifier: MIT

   There is a line for every process that ran: the number of processors, then elapsed seconds, CPU seconds and system
   CPU seconds; lines of copies start with a word.  */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libcilkprof/launcher/trials.h"

static const char mark[] = "# Trials of cilkprof-run:";

static char *beside(const char *path) {
  char *name = NULL;
  if (asprintf(&name, "%s.%d", path, (int)getpid()) < 0)
    fail_without_memory();
  return name;
}

/* Refuses to replace a file that holds no trials.  */
static void check_ours(const char *path) {
  char line[sizeof mark] = "";
  struct stat status;
  if (stat(path, &status) < 0)
    return;
  FILE *file = S_ISREG(status.st_mode) ? fopen(path, "re") : NULL;
  bool ours = file != NULL && (fgets(line, sizeof line, file) == NULL || strcmp(line, mark) == 0);
  if (file != NULL)
    fclose(file);
  if (!ours)
    fail(path, "it exists and holds no trials; remove it, or name another file with -o");
}

void trials_file_check(const char *path) {
  char *name = beside(path);
  check_ours(path);
  FILE *file = fopen(name, "wxe");
  if (file == NULL)
    fail(path, "%s", strerror(errno));
  fclose(file);
  unlink(name);
  free(name);
}

/* Prints an argument in a comment line, without control characters.  */
static void print_argument(FILE *out, const char *argument) {
  putc(' ', out);
  for (; *argument != 0; argument++)
    putc((unsigned char)*argument < ' ' || *argument == 127 ? '?' : *argument, out);
}

void trials_file_write(const char *path, const struct program *program, const struct trials *trials) {
  char *name = beside(path);
  FILE *out = fopen(name, "wxe");
  if (out == NULL)
    fail(path, "%s", strerror(errno));
  fputs(mark, out);
  for (char **argument = program->argv; *argument != NULL; argument++)
    print_argument(out, *argument);
  fputs("\n# processors, seconds, seconds of processor time, seconds of that in the system; copies at once the same\n",
        out);
  for (size_t i = 0; i < trials->count; i++) {
    const struct trial *trial = &trials->list[i];
    fprintf(out, "%s%u %.6f %.6f %.6f\n", trial->copy ? "copies " : "", trial->number, trial->seconds,
            trial->cpu_seconds, trial->system_seconds);
  }
  bool failed = ferror(out) != 0;
  if (fclose(out) != 0 || failed || rename(name, path) != 0) {
    int error = errno;
    unlink(name);
    fail(path, "%s", strerror(error));
  }
  free(name);
}
