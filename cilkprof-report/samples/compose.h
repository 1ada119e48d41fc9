/* Call sites of functions without events.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_COMPOSE_H
#define CILKPROF_REPORT_COMPOSE_H

#include "cilkprof-report/samples/samples.h"

/* Adds the call sites of functions without events to MODEL, by SAMPLES of its runs, which may be NULL.  */
void compose_calls_without_events(struct model *model, const struct samples *samples);

#endif
