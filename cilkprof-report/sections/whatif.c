/* What-if: work and span as they would be, which the program computed while it ran.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <string.h>
#include "cilkprof-report/analysis/verdict.h"
#include "cilkprof-report/analysis/whatif.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/sections/sections.h"
#include "cilkprof-report/support/support.h"
#include "cilkprof-report/support/terminal.h"

static const char explanation[] =
    "\n"
    " Every line is the program as it would be if a candidate, a function or a call site with all that it calls, cost\n"
    " nothing or were faster.  These are no estimates: along with the span the program computed what would be the\n"
    " longest path then.  It counted instructions: code without instrumentation, as of libraries, costs nothing here,\n"
    " however long it takes.\n"
    "\n"
    " span       the span of that program, and by how much it is shorter,\n"
    " work       its work,\n"
    " parallel   its parallelism, work / span.\n"
    " speedup    what so many processors can at most reach with it, over the program as it is on one processor.\n"
    " calls      of the candidate, without those below another one of it.\n";

/* A program: as it is, or as it would be.  */
struct variant {
  double work, span;
};

static struct variant variant_of(const struct cilkprof_whatif *whatif) {
  double unit = whatif->faster > 0 ? (double)whatif->faster : 1;
  return (struct variant){(double)whatif->work / unit, (double)whatif->span / unit};
}

static double fall(double from, double to) {
  return from > 0 ? 100 * (from - to) / from : 0;
}

static void print_numbers(FILE *out, const struct model *model, struct variant variant, bool changed) {
  fprintf(out, "%9s", quantity(model, variant.span, 4, "").text);
  if (changed)
    fprintf(out, " %8.2f%%", fall((double)model->totals.span, variant.span));
  else
    fprintf(out, " %9s", "");
  fprintf(out, " %9s", quantity(model, variant.work, 4, "").text);
  if (variant.span > 0)
    fprintf(out, " %9.2f", variant.work / variant.span);
  else
    fprintf(out, " %9s", "-");
  for (unsigned processors = 2; processors <= 128; processors *= 2)
    if (variant.span > 0)
      fprintf(out, " %7.2f", whatif_speedup(model, variant.work, variant.span, processors));
    else
      fprintf(out, " %7s", "-");
}

static void print_table(FILE *out, const struct model *model) {
  struct variant whole = {(double)model->totals.work, (double)model->totals.span};
  fprintf(out, "%39s  speedup on at most\n", "");
  fputs("     span  falls by      work  parallel       2       4       8      16      32      64     128      calls\n",
        out);
  print_numbers(out, model, whole, false);
  fprintf(out, " %10s  as it is\n", "");
  for (size_t i = 0; i < model->whatif_count; i++) {
    const struct cilkprof_whatif *whatif = &model->whatifs[i];
    char *name = escape(whatif->candidate);
    print_numbers(out, model, variant_of(whatif), true);
    fprintf(out, " %10s  ", grouped(whatif->count).text);
    if (whatif->faster == 0)
      fprintf(out, "%s costs nothing\n", name);
    else
      fprintf(out, "%s is %llu times as fast\n", name, (unsigned long long)whatif->faster);
  }
}

/* What the candidate's calls hold of the span, in percent: by so much it could fall if there were no other path.  */
static double held(const struct model *model, const struct annotation *sites) {
  double share = percent(sites->on_span.span, model->totals.span);
  return share < 100 ? share : 100;
}

/* What is gained on the processors that the report is for.  */
static char *gain(const struct model *model, struct variant without, unsigned processors) {
  double before = whatif_speedup(model, (double)model->totals.work, (double)model->totals.span, processors);
  double after = without.span > 0 ? whatif_speedup(model, without.work, without.span, processors) : 0;
  if (processors < 2 || after == 0)
    return format_string(".");
  return format_string("; on %u processors the speedup can then be %.2f instead of %.2f.", processors, after, before);
}

enum { NEARLY_ALL = 95 }; /* percent of the span */

static struct finding judge(const struct model *model, const struct cilkprof_whatif *whatif, unsigned processors) {
  struct variant without = variant_of(whatif);
  struct annotation sites = whatif_sites(model, whatif->candidate);
  double falls = fall((double)model->totals.span, without.span), holds = held(model, &sites);
  const char *name = escape(whatif->candidate);
  bool ample = (double)model->totals.work >= AMPLE * (double)processors * (double)model->totals.span;
  if (falls < 1 && holds < 1)
    return (struct finding){TONE_NOTICE, name,
                            format_string("in instructions it is not on the span, which stays as long without it.")};
  if (2 * falls < holds)
    return (struct finding){TONE_BAD, name,
                            format_string("it holds %.1f%% of the span, but removing it uncovers another path: the "
                                          "span falls by %.1f%% only%s",
                                          holds, falls, gain(model, without, processors))};
  if (falls >= NEARLY_ALL && percent(sites.local_span, model->totals.span) < NEARLY_ALL)
    return (struct finding){TONE_NOTICE, name, format_string("it is nearly all of the span: ask for parts of it.")};
  if (falls < LARGE_SHARE)
    return (struct finding){TONE_NOTICE, name,
                            format_string("it is worth little: without it the span falls by %.1f%%.", falls)};
  if (ample)
    return (struct finding){
        TONE_NOTICE, name,
        format_string("without it the span falls by %.1f%%, but the parallelism is ample as it is; its share of the "
                      "work, %.1f%%, is what counts.",
                      falls, fall((double)model->totals.work, without.work))};
  return (struct finding){TONE_GOOD, name,
                          format_string("it is worth the work: without it the span falls by %.1f%%%s", falls,
                                        gain(model, without, processors))};
}

void print_whatif(FILE *out, struct model *model, const struct options *options) {
  if (model->whatif_count == 0 || options->whatif_auto) {
    print_estimates(out, model, options);
    return;
  }
  print_styled(out, options->color, STYLE_TITLE, "What if: the program without a candidate, or with a faster one");
  fputs("\n\n", out);
  print_table(out, model);
  putc('\n', out);
  for (size_t i = 0; i < model->whatif_count; i++)
    if (model->whatifs[i].faster == 0) {
      struct finding finding = judge(model, &model->whatifs[i], options->processors);
      print_finding(out, &finding, options);
    }
  if (!options->brief)
    fputs(explanation, out);
}
