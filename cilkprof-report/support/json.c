/* JSON text that both the exports and the HTML page print.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include "cilkprof-report/support/json.h"
#include "cilkprof-report/support/names.h"

void print_json_string(FILE *out, const char *string) {
  char *text = escape(string);
  putc('"', out);
  for (const char *at = text; *at != 0; at++) {
    if (*at == '"' || *at == '\\')
      putc('\\', out);
    putc(*at, out);
  }
  putc('"', out);
  free(text);
}

/* Prints the member "timeline" of a JSON object that already has other members: for each thread, how long it worked in
   each interval of the parallel run.  */
void print_json_timeline(FILE *out, const struct cilkprof_timeline *line) {
  fprintf(out, ",\n\"timeline\":{\"bucket_ns\":%llu,\"threads\":[", (unsigned long long)line->bucket_ns);
  for (uint64_t i = 0; i < line->thread_count; i++) {
    fputs(i > 0 ? ",\n[" : "\n[", out);
    for (uint64_t k = 0; k < line->bucket_count; k++)
      fprintf(out, k > 0 ? ",%llu" : "%llu", (unsigned long long)line->work_ns[i * line->bucket_count + k]);
    putc(']', out);
  }
  fputs("]}", out);
}
