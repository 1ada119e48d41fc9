/* Rules that a profile must satisfy, for continuous integration.
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
  double value;    /* limit; if TO_REFERENCE, the tolerance with its sign */
  bool in_percent; /* the tolerance is in percent */
  char unit[8];    /* unit of VALUE; empty: none was given */
};

struct gate {
  struct gate_rule *rules;
  size_t count, room;
};

/* gate-parse.c: reads the rules of OPTIONS.  Fails if a rule is invalid, if a rule needs a reference and there is none,
   or if there is a reference that no rule needs.  */
struct gate parse_gate(const struct options *options);
/* Returns whether a rule compares with a reference.  */
bool gate_needs_reference(const struct gate *gate);

/* Prints a line on standard error for each rule that MODEL breaks, and returns their number.  REFERENCE may be NULL if
   no rule needs one.  */
size_t check_gate(const struct gate *gate, const struct model *model, const struct model *reference);

/* metrics.c: returns the metric called NAME, or NULL.  */
const struct metric *find_gate_metric(const char *name);
/* Returns the value of METRIC at PLACE, or of the whole program if PLACE is NULL: the mean of all runs, and costs in
   seconds or instructions.  Fails if the program has no such PLACE, or METRIC is not defined for it.  */
double gate_metric_value(const struct metric *metric, const struct model *model, const char *place);
/* Converts VALUE from the UNIT that a rule gives to the unit of gate_metric_value.  Fails if METRIC has no such
   UNIT.  */
double convert_to_gate_metric_unit(const struct metric *metric, const struct model *model, double value,
                                   const char *unit);
/* Returns VALUE with its unit, for a message.  The text is allocated.  */
char *gate_metric_text(const struct metric *metric, const struct model *model, double value);

#endif
