/* The oracle: what a profile must say, from a trace of the same run.
   SPDX-License-Identifier: MIT

     oracle TRACED-PROGRAM TRACE [PROFILE...]

   Without a profile, prints the measurements.  With some, prints every difference and fails if there is any.  As the
   engine does, it takes the burden and the number of workers from CILKPROF_BURDEN and CILKPROF_LOOP_WORKERS, what to
   make faster from CILKPROF_WHATIF, what to measure as a program of its own from CILKPROF_ROOT, and computes calling
   contexts where CILKPROF_CONTEXTS asks for them.  It shares no code with the engine, and no algorithm: it has the
   whole dag in memory.  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/oracle/measure.h"

/* Returns the number in the environment variable NAME, or OTHERWISE.  */
static uint64_t oracle_from_environment(const char *name, uint64_t otherwise) {
  const char *text = getenv(name);
  return text && *text ? strtoull(text, NULL, 10) : otherwise;
}

static const char *program;
static struct run run;

/* Measures PART, and compares it with PROFILE if there is one.  Returns the number of differences.  */
static int oracle_compare_part(const struct part *part, const struct cilkprof_profile *profile, bool whole) {
  struct table wanted = {0}, got = {0};
  int differences = 0;
  oracle_measure(&wanted, &run, part, program, oracle_from_environment("CILKPROF_CONTEXTS", 0) != 0);
  oracle_measure_whatifs(&wanted, &run, part);
  oracle_table_sort(&wanted);
  if (profile) {
    oracle_profile_tabulate(&got, profile);
    oracle_table_sort(&got);
    differences = oracle_table_compare(&wanted, &got);
    if (whole)
      differences += oracle_tree_compare(&profile->tree, &wanted.totals);
  } else
    oracle_table_print(&wanted);
  oracle_table_free(&wanted);
  oracle_table_free(&got);
  return differences;
}

/* Returns the root NAME of PROFILE, or NULL if it has none.  */
static const struct cilkprof_root *oracle_find_root(const struct cilkprof_profile *profile, const char *name) {
  for (size_t i = 0; i < profile->root_count; i++)
    if (!strcmp(profile->roots[i].name, name))
      return &profile->roots[i];
  return NULL;
}

/* Returns whether the engine left root invocations out of ROOT because OpenMP tasks cross them, in which case it cannot
   be compared.  If ROOT is NULL, NONE tells whether it left them all out.  Adds 1 to *DIFFERENCES if the engine is
   wrong about that.  */
static bool oracle_is_crossed(const struct part *part, const struct cilkprof_root *root, bool none, int *differences) {
  uint64_t burden = oracle_from_environment("CILKPROF_BURDEN", 15000);
  if (!run.openmp || !part->root_invocation_count)
    return false;
  if (root ? root->kind & CILKPROF_ROOT_PARTIAL : none) {
    if (!oracle_part_is_crossed(&run, part))
      *differences += puts("the engine left root invocations out that no task crosses") >= 0;
    return true;
  }
  if (oracle_part_is_changed(&run, part, 0) || oracle_part_is_changed(&run, part, burden))
    *differences += puts("tasks cross a root invocation: the engine does not say so") >= 0;
  return false;
}

/* Compares the root NAME of PROFILE with what follows from the trace, or prints the latter if PROFILE is NULL.  Returns
   how many values differ.  */
static int oracle_compare_root(const char *name, const struct cilkprof_profile *profile) {
  struct part part = oracle_part_root(&run, name);
  const struct cilkprof_root *root = profile ? oracle_find_root(profile, name) : NULL;
  uint64_t invocations = root ? root->invocations : 0;
  int differences = 0;
  if (profile && oracle_is_crossed(&part, root, !root, &differences)) {
    oracle_part_free(&part);
    return differences;
  }
  if (!profile || (root && part.root_invocation_count)) {
    struct cilkprof_profile own = {0};
    if (profile && cilkprof_root_profile(profile, root, &own) < 0)
      oracle_fail("out of memory");
    if (part.partial)
      own.program.flags &= ~(uint64_t)CILKPROF_INCOMPLETE;
    differences = oracle_compare_part(&part, profile ? &own : NULL, false);
    free(own.storage);
  }
  if (profile && invocations != part.root_invocation_count) {
    printf("root invocations: oracle %lu, engine %lu\n", (unsigned long)part.root_invocation_count,
           (unsigned long)invocations);
    differences++;
  }
  if (root && part.partial && !(root->kind & CILKPROF_ROOT_PARTIAL)) {
    puts("some root invocations are none that can be measured: the engine does not say so");
    differences++;
  }
  if (differences || !profile)
    printf("(root %s)\n", name);
  oracle_part_free(&part);
  return differences;
}

/* Compares PROFILE with what follows from the trace, or prints the latter if PROFILE is NULL.  CILKPROF_ROOT lists
   roots to compare as well.  Returns how many values differ.  */
static int oracle_compare_profile(const struct cilkprof_profile *profile) {
  struct part whole = oracle_part_program(&run);
  const char *wanted = getenv("CILKPROF_ROOT");
  int differences = oracle_compare_part(&whole, profile, !wanted || !*wanted);
  char *roots = strdup(wanted ? wanted : ""), *rest;
  for (char *name = strtok_r(roots, ",", &rest); name; name = strtok_r(NULL, ",", &rest))
    differences += oracle_compare_root(name, profile);
  free(roots);
  oracle_part_free(&whole);
  return differences;
}

/* Compares the profiles, the third argument and those after it, with what follows from the trace, the second, of the
   program, the first; without a profile, prints what follows.  Stops at the first profile that differs.  Returns 1 if
   one does.  */
int main(int argc, char *argv[]) {
  if (argc < 3)
    oracle_fail("usage: oracle TRACED-PROGRAM TRACE [PROFILE...]");
  FILE *trace = fopen(argv[2], "r");
  if (!trace)
    oracle_fail("%s: cannot be opened", argv[2]);
  program = argv[1];
  oracle_run_read(&run, trace, oracle_from_environment("CILKPROF_LOOP_WORKERS", 128));
  fclose(trace);
  oracle_measure_run(&run, oracle_from_environment("CILKPROF_BURDEN", 15000));
  int differences = argc == 3 ? oracle_compare_profile(NULL) : 0;
  for (int i = 3; i < argc && !differences; i++) {
    struct cilkprof_profile profile = oracle_profile_read(argv[i]);
    differences = oracle_compare_profile(&profile);
    if (differences && argc > 4)
      printf("(profile %s)\n", argv[i]);
    cilkprof_profile_free(&profile);
  }
  oracle_measure_end();
  oracle_run_free(&run);
  return differences != 0;
}
