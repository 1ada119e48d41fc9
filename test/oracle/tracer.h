/* What the files of the tracer share.
   SPDX-License-Identifier: MIT  */

#ifndef ORACLE_TRACER_H
#define ORACLE_TRACER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "libcilkprof/abi/state.h"

typedef struct __cilkprof_site site_t;
typedef struct __cilkprof_function function_t;
typedef struct __cilkprof_frame frame_t;
typedef struct __cilkprof_block block_t;
typedef uint64_t work_t;
typedef void body_t(void *data);

enum { MAX_FRAMES = 1 << 20 };

struct tracer {
  FILE *file;
  uint64_t functions, sites, invocations; /* numbered so far */
  frame_t *frames, *top;                  /* the stack of open invocations */
};
extern struct tracer trace;

/* Returns the number of SITE, which is written to the trace when it is first used.  */
uint64_t tracer_site_number(site_t *site);
/* Lets the next thread of the team run, if there is one, until all are at the barrier.  */
void tracer_wait_at_barrier(void);

/* The events, which the program calls.  Most write a line of the trace, whose form is listed in tracer-events.c.  */
#define DECLARE(name, result, ...)  result __cilkprof_t_##name(__VA_ARGS__);
#define TOLD(name, result, ...)     DECLARE(name, result, __VA_ARGS__)
#define DIRECT(name, result, ...)   DECLARE(name, result, __VA_ARGS__)
#define CALLBACK(name, result, ...) DECLARE(name, result, __VA_ARGS__)
#include "libcilkprof/abi/events.def"

#define EVENT(result, name, ...) result __cilkprof_t_##name(__VA_ARGS__)

#endif
