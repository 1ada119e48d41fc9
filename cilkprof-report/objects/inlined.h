/* Which functions an instruction is of: those that were inlined there, and the one that has the code.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_INLINED_H
#define CILKPROF_REPORT_INLINED_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The functions of the unit that was asked about last.  Starts as {0}.  */
struct inlined {
  const void *unit;
  struct inlined_function *functions; /* by their addresses */
  size_t count, room;
};

struct inlined_frame {
  const char *name;         /* as the linker knows it, or would; NULL: not known */
  const char *call_file;    /* where it was inlined; NULL: it was not */
  const char *defined_file; /* NULL: not known */
  uint32_t call_line, defined;
  bool is_static;
};

/* The frame at DEPTH, from 0 for the innermost one; false where there is none.  */
bool inlined_find(struct inlined *inlined, Dwarf_Die *unit, uint64_t address, unsigned depth,
                  struct inlined_frame *frame);

#endif
