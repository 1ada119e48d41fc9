/* The speedup plot, as SVG.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_SPEEDUP_H
#define CILKPROF_REPORT_SPEEDUP_H

#include <stdio.h>
#include "cilkprof-report/model/model.h"

enum { SPEEDUP_WIDTH = 640, SPEEDUP_HEIGHT = 400 };

/* Prints what an <svg> element of this size holds, in classes whose colours are those of the page or the file around
   it.  The axes are logarithmic where MOST processors are more than 32.  The program has a span.  */
void print_speedup(FILE *out, const struct model *model, unsigned most);

#endif
