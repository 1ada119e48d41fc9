/* Members of JSON objects that exports print.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include "cilkprof-report/exports/json-members.h"
#include "cilkprof-report/support/json.h"

/* Prints a member of a JSON object that is a number, with a comma before it.  */
void print_json_number(FILE *out, const char *name, uint64_t value) {
  fprintf(out, ",\"%s\":%llu", name, (unsigned long long)value);
}

/* Prints a member of a JSON object that is a number with a fraction, or null if it is NaN, with a comma before it.  */
void print_json_real(FILE *out, const char *name, double value) {
  if (isnan(value))
    fprintf(out, ",\"%s\":null", name);
  else
    fprintf(out, ",\"%s\":%.10g", name, value);
}

/* Prints a member of a JSON object that is a string, or null if TEXT is NULL, with a comma before it.  */
void print_json_text(FILE *out, const char *name, const char *text) {
  fprintf(out, ",\"%s\":", name);
  if (text != NULL)
    print_json_string(out, text);
  else
    fputs("null", out);
}

/* Prints a member of a JSON object that is an object of NUMBERS.  That array ends with a number without a name.  */
void print_json_numbers(FILE *out, const char *name, const struct json_number *numbers) {
  fprintf(out, ",\"%s\":{\"%s\":%llu", name, numbers->name, (unsigned long long)numbers->value);
  while ((++numbers)->name != NULL)
    print_json_number(out, numbers->name, numbers->value);
  putc('}', out);
}

/* Prints the member "seconds" of a JSON object: NUMBERS, costs in units of the profile of MODEL, in seconds under the
   same names; null if instructions were counted.  */
void print_json_seconds(FILE *out, const struct model *model, const struct json_number *numbers) {
  double units_per_second = (double)model->run.units_per_second;
  if (units_per_second == 0) {
    fputs(",\"seconds\":null", out);
    return;
  }
  fprintf(out, ",\"seconds\":{\"%s\":%.10g", numbers->name, (double)numbers->value / units_per_second);
  while ((++numbers)->name != NULL)
    print_json_real(out, numbers->name, (double)numbers->value / units_per_second);
  putc('}', out);
}
