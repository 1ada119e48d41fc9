/* Bottlenecks: the code that makes up the critical path.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_BOTTLENECKS_H
#define CILKPROF_REPORT_BOTTLENECKS_H

#include "cilkprof-report/model/model.h"
#include "cilkprof-report/support/table.h"

enum bottleneck_kind {
  BOTTLENECK_CODE,   /* own code of a function whose callees are parallel */
  BOTTLENECK_LOOP,   /* own code of a cilk_for */
  BOTTLENECK_SERIAL, /* calls of a function without parallelism, including callees */
  BOTTLENECK_SERIAL_LOOP,
  BOTTLENECK_KINDS,
  BOTTLENECK_CALLING_LOOP = BOTTLENECK_KINDS, /* serial calls of several functions in one loop; no kind of a share */
};

enum { MAX_PLACES = 3 }; /* that a finding names */

struct bottleneck {
  enum bottleneck_kind kind;
  const struct function *function; /* of a calling loop: that with the largest share of it */
  struct cilkprof_measure held;    /* on the critical path */
  const struct site **places;      /* its call sites, one for each line, largest first */
  size_t place_count, place_room;
  const struct site *part; /* call with the largest share of HELD, or NULL */
  uint64_t part_span;
};

/* Returns the smallest span that is worth a finding.  */
uint64_t least_bottleneck_span(const struct model *model);

void add_bottleneck_place(struct bottleneck *bottleneck, const struct site *site);
/* Returns the span that PLACE, a call site of BOTTLENECK, contributes: with callees if the bottleneck is serial,
   otherwise of own code only.  */
uint64_t bottleneck_place_span(const struct bottleneck *bottleneck, const struct site *place);
/* Inserts BOTTLENECK into the COUNT largest ones seen so far, sorted by span; at most MOST are kept.  Returns the new
   count.  */
size_t keep_largest_bottleneck(struct bottleneck *bottlenecks, size_t count, size_t most,
                               const struct bottleneck *bottleneck);

/* A serial loop with calls on the critical path.  */
struct calling_loop {
  const struct site *largest; /* the call with the largest share; the loop itself if it is known to make none */
  uint64_t largest_call, largest_span; /* the shares of that call, and of the largest part */
  struct cilkprof_measure held;        /* of all its calls, and of its own code */
  size_t parts;                        /* how many sites these are */
};
struct calling_loops {
  struct calling_loop *list;
  size_t count, room;
  struct table table;
};
/* Adds HELD, the share that the call SITE has, to the loop around it in LOOPS, which is added if it is new.  */
void add_to_calling_loop(struct calling_loops *loops, const struct site *site, const struct cilkprof_measure *held);
/* Adds those of LOOPS of MODEL with at least LEAST of the span to the COUNT BOTTLENECKS, unless one call is nearly all
   of the loop.  They replace the bottlenecks that their calls are.  Returns the new count, at most MOST.  */
size_t insert_calling_loops(const struct model *model, const struct calling_loops *loops, uint64_t least,
                            struct bottleneck *bottlenecks, size_t count, size_t most);
/* Frees what LOOPS holds.  */
void free_calling_loops(struct calling_loops *loops);
/* Returns whether the calls of A and B are in the same loop, or both in none.  */
bool is_in_same_calling_loop(const struct site *a, const struct site *b);
/* Returns whether CALL, in the run of MODEL, is made repeatedly by a loop in which nothing is parallel.  */
bool is_call_in_serial_loop(const struct model *model, const struct site *call);
/* Returns the place of the loop around CALL, as "qsort.c:20".  Allocated.  */
char *calling_loop_place(const struct site *call);
/* Returns the line of the loop around CALL.  */
uint32_t calling_loop_line(const struct site *call);

/* Finds bottlenecks with at least LEAST of the span, at most COUNT, largest first.  Returns their number.  */
size_t find_bottlenecks(const struct model *model, uint64_t least, struct bottleneck *bottlenecks, size_t count);

#endif
