/* cilkprof-run: what its parts share.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_LAUNCHER_H
#define CILKPROF_LAUNCHER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "fmt/profile.h"

/* main.c: a line on standard error until there is something else to say, if that is a terminal.  */
__attribute__((format(printf, 1, 2))) void say_for_now(const char *format, ...);
void unsay(void);

/* One line on standard error; all but the first end cilkprof-run with status 1.  */
__attribute__((format(printf, 2, 3))) void say(const char *what, const char *format, ...);
__attribute__((noreturn, format(printf, 2, 3))) void fail(const char *what, const char *format, ...);
__attribute__((noreturn)) void fail_without_memory(void);

/* program.c: what is to be run.  */
struct program {
  const char *name; /* as the user wrote it */
  char *path;
  char **argv;
  enum {
    MAIN_UNKNOWN, /* main was not compiled with -fcilkprof: nothing is known of what it does by itself */
    MAIN_COUNTED, /* it is there with events only: instructions are counted, or it could not be copied */
    MAIN_BARE     /* it is there without events as well */
  } main;
};
struct program program_find(char **argv);

/* input.c: standard input, which every run is to find as the first one did.  */
enum input { INPUT_NONE, INPUT_FILE, INPUT_ONCE };
enum input input_kind(void);
void input_rewind(void);
int input_bait(void);            /* a descriptor with a byte that nobody reads who reads no input */
bool input_bait_taken(int bait); /* and closes it */

/* run.c: runs the program and waits for it.  */
struct setting {
  const char *name; /* of a variable, which then is its process and a colon before VALUE */
  const char *value;
};
struct streams {
  int input;   /* -1: that of cilkprof-run */
  bool silent; /* output goes nowhere */
};
void run_prepare(void);                                                                        /* once */
int run(const struct program *program, struct setting setting, const struct streams *streams); /* status as of wait */
bool run_interrupted(void); /* somebody wants an end */

/* answer.c: a file for what a run has to say, which is removed at the end.  */
const char *answer_path(void);
bool answer_take(char *text, size_t size); /* what the last run said, if anything; the next one says something new */

/* reference.c: the bare program, so many times, or as often as seems worth it when RUNS is 0.  */
struct reference {
  unsigned runs; /* how many there were; 0: there is no reference, and a line says why */
  int status;    /* as of wait; all ended alike */
  struct cilkprof_usage best;
};
struct reference reference_measure(const struct program *program, unsigned runs);

/* measured.c: the run that is profiled, and again where that makes its time better.  Returns the status of the
   first.  */
int measured_run(const struct program *program, const struct reference *reference);

#endif
