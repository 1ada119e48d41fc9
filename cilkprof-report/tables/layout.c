/* The layout of text tables: leaves out columns for which the terminal has no room.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/tables/layout.h"
#include "cilkprof-report/support/prose.h"

bool layout_has(const struct layout *layout, size_t place) {
  return !(layout->gone >> place & 1);
}

/* Returns the blanks before a column: none before the first one that is shown.  */
static const char *gap_before(const struct layout *layout, size_t place) {
  uint64_t before = ((uint64_t)1 << place) - 1;
  bool first = (layout->gone & before) == before;
  return first ? "" : layout->columns[place].width < 0 ? "  " : " ";
}

/* Returns the width of a column with its gap; 0 if it is left out.  */
static int cell_width(const struct layout *layout, size_t place) {
  if (!layout_has(layout, place))
    return 0;
  return (int)strlen(gap_before(layout, place)) + abs(layout->columns[place].width);
}

int layout_before(const struct layout *layout, size_t place) {
  int width = 0;
  for (size_t i = 0; i < place; i++)
    width += cell_width(layout, i);
  return width;
}

/* Returns the column to leave out next, or COUNT if there is none.  */
static size_t most_dispensable(const struct layout *layout) {
  size_t found = layout->count;
  for (size_t i = 0; i < layout->count; i++) {
    int rank = layout->columns[i].dispensable;
    if (layout_has(layout, i) && rank > 0 && (found == layout->count || rank < layout->columns[found].dispensable))
      found = i;
  }
  return found;
}

struct layout layout_fit(const struct layout_column *columns, size_t count, unsigned terminal_width, int least) {
  struct layout layout = {.columns = columns, .count = count};
  if (terminal_width == 0)
    return layout;
  for (;;) {
    size_t last = count - 1, next = most_dispensable(&layout);
    layout.room = (int)terminal_width - layout_before(&layout, last) - (int)strlen(gap_before(&layout, last));
    if (layout.room >= least || next == count)
      break;
    layout.gone |= (uint64_t)1 << next;
  }
  enum { READABLE = 16 };
  layout.room = layout.room > READABLE ? layout.room : READABLE;
  return layout;
}

static bool same_group(const char *one, const char *other) {
  return one == NULL || other == NULL ? one == other : strcmp(one, other) == 0;
}

static void print_dashes(FILE *out, int count) {
  while (count-- > 0)
    putc('-', out);
}

/* Prints the headings of groups, each in the middle of a rule over its columns.  */
static void print_groups(FILE *out, const struct layout *layout) {
  int blanks = 0;
  for (size_t i = 0, end; i < layout->count; i = end) {
    const char *group = layout->columns[i].group;
    int width = 0, gap = layout_has(layout, i) ? (int)strlen(gap_before(layout, i)) : 1;
    for (end = i; end < layout->count && same_group(layout->columns[end].group, group); end++)
      width += cell_width(layout, end);
    if (group == NULL || width == 0) {
      blanks += width;
      continue;
    }
    int rule = width - gap - 2 - (int)strlen(group);
    fprintf(out, "%*s", blanks + gap, "");
    print_dashes(out, rule / 2);
    if (rule < 0)
      fprintf(out, "%-*s", width - gap, group);
    else
      fprintf(out, " %s ", group);
    print_dashes(out, rule - rule / 2);
    blanks = 0;
  }
  putc('\n', out);
}

void layout_print_headings(FILE *out, const struct layout *layout) {
  struct line line = {.out = out};
  bool grouped = false;
  for (size_t i = 0; i < layout->count; i++)
    grouped |= layout_has(layout, i) && layout->columns[i].group != NULL;
  if (grouped)
    print_groups(out, layout);
  for (size_t i = 0; i + 1 < layout->count; i++)
    layout_string(layout, &line, i, layout->columns[i].heading);
  const char *last = layout->columns[layout->count - 1].heading;
  if (last[0] != 0)
    layout_name(layout, &line, last);
  else
    line_character(&line, '\n');
  line_print(&line);
}

bool layout_gap(const struct layout *layout, struct line *line, size_t place) {
  if (!layout_has(layout, place))
    return false;
  line_string(line, 0, gap_before(layout, place));
  return true;
}

void layout_string(const struct layout *layout, struct line *line, size_t place, const char *string) {
  if (layout_gap(layout, line, place))
    line_string(line, layout->columns[place].width, string);
}

void layout_integer(const struct layout *layout, struct line *line, size_t place, uint64_t value) {
  if (layout_gap(layout, line, place))
    line_integer(line, layout->columns[place].width, value);
}

void layout_fixed(const struct layout *layout, struct line *line, size_t place, double value) {
  if (layout_gap(layout, line, place))
    line_fixed(line, layout->columns[place].width, 2, value);
}

void layout_branch(const struct layout *layout, struct line *line, size_t depth, const char *name, const char *suffix) {
  enum { STEP = 2, MOST_INDENTATION = 60, LEAST_NAME = 24 };
  size_t most = layout->room == 0           ? MOST_INDENTATION
                : layout->room > LEAST_NAME ? (size_t)layout->room - LEAST_NAME
                                            : 0;
  size_t indentation = STEP * depth < most ? STEP * depth : most, used = indentation + strlen(suffix);
  layout_gap(layout, line, layout->count - 1);
  line_string(line, (int)indentation, "");
  if (layout->room > 0 && strlen(name) + used > (size_t)layout->room) {
    line_print(line);
    fprintf(line->out, "%.*s...", layout->room - 3 - (int)used, name);
  } else
    line_string(line, 0, name);
  line_string(line, 0, suffix);
  line_character(line, '\n');
}

void layout_name(const struct layout *layout, struct line *line, const char *name) {
  layout_branch(layout, line, 0, name, "");
}

void layout_explain(FILE *out, const struct layout *layout, unsigned terminal_width) {
  if (layout->gone != 0)
    print_prose(out, "\n The terminal has no room for more columns: --wide shows all of them.\n", terminal_width);
}
