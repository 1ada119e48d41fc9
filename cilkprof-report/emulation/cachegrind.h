/* Reads files of the cache simulators of valgrind: cachegrind and callgrind.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_CACHEGRIND_H
#define CILKPROF_REPORT_CACHEGRIND_H

#include <stdbool.h>
#include <stddef.h>

struct simulated {
  double instructions, misses; /* misses of the last-level cache */
};

struct cachegrind {
  double line;                /* line size of the last-level cache in bytes; 0: unknown */
  struct simulated all;       /* the whole program */
  bool by_section;            /* callgrind wrote a part at each begin and end of a section */
  struct simulated *sections; /* if BY_SECTION: outermost sections in program order */
  size_t section_count;
};

/* Reads the file PATH.  Fails if it is of another kind, or lacks necessary counts.  */
struct cachegrind read_cachegrind_simulation(const char *path);

/* Functions of the library that are called where sections begin and end.  Callgrind writes a part before each call.  */
#define SECTION_BEGINS "__cilkprof_section_begins"
#define SECTION_ENDS   "__cilkprof_section_ended"

#endif
