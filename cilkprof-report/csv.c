/* All measurements of all call sites as comma-separated values (RFC 4180): names quoted, numbers as they are.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include "cilkprof-report/columns.h"
#include "cilkprof-report/sections.h"

static void print_quoted(FILE *out, const char *string) {
  putc('"', out);
  for (; *string != 0; string++) {
    if (*string == '"')
      putc('"', out);
    putc(*string, out);
  }
  putc('"', out);
}

static void print_field(FILE *out, const struct column *column, const struct site *site) {
  if (column->kind == COLUMN_STRING) {
    char *string = column->string(site);
    print_quoted(out, string);
    free(string);
  } else {
    fprintf(out, "%llu", (unsigned long long)column_integer(column, site));
  }
}

void print_csv(FILE *out, const struct model *model) {
  const char *comma = "";
  for (size_t i = 0; i < column_count; i++)
    if (columns[i].name != NULL) {
      fprintf(out, "%s%s", comma, columns[i].name);
      comma = ",";
    }
  fputs("\r\n", out);
  for (size_t row = 0; row < model->site_count; row++) {
    comma = "";
    for (size_t i = 0; i < column_count; i++)
      if (columns[i].name != NULL) {
        fputs(comma, out);
        print_field(out, &columns[i], &model->sites[row]);
        comma = ",";
      }
    fputs("\r\n", out);
  }
}
