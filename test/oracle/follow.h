/* What the parts share that follow a run: everything that is open is on a stack.
   SPDX-License-Identifier: MIT  */

#ifndef ORACLE_FOLLOW_H
#define ORACLE_FOLLOW_H

#include "test/oracle/trace.h"

/* What is open.  */
enum context_kind {
  PROGRAM,  /* what calls main: code without instrumentation */
  CALLED,   /* by instrumented code, directly: the next event is its entry */
  FOREIGN,  /* called, and may have no instrumentation: its first entry will tell */
  FUNCTION, /* runs */
  LEFT,     /* returned, which its caller has not noticed yet */
  LOOP,
  BLOCK, /* that is spawned, or of OpenMP's: called */
  SCOPE
};

struct context {
  enum context_kind kind;
  uint64_t frame; /* the number of the function's invocation in the trace; its blocks have it too */
  uint32_t invocation;
  uint32_t vertex;    /* the strand that is running */
  uint64_t begun;     /* local work when it began */
  uint32_t *children; /* last vertices of those that the next sync joins */
  size_t child_count, child_room;
  uint64_t joins;    /* how often one was added, or all were joined */
  bool spawned;      /* some of them by Cilk: then all are joined when the function returns */
  bool from_outside; /* a function whose caller has no instrumentation */
  uint64_t callee;   /* FOREIGN: the function that was called, until another one or itself is entered */
  /* LOOP.  The last grain is open.  */
  uint64_t grain, given_grain, iterations, grain_left;
  struct grain *grains;
  size_t grain_count, grain_room;
  struct tasks *tasks; /* OpenMP; NULL: this is none of its constructs, and has no tasks */
};

extern struct run *run;
extern uint64_t loop_workers;

/* follow.c */
struct context *top(void);
struct context *context_below(const struct context *c); /* what is around it; NULL: nothing */
struct context *running(uint64_t frame);                /* the part of invocation FRAME that runs */
void end_strand(struct context *c, uint64_t work);      /* the running strand ends here */
struct context *invoke(enum context_kind kind, uint32_t site, bool spawned); /* the top of the stack does */
size_t context_depth(const struct context *c);                               /* of it on the stack */
void add_child(struct context *c, uint32_t last);
uint32_t join_vertex(struct context *c); /* behind its children and what it did: of what would join them */
void begin_strand(struct context *c, uint32_t previous, enum burden burden);
void mark_task(struct context *c);
void begin_grain(struct context *c);
void end_grain(struct context *c);

/* regions.c: C ends, or control leaves it; control jumps out of INVOCATION.  */
void regions_end(struct context *c, bool left);
void regions_jump(uint32_t invocation);

/* tasks.c: of contexts that may have tasks.  */
void tasks_free(struct tasks *tasks);
void tasks_begin_block(struct context *c, uint64_t flags); /* a construct of OpenMP's */
bool tasks_in_team(void);
bool tasks_leave_function(struct context *c); /* whether its caller has its tasks now */
void tasks_end_block(struct context *c);      /* before it is popped: joins, or leaves behind */
void tasks_next_grain(struct context *c);
bool is_team_loop(const struct context *c);
bool tasks_barrier(const struct context *c);             /* whether a loop ends with one */
void tasks_wait(struct context *c);                      /* at a barrier */
uint64_t team_grain(struct context *c, uint64_t grains); /* how many iterations the grain has behind so many */

#endif
