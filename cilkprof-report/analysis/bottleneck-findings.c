/* Findings about bottlenecks: the diagnosis of Section 2 of the Cilkprof paper.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <string.h>
#include "cilkprof-report/analysis/bottleneck-words.h"
#include "cilkprof-report/analysis/findings.h"
#include "cilkprof-report/analysis/words.h"
#include "cilkprof-report/model/library.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/names/fortran.h"
#include "cilkprof-report/support/support.h"

static const char other_threads[] =
    "  The program creates its own threads, which are not measured: only cilk_spawn, cilk_for and OpenMP constructs "
    "compiled with -fopenmp and -fcilkprof count as parallel.";

static const char unmeasured_threads[] = "  Work of other threads is not measured.";

/* Returns whether the speedup that is expected is nearly that of the processors of VERDICT, so that no bottleneck
   limits it, however little parallelism there is besides.  */
static bool is_verdict_speedup_nearly_full(const struct verdict *verdict) {
  return verdict->expected >= 0.9 * verdict->processors;
}

/* Returns whether the program has enough parallelism for the processors of VERDICT, so that bottlenecks hardly limit it
   yet; on a busy machine, whether it may have.  */
static bool is_verdict_parallelism_enough(const struct verdict *verdict) {
  return verdict->parallelism >= blameless_parallelism_for_verdict(verdict) || is_verdict_speedup_nearly_full(verdict);
}

/* Returns ENOUGH_TEXT, which says that nothing need be done about a part of the program, as it has enough PARALLELISM.
   If it only may have, because the machine of VERDICT was busy, returns that.  */
static const char *blameless_finding_text(const struct verdict *verdict, double parallelism, const char *enough_text) {
  return parallelism >= ENOUGH * (double)verdict->processors || is_verdict_speedup_nearly_full(verdict)
             ? enough_text
             : "  Other programs may have made it longer, so it may not be a limit: measure again when the machine is "
               "idle.";
}

/* Returns whether FUNCTION, a library function that holds a bottleneck, is of oneTBB, whose algorithms are
   measured.  */
static bool is_bottleneck_in_measured_library(const struct function *function) {
  static const char inner[] = "tbb::detail::";
  return strncmp(function->name, inner, strlen(inner)) == 0;
}

/* Returns whether FUNCTION, a library function that holds a bottleneck, runs other threads or waits for them, as its
   name shows.  */
static bool is_bottleneck_thread_function(const struct function *function) {
  static const char *const beginnings[] = {"GOMP_", "omp_",     "__kmpc_",       "pthread_",
                                           "thrd_", "sem_wait", "std::thread::", "tbb::"};
  for (size_t i = 0; function->foreign && i < sizeof beginnings / sizeof *beginnings; i++)
    if (strncmp(function->name, beginnings[i], strlen(beginnings[i])) == 0)
      return !is_bottleneck_in_measured_library(function);
  return false;
}

/* Returns whether a call of one library function makes up more than half of the span of BOTTLENECK.  */
static bool is_mostly_library_bottleneck(const struct bottleneck *bottleneck) {
  return bottleneck->part != NULL && is_library_function(bottleneck->part->callee) &&
         bottleneck->part_span > bottleneck->held.span / 2;
}

/* Returns whether most of BOTTLENECK is a library function that runs other threads or waits for them, whose work is not
   measured.  */
static bool is_bottleneck_waiting_for_threads(const struct bottleneck *bottleneck) {
  return is_mostly_library_bottleneck(bottleneck) && is_bottleneck_thread_function(bottleneck->part->callee);
}

/* Returns WHAT, the advice about a bottleneck.  After a short run there is no advice; if there is enough parallelism, a
   remark takes its place.  */
static const char *bottleneck_advice(const struct verdict *verdict, const char *what) {
  if (verdict->short_run)
    return "";
  return is_verdict_parallelism_enough(verdict)
             ? blameless_finding_text(verdict, verdict->parallelism, "  That is not a limit yet.")
             : what;
}

/* Notes in FINDING the function and largest call site of BOTTLENECK, its share, and the speedup without it.  */
static void place_bottleneck_finding(const struct verdict *verdict, struct finding *finding,
                                     const struct bottleneck *bottleneck) {
  set_finding_place(verdict, finding, bottleneck->function->name,
                    bottleneck->place_count > 0 ? bottleneck->places[0] : NULL);
  set_finding_share(finding, finding_span_percent(verdict, bottleneck->held.span), "span");
  if (bottleneck->kind != BOTTLENECK_LOOP && bottleneck->kind != BOTTLENECK_CODE)
    finding->without = speedup_without_bottleneck(verdict, bottleneck);
}

/* Returns whether LOOP has a single iteration whenever it is executed.  */
static bool has_loop_single_iterations(const struct verdict *verdict, const struct site *loop) {
  const struct loops *loops = &verdict->model->loops;
  for (size_t i = 0; i < loops->count; i++) {
    const struct cilkprof_loop *one = &loops->loops[i];
    if (&verdict->model->sites[one->site] == loop)
      return one->pieces == one->executions && one->single == one->executions;
  }
  return false;
}

/* Returns a sentence for a finding that says what to do about LOOP, a bottleneck, or why nothing is needed.  */
static const char *bottleneck_loop_advice(const struct verdict *verdict, const struct site *loop) {
  const struct cilkprof_measure *all = &loop->measured->on_span.top_call_site;
  double loop_parallelism = finding_ratio(all->work, all->span);
  if (is_loop_grain_too_fine(verdict, loop))
    return format_string("  With scheduling costs it is %s.",
                         model_parallelism_text(all->work, all->burdened_span).text);
  if (loop_parallelism >= blameless_parallelism_for_verdict(verdict))
    return blameless_finding_text(verdict, loop_parallelism, "  On its own that would be enough.");
  if (verdict->system_bound)
    return bottleneck_advice(verdict, "  Split its longest iterations, once they spend less time in the system.");
  if (has_loop_single_iterations(verdict, loop))
    return bottleneck_advice(verdict,
                             "  It has one iteration in this run: divide the work into more of them, parallelise "
                             "its body, or measure a larger input.");
  if (is_finding_site_of_library(verdict->model, loop))
    return bottleneck_advice(verdict, "  Split the longest calls of the function that it is given.");
  const char *smaller = smaller_loop_pieces_finding_advice(loop->callee);
  return bottleneck_advice(
      verdict,
      loop_parallelism < NEARLY_SERIAL
          ? format_string("  It runs as a single %s, or one iteration dominates it: %s, or parallelise its body.",
                          finding_loop_piece_word(loop->callee), smaller)
          : format_string("  Split its longest iterations, or %s.", smaller));
}

/* Adds a finding to VERDICT about a loop whose longest iterations hold much of the span, with its parallelism and
   advice.  */
static void add_loop_finding(struct verdict *verdict, enum tone tone, const struct bottleneck *bottleneck) {
  const struct site *site = bottleneck->places[0];
  const struct cilkprof_measure *all = &site->measured->on_span.top_call_site;
  if (is_team_in_finding(verdict->model, site->callee))
    return add_team_finding(verdict, tone, site, bottleneck->held.span);
  bool enough = !is_loop_grain_too_fine(verdict, site) &&
                finding_ratio(all->work, all->span) >= ENOUGH * (double)verdict->processors;
  struct finding *finding =
      add_finding(verdict, FINDING_LOOP, enough ? TONE_GOOD : tone,
                  format_string("the longest %s of %s take %.1f%% of the span; the loop's parallelism is %s.%s%s",
                                finding_iterations_word(site), finding_construct_text(verdict->model, site),
                                finding_span_percent(verdict, bottleneck->held.span),
                                model_parallelism_text(all->work, all->span).text,
                                describe_bottleneck_part(verdict, bottleneck), bottleneck_loop_advice(verdict, site)));
  place_bottleneck_finding(verdict, finding, bottleneck);
}

/* Returns a spawn by the function of BOTTLENECK that makes up most of it, although the bottleneck is serial, or the
   spawn that BOTTLENECK is in a program without parallelism: nothing runs in parallel to it.  NULL: there is none.  */
static const struct site *bottleneck_idle_spawn(const struct verdict *verdict, const struct bottleneck *bottleneck) {
  const struct model *model = verdict->model;
  for (size_t i = 0; i < model->site_count; i++) {
    const struct site *site = &model->sites[i];
    if (site->kind == CILKPROF_SITE_SPAWN && site->caller == bottleneck->function &&
        site->measured->on_span.top_call_site.span > bottleneck->held.span / 2)
      return site;
  }
  bool spawned = bottleneck->place_count > 0 && bottleneck->places[0]->kind == CILKPROF_SITE_SPAWN;
  return spawned && verdict->parallelism < NEARLY_SERIAL ? bottleneck->places[0] : NULL;
}

/* Returns advice for a finding about SPAWN, to which nothing runs in parallel.  */
static const char *idle_spawn_finding_advice(const struct site *spawn) {
  bool task = is_task_in_finding(spawn);
  return format_string(
      "  Nothing runs in parallel with what %s at %s: do more work before its %s, or %s the parts of %s.",
      task ? "it makes a task" : "it spawns", finding_site_place(spawn), finding_sync_word(spawn),
      task ? "make tasks of" : "spawn", quoted_finding_name(spawn->callee));
}

/* Returns advice about BOTTLENECK, most of which is a function of a library that the user's code calls.  */
static const char *library_part_finding_advice(const struct bottleneck *bottleneck) {
  const struct cilkprof_measure *part = &bottleneck->part->measured->on_work.top_call_site;
  const double parallel = 1.5; /* less is by chance, where a function calls back code that spawns */
  if (strstr(bottleneck->part->callee->brief_name, "::~") != NULL)
    return "  Destroy parts of it in parallel, or leave it to the end of the process.";
  if (is_bottleneck_in_measured_library(bottleneck->part->callee))
    return "  That is the library's own work, such as the start of its threads.";
  return format_string(finding_ratio(part->work, part->span) >= parallel
                           ? "  %s is parallel: more elements, or less to do for each, would shorten its share."
                           : "  Replace %s with something parallel.",
                       quoted_finding_library_name(bottleneck->part));
}

/* Returns advice about BOTTLENECK, a function without parallelism.  Several short calls together are worth
   parallelising, unless their grain is too fine already.  */
static const char *serial_bottleneck_advice(const struct verdict *verdict, const struct bottleneck *bottleneck) {
  const struct cilkprof_measure *held = &bottleneck->held;
  const struct site *spawn = bottleneck_idle_spawn(verdict, bottleneck);
  if (spawn != NULL)
    return bottleneck_advice(verdict, idle_spawn_finding_advice(spawn));
  if (is_bottleneck_waiting_for_threads(bottleneck))
    return bottleneck_advice(verdict, other_threads);
  if (is_mostly_library_bottleneck(bottleneck) &&
      !is_bottleneck_call_inlined(bottleneck->part)) /* otherwise it is part of what the user calls */
    return bottleneck_advice(verdict, library_part_finding_advice(bottleneck));
  const char *loop = bottleneck->place_count > 0 && is_call_in_serial_loop(verdict->model, bottleneck->places[0])
                         ? calling_loop_place(bottleneck->places[0])
                         : NULL;
  const char *name = quoted_finding_name(bottleneck->function);
  if (loop != NULL && bottleneck->places[0]->sampled) /* it may be called very often, in which case it is short */
    return bottleneck_advice(
        verdict, format_string("  Parallelise the loop at %s that calls it, if its iterations are independent.", loop));
  if (loop != NULL && is_verdict_parallelism_enough(verdict) && !verdict->short_run)
    return format_string("  The loop at %s calls it.%s", loop, bottleneck_advice(verdict, ""));
  if (is_bottleneck_worth_dividing(verdict->model, finding_ratio(held->work, held->count)))
    return bottleneck_advice(verdict, loop != NULL ? format_string("  Parallelise %s, or the loop at %s that calls it "
                                                                   "if its iterations are independent.",
                                                                   name, loop)
                                                   : format_string("  Parallelise %s.", name));
  if (held->count == 1)
    return bottleneck_advice(verdict, "  The call is too short to split.");
  if (loop != NULL)
    return bottleneck_advice(
        verdict, format_string("  Its calls are too short to split: parallelise the loop at %s that calls it, if its "
                               "iterations are independent.",
                               loop));
  return bottleneck_advice(verdict, is_grain_too_fine(verdict)
                                        ? "  Its calls are too short to split."
                                        : "  Its calls are too short to split: run several in parallel.");
}

/* Returns a sentence on the line of BOTTLENECK's own code that takes most of its span, or an empty string.  */
static const char *hot_line_sentence(const struct bottleneck *bottleneck) {
  const struct function *function = bottleneck->function;
  if (function->hot_file == NULL)
    return "";
  return format_string("  Its hottest line is %s:%u.", base_name(function->hot_file), function->hot_line);
}

/* Adds a finding to VERDICT about a function without parallelism that holds much of the span together with its
   callees.  */
static void add_serial_finding(struct verdict *verdict, enum tone tone, const struct bottleneck *bottleneck) {
  struct finding *finding = add_finding(
      verdict, is_verdict_parallelism_enough(verdict) ? FINDING_LONGEST_SERIAL_PART : FINDING_SERIAL_BOTTLENECK, tone,
      format_string("%s%s takes %.1f%% of the span %s, with a parallelism of %s.%s%s%s%s",
                    quoted_finding_name(bottleneck->function),
                    describe_bottleneck_part(verdict, bottleneck)[0] != 0 ? ", with its callees," : "",
                    finding_span_percent(verdict, bottleneck->held.span),
                    bottleneck_called_from_phrase(verdict, bottleneck),
                    model_parallelism_text(bottleneck->held.work, bottleneck->held.span).text,
                    hot_line_sentence(bottleneck), describe_bottleneck_part(verdict, bottleneck),
                    bottleneck_gain_sentence(verdict, bottleneck), serial_bottleneck_advice(verdict, bottleneck)));
  place_bottleneck_finding(verdict, finding, bottleneck);
}

/* Returns whether VERDICT has a finding with CODE already, so that the same advice is not repeated.  */
static bool has_finding_with_code(const struct verdict *verdict, enum finding_code code) {
  for (size_t i = 0; i < verdict->count; i++)
    if (verdict->findings[i].code == code)
      return true;
  return false;
}

/* Returns advice about BOTTLENECK, the own code of a function, once for all findings of that kind.  Inlined code is not
   mentioned if a library function makes up most of the bottleneck.  */
static const char *serial_code_finding_advice(const struct verdict *verdict, const struct bottleneck *bottleneck) {
  if (is_bottleneck_waiting_for_threads(bottleneck))
    return bottleneck_advice(verdict, other_threads);
  if (is_model_start_function(bottleneck->function) && verdict->model->program.flags & CILKPROF_OTHER_THREADS)
    return bottleneck_advice(verdict, "  Work of other threads is not measured.");
  if (has_finding_with_code(verdict, FINDING_SERIAL_PART))
    return "";
  if (is_mostly_library_bottleneck(bottleneck) && !is_bottleneck_call_inlined(bottleneck->part))
    return bottleneck_advice(verdict, library_part_finding_advice(bottleneck));
  if (is_model_start_function(bottleneck->function) && verdict->model->program.flags & CILKPROF_OTHER_THREADS)
    return bottleneck_advice(verdict, unmeasured_threads);
  return bottleneck_advice(verdict, "  Parallelise that code, or shorten it.");
}

/* Adds a finding to VERDICT about a function whose own code, without its callees, holds much of the span.  */
static void add_serial_code_finding(struct verdict *verdict, enum tone tone, const struct bottleneck *bottleneck) {
  struct finding *finding = add_finding(
      verdict, FINDING_SERIAL_PART, tone,
      format_string("the code of %s itself, with inlined and library functions, takes %.1f%% of the span %s.%s%s%s%s",
                    quoted_finding_name(bottleneck->function), finding_span_percent(verdict, bottleneck->held.span),
                    bottleneck_called_from_phrase(verdict, bottleneck), hot_line_sentence(bottleneck),
                    describe_bottleneck_part(verdict, bottleneck), frequent_loop_sentence(verdict, bottleneck),
                    serial_code_finding_advice(verdict, bottleneck)));
  place_bottleneck_finding(verdict, finding, bottleneck);
}

/* Returns the advice to make a serial loop in FILE parallel, in the language of the program.  An array expression of
   Fortran is such a loop as well.  */
static const char *parallel_loop_advice(const struct verdict *verdict, const char *file) {
  if (is_fortran_function_source(file))
    return bottleneck_advice(verdict,
                             "  If its iterations are independent, put `!$omp parallel do' before it, or `!$omp "
                             "parallel workshare' around an array expression; otherwise shorten it.");
  return bottleneck_advice(verdict, format_string("  If its iterations are independent, %s; otherwise shorten it.",
                                                  parallel_loop_finding_advice(verdict->model)));
}

/* Returns advice about BOTTLENECK, a serial loop, once for all findings of that kind.  */
static const char *serial_loop_finding_advice(const struct verdict *verdict, const struct bottleneck *bottleneck) {
  const struct site *loop = bottleneck->places[0];
  if (has_finding_with_code(verdict, FINDING_SERIAL_LOOP))
    return "";
  if (!is_bottleneck_worth_dividing(verdict->model, finding_ratio(bottleneck->held.work, bottleneck->held.count)))
    return bottleneck_advice(verdict, "  Each run of it is too short to split: run several in parallel.");
  if (loop->callee->at_call)
    return bottleneck_advice(verdict, "  Call it on parts of its range in parallel, or shorten it.");
  return parallel_loop_advice(verdict, loop->callee->file);
}

/* Adds a finding to VERDICT about a loop without parallelism that holds much of the span.  */
static void add_serial_loop_finding(struct verdict *verdict, enum tone tone, const struct bottleneck *bottleneck) {
  struct finding *finding = add_finding(
      verdict, FINDING_SERIAL_LOOP, tone,
      format_string("%s takes %.1f%% of the span.%s%s", serial_loop_finding_phrase(bottleneck->places[0]),
                    finding_span_percent(verdict, bottleneck->held.span), bottleneck_gain_sentence(verdict, bottleneck),
                    serial_loop_finding_advice(verdict, bottleneck)));
  place_bottleneck_finding(verdict, finding, bottleneck);
}

/* Adds a finding to VERDICT about a loop without parallelism whose calls of several functions hold much of the
   span.  */
static void add_calling_loop_finding(struct verdict *verdict, enum tone tone, const struct bottleneck *bottleneck) {
  const struct site *largest = bottleneck->places[0];
  bool said = has_finding_with_code(verdict, FINDING_SERIAL_LOOP);
  struct finding *finding = add_finding(
      verdict, FINDING_SERIAL_LOOP, tone,
      format_string("%s takes %.1f%% of the span.%s%s", calling_loop_phrase(verdict->model, largest),
                    finding_span_percent(verdict, bottleneck->held.span), bottleneck_gain_sentence(verdict, bottleneck),
                    said ? "" : parallel_loop_advice(verdict, largest->file)));
  place_bottleneck_finding(verdict, finding, bottleneck);
  finding->line = calling_loop_line(largest);
}

/* Adds the finding about BOTTLENECK to VERDICT.  It is a notice if there is enough parallelism, and bad otherwise.  */
static void add_bottleneck_finding(struct verdict *verdict, const struct bottleneck *bottleneck) {
  static void (*const adders[])(struct verdict *, enum tone,
                                const struct bottleneck *) = {[BOTTLENECK_CODE] = add_serial_code_finding,
                                                              [BOTTLENECK_LOOP] = add_loop_finding,
                                                              [BOTTLENECK_SERIAL] = add_serial_finding,
                                                              [BOTTLENECK_SERIAL_LOOP] = add_serial_loop_finding,
                                                              [BOTTLENECK_CALLING_LOOP] = add_calling_loop_finding};
  adders[bottleneck->kind](verdict, is_verdict_parallelism_enough(verdict) ? TONE_NOTICE : TONE_BAD, bottleneck);
}

/* Returns whether one of the COUNT BOTTLENECKS is in FUNCTION.  */
static bool is_bottleneck_function(const struct function *function, const struct bottleneck *bottlenecks,
                                   size_t count) {
  for (size_t i = 0; i < count; i++)
    if (bottlenecks[i].function == function)
      return true;
  return false;
}

/* Returns the call site that is most often on the critical path among those that have a large share of the span, but
   are parallel and need no change.  NULL: there is none.  */
static const struct site *parallel_site_for_finding(const struct verdict *verdict, const struct bottleneck *bottlenecks,
                                                    size_t count) {
  const struct site **sites = model_sites_by_span(verdict->model), *most = NULL;
  for (size_t i = 0; i < verdict->model->site_count; i++) {
    const struct cilkprof_measures *on_span = &sites[i]->measured->on_span;
    bool large = model_percent_of_whole(on_span->top_call_site.span, verdict->model->totals.span) >= LARGE_SHARE;
    bool own = model_percent_of_whole(on_span->local.span, verdict->model->totals.span) >= LARGE_SHARE;
    bool parallel = finding_ratio(on_span->top_call_site.work, on_span->top_call_site.span) >= 2;
    bool more = most == NULL || on_span->local.count > most->measured->on_span.local.count;
    if (sites[i]->caller != NULL && !is_library_function(sites[i]->callee) && sites[i]->kind != CILKPROF_SITE_LOOP &&
        large && !own && parallel && more && !is_bottleneck_function(sites[i]->callee, bottlenecks, count))
      most = sites[i];
  }
  return most != NULL && most->measured->on_span.local.count > 1 ? most : NULL;
}

/* Adds a finding to VERDICT about BUSY, a call of a parallel function that is often on the critical path but needs no
   change.  */
static void add_parallel_finding(struct verdict *verdict, const struct site *busy) {
  const struct cilkprof_measure *all = &busy->measured->on_span.top_call_site;
  const char *name = quoted_finding_name(busy->callee);
  struct finding *finding = add_finding(
      verdict, FINDING_PARALLEL_ON_SPAN, TONE_GOOD,
      format_string("%s is on the critical path %s times (from %s, parallelism %s), "
                    "but its callees take the time there, not %s itself.",
                    name, model_grouped_number(busy->measured->on_span.local.count).text,
                    finding_user_place(verdict->model, busy), model_parallelism_text(all->work, all->span).text, name));
  set_finding_place(verdict, finding, busy->callee->name, busy);
  set_finding_share(finding, finding_span_percent(verdict, all->span), "span");
}

/* Adds findings about the largest bottlenecks to VERDICT, and one about a parallel function that is often on the
   critical path but needs no change.  */
void judge_bottlenecks(struct verdict *verdict) {
  struct model *model = verdict->model;
  struct bottleneck bottlenecks[MAX_BOTTLENECKS];
  size_t count = find_bottlenecks(model, least_bottleneck_span(model), bottlenecks,
                                  is_verdict_parallelism_enough(verdict) ? 1 : MAX_BOTTLENECKS);
  for (size_t i = 0; i < count; i++)
    if (is_bottleneck_one_thread_block(&bottlenecks[i]))
      add_one_thread_block_finding(verdict, &bottlenecks[i]);
    else if (!is_bottleneck_by_thread_number(verdict, &bottlenecks[i]) &&
             !is_bottleneck_imbalance(verdict, &bottlenecks[i]) &&
             !is_bottleneck_orphaned_loop(verdict, &bottlenecks[i]) &&
             !is_bottleneck_in_one_thread_blocks(model, bottlenecks, count, &bottlenecks[i]))
      add_bottleneck_finding(verdict, &bottlenecks[i]);
  const struct site *busy = parallel_site_for_finding(verdict, bottlenecks, count);
  if (busy != NULL)
    add_parallel_finding(verdict, busy);
}
