/* Prints the difference between two builds as tables.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/analysis/diff.h"
#include "cilkprof-report/analysis/timing.h"
#include "cilkprof-report/model/builds.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/sections/sections.h"
#include "cilkprof-report/tables/layout.h"
#include "cilkprof-report/support/prose.h"
#include "cilkprof-report/support/support.h"
#include "cilkprof-report/support/terminal.h"

static const char explanation[] =
    "\n The first table compares the programs, the second their call sites: the span and the work of the callee itself "
    "(own span, own work), and the parallelism of its calls.  Sites are matched by function and line, the rest by "
    "function; the largest changes come first.\n\n With several profiles of both builds, values are means, and changes "
    "have their standard error after +-.  ~ marks a change that may be noise, by Welch's test at 95%.\n";

enum { CHANGE = 8, CHANGE_WITH_ERROR = 16 }; /* widths of columns */
#define TOO_SMALL 0.0005                     /* a change of less than this fraction of the program has no row */

/* Returns the work of a program, for the first table of --diff.  */
static double printed_diff_work(const struct cilkprof_totals *totals) {
  return (double)totals->work;
}
/* Returns the span of a program, for the first table of --diff.  */
static double printed_diff_span(const struct cilkprof_totals *totals) {
  return (double)totals->span;
}
/* Returns the burdened span of a program, for the first table of --diff.  */
static double printed_diff_burdened_span(const struct cilkprof_totals *totals) {
  return (double)totals->burdened_span;
}
/* Returns the parallelism of a program, for the first table of --diff; 0 if it has no span.  */
static double printed_diff_parallelism(const struct cilkprof_totals *totals) {
  return totals->span > 0 ? (double)totals->work / (double)totals->span : 0;
}
/* Returns the burdened parallelism of a program, for the first table of --diff; 0 if it has no burdened span.  */
static double printed_diff_burdened_parallelism(const struct cilkprof_totals *totals) {
  return totals->burdened_span > 0 ? (double)totals->work / (double)totals->burdened_span : 0;
}
/* Returns the number of spawns of a program, for the first table of --diff.  */
static double printed_diff_spawns(const struct cilkprof_totals *totals) {
  return (double)totals->spawns;
}

enum whole_kind { COST, RATIO, COUNT };

static const struct {
  const char *label;
  double (*value)(const struct cilkprof_totals *totals);
  enum whole_kind kind;
} wholes[] = {
    {"Work:", printed_diff_work, COST},
    {"Span:", printed_diff_span, COST},
    {"Burdened span:", printed_diff_burdened_span, COST},
    {"Parallelism:", printed_diff_parallelism, RATIO},
    {"Burdened parallelism:", printed_diff_burdened_parallelism, RATIO},
    {"Spawns:", printed_diff_spawns, COUNT},
};

/* Returns the change from the mean of OLD to that of NEW as text, such as "+12.3%", "x12", "new", "gone" or "=".  If
   there are several runs of both builds, its standard error follows, and ~ if it is noise.  */
static struct quantity printed_diff_change_text(const struct diff *diff, const struct series *old,
                                                const struct series *new) {
  struct quantity text = {"="}, error = {""};
  double before = diff_series_mean(old, diff->runs[OLD].count), after = diff_series_mean(new, diff->runs[NEW].count);
  if (before == after)
    return text;
  bool large = before > 0 && after / before >= 10;
  if (is_diff_of_several_runs(diff) && before > 0 && after > 0)
    snprintf(error.text, sizeof error.text, large ? " +-%.2g" : " +-%.1f%%",
             (large ? 1 : 100) * diff_quotient_error(diff, old, new));
  if (before == 0)
    snprintf(text.text, sizeof text.text, "new");
  else if (after == 0)
    snprintf(text.text, sizeof text.text, "gone");
  else if (large)
    snprintf(text.text, sizeof text.text, "x%.4g", after / before);
  else
    snprintf(text.text, sizeof text.text, "%+.1f%%", 100 * (after / before - 1));
  strncat(text.text, error.text, sizeof text.text - strlen(text.text) - 2);
  if (is_diff_noise(diff, old, new))
    strcat(text.text, "~");
  return text;
}

/* Returns the sum, least and largest of a value of the whole program, which VALUE takes from the totals, over all runs
   of a build.  */
static struct series printed_diff_series(const struct runs *runs, double (*value)(const struct cilkprof_totals *)) {
  struct series series = {0};
  for (size_t i = 0; i < runs->count; i++)
    add_diff_value(&series, value(&runs->models[i].totals), i == 0);
  return series;
}

/* Returns a value of the whole program as text: a cost with its unit, a ratio with two decimals, or a count.  */
static struct quantity printed_diff_row_text(const struct model *model, double value, enum whole_kind kind) {
  struct quantity text;
  if (kind == COST && model->run.units_per_second > 0)
    return model_quantity(model, value, 5, " ");
  if (kind != RATIO)
    return model_grouped_number((uint64_t)value);
  snprintf(text.text, sizeof text.text, "%.2f", value);
  return text;
}

/* Prints the first table of --diff, which compares work, span and parallelism of the two programs.  */
static void print_diff_programs(FILE *out, const struct diff *diff) {
  const struct model *model = &diff->runs[OLD].models[0];
  int width = is_diff_of_several_runs(diff) ? CHANGE_WITH_ERROR : CHANGE + 1;
  fprintf(out, "  %-22s %18s %18s %*s\n", "", "old", "new", width, "change");
  for (size_t i = 0; i < sizeof wholes / sizeof *wholes; i++) {
    struct series old = printed_diff_series(&diff->runs[OLD], wholes[i].value);
    struct series new = printed_diff_series(&diff->runs[NEW], wholes[i].value);
    double before = diff_series_mean(&old, diff->runs[OLD].count),
           after = diff_series_mean(&new, diff->runs[NEW].count);
    fprintf(out, "  %-22s %18s", wholes[i].label, printed_diff_row_text(model, before, wholes[i].kind).text);
    fprintf(out, " %18s %*s\n", printed_diff_row_text(model, after, wholes[i].kind).text, width,
            printed_diff_change_text(diff, &old, &new).text);
  }
}

/* Own span and own work have three columns each.  */
enum { SPANS, WORKS = SPANS + 3, OLD_PARALLEL = WORKS + 3, NEW_PARALLEL, NAME, COLUMNS };
#define DIFF_COLUMNS(change_width)                                                                                     \
  {                                                                                                                    \
    [SPANS] = {"own span", "old", 8, 0}, [SPANS + 1] = {"own span", "new", 8, 0},                                      \
    [SPANS + 2] = {"own span", "change", change_width, 0}, [WORKS] = {"own work", "old", 9, 1},                        \
    [WORKS + 1] = {"own work", "new", 8, 2},                                                                           \
    [WORKS + 2] = {"own work", "change", change_width, 4}, [OLD_PARALLEL] = {"parallel", "old", 9, 3},                 \
    [NEW_PARALLEL] = {"parallel", "new", 8, 0}, [NAME] = {NULL, "place  caller -> callee", -1, 0},                     \
  }
static const struct layout_column columns[COLUMNS] = DIFF_COLUMNS(CHANGE),
                                  columns_with_error[COLUMNS] = DIFF_COLUMNS(CHANGE_WITH_ERROR);
enum { LEAST_ROOM = 36 };

struct changes {
  struct line *line;
  const struct diff *diff;
  struct layout layout;
  struct buffer buffer;
};

/* Adds three cells of a call site to the line, from column PLACE on: a value in the old build, in the new one, and the
   change.  */
static void print_diff_value(const struct changes *changes, const struct change *change, enum value value,
                             size_t place) {
  const struct diff *diff = changes->diff;
  const struct model *model = &diff->runs[OLD].models[0];
  const struct series *old = &change->values[OLD][value], *new = &change->values[NEW][value];
  double before = diff_series_mean(old, diff->runs[OLD].count), after = diff_series_mean(new, diff->runs[NEW].count);
  layout_string_cell(&changes->layout, changes->line, place, model_quantity(model, before, 4, "").text);
  layout_string_cell(&changes->layout, changes->line, place + 1, model_quantity(model, after, 4, "").text);
  layout_string_cell(&changes->layout, changes->line, place + 2, printed_diff_change_text(diff, old, new).text);
}

/* Returns the parallelism of a call site in one of the builds as text.  SIDE is OLD or NEW.  */
static struct quantity printed_diff_parallelism_change(const struct change *change, int side) {
  return model_parallelism_text((uint64_t)change->values[side][WORK].sum, (uint64_t)change->values[side][SPAN].sum);
}

/* Prints the row of a call site in the second table of --diff: own span, own work and parallelism in both builds.  */
static void print_diff_change(struct changes *changes, const struct change *change) {
  struct quantity line = {""}, now = {""};
  bool both = change->present[OLD] && change->present[NEW];
  uint32_t at = change->line[change->present[OLD] ? OLD : NEW];
  if (at > 0)
    snprintf(line.text, sizeof line.text, ":%u", at);
  if (both && change->line[OLD] != change->line[NEW])
    snprintf(now.text, sizeof now.text, " (now %u)", change->line[NEW]);
  print_diff_value(changes, change, OWN_SPAN, SPANS);
  print_diff_value(changes, change, OWN_WORK, WORKS);
  layout_string_cell(&changes->layout, changes->line, OLD_PARALLEL, printed_diff_parallelism_change(change, OLD).text);
  layout_string_cell(&changes->layout, changes->line, NEW_PARALLEL, printed_diff_parallelism_change(change, NEW).text);
  layout_name_cell(&changes->layout, changes->line,
                   buffer_print(&changes->buffer, "%s%s%s  %s -> %s", change->file, line.text, now.text,
                                change->shown_caller, change->shown_callee));
}

/* Prints the second table of --diff, the call sites that changed, and how many changed little or not at all.  */
static void print_diff_changes(FILE *out, const struct diff *diff, const struct layout *layout) {
  size_t same = 0, small = 0;
  struct line line = {.out = out};
  struct changes changes = {&line, diff, *layout, {NULL, 0}};
  putc('\n', out);
  layout_print_headings(out, layout);
  for (size_t i = 0; i < diff->count; i++) {
    const struct change *change = &diff->changes[i];
    if (!change->present[OLD] && !change->present[NEW])
      continue;
    if (change->weight == 0)
      same++;
    else if (change->weight < TOO_SMALL)
      small++;
    else
      print_diff_change(&changes, change);
  }
  line_flush(&line);
  free(changes.buffer.text);
  if (small > 0)
    fprintf(out, "\n  %zu call site%s changed by less than 0.05%% of the program.\n", small,
            model_plural_ending(small));
  if (same > 0)
    fprintf(out, "\n  %zu call site%s did not change.\n", same, model_plural_ending(same));
}

/* Prints a warning if only some of the times of the two builds were checked: then a difference may be an error of the
   measurement.  */
static void print_diff_checks(FILE *out, const struct diff *diff, unsigned terminal_width) {
  size_t checked[SIDES] = {0}, all = diff->runs[OLD].count + diff->runs[NEW].count;
  for (int side = OLD; side < SIDES; side++)
    for (size_t i = 0; i < diff->runs[side].count; i++)
      checked[side] += timing_reliability(&diff->runs[side].models[i]).kind == TIMING_CHECKED;
  if (checked[OLD] + checked[NEW] > 0 && checked[OLD] + checked[NEW] < all)
    print_prose(
        out,
        "\n  Some of the times were checked by cilkprof run and some were not; that alone may explain differences.\n",
        terminal_width);
}

/* Returns what the report says of INFLATION, that of DIFF, which has a call site whose own work grew.  */
static char *printed_diff_inflation(const struct diff *diff, const struct diff_inflation *inflation) {
  const struct model *model = &diff->runs[OLD].models[0];
  const struct change *most = inflation->most;
  bool serial = model->usages.workers.workers == 0;
  return format_string(
      "\n  Work inflation: on %s workers, the same code took %.1f%% longer than %s.  That alone limits the speedup on "
      "%s workers to %.2f.  Most of it is in %s -> %s at %s:%u (+%s, %s).  Likely, workers share memory bandwidth or "
      "caches there, or write to the same cache lines.%s\n",
      model_grouped_number(inflation->workers).text, 100 * inflation->grown, serial ? "in the serial run" : "on one",
      model_grouped_number(inflation->workers).text, (double)inflation->workers / (1 + inflation->grown),
      most->shown_caller, most->shown_callee, most->file, most->line[NEW],
      model_quantity(model, diff_growth(diff, most, OWN_WORK), 4, " ").text,
      printed_diff_change_text(diff, &most->values[OLD][OWN_WORK], &most->values[NEW][OWN_WORK]).text,
      serial ? "  Part of it may be that the compiler optimized it differently: the old profile is that of another "
               "build.  To tell, compare with a run of the new build on one worker (CILK_NWORKERS=1)."
             : "");
}

/* Prints whether code took longer because several workers ran it, and where, if the old runs of DIFF were on one worker
   and the new ones were not.  */
static void print_diff_inflation(FILE *out, const struct diff *diff, unsigned terminal_width) {
  struct diff_inflation inflation = find_diff_inflation(diff);
  if (inflation.workers == 0)
    return;
  struct series old = printed_diff_series(&diff->runs[OLD], printed_diff_work),
                new = printed_diff_series(&diff->runs[NEW], printed_diff_work);
  char *text = inflation.most != NULL
                   ? printed_diff_inflation(diff, &inflation)
                   : format_string(
                         "\n  Work inflation: none.  No call site took noticeably longer on %s workers than on "
                         "one (all work: %s).\n",
                         model_grouped_number(inflation.workers).text, printed_diff_change_text(diff, &old, &new).text);
  print_prose(out, text, terminal_width);
  free(text);
}

void print_diff(FILE *out, const char *old, const char *new, const struct options *options) {
  struct diff diff = {0};
  const struct cilkprof_profile *first = NULL;
  const char *names[] = {old, new};
  for (int side = OLD; side < SIDES; side++) {
    struct build build = parse_model_build(names[side]);
    struct model *models = allocate(build.profile_count, sizeof *models);
    first = fill_models_of_build(&build, first, models, options);
    diff.runs[side] = (struct runs){models, build.profile_count};
  }
  make_diff(&diff);
  char *old_name = escape(old), *new_name = escape(new);
  const char *of = diff.runs[OLD].models[0].root;
  char *root = of != NULL ? escape(of) : NULL;
  print_styled(out, options->color, STYLE_TITLE, "Difference from %s to %s%s%s", old_name, new_name,
               root != NULL ? ", of " : "", root != NULL ? root : "");
  fputs("\n\n", out);
  print_diff_programs(out, &diff);
  print_diff_checks(out, &diff, options->terminal_width);
  print_diff_inflation(out, &diff, options->terminal_width);
  struct layout layout = layout_fit_columns(is_diff_of_several_runs(&diff) ? columns_with_error : columns, COLUMNS,
                                            options->terminal_width, LEAST_ROOM);
  print_diff_changes(out, &diff, &layout);
  free(root);
  free(old_name);
  free(new_name);
  if (options->brief)
    return;
  print_prose(out, explanation, options->terminal_width);
  explain_omitted_table_columns(out, &layout, options->terminal_width);
}
