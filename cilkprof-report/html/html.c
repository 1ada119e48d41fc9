/* Writes the report as one page for a browser: page.html with style, scripts and data inserted.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/analysis/foretold.h"
#include "cilkprof-report/analysis/verdict.h"
#include "cilkprof-report/html/html.h"
#include "cilkprof-report/support/output.h"
#include "cilkprof-report/support/support.h"
#include "cilkprof-report/tables/speedup.h"
#include "version.h"

/* The page and the data that are inserted into it.  */
struct page {
  FILE *out;
  struct model *model;
  const struct options *options;
};

/* Inserts the style sheet into the page.  */
static void put_html_style(const struct page *page) {
  fputs(html_style, page->out);
}

static const char *const scripts[] = {html_icicle, html_timeline, html_waste, html_script};
enum { SCRIPTS = sizeof scripts / sizeof *scripts };

/* Inserts the scripts into the page.  */
static void put_html_script(const struct page *page) {
  for (size_t i = 0; i < SCRIPTS; i++)
    fputs(scripts[i], page->out);
}

/* Inserts the hash of the scripts into the page, by which the browser runs them and nothing else.  */
static void put_html_script_hash(const struct page *page) {
  struct html_hash hash;
  html_hash_begin(&hash);
  for (size_t i = 0; i < SCRIPTS; i++)
    html_hash_add(&hash, scripts[i], strlen(scripts[i]));
  char text[HTML_HASH_ROOM];
  html_hash_end(&hash, text);
  fputs(text, page->out);
}

/* Inserts the speedup plot into the page, unless the profile has no span.  */
static void put_html_plot(const struct page *page) {
  unsigned most = speedup_plot_processors(page->model, page->options);
  if (speedup_plot_limits(page->model).totals.span == 0)
    return;
  fprintf(page->out,
          "<svg class=\"plot\" viewBox=\"0 0 %d %d\" role=\"img\" aria-labelledby=\"plot-title\">"
          "<title id=\"plot-title\">Bounds of the speedup on up to %u processors</title>\n",
          SPEEDUP_WIDTH, SPEEDUP_HEIGHT, most);
  print_speedup_plot(page->out, page->model, most, page->options);
  fputs("</svg>", page->out);
}

/* Inserts a row of predicted speedups into the page: LABEL, and the BOUND on 2 to 128 processors.  */
static void put_html_bound(const struct page *page, const char *label,
                           double (*bound)(const struct speedup_limits *, double),
                           const struct speedup_limits *limits) {
  fprintf(page->out, "<tr><th scope=\"row\" class=\"left\">%s</th>", label);
  for (unsigned processors = 2; processors <= limits->most; processors *= 2)
    fprintf(page->out, "<td>%.2f</td>", bound(limits, processors));
  fputs("</tr>\n", page->out);
}

/* Inserts the table of predicted speedups that the terminal's screen has: the bounds and, if it is known, what is
   expected between them.  */
static void put_html_bounds(const struct page *page) {
  const struct speedup_limits limits = speedup_bounds_of_model(page->model);
  const char *reason = reason_for_no_speedup_bounds(page->model);
  if (reason != NULL) {
    fprintf(page->out, "<p>None: %s.</p>", reason);
    return;
  }
  fputs("<div class=\"scroll\">\n<table id=\"speedups\">\n<thead><tr><th scope=\"col\" class=\"left\">processors</th>",
        page->out);
  for (unsigned processors = 2; processors <= limits.most; processors *= 2)
    fprintf(page->out, "<th scope=\"col\">%u</th>", processors);
  fputs("</tr></thead>\n<tbody>\n", page->out);
  put_html_bound(page, "from", speedup_lower_bound, &limits);
  if (!isnan(expected_speedup_on(page->model, page->options, 2))) {
    fputs("<tr><th scope=\"row\" class=\"left\">expected</th>", page->out);
    for (unsigned processors = 2; processors <= limits.most; processors *= 2)
      fprintf(page->out, "<td>%.2f</td>", expected_speedup_on(page->model, page->options, processors));
    fputs("</tr>\n", page->out);
  }
  put_html_bound(page, "up to", speedup_upper_bound, &limits);
  fputs("</tbody>\n</table>\n</div>", page->out);
}

/* Inserts a table of the measured speedups into the page, if there are any.  */
static void put_html_trials(const struct page *page) {
  const struct trials *trials = &page->model->trials;
  const struct speedup_limits limits = speedup_bounds_of_model(page->model);
  if (trials->row_count == 0 || limits.totals.span == 0)
    return;
  fputs("<p class=\"muted small\">Points are measured speedups, relative to the shortest time on one processor.</p>\n"
        "<div class=\"scroll\">\n<table id=\"trials\">\n<thead><tr><th scope=\"col\">processors</th>"
        "<th scope=\"col\">seconds</th><th scope=\"col\">bounds</th><th scope=\"col\">measured</th>"
        "<th scope=\"col\">efficiency</th></tr></thead>\n<tbody>\n",
        page->out);
  for (size_t i = 0; i < trials->row_count; i++) {
    const struct trial_row *row = &trials->rows[i];
    fprintf(page->out, "<tr><td>%u</td><td>%.4f</td><td>%.2f\u2013%.2f</td><td>%.2f</td><td>%.0f%%</td></tr>\n",
            row->processors, row->seconds, speedup_lower_bound(&limits, row->processors),
            speedup_upper_bound(&limits, row->processors), row->speedup, 100 * row->speedup / row->processors);
  }
  fputs("</tbody>\n</table>\n</div>", page->out);
}

/* Inserts a table of emulated speedups into the page, under the given ID, with the best of each column in bold.  Names
   of schedules are not escaped, because they come from the report.  */
static void put_html_schedules(const struct page *page, const char *id, const struct forecasts *forecasts) {
  fprintf(page->out,
          "<div class=\"scroll\">\n<table id=\"%s\">\n<thead><tr><th scope=\"col\" class=\"left\">schedule</th>", id);
  for (size_t p = 0; p < forecasts->processor_count; p++)
    fprintf(page->out, "<th scope=\"col\">%u</th>", forecasts->processors[p]);
  fputs("</tr></thead>\n<tbody>\n", page->out);
  for (size_t s = 0; s < forecasts->schedule_count; s++) {
    fprintf(page->out, "<tr><td class=\"left\">%s</td>", forecasts->schedules[s].name);
    for (size_t p = 0; p < forecasts->processor_count; p++) {
      bool best = best_forecast_schedule(forecasts, p) == s;
      double speedup = forecast_speedup(forecasts, forecast_at(forecasts, s, p));
      if (speedup > 0)
        fprintf(page->out, best ? "<td><b>%.2f</b></td>" : "<td>%.2f</td>", speedup);
      else
        fputs("<td>\u2013</td>", page->out);
    }
    fputs("</tr>\n", page->out);
  }
  fputs("</tbody>\n</table>\n</div>", page->out);
}

/* Inserts the emulated speedups into the page, if the profile has a tree, and once more with contention for memory if
   that is known.  */
static void put_html_emulation(const struct page *page) {
  if (page->model->tree.node_count == 0)
    return;
  struct forecasts forecasts = forecasts_of_analysed_model(page->model, page->options, NULL);
  fputs("<p class=\"muted small\">Lines are predictions for the program's sections and tasks under a schedule.</p>\n",
        page->out);
  put_html_schedules(page, "emulation", &forecasts);
  if (forecasts.burdened == NULL)
    return;
  struct forecasts with = forecasts_with_memory(&forecasts);
  fputs("\n<p class=\"muted small\">The same with the memory contention of this machine.</p>\n", page->out);
  put_html_schedules(page, "emulation-memory", &with);
}

/* Inserts the data into the page with markup characters escaped, so that no name can end the element that contains the
   data.  In JSON, these characters occur only in strings.  */
static void put_html_data(const struct page *page) {
  char *text;
  size_t size;
  FILE *data = open_memstream(&text, &size);
  if (data == NULL)
    fail(page->options->html, "%s", strerror(errno));
  html_print_data(data, page->model, page->options);
  if (fclose(data) != 0)
    fail(page->options->html, "%s", strerror(errno));
  for (size_t i = 0; i < size; i++)
    if (text[i] == '<' || text[i] == '>' || text[i] == '&')
      fprintf(page->out, "\\u%04x", text[i]);
    else
      putc_unlocked(text[i], page->out);
  free(text);
}

/* Inserts the version of cilkprof into the page.  */
static void put_html_version(const struct page *page) {
  fputs("cilkprof " CILKPROF_VERSION, page->out);
}

static const struct {
  const char *name;
  void (*put)(const struct page *page);
} parts[] = {
    {"@STYLE@", put_html_style},         {"@SCRIPT@", put_html_script}, {"@HASH@", put_html_script_hash},
    {"@BOUNDS@", put_html_bounds},       {"@PLOT@", put_html_plot},     {"@TRIALS@", put_html_trials},
    {"@EMULATION@", put_html_emulation}, {"@DATA@", put_html_data},     {"@VERSION@", put_html_version},
};

/* Returns the index of the part of the page whose name, such as @STYLE@, is at the beginning of TEXT, or the number of
   parts if there is none.  */
static size_t html_part_at(const char *text) {
  size_t i = 0;
  while (i < sizeof parts / sizeof *parts && strncmp(text, parts[i].name, strlen(parts[i].name)) != 0)
    i++;
  return i;
}

/* Prints the page: TEMPLATE with the names of parts replaced by the parts.  */
static void fill_html_template(const struct page *page, const char *template) {
  for (const char *at; (at = strchr(template, '@')) != NULL;) {
    size_t part = html_part_at(at);
    fwrite(template, 1, (size_t)(at - template), page->out);
    if (part < sizeof parts / sizeof *parts)
      parts[part].put(page);
    else
      putc('@', page->out);
    template = at + (part < sizeof parts / sizeof *parts ? strlen(parts[part].name) : 1);
  }
  fputs(template, page->out);
}

/* Writes the page to the file that the options name, and nothing to OUT.  */
void print_html(FILE *out, struct model *model, const struct options *options) {
  struct page page = {.model = model, .options = options};
  (void)out;
  page.out = output_open(options->html, options->force);
  fill_html_template(&page, html_page);
  output_close(page.out);
}
