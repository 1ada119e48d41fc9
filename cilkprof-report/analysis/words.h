/* Terms for findings, which depend on how the program is written: in Cilk, OpenMP, or by a library.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_WORDS_H
#define CILKPROF_REPORT_WORDS_H

#include "cilkprof-report/model/model.h"

/* Returns whether FUNCTION, which may be NULL, is a region of a watched program, or a part of one that its threads
   divide.  */
bool is_team_in_finding(const struct model *model, const struct function *function);
/* Returns whether FUNCTION stands for what a watched program did under a lock, which is no piece of parallel work.  */
bool is_lock_in_finding(const struct function *function);
/* Returns whether FUNCTION stands for an OpenMP construct.  */
bool is_openmp_in_finding(const struct function *function);

/* Returns advice, a part of a sentence, on how to make a loop of the program of MODEL parallel, in C or C++: in
   Cilk, in OpenMP, or by the library that the program uses.  */
const char *parallel_loop_finding_advice(const struct model *model);

/* Parts of sentences: what LOOP and its pieces are called, and how to make the pieces smaller or larger.  */
const char *finding_loop_word(const struct function *loop);
const char *finding_loop_piece_word(const struct function *loop);
const char *smaller_loop_pieces_finding_advice(const struct function *loop);
const char *larger_loop_pieces_finding_advice(const struct function *loop);
const char *
longer_loop_finding_advice(const struct function *loop); /* advice to make an enclosing loop parallel instead */

/* Parts of sentences: "spawned" or "made a task", and what waits for that.  */
bool is_task_in_finding(const struct site *spawn);
bool is_library_task_in_finding(const struct site *spawn); /* of a library or the program, not of OpenMP */
const char *finding_spawned_word(const struct site *spawn);
const char *finding_sync_word(const struct site *spawn);

/* Code that only one processor at a time can execute: a critical section, an ordered part of a loop, code that holds a
   lock.  */
struct lock {
  const char *name, *brief_name;
  uint64_t span;                   /* span of all executions: the least time for which the lock was held */
  const struct function *function; /* of a construct, which stands for it; NULL: its name has its place */
};
enum { MAX_LOCKS = 3 };
/* Finds the locks with the largest spans, at most MAX_LOCKS, largest first.  Returns their number.  */
size_t find_locks_for_verdict(const struct model *model, struct lock *locks);

#endif
