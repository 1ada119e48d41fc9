/* The speedup plot of Cilkview as an SVG file.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include "cilkprof-report/sections/sections.h"
#include "cilkprof-report/support/names.h"
#include "cilkprof-report/support/output.h"
#include "cilkprof-report/tables/program.h"
#include "cilkprof-report/tables/speedup.h"

/* The light colours of the page.  The CSS functions of the page are not used, as not all viewers support them.  */
static const char style[] = "text { fill: #5b6470; font: 13px sans-serif }\n"
                            ".ground { fill: #ffffff }\n"
                            ".title { fill: #1d2126; font-weight: 600 }\n"
                            ".grid { stroke: #e1e4e8 }\n"
                            ".expected { fill: #d7e6f5 }\n"
                            ".lower { fill: none; stroke: #1f5fa8; stroke-width: 2 }\n"
                            ".linear { stroke: #5b6470; stroke-width: 1.5; stroke-dasharray: 5 5 }\n"
                            ".law { stroke: #b3261e; stroke-width: 2 }\n"
                            ".label { font-weight: 600; paint-order: stroke; stroke: #ffffff; stroke-width: 3px }\n"
                            ".law-label { fill: #b3261e }\n"
                            ".lower-label { fill: #1f5fa8 }\n"
                            ".emulated { fill: none; stroke: #2e7d32; stroke-width: 1; stroke-opacity: 0.5 }\n"
                            ".best { stroke-width: 2; stroke-opacity: 1 }\n"
                            ".emulated.memory { stroke-opacity: 1; stroke-dasharray: 6 3 }\n"
                            ".emulated-label { fill: #2e7d32 }\n"
                            ".trial { fill: #1d2126; stroke: #ffffff; stroke-width: 1.5 }\n";

/* Writes the speedup plot for up to MOST processors to the SVG file that --plot names, without gnuplot.  */
void write_plot_svg(const struct model *model, unsigned most, const struct options *options) {
  enum { ABOVE = 32 }; /* for the title */
  FILE *out = output_open(options->plot, options->force);
  char *command = table_program_command_text(&model->program);
  fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 %d %d %d\">\n<title>",
          SPEEDUP_WIDTH, SPEEDUP_HEIGHT + ABOVE, -ABOVE, SPEEDUP_WIDTH, SPEEDUP_HEIGHT + ABOVE);
  print_escaped_markup_text(out, command);
  fprintf(out,
          ": bounds of the speedup on up to %u processors</title>\n<style>\n%s</style>\n"
          "<rect class=\"ground\" x=\"0\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n"
          "<text class=\"title\" x=\"14\" y=\"-8\">",
          most, style, -ABOVE, SPEEDUP_WIDTH, SPEEDUP_HEIGHT + ABOVE);
  print_escaped_markup_text(out, command);
  fputs("</text>\n", out);
  print_speedup_plot(out, model, most, options);
  fputs("</svg>\n", out);
  output_close(out);
  free(command);
}
