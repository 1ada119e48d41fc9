/* The speedup plot, as SVG.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_SPEEDUP_H
#define CILKPROF_REPORT_SPEEDUP_H

#include <stdio.h>
#include "cilkprof-report/analysis/bounds.h"
#include "cilkprof-report/model/model.h"
#include "cilkprof-report/options/options.h"

enum { SPEEDUP_WIDTH = 640, SPEEDUP_HEIGHT = 400 };
enum { MAX_LINEAR = 32 }; /* with more processors, a linear plot would show those of a small machine only in a corner */

/* Returns the limits of the speedup that the plot shows: those of the program of MODEL, or of its tree if it was only
   annotated.  Their totals have no span if there is nothing to plot.  */
struct speedup_limits speedup_plot_limits(const struct model *model);

/* Returns the largest number of processors in the plot: those that were tried, emulated or asked for.  */
unsigned speedup_plot_processors(const struct model *model, const struct options *options);

/* Prints the content of an <svg> element of this size: bounds, emulated and measured speedups.  Colours are defined by
   the page or file, by class.  The axes are logarithmic if MOST, the largest number of processors, exceeds MAX_LINEAR.
   The totals must have a span.  */
void print_speedup_plot(FILE *out, const struct model *model, unsigned most, const struct options *options);

#endif
