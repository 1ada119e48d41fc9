/* The number of iterations of a cilk_for.  SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_CC_TRIPS_H
#define CILKPROF_CC_TRIPS_H

/* An expression for it, to be evaluated after the loop's initialisation, or where START is what its variable is
   initialised with, before; NULL_TREE: it is not known before the loop ran.  */
tree trip_count(tree condition, tree step, tree start = NULL_TREE);

#endif
