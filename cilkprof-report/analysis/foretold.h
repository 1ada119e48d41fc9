/* What the forecasts of an emulation mean, in words.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_FORETOLD_H
#define CILKPROF_REPORT_FORETOLD_H

#include "cilkprof-report/analysis/verdict.h"
#include "cilkprof-report/emulation/forecasts.h"

/* As findings of a verdict, in the order in which they should be read.  */
struct verdict foretold(const struct forecasts *forecasts, const struct options *options);

/* Fails where the model has no tree, or is of a root, which has none of its own; WANTED says what needs one.  */
void check_tree(const struct model *model, const char *wanted);

/* Before anything is printed: fails when what --cachegrind names is not of the model's tree.  */
void model_check_memory(const struct model *model, const struct options *options);

/* memory-commands.c: where memory is not modelled, what to run.  */
void print_memory_commands(FILE *out, const struct model *model, const struct forecasts *forecasts,
                           const struct options *options);

/* The forecasts of the model's tree.  Without a tree there are none; where WANTED says what needs them, fails then.  */
struct forecasts model_forecasts(const struct model *model, const struct options *options, const char *wanted);

#endif
