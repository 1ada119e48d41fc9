/* Which call sites hold the span, and whether they are serial: the diagnosis of Cilkprof's Section 2.
   SPDX-License-Identifier: GPL-3.0-or-later

   A site holds of the span what its callee does itself when it is called there, its local span on the span.  Whether
   that is all that the callee does, tells its parallelism with everything below it.  */

#include "cilkprof-report/analysis/findings.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/support/support.h"

static bool is_ample(const struct verdict *verdict) {
  return verdict->parallelism >= AMPLE * (double)verdict->processors;
}

static char *where(const struct site *site) {
  if (site->caller == NULL)
    return format_string("(%s)", site_place(site));
  return format_string("when %s %s it at %s", site->caller->short_name,
                       site->kind == CILKPROF_SITE_SPAWN ? "spawns" : "calls", site_place(site));
}

/* What to do about it; nothing while there is parallelism enough.  */
static char *advice(const struct verdict *verdict, const char *what) {
  return is_ample(verdict) ? format_string("  That is no limit yet.") : format_string("  %s", what);
}

static char *loop_advice(const struct verdict *verdict, const struct site *loop) {
  const struct cilkprof_measure *all = &loop->measured->on_span.top_call_site;
  double loop_parallelism = ratio(all->work, all->span);
  if (is_fine_loop(verdict, loop))
    return format_string("  With the cost of moving work it is %s.", parallelism(all->work, all->burdened_span).text);
  if (loop_parallelism >= AMPLE * (double)verdict->processors)
    return format_string("  By itself that is ample.");
  return advice(verdict, loop_parallelism < NEARLY_SERIAL
                             ? "It runs in one grain, or one iteration is nearly all of it: lower its grainsize, or "
                               "parallelise its body."
                             : "Divide its longest iterations, or lower its grainsize.");
}

static void add_loop(struct verdict *verdict, enum tone tone, const struct site *site, double share) {
  const struct cilkprof_measure *all = &site->measured->on_span.top_call_site;
  bool enough = !is_fine_loop(verdict, site) && ratio(all->work, all->span) >= AMPLE * (double)verdict->processors;
  add_finding(verdict, enough ? TONE_GOOD : tone, "Loop on the span",
              format_string("the longest iterations of the cilk_for at %s hold %.1f%% of the span; the parallelism of "
                            "the loop is %s.%s",
                            site_place(site), share, parallelism(all->work, all->span).text,
                            loop_advice(verdict, site)));
}

static void add_holder(struct verdict *verdict, const struct site *site, double share) {
  const struct cilkprof_measure *all = &site->measured->on_span.top_call_site;
  enum tone tone = is_ample(verdict) ? TONE_NOTICE : TONE_BAD;
  const char *name = site->callee->short_name;
  if (site->kind == CILKPROF_SITE_LOOP)
    add_loop(verdict, tone, site, share);
  else if (ratio(all->work, all->span) < NEARLY_SERIAL)
    add_finding(verdict, tone, "Serial bottleneck",
                format_string("%s holds %.1f%% of the span %s, with a parallelism of %s.%s", name, share, where(site),
                              parallelism(all->work, all->span).text,
                              advice(verdict, format_string("Parallelise %s.", name))));
  else
    add_finding(verdict, tone, "Serial part",
                format_string("the code of %s itself, with what the compiler inlined into it, but without what it "
                              "calls, holds %.1f%% of the span %s.%s",
                              name, share, where(site),
                              advice(verdict, "Parallelise that code, or make it shorter.  Compile with -fno-inline "
                                              "to see which inlined functions it is.")));
}

/* A site that is on the span often and has a large part of it below it, but is parallel: nothing is wrong with it.  */
static const struct site *parallel_on_span(const struct verdict *verdict, const struct site *const *sites) {
  const struct site *most = NULL;
  for (size_t i = 0; i < verdict->model->site_count; i++) {
    const struct cilkprof_measures *on_span = &sites[i]->measured->on_span;
    bool large = percent(on_span->top_call_site.span, verdict->model->totals.span) >= LARGE_SHARE;
    bool own = percent(on_span->local.span, verdict->model->totals.span) >= LARGE_SHARE;
    bool parallel = ratio(on_span->top_call_site.work, on_span->top_call_site.span) >= 2;
    bool more = most == NULL || on_span->local.count > most->measured->on_span.local.count;
    if (sites[i]->caller != NULL && sites[i]->kind != CILKPROF_SITE_LOOP && large && !own && parallel && more)
      most = sites[i];
  }
  return most != NULL && most->measured->on_span.local.count > 1 ? most : NULL;
}

void judge_holders(struct verdict *verdict) {
  struct model *model = verdict->model;
  const struct site **sites = sites_by_span(model);
  size_t most = is_ample(verdict) ? 1 : MOST_HOLDERS;
  for (size_t i = 0; i < model->site_count && i < most; i++) {
    double share = percent(sites[i]->measured->on_span.local.span, model->totals.span);
    if (share >= LARGE_SHARE)
      add_holder(verdict, sites[i], share);
  }
  const struct site *busy = parallel_on_span(verdict, sites);
  if (busy != NULL)
    add_finding(
        verdict, TONE_GOOD, "On the span, but parallel",
        format_string(
            "%s is there %s times from %s with a parallelism of %s; not it, but what it calls holds "
            "the span.",
            busy->callee->short_name, grouped(busy->measured->on_span.local.count).text, site_place(busy),
            parallelism(busy->measured->on_span.top_call_site.work, busy->measured->on_span.top_call_site.span).text));
}
