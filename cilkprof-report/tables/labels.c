/* Names of functions and source locations as tables show them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include "cilkprof-report/analysis/verdict.h"
#include "cilkprof-report/samples/samples.h"
#include "cilkprof-report/model/filters.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/tables/labels.h"
#include "cilkprof-report/support/support.h"
#include "cilkprof-report/support/terminal.h"

void line_place(struct line *out, const char *file, uint32_t line, const struct options *options) {
  const char *name = options->print_path ? file : base_name(file);
  char *escaped = is_plain(name) ? NULL : escape(name);
  line_string(out, 0, escaped != NULL ? escaped : name);
  if (line > 0) {
    line_character(out, ':');
    line_integer(out, 0, line);
  }
  free(escaped);
}

void line_function_name(struct line *line, const struct function *function, const struct options *options) {
  line_string(line, 0, function->brief_name);
  if (!options->inline_file_names || function->place.file == NULL)
    return;
  line_string(line, 0, " (");
  line_place(line, function->place.file, function->place.line, options);
  line_character(line, ')');
}

const char *callee_text(struct buffer *buffer, const struct site *site, const struct options *options) {
  const char *spawn = site->kind == CILKPROF_SITE_SPAWN ? "spawn " : "", *name = site->callee->brief_name;
  if (site->kind == CILKPROF_SITE_LOOP)
    return buffer_print(buffer, "%s%s", spawn, name); /* the name of a loop has its source location */
  char *file = escape(options->print_path ? site->file : base_name(site->file));
  const char *text = site->line > 0 ? buffer_print(buffer, "%s%s (%s:%u)", spawn, name, file, site->line)
                                    : buffer_print(buffer, "%s%s (%s)", spawn, name, file);
  free(file);
  return text;
}

const char *sample_text(struct buffer *buffer, const struct sample_context *context, const struct options *options) {
  if (context->file == NULL || context->line == 0 || context->function->file != NULL)
    return context->function->brief_name;
  char *file = escape(options->print_path ? context->file : base_name(context->file));
  const char *text = buffer_print(buffer, "%s (%s:%u)", context->function->brief_name, file, context->line);
  free(file);
  return text;
}

void line_call_place(struct line *line, const struct arc *arc, const struct options *options) {
  if (arc->file == NULL)
    return;
  line_string(line, 0, " (at ");
  line_place(line, arc->file, arc->line, options);
  line_character(line, ')');
}

uint64_t known_calls(const struct function *function) {
  uint64_t calls = function->calls;
  for (size_t i = 0; i < function->parent_count; i++)
    if (function->parents[i]->caller == NULL)
      calls -= arc_calls(function->parents[i]);
  return calls;
}

bool function_is_listed(const struct function *function, const struct options *options) {
  bool used = sum_of(function->calls, function->own_calls) > 0 || function->self > 0 || function->children > 0;
  bool shown = used || (options->unused && function->symbol[0] != 0);
  return shown && !function->merged && !(options->only_functions && function->nameless);
}

bool site_is_listed(const struct site *site, const struct options *options) {
  const struct filter *filter = &options->filters[FILTER_SITES];
  bool known = filter_admits(filter, site->callee);
  if (site->caller != NULL)
    known = filter->included.count > 0 ? known || filter_admits(filter, site->caller)
                                       : known && filter_admits(filter, site->caller);
  return known && (!site->unreached || options->unused);
}

void line_percent_of_span(struct line *line, double share, const struct cilkprof_measure *on_span,
                          const struct options *options) {
  bool serial = (double)on_span->work < NEARLY_SERIAL * (double)on_span->span;
  if (share < LARGE_SHARE) {
    line_fixed(line, 6, 2, share);
    return;
  }
  line_print(line);
  print_styled(line->out, options->color, serial ? STYLE_BAD : STYLE_NOTICE, "%6.2f", share);
}

void line_share(struct line *line, const struct site *site, const struct model *model, const struct options *options) {
  const struct cilkprof_measures *on_span = &site->measured->on_span;
  line_percent_of_span(line, percent(on_span->local.span, model->totals.span), &on_span->top_call_site, options);
}

void print_more_rows(FILE *out, size_t rows) {
  if (rows > 0)
    fprintf(out, "... and %s more\n", grouped(rows).text);
}
