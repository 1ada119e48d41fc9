/* The sections of the report, one file each.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_SECTIONS_H
#define CILKPROF_REPORT_SECTIONS_H

#include <stdio.h>
#include "cilkprof-report/model/input.h"
#include "cilkprof-report/model/model.h"
#include "cilkprof-report/options/options.h"
#include "cilkprof-report/options/section.h"

struct causes;

extern const struct section_table section_table;

/* Declares print_NAME for every row of the table.  */
#define SECTION(name, ...)       section_print print_##name;
#define INPUT_SECTION(name, ...) section_print_input print_##name;
#include "cilkprof-report/sections/sections.def"
#undef SECTION
#undef INPUT_SECTION

/* Prints the report that fits one screen, which takes the place of the sections if the command line names none.  */
void print_screen(FILE *out, struct model *model, const struct options *options);
/* Prints the lines above the first section of a report about a root.  */
void print_report_head(FILE *out, const struct model *model, const struct options *options);
/* Prints a comparison of two builds instead of the sections.  builds.h explains the form of OLD and NEW.  */
void print_diff(FILE *out, const char *old, const char *new, const struct options *options);

/* Part of print_plot: writes a plot without gnuplot.  */
void write_plot_svg(const struct model *model, unsigned most, const struct options *options);
/* Part of print_plot: prints the plot as text.  */
void print_plot_text(FILE *out, const struct model *model, unsigned most, const struct options *options);
/* Part of print_whatif: prints estimates from a profile that has no what-ifs.  */
void print_whatif_estimates(FILE *out, struct model *model, const struct options *options);
/* Part of print_waste: prints the causes, from a profile that has samples as well as work and span.  */
void print_waste_causes(FILE *out, const struct model *model, const struct causes *causes,
                        const struct options *options);
/* Prints what takes longer with several workers than with one.  */
void print_waste_inflation(FILE *out, const struct model *model, const struct options *options);

/* The waste section hides functions below this share of the effort, in percent.  */
enum { LEAST_WASTE_SHARE = 1 };

#endif
