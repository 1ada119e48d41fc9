/* Load imbalance: pieces of work that run in parallel, one of which is much longer than the others.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_IMBALANCE_H
#define CILKPROF_REPORT_IMBALANCE_H

#include "cilkprof-report/analysis/bounds.h"

struct imbalance {
  const struct site *site;          /* the loop, or the longest spawn; NULL: there is no imbalance */
  const struct cilkprof_loop *loop; /* NULL: the pieces are spawned one by one */
  bool one_site;                    /* all of these spawns are at SITE */
  bool too_few;                     /* there are too few pieces, even if they are equal */
  double pieces;                    /* how many run at the same time, on average */
  double work, time;                /* of all pieces, and until the last one has ended, on the critical path */
  unsigned processors;              /* on so many */
  double now, then;                 /* the upper bounds of the speedup, as it is and with equal pieces */
};

/* Returns the imbalance whose end would raise the upper bound of the speedup on PROCESSORS most.  If there is none, and
   the parallelism is not enough for more processors, that for the next larger numbers of them, except for static
   schedules, which divide a loop for each number in another way.  */
struct imbalance find_imbalance(const struct model *model, const struct speedup_limits *limits, unsigned processors);

#endif
