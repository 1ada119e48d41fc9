/* Where the serial loops of the program are, as the compiler says.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_MODEL_SOURCE_LOOPS_H
#define CILKPROF_REPORT_MODEL_SOURCE_LOOPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct description;
struct functions;

/* A loop from LINE to LAST.  */
struct source_loop {
  const char *symbol; /* of the function, interned in those of the model */
  const char *unit, *file;
  uint32_t line, last;
  bool forks; /* something in it is parallel */
};

/* Initially {0}.  */
struct source_loops {
  struct source_loop *list; /* sorted by symbol and line, an outer loop before those in it */
  size_t count, room;
};

/* Adds the loop in DESCRIPTION.  Names are interned in FUNCTIONS.  */
void add_source_loop(struct source_loops *loops, struct functions *functions, const struct description *description);

/* Sorts LOOPS, when all are there.  */
void sort_source_loops(struct source_loops *loops);

/* A place in the function with SYMBOL, which is interned.  */
struct source_place {
  const char *symbol, *file; /* FILE may be NULL */
  uint32_t line;
};

/* Returns the loop around PLACE that comes after BEFORE, from the outermost one, for which BEFORE is NULL, to the
   innermost one; NULL: there are no more.  */
const struct source_loop *next_source_loop_around(const struct source_loops *loops, const struct source_place *place,
                                                  const struct source_loop *before);

#endif
