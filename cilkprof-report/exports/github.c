/* Workflow commands of GitHub, which become annotations of lines: broken rules of a gate, or the findings of the
   verdict.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include "cilkprof-report/exports/exports.h"
#include "cilkprof-report/exports/findings.h"
#include "cilkprof-report/support/names.h"
#include "cilkprof-report/support/support.h"

/* Prints TEXT, the value of a property or, if MESSAGE, the message of a workflow command, with the characters escaped
   that would end it.  */
static void print_github_text(FILE *out, const char *text, bool message) {
  char *plain = escape(text);
  for (const char *at = plain; *at != 0; at++)
    if (*at == '%' || (!message && (*at == ':' || *at == ',')))
      fprintf(out, "%%%02X", *at);
    else
      putc(*at, out);
  free(plain);
}

/* Prints an annotation with this LEVEL: "error", "warning" or "notice".  PLACE may be unknown.  Its title is SUBJECT,
   its message TEXT.  */
static void print_github_annotation(FILE *out, const char *level, const struct exported_place *place,
                                    const char *subject, const char *text) {
  fprintf(out, "::%s ", level);
  if (place->file != NULL) {
    fputs("file=", out);
    print_github_text(out, place->file, false);
    fprintf(out, place->line > 0 ? ",line=%u," : ",", place->line);
  }
  fputs("title=cilkprof%3A ", out);
  print_github_text(out, subject, false);
  fputs("::", out);
  print_github_text(out, text, true);
  putc('\n', out);
}

/* Prints the findings that are not good as annotations.  A gate prints broken rules instead, once it is checked.  */
void print_github(FILE *out, struct model *model, const struct options *options) {
  if (options->gate_count > 0)
    return;
  struct verdict verdict = find_verdict(model, options);
  for (size_t i = 0; i < verdict.count; i++) {
    const struct finding *finding = &verdict.findings[i];
    struct exported_place place;
    if (finding->tone == TONE_GOOD)
      continue;
    exported_finding_place(model, options, finding, &place);
    print_github_annotation(out, finding->tone == TONE_BAD ? "warning" : "notice", &place, finding->subject,
                            finding->text);
    free(place.file);
  }
}

/* Returns the first finding of VERDICT that blames some code, or NULL.  */
static const struct finding *blaming_github_finding(const struct verdict *verdict) {
  for (size_t i = 0; i < verdict->count; i++)
    if (verdict->findings[i].file != NULL && verdict->findings[i].tone != TONE_GOOD)
      return &verdict->findings[i];
  return NULL;
}

void print_github_gate(FILE *out, const struct gate *gate, struct model *model, const struct options *options) {
  struct verdict verdict = find_verdict(model, options);
  const struct finding *blamed = blaming_github_finding(&verdict);
  for (size_t i = 0; i < gate->count; i++) {
    const struct gate_rule *rule = &gate->rules[i];
    struct exported_place place = {0};
    const char *file = NULL;
    if (rule->failure == NULL)
      continue;
    if (rule->place != NULL && locate_gate_rule(rule, model, &file, &place.line))
      place.file = exported_source_path(model, options, file);
    else
      exported_finding_place(model, options, blamed, &place);
    char *text = rule->place != NULL || blamed == NULL
                     ? format_string("%s", rule->failure)
                     : format_string("%s.  %s: %s", rule->failure, blamed->subject, blamed->text);
    print_github_annotation(out, "error", &place, rule->text, text);
    free(text);
    free(place.file);
  }
}
