/* What the files for trials share: running times on several numbers of processors.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_LAUNCHER_TRIALS_H
#define CILKPROF_LAUNCHER_TRIALS_H

#include "libcilkprof/launcher/launcher.h"

/* The configurations of each round: the program with several numbers of workers, then copies of it.  */
struct plan {
  unsigned workers[CPU_SETSIZE]; /* in ascending order, starting with 1 */
  size_t count;
  unsigned copies; /* 0: none */
  unsigned runs;   /* number of rounds */
};

/* The measurement of one process.  */
struct trial {
  bool copy;
  unsigned number; /* number of workers, or of copies that ran at once */
  double seconds, cpu_seconds, system_seconds;
  bool busy; /* other programs had a notable part of its processors meanwhile */
};

struct trials {
  struct trial *list;
  size_t count, room;
};

struct plan plan_trials(const struct options *options, const struct processors *processors);

/* outputs.c */
int open_trial_output(void);                           /* opens a file for the output of one run */
void compare_trial_output(int file, unsigned workers); /* also closes it */
unsigned trial_workers_with_other_output(
    void); /* a number of workers for which the output differs from that of one; 0 if there is none */

/* busy.c */
double launcher_busy_seconds(const cpu_set_t *set);
bool is_launched_trial_disturbed(double busy, double cpu_seconds, double seconds, unsigned processors);

/* trials-file.c */
void check_launched_trials_file(const char *path); /* fails if it could not be written, before time is spent */
void write_launched_trials_file(const char *path, const struct program *program, const struct trials *trials);

/* trials-samples.c */
struct setting begin_trial_samples(const struct program *program, const struct options *options);
void add_trial_samples(const struct program *program, pid_t process, bool is_copy); /* after a run */
void print_trial_samples_command(void);

/* trials-table.c */
void print_launched_trials_table(const struct plan *plan, const struct trials *trials);

#endif
