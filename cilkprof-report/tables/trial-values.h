/* Named values of the runs on one number of processors, for output that other programs read.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_TRIAL_VALUES_H
#define CILKPROF_REPORT_TRIAL_VALUES_H

#include "cilkprof-report/model/model.h"

enum { TRIAL_VALUES = 11 };
struct trial_value {
  const char *name;
  double value; /* NAN: unknown */
};

/* Fills in the VALUES of ROW.  If COPIES is true, ROW is of copies of the program, which have no bounds and no
   speedup.  */
void fill_table_trial_columns(const struct model *model, const struct trial_row *row, bool copies,
                              struct trial_value values[static TRIAL_VALUES]);

#endif
