/* The findings of the verdict in SARIF 2.1.0, which code hosts and editors show beside the lines.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/exports/exports.h"
#include "cilkprof-report/exports/findings.h"
#include "cilkprof-report/exports/json-members.h"
#include "cilkprof-report/support/json.h"
#include "cilkprof-report/support/support.h"
#include "version.h"

/* Prints PATH as a URI: relative if it is, with all but the usual characters in hexadecimal.  */
static void print_sarif_uri(FILE *out, const char *path) {
  fputs(path[0] == '/' ? "\"file://" : "\"", out);
  for (const char *at = path; *at != 0; at++)
    if (isalnum((unsigned char)*at) || strchr("/._~-", *at) != NULL)
      putc(*at, out);
    else
      fprintf(out, "%%%02X", (unsigned char)*at);
  putc('"', out);
}

/* Returns the place of the code of FINDINGS[I] among the codes of those before it: how many others there are.  */
static size_t sarif_rule_index(const struct finding *findings, size_t i) {
  size_t index = 0;
  for (size_t k = 0; findings[k].code != findings[i].code; k++) {
    bool first = true;
    for (size_t j = 0; j < k; j++)
      first &= findings[j].code != findings[k].code;
    index += first;
  }
  return index;
}

/* Returns whether FINDINGS[I] is the first with its code.  */
static bool is_sarif_finding_first(const struct finding *findings, size_t i) {
  size_t k = 0;
  while (findings[k].code != findings[i].code)
    k++;
  return k == i;
}

/* Prints the tool, with a rule for each code of the findings of VERDICT.  */
static void print_sarif_tool(FILE *out, const struct verdict *verdict) {
  fputs("\"tool\":{\"driver\":{\"name\":\"cilkprof\",\"version\":\"" CILKPROF_VERSION "\",\"rules\":[", out);
  for (size_t i = 0, printed = 0; i < verdict->count; i++) {
    const struct finding *finding = &verdict->findings[i];
    if (!is_sarif_finding_first(verdict->findings, i))
      continue;
    fprintf(out, "%s\n{\"id\":\"%s\"", printed++ > 0 ? "," : "", finding_code_name(finding->code));
    fputs(",\"shortDescription\":{\"text\":", out);
    print_json_string(out, finding->subject);
    fputs("}}", out);
  }
  fputs("]}}", out);
}

/* Prints the member "locations" of the result for FINDING, if its place is known.  */
static void print_sarif_location(FILE *out, const struct model *model, const struct options *options,
                                 const struct finding *finding) {
  struct exported_place place;
  if (!exported_finding_place(model, options, finding, &place))
    return;
  fputs(",\"locations\":[{\"physicalLocation\":{\"artifactLocation\":{\"uri\":", out);
  print_sarif_uri(out, place.file);
  fputs(place.line > 0 ? "},\"region\":{\"startLine\":" : "}", out);
  if (place.line > 0)
    fprintf(out, "%u}", place.line);
  putc('}', out);
  if (finding->function != NULL) {
    fputs(",\"logicalLocations\":[{\"fullyQualifiedName\":", out);
    print_json_string(out, finding->function);
    fputs("}]", out);
  }
  fputs("}]", out);
  free(place.file);
}

/* Prints number I of the findings of VERDICT as a result.  What is good is no failure.  The fingerprint of a
   function stays the same when its lines move.  */
static void print_sarif_result(FILE *out, const struct verdict *verdict, size_t i, const struct options *options) {
  const struct finding *finding = &verdict->findings[i];
  const char *code = finding_code_name(finding->code);
  fprintf(out, "{\"ruleId\":\"%s\",\"ruleIndex\":%zu,", code, sarif_rule_index(verdict->findings, i));
  fputs(finding->tone == TONE_BAD      ? "\"level\":\"warning\""
        : finding->tone == TONE_NOTICE ? "\"level\":\"note\""
                                       : "\"kind\":\"pass\",\"level\":\"none\"",
        out);
  char *text = format_string("%s: %s", finding->subject, finding->text);
  fputs(",\"message\":{\"text\":", out);
  print_json_string(out, text);
  putc('}', out);
  print_sarif_location(out, verdict->model, options, finding);
  char *print = format_string("%s %s", code, finding->function != NULL ? finding->function : "");
  fputs(",\"partialFingerprints\":{\"finding/v1\":", out);
  print_json_string(out, print);
  fprintf(out, "},\"properties\":{\"processors\":%u", verdict->processors);
  if (!isnan(finding->share)) {
    print_json_real(out, "share", finding->share);
    print_json_text(out, "of", finding->whole);
  }
  if (!isnan(finding->without))
    print_json_real(out, "without", finding->without);
  fputs("}}", out);
  free(print);
  free(text);
}

/* Writes the findings of the verdict as one run of SARIF.  */
void print_sarif(FILE *out, struct model *model, const struct options *options) {
  struct verdict verdict = find_verdict(model, options);
  fputs("{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{", out);
  print_sarif_tool(out, &verdict);
  fputs(",\n\"results\":[", out);
  for (size_t i = 0; i < verdict.count; i++) {
    fputs(i > 0 ? ",\n" : "\n", out);
    print_sarif_result(out, &verdict, i, options);
  }
  fputs("]}]}\n", out);
}
