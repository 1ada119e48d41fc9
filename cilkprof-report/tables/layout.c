/* The layout of text tables: leaves out columns for which the terminal has no room.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/tables/layout.h"
#include "cilkprof-report/support/prose.h"

bool layout_has_column(const struct layout *layout, size_t place) {
  return !(layout->gone >> place & 1);
}

/* Returns the blanks before column number PLACE of a table: none before the first column that is shown, two before one
   that is aligned to the left.  */
static const char *layout_gap_before(const struct layout *layout, size_t place) {
  uint64_t before = ((uint64_t)1 << place) - 1;
  bool first = (layout->gone & before) == before;
  return first ? "" : layout->columns[place].width < 0 ? "  " : " ";
}

/* Returns the width of column number PLACE of a table with the gap before it; 0 if it is left out.  */
static int layout_cell_width(const struct layout *layout, size_t place) {
  if (!layout_has_column(layout, place))
    return 0;
  return (int)strlen(layout_gap_before(layout, place)) + abs(layout->columns[place].width);
}

int layout_width_before(const struct layout *layout, size_t place) {
  int width = 0;
  for (size_t i = 0; i < place; i++)
    width += layout_cell_width(layout, i);
  return width;
}

/* Returns the number of the column of a table to leave out next, or the number of columns if all others have to
   stay.  */
static size_t most_dispensable_table_column(const struct layout *layout) {
  size_t found = layout->count;
  for (size_t i = 0; i < layout->count; i++) {
    int rank = layout->columns[i].dispensable;
    if (layout_has_column(layout, i) && rank > 0 &&
        (found == layout->count || rank < layout->columns[found].dispensable))
      found = i;
  }
  return found;
}

/* Returns a layout for a table with COUNT columns.  Leaves out columns until the names, in the last one, have room for
   LEAST characters, or no other column can be left out.  A TERMINAL_WIDTH of 0 is unlimited.  */
struct layout layout_fit_columns(const struct layout_column *columns, size_t count, unsigned terminal_width,
                                 int least) {
  struct layout layout = {.columns = columns, .count = count};
  for (size_t i = 0; i < count; i++)
    if (columns[i].width == 0)
      layout.gone |= (uint64_t)1 << i;
  if (terminal_width == 0)
    return layout;
  for (;;) {
    size_t last = count - 1, next = most_dispensable_table_column(&layout);
    layout.room =
        (int)terminal_width - layout_width_before(&layout, last) - (int)strlen(layout_gap_before(&layout, last));
    if (layout.room >= least || next == count)
      break;
    layout.gone |= (uint64_t)1 << next;
  }
  enum { READABLE = 16 };
  layout.room = layout.room > READABLE ? layout.room : READABLE;
  return layout;
}

/* Returns whether two adjacent columns have the same group heading; NULL is none.  */
static bool is_same_table_column_group(const char *one, const char *other) {
  return one == NULL || other == NULL ? one == other : strcmp(one, other) == 0;
}

/* Prints COUNT dashes of the rule beside a group heading; none if COUNT is negative.  */
static void print_table_heading_dashes(FILE *out, int count) {
  while (count-- > 0)
    putc('-', out);
}

/* Prints the line of group headings of a table, each in the middle of a rule over its columns.  */
static void print_table_column_groups(FILE *out, const struct layout *layout) {
  int blanks = 0;
  for (size_t i = 0, end; i < layout->count; i = end) {
    const char *group = layout->columns[i].group;
    int width = 0, gap = layout_has_column(layout, i) ? (int)strlen(layout_gap_before(layout, i)) : 1;
    for (end = i; end < layout->count && is_same_table_column_group(layout->columns[end].group, group); end++)
      width += layout_cell_width(layout, end);
    if (group == NULL || width == 0) {
      blanks += width;
      continue;
    }
    int rule = width - gap - 2 - (int)strlen(group);
    fprintf(out, "%*s", blanks + gap, "");
    print_table_heading_dashes(out, rule / 2);
    if (rule < 0)
      fprintf(out, "%-*s", width - gap, group);
    else
      fprintf(out, " %s ", group);
    print_table_heading_dashes(out, rule - rule / 2);
    blanks = 0;
  }
  putc('\n', out);
}

/* Prints the headings of the columns that are shown, below a line with the headings of groups if there are any.  */
void layout_print_headings(FILE *out, const struct layout *layout) {
  struct line line = {.out = out};
  bool grouped = false;
  for (size_t i = 0; i < layout->count; i++)
    grouped |= layout_has_column(layout, i) && layout->columns[i].group != NULL;
  if (grouped)
    print_table_column_groups(out, layout);
  for (size_t i = 0; i + 1 < layout->count; i++)
    layout_string_cell(layout, &line, i, layout->columns[i].heading);
  const char *last = layout->columns[layout->count - 1].heading;
  if (last[0] != 0)
    layout_name_cell(layout, &line, last);
  else
    line_add_character(&line, '\n');
  line_flush(&line);
}

bool layout_cell_gap(const struct layout *layout, struct line *line, size_t place) {
  if (!layout_has_column(layout, place))
    return false;
  line_add_string(line, 0, layout_gap_before(layout, place));
  return true;
}

/* Adds STRING to the line as the cell of column number PLACE, unless that column is left out.  */
void layout_string_cell(const struct layout *layout, struct line *line, size_t place, const char *string) {
  if (layout_cell_gap(layout, line, place))
    line_add_string(line, layout->columns[place].width, string);
}

/* Adds VALUE to the line as the cell of column number PLACE, unless that column is left out.  */
void layout_integer_cell(const struct layout *layout, struct line *line, size_t place, uint64_t value) {
  if (layout_cell_gap(layout, line, place))
    line_add_integer(line, layout->columns[place].width, value);
}

/* Adds VALUE with two decimals to the line as the cell of column number PLACE, unless that column is left out.  */
void layout_fixed_cell(const struct layout *layout, struct line *line, size_t place, double value) {
  if (layout_cell_gap(layout, line, place))
    line_add_fixed(line, layout->columns[place].width, 2, value);
}

/* Adds the last cell of a row in a tree to the line: NAME, indented by DEPTH steps, SUFFIX and a newline.  The end of
   NAME is cut off if there is no room for it.  */
void layout_branch_cell(const struct layout *layout, struct line *line, size_t depth, const char *name,
                        const char *suffix) {
  enum { STEP = 2, MAX_INDENTATION = 60, LEAST_NAME = 24 };
  size_t most = layout->room == 0 ? MAX_INDENTATION : layout->room > LEAST_NAME ? (size_t)layout->room - LEAST_NAME : 0;
  size_t indentation = STEP * depth < most ? STEP * depth : most, used = indentation + strlen(suffix);
  layout_cell_gap(layout, line, layout->count - 1);
  line_add_string(line, (int)indentation, "");
  if (layout->room > 0 && strlen(name) + used > (size_t)layout->room) {
    int left = layout->room - 3 - (int)used;
    line_flush(line);
    fprintf(line->out, "%.*s...", left > 0 ? left : 0, name);
  } else
    line_add_string(line, 0, name);
  line_add_string(line, 0, suffix);
  line_add_character(line, '\n');
}

/* Adds NAME to the line as the last cell of a row, and a newline.  Its end is cut off if there is no room for it.  */
void layout_name_cell(const struct layout *layout, struct line *line, const char *name) {
  layout_branch_cell(layout, line, 0, name, "");
}

void explain_omitted_table_columns(FILE *out, const struct layout *layout, unsigned terminal_width) {
  bool some = false;
  for (size_t i = 0; i < layout->count; i++)
    some |= !layout_has_column(layout, i) && layout->columns[i].width != 0;
  if (some)
    print_prose(out, "\n Some columns do not fit the terminal; --wide shows all.\n", terminal_width);
}
