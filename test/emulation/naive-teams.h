/* The state of the brute-force emulation of OpenMP teams.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_TEST_NAIVE_TEAMS_H
#define CILKPROF_TEST_NAIVE_TEAMS_H

#include "test/emulation/naive-program.h"

enum { THREADS = 1 << 12 };

struct loop { /* a section that a team runs */
  const struct plain_node *section;
  struct program *iterations;
  uint64_t count, taken;
  unsigned unfinished;
  struct loop *next;
};

struct crew { /* a team */
  unsigned size, open;
  int members[1024];
  struct loop *last;
  bool leader_waits;
};

struct level { /* of what a thread is in */
  enum { IN_PROGRAM, IN_SECTION, IN_LOOP } kind;
  struct program *program;
  size_t at;
  const struct plain_node *section;
  struct loop *loop;
  struct crew *crew;
  int stage;
  uint64_t from, to, next; /* iterations */
  bool begun;
};

struct runner {
  bool used, running, idle, queued;
  double left; /* of its work */
  struct level levels[200];
  int depth, member, processor;
  struct crew *crew;
};

extern struct naive_state {
  const struct schedule *schedule;
  struct overheads overheads;
  enum section_nesting nesting;
  unsigned processors;
  struct runner *runners;
  int thread_count; /* of all numbers that were used */
  int lock_owner[8], lock_queue[8][THREADS], lock_waiting[8], lock_depth[8];
  int processor_owner[1024], processor_queue[1024][64], processor_waiting[1024];
  bool finished;
} naive;

/* naive-teams.c */
struct level *naive_push(int thread, struct level level);
void naive_start(int thread, double work);

/* naive-loops.c */
struct crew *naive_make_crew(int leader, bool nested);
void naive_begin_loop(struct crew *crew, const struct plain_node *section);
bool naive_next_chunk(struct level *level);
void naive_finish_member(int thread, struct level *level);

#endif
