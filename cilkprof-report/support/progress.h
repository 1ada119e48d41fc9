/* What takes longer than a second says how far it is.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_PROGRESS_H
#define CILKPROF_REPORT_PROGRESS_H

#include <stddef.h>
#include <stdint.h>

/* Starts as {WHAT}.  */
struct progress {
  const char *what;
  uint64_t start_ns, shown_ns; /* 0: not yet */
};

/* DONE of ALL steps are behind.  Shown on standard error when that is a terminal.  */
void progress_step(struct progress *progress, size_t done, size_t all);
/* Removes what was shown.  */
void progress_end(struct progress *progress);

#endif
