/* The verdict as the first lines of the report.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <string.h>
#include "cilkprof-report/analysis/verdict.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/sections/sections.h"
#include "cilkprof-report/support/terminal.h"

/* Prints words from COLUMN on; lines end before WIDTH and go on after four blanks.  */
static void print_wrapped(FILE *out, const char *text, size_t column, size_t width) {
  while (*text != 0) {
    size_t blanks = strspn(text, " "), length = strcspn(text + blanks, " ");
    if (column + blanks + length > width && column > 4) {
      fputs("\n    ", out);
      column = 4;
    } else {
      fprintf(out, "%*s", (int)blanks, "");
      column += blanks;
    }
    fprintf(out, "%.*s", (int)length, text + blanks);
    column += length;
    text += blanks + length;
  }
  putc('\n', out);
}

void print_finding(FILE *out, const struct finding *finding, const struct options *options) {
  enum { WIDTH = 100, LEAST = 40 };
  static const enum style styles[] = {[TONE_GOOD] = STYLE_GOOD, [TONE_NOTICE] = STYLE_NOTICE, [TONE_BAD] = STYLE_BAD};
  unsigned width = options->terminal_width == 0 || options->terminal_width > WIDTH ? WIDTH : options->terminal_width;
  fputs("  ", out);
  print_styled(out, options->color, styles[finding->tone], "%s:", finding->subject);
  putc(' ', out);
  print_wrapped(out, finding->text, strlen(finding->subject) + 4, width > LEAST ? width : LEAST);
}

void print_verdict(FILE *out, struct model *model, const struct options *options) {
  struct verdict verdict = verdict_find(model, options->processors);
  print_styled(out, options->color, STYLE_TITLE, "Verdict for %u processor%s", verdict.processors,
               plural(verdict.processors));
  fputs("\n\n", out);
  for (size_t i = 0; i < verdict.count; i++)
    print_finding(out, &verdict.findings[i], options);
}
