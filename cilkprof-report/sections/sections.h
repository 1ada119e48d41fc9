/* The sections of the report, one file each.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_SECTIONS_H
#define CILKPROF_REPORT_SECTIONS_H

#include <stdio.h>
#include "cilkprof-report/model/input.h"
#include "cilkprof-report/model/model.h"
#include "cilkprof-report/options/options.h"

/* Above the first section: what the report is of, where that is a root.  */
void print_head(FILE *out, const struct model *model, const struct options *options);
void print_verdict(FILE *out, struct model *model, const struct options *options);
void print_summary(FILE *out, struct model *model, const struct options *options);
void print_flat(FILE *out, struct model *model, const struct options *options);
void print_graph(FILE *out, struct model *model, const struct options *options);
void print_sites(FILE *out, struct model *model, const struct options *options);

void print_regions(FILE *out, struct model *model, const struct options *options);
void print_trials(FILE *out, struct model *model, const struct options *options);
void print_emulation(FILE *out, struct model *model, const struct options *options);
void print_whatif(FILE *out, struct model *model, const struct options *options);
void print_contexts(FILE *out, struct model *model, const struct options *options);
/* Writes files, and nothing to OUT; plot-svg.c has those that need no gnuplot.  */
void print_plot(FILE *out, struct model *model, const struct options *options);
void write_plot_svg(const struct model *model, unsigned most, const struct options *options);

/* The waste section hides functions below this share of the effort, in percent.  */
enum { LEAST_WASTE_SHARE = 1 };

/* Of parallel runs.  */
void print_waste(FILE *out, struct model *model, const struct options *options);
/* Where samples are not all that is known: part of the former.  */
void print_causes(FILE *out, const struct model *model, const struct options *options);
void print_top_down(FILE *out, struct model *model, const struct options *options);
void print_bottom_up(FILE *out, struct model *model, const struct options *options);

void print_critical_path(FILE *out, struct model *model, const struct options *options);
void print_counts(FILE *out, struct model *model, const struct options *options);
void print_source(FILE *out, struct model *model, const struct options *options);
void print_function_order(FILE *out, struct model *model, const struct options *options);
void print_file_order(FILE *out, struct model *model, const struct options *options);

/* What the profiles are and contain.  */
void print_info(FILE *out, const struct input *input, const struct options *options);
/* What a profile without what-ifs says of them.  */
void print_estimates(FILE *out, struct model *model, const struct options *options);

/* The builds are named as in builds.h.  */
void print_diff(FILE *out, const char *old, const char *new, const struct options *options);

#endif
