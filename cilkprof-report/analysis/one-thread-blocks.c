/* Findings about blocks of OpenMP that one thread of a team runs while the others wait: single, master and masked.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <string.h>
#include "cilkprof-report/analysis/bottleneck-words.h"
#include "cilkprof-report/analysis/findings.h"
#include "cilkprof-report/analysis/words.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/support/support.h"

/* Returns whether FUNCTION is a block that one thread runs.  */
static bool is_judged_one_thread_block(const struct function *function) {
  static const char *const names[] = {"omp single", "omp master", "omp masked"};
  for (size_t i = 0; function != NULL && i < sizeof names / sizeof *names; i++)
    if (strncmp(finding_loop_word(function), names[i], strlen(names[i])) == 0)
      return true;
  return false;
}

bool is_bottleneck_one_thread_block(const struct bottleneck *bottleneck) {
  return bottleneck->place_count > 0 && is_judged_one_thread_block(bottleneck->function);
}

uint64_t one_thread_blocks_span(const struct model *model) {
  uint64_t span = 0;
  for (size_t i = 0; i < model->site_count; i++)
    if (is_judged_one_thread_block(model->sites[i].callee))
      span += model->sites[i].measured->on_span.top_call_site.span;
  return span;
}

/* Returns whether BOTTLENECK of MODEL is what one-thread blocks do, and what all threads of a team divide: the blocks
   taken out, much of its work is beside the critical path.  */
static bool is_bottleneck_in_blocks_and_threads(const struct model *model, const struct bottleneck *bottleneck) {
  double blocks = (double)one_thread_blocks_span(model), work = 0, on_span = 0;
  for (size_t i = 0; i < bottleneck->place_count; i++) {
    work += (double)bottleneck->places[i]->measured->on_work.top_call_site.work;
    on_span += (double)bottleneck->places[i]->measured->on_span.top_call_site.work;
  }
  return has_judged_program_teams(model) && on_span > blocks && work - blocks >= 1.5 * (on_span - blocks);
}

bool is_bottleneck_in_one_thread_blocks(const struct model *model, const struct bottleneck *bottlenecks, size_t count,
                                        const struct bottleneck *bottleneck) {
  uint64_t blocks = 0;
  for (size_t i = 0; i < count; i++)
    if (is_bottleneck_one_thread_block(&bottlenecks[i]))
      blocks += bottlenecks[i].held.span;
  return !is_bottleneck_one_thread_block(bottleneck) && blocks > 0 &&
         ((double)blocks >= 0.8 * (double)bottleneck->held.span ||
          is_bottleneck_in_blocks_and_threads(model, bottleneck));
}

void add_one_thread_block_finding(struct verdict *verdict, const struct bottleneck *bottleneck) {
  const struct site *site = bottleneck->places[0];
  double percent = finding_span_percent(verdict, bottleneck->held.span);
  const char *part =
      bottleneck->part != NULL && bottleneck->part->callee != NULL
          ? format_string("  Of that, %s takes %.1f%% of the span.", quoted_finding_name(bottleneck->part->callee),
                          finding_span_percent(verdict, bottleneck->part_span))
          : "";
  struct finding *finding = add_finding(
      verdict, FINDING_SERIAL_BOTTLENECK, TONE_BAD,
      format_string("the %.*s at %s takes %.1f%% of the span: one thread runs it.%s  Divide its work between "
                    "the threads, or make it shorter.",
                    (int)strlen("omp single"), finding_loop_word(bottleneck->function),
                    finding_user_place(verdict->model, site), percent, part));
  set_finding_place(verdict, finding, bottleneck->function->name, site);
  set_finding_share(finding, percent, "span");
}
