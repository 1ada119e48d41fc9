/* What the program's language calls things: Cilk, or OpenMP.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_WORDS_H
#define CILKPROF_REPORT_WORDS_H

#include "cilkprof-report/model/model.h"

/* A construct of OpenMP's, which has the place of a function.  */
bool is_openmp(const struct function *function);

/* In sentences: what a loop is, and how it is divided into smaller and larger pieces.  */
const char *loop_word(const struct function *loop);
const char *piece_word(const struct function *loop);
const char *smaller_pieces(const struct function *loop);
const char *larger_pieces(const struct function *loop);
const char *longer_loop(const struct function *loop); /* another loop to make parallel instead */

/* What is spawned, or made a task; and what waits for it.  */
bool is_task(const struct site *spawn);
const char *spawned_word(const struct site *spawn);
const char *sync_word(const struct site *spawn);

/* What one processor does at a time, however many there are: a critical section, an ordered part of loops, what holds a
   lock.  */
struct lock {
  const char *name, *brief_name;
  uint64_t span; /* of all that it did: so long it was held, at least */
};
enum { MOST_LOCKS = 3 };
size_t locks_find(const struct model *model, struct lock *locks); /* the longest, at most MOST_LOCKS */

#endif
