/* What a thread of a team does, written out: every piece of work, lock and section by itself.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_TEST_NAIVE_PROGRAM_H
#define CILKPROF_TEST_NAIVE_PROGRAM_H

#include "test/emulation/trees.h"

struct operation {
  enum { WORK, TAKE, RELEASE, SECTION, END } what;
  double work;
  uint64_t lock;
  const struct plain_node *section;
};

struct program {
  struct operation *operations;
  size_t count, room;
};

/* naive-program.c */
void naive_write_program(struct program *program, const struct plain_node *node, bool own, double lock);
void naive_write_iteration(struct program *program, const struct item *item, double lock);

#endif
