/* Members of JSON objects that exports print.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_JSON_MEMBERS_H
#define CILKPROF_REPORT_JSON_MEMBERS_H

#include <stdio.h>
#include "cilkprof-report/model/model.h"
#include "cilkprof-report/options/options.h"

/* Print a member of an object that has other members before it.  */
void print_json_number(FILE *out, const char *name, uint64_t value);
void print_json_real(FILE *out, const char *name, double value);     /* null: NaN */
void print_json_text(FILE *out, const char *name, const char *text); /* null: NULL */

/* A number with its name.  Arrays of them end with one without a name.  */
struct json_number {
  const char *name;
  uint64_t value;
};
/* Prints a member that is an object of NUMBERS.  */
void print_json_numbers(FILE *out, const char *name, const struct json_number *numbers);
/* Prints the member "seconds": NUMBERS, costs in units of the profile, in seconds; null if instructions were
   counted.  */
void print_json_seconds(FILE *out, const struct model *model, const struct json_number *numbers);

/* json-verdict.c: prints the member "verdict".  */
void print_json_verdict(FILE *out, struct model *model, const struct options *options);
/* json-forecasts.c: ends the array before it, and prints the members "emulation" and "memory" but for the last bracket.
   Both are empty if the profile has no tree.  */
void print_json_forecasts(FILE *out, const struct model *model, const struct options *options);

#endif
