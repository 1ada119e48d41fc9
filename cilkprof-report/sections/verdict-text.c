/* Prints the verdict, the first section of the report.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <string.h>
#include "cilkprof-report/analysis/verdict.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/sections/sections.h"
#include "cilkprof-report/support/prose.h"
#include "cilkprof-report/support/terminal.h"

/* Prints a finding of the verdict on lines of its own: its subject, coloured by its tone, and its text.  */
void print_verdict_finding(FILE *out, const struct finding *finding, const struct options *options) {
  static const enum style styles[] = {[TONE_GOOD] = STYLE_GOOD, [TONE_NOTICE] = STYLE_NOTICE, [TONE_BAD] = STYLE_BAD};
  fputs("  ", out);
  print_styled(out, options->color, styles[finding->tone], "%s:", finding->subject);
  putc(' ', out);
  print_prose_words(out, finding->text, strlen(finding->subject) + 4, 4, options->terminal_width);
}

/* Prints the section of --verdict: what limits the program, and what to try.  */
void print_verdict(FILE *out, struct model *model, const struct options *options) {
  struct verdict verdict = find_verdict(model, options);
  print_styled(out, options->color, STYLE_TITLE, "Verdict for %u processor%s", verdict.processors,
               model_plural_ending(verdict.processors));
  fputs("\n\n", out);
  for (size_t i = 0; i < verdict.count; i++)
    print_verdict_finding(out, &verdict.findings[i], options);
}
