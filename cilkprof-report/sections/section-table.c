/* The table of sections, and functions that parse the arguments of their options.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "cilkprof-report/html/html.h"
#include "cilkprof-report/options/settings.h"
#include "cilkprof-report/sections/sections.h"

/* Stores the argument of --file-ordering, the file that maps functions to object files.  */
static void take_section_mapping(struct options *options, const char *map) {
  options->file_mapping = map;
}

/* Stores the argument of --emulate, the schedules to emulate; NULL stands for the default ones.  */
static void take_section_schedules(struct options *options, const char *schedules) {
  options->schedules = schedules;
}

/* Stores whether the argument of --whatif is "auto"; NULL is not.  Fails for any other text.  */
static void take_section_auto(struct options *options, const char *text) {
  options->whatif_auto = read_whatif_option(text);
}

/* Stores the argument of --efficiency, whose factors are shown besides those of the program; NULL: nobody's.  */
static void take_section_efficiency(struct options *options, const char *by) {
  options->efficiency_by = read_efficiency_option(by);
}

/* Stores the argument of --contexts, the percentage below which calling contexts are hidden; NULL keeps the
   default.  */
static void take_section_contexts(struct options *options, const char *percent) {
  if (percent != NULL)
    options->least_context = read_percent_option(percent);
}

/* Stores the argument of --top-down, the percentage of the effort below which call paths are hidden; NULL keeps the
   default.  */
static void take_section_top_down(struct options *options, const char *percent) {
  if (percent != NULL)
    options->least_top_down = read_percent_option(percent);
}

/* Stores the argument of --bottom-up, the percentage of the effort below which functions are hidden; NULL keeps the
   default.  */
static void take_section_bottom_up(struct options *options, const char *percent) {
  if (percent != NULL)
    options->least_bottom_up = read_percent_option(percent);
}

/* Stores the argument of --plot, the file of the plot; NULL stands for cilkprof.svg.  */
static void take_section_plot(struct options *options, const char *path) {
  options->plot = path != NULL ? path : default_plot;
}

/* Stores the argument of --html, the file of the page; NULL stands for cilkprof.html.  */
static void take_section_html(struct options *options, const char *path) {
  options->html = path != NULL ? path : default_html;
}

#define OPTIONAL                 OPTION_ARG_OPTIONAL
#define SECTION(name, ...)       {.print = print_##name, __VA_ARGS__},
#define INPUT_SECTION(name, ...) {.print_input = print_##name, __VA_ARGS__},
static const struct section rows[] = {
#include "cilkprof-report/sections/sections.def"
};

_Static_assert(sizeof rows / sizeof *rows <= 8 * sizeof(section_set), "a set has a bit for every section");

const struct section_table section_table = {
    .heading = "Sections (without one: verdict, summary, flat profile, call graph, call sites):",
    .rows = rows,
    .count = sizeof rows / sizeof *rows,
};
