/* Explains the columns of the flat profile and of the call graph.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "cilkprof-report/sections/explanations.h"
#include "cilkprof-report/support/prose.h"

/* The conditions under which a part of an explanation is printed.  */
enum when {
  ALWAYS = 0,
  WITH_OUR_COLUMNS = 1 << 0,
  WITH_GPROF_COLUMNS = 1 << 1, /* only the columns of gprof are printed */
  BY_LINE = 1 << 2,
  SOME_TIME = 1 << 3, /* options exclude the time of some functions */
  INSTRUCTIONS = 1 << 4,
};

struct part {
  enum when when;
  const char *text;
};

static const struct part flat_parts[] = {
    {ALWAYS,
     "\n %          \tthe percentage of the program's work that was done by this function itself.\n time\n\n "
     "cumulative \ta running sum of the work of this function and those listed above it.\n\n self       \tthe work of "
     "this function alone, without the functions that it called.  The table is sorted by it.\n\n calls      \tthe "
     "number of times this function was called by others; calls by itself are not counted.\n\n self       \tthe "
     "average work of this function alone per call,\n total      \tand with all its callees, as measured.\n\n"},
    {WITH_OUR_COLUMNS,
     " on span    \tthe part of the program's span that is this function's own: it remains on any number of "
     "processors,\n %          \tand as a percentage of the span.  A function with a large share limits the speedup.\n "
     "span\n\n parallel   \tits parallelism: the work of its calls divided by their span, including callees.  A "
     "function with a large share of the span and a parallelism near 1 is the one to parallelise.\n\n"},
    {ALWAYS, " name       \tthe name of the function; parallel loops, and serial ones that ran long, have rows of "
             "their own.\n"},
    {INSTRUCTIONS,
     "\n"
     " Work and span are counted in instructions; k, M, G and T are thousands, millions, billions and trillions of "
     "them.\n"},
    {BY_LINE, "\n With --line a function has a row for each line that calls it.\n"},
};

static const struct part graph_parts[] = {
    {ALWAYS, "\n This table describes the calls of the program, sorted by the work of each function with its callees.  "
             "The line with the index at its left is the function; above it are its callers, below it its callees.  "
             "Costs are measured at every call site, not distributed over callers by the number of calls.\n\n On the "
             "function's own line:\n     % time   \tits work with its callees, as a percentage of the program's "
             "work.\n     self     \tthe work of the function alone,\n"},
    {WITH_GPROF_COLUMNS, "     children \tand that of its callees.\n"},
    {WITH_OUR_COLUMNS, "     children \tand that of its callees; together they are its\n     work.\n     span     "
                       "\tthe sum of the spans of its calls, and\n     parallel \ttheir parallelism, work / span.\n"},
    {ALWAYS, "     called   \thow often others called it, and after a plus how often it called itself.\n\n On a "
             "caller's line (above): the costs of the function when this caller called it: its own, those of its "
             "callees, and how often, out of all calls from outside its cycle.  On a callee's line (below): the same "
             "for the callee when called from here.  A function called by uninstrumented code has the caller "
             "<spontaneous>.\n\n Recursive calls, also inside a cycle, are part of the calls that led into it, so that "
             "no cost is counted twice: their self and children are blank.  A cycle has an entry of its own with its "
             "members below it; the line of a member has the work that leaves the cycle there as children.\n"},
    {WITH_OUR_COLUMNS,
     " Work, span and parallelism of calls inside a cycle are those of the calls by the outermost invocation of "
     "the caller.  A member of a cycle has no span.\n"},
    {ALWAYS,
     " A parallel loop is listed as a function, and so is a serial loop that ran long; what the iterations call is "
     "listed under the function that holds the loop.\n"},
    {BY_LINE, "\n With --line calls from different lines are separate; the place after a caller or a callee is that of "
              "the call.\n"},
    {SOME_TIME,
     "\n Only the time of selected functions counts, as the options say: percentages are of that time, and functions "
     "lack the time of callees that do not count.  Deeper callees were not measured separately and are included.\n"},
};

/* Prints the parts of an explanation whose conditions hold: the columns that are shown, the unit of the costs, and the
   options.  */
static void print_explanation_parts(FILE *out, const struct part *parts, size_t count, const struct model *model,
                                    const struct options *options) {
  const struct filter *time = &options->filters[FILTER_TIME];
  unsigned now = options->gprof_columns ? WITH_GPROF_COLUMNS : WITH_OUR_COLUMNS;
  now |= options->by_line ? BY_LINE : 0;
  now |= model->run.units_per_second == 0 ? INSTRUCTIONS : 0;
  now |= time->included.count + time->excluded.count > 0 ? SOME_TIME : 0;
  for (size_t i = 0; i < count; i++)
    if (parts[i].when == ALWAYS || (parts[i].when & now))
      print_prose(out, parts[i].text, options->terminal_width);
}

/* Prints the explanation of the flat profile, as far as its columns are shown.  */
void explain_flat_profile(FILE *out, const struct model *model, const struct options *options) {
  print_explanation_parts(out, flat_parts, sizeof flat_parts / sizeof *flat_parts, model, options);
}

/* Prints the explanation of the call graph, as far as its columns are shown.  */
void explain_call_graph(FILE *out, const struct model *model, const struct options *options) {
  print_explanation_parts(out, graph_parts, sizeof graph_parts / sizeof *graph_parts, model, options);
}
