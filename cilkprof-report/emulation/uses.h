/* What the program's sections use of memory.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_USES_H
#define CILKPROF_REPORT_USES_H

#include <stdint.h>
#include "cilkprof-report/emulation/memory.h"
#include "cilkprof-report/emulation/tree.h"

/* All sections of a name that are in no other section, together.  */
struct section_use {
  const char *name; /* empty: it has none */
  double times;     /* how often one begins */
  double work;      /* in units of the tree */
  double tasks;     /* of the one that has most: so many threads can be busy in it */
  struct memory_use use;
  double traffic; /* MB/s */
};

enum uses_source {
  USES_UNKNOWN,
  USES_COUNTED,   /* by the processor, while the program ran */
  USES_SIMULATED, /* by callgrind, for each section */
  USES_DIVIDED,   /* by cachegrind, for the program: each section has a part of it as large as that of its time */
};

enum { NO_SECTION = UINT32_MAX };

struct section_uses {
  enum uses_source source;
  struct section_use *sections;
  size_t count;
  uint32_t *of_node; /* the number of its section, for nodes that are one of these; NO_SECTION for others */
};

/* FILE is valgrind's; NULL: there is none.  Fails when it is not of this program.  LINE is how many bytes a miss
   brings, where nothing else says so.  */
struct section_uses section_uses_make(const struct task_tree *tree, const struct cilkprof_tree *from, const char *file,
                                      double line);

/* The tree in which the work of each section takes FACTORS times as long.  */
struct task_tree *tree_burdened(const struct task_tree *tree, const struct section_uses *uses, const double *factors);

#endif
