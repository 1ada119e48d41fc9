/* The verdict as the first lines of the report.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <string.h>
#include "cilkprof-report/sections.h"
#include "cilkprof-report/verdict.h"

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

void print_verdict(FILE *out, struct model *model, const struct options *options) {
  struct verdict verdict = verdict_find(model, options->processors);
  enum { WIDTH = 100 };
  fprintf(out, "Verdict for %u processor%s\n\n", verdict.processors, verdict.processors == 1 ? "" : "s");
  for (size_t i = 0; i < verdict.count; i++) {
    const struct finding *finding = &verdict.findings[i];
    fprintf(out, "  %s: ", finding->subject);
    print_wrapped(out, finding->text, strlen(finding->subject) + 4, WIDTH);
  }
}
