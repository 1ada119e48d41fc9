/* Explains the forecasts of an emulation in words.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_FORETOLD_H
#define CILKPROF_REPORT_FORETOLD_H

#include "cilkprof-report/analysis/verdict.h"
#include "cilkprof-report/emulation/forecasts.h"

/* Returns findings about FORECASTS, in the order in which they should be read.  */
struct verdict verdict_of_forecasts(const struct forecasts *forecasts, const struct options *options);

/* Returns whether TREE has sections, so that forecasts tell something.  Without them a program runs as on one processor
   under any schedule.  */
bool has_analysed_tree_sections(const struct cilkprof_tree *tree);

/* Fails if the model has no tree of sections and tasks.  The model of a root never has one.  WANTED says what needs the
   tree.  */
void check_analysed_model_tree(const struct model *model, const char *wanted);

/* Returns the speedup that the best schedule gives on the processors in OPTIONS; NaN: no emulation can tell.  */
double expected_speedup(const struct model *model, const struct options *options);
double expected_speedup_on(const struct model *model, const struct options *options, unsigned processors);

/* Fails if the file that --cachegrind names does not match the tree of the model.  To be called before anything is
   printed.  */
void check_analysed_model_cachegrind(const struct model *model, const struct options *options);

/* memory-commands.c: prints the commands that the user can run to have memory modelled.  */
void print_advised_memory_commands(FILE *out, const struct model *model, const struct forecasts *forecasts,
                                   const struct options *options);

/* Returns the forecasts for the tree of the model.  Without a tree, fails if WANTED, which says what needs the
   forecasts, is not NULL, and otherwise returns no forecasts.  */
struct forecasts forecasts_of_analysed_model(const struct model *model, const struct options *options,
                                             const char *wanted);

#endif
