/* Memory use of the sections of a program.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_USES_H
#define CILKPROF_REPORT_USES_H

#include <stdint.h>
#include "cilkprof-report/emulation/memory.h"
#include "cilkprof-report/emulation/tree.h"

/* Sum of all outermost sections with the same name.  */
struct section_use {
  const char *name; /* empty: none */
  double times;     /* number of executions */
  double work;      /* in units of the tree */
  double tasks;     /* largest number of tasks in one execution, and thus of busy threads */
  struct memory_use use;
  double traffic; /* MB/s */
};

enum uses_source {
  USES_UNKNOWN,
  USES_COUNTED,   /* counted by the processor while the program ran */
  USES_SIMULATED, /* simulated by callgrind for each section */
  USES_DIVIDED,   /* simulated by cachegrind for the whole program, and divided by the work of sections */
};

enum { NO_SECTION = UINT32_MAX };

struct section_uses {
  enum uses_source source;
  struct section_use *sections;
  size_t count;
  uint32_t *of_node; /* by node: index of the section if it is an outermost one, otherwise NO_SECTION */
};

/* Finds the memory use from FILE, which valgrind wrote, or from counters in the profile if FILE is NULL.  Fails if FILE
   is of another program.  LINE is the number of bytes that a miss transfers, unless FILE has it.  */
struct section_uses find_section_memory_uses(const struct task_tree *tree, const struct cilkprof_tree *from,
                                             const char *file, double line);

/* burdened.c: returns a copy of TREE in which the work of each section is multiplied by its element of FACTORS.  */
struct task_tree *make_burdened_emulated_tree(const struct task_tree *tree, const struct section_uses *uses,
                                              const double *factors);

#endif
