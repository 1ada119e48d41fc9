/* The report as a page of Markdown: verdict, evidence, and the lines of source that the verdict is about; for an issue,
   a review or a language model.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/analysis/bounds.h"
#include "cilkprof-report/analysis/foretold.h"
#include "cilkprof-report/exports/exports.h"
#include "cilkprof-report/exports/findings.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/names/sources.h"
#include "cilkprof-report/support/names.h"
#include "cilkprof-report/tables/columns.h"
#include "cilkprof-report/tables/labels.h"
#include "cilkprof-report/tables/program.h"

enum {
  SITES = 10,            /* rows of call sites */
  AROUND = 3,            /* lines before and after one that a finding is about */
  MAX_SOURCE = 16 << 20, /* bytes of a source */
};

/* Prints TEXT so that no character of it is markup.  */
static void print_markdown_text(FILE *out, const char *text) {
  char *plain = escape(text);
  for (const char *at = plain; *at != 0; at++) {
    if (strchr("\\`*_[]<>|#~&", *at) != NULL)
      putc('\\', out);
    putc(*at, out);
  }
  free(plain);
}

/* Prints TEXT as code in a line or, if CELL, in a table: between more backquotes than it has in succession.  */
static void print_markdown_code(FILE *out, const char *text, bool cell) {
  char *plain = escape(text);
  size_t most = 0, count = 0;
  for (const char *at = plain; *at != 0; at++) {
    count = *at == '`' ? count + 1 : 0;
    most = count > most ? count : most;
  }
  for (size_t i = 0; i <= most; i++)
    putc('`', out);
  fputs(most > 0 ? " " : "", out);
  for (const char *at = plain; *at != 0; at++)
    fprintf(out, cell && *at == '|' ? "\\%c" : "%c", *at);
  fputs(most > 0 ? " " : "", out);
  for (size_t i = 0; i <= most; i++)
    putc('`', out);
  free(plain);
}

/* Prints the findings of VERDICT as a list.  */
static void print_markdown_verdict(FILE *out, const struct verdict *verdict) {
  fprintf(out, "## Verdict for %u processor%s\n\n", verdict->processors, model_plural_ending(verdict->processors));
  for (size_t i = 0; i < verdict->count; i++) {
    fputs("- **", out);
    print_markdown_text(out, verdict->findings[i].subject);
    fputs(":** ", out);
    print_markdown_text(out, verdict->findings[i].text);
    putc('\n', out);
  }
}

/* Prints the row LABEL of a table: BOUND on 2 to 128 processors.  */
static void print_markdown_bound(FILE *out, const char *label, double (*bound)(const struct speedup_limits *, double),
                                 const struct speedup_limits *limits) {
  fprintf(out, "| %s |", label);
  for (unsigned processors = 2; processors <= limits->most; processors *= 2)
    fprintf(out, " %.2f |", bound(limits, processors));
  putc('\n', out);
}

/* Prints the table of predicted speedups, if there are any: the bounds, and what is expected between them.  */
static void print_markdown_speedups(FILE *out, const struct model *model, const struct options *options) {
  const struct speedup_limits limits = speedup_bounds_of_model(model);
  if (reason_for_no_speedup_bounds(model) != NULL)
    return;
  fputs("\n| processors |", out);
  for (unsigned processors = 2; processors <= limits.most; processors *= 2)
    fprintf(out, " %u |", processors);
  fputs("\n|---|", out);
  for (unsigned processors = 2; processors <= limits.most; processors *= 2)
    fputs("---:|", out);
  putc('\n', out);
  print_markdown_bound(out, "speedup from", speedup_lower_bound, &limits);
  if (!isnan(expected_speedup_on(model, options, 2))) {
    fputs("| expected |", out);
    for (unsigned processors = 2; processors <= limits.most; processors *= 2) {
      double speedup = expected_speedup_on(model, options, processors);
      fprintf(out, isnan(speedup) ? " - |" : " %.2f |", speedup);
    }
    putc('\n', out);
  }
  print_markdown_bound(out, "up to", speedup_upper_bound, &limits);
}

/* Prints the row of SITE in the table of call sites.  */
static void print_markdown_site(FILE *out, const struct model *model, const struct site *site) {
  const struct cilkprof_measure *work = &site->measured->on_work.top_call_site;
  char *place = finding_user_place(model, site);
  fprintf(out, "| %.2f | %s | %s | %s | ",
          model_percent_of_whole(site->measured->on_span.local.span, model->totals.span),
          model_parallelism_text(work->work, work->span).text,
          model_grouped_number(site->measured->on_work.local.count).text, site_kind_label(site));
  print_markdown_code(out, place, true);
  fputs(" | ", out);
  print_markdown_code(out, site->caller != NULL ? site->caller->brief_name : "<spontaneous>", true);
  fputs(" | ", out);
  print_markdown_code(out, site->callee->brief_name, true);
  fputs(" |\n", out);
  free(place);
}

/* Prints the totals of the run, the speedups, and the call sites with the largest share of the span.  */
static void print_markdown_evidence(FILE *out, struct model *model, const struct options *options) {
  const struct cilkprof_totals *totals = &model->totals;
  const struct site **sites = model_sites_by_span(model);
  size_t most = options->top > 0 ? options->top : SITES, shown = 0;
  fprintf(out, "\n## Evidence\n\n- Measured: %s\n", table_program_mode_text(model->program.mode));
  fprintf(out, "- Work %s, span %s", model_quantity(model, (double)totals->work, 4, " ").text,
          model_quantity(model, (double)totals->span, 4, " ").text);
  fprintf(out, ", parallelism %s, ", model_parallelism_text(totals->work, totals->span).text);
  fprintf(out, "burdened parallelism %s, ", model_parallelism_text(totals->work, totals->burdened_span).text);
  fprintf(out, "%s spawn%s%s\n", model_grouped_number(totals->spawns).text, model_plural_ending(totals->spawns),
          model->run.units_per_second == 0 ? " (in instructions)" : "");
  print_markdown_speedups(out, model, options);
  fputs("\nCall sites by share of the span:\n\n| % span | parallelism | count | kind | place | caller | callee |\n"
        "|---:|---:|---:|---|---|---|---|\n",
        out);
  for (size_t i = 0; i < model->site_count && shown < most; i++)
    if (site_has_table_row(sites[i], options)) {
      print_markdown_site(out, model, sites[i]);
      shown++;
    }
  free(sites);
}

/* Prints the lines of FILE around LINE, which is marked, as a block of code.  */
static void print_markdown_lines(FILE *out, const struct file *file, uint32_t line) {
  const char *text = file->bytes, *end = text + file->size;
  fputs("\n~~~~~~\n", out); /* a line of code follows a number, so that none ends the block */
  for (uint32_t number = 1; text < end && number <= line + AROUND; number++) {
    const char *newline = memchr(text, '\n', (size_t)(end - text));
    size_t length = (size_t)((newline != NULL ? newline : end) - text);
    if (number + AROUND >= line) {
      char *plain = escape_source_line(text, length > 0 && text[length - 1] == '\r' ? length - 1 : length, "");
      fprintf(out, "%c %5u  %s\n", number == line ? '>' : ' ', number, plain);
      free(plain);
    }
    text += length + 1;
  }
  fputs("~~~~~~\n", out);
}

/* Returns whether FINDINGS[I] is the first one about its line.  */
static bool is_markdown_line_new(const struct finding *findings, size_t i) {
  for (size_t k = 0; k < i; k++)
    if (findings[k].file != NULL && findings[k].line == findings[i].line &&
        strcmp(findings[k].file, findings[i].file) == 0)
      return false;
  return true;
}

/* Prints the lines that the findings of VERDICT blame, as far as their sources are found.  */
static void print_markdown_sources(FILE *out, const struct verdict *verdict, const struct options *options) {
  const struct functions *functions = &verdict->model->functions;
  const char *heading = "\n## Source\n";
  for (size_t i = 0; i < verdict->count; i++) {
    const struct finding *finding = &verdict->findings[i];
    struct file file;
    char *path = finding->tone != TONE_GOOD && finding->file != NULL && finding->line > 0 &&
                         is_markdown_line_new(verdict->findings, i)
                     ? find_function_source(functions, finding->file, options)
                     : NULL;
    if (path != NULL && try_to_read_file(path, NULL, MAX_SOURCE, &file) == NULL) {
      char *name = exported_source_path(verdict->model, options, finding->file);
      char *place = format_string("%s:%u", name, finding->line);
      fprintf(out, "%s\n", heading);
      heading = "";
      print_markdown_code(out, place, false);
      fputs(" (", out);
      print_markdown_text(out, finding->subject);
      fputs("):\n", out);
      print_markdown_lines(out, &file, finding->line);
      free(place);
      free(name);
      free(file.bytes);
    }
    free(path);
  }
}

void print_markdown(FILE *out, struct model *model, const struct options *options) {
  struct verdict verdict = find_verdict(model, options);
  char *command = table_program_command_text(&model->program);
  fputs("# cilkprof: ", out);
  print_markdown_code(out, command, false);
  fputs("\n\n", out);
  print_markdown_verdict(out, &verdict);
  print_markdown_evidence(out, model, options);
  print_markdown_sources(out, &verdict, options);
  free(command);
}
