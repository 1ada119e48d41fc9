/* How an OpenMP team divides the iterations of a loop.
   SPDX-License-Identifier: MIT

   A team is assumed to have as many threads as a Cilk loop has workers (CILKPROF_LOOP_WORKERS).  */

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "libcilkprof/engine/time/divide.h"
#include "libcilkprof/engine/tasks/task.h"

/* Returns the OpenMP schedule that schedule(runtime) means for a loop, and sets *CHUNK.  OMP_SCHEDULE gives both in the
   form kind[,chunk]; where it is not set, iterations are taken one by one, as in libgomp.  */
static uint64_t loop_schedule_of_environment(uint64_t *chunk) {
  static const char *const names[] = {"static", "dynamic", "guided"};
  const char *text = secure_getenv("OMP_SCHEDULE"), *kind = text ? strchr(text, ':') : NULL;
  if (!text)
    return __CILKPROF_SCHEDULE_DYNAMIC;
  text = kind ? kind + 1 : text; /* after "monotonic:" */
  const char *number = strchr(text, ',');
  *chunk = number ? strtoull(number + 1, NULL, 10) : 0;
  for (uint64_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strncasecmp(text, names[i], strlen(names[i])))
      return i;
  return __CILKPROF_SCHEDULE_STATIC; /* auto */
}

/* Returns VALUE, the number of iterations in a chunk of a loop, or LEAST if that is more.  */
static uint64_t loop_chunk_at_least(uint64_t value, uint64_t least) {
  return value < least ? least : value;
}

/* Returns the chunks into which an OpenMP team divides a loop with TRIPS iterations.  SCHEDULE is one of
   __CILKPROF_SCHEDULE_...; CHUNK is the number that its clause gives, 0 if none is given.  If the number of iterations
   is not known, TRIPS is 0, and each is a chunk.  */
struct cilkprof_chunks __cilkprof_loop_chunks(uint64_t schedule, uint64_t chunk, uint64_t trips) {
  schedule &= __CILKPROF_SCHEDULE_KIND;
  if (schedule == __CILKPROF_SCHEDULE_RUNTIME)
    schedule = loop_schedule_of_environment(&chunk);
  int given = (int64_t)chunk > 0;
  uint64_t part = loop_chunk_at_least(divide_loop_rounding_up(trips, ENGINE.loop_workers), 1),
           least = given ? chunk : 1;
  struct cilkprof_chunks chunks = {.first = given ? chunk : part, .least = least, .given = given ? chunk : 0};
  switch (schedule) {
  case __CILKPROF_SCHEDULE_DYNAMIC:
    chunks.first = least;
    break;
  case __CILKPROF_SCHEDULE_GUIDED:
    chunks.first = loop_chunk_at_least(part, least);
    chunks.guided = 1;
    break;
  case __CILKPROF_SCHEDULE_GRAINSIZE: /* equal parts, as many as can have at least CHUNK iterations */
    if (given && trips > chunk)
      chunks.first = divide_loop_rounding_up(trips, trips / chunk);
    break;
  case __CILKPROF_SCHEDULE_NUM_TASKS:
    if (given)
      chunks.first = loop_chunk_at_least(divide_loop_rounding_up(trips, chunk), 1);
    break;
  default: /* static */
    chunks.fixed = 1;
    break;
  }
  return chunks;
}
