/* The report that fits one screen: verdict, totals, and the call sites or losses that matter most.
   SPDX-License-Identifier: GPL-3.0-or-later

   It is printed with --screen, which the command cilkprof passes, unless sections are named, or --all is.  */

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/analysis/bounds.h"
#include "cilkprof-report/analysis/foretold.h"
#include "cilkprof-report/analysis/verdict.h"
#include "cilkprof-report/analysis/waste.h"
#include "cilkprof-report/analysis/whatif.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/sections/sections.h"
#include "cilkprof-report/support/prose.h"
#include "cilkprof-report/support/support.h"
#include "cilkprof-report/support/terminal.h"

enum {
  WIDTH = 80,         /* columns, unless the terminal says otherwise */
  VERDICT_LINES = 11, /* lines of findings */
  ROWS = 10,          /* rows of a table */
};

/* Returns FINDING as it is printed, and stores its number of lines in *LINES.  Allocated.  */
static char *text_of_screen_finding(const struct finding *finding, const struct options *options, size_t *lines) {
  char *text = NULL;
  size_t size = 0;
  FILE *memory = open_memstream(&text, &size);
  if (memory == NULL)
    fail_without_memory();
  print_verdict_finding(memory, finding, options);
  if (fclose(memory) != 0)
    fail_without_memory();
  *lines = 0;
  for (const char *at = text; (at = strchr(at, '\n')) != NULL; at++)
    ++*lines;
  return text;
}

/* Marks in FIRST the findings of VERDICT that are shown whatever else there is to say: the speedup, and the first one
   that blames some code.  */
static void mark_first_screen_findings(const struct verdict *verdict, bool *first) {
  bool blamed = false;
  for (size_t i = 0; i < verdict->count; i++) {
    const struct finding *finding = &verdict->findings[i];
    bool blames = finding->code >= FINDING_SERIAL_BOTTLENECK && finding->code <= FINDING_IMBALANCE &&
                  finding->code != FINDING_PARALLEL_ON_SPAN && finding->tone != TONE_GOOD;
    first[i] = finding->code == FINDING_SPEEDUP || (blames && !blamed);
    blamed |= blames;
  }
}

/* Prints the findings that fit the screen, in their order, and how many do not.  */
static void print_screen_verdict(FILE *out, struct model *model, const struct options *options) {
  struct verdict verdict = find_verdict(model, options);
  char *texts[MAX_FINDINGS + 1];
  size_t taken[MAX_FINDINGS + 1], lines = VERDICT_LINES, left = 0;
  bool first[MAX_FINDINGS + 1], fits = true;
  mark_first_screen_findings(&verdict, first);
  for (size_t i = 0; i < verdict.count; i++) {
    texts[i] = text_of_screen_finding(&verdict.findings[i], options, &taken[i]);
    lines -= !first[i] ? 0 : taken[i] < lines ? taken[i] : lines;
  }
  print_styled(out, options->color, STYLE_TITLE, "Verdict for %u processor%s", verdict.processors,
               model_plural_ending(verdict.processors));
  fputs("\n\n", out);
  for (size_t i = 0; i < verdict.count; i++) {
    fits &= first[i] || taken[i] <= lines;
    lines -= fits && !first[i] ? taken[i] : 0;
    left += !fits && !first[i];
    if (fits || first[i])
      fputs(texts[i], out);
    free(texts[i]);
  }
  if (left > 0)
    fprintf(out, "  %zu more finding%s: --verdict\n", left, model_plural_ending(left));
}

/* Prints a row of the table of speedups: LABEL, and BOUND on 2 to 128 processors.  */
static void print_screen_bound(FILE *out, const char *label, double (*bound)(const struct speedup_limits *, double),
                               const struct speedup_limits *limits) {
  fprintf(out, "  %-13s", label);
  for (unsigned processors = 2; processors <= limits->most; processors *= 2)
    fprintf(out, "%8.2f", bound(limits, processors));
  putc('\n', out);
}

/* Prints the row of expected speedups on 2 to MOST processors, if they are known.  An emulation that takes too long
   leaves some of them unknown.  */
static void print_screen_expected(FILE *out, const struct model *model, unsigned most, const struct options *options) {
  if (isnan(expected_speedup_on(model, options, 2)))
    return;
  fprintf(out, "  %-13s", "expected");
  for (unsigned processors = 2; processors <= most; processors *= 2) {
    double speedup = expected_speedup_on(model, options, processors);
    if (isnan(speedup))
      fprintf(out, "%8s", "-");
    else
      fprintf(out, "%8.2f", speedup);
  }
  putc('\n', out);
}

/* Prints work, span and parallelism in one line, the bounds of the speedup in three, and what is expected between them
   in one, if there are any.  */
static void print_screen_totals(FILE *out, const struct model *model, const struct options *options) {
  const struct cilkprof_totals *totals = &model->totals;
  const struct speedup_limits limits = speedup_bounds_of_model(model);
  putc('\n', out);
  print_styled(out, options->color, STYLE_TITLE, "Work");
  fprintf(out, " %s", model_quantity(model, (double)totals->work, 4, " ").text);
  if (totals->span > 0) {
    fprintf(out, ", span %s", model_quantity(model, (double)totals->span, 4, " ").text);
    fprintf(out, ", parallelism %s", model_parallelism_text(totals->work, totals->span).text);
    fprintf(out, ", %s spawn%s", model_grouped_number(totals->spawns).text, model_plural_ending(totals->spawns));
  }
  fputs(model->run.units_per_second == 0 ? " (in instructions)\n" : "\n", out);
  if (reason_for_no_speedup_bounds(model) != NULL)
    return;
  fputs("  processors   ", out);
  for (unsigned processors = 2; processors <= limits.most; processors *= 2)
    fprintf(out, "%8u", processors);
  putc('\n', out);
  print_screen_bound(out, "speedup from", speedup_lower_bound, &limits);
  print_screen_expected(out, model, limits.most, options);
  print_screen_bound(out, "up to", speedup_upper_bound, &limits);
}

/* Prints what else the profile has: questions that were asked, samples of a parallel run, or else the call sites, after
   some regions that take the place of some of them.  */
static void print_screen_tables(FILE *out, struct model *model, const struct options *options) {
  enum { MAX_REGIONS = 4, REGION_HEADINGS = 4 };
  struct options fewer = *options;
  size_t regions = model->regions.count;
  putc('\n', out);
  if (model->whatif_count > 0) {
    print_whatif(out, model, options);
  } else if (model->samples != NULL) {
    print_waste(out, model, options);
  } else {
    if (regions > 0 && regions <= MAX_REGIONS) {
      print_regions(out, model, options);
      putc('\n', out);
      fewer.top = options->top < ROWS ? options->top : ROWS - REGION_HEADINGS - (unsigned)regions;
    }
    print_sites(out, model, &fewer);
  }
}

/* Returns OPTIONS with those that make sections fit the screen.  */
static struct options screen_options(const struct options *options) {
  struct options fitted = *options;
  fitted.brief = true;
  fitted.bars = options->color;
  fitted.top = options->top > 0 ? options->top : ROWS;
  if (fitted.terminal_width == 0 && !options->wide)
    fitted.terminal_width = WIDTH;
  return fitted;
}

/* Prints COMMAND, which shows more, with the profiles unless they are the one that it reads anyway.  */
static void print_screen_command(FILE *out, const char *command, const struct options *options) {
  bool usual = options->profile_count == 1 && strcmp(options->profiles[0], "cilkprof.out") == 0;
  fputs(command, out);
  for (size_t i = 0; !usual && i < options->profile_count; i++) {
    putc(' ', out);
    print_advised_command_word(out, options->profiles[i]);
  }
}

/* Prints the commands that show more: in one line, unless there are several profiles.  */
static void print_screen_commands(FILE *out, const struct options *options) {
  print_screen_command(out, "\nMore: cilkprof report --all", options);
  fputs(options->profile_count == 1 ? ", " : "\n      ", out);
  print_screen_command(out, "cilkprof html", options);
  putc('\n', out);
}

void print_screen(FILE *out, struct model *model, const struct options *options) {
  const struct options fitted = screen_options(options);
  if (model->run_count == 0) {
    print_waste(out, model, &fitted);
  } else if (model->tree.node_count > 0 && model->site_count == 0) {
    print_emulation(out, model, &fitted);
  } else {
    if (model->root != NULL)
      print_report_head(out, model, &fitted);
    print_screen_verdict(out, model, &fitted);
    print_screen_totals(out, model, &fitted);
    print_screen_tables(out, model, &fitted);
  }
  print_screen_commands(out, options);
}
