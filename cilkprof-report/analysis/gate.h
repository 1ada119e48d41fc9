/* Rules that a profile must keep, for continuous integration.
   SPDX-License-Identifier: GPL-3.0-or-later

     RULE   is  METRIC [(PLACE)] COMPARISON VALUE, several of them separated by semicolons
     PLACE  is  a symspec: FUNCTION, FILE:FUNCTION, or FILE:LINE for the calls of a line; or "region" LABEL
     VALUE  is  a number with its unit, or "reference" [+ or - TOLERANCE, a number with its unit or in percent]  */

#ifndef CILKPROF_REPORT_GATE_H
#define CILKPROF_REPORT_GATE_H

#include "cilkprof-report/model/model.h"
#include "cilkprof-report/options/options.h"

enum comparison { BELOW, AT_MOST, EQUAL, AT_LEAST, ABOVE };

struct gate_rule {
  const char *text; /* as it was given, on one line */
  const struct metric *metric;
  const char *place; /* NULL: the whole program */
  enum comparison comparison;
  bool to_reference;
  double value;    /* or the tolerance, with its sign */
  bool in_percent; /* the tolerance is */
  char unit[8];    /* of the value; empty: none was given */
};

struct gate {
  struct gate_rule *rules;
  size_t count, room;
};

/* gate-parse.c: the rules of the options.  Fails when one is none, or a reference is missing or too much.  */
struct gate gate_parse(const struct options *options);
bool gate_needs_reference(const struct gate *gate);

/* Says on standard error, one line for each, which rules MODEL breaks, and returns how many.  REFERENCE may be NULL
   when no rule needs one.  */
size_t gate_check(const struct gate *gate, const struct model *model, const struct model *reference);

/* metrics.c */
const struct metric *metric_find(const char *name);
/* Seconds or instructions where it is a cost; the mean of the runs.  Fails when the program has no such place, or the
   metric no meaning there.  */
double metric_value(const struct metric *metric, const struct model *model, const char *place);
/* VALUE with the UNIT that a rule gave it, as metric_value has it.  Fails when the unit is not one of the metric.  */
double metric_convert(const struct metric *metric, const struct model *model, double value, const char *unit);
/* For a message.  Allocated.  */
char *metric_text(const struct metric *metric, const struct model *model, double value);

#endif
