/* What valgrind's simulation of caches counted: files of its tools cachegrind and callgrind.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_CACHEGRIND_H
#define CILKPROF_REPORT_CACHEGRIND_H

#include <stdbool.h>
#include <stddef.h>

struct simulated {
  double instructions, misses; /* of the last-level cache */
};

struct cachegrind {
  double line;                /* of that cache, in bytes; 0: the file does not say */
  struct simulated all;       /* of the program */
  bool by_section;            /* callgrind wrote a part where a section begins and ends */
  struct simulated *sections; /* then: those that are in no other, in their order */
  size_t section_count;
};

/* Fails when it is something else, or says too little.  */
struct cachegrind cachegrind_read(const char *path);

/* By these functions of the library callgrind knows where sections begin and end.  */
#define SECTION_BEGINS "__cilkprof_section_begins"
#define SECTION_ENDS   "__cilkprof_section_ended"

#endif
