/* The functions to which the addresses of sampled stacks belong.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_FRAMES_H
#define CILKPROF_REPORT_FRAMES_H

#include "cilkprof-report/objects/lines.h"
#include "cilkprof-report/samples/samples.h"

enum frame_kind {
  FRAME_USER,
  FRAME_LIBRARY,  /* system library: its time is work or overhead, as that of its caller */
  FRAME_RUNTIME,  /* parallel runtime, which runs tasks and loops */
  FRAME_LINKAGE,  /* linkage code (PLT) for calls to other objects, or an atomic operation: part of its caller */
  FRAME_TAGGED,   /* code that the compiler inserts for the parallel runtime */
  FRAME_OUTLINED, /* body of a loop, or block that is a task, which the compiler made a function */
};

struct frame {
  enum frame_kind kind;
  struct function *function; /* only for FRAME_USER and FRAME_LIBRARY; the names of others are never shown */
  const char *symbol;        /* linker symbol */
  struct line_place at;      /* source location of the call or instruction */
  struct line_place defined; /* source location of the definition */
};

/* The frames of one address: the outermost first, followed by those that are inlined in it.  */
struct frame_list {
  uint64_t address;
  struct frame *frames;
  size_t count;
};

/* The frames of all sampled addresses of one object.  */
struct object_frames {
  struct frame_list *lists; /* sorted by address */
  size_t count;
};

/* Returns the frames of every object of PROFILE.  BOUND[i] is the file of object number i, or NULL.  Allocated.  */
struct object_frames *find_sample_frames(struct samples *samples, const struct cilkprof_profile *profile,
                                         struct bound_object **bound);

/* Returns the frames at the address of STACK, which may be none.  */
struct frame_list sample_frames_of_stack(const struct object_frames *frames, const struct cilkprof_stack *stack);

/* Returns the frames of the call before the return address of TRANSITION, which may be none.  */
struct frame_list sample_frames_of_transition(const struct object_frames *frames,
                                              const struct cilkprof_transition *transition);

#endif
