/* All measurements of all call sites as comma-separated values (RFC 4180): names quoted, numbers as they are.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/columns.h"
#include "cilkprof-report/labels.h"
#include "cilkprof-report/sections.h"

/* A spreadsheet takes a field that begins so for a formula; an apostrophe says that it is text.  */
static bool is_formula(const char *string) {
  return string[0] != 0 && strchr("=+-@\t\r", string[0]) != NULL;
}

static void print_quoted(FILE *out, const char *string) {
  fputs(is_formula(string) ? "\"'" : "\"", out);
  for (const char *quote; (quote = strchr(string, '"')) != NULL; string = quote + 1)
    fprintf(out, "%.*s\"\"", (int)(quote - string), string);
  fprintf(out, "%s\"", string);
}

static void print_field(FILE *out, const struct column *column, const struct site *site, struct buffer *buffer) {
  if (column->kind == COLUMN_STRING)
    print_quoted(out, column->string(site, buffer));
  else
    fprintf(out, "%llu", (unsigned long long)column_integer(column, site));
}

void print_csv(FILE *out, struct model *model, const struct options *options) {
  struct buffer buffer = {NULL, 0};
  const char *comma = "";
  for (size_t i = 0; i < column_count; i++)
    if (columns[i].name != NULL) {
      fprintf(out, "%s%s", comma, columns[i].name);
      comma = ",";
    }
  fputs("\r\n", out);
  for (size_t row = 0; row < model->site_count; row++) {
    if (!site_is_listed(&model->sites[row], options))
      continue;
    comma = "";
    for (size_t i = 0; i < column_count; i++)
      if (columns[i].name != NULL) {
        fputs(comma, out);
        print_field(out, &columns[i], &model->sites[row], &buffer);
        comma = ",";
      }
    fputs("\r\n", out);
  }
  free(buffer.text);
}
