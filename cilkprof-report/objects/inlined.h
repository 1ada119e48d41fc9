/* Finds the functions to which an instruction belongs: those that are inlined there, and the one that contains the
   code.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_INLINED_H
#define CILKPROF_REPORT_INLINED_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The functions of the unit that was used last, initially {0}.  */
struct inlined {
  const void *unit;
  struct inlined_function *functions; /* sorted by address */
  size_t count, room;
};

struct inlined_frame {
  const char *name;         /* linker symbol, or what it would be if the function were not inlined; NULL: unknown */
  const char *call_file;    /* file of the inlined call; NULL: the function is not inlined */
  const char *defined_file; /* file of the definition; NULL: unknown */
  uint32_t call_line, defined;
  bool is_static;
};

/* Finds the frame at DEPTH of ADDRESS in UNIT.  The innermost frame has depth 0.  Returns false if there is none.  */
bool find_inlined_dwarf_frame(struct inlined *inlined, Dwarf_Die *unit, uint64_t address, unsigned depth,
                              struct inlined_frame *frame);

#endif
