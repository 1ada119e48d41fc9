/* What the files of cilkprof-run share.
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

/* messages.c: a progress line, shown on standard error until the next message if that is a terminal.  */
__attribute__((format(printf, 1, 2))) void show_launcher_progress(const char *format, ...);
void clear_launcher_progress(void);

/* Exit statuses of what runs a program and fails, as env, time and timeout have them.  */
enum {
  LAUNCH_FAILED = 125, /* for a reason of its own, or the program left no profile */
  LAUNCH_CANNOT_EXECUTE = 126,
  LAUNCH_NOT_FOUND = 127
};
void set_launcher_failure_status(int status);

/* Print one line on standard error; the fail functions then exit with the status that was set, or 1.  */
__attribute__((format(printf, 2, 3))) void say(const char *what, const char *format, ...);
__attribute__((noreturn, format(printf, 2, 3))) void fail(const char *what, const char *format, ...);
__attribute__((noreturn)) void fail_without_memory(void);

/* options.c: the command line.  */
enum { MAX_RUNS = 1000, MAX_WORKERS = 1024, MAX_HZ = 100000 };
struct options {
  const char *output;
  unsigned runs; /* 0: as many as are useful */
  bool no_reference;
  bool trials;                /* measure running times with several numbers of workers; otherwise a profile is made */
  const char *workers;        /* those numbers, as given; NULL: powers of two up to the number of processors */
  bool copies;                /* also run several copies of the program at once */
  const char *at_once;        /* how many copies; NULL: as many as there are processors */
  const char *bounds;         /* PROGRAM[:PROFILE] */
  bool no_table;              /* do not print the running times: a report will */
  const char *asked_workers;  /* the argument of -j, or NULL */
  unsigned record_workers;    /* that number; 0: the program decides */
  const char *profile_option; /* an option for profiles that was given, or NULL */
  const char *whatif_option;  /* an option for builds for what-if questions that was given, or NULL */
  const char *cilk_option;    /* an option for parallel Cilk programs that was given, or NULL */
  unsigned hz;                /* -F; 0: not given */
  unsigned processors;        /* for which a report judges the program; 0: it decides */
  const char *samples;        /* --samples: the file for the samples of all trials; NULL: they are only timed */
  bool watched;               /* measure the work and span of an OpenMP program, too */
  bool hand;                  /* watch forks by hand even if the program does not seem to have any */
  bool openmp;                /* record OpenMP even if the program does not seem to use it */
  char **argv;
};
struct options launcher_options_read(int argc, char **argv);
const struct argp *
launcher_profile_option_parser(void); /* variables.c: options that set variables of the profiled program */
const char *given_recording_option(const struct options *options); /* an option for recording that was given, or NULL */
/* Reads the number from LEAST to MOST at *TEXT, and advances *TEXT past it.  Fails if there is none, or if neither END
   nor the end of the string follows; WHY is appended to the message.  */
unsigned read_launcher_number(const char *option, const char **text, char end, unsigned least, unsigned most,
                              const char *why);

/* installed.c: the path of a file in the tree in which this program is installed, for the caller to free.  */
char *installed_file(const char *name);

/* program.c: the program to run.  */
struct program {
  const char *name; /* as given on the command line */
  char *path;
  char **argv;
  bool instrumented; /* parts of it were compiled with -fcilkprof */
  enum {
    MAIN_UNKNOWN, /* main was not compiled with -fcilkprof, so its own work is unknown */
    MAIN_COUNTED, /* main exists with events only: it counts instructions, or could not be cloned */
    MAIN_BARE     /* main also exists without events */
  } main;
  enum {
    MODE_UNKNOWN, /* it is not instrumented, or has no symbols that tell */
    MODE_WHATIF,  /* it was compiled for what-if questions */
    MODE_WORKERS, /* it is profiled while it runs on several workers */
    MODE_OTHER
  } mode;
  bool annotated;   /* it was linked with the library that records annotations of serial code */
  bool cilk;        /* it or one of its libraries contains the parallel Cilk runtime */
  bool gomp;        /* it or one of its libraries uses gcc's OpenMP */
  bool omp;         /* likewise, that of LLVM or Intel */
  bool hand;        /* it or one of its libraries forks by hand, with <cilkprof.h> */
  bool tbb;         /* it or one of its libraries uses oneTBB */
  bool omp_inside;  /* its OpenMP runtime is linked statically */
  bool other;       /* it is for another kind of processor */
  bool privileged;  /* it runs with another user's or group's rights, so that nothing is loaded with it */
  char **libraries; /* paths of all libraries that it needs, terminated by NULL */
};
struct program find_launched_program(char **argv);
__attribute__((noreturn)) void fail_to_execute(const char *path, int error);
void refuse_source_file(const char *file);

/* symbols.c: calls VISIT for each symbol of an ELF file.  */
typedef void symbol_visitor(const char *name, bool defined, void *data);
void launcher_visit_symbols(Elf *elf, symbol_visitor *visit, void *data);
bool launcher_visit_file_symbols(const char *path, symbol_visitor *visit,
                                 void *data); /* returns whether the file can be read */
bool launcher_visit_file_sections(const char *path, symbol_visitor *visit, void *data);

/* libraries.c: fills in the libraries of the program and what follows from them, by asking its dynamic linker.  */
void find_launched_libraries(struct program *program, const char *linker);

/* input.c: standard input, which every run should find in the same state.  */
enum input { INPUT_NONE, INPUT_FILE, INPUT_ONCE };
enum input launched_input_kind(void);
void rewind_launched_input(void);
int reopen_launched_input(void);     /* a new descriptor for the file, at the position where it was */
int open_launched_stdin_probe(void); /* a descriptor with one byte, which only a program that reads input reads */
bool close_launched_stdin_probe(int probe); /* also closes it */

/* run.c: runs the program and waits for it.  */
struct setting {
  const char *name; /* name of an environment variable, which is set to the PID, a colon and VALUE; NULL: none */
  const char *value;
};
struct run_setup {
  struct setting settings[2];
  int input;                   /* 0: that of cilkprof-run */
  int output;                  /* 0: that of cilkprof-run, unless silent */
  bool silent;                 /* discard what the program prints */
  unsigned workers;            /* number of workers for the program; 0: not set */
  const cpu_set_t *processors; /* NULL: those of cilkprof-run */
};
struct run_result {
  pid_t process;
  int status; /* as returned by wait */
  struct rusage used;
};
void prepare_launching(void);                                               /* called once */
char **launched_arguments(const struct program *program, unsigned workers); /* with that number in the place of {} */
/* Adds a setting for every program that is launched from now on; VALUE is copied.  */
void set_for_launched_programs(const char *name, const char *value);
pid_t launch_program(const struct program *program,
                     const struct run_setup *setup);                        /* 0 if cilkprof-run was interrupted */
struct run_result wait_for_launched_program(const struct program *program); /* waits for the next run to end */
/* Starts the program and waits; exits if cilkprof-run was interrupted.  */
struct run_result run_launched_program(const struct program *program, const struct run_setup *setup);
int launcher_interruption(void); /* the signal that interrupted cilkprof-run, or 0 */

/* profile.c: runs the program once for a profile.  Returns its status.  */
int launch_for_profile(const struct program *program, struct run_setup setup);
/* Returns whether one of these runs wrote its profile, as far as that can be known.  */
bool is_launched_profile_written(void);
char *find_launched_live_file(void); /* what the last run left in place of it, or NULL */

/* answer.c: creates and opens a temporary file.  The caller frees NAME.  */
int open_launcher_temporary(char **name);

/* The file for the report of a run, which is removed at the end.  */
const char *launched_answer_path(void);
bool take_launched_answer(char *text, size_t size); /* the report of the last run, if any; empties the file */

/* reference.c: runs the program without events RUNS times, or as often as useful if RUNS is 0.  */
struct reference {
  unsigned runs; /* how many runs there were; 0 if there is no reference, after a message */
  int status;    /* as returned by wait; it was the same for all */
  struct cilkprof_usage best;
};
struct reference measure_reference_runs(const struct program *program, unsigned runs);

int launch_profiled_program(const struct program *program, const struct reference *reference, unsigned workers);

/* record.c: returns whether PROGRAM is sampled as one of oneTBB.  */
bool is_recorded_with_tbb(const struct program *program, const struct options *options);
/* Sets how many samples a second the launched programs take; HZ is 0: as many as they do by themselves.  */
void set_sampling_rate_for_launched(unsigned hz);
/* Fails if PROGRAM cannot be recorded, and else sets the environment for runs that are.  Returns the variable for the
   program's process, if one is needed.  */
struct setting prepare_recording(const struct program *program, const struct options *options);
int launch_recorded_program(const struct program *program, const struct options *options);

/* preload.c: sets the environment so that the installed library NAME is loaded with the program.  Returns the variable
   for the program's process.  */
struct setting prepare_recording_preload(const char *name, const char *needed, const char *second, unsigned processors);

/* openmp.c: sets the environment so that OpenMP's runtime loads the sampler as a tool.  Returns the variable for the
   program's process.  */
struct setting prepare_openmp_recording(const struct program *program, const struct options *options);

/* processors.c: the processors on which programs may run; those that share no core with an earlier one come first.  */
struct processors {
  int numbers[CPU_SETSIZE];
  unsigned count;
  unsigned share; /* how many of them the control group's quota allows */
};
struct processors find_launcher_processors(void);

int launch(const struct program *program, const struct options *options);

/* trials.c: measures running times on several numbers of processors.  Returns the exit status of cilkprof-run.  */
int run_launched_trials(const struct program *program, const struct options *options);

#endif
