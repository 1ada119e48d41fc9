/* The verdict as JSON: its bounds, and its findings with code, place and share beside the words.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include "cilkprof-report/analysis/foretold.h"
#include "cilkprof-report/analysis/verdict.h"
#include "cilkprof-report/exports/json-members.h"

/* Prints the member "speedup" of the verdict: the bounds of the speedup, null if nothing was measured, and the speedup
   that is expected, null if no emulation can tell.  */
static void print_json_verdict_speedup(FILE *out, const struct model *model, const struct options *options) {
  const struct speedup_limits limits = speedup_bounds_of_model(model);
  bool known = model->totals.span > 0;
  fputs(",\"speedup\":{\"bounds\":", out);
  if (known)
    fprintf(out, "[%.10g,%.10g]", speedup_lower_bound(&limits, options->processors),
            speedup_upper_bound(&limits, options->processors));
  else
    fputs("null", out);
  print_json_real(out, "expected", expected_speedup(model, options));
  putc('}', out);
}

/* Prints FINDING as a JSON object.  */
static void print_json_finding(FILE *out, const struct finding *finding) {
  fprintf(out, "{\"code\":\"%s\",\"tone\":\"%s\"", finding_code_name(finding->code), finding_tone_name(finding->tone));
  print_json_text(out, "subject", finding->subject);
  print_json_text(out, "text", finding->text);
  print_json_text(out, "file", finding->file);
  if (finding->line > 0)
    print_json_number(out, "line", finding->line);
  else
    print_json_real(out, "line", NAN);
  print_json_text(out, "function", finding->function);
  print_json_real(out, "share", finding->share);
  print_json_text(out, "of", finding->whole);
  print_json_real(out, "without", finding->without);
  putc('}', out);
}

/* Prints the member "verdict": the bounds of the speedup and the findings, for the processors in OPTIONS.  */
void print_json_verdict(FILE *out, struct model *model, const struct options *options) {
  struct verdict verdict = find_verdict(model, options);
  fprintf(out, ",\n\"verdict\":{\"processors\":%u", verdict.processors);
  print_json_verdict_speedup(out, model, options);
  fputs(",\"findings\":[", out);
  for (size_t i = 0; i < verdict.count; i++) {
    fputs(i > 0 ? ",\n" : "\n", out);
    print_json_finding(out, &verdict.findings[i]);
  }
  fputs("]}", out);
}
