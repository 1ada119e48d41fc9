/* The runtime of OpenMP that another one stood in for while samples were taken, and what that cost.
   SPDX-License-Identifier: GPL-3.0-or-later

   GCC's runtime does not tell what its threads do, so LLVM's takes its place in sampled runs.  What is lost inside of
   the runtime may then be its fault and not the program's.  Trials run with the program's own runtime, and so tell.  */

#include <math.h>
#include <stdlib.h>
#include "cilkprof-report/analysis/stand-in.h"
#include "cilkprof-report/analysis/waste.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/support/support.h"

static const double MUCH_LONGER = 1.25; /* a run that took so much longer than trials shows faults of the stand-in */

/* Returns the elapsed time of a sampled run of MODEL divided by that of its trials on as many processors, which have
   the program's own runtime; 0 if that is not known, or there is no stand-in.  */
static double headline_stand_in_slowdown(const struct model *model) {
  const struct samples *samples = model->samples;
  const struct cilkprof_sampling *sampling = &samples->sampling;
  const struct trial_row *row = model_trials_on_processors(&model->trials, (unsigned)sampling->workers);
  if (samples->replaced == NULL || row == NULL || row->busy || !(row->median_seconds > 0) || sampling->runs == 0)
    return 0;
  return (double)sampling->elapsed_ns * 1e-9 / (double)sampling->runs / row->median_seconds;
}

/* Returns the percentage of the effort of SAMPLES that was spent in the runtime.  */
static double headline_runtime_share(const struct samples *samples) {
  return model_percent_of_whole(samples->total.of[WASTE_OVERHEAD] + samples->total.of[WASTE_WAITING],
                                sample_waste_effort(&samples->total));
}

char *headline_runtime_text(const struct model *model) {
  const struct samples *samples = model->samples;
  double slowdown = headline_stand_in_slowdown(model);
  if (samples->replaced == NULL)
    return format_string("%s", samples->runtime);
  const char *replaced = base_name(samples->replaced);
  if (slowdown > 0)
    return format_string("%s instead of %s: it took %.2f times as long as the trials with that", samples->runtime,
                         replaced, slowdown);
  return format_string("%s instead of %s: its overhead and waiting, %.0f %% of the effort, may differ from that",
                       samples->runtime, replaced, headline_runtime_share(samples));
}

char *headline_stand_in_text(const struct model *model) {
  double slowdown = headline_stand_in_slowdown(model);
  if (slowdown < MUCH_LONGER)
    return NULL;
  return format_string("Another runtime: with %s in the place of %s the program took %.2f times as long as in the "
                       "trials.  What was lost in the runtime, %.0f %% of the effort, says little about the program.",
                       base_name(model->samples->runtime), base_name(model->samples->replaced), slowdown,
                       headline_runtime_share(model->samples));
}

char *headline_stand_in_remark(const struct model *model) {
  if (model->samples->replaced == NULL || headline_stand_in_slowdown(model) > 0)
    return format_string("%s", "");
  return format_string("  The runtime was %s in the place of %s, which may lose less: cilkprof scale measures the "
                       "program with its own.",
                       base_name(model->samples->runtime), base_name(model->samples->replaced));
}
