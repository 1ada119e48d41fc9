/* The call sites, those that hold the span first: Figure 2 of the Cilkprof paper.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/columns.h"
#include "cilkprof-report/labels.h"
#include "cilkprof-report/sections.h"
#include "cilkprof-report/support.h"
#include "cilkprof-report/terminal.h"
#include "cilkprof-report/units.h"

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

static int compare_sites(const void *left, const void *right) {
  const struct site *a = *(const struct site *const *)left, *b = *(const struct site *const *)right;
  const struct cilkprof_site *x = a->measured, *y = b->measured;
  if (x->on_span.local.span != y->on_span.local.span)
    return x->on_span.local.span > y->on_span.local.span ? -1 : 1;
  if (x->on_work.local.work != y->on_work.local.work)
    return x->on_work.local.work > y->on_work.local.work ? -1 : 1;
  if (x->on_work.local.count != y->on_work.local.count)
    return x->on_work.local.count > y->on_work.local.count ? -1 : 1;
  int order = strcmp(a->file, b->file);
  if (order != 0)
    return order;
  return a->line != b->line ? (a->line < b->line ? -1 : 1) : a < b ? -1 : a > b;
}

const struct site **sites_by_span(const struct model *model) {
  const struct site **sorted = allocate(model->site_count, sizeof *sorted);
  for (size_t i = 0; i < model->site_count; i++)
    sorted[i] = &model->sites[i];
  qsort(sorted, model->site_count, sizeof *sorted, compare_sites);
  return sorted;
}

static const char *cell(const struct model *model, const struct column *column, const struct site *site,
                        struct buffer *buffer) {
  switch (column->kind) {
  case COLUMN_STRING:
    return column->string(site, buffer);
  case COLUMN_INTEGER:
    return buffer_print(buffer, "%llu", (unsigned long long)column_integer(column, site));
  case COLUMN_COST:
    return buffer_print(buffer, "%s", quantity(model, (double)column_integer(column, site), 4, "").text);
  case COLUMN_SPAN_SHARE:
    return buffer_print(buffer, "%.2f", percent(column_integer(column, site), model->totals.span));
  case COLUMN_PARALLELISM: {
    const struct cilkprof_measure *measure =
        (const struct cilkprof_measure *)((const char *)site->measured + column->offset);
    return buffer_print(buffer, "%s", parallelism(measure->work, measure->span).text);
  }
  }
  return "?";
}

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

static void print_cell(FILE *out, const struct text_column *text, size_t place, size_t count, const char *string) {
  bool last = place + 1 == count; /* nothing is filled up at the end of a line */
  fprintf(out, "%s%*s%s", gap_before(text, place), last ? 0 : text[place].width, string, last ? "\n" : "");
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
    fprintf(out, " %s ", group);
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

static void print_row(FILE *out, const struct model *model, const struct options *options,
                      const struct text_column *text, size_t count, const struct site *site, struct buffer *buffer) {
  int room = last_room(text, count, options);
  for (size_t i = 0; i < count; i++) {
    const char *string = cell(model, text[i].column, site, buffer);
    if (text[i].column->kind == COLUMN_SPAN_SHARE)
      print_share(out, site, model, options);
    else if (i + 1 == count && room > 0 && strlen(string) > (size_t)room)
      fprintf(out, "%s%.*s...\n", gap_before(text, i), room - 3, string);
    else
      print_cell(out, text, i, count, string);
  }
}

void print_sites(FILE *out, struct model *model, const struct options *options) {
  struct text_column text[column_count];
  struct buffer buffer = {NULL, 0};
  size_t count = find_text_columns(text);
  const struct site **sites = sites_by_span(model);
  for (size_t i = 0; i < count; i++)
    if (text[i].width == 0)
      text[i].width = width_of(text[i].column, sites, model->site_count, &buffer);
  print_styled(out, options->color, STYLE_TITLE, "Call sites by their share of the span:");
  fputs("\n\n", out);
  print_groups(out, text, count);
  for (size_t i = 0; i < count; i++)
    print_cell(out, text, i, count, text[i].column->heading);
  for (size_t row = 0; row < model->site_count; row++)
    if (site_is_listed(sites[row], options))
      print_row(out, model, options, text, count, sites[row], &buffer);
  free(buffer.text);
  free(sites);
  if (!options->brief)
    fprintf(out, explanation, model->run.units_per_second > 0 ? "" : instructions_explanation);
}
