/* Measures the overheads of runtime systems on this machine, by small programs that use them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "cilkprof-report/emulation/busy.h"
#include "cilkprof-report/emulation/calibrate.h"
#include "cilkprof-report/emulation/overheads.h"
#include "cilkprof-report/support/output.h"
#include "cilkprof-report/support/support.h"

/* A program that prints names of overheads and nanoseconds.  Each is the smallest of many short measurements, because
   other processes may disturb some of them.  */
static const char openmp[] =
    "#include <omp.h>\n"
    "#include <stdio.h>\n"
    "enum { TEAMS = 5000, ROUNDS = 300, LOOPS = 2000, NESTED = 1000, MAX_NESTED = 8 };\n"
    "static omp_lock_t lock;\n"
    "static volatile int sink;\n"
    "static int threads;\n"
    "static void teams(int n) { while (n-- > 0)\n"
    "#pragma omp parallel num_threads(threads)\n"
    "  sink = 1; }\n"
    "static void chunks(int n) {\n"
    "#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)\n"
    "  for (int i = 0; i < n; i++) sink = i; }\n"
    "static void blocks(int n) {\n"
    "#pragma omp parallel for schedule(static) num_threads(threads)\n"
    "  for (int i = 0; i < n; i++) sink = i; }\n"
    "static void locks(int n) { while (n-- > 0) { omp_set_lock(&lock); omp_unset_lock(&lock); } }\n"
    "static void tasks(int n) {\n"
    "#pragma omp parallel num_threads(threads)\n"
    "#pragma omp single\n"
    "  while (n-- > 0)\n"
    "#pragma omp task\n"
    "    sink = n;\n"
    "}\n"
    "static double least(void (*what)(int), int n, int rounds) {\n"
    "  double best = 1e9;\n"
    "  for (int i = 0; i < rounds; i++) {\n"
    "    double begin = omp_get_wtime();\n"
    "    what(n);\n"
    "    double time = (omp_get_wtime() - begin) / n * 1e9;\n"
    "    best = time < best ? time : best;\n"
    "  }\n"
    "  return best;\n"
    "}\n"
    "static double nested(void) {\n" /* every thread of a team creates a team of its own */
    "  double best = 1e9;\n"
    "  omp_set_max_active_levels(2);\n"
    "#pragma omp parallel num_threads(threads) reduction(min : best)\n"
    "  for (int i = 0; i < NESTED; i++) {\n"
    "#pragma omp barrier\n"
    "    double time = least(teams, 1, 1);\n"
    "    best = time < best ? time : best;\n"
    "  }\n"
    "  return best;\n"
    "}\n"
    "int main(int argc, char **argv) {\n"
    "  (void)argv;\n"
    "  threads = omp_get_num_procs() > 1 ? omp_get_num_procs() : 2;\n"
    "  omp_init_lock(&lock);\n"
    "  if (argc > 1) {\n"
    "    threads = threads < MAX_NESTED ? threads : MAX_NESTED;\n"
    "    printf(\"nested %.1f\\n\", nested() / (threads - 1));\n"
    "    return 0;\n"
    "  }\n"
    "  double team = least(teams, 1, TEAMS) / (threads - 1);\n"
    "  double chunk = least(chunks, LOOPS, ROUNDS) - least(blocks, LOOPS, ROUNDS);\n"
    "  printf(\"fork %.1f\\njoin %.1f\\n\", team / 2, team / 2);\n"
    "  printf(\"iteration %.1f\\n\", chunk > 0 ? chunk * threads : 0);\n"
    "  printf(\"lock %.1f\\n\", least(locks, LOOPS, ROUNDS));\n"
    "  printf(\"task %.1f\\n\", least(tasks, LOOPS, ROUNDS));\n"
    "  return 0;\n"
    "}\n";

/* Compiles and runs a program that measures overheads of OpenMP, and returns its output: names and nanoseconds.  The
   threads of one team are bound to processors; otherwise a busy system may let several share one.  Nested teams have
   more threads than processors, and create them each time: these are not bound.  */
static char *calibrate_openmp_overheads(const struct outside *outside) {
  char *said = NULL;
  write_emulation_scratch_text(outside, "openmp.c", openmp);
  const char *const compile[] = {emulation_scratch_compiler(), "-O2", "-fopenmp", "openmp.c", "-o", "openmp", NULL};
  const char *const run[] = {"env", "OMP_PROC_BIND=true", "./openmp", NULL};
  const char *const run_nested[] = {"env", "OMP_PROC_BIND=false", "./openmp", "nested", NULL};
  char *result = run_emulation_scratch_command(outside, compile, &said) != NULL
                     ? run_emulation_scratch_command(outside, run, &said)
                     : NULL;
  char *nested = result != NULL ? run_emulation_scratch_command(outside, run_nested, &said) : NULL;
  if (nested == NULL) {
    struct outside gone = *outside;
    remove_emulation_scratch_folder(&gone);
    fail("--calibrate", "%s; it needs a C compiler with OpenMP: install gcc, or name one in CC", said);
  }
  return format_string("%s%s", result, nested);
}

/* Creates the folders of PATH, the file in which --calibrate keeps its results.  */
static void make_emulated_overheads_folders(char *path) {
  for (char *slash = path; (slash = strchr(slash + 1, '/')) != NULL; *slash = '/') {
    *slash = 0;
    if (mkdir(path, 0777) < 0 && errno != EEXIST)
      fail(path, "%s", strerror(errno));
  }
}

/* Writes the measured overheads, TEXT, and those of MEMORY to the file PATH, which later reports read.  */
static void write_emulated_overheads(char *path, const char *text, const struct memory_machine *memory) {
  make_emulated_overheads_folders(path);
  FILE *file = output_open(path, true);
  fprintf(file, "# What runtime systems cost here, in nanoseconds, by cilkprof-report --calibrate.\n%s", text);
  print_memory_contention_parameters(file, memory, " ", "\n");
  output_close(file);
}

/* Prints the overheads in TEXT, which was just measured, and those that are assumed where it has none, to OUT.  */
static void print_emulated_overheads(FILE *out, const char *text) {
  struct overheads overheads;
  read_emulated_overheads(&overheads);
  for (size_t i = 0; i < OVERHEADS; i++) {
    double ns = *emulated_overhead_by_index(&overheads, i);
    const char *measured = strstr(text, overhead_names[i].name);
    if (measured != NULL)
      ns = strtod(measured + strlen(overhead_names[i].name), NULL);
    fprintf(out, "%-10s %8.1f ns  %s%s\n", overhead_names[i].name, ns, overhead_names[i].meaning,
            measured != NULL ? "" : " (not measured)");
  }
}

/* Measures the overheads of runtime systems and the memory of this machine for emulations, prints them to OUT, and
   writes them to the file of emulated_overheads_path, which later reports read.  If other programs had a notable part
   of the processors meanwhile, nothing is written unless FORCE.  Fails if there is no compiler.  */
void calibrate_emulated_overheads(FILE *out, bool force) {
  const double notable = 0.1;
  char *path = emulated_overheads_path();
  if (path == NULL)
    fail("--calibrate", "there is no folder for the result: set HOME or XDG_CACHE_HOME");
  struct outside outside = make_emulation_scratch_folder();
  struct busy_watch watch = begin_calibration_watch();
  char *by_openmp = calibrate_openmp_overheads(&outside), *by_cilk = calibrate_cilk_overheads(&outside);
  char *text = format_string("%s%s", by_openmp, by_cilk);
  char *said = NULL;
  struct memory_machine memory = calibrate_memory_contention(&outside, &said);
  double others = calibration_share_of_others(&watch);
  remove_emulation_scratch_folder(&outside);
  if (others < notable || force)
    write_emulated_overheads(path, text, &memory);
  print_emulated_overheads(out, text);
  print_memory_calibration(out, &memory);
  if (!is_memory_contention_calibrated(&memory))
    note("--calibrate", "the memory of this machine was not measured: %s",
         said != NULL ? said : "it has one processor");
  if (others < notable)
    note(path, "emulations now use these overheads");
  else
    note("--calibrate", "busy machine: other programs used %.0f%% of the processors; %s", 100 * others,
         force ? "kept because of --force" : "nothing was saved; try again when the machine is idle, or add --force");
}
