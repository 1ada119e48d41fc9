/* The functions that the addresses of stacks are of.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_FRAMES_H
#define CILKPROF_REPORT_FRAMES_H

#include "cilkprof-report/objects/lines.h"
#include "cilkprof-report/samples/samples.h"

enum frame_kind {
  FRAME_USER,
  FRAME_LIBRARY,  /* of the system: what it does is its caller's */
  FRAME_RUNTIME,  /* that runs tasks and loops */
  FRAME_LINKAGE,  /* code that leads to other objects: part of what called it */
  FRAME_TAGGED,   /* what the compiler put in for that */
  FRAME_OUTLINED, /* a loop's body, or a block that is a task: a part of a function that the compiler made one */
};

struct frame {
  enum frame_kind kind;
  struct function *function; /* of users and libraries: others are never shown by their names */
  const char *symbol;        /* as the linker knows it */
  struct line_place at;
  struct line_place defined;
};

/* Of one address: the outermost first, those that were inlined follow.  */
struct frame_list {
  uint64_t address;
  struct frame *frames;
  size_t count;
};

/* The addresses of one object.  */
struct object_frames {
  struct frame_list *lists; /* by address */
  size_t count;
};

/* For every object of PROFILE.  BOUND has its files, or NULL.  */
struct object_frames *frames_find(struct samples *samples, const struct cilkprof_profile *profile,
                                  struct bound_object **bound);

/* The frames of a stack, which may be none.  */
struct frame_list frames_of(const struct object_frames *frames, const struct cilkprof_stack *stack);

#endif
