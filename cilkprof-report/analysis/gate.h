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
  char *failure;   /* how it is broken, once it has been checked; NULL: it is not */
};

struct gate {
  struct gate_rule *rules;
  size_t count, room;
};

/* gate-parse.c: reads the rules of OPTIONS.  Fails if a rule is invalid, if a rule needs a reference and there is none,
   or if there is a reference that no rule needs.  */
struct gate parse_gate(const struct options *options);
/* What a rule is about: work and span, or samples of a parallel run.  */
enum gate_data { GATE_COSTS, GATE_SAMPLES };
/* Returns whether a rule is about that DATA, and whether one compares it with a reference.  */
bool gate_needs(const struct gate *gate, enum gate_data data);
bool gate_needs_reference(const struct gate *gate, enum gate_data data);

/* Prints a line on standard error for each rule that MODEL breaks, and returns their number.  REFERENCE may be NULL if
   no rule needs one.  Speedups are those on the processors in OPTIONS.  */
size_t check_gate(struct gate *gate, const struct model *model, const struct model *reference,
                  const struct options *options);

/* Stores where the place of RULE is.  Returns whether that is known; regions have no place.  */
bool locate_gate_rule(const struct gate_rule *rule, const struct model *model, const char **file, uint32_t *line);

/* metrics.c: returns the metric called NAME, or NULL.  */
const struct metric *find_gate_metric(const char *name);
/* Returns the names of all metrics: "a, b or c".  The text is allocated.  */
char *gate_metric_names(void);
/* Returns the data that METRIC is about.  */
enum gate_data gate_metric_data(const struct metric *metric);
/* Returns the value of METRIC at PLACE, or of the whole program if PLACE is NULL: the mean of all runs, and costs in
   seconds or instructions.  Fails if the program has no such PLACE, METRIC is not defined for it, or the profiles do
   not have it.  */
double gate_metric_value(const struct metric *metric, const struct model *model, const char *place,
                         const struct options *options);
/* Converts VALUE from the UNIT that a rule gives to the unit of gate_metric_value.  Fails if METRIC has no such
   UNIT.  */
double convert_to_gate_metric_unit(const struct metric *metric, const struct model *model, double value,
                                   const char *unit);
/* Returns VALUE with its unit, for a message.  The text is allocated.  */
char *gate_metric_text(const struct metric *metric, const struct model *model, double value);

#endif
