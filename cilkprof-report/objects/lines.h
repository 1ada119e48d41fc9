/* Source locations of addresses, from debugging information.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_LINES_H
#define CILKPROF_REPORT_LINES_H

#include <stdbool.h>
#include <stdint.h>
#include "cilkprof-report/objects/objects.h"

/* Starts a process that reads the debugging information of OBJECT.  Returns NULL if the process cannot be started.  */
struct line_table *open_debug_lines(const struct object *object);
/* Does the same for the program PATH or its separate debugging information.  It is called early, because the new
   process inherits all memory of the report.  Also returns NULL if PATH is not an object file.  */
struct line_table *prepare_debug_lines(const char *path, const char *debug_folders);

struct line_place {
  const char *file; /* NULL: unknown; allocated */
  uint32_t line;
};
/* Sets FOUND[i] to the source location of ADDRESSES[i], which is the start of a function.  FOUND[i] is unchanged if it
   is unknown.  */
void find_debug_lines(struct line_table *lines, const uint64_t *addresses, size_t count, struct line_place *found);

/* A function to which an instruction belongs: the one that contains it, or one that is inlined there.  */
struct line_frame {
  const char *name;          /* linker symbol, or what it would be if the function were not inlined; NULL: unknown */
  struct line_place at;      /* of the instruction, or of the call of the function that is inlined here */
  struct line_place defined; /* source location of the definition */
  bool is_static;
  bool inlined; /* in another function, which is at the next depth */
};
/* Sets FOUND[i] to the frame at DEPTH of ADDRESSES[i], as far as it is known.  The innermost frame has depth 1.  */
void find_debug_line_frames(struct line_table *lines, const uint64_t *addresses, size_t count, unsigned depth,
                            struct line_frame *found);

/* Ends the process, which may use much memory.  LINES may be NULL.  */
void close_debug_lines(struct line_table *lines);

#endif
