/* Recording a parallel run: the samples are taken by the Cilk runtime, or by a library that is
   loaded with the program: a tool of OpenMP's runtime, or one that oneTBB's functions pass through.
   SPDX-License-Identifier: MIT  */

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libcilkprof/launcher/launcher.h"
#include "libcilkprof/common/protocol.h"

/* Sets the environment variable NAME of the recorded program to NUMBER; does nothing if that is 0.  */
static void set_recording_variable(const char *name, unsigned number) {
  char text[16];
  snprintf(text, sizeof text, "%u", number);
  if (number > 0 && setenv(name, text, 1) < 0)
    fail_without_memory();
}

/* Unsets OMP_NUM_THREADS if it is no list of numbers of threads, and says so.  GCC's runtime ignores such a value, too;
   LLVM's, which takes its place, may end the program.  */
static void ignore_wrong_number_of_threads(void) {
  const char *value = getenv("OMP_NUM_THREADS"), *at = value;
  bool more = value != NULL, wrong = false;
  while (more && !wrong) {
    char *end;
    long number = strtol(at, &end, 10);
    end += strspn(end, " \t");
    wrong = end == at || number < 1 || number > INT_MAX || (*end != ',' && *end != 0);
    more = *end == ',';
    at = end + 1;
  }
  if (!wrong)
    return;
  say("OMP_NUM_THREADS", "%s: not a number of threads; ignored", value);
  unsetenv("OMP_NUM_THREADS");
}

/* Fails with a message if PROGRAM cannot be recorded: it has no parallel runtime that can be sampled, or the options do
   not apply to a recording.  */
static void check_program_recordable(const struct program *program, const struct options *options) {
  bool hand = program->hand || options->hand, found = program->gomp || program->omp || program->tbb || hand;
  if (program->omp_inside && !found && !program->cilk)
    fail(program->path,
         "it is statically linked with its OpenMP runtime, which cannot be sampled; link it without -static");
  if ((options->openmp || hand) && program->libraries == NULL)
    fail(program->path, "static programs and scripts cannot be sampled; name the script's interpreter, as in: "
                        "cilkprof-run --openmp python3 FILE");
  if (hand && !options->watched && !program->cilk && !program->gomp && !program->omp && !options->openmp)
    fail(program->path, "of forks by hand only work and span are measured: cilkprof run, or cilkprof %s",
         program->name);
  if (!program->cilk && !found && program->other)
    fail(program->path, "it is for another kind of processor; profile it on a machine that has one");
  if (!program->cilk && !found && !options->openmp)
    fail(program->path,
         "not compiled for profiling, and not a parallel program of Cilk, OpenMP or oneTBB; compile "
         "and link it with cilkprof cc, or use --openmp if it loads OpenMP later, --forks if it forks by hand");
  if (!program->cilk && program->privileged)
    fail(program->path, "set-user-ID or set-group-ID, so that no sampler is loaded with it; profile a copy of it");
  if (options->profile_option != NULL)
    fail(options->profile_option, "it applies to profiles of work and span; compile %s with cilkprof cc for one",
         program->name);
  if (options->cilk_option != NULL && !program->cilk)
    fail(options->cilk_option, "%s is not a parallel Cilk program", program->name);
}

/* Returns whether PROGRAM is sampled as one of oneTBB: it has no other parallel runtime.  */
bool is_recorded_with_tbb(const struct program *program, const struct options *options) {
  return program->tbb && !program->cilk && !program->gomp && !program->omp && !options->openmp && !options->watched;
}

/* Sets how many samples a second the launched programs take: HZ, or as many as they do by themselves if it is 0.  */
void set_sampling_rate_for_launched(unsigned hz) {
  char text[16];
  snprintf(text, sizeof text, "%u", hz);
  set_for_launched_programs(CILKPROF_SAMPLED_AT, text);
}

/* Fails if PROGRAM cannot be recorded, and else sets the environment for runs that are.  Returns the variable for the
   program's process, without a name if none is needed.  */
struct setting prepare_recording(const struct program *program, const struct options *options) {
  check_program_recordable(program, options);
  set_sampling_rate_for_launched(options->hz);
  if (program->cilk && !options->openmp) {
    set_recording_variable("CILK_NWORKERS", options->record_workers);
    return (struct setting){NULL, NULL};
  }
  if (is_recorded_with_tbb(program, options)) {
    unsigned share = find_launcher_processors().share, asked = options->record_workers;
    return prepare_recording_preload("libcilkprof-tbb.so", "install cilkprof again", NULL,
                                     asked > 0 && asked < share ? asked : share);
  }
  set_recording_variable("OMP_NUM_THREADS", options->record_workers);
  ignore_wrong_number_of_threads();
  if (options->watched)
    set_for_launched_programs(CILKPROF_WATCHED, program->gomp || program->omp || options->openmp
                                                    ? CILKPROF_WATCHED_OPENMP
                                                    : CILKPROF_WATCHED_FORKS);
  return prepare_openmp_recording(program, options);
}

/* Returns the first NUMBER of the processors on which the program may run, by which oneTBB decides how many threads it
   has; fails if there are fewer.  */
static cpu_set_t recording_processors(unsigned number) {
  struct processors all = find_launcher_processors();
  cpu_set_t set;
  if (number > all.count)
    fail("-j", "there are %u processors, and oneTBB has no more threads than that", all.count);
  CPU_ZERO(&set);
  for (unsigned i = 0; i < number; i++)
    CPU_SET(all.numbers[i], &set);
  return set;
}

/* Runs PROGRAM in parallel and samples it.  Returns the status of the program.  */
int launch_recorded_program(const struct program *program, const struct options *options) {
  struct run_setup setup = {.settings = {prepare_recording(program, options)}};
  cpu_set_t set;
  if (options->runs > 0)
    fail("--runs", "%s is sampled in a single run", program->name);
  if (is_recorded_with_tbb(program, options)) {
    set =
        recording_processors(options->record_workers > 0 ? options->record_workers : find_launcher_processors().share);
    setup.processors = &set;
  }
  return launch_for_profile(program, setup);
}
