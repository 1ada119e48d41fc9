/* Shows the progress of steps that take longer than a second.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_PROGRESS_H
#define CILKPROF_REPORT_PROGRESS_H

#include <stddef.h>
#include <stdint.h>

/* Initially {WHAT}.  */
struct progress {
  const char *what;
  uint64_t start_ns, shown_ns; /* 0: not yet */
};

/* Reports that DONE of ALL steps are done.  The percentage is shown on standard error if that is a terminal.  */
void progress_step(struct progress *progress, size_t done, size_t all);
/* Erases the percentage.  */
void progress_end(struct progress *progress);

#endif
