/* The speedup plot, as SVG.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_SPEEDUP_H
#define CILKPROF_REPORT_SPEEDUP_H

#include <stdio.h>
#include "cilkprof-report/model/model.h"
#include "cilkprof-report/options/options.h"

enum { SPEEDUP_WIDTH = 640, SPEEDUP_HEIGHT = 400 };
enum { MOST_LINEAR = 32 }; /* processors: with more, those of a small machine would be a corner of the plot */

/* Of the program, or of its tree where it was only annotated.  */
struct cilkprof_totals speedup_totals(const struct model *model);

/* How many processors there are in the plot: those that were tried, emulated or asked for.  */
unsigned speedup_processors(const struct model *model, const struct options *options);

/* Prints what an <svg> element of this size holds, in classes whose colours are those of the page or the file around
   it: the bounds, what was emulated, what was measured.  The axes are logarithmic where MOST processors are more than
   MOST_LINEAR.  The totals have a span.  */
void print_speedup(FILE *out, const struct model *model, unsigned most, const struct options *options);

#endif
