/* What the parts share that follow a run: everything that is open is on a stack.
   SPDX-License-Identifier: MIT  */

#ifndef ORACLE_FOLLOW_H
#define ORACLE_FOLLOW_H

#include "test/oracle/trace.h"

/* What is open.  */
enum context_kind {
  PROGRAM,  /* what calls main: code without instrumentation */
  CALLED,   /* by instrumented code, directly: the next event is its entry */
  FOREIGN,  /* called, and may have no instrumentation: known when it is first entered */
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
struct context *oracle_top(void);
struct context *oracle_push(struct context new);
struct context *oracle_context_below(const struct context *c);
size_t oracle_context_depth(const struct context *c);
struct context *oracle_running(uint64_t frame);
void oracle_begin_strand(struct context *c, uint32_t previous, enum burden burden);
void oracle_end_strand(struct context *c, uint64_t work);
struct context *oracle_invoke(enum context_kind kind, uint32_t site, bool spawned);
void oracle_mark_task(struct context *c);
void oracle_add_child(struct context *c, uint32_t last);
uint32_t oracle_join_vertex(struct context *c);
void oracle_sync(struct context *c);
void oracle_begin_grain(struct context *c);
void oracle_end_grain(struct context *c);
void oracle_finish_invocation(void);
void oracle_finish_function(void);
void oracle_finish_loop(uint64_t trips);
void oracle_finish(void);

struct context oracle_take_top(void);

/* teams.c */
void oracle_teams_barrier(struct context *c);

/* regions.c */
void oracle_regions_end(struct context *c, bool left);
void oracle_regions_jump(uint32_t invocation);

/* tasks.c */
void oracle_tasks_free(struct tasks *tasks);
enum team { NO_TEAM, ANY_TEAM, THREAD_OF_TEAM }; /* of several threads: one runs for all, or each does its part */
void oracle_tasks_begin_block(struct context *c, uint64_t flags);
bool oracle_tasks_in_team(void);
enum team oracle_tasks_set_team(enum team team);
bool oracle_tasks_leave_function(struct context *c);
void oracle_tasks_end_block(struct context *c);
void oracle_tasks_next_grain(struct context *c);
bool oracle_is_team_loop(const struct context *c);
bool oracle_tasks_barrier(const struct context *c);
void oracle_tasks_wait(struct context *c);
uint64_t oracle_team_grain(struct context *c, uint64_t grains);

#endif
