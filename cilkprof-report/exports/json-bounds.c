/* The bounds of the speedup as JSON, and the loops from which some of them follow.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "cilkprof-report/analysis/bounds.h"
#include "cilkprof-report/analysis/foretold.h"
#include "cilkprof-report/exports/exports.h"
#include "cilkprof-report/exports/json-members.h"

/* Prints the member "bounds": the speedup estimate on 2 to 128 processors, with what is
   expected between the bounds, null if no emulation can tell.  It is empty if there are none.  */
static void print_json_estimates(FILE *out, const struct model *model, const struct options *options) {
  const struct speedup_limits limits = speedup_bounds_of_model(model);
  fputs(",\n\"bounds\":[", out);
  bool known = reason_for_no_speedup_bounds(model) == NULL;
  for (unsigned processors = 2; processors <= limits.most && known; processors *= 2) {
    fprintf(out, "%s{\"processors\":%u,\"lower\":%.10g,\"upper\":%.10g", processors > 2 ? ",\n" : "\n", processors,
            speedup_lower_bound(&limits, processors), speedup_upper_bound(&limits, processors));
    print_json_real(out, "expected", expected_speedup_on(model, options, processors));
    putc('}', out);
  }
  putc(']', out);
}

/* Prints the member NAME of a loop, a list of values for 2 to 128 threads.  */
static void print_json_shares(FILE *out, const char *name, const uint64_t *values) {
  fprintf(out, ",\"%s\":[", name);
  for (int i = 0; i < CILKPROF_SHARES; i++)
    fprintf(out, "%s%llu", i > 0 ? "," : "", (unsigned long long)values[i]);
  putc(']', out);
}

/* Prints LOOP as a JSON object.  SITE is the index of its site in the JSON export.  */
static void print_json_loop(FILE *out, const struct cilkprof_loop *loop, size_t site) {
  fprintf(out, "{\"site\":%zu,\"executions\":%llu,\"pieces\":%llu,\"single\":%llu,\"work\":%llu", site,
          (unsigned long long)loop->executions, (unsigned long long)loop->pieces, (unsigned long long)loop->single,
          (unsigned long long)loop->work);
  print_json_shares(out, "longest", loop->longest);
  print_json_shares(out, "more", loop->more);
  putc('}', out);
}

void print_json_bounds(FILE *out, const struct model *model, const struct options *options, const size_t *listed) {
  const char *comma = "";
  print_json_estimates(out, model, options);
  fputs(",\n\"loops\":[", out);
  for (size_t i = 0; i < model->loops.count; i++) {
    const struct cilkprof_loop *loop = &model->loops.loops[i];
    if (listed[loop->site] == SIZE_MAX)
      continue;
    fprintf(out, "%s\n", comma);
    print_json_loop(out, loop, listed[loop->site]);
    comma = ",";
  }
  putc(']', out);
}
