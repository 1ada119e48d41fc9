/* The call sites, those that hold the span first: Figure 2 of the Cilkprof paper.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/tables/columns.h"
#include "cilkprof-report/tables/labels.h"
#include "cilkprof-report/sections/sections.h"
#include "cilkprof-report/support/sort.h"
#include "cilkprof-report/support/support.h"
#include "cilkprof-report/support/terminal.h"

static const char explanation[] =
    "\n"
    " Every line is a call site: a place where a function calls or spawns another, a cilk_for (loop), or a function "
    "that\n"
    " code without instrumentation called (entry).  Those that hold the span come first: they decide how the program\n"
    " scales.\n"
    "\n"
    " %% span     how much of the program's span the callee holds itself when it is called here: its local span on "
    "the\n"
    "            span.  These add up to the whole span.\n"
    " on span    of the calls that lie on the span: local span and local work of the callee itself; then work, span "
    "and\n"
    "            parallelism (work / span) with all that it called.\n"
    " on work    the same of all calls, on the span or not.\n"
    " count      the number of calls.\n"
    "\n"
    " Work and span of calls below another call of the same site are part of that one.  A site with a large share of\n"
    " the span and a parallelism near 1 is serial: parallelise its callee.  One with a small share and much "
    "parallelism\n"
    " needs nothing.\n"
    "%s";

static const char instructions_explanation[] =
    " Work and span are counted in instructions; k, M, G, T are thousands, millions, billions, trillions.\n";

/* A column of the text with the width that it has in this table.  */
struct text_column {
  const struct column *column;
  int width; /* below 0: to the left */
};

static size_t find_text_columns(struct text_column *text) {
  size_t count = 0;
  for (size_t i = 0; i < column_count; i++)
    if (columns[i].text_place > 0) {
      text[columns[i].text_place - 1] = (struct text_column){&columns[i], columns[i].width};
      count++;
    }
  return count;
}

/* A column whose width depends on what is in it, within limits.  */
static int width_of(const struct column *column, const struct site *const *sites, size_t count, struct buffer *buffer) {
  enum { MOST = 24 };
  size_t width = strlen(column->heading);
  for (size_t i = 0; i < count && width < MOST; i++) {
    size_t length = strlen(column->string(sites[i], buffer));
    width = length > width ? length : width;
  }
  return -(int)(width < MOST ? width : MOST);
}

static const char *gap_before(const struct text_column *text, size_t place) {
  return place == 0 ? "" : text[place].width < 0 ? "  " : " ";
}

/* Nothing is filled up at the end of a line.  */
static void print_cell(struct line *line, const struct text_column *text, size_t place, size_t count,
                       const char *string) {
  bool last = place + 1 == count;
  line_string(line, 0, gap_before(text, place));
  line_string(line, last ? 0 : text[place].width, string);
  if (last)
    line_character(line, '\n');
}

static int cell_width(const struct text_column *text, size_t place) {
  return (int)strlen(gap_before(text, place)) + abs(text[place].width);
}

static void print_dashes(FILE *out, int count) {
  while (count-- > 0)
    putc('-', out);
}

/* The names of the groups, each in the middle of a rule over its columns.  */
static void print_groups(FILE *out, const struct text_column *text, size_t count) {
  int blanks = 0;
  for (size_t i = 0, end; i < count; i = end) {
    const char *group = text[i].column->group;
    int width = 0;
    for (end = i; end < count && strcmp(text[end].column->group, group) == 0; end++)
      width += cell_width(text, end);
    if (group[0] == 0) {
      blanks += width;
      continue;
    }
    int rule = width - 3 - (int)strlen(group);
    fprintf(out, "%*s", blanks + 1, "");
    print_dashes(out, rule / 2);
    fprintf(out, rule < 0 ? " %s" : " %s ", group);
    print_dashes(out, rule - rule / 2);
    blanks = 0;
  }
  putc('\n', out);
}

/* The last column gets what the terminal leaves it; 0: as much as it wants.  */
static int last_room(const struct text_column *text, size_t count, const struct options *options) {
  enum { LEAST = 24 };
  int room = (int)options->terminal_width - (int)strlen(gap_before(text, count - 1));
  for (size_t i = 0; i + 1 < count; i++)
    room -= cell_width(text, i);
  return options->terminal_width > 0 && room >= LEAST ? room : 0;
}

/* Leaves out columns until the names have room, or none is left that can go.  Returns how many remain.  */
static size_t fit(struct text_column *text, size_t count, const struct options *options) {
  while (options->terminal_width > 0 && !options->wide && last_room(text, count, options) == 0) {
    size_t gone = count;
    for (size_t i = 0; i < count; i++) {
      int rank = text[i].column->dispensable;
      if (rank > 0 && (gone == count || rank < text[gone].column->dispensable))
        gone = i;
    }
    if (gone == count)
      break;
    memmove(&text[gone], &text[gone + 1], (--count - gone) * sizeof *text);
  }
  return count;
}

/* What every row needs.  */
struct rows {
  struct line *line;
  const struct model *model;
  const struct options *options;
  const struct text_column *text;
  size_t count;
  int room; /* of the last column; 0: as much as it wants */
};

static void print_number(const struct rows *rows, size_t place, const struct site *site) {
  const struct text_column *text = &rows->text[place];
  const struct cilkprof_measure *measure =
      (const struct cilkprof_measure *)((const char *)site->measured + text->column->offset);
  line_string(rows->line, 0, gap_before(rows->text, place));
  if (text->column->kind == COLUMN_INTEGER)
    line_integer(rows->line, text->width, column_integer(text->column, site));
  else if (text->column->kind == COLUMN_COST)
    line_string(rows->line, text->width, quantity(rows->model, (double)column_integer(text->column, site), 4, "").text);
  else
    line_string(rows->line, text->width, parallelism(measure->work, measure->span).text);
}

static void print_row(const struct rows *rows, const struct site *site, struct buffer *buffer) {
  for (size_t i = 0; i < rows->count; i++) {
    const struct column *column = rows->text[i].column;
    if (column->kind == COLUMN_SPAN_SHARE) {
      line_share(rows->line, site, rows->model, rows->options);
      continue;
    }
    if (column->kind != COLUMN_STRING) {
      print_number(rows, i, site);
      continue;
    }
    const char *string = column->string(site, buffer);
    if (i + 1 == rows->count && rows->room > 0 && strlen(string) > (size_t)rows->room) {
      line_print(rows->line);
      fprintf(rows->line->out, "%s%.*s...\n", gap_before(rows->text, i), rows->room - 3, string);
    } else
      print_cell(rows->line, rows->text, i, rows->count, string);
  }
}

/* Sorted sites lie anywhere in memory: what the rows after the next need is on its way while the next are printed.
   Inline, or else the compiler removes it as a function that has no effect.  */
static inline __attribute__((always_inline)) void fetch(const struct site *const *sites, size_t count, size_t row) {
  enum { FAR = 16, NEAR = 8 };
  if (row + FAR >= count)
    return;
  const struct site *near = sites[row + NEAR];
  __builtin_prefetch(sites[row + FAR]);
  __builtin_prefetch(&near->measured->on_work.top_call_site);
  __builtin_prefetch(&near->measured->on_work.local);
  __builtin_prefetch(&near->measured->on_span.top_call_site);
  __builtin_prefetch(&near->measured->on_span.local);
  __builtin_prefetch(near->callee);
  __builtin_prefetch(near->caller);
  const struct site *next = sites[row + NEAR / 2];
  __builtin_prefetch(next->callee->brief_name);
  __builtin_prefetch(next->caller != NULL ? next->caller->brief_name : NULL);
}

void print_sites(FILE *out, struct model *model, const struct options *options) {
  struct text_column text[column_count];
  struct buffer buffer = {NULL, 0};
  size_t count = find_text_columns(text);
  const struct site **sites = sites_by_span(model);
  for (size_t i = 0; i < count; i++)
    if (text[i].width == 0)
      text[i].width = width_of(text[i].column, sites, model->site_count, &buffer);
  count = fit(text, count, options);
  print_styled(out, options->color, STYLE_TITLE, "Call sites by their share of the span:");
  fputs("\n\n", out);
  print_groups(out, text, count);
  struct line line = {.out = out};
  for (size_t i = 0; i < count; i++)
    print_cell(&line, text, i, count, text[i].column->heading);
  struct rows rows = {&line, model, options, text, count, last_room(text, count, options)};
  size_t left = 0, shown = 0;
  for (size_t row = 0; row < model->site_count; row++) {
    fetch(sites, model->site_count, row);
    if (!site_is_listed(sites[row], options))
      continue;
    if (options->top > 0 && shown == options->top)
      left++;
    else {
      print_row(&rows, sites[row], &buffer);
      shown++;
    }
  }
  line_print(&line);
  print_more_rows(out, left);
  free(buffer.text);
  if (!options->brief)
    fprintf(out, explanation, model->run.units_per_second > 0 ? "" : instructions_explanation);
}
