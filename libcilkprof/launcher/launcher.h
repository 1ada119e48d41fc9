/* cilkprof-run: what its parts share.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_LAUNCHER_H
#define CILKPROF_LAUNCHER_H

#include <libelf.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "fmt/profile.h"

/* main.c: a line on standard error until there is something else to say, if that is a terminal.  */
__attribute__((format(printf, 1, 2))) void say_for_now(const char *format, ...);
void clear_status(void);

/* One line on standard error; all but the first end cilkprof-run with status 1.  */
__attribute__((format(printf, 2, 3))) void say(const char *what, const char *format, ...);
__attribute__((noreturn, format(printf, 2, 3))) void fail(const char *what, const char *format, ...);
__attribute__((noreturn)) void fail_without_memory(void);

/* options.c: what the command line asks for.  */
enum { MOST_RUNS = 1000, MOST_WORKERS = 1024, MOST_HZ = 100000 };
struct options {
  const char *output;
  unsigned runs; /* 0: as many as seem worth it */
  bool no_reference;
  bool trials;         /* on several numbers of workers, for running times; else for a profile */
  const char *workers; /* those numbers, as the user wrote them; NULL: powers of two up to the processors */
  bool copies;         /* also several of the program at once */
  const char *at_once; /* how many; NULL: as many as there are processors */
  const char *bounds;  /* PROGRAM[:PROFILE] */
  unsigned processors; /* -j: workers of a run that is recorded; 0: as many as it takes by itself */
  unsigned hz;         /* -F; 0: not said */
  bool openmp;         /* what is recorded is OpenMP, though nothing says yet that the program has it */
  char **argv;
};
struct options options_read(int argc, char **argv);
const char *options_of_recording(const struct options *options); /* one that was given; NULL: none */
/* The number from LEAST to MOST at *TEXT, which is moved behind it.  Fails when there is none, or END or a 0 does not
   follow; WHY ends that line.  */
unsigned read_number(const char *option, const char **text, char end, unsigned least, unsigned most, const char *why);

/* program.c: what is to be run.  */
struct program {
  const char *name; /* as the user wrote it */
  char *path;
  char **argv;
  bool instrumented; /* some of it was compiled with -fcilkprof */
  enum {
    MAIN_UNKNOWN, /* main was not compiled with -fcilkprof: nothing is known of what it does by itself */
    MAIN_COUNTED, /* it is there with events only: instructions are counted, or it could not be copied */
    MAIN_BARE     /* it is there without events as well */
  } main;
  bool cilk;        /* the runtime that runs Cilk in parallel is in it, or in a library that it needs */
  bool gomp;        /* it calls gcc's OpenMP, or a library that it needs does */
  bool omp;         /* that of LLVM or Intel */
  bool omp_inside;  /* its OpenMP was linked into it */
  char **libraries; /* paths of all that it needs; NULL behind the last */
};
struct program program_find(char **argv);

/* symbols.c: calls VISIT for each symbol of an ELF file.  */
typedef void symbol_visitor(const char *name, bool defined, void *data);
void symbols_visit(Elf *elf, symbol_visitor *visit, void *data);
bool symbols_visit_file(const char *path, symbol_visitor *visit, void *data); /* whether it can be read */

/* libraries.c: fills in the libraries, and what they say of the program, by asking its dynamic linker.  */
void libraries_find(struct program *program, const char *linker);

/* input.c: standard input, which every run is to find as the first one did.  */
enum input { INPUT_NONE, INPUT_FILE, INPUT_ONCE };
enum input input_kind(void);
void input_rewind(void);
int input_again(void);             /* a descriptor of its own for the file, which is where it was */
int stdin_probe(void);             /* returns a pipe with one byte, to detect whether a program reads its input */
bool stdin_probe_taken(int probe); /* returns whether the byte was read, and closes the pipe */

/* run.c: runs the program and waits for it.  */
struct setting {
  const char *name; /* of a variable, which then is its process and a colon before VALUE */
  const char *value;
};
struct how {
  struct setting setting;
  int input;                   /* 0: that of cilkprof-run */
  int output;                  /* 0: that of cilkprof-run, if not silent */
  bool silent;                 /* what is printed goes nowhere else */
  unsigned workers;            /* the program is told to have so many; 0: nothing is said of them */
  const cpu_set_t *processors; /* NULL: those of cilkprof-run */
};
struct ended {
  pid_t process;
  int status; /* as of wait */
  struct rusage used;
};
void run_prepare(void);                                                /* once */
pid_t run_start(const struct program *program, const struct how *how); /* 0: somebody wants an end */
struct ended run_wait(const struct program *program);                  /* for the next that ends */
int run(const struct program *program, const struct how *how); /* both; returns the status, ends where 0 was started */
int run_interrupted(void);                                     /* the signal by which somebody wants an end, or 0 */

/* answer.c: a new file, open, and its name, which is the caller's.  */
int temporary_file(char **name);

/* A file for what a run has to say, which is removed at the end.  */
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

/* record.c: a parallel run that is sampled; the status of the program.  */
int record_run(const struct program *program, const struct options *options);

/* openmp.c: puts into the environment what has the program sampled, by its OpenMP's own interface for tools.  Returns
   what the program's process is told.  */
struct setting openmp_prepare(const struct program *program);

/* processors.c: those that programs may be run on, the ones first that share no core with another.  */
struct processors {
  int numbers[CPU_SETSIZE];
  unsigned count;
  unsigned share; /* how many of them the control group gives time for */
};
struct processors processors_find(void);

/* trials.c: runs of the program on several numbers of processors; the status of cilkprof-run.  */
int trials_run(const struct program *program, const struct options *options);

#endif
