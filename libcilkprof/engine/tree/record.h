/* The tree of this run.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_TREE_RECORD_H
#define CILKPROF_TREE_RECORD_H

#include "libcilkprof/engine/tree/tree.h"

/* Makes it, unless it is there; NULL: there is no memory.  TIMED: the program has no events.  */
HIDDEN struct tree *__cilkprof_tree_start(int timed);
/* Around what is recorded: the innermost open node did what was done since.  */
HIDDEN void __cilkprof_tree_called(struct tree *tree);
HIDDEN void __cilkprof_tree_returns(struct tree *tree);

#endif
