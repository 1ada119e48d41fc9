/* Findings about bottlenecks: the diagnosis of Section 2 of the Cilkprof paper.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <string.h>
#include "cilkprof-report/analysis/findings.h"
#include "cilkprof-report/analysis/words.h"
#include "cilkprof-report/model/library.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/support/support.h"

static const char serial_part[] = "Serial part";
static const char other_threads[] = "  It runs threads of its own, and what they do is not measured: parallelism is "
                                    "what cilk_spawn and cilk_for make, and "
                                    "OpenMP's constructs in code that was compiled with -fopenmp and -fcilkprof.";

/* Quotes a name for use in a sentence.  */
static const char *quoted(const struct function *function) {
  return format_string("'%s'", function->brief_name);
}

static bool is_ample(const struct verdict *verdict) {
  return verdict->parallelism >= AMPLE * (double)verdict->processors;
}

static double share_of_span(const struct verdict *verdict, uint64_t span) {
  return percent(span, verdict->model->totals.span);
}

/* Returns whether CALL is in a system header and was inlined: it is reported by the user function that contains it.  */
static bool is_inlined(const struct site *call) {
  return call->caller != NULL && is_system_file(call->file);
}

static const char *in_caller(const struct site *call) {
  return format_string(" %s %s", is_library(call->caller) ? "through" : "in", quoted(call->caller));
}

/* Returns the source location of CALL, or nothing if the compiler generated the call and it has no line.  */
static const char *at_location(const struct site *call) {
  if (call->line == 0)
    return "";
  return format_string(" %s %s", is_inlined(call) ? "in code from" : "at", site_place(call));
}

/* Lists the call sites of BOTTLENECK.  */
static char *at_call_sites(const struct bottleneck *bottleneck) {
  size_t shown = bottleneck->place_count < MOST_PLACES ? bottleneck->place_count : MOST_PLACES;
  char *text =
      format_string("when it is called%s", is_inlined(bottleneck->places[0]) ? in_caller(bottleneck->places[0])
                                                                             : at_location(bottleneck->places[0]));
  for (size_t i = 1; i < shown; i++)
    text = format_string("%s%s%s", text, i + 1 < bottleneck->place_count ? "," : " and",
                         is_inlined(bottleneck->places[i]) ? in_caller(bottleneck->places[i])
                                                           : format_string(" %s", site_place(bottleneck->places[i])));
  size_t others = bottleneck->place_count - shown;
  if (others > 0)
    text = format_string("%s and %zu other place%s", text, others, others > 1 ? "s" : "");
  return text;
}

/* Describes from where BOTTLENECK is called, also by user code through a library function.  */
static char *called_from(const struct bottleneck *bottleneck) {
  const struct site *call = bottleneck->places[0];
  if (bottleneck->place_count != 1)
    return bottleneck->place_count > 0 ? at_call_sites(bottleneck) : format_string("in this run");
  if (call->caller == NULL)
    return format_string("(%s)", site_place(call));
  const char *through = call->callee != bottleneck->function ? format_string(", through %s", quoted(call->callee)) : "";
  return format_string("when %s %s it%s%s", quoted(call->caller),
                       call->kind == CILKPROF_SITE_SPAWN ? "spawns" : "calls", at_location(call), through);
}

/* Returns whether a library function runs other threads or waits for them.  */
static bool runs_threads(const struct function *function) {
  static const char *const beginnings[] = {"GOMP_", "omp_",     "__kmpc_",       "pthread_",
                                           "thrd_", "sem_wait", "std::thread::", "tbb::"};
  for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
    if (strncmp(function->name, beginnings[i], strlen(beginnings[i])) == 0)
      return true;
  return false;
}

static bool is_mostly_library(const struct bottleneck *bottleneck) {
  return bottleneck->part != NULL && is_library(bottleneck->part->callee) &&
         bottleneck->part_span > bottleneck->held.span / 2;
}

static bool waits_for_threads(const struct bottleneck *bottleneck) {
  return is_mostly_library(bottleneck) && runs_threads(bottleneck->part->callee);
}

/* Describes the callee that makes up a large part of the bottleneck, if there is one.  */
static const char *describe_part(const struct verdict *verdict, const struct bottleneck *bottleneck) {
  double share = share_of_span(verdict, bottleneck->part_span);
  if (bottleneck->part == NULL || share < LARGE_SHARE)
    return "";
  bool farther = is_inlined(bottleneck->part) && bottleneck->part->caller != bottleneck->function;
  return format_string("  In it %s, called%s%s, holds %.1f%% of the span.", quoted(bottleneck->part->callee),
                       farther ? in_caller(bottleneck->part) : "", at_location(bottleneck->part), share);
}

/* Returns the advice WHAT, unless the run is short or the parallelism is ample.  */
static const char *advice(const struct verdict *verdict, const char *what) {
  if (verdict->short_run)
    return "";
  return is_ample(verdict) ? "  That is no limit yet." : what;
}

/* Returns what to do about LOOP, or why nothing is needed.  */
static const char *loop_advice(const struct verdict *verdict, const struct site *loop) {
  const struct cilkprof_measure *all = &loop->measured->on_span.top_call_site;
  double loop_parallelism = ratio(all->work, all->span);
  if (is_fine_loop(verdict, loop))
    return format_string("  With the cost of moving work it is %s.", parallelism(all->work, all->burdened_span).text);
  if (loop_parallelism >= AMPLE * (double)verdict->processors)
    return "  By itself that is ample.";
  if (verdict->system_bound)
    return advice(verdict, "  Divide its longest iterations, once less of them is the system's.");
  const char *smaller = smaller_pieces(loop->callee);
  return advice(verdict, loop_parallelism < NEARLY_SERIAL
                             ? format_string("  It runs in one %s, or one iteration is nearly all of it: %s, or "
                                             "parallelise its body.",
                                             piece_word(loop->callee), smaller)
                             : format_string("  Divide its longest iterations, or %s.", smaller));
}

static void add_loop(struct verdict *verdict, enum tone tone, const struct bottleneck *bottleneck) {
  const struct site *site = bottleneck->places[0];
  const struct cilkprof_measure *all = &site->measured->on_span.top_call_site;
  bool enough = !is_fine_loop(verdict, site) && ratio(all->work, all->span) >= AMPLE * (double)verdict->processors;
  add_finding(verdict, enough ? TONE_GOOD : tone, "Loop on the span",
              format_string("the longest iterations of the %s at %s hold %.1f%% of the span; the parallelism of "
                            "the loop is %s.%s%s",
                            loop_word(site->callee), user_place(verdict->model, site),
                            share_of_span(verdict, bottleneck->held.span), parallelism(all->work, all->span).text,
                            describe_part(verdict, bottleneck), loop_advice(verdict, site)));
}

/* Returns a spawn of a serial function that makes up most of BOTTLENECK: nothing runs in parallel to it.  */
static const struct site *idle_spawn(const struct verdict *verdict, const struct bottleneck *bottleneck) {
  const struct model *model = verdict->model;
  for (size_t i = 0; i < model->site_count; i++) {
    const struct site *site = &model->sites[i];
    if (site->kind == CILKPROF_SITE_SPAWN && site->caller == bottleneck->function &&
        site->measured->on_span.top_call_site.span > bottleneck->held.span / 2)
      return site;
  }
  return NULL;
}

/* Returns advice about SPAWN, to which nothing runs in parallel.  */
static const char *idle_advice(const struct site *spawn) {
  bool task = is_task(spawn);
  return format_string("  Nothing runs beside what %s at %s: give it more to do before its %s, or %s the parts of %s.",
                       task ? "it makes a task" : "it spawns", site_place(spawn), sync_word(spawn),
                       task ? "make tasks of" : "spawn", quoted(spawn->callee));
}

/* Returns advice about a serial function.  Several short calls together are worth parallelising, unless their grain is
   too fine already.  */
static const char *serial_advice(const struct verdict *verdict, const struct bottleneck *bottleneck) {
  const struct cilkprof_measure *held = &bottleneck->held;
  const struct site *spawn = idle_spawn(verdict, bottleneck);
  if (spawn != NULL)
    return advice(verdict, idle_advice(spawn));
  if (waits_for_threads(bottleneck))
    return advice(verdict, other_threads);
  if (is_mostly_library(bottleneck) && !is_inlined(bottleneck->part)) /* otherwise it is part of what the user calls */
    return advice(verdict,
                  format_string("  Put something parallel in the place of %s.", quoted(bottleneck->part->callee)));
  if (is_worth_dividing(verdict->model, ratio(held->work, held->count)))
    return advice(verdict, format_string("  Parallelise %s.", quoted(bottleneck->function)));
  if (is_start(bottleneck->function) && verdict->model->program.flags & CILKPROF_OTHER_THREADS)
    return advice(verdict, "  What other threads did is not measured.");
  if (held->count == 1)
    return advice(verdict, "  Its call is too short to divide.");
  return advice(verdict, is_grain_too_fine(verdict) ? "  Its calls are too short to divide."
                                                    : "  Its calls are too short to divide: run several at once.");
}

static void add_serial(struct verdict *verdict, enum tone tone, const struct bottleneck *bottleneck) {
  add_finding(verdict, tone, is_ample(verdict) ? "Longest serial part" : "Serial bottleneck",
              format_string("%s%s holds %.1f%% of the span %s, with a parallelism of %s.%s%s",
                            quoted(bottleneck->function),
                            describe_part(verdict, bottleneck)[0] != 0 ? ", with what it calls," : "",
                            share_of_span(verdict, bottleneck->held.span), called_from(bottleneck),
                            parallelism(bottleneck->held.work, bottleneck->held.span).text,
                            describe_part(verdict, bottleneck), serial_advice(verdict, bottleneck)));
}

/* Returns advice about the own code of a function, once for all bottlenecks.  Inlined code is not mentioned if a
   library function makes up most of the bottleneck.  */
static const char *code_advice(const struct verdict *verdict, const struct bottleneck *bottleneck) {
  if (waits_for_threads(bottleneck))
    return advice(verdict, other_threads);
  for (size_t i = 0; i < verdict->count; i++)
    if (strcmp(verdict->findings[i].subject, serial_part) == 0)
      return "";
  return advice(verdict, bottleneck->part_span > bottleneck->held.span / 2
                             ? "  Parallelise that code, or make it shorter."
                             : "  Parallelise that code, or make it shorter.  To see functions that were inlined into "
                               "it, compile with -fno-inline.");
}

static void add_code(struct verdict *verdict, enum tone tone, const struct bottleneck *bottleneck) {
  add_finding(
      verdict, tone, serial_part,
      format_string("the code of %s itself, with inlined and library functions, holds %.1f%% of the span %s.%s%s",
                    quoted(bottleneck->function), share_of_span(verdict, bottleneck->held.span),
                    called_from(bottleneck), describe_part(verdict, bottleneck), code_advice(verdict, bottleneck)));
}

static void add_bottleneck(struct verdict *verdict, const struct bottleneck *bottleneck) {
  static void (*const adders[])(struct verdict *, enum tone, const struct bottleneck *) = {
      [BOTTLENECK_CODE] = add_code, [BOTTLENECK_LOOP] = add_loop, [BOTTLENECK_SERIAL] = add_serial};
  adders[bottleneck->kind](verdict, is_ample(verdict) ? TONE_NOTICE : TONE_BAD, bottleneck);
}

static bool is_bottleneck(const struct function *function, const struct bottleneck *bottlenecks, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (bottlenecks[i].function == function)
      return true;
  return false;
}

/* Returns a parallel site that is on the critical path with a large share of the span: it needs no change.  */
static const struct site *parallel_on_span(const struct verdict *verdict, const struct bottleneck *bottlenecks,
                                           size_t count) {
  const struct site **sites = sites_by_span(verdict->model), *most = NULL;
  for (size_t i = 0; i < verdict->model->site_count; i++) {
    const struct cilkprof_measures *on_span = &sites[i]->measured->on_span;
    bool large = percent(on_span->top_call_site.span, verdict->model->totals.span) >= LARGE_SHARE;
    bool own = percent(on_span->local.span, verdict->model->totals.span) >= LARGE_SHARE;
    bool parallel = ratio(on_span->top_call_site.work, on_span->top_call_site.span) >= 2;
    bool more = most == NULL || on_span->local.count > most->measured->on_span.local.count;
    if (sites[i]->caller != NULL && !is_library(sites[i]->callee) && sites[i]->kind != CILKPROF_SITE_LOOP && large &&
        !own && parallel && more && !is_bottleneck(sites[i]->callee, bottlenecks, count))
      most = sites[i];
  }
  return most != NULL && most->measured->on_span.local.count > 1 ? most : NULL;
}

void judge_bottlenecks(struct verdict *verdict) {
  struct model *model = verdict->model;
  struct bottleneck bottlenecks[MOST_BOTTLENECKS];
  size_t count = bottlenecks_find(model, large_span(model), bottlenecks, is_ample(verdict) ? 1 : MOST_BOTTLENECKS);
  for (size_t i = 0; i < count; i++)
    add_bottleneck(verdict, &bottlenecks[i]);
  const struct site *busy = parallel_on_span(verdict, bottlenecks, count);
  if (busy != NULL)
    add_finding(
        verdict, TONE_GOOD, "On the span, but parallel",
        format_string(
            "%s is there %s times from %s with a parallelism of %s; not it, but what it calls holds "
            "the span.",
            quoted(busy->callee), grouped(busy->measured->on_span.local.count).text, user_place(model, busy),
            parallelism(busy->measured->on_span.top_call_site.work, busy->measured->on_span.top_call_site.span).text));
}
