/* Files and lines of addresses, from the debugging information.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_LINES_H
#define CILKPROF_REPORT_LINES_H

#include <stdbool.h>
#include <stdint.h>
#include "cilkprof-report/objects/objects.h"

/* NULL when the system does not let it.  */
struct line_table *lines_open(const struct object *object);
/* The same before there is anything else in memory, which the process that it starts would have too.  NULL also when
   the file is none of an object.  */
struct line_table *lines_prepare(const char *path, const char *debug_folders);

struct line_place {
  const char *file; /* allocated */
  uint32_t line;
};
/* FOUND[i] becomes the place of ADDRESSES[i]; it stays as it is when nothing is known of that.  */
void lines_find(struct line_table *lines, const uint64_t *addresses, size_t count, struct line_place *found);

/* A function that an instruction is of.  */
struct line_frame {
  const char *name;     /* as the linker knows it, or would if it were not inlined; NULL: not known */
  struct line_place at; /* in it: the instruction, or where it called what was inlined */
  struct line_place defined;
  bool is_static, inlined; /* the latter: in another one, which is the next */
};
/* FOUND[i] becomes the frame at DEPTH, from 1 for the innermost one, of ADDRESSES[i], as far as it is known.  */
void lines_find_frames(struct line_table *lines, const uint64_t *addresses, size_t count, unsigned depth,
                       struct line_frame *found);

/* Ends the process that knows them, which has much in memory.  LINES may be NULL.  */
void lines_close(struct line_table *lines);

#endif
