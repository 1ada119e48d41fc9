/* The table of call sites, sorted by their part of the span, as in Figure 2 of the Cilkprof paper.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/tables/columns.h"
#include "cilkprof-report/tables/labels.h"
#include "cilkprof-report/tables/layout.h"
#include "cilkprof-report/sections/sections.h"
#include "cilkprof-report/support/prose.h"
#include "cilkprof-report/support/sort.h"
#include "cilkprof-report/support/support.h"
#include "cilkprof-report/support/terminal.h"

static const char explanation[] =
    "\n Each line is a call site: a place where a function calls or spawns another, a parallel loop (loop), a loop "
    "without calls that ran long (serial), or a function called by uninstrumented code (entry).  Those with the "
    "largest share of the span come first: they decide how the program scales.\n\n % span     \tthe share of the "
    "program's span that the callee itself takes when called here: its local span on the span.  These add up to 100.\n "
    "on span    \tof the calls on the critical path: local span and local work of the callee itself; then work, span "
    "and parallelism (work / span) with its callees.\n on work    \tthe same for all calls, on the critical path or "
    "not.\n count      \tthe number of calls, or of executions of a loop; of a serial loop the long ones; blank "
    "where only samples tell of them.\n place      \tthe source line; of a call in a library the line of the program "
    "that leads to it, with that of the "
    "library, or + where it does not fit.\n\n "
    "Recursive calls of the same site are part of the outermost one.  A site with a large share of the span and a "
    "parallelism near 1 is serial: parallelise its callee.  One with a small share and much parallelism is fine.\n";

static const char instructions_explanation[] =
    " Work and span are counted in instructions; k, M, G, T are thousands, millions, billions, trillions.\n";

static const char estimates_explanation[] =
    "\n ~          \tan estimate whose standard error is more than 5%: in code that does not fork, time is divided as "
    "the "
    "samples in it are, or as in some of the calls.  A longer run, or cilkprof run -F, has more of them.\n";

/* The table that is being printed.  */
struct rows {
  struct line *line;
  const struct model *model;
  const struct options *options;
  const struct column **columns; /* columns of the text report, in their order */
  struct layout layout;
};

/* Returns the string of SITE in COLUMN, a brief one if the table has to fit a terminal and there is one.  BUFFER is
   room for it.  */
static const char *printed_sites_string(const struct column *column, const struct site *site,
                                        const struct options *options, struct buffer *buffer) {
  bool brief = options->terminal_width != 0 && column->brief_string != NULL;
  return brief ? column->brief_string(site, buffer) : column->string(site, buffer);
}

/* Returns the width of a column of strings in the table of call sites: that of its longest string, up to a limit.  It
   is negative because strings are aligned to the left.  */
static int printed_sites_column_width(const struct column *column, const struct model *model,
                                      const struct options *options, struct buffer *buffer) {
  enum { MOST = 32 };
  size_t width = strlen(column->heading);
  for (size_t i = 0; i < model->site_count && width < MOST; i++) {
    size_t length = strlen(printed_sites_string(column, &model->sites[i], options, buffer));
    width = length > width ? length : width;
  }
  return -(int)(width < MOST ? width : MOST);
}

/* Stores the columns that the text table of call sites of MODEL has in TEXT, and their layout in FITTED.  Returns how
   many columns there are.  */
static size_t find_printed_sites_columns(struct layout_column *fitted, const struct column **text,
                                         const struct model *model, const struct options *options,
                                         struct buffer *buffer) {
  size_t count = 0;
  for (size_t i = 0; i < column_count; i++) {
    const struct column *column = &columns[i];
    if (column->text_place == 0)
      continue;
    int width = column->width != 0 ? column->width : printed_sites_column_width(column, model, options, buffer);
    if (column->kind == COLUMN_SPAN_BAR && !options->bars)
      width = 0;
    text[column->text_place - 1] = column;
    fitted[column->text_place - 1] = (struct layout_column){column->group, column->heading, width, column->dispensable};
    count++;
  }
  return count;
}

/* Adds the number of SITE in column PLACE to the line: a count, a cost with its unit, or a parallelism.  Does nothing
   if the column is left out.  BUFFER is room for a string.  */
static void print_sites_number(const struct rows *rows, size_t place, const struct site *site, struct buffer *buffer) {
  const struct column *column = rows->columns[place];
  const struct cilkprof_measure *measure =
      (const struct cilkprof_measure *)((const char *)site->measured + column->offset);
  if (!layout_has_column(&rows->layout, place))
    return;
  if (is_site_column_unknown(column, site))
    layout_string_cell(&rows->layout, rows->line, place, "");
  else if (column->kind == COLUMN_INTEGER)
    layout_integer_cell(&rows->layout, rows->line, place, site_column_integer(column, site));
  else if (column->kind == COLUMN_COST) {
    struct quantity cost = model_quantity(rows->model, (double)site_column_integer(column, site), 4, "");
    bool unsure = column->local && site_column_integer(column, site) > 0 && is_model_site_unsure(site);
    layout_string_cell(&rows->layout, rows->line, place, buffer_join(buffer, unsure ? "~" : "", cost.text, ""));
  } else
    layout_string_cell(&rows->layout, rows->line, place, model_parallelism_text(measure->work, measure->span).text);
}

/* Adds the bar of SITE in column PLACE to the line: its share of the span.  Does nothing if the column is left out.  */
static void print_sites_bar(const struct rows *rows, size_t place, const struct site *site) {
  uint64_t span = site->measured->on_span.local.span;
  if (layout_cell_gap(&rows->layout, rows->line, place))
    line_share_bar(rows->line, model_percent_of_whole(span, rows->model->totals.span));
}

/* Adds the row of SITE in the table of call sites to the line.  BUFFER is room for its strings.  */
static void print_sites_row(const struct rows *rows, const struct site *site, struct buffer *buffer) {
  for (size_t i = 0; i < rows->layout.count; i++) {
    const struct column *column = rows->columns[i];
    if (column->kind == COLUMN_SPAN_SHARE)
      line_site_share_cell(rows->line, site, rows->model, rows->options);
    else if (column->kind == COLUMN_SPAN_BAR)
      print_sites_bar(rows, i, site);
    else if (column->kind != COLUMN_STRING)
      print_sites_number(rows, i, site, buffer);
    else if (i + 1 == rows->layout.count)
      layout_name_cell(&rows->layout, rows->line, column->string(site, buffer));
    else
      layout_string_cell(&rows->layout, rows->line, i, printed_sites_string(column, site, rows->options, buffer));
  }
}

/* Prints the listed call sites, or the first of them with --top.  Returns how many of them are not printed.  */
static size_t print_sites_rows(const struct rows *rows, const struct site *const *sites, struct buffer *buffer) {
  const struct options *options = rows->options;
  size_t left = 0, shown = 0, count = rows->model->site_count;
  for (size_t row = 0; row < count; row++) {
    if (!site_has_table_row(sites[row], options))
      continue;
    if (options->top > 0 && shown == options->top)
      left++;
    else {
      print_sites_row(rows, sites[row], buffer);
      shown++;
    }
  }
  return left;
}

/* Returns whether a site in the table of call sites has a time that is marked as an estimate.  */
static bool has_unsure_site_row(const struct model *model, const struct options *options) {
  for (size_t i = 0; i < model->site_count; i++)
    if (site_has_table_row(&model->sites[i], options) && is_model_site_unsure(&model->sites[i]))
      return true;
  return false;
}

/* Prints the section of --sites: the table of call sites, those that hold most of the span first.  */
void print_sites(FILE *out, struct model *model, const struct options *options) {
  enum { LEAST_ROOM = 24 };
  struct layout_column fitted[column_count];
  const struct column *text[column_count];
  struct buffer buffer = {NULL, 0};
  const struct site **sites = model_sites_by_span(model);
  size_t count = find_printed_sites_columns(fitted, text, model, options, &buffer);
  struct line line = {.out = out};
  struct rows rows = {&line, model, options, text,
                      layout_fit_columns(fitted, count, options->terminal_width, LEAST_ROOM)};
  print_styled(out, options->color, STYLE_TITLE, "Call sites by share of the span:");
  fputs("\n\n", out);
  layout_print_headings(out, &rows.layout);
  size_t left = print_sites_rows(&rows, sites, &buffer);
  line_flush(&line);
  print_omitted_table_rows(out, left);
  free(buffer.text);
  if (options->brief)
    return;
  print_prose(out, explanation, options->terminal_width);
  if (has_unsure_site_row(model, options))
    print_prose(out, estimates_explanation, options->terminal_width);
  if (model->run.units_per_second == 0)
    print_prose(out, instructions_explanation, options->terminal_width);
  explain_omitted_table_columns(out, &rows.layout, options->terminal_width);
}
