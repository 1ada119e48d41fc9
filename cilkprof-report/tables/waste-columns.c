/* The columns of work, idleness, overhead and waiting, as in Figures 4 and 5 of the PPoPP 2009 paper
   (libcilkprof/README.md).
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "cilkprof-report/model/units.h"
#include "cilkprof-report/support/prose.h"
#include "cilkprof-report/support/support.h"
#include "cilkprof-report/tables/waste-columns.h"

static const char explanation[] = " time       \tprocessor time: work; idleness of other processors meanwhile; "
                                  "overhead of parallelism; waiting for locks.\n share      \tof all the program's "
                                  "work, idleness, overhead or waiting,\n effort     \tand of all of them together.\n";

/* Returns the layout of a table of work and waste on a terminal of TERMINAL_WIDTH columns, whose last column has the
   heading NAME_HEADING.  If there is little room, shares of a kind are left out first, then times; shares of the effort
   stay.  Of each, the column of waiting is left out first.  */
struct layout waste_table_layout(const char *name_heading, unsigned terminal_width) {
  enum { LEAST_ROOM = 32 };
  static const struct {
    const char *heading;
    int width, dispensable;
  } parts[WASTE_PARTS] = {{"time", 7, 6}, {"share", 6, 2}, {"effort", 6, 0}};
  struct layout_column *columns = allocate(WASTE_COLUMNS, sizeof *columns);
  for (int kind = 0; kind < WASTE_KINDS; kind++)
    for (int part = 0; part < WASTE_PARTS; part++) {
      int rank = parts[part].dispensable;
      columns[WASTE_PARTS * kind + part] =
          (struct layout_column){sample_waste_name((enum waste_kind)kind), parts[part].heading, parts[part].width,
                                 rank == 0 ? 0 : rank + WASTE_KINDS - 1 - kind};
    }
  columns[WASTE_COLUMNS - 1] = (struct layout_column){NULL, name_heading, -1, 0};
  return layout_fit_columns(columns, WASTE_COLUMNS, terminal_width, LEAST_ROOM);
}

/* Adds all cells of a row but the name to the line: each kind of time in WASTE, with its share of that kind and of the
   effort in all SAMPLES.  */
void waste_table_cells(const struct layout *layout, struct line *line, const struct samples *samples,
                       const struct waste *waste) {
  uint64_t effort = sample_waste_effort(&samples->total);
  for (size_t kind = 0; kind < WASTE_KINDS; kind++) {
    uint64_t part = waste->of[kind];
    size_t first = WASTE_PARTS * kind;
    layout_string_cell(layout, line, first + WASTE_TIME, model_quantity_ns((double)part, 4, "").text);
    layout_fixed_cell(layout, line, first + WASTE_SHARE, model_percent_of_whole(part, samples->total.of[kind]));
    layout_fixed_cell(layout, line, first + WASTE_OF_EFFORT, model_percent_of_whole(part, effort));
  }
}

void explain_waste_columns(FILE *out, const struct layout *layout, const char *lines, unsigned terminal_width) {
  print_prose(out, lines, terminal_width);
  print_prose(out, explanation, terminal_width);
  explain_omitted_table_columns(out, layout, terminal_width);
}
