/* JSON text that both the exports and the HTML page print.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_JSON_H
#define CILKPROF_REPORT_JSON_H

#include <stdio.h>
#include "fmt/profile.h"

/* Prints STRING as a JSON string.  Bytes that are not text are escaped as everywhere in the report.  */
void print_json_string(FILE *out, const char *string);
/* Prints the member "timeline" of an object that already has other members.  */
void print_json_timeline(FILE *out, const struct cilkprof_timeline *line);

#endif
