/* Reference runs: the program without events, a few times where it is short.
   SPDX-License-Identifier: MIT  */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "libcilkprof/launcher/launcher.h"
#include "libcilkprof/reference.h"

enum { MOST_RUNS = 3 };
static const uint64_t ENOUGH_NS = 2000000000;

static uint64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

int make_file(char **path) {
  const char *folder = getenv("TMPDIR");
  if (asprintf(path, "%s/cilkprof-run.XXXXXX", folder != NULL && *folder != 0 ? folder : "/tmp") < 0)
    fail("memory", "none is left");
  int file = mkostemp(*path, O_CLOEXEC);
  if (file < 0)
    fail(*path, "%s; set TMPDIR to a folder that can be written to", strerror(errno));
  return file;
}

static bool read_usage(int file, struct cilkprof_usage *used) {
  char text[128] = "";
  return pread(file, text, sizeof text - 1, 0) > 0 && sscanf(text, CILKPROF_USAGE_READ, &used->cpu_ns, &used->system_ns,
                                                             &used->minor_faults, &used->major_faults) == 4;
}

static const char unchecked[] = "the time of its profile is not checked";

/* Says why it is no reference, if it is none.  */
static bool succeeded(const struct program *program, int status, bool read_input) {
  if (WIFSIGNALED(status))
    say(program->name, "the reference run ended by signal %d (%s); %s", WTERMSIG(status), strsignal(WTERMSIG(status)),
        unchecked);
  else if (WEXITSTATUS(status) != 0)
    say(program->name, "the reference run ended with status %d; %s", WEXITSTATUS(status), unchecked);
  else if (read_input)
    say(program->name, "it reads standard input, which can be read only once; %s, give the input as a file (<FILE)",
        unchecked);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 && !read_input;
}

static bool run_once(const struct program *program, const char *path, int *status) {
  enum input input = input_kind();
  struct streams streams = {.input = input == INPUT_ONCE ? input_bait() : -1, .silent = true};
  *status = run(program, (struct setting){CILKPROF_REFERENCE_TO, path}, &streams);
  bool read_input = input == INPUT_ONCE && input_bait_taken(streams.input);
  input_rewind();
  return !run_interrupted() && succeeded(program, *status, read_input);
}

unsigned reference_measure(const struct program *program, unsigned runs, struct cilkprof_usage *best, int *status) {
  char *path = NULL;
  int file = make_file(&path);
  uint64_t start = now_ns();
  bool terminal = isatty(STDERR_FILENO);
  unsigned done = 0;
  bool good = true, more = true;
  while (good && more) {
    struct cilkprof_usage used;
    if (terminal)
      fprintf(stderr, "\rcilkprof-run: reference run %u", done + 1);
    good = run_once(program, path, status);
    if (terminal)
      fputs("\r\033[K", stderr);
    if (good && !read_usage(file, &used)) {
      say(program->name, "the reference run did not end in its first thread; %s", unchecked);
      good = false;
    }
    if (good && (done++ == 0 || used.cpu_ns < best->cpu_ns))
      *best = used;
    uint64_t took = now_ns() - start;
    more = runs > 0 ? done < runs : done < MOST_RUNS && took + took / (done + 1) < ENOUGH_NS;
  }
  unlink(path);
  close(file);
  free(path);
  return good ? done : 0;
}
