/* Runs synthetic programs: real loops, tasks and locks, with delays instead of work.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <sched.h>
#include <stdlib.h>
#include "cilkprof-report/emulation/outside.h"
#include "cilkprof-report/emulation/synthesize.h"
#include "cilkprof-report/support/support.h"

__asm__(".pushsection .rodata\n.globl synthetic_program\nsynthetic_program:\n"
        ".incbin \"cilkprof-report/emulation/synthetic.txt\"\n.byte 0\n.popsection");
extern const char synthetic_program[];

enum { MAX_CHILDREN = 300000 }; /* compilers take long for more */

/* Returns how many nanoseconds a synthetic program takes for one unit of TREE; if instructions were counted, it is an
   assumed rate.  */
static double synthetic_program_unit_ns(const struct task_tree *tree) {
  const double counted = 1.0 / 3; /* nanoseconds per instruction, as for overheads */
  return tree->units_per_second > 0 ? 1e9 / tree->units_per_second : counted;
}

/* Returns the speedup of a synthetic program over the work of the tree, from its running time in SECONDS; 0: it was not
   measured.  SCHEDULE and PROCESSORS are indices into arrays of FORECASTS.  */
double synthesized_speedup(const struct forecasts *forecasts, const double *seconds, size_t schedule,
                           size_t processors) {
  double time = seconds[schedule * forecasts->processor_count + processors];
  return time > 0 ? emulated_tree_root(forecasts->tree)->work * synthetic_program_unit_ns(forecasts->tree) * 1e-9 / time
                  : 0;
}

/* Writes TREE as C source, which the synthetic program includes, to the file tree.h in the temporary folder.  */
static void write_synthetic_program_tree(const struct outside *outside, const struct task_tree *tree) {
  FILE *file = create_emulation_scratch_file(outside, "tree.h");
  fprintf(file, "enum { NODES = %zu, LOCKS = %zu };\nstatic const struct node nodes[] = {\n", tree->node_count,
          tree->lock_count + 1);
  for (size_t i = 0; i < tree->node_count; i++) {
    const struct tree_node *node = &tree->nodes[i];
    fprintf(file, "{%d,%d,%d,%u,%llu,%llu,%llu},\n", (int)node->kind, node->spawns, node->nowait, node->lock,
            (unsigned long long)node->first, (unsigned long long)node->count, (unsigned long long)node->tasks);
  }
  fprintf(file, "};\nstatic const struct child children[] = {\n");
  for (size_t i = 0; i < tree->child_count; i++) {
    const struct tree_child *child = &tree->children[i];
    fprintf(file, "{%.3f,%llu,%llu,%d},\n", child->before * synthetic_program_unit_ns(tree),
            (unsigned long long)child->repeat, (unsigned long long)child->first,
            child->node == NO_NODE ? -1 : (int)child->node);
  }
  fprintf(file, "{0,1,0,-1}};\n");
  close_emulation_scratch_file(file);
}

/* Compiles the synthetic program for OpenMP.  Returns false if that fails, and *SAID tells why.  */
static bool compile_synthetic_openmp_program(const struct outside *outside, char **said) {
  const char *const command[] = {
      emulation_scratch_compiler(), "-O2", "-fopenmp", "synthetic.c", "-o", "openmp", "-lpthread", NULL};
  return run_emulation_scratch_command(outside, command, said) != NULL;
}

/* Compiles the synthetic program for Cilk.  Returns false if there is no Cilk compiler, or it fails.  */
static bool compile_synthetic_cilk_program(const struct outside *outside) {
  char *compiler = emulation_scratch_cilk_compiler(outside), *said;
  const char *const command[] = {compiler, "-O2",       "-fcilkplus", "-DSYNTHETIC_CILK", "synthetic.c", "-o",
                                 "cilk",   "-lpthread", NULL};
  return compiler != NULL && run_emulation_scratch_command(outside, command, &said) != NULL;
}

/* Returns the environment variable that binds the threads of a synthetic program to processors; otherwise a busy system
   may let several share one.  Threads of nested teams, of which there are more than processors, are not bound.  */
static const char *synthetic_program_binding_variable(const struct task_tree *tree) {
  for (size_t i = 0; i + 1 < tree->node_count; i++)
    if (tree->nodes[i].kind == CILKPROF_TREE_TASK && tree->nodes[i].sections > 0)
      return "OMP_PROC_BIND=false";
  return "OMP_PROC_BIND=true";
}

/* Runs the synthetic program under SCHEDULE on PROCESSORS; BOUND is the environment variable that binds its threads.
   Returns its time in seconds, or -1 if it fails.  Lowers *SHARE to the part of a processor that it got.  */
static double run_synthetic_program(const struct outside *outside, const struct schedule *schedule, unsigned processors,
                                    bool nested, const char *bound, double *share) {
  bool cilk = schedule->kind == SCHEDULE_CILK;
  char *chunk = format_string("%llu", (unsigned long long)schedule->chunk), *said;
  char *threads = format_string("%u", processors), *workers = format_string("CILK_NWORKERS=%u", processors);
  const char *const names[] = {"static", "dynamic", "guided", "tasks", "cilk"};
  const char *const command[] = {
      "env", workers, bound, cilk ? "./cilk" : "./openmp", names[schedule->kind], chunk, threads, nested ? "1" : "0",
      NULL};
  char *printed = run_emulation_scratch_command(outside, command, &said);
  double seconds, had;
  if (printed == NULL || sscanf(printed, "%lf %lf", &seconds, &had) != 2)
    return -1;
  *share = had < *share ? had : *share;
  return seconds;
}

/* Returns the number of processors on which a synthetic program may run on this machine.  */
static unsigned synthetic_program_processors(void) {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? (unsigned)CPU_COUNT(&set) : 1;
}

/* Runs the tree of FORECASTS as synthetic programs, with delays in place of work, under each schedule and on each
   number of processors.  Returns their times in seconds, in the order of FORECASTS, in an allocated array.  A time
   below 0 was not measured, because this machine has fewer processors, or no runtime system for that schedule.  *SHARE
   becomes the smallest part of a processor that one of them got while other processes had the rest.  Fails if there is
   no compiler.  */
double *measure_synthetic_programs(const struct forecasts *forecasts, const struct options *options, double *share) {
  double *seconds = allocate(forecasts->schedule_count * forecasts->processor_count, sizeof *seconds);
  char *said = NULL;
  *share = 1;
  if (forecasts->tree->child_count > MAX_CHILDREN)
    fail("--synthesize",
         "the tree is too large for a compiler; cilkprof run --tolerance=PERCENT with a larger one shrinks it");
  struct outside outside = make_emulation_scratch_folder();
  write_emulation_scratch_text(&outside, "synthetic.c", synthetic_program);
  write_synthetic_program_tree(&outside, forecasts->tree);
  bool openmp = compile_synthetic_openmp_program(&outside, &said),
       cilk = openmp && compile_synthetic_cilk_program(&outside);
  for (size_t s = 0; openmp && s < forecasts->schedule_count; s++)
    for (size_t p = 0; p < forecasts->processor_count; p++) {
      enum schedule_kind kind = forecasts->schedules[s].kind;
      bool possible = kind == SCHEDULE_CILK ? cilk : kind != SCHEDULE_GREEDY;
      bool here = forecasts->processors[p] <= synthetic_program_processors() && !forecast_at(forecasts, s, p)->deadlock;
      seconds[s * forecasts->processor_count + p] =
          possible && here ? run_synthetic_program(&outside, &forecasts->schedules[s], forecasts->processors[p],
                                                   options->nesting != NESTING_SERIAL,
                                                   synthetic_program_binding_variable(forecasts->tree), share)
                           : -1;
    }
  remove_emulation_scratch_folder(&outside);
  if (*share < ENOUGH_SHARE && options->format != NULL)
    note("--synthesize",
         "other programs used %.0f%% of a processor, so the measured times are too long; try again when the machine is "
         "idle",
         100 * (1 - *share));
  if (!openmp)
    fail("--synthesize", "%s; it needs a C compiler with OpenMP: install gcc, or name one in CC", said);
  return seconds;
}
