/* The table of sections, and functions that parse the arguments of their options.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "cilkprof-report/html/html.h"
#include "cilkprof-report/options/settings.h"
#include "cilkprof-report/sections/sections.h"

/* Functions for take_argument in sections.def: each stores the argument of a section's option, or the default if the
   argument is NULL.  */
static void take_mapping(struct options *options, const char *map) {
  options->file_mapping = map;
}

static void take_schedules(struct options *options, const char *schedules) {
  options->schedules = schedules;
}

static void take_auto(struct options *options, const char *text) {
  options->whatif_auto = read_auto(text);
}

static void take_contexts(struct options *options, const char *percent) {
  if (percent != NULL)
    options->least_context = read_percent(percent);
}

static void take_top_down(struct options *options, const char *percent) {
  if (percent != NULL)
    options->least_top_down = read_percent(percent);
}

static void take_bottom_up(struct options *options, const char *percent) {
  if (percent != NULL)
    options->least_bottom_up = read_percent(percent);
}

static void take_plot(struct options *options, const char *path) {
  options->plot = path != NULL ? path : default_plot;
}

static void take_html(struct options *options, const char *path) {
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
    .heading = "Sections (verdict, summary, flat profile, call graph and sites when none is named; of samples waste, "
               "top-down and bottom-up):",
    .rows = rows,
    .count = sizeof rows / sizeof *rows,
};
