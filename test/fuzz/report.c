/* Fuzzing the whole report: an input is the profile, or the program when FUZZ_PROGRAM is defined.
   SPDX-License-Identifier: GPL-3.0-or-later

   The report's main runs again and again in one process.  It frees little and leaves by exit: the memory is taken back
   by limits.c, exit is a jump, descriptors are closed.  FUZZ_OTHER in the environment names the program, or the
   profile.  */

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "fmt/layout.h"
#include "test/fuzz/fuzz.h"
#include "test/fuzz/limits.h"
#include "test/fuzz/repair.h"

int report_main(int argc, char **argv); /* main of cilkprof-report/main.c */
int __wrap_atexit(void (*function)(void));
__attribute__((noreturn)) void __wrap_exit(int status);

/* What is wrong with a program is said in words that the C library keeps for good: what is left must not be freed.  */
#ifdef FUZZ_PROGRAM
enum { OF_PROGRAMS = 1 };
#else
enum { OF_PROGRAMS = 0 };
#endif

static jmp_buf out;
static int running, first_descriptor;

/* Takes the place of atexit: registers nothing, as what the report does at its end would close standard output.  */
int __wrap_atexit(void (*function)(void)) {
  (void)function;
  return 0;
}

void __real_exit(int status) __attribute__((noreturn));

/* Takes the place of exit: the report has failed, and the fuzzer goes on with the next input.  */
void __wrap_exit(int status) {
  if (running)
    longjmp(out, status + 1);
  __real_exit(status);
}

/* The sections, in sets that may stand together.  */
static const char *const options[][12] = {
    {"--force", "--verdict", "--summary", "-p", "-q", "--sites", "--critical-path", "-i"},
    {"--force", "-C", "-r", "-z", "-c", "-l"},
    {"--force", "--contexts=0"},
    {"--force", "--waste", "--top-down=0", "--bottom-up=0", "-i"},
    {"--force", "--fold-recursion", "--top-down", "--no-demangle"},
    {"--force", "--csv"},
    {"--force", "--csv=regions"},
    {"--force", "--emulate=static,dynamic,2,cilk,greedy", "--processors=1,3"},
    {"--force", "--csv=waste"},
    {"--force", "--format=collapsed", "--metric=idleness"},
    {"--force", "--format=callgrind", "--metric=overhead"},
    {"--force", "--format=json"},
    {"--force", "--format=callgrind"},
    {"--force", "--format=gmon"},
    {"--force", "--format=collapsed"},
    {"--force", "--format=speedscope"},
    {"--force", "--format=pprof"},
    {"--force", "--format=sarif"},
    {"--force", "--format=markdown"},
    {"--force", "--format=github"},
    {"--force", "--format=github", "--gate=parallelism > 1e9; span(main) < 1"},
    {"--force", "-A", "-x", "-L", "--inline-file-names", "-a", "-D", "-p", "-q", "-z"},
    {"--force", "--recover", "-T", "-b", "--no-demangle", "-p", "-q", "-C"},
};
enum { SETS = sizeof options / sizeof *options };

/* Prepares the process, so that the report prints nothing.  */
static void fuzz_start(void) {
  int null = open("/dev/null", O_WRONLY);
  if (getenv("FUZZ_SHOW") == NULL)
    dup2(null, STDOUT_FILENO);
  first_descriptor = null;
  close(null);
  signal(SIGCHLD,
         SIG_IGN); /* a report that ends early leaves the process that reads debugging information to the system */
}

/* Runs the report on INPUT with one set of options.  */
static void fuzz_run(const char *input, size_t size, size_t set) {
  const char *other = getenv("FUZZ_OTHER");
  char *argv[20] = {(char *)(uintptr_t) "cilkprof-report"};
  volatile int argc = 1;
  if (other == NULL)
    __real_exit(2);
  for (; options[set][argc - 1] != NULL; argc++)
    argv[argc] = (char *)(uintptr_t)options[set][argc - 1];
#ifdef FUZZ_PROGRAM
  argv[argc++] = (char *)(uintptr_t)input;
  argv[argc++] = (char *)(uintptr_t)other;
#else
  argv[argc++] = (char *)(uintptr_t)other;
  argv[argc++] = (char *)(uintptr_t)input;
#endif
  fuzz_limits_begin(size);
  running = 1;
  if (setjmp(out) == 0)
    report_main(argc, argv);
  running = 0;
  fflush(stdout);
  fuzz_limits_end(!OF_PROGRAMS);
  close_range((unsigned)first_descriptor + 1, ~0U, 0);
}

/* Runs the report on an input of SIZE BYTES, with one set of options that depends on the input, or with all if FUZZ_ALL
   is set.  Most inputs are repaired first.  Returns 0, as fuzzers expect.  */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  static int file = -1;
  char name[32];
  uint8_t *copy = malloc(size > 0 ? size : 1);
  if (copy == NULL)
    return 0;
  if (file < 0) {
    fuzz_start();
    file = memfd_create("input", 0);
    dup2(file, first_descriptor);
    file = first_descriptor;
  }
  memcpy(copy, bytes, size);
#ifndef FUZZ_PROGRAM
  if (cilkprof_checksum(1, bytes, size) % 8 != 0) /* some stay damaged */
    fuzz_repair(copy, size);
#endif
  if (ftruncate(file, 0) != 0 || pwrite(file, copy, size, 0) != (ssize_t)size)
    abort();
  free(copy);
  snprintf(name, sizeof name, "/proc/self/fd/%d", file);
  if (getenv("FUZZ_ALL") == NULL)
    fuzz_run(name, size, cilkprof_checksum(0, bytes, size) % SETS);
  else
    for (size_t set = 0; set < SETS; set++)
      fuzz_run(name, size, set);
  return 0;
}
