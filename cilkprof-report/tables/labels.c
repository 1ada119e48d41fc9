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

void line_place_label(struct line *out, const char *file, uint32_t line, const struct options *options) {
  const char *name = options->print_path ? file : base_name(file);
  char *escaped = is_printable_ascii(name) ? NULL : escape(name);
  line_add_string(out, 0, escaped != NULL ? escaped : name);
  if (line > 0) {
    line_add_character(out, ':');
    line_add_integer(out, 0, line);
  }
  free(escaped);
}

/* Adds the brief name of FUNCTION to the line, followed by its source location in parentheses with
   --inline-file-names.  */
void line_function_label(struct line *line, const struct function *function, const struct options *options) {
  line_add_string(line, 0, function->brief_name);
  if (!options->inline_file_names || function->place.file == NULL)
    return;
  line_add_string(line, 0, " (");
  line_place_label(line, function->place.file, function->place.line, options);
  line_add_character(line, ')');
}

/* Returns the label of a call in BUFFER: the callee of SITE, after the word "spawn" if it is spawned, and the source
   location of the call in parentheses.  */
const char *callee_label(struct buffer *buffer, const struct site *site, const struct options *options) {
  const char *spawn = site->kind == CILKPROF_SITE_SPAWN ? "spawn " : "", *name = site->callee->brief_name;
  if (is_model_loop_site(site))
    return buffer_print(buffer, "%s%s", spawn, name); /* the name of a loop has its source location */
  char *file = escape(options->print_path ? site->file : base_name(site->file));
  const char *text = site->line > 0 ? buffer_print(buffer, "%s%s (%s:%u)", spawn, name, file, site->line)
                                    : buffer_print(buffer, "%s%s (%s)", spawn, name, file);
  free(file);
  return text;
}

/* Returns the label of a context of a parallel run: its function and, in parentheses, the source location of its call
   if that is known.  The label may be in BUFFER.  */
const char *sample_context_label(struct buffer *buffer, const struct sample_context *context,
                                 const struct options *options) {
  if (context->file == NULL || context->line == 0 || context->function->file != NULL)
    return context->function->brief_name;
  char *file = escape(options->print_path ? context->file : base_name(context->file));
  const char *text = buffer_print(buffer, "%s (%s:%u)", context->function->brief_name, file, context->line);
  free(file);
  return text;
}

/* Adds the source location of the calls of ARC to the line, as " (at FILE:LINE)", if arcs are distinguished by
   line.  */
void line_call_label(struct line *line, const struct arc *arc, const struct options *options) {
  if (arc->file == NULL)
    return;
  line_add_string(line, 0, " (at ");
  line_place_label(line, arc->file, arc->line, options);
  line_add_character(line, ')');
}

/* Returns the number of calls of FUNCTION with a known caller; gprof counts no others.  */
uint64_t labelled_calls_by_known_callers(const struct function *function) {
  uint64_t calls = function->calls;
  for (size_t i = 0; i < function->parent_count; i++)
    if (function->parents[i]->caller == NULL)
      calls -= model_arc_calls(function->parents[i]);
  return calls;
}

bool function_has_table_row(const struct function *function, const struct options *options) {
  bool used =
      model_saturating_sum(function->calls, function->own_calls) > 0 || function->self > 0 || function->children > 0;
  bool shown = used || (options->unused && function->symbol[0] != 0);
  return shown && !function->merged && !(options->only_functions && function->nameless);
}

bool site_has_table_row(const struct site *site, const struct options *options) {
  const struct filter *filter = &options->filters[FILTER_SITES];
  bool known = filter_admits_model_function(filter, site->callee);
  if (site->caller != NULL)
    known = filter->included.count > 0 ? known || filter_admits_model_function(filter, site->caller)
                                       : known && filter_admits_model_function(filter, site->caller);
  return known && (!site->unreached || options->unused);
}

/* Adds SHARE, the percentage of the span that some calls hold, to the line in six columns.  A large share is coloured,
   and more so if the calls, with the measure ON_SPAN, are nearly serial.  */
void line_span_share_cell(struct line *line, double share, const struct cilkprof_measure *on_span,
                          const struct options *options) {
  bool serial = (double)on_span->work < NEARLY_SERIAL * (double)on_span->span;
  if (share < LARGE_SHARE) {
    line_add_fixed(line, 6, 2, share);
    return;
  }
  line_flush(line);
  print_styled(line->out, options->color, serial ? STYLE_BAD : STYLE_NOTICE, "%6.2f", share);
}

/* Adds the percentage of the span that SITE holds itself to the line, in six columns; a large one is coloured.  */
void line_site_share_cell(struct line *line, const struct site *site, const struct model *model,
                          const struct options *options) {
  const struct cilkprof_measures *on_span = &site->measured->on_span;
  line_span_share_cell(line, model_percent_of_whole(on_span->local.span, model->totals.span), &on_span->top_call_site,
                       options);
}

/* Adds SHARE, a percentage, to the line as a bar in SHARE_BAR_WIDTH columns, of which all stand for 100%.  */
void line_share_bar(struct line *line, double share) {
  int length = (int)(share * SHARE_BAR_WIDTH / 100 + 0.5);
  for (int i = 0; i < SHARE_BAR_WIDTH; i++)
    line_add_character(line, i < length ? '#' : ' ');
}

void print_omitted_table_rows(FILE *out, size_t rows) {
  if (rows > 0)
    fprintf(out, "... and %s more\n", model_grouped_number(rows).text);
}
