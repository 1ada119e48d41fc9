/* The file of trials, which cilkprof-report --trials reads.
   SPDX-License-Identifier: MIT

   There is a line for every process that ran: the number of processors, then elapsed seconds, CPU seconds and system
   CPU seconds; lines of copies start with a word, and those of runs during which other programs had a part of the
   processors end with one.  */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libcilkprof/launcher/trials.h"

static const char mark[] = "# Trials of cilkprof-run:";

/* Returns the name, for the caller to free, under which the file of trials at PATH is written until it is complete:
   PATH and the PID.  */
static char *temporary_launched_trials_name(const char *path) {
  char *name = NULL;
  if (asprintf(&name, "%s.%d", path, (int)getpid()) < 0)
    fail_without_memory();
  return name;
}

/* Fails if there is a file at PATH that holds no trials, so that it is not replaced.  An empty file may be
   replaced.  */
static void check_launched_trials_replaceable(const char *path) {
  char line[sizeof mark] = "";
  struct stat status;
  if (stat(path, &status) < 0)
    return;
  FILE *file = S_ISREG(status.st_mode) ? fopen(path, "re") : NULL;
  bool ours = file != NULL && (fgets(line, sizeof line, file) == NULL || strcmp(line, mark) == 0);
  if (file != NULL)
    fclose(file);
  if (!ours)
    fail(path, "it exists and is not a file of trials; remove it, or choose another name with -o");
}

/* Fails if the file of trials could not be written to PATH, before time is spent on running them.  */
void check_launched_trials_file(const char *path) {
  char *name = temporary_launched_trials_name(path);
  check_launched_trials_replaceable(path);
  FILE *file = fopen(name, "wxe");
  if (file == NULL)
    fail(path, "%s", strerror(errno));
  fclose(file);
  unlink(name);
  free(name);
}

/* Prints an argument of the program in the comment line of the file of trials, with ? for control characters.  */
static void print_launched_trials_argument(FILE *out, const char *argument) {
  putc(' ', out);
  for (; *argument != 0; argument++)
    putc((unsigned char)*argument < ' ' || *argument == 127 ? '?' : *argument, out);
}

/* Writes all TRIALS of PROGRAM to the file at PATH, which appears only when it is complete.  Fails if it cannot be
   written.  */
void write_launched_trials_file(const char *path, const struct program *program, const struct trials *trials) {
  char *name = temporary_launched_trials_name(path);
  FILE *out = fopen(name, "wxe");
  if (out == NULL)
    fail(path, "%s", strerror(errno));
  fputs(mark, out);
  for (char **argument = program->argv; *argument != NULL; argument++)
    print_launched_trials_argument(out, *argument);
  fputs("\n# processors, seconds, seconds of processor time, seconds of that in the system; copies at once the same;\n"
        "# busy: others had processors meanwhile\n",
        out);
  for (size_t i = 0; i < trials->count; i++) {
    const struct trial *trial = &trials->list[i];
    fprintf(out, "%s%u %.6f %.6f %.6f%s\n", trial->copy ? "copies " : "", trial->number, trial->seconds,
            trial->cpu_seconds, trial->system_seconds, trial->busy ? " busy" : "");
  }
  bool failed = ferror(out) != 0;
  if (fclose(out) != 0 || failed || rename(name, path) != 0) {
    int error = errno;
    unlink(name);
    fail(path, "%s", strerror(error));
  }
  free(name);
}
