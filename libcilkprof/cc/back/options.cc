/* Options of -fcilkprof, as the specs file passes them to the plugin.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "back.h"

measuring mode = MEASURE_HYBRID;
bool whatif, all_workers, calling_back, no_reference, always_inline, always_outline;
static bool forks_only;

static const char *const mode_names[] = {"count", "hybrid", "clock"};

/* Returns the name of the mode in which the program is measured, as the option -fcilkprof=MODE has it.  */
const char *measuring_mode_name() {
  if (all_workers)
    return mode == MEASURE_COUNT ? "parallel_count" : "parallel";
  return whatif ? "whatif" : mode_names[mode];
}

/* Returns true if functions that neither fork nor join have no events: where strands are timed in a serial run, and no
   tool asks for all events.  Those of a unit with OpenMP have events: which samples belong to which construct is not
   known there.  */
bool only_forks_have_events_p() {
  return forks_only && mode == MEASURE_HYBRID && !calling_back && !flag_openmp;
}

/* Sets the variable for ARGUMENT, an argument of the plugin from the specs file.  Returns false if it is unknown.  */
bool read_back_plugin_option(const plugin_argument &argument) {
  if (!strcmp(argument.key, "callbacks"))
    return calling_back = true;
  if (!strcmp(argument.key, "no-reference"))
    return no_reference = true;
  if (!strcmp(argument.key, "forks"))
    return forks_only = true;
  if (!strcmp(argument.key, "inline"))
    return always_inline = true;
  if (!strcmp(argument.key, "outline"))
    return always_outline = true;
  if (strcmp(argument.key, "mode") || !argument.value)
    return false;
  if (!strcmp(argument.value, "whatif")) {
    mode = MEASURE_COUNT;
    return whatif = true;
  }
  if (!strcmp(argument.value, "parallel-count") || !strcmp(argument.value, "parallel")) {
    mode = argument.value[strlen("parallel")] ? MEASURE_COUNT : MEASURE_HYBRID;
    return all_workers = true;
  }
  for (int i = MEASURE_COUNT; i <= MEASURE_CLOCK; i++)
    if (!strcmp(argument.value, mode_names[i])) {
      mode = (measuring)i;
      return true;
    }
  return false;
}
