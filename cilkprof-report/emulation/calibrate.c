/* Measuring what runtime systems cost on this machine, by small programs that use them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "cilkprof-report/emulation/calibrate.h"
#include "cilkprof-report/emulation/overheads.h"
#include "cilkprof-report/support/output.h"
#include "cilkprof-report/support/support.h"

/* Prints names and nanoseconds.  Each is the least of many short times: others may have the processors in between.  */
static const char openmp[] =
    "#include <omp.h>\n"
    "#include <stdio.h>\n"
    "enum { TEAMS = 5000, ROUNDS = 300, LOOPS = 2000 };\n"
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
    "int main(void) {\n"
    "  threads = omp_get_num_procs() > 1 ? omp_get_num_procs() : 2;\n"
    "  omp_init_lock(&lock);\n"
    "  double team = least(teams, 1, TEAMS) / (threads - 1);\n"
    "  double chunk = least(chunks, LOOPS, ROUNDS) - least(blocks, LOOPS, ROUNDS);\n"
    "  printf(\"fork %.1f\\njoin %.1f\\n\", team / 2, team / 2);\n"
    "  printf(\"iteration %.1f\\n\", chunk > 0 ? chunk * threads : 0);\n"
    "  printf(\"lock %.1f\\n\", least(locks, LOOPS, ROUNDS));\n"
    "  printf(\"task %.1f\\n\", least(tasks, LOOPS, ROUNDS));\n"
    "  return 0;\n"
    "}\n";

/* The same recursion with and without spawns, on one worker; compiled twice.  */
static const char cilk[] = "#include <stdio.h>\n"
                           "#include <time.h>\n"
                           "#include <cilk/cilk.h>\n"
                           "static int fib(int n) {\n"
                           "  if (n < 2) return n;\n"
                           "  int x = cilk_spawn fib(n - 1), y = fib(n - 2);\n"
                           "  cilk_sync;\n"
                           "  return x + y;\n"
                           "}\n"
                           "int main(void) {\n"
                           "  double best = 1e9;\n"
                           "  for (int i = 0; i < 15; i++) {\n"
                           "    struct timespec a, b;\n"
                           "    clock_gettime(CLOCK_MONOTONIC, &a);\n"
                           "    volatile int result = fib(22);\n"
                           "    (void)result;\n"
                           "    clock_gettime(CLOCK_MONOTONIC, &b);\n"
                           "    double time = (b.tv_sec - a.tv_sec) * 1e9 + (b.tv_nsec - a.tv_nsec);\n"
                           "    best = time < best ? time : best;\n"
                           "  }\n"
                           "  printf(\"%.1f\\n\", best / 28656);\n"
                           "  return 0;\n"
                           "}\n";

static void write_text(const struct outside *outside, const char *name, const char *text) {
  FILE *file = outside_write(outside, name);
  fputs(text, file);
  outside_written(file);
}

static char *measure_openmp(const struct outside *outside) {
  char *said = NULL;
  write_text(outside, "openmp.c", openmp);
  const char *const compile[] = {outside_compiler(), "-O2", "-fopenmp", "openmp.c", "-o", "openmp", NULL};
  const char *const run[] = {"env", "OMP_PROC_BIND=true", "./openmp", NULL}; /* or a busy system lets them share one */
  char *result = outside_run(outside, compile, &said) != NULL ? outside_run(outside, run, &said) : NULL;
  if (result == NULL) {
    struct outside gone = *outside;
    outside_remove(&gone);
    fail("--calibrate", "%s; it needs a C compiler with OpenMP: install gcc, or name one in CC", said);
  }
  return result;
}

/* What a spawn costs where one worker runs all; below 0: there is no Cilk here.  */
static double measure_spawn(const struct outside *outside) {
  double times[2];
  write_text(outside, "cilk.c", cilk);
  for (int serial = 0; serial < 2; serial++) {
    char *said = NULL;
    const char *const compile[] = {"cilkprof-cc", "-O2", serial ? "-fcilkplus=serial" : "-fcilkplus", "cilk.c", "-o",
                                   "cilk",        NULL};
    const char *const run[] = {"env", "CILK_NWORKERS=1", "./cilk", NULL};
    char *result = outside_run(outside, compile, &said) != NULL ? outside_run(outside, run, &said) : NULL;
    if (result == NULL)
      return -1;
    times[serial] = strtod(result, NULL);
  }
  return times[0] > times[1] ? times[0] - times[1] : 0;
}

static void make_folders(char *path) {
  for (char *slash = path; (slash = strchr(slash + 1, '/')) != NULL; *slash = '/') {
    *slash = 0;
    if (mkdir(path, 0777) < 0 && errno != EEXIST)
      fail(path, "%s", strerror(errno));
  }
}

void calibrate(FILE *out) {
  char *path = overheads_path();
  if (path == NULL)
    fail("--calibrate", "there is no folder for the result: set HOME or XDG_CACHE_HOME");
  struct outside outside = outside_make();
  char *text = measure_openmp(&outside);
  double spawn = measure_spawn(&outside);
  char *said = NULL;
  struct memory_machine memory = measure_memory(&outside, &said);
  outside_remove(&outside);
  make_folders(path);
  FILE *file = output_open(path, true);
  fprintf(file, "# What runtime systems cost here, in nanoseconds, by cilkprof-report --calibrate.\n%s", text);
  if (spawn >= 0)
    fprintf(file, "spawn %.1f\n", spawn);
  memory_machine_print(file, &memory, " ", "\n");
  output_close(file);
  struct overheads overheads;
  overheads_read(&overheads);
  for (size_t i = 0; i < OVERHEADS; i++) {
    bool measured =
        strstr(text, overhead_names[i].name) != NULL || (spawn >= 0 && strcmp(overhead_names[i].name, "spawn") == 0);
    fprintf(out, "%-10s %8.1f ns  %s%s\n", overhead_names[i].name, *overhead_place(&overheads, i),
            overhead_names[i].meaning, measured ? "" : " (not measured)");
  }
  print_memory(out, &memory);
  if (!memory_machine_known(&memory))
    note("--calibrate", "the memory of this machine was not measured: %s",
         said != NULL ? said : "it has one processor");
  note(path, "these are the costs of emulations from now on");
}
