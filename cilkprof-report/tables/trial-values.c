/* Named values of the runs on one number of processors, for output that other programs read.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include "cilkprof-report/analysis/verdict.h"
#include "cilkprof-report/tables/trial-values.h"

void fill_table_trial_columns(const struct model *model, const struct trial_row *row, bool copies,
                              struct trial_value values[static TRIAL_VALUES]) {
  const struct speedup_limits limits = speedup_bounds_of_model(model);
  bool bounded = !copies && model->totals.span > 0;
  const struct trial_value all[TRIAL_VALUES] = {
      {"processors", row->processors},
      {"runs", (double)row->runs},
      {"seconds", row->seconds},
      {"median_seconds", row->median_seconds},
      {"cpu_seconds", row->cpu_seconds},
      {"median_cpu_seconds", row->median_cpu_seconds},
      {"median_system_seconds", row->median_system_seconds},
      {"lower", bounded ? speedup_lower_bound(&limits, row->processors) : NAN},
      {"upper", bounded ? speedup_upper_bound(&limits, row->processors) : NAN},
      {"speedup", copies ? NAN : row->speedup},
      {"efficiency", copies ? NAN : row->speedup / row->processors},
  };
  for (size_t i = 0; i < TRIAL_VALUES; i++)
    values[i] = all[i];
}
