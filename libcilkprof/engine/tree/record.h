/* The tree of this run: recording it.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_TREE_RECORD_H
#define CILKPROF_TREE_RECORD_H

#include "libcilkprof/engine/tree/tree.h"

/* Returns the tree, which is made by the first call; NULL if there is no memory.  TIMED: the program has no events, so
   its work is measured by the clock.  */
HIDDEN struct tree *__cilkprof_tree_start(int timed);
/* Called before and after something is recorded.  The first adds the work since the last time to the innermost open
   node; the second makes the time in between not count as work.  */
HIDDEN void __cilkprof_tree_called(struct tree *tree);
HIDDEN void __cilkprof_tree_returns(struct tree *tree);

#endif
