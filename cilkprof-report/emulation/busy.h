/* What other programs take of the processors while something is measured.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_BUSY_H
#define CILKPROF_REPORT_BUSY_H

/* The state of the processors when a measurement began, in seconds.  */
struct busy_watch {
  double started, busy, own;
  unsigned processors; /* that this process may use; 0: nothing is known */
};

struct busy_watch begin_calibration_watch(void);
double calibration_share_of_others(const struct busy_watch *watch);

#endif
