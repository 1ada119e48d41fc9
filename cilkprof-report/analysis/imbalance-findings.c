/* The finding about load imbalance: which pieces, where, and what equal ones would bring.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <stdlib.h>
#include "cilkprof-report/analysis/findings.h"
#include "cilkprof-report/analysis/words.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/support/support.h"

/* Returns what the pieces of the loop in IMBALANCE are, for a finding: "8 iterations of the cilk_for at loop.c:3".  The
   text is allocated.  */
static char *imbalanced_loop_pieces(const struct model *model, const struct imbalance *imbalance) {
  const struct site *site = imbalance->site;
  char *loop = finding_construct_text(model, site), *text;
  if (imbalance->loop->longest[0] > 0)
    text =
        format_string(model->threads > 0 ? "%u shares of %s" : "%u static chunks of %s", imbalance->processors, loop);
  else if (imbalance->loop->single == imbalance->loop->executions)
    text = format_string("%.0f %s of %s", round(imbalance->pieces), finding_iterations_word(site), loop);
  else
    text = format_string("%.0f %ss of %s", round(imbalance->pieces), finding_loop_piece_word(site->callee), loop);
  free(loop);
  return text;
}

/* Returns what the spawns in IMBALANCE are, for a finding: "4 spawns at fib.c:3", or "4 spawns of 'main', at fib.c:3,".
   The text is allocated.  */
static char *imbalanced_spawns(const struct model *model, const struct imbalance *imbalance) {
  const struct site *spawn = imbalance->site;
  const char *word = is_judged_region_by_thread_number(spawn->callee) ? "threads"
                     : is_task_in_finding(spawn)                      ? "tasks"
                                                                      : "spawns";
  const char *place = finding_user_place(model, spawn);
  return imbalance->one_site ? format_string("%.0f %s at %s", round(imbalance->pieces), word, place)
                             : format_string("%.0f %s of '%s', at %s,", round(imbalance->pieces), word,
                                             spawn->caller->brief_name, place);
}

/* Returns advice, the beginning of a sentence, on how to end IMBALANCE.  */
static const char *imbalance_advice(const struct imbalance *imbalance) {
  const struct cilkprof_loop *loop = imbalance->loop;
  if (loop != NULL && loop->longest[0] > 0)
    return "schedule(dynamic) or smaller pieces";
  return loop != NULL && loop->single == loop->executions ? "splitting the longest ones" : "smaller pieces";
}

/* Adds the finding that the loop of IMBALANCE, that of VERDICT, is divided into too few pieces.  */
static void add_too_few_pieces_finding(struct verdict *verdict, const struct imbalance *imbalance) {
  const struct site *site = imbalance->site;
  struct finding *finding = add_finding(
      verdict, FINDING_TOO_FEW_PIECES, imbalance->processors == verdict->processors ? TONE_BAD : TONE_NOTICE,
      format_string("the %s at %s is divided into %.0f %ss of several iterations; %s: that would raise the speedup on "
                    "%u processors from %.2f to %.2f.",
                    finding_loop_word(site->callee), finding_user_place(verdict->model, site), round(imbalance->pieces),
                    finding_loop_piece_word(site->callee), smaller_loop_pieces_finding_advice(site->callee),
                    imbalance->processors, imbalance->now, imbalance->then));
  set_finding_place(verdict, finding, site->caller->name, site);
  set_finding_share(finding, 100 * imbalance->time / (double)verdict->model->totals.work, "work");
}

/* Adds the finding about IMBALANCE, that of VERDICT.  */
static void add_imbalance_finding(struct verdict *verdict, const struct imbalance *imbalance) {
  if (imbalance->too_few) {
    add_too_few_pieces_finding(verdict, imbalance);
    return;
  }
  char *pieces = imbalance->loop != NULL ? imbalanced_loop_pieces(verdict->model, imbalance)
                                         : imbalanced_spawns(verdict->model, imbalance);
  struct finding *finding = add_finding(
      verdict, FINDING_IMBALANCE, imbalance->processors == verdict->processors ? TONE_BAD : TONE_NOTICE,
      format_string("the longest of the %s takes %.0f%% of %s work; %s would raise the speedup on "
                    "%u processors from %.2f to %.2f.",
                    pieces, 100 * imbalance->time / imbalance->work, imbalance->loop != NULL ? "its" : "their",
                    imbalance_advice(imbalance), imbalance->processors, imbalance->now, imbalance->then));
  free(pieces);
  set_finding_place(verdict, finding, imbalance->site->caller->name, imbalance->site);
  set_finding_share(finding, 100 * imbalance->time / (double)verdict->model->totals.work, "work");
}

/* Returns whether IMBALANCE, that of VERDICT, is at least half of the longest path on its processors: then nothing else
   limits the program more.  */
static bool is_imbalance_main_limit(const struct verdict *verdict, const struct imbalance *imbalance) {
  return imbalance->time >= speedup_bound_span(&verdict->limits, imbalance->processors) / 2;
}

/* Finds pieces of work that are not equally long, and adds a finding about the worst of them to VERDICT if nothing else
   limits the program more.  */
void judge_main_imbalance(struct verdict *verdict) {
  verdict->imbalance = find_imbalance(verdict->model, &verdict->limits, verdict->processors);
  if (verdict->imbalance.site != NULL && is_imbalance_main_limit(verdict, &verdict->imbalance))
    add_imbalance_finding(verdict, &verdict->imbalance);
}

/* Adds a finding about the largest imbalance to VERDICT, unless it is the main limit, of which judge_main_imbalance
   speaks.  */
void judge_other_imbalance(struct verdict *verdict) {
  if (verdict->imbalance.site != NULL && !is_imbalance_main_limit(verdict, &verdict->imbalance))
    add_imbalance_finding(verdict, &verdict->imbalance);
}

/* Returns whether CALL is among the pieces of IMBALANCE, or made by them.  */
static bool is_call_in_imbalance(const struct imbalance *imbalance, const struct site *call) {
  const struct site *site = imbalance->site;
  return call == site || call->caller == site->callee ||
         (call->caller == site->caller && (imbalance->loop != NULL || call->callee == site->callee));
}

bool is_bottleneck_imbalance(const struct verdict *verdict, const struct bottleneck *bottleneck) {
  const struct imbalance *imbalance = &verdict->imbalance;
  if (imbalance->site == NULL || bottleneck->place_count == 0 || bottleneck->place_count > MAX_PLACES ||
      (double)bottleneck->held.span > 1.05 * imbalance->time)
    return false;
  if (bottleneck->kind == BOTTLENECK_LOOP && bottleneck->function == imbalance->site->callee)
    return true;
  for (size_t i = 0; i < bottleneck->place_count; i++)
    if (bottleneck->kind == BOTTLENECK_CODE || !is_call_in_imbalance(imbalance, bottleneck->places[i]))
      return false;
  return true;
}
