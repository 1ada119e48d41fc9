/* Names of functions and places as the tables show them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include "cilkprof-report/labels.h"
#include "cilkprof-report/support.h"
#include "cilkprof-report/terminal.h"
#include "cilkprof-report/units.h"
#include "cilkprof-report/verdict.h"

void print_place(FILE *out, const char *file, uint32_t line, const struct options *options) {
  char *escaped = escape(options->print_path ? file : base_name(file));
  fputs(escaped, out);
  if (line > 0)
    fprintf(out, ":%u", line);
  free(escaped);
}

void print_function_name(FILE *out, const struct function *function, const struct options *options) {
  fputs(function->name, out);
  if (!options->inline_file_names || function->place.file == NULL)
    return;
  fputs(" (", out);
  print_place(out, function->place.file, function->place.line, options);
  putc(')', out);
}

void print_callee(FILE *out, const struct site *site, const struct options *options) {
  fprintf(out, "%s%s", site->kind == CILKPROF_SITE_SPAWN ? "spawn " : "", site->callee->short_name);
  if (site->kind == CILKPROF_SITE_LOOP)
    return; /* its name says it */
  fputs(" (", out);
  print_place(out, site->file, site->line, options);
  putc(')', out);
}

void print_call_place(FILE *out, const struct arc *arc, const struct options *options) {
  if (arc->file == NULL)
    return;
  fputs(" (at ", out);
  print_place(out, arc->file, arc->line, options);
  putc(')', out);
}

uint64_t known_calls(const struct function *function) {
  uint64_t calls = function->calls;
  for (size_t i = 0; i < function->parent_count; i++)
    if (function->parents[i]->caller == NULL)
      calls -= function->parents[i]->count;
  return calls;
}

bool function_is_listed(const struct function *function, const struct options *options) {
  bool used = function->calls + function->own_calls > 0 || function->self > 0 || function->children > 0;
  bool shown = used || (options->unused && function->symbol[0] != 0);
  return shown && !function->merged && !(options->only_functions && function->nameless);
}

bool site_is_listed(const struct site *site, const struct options *options) {
  return !site->unreached || options->unused;
}

void print_percent_of_span(FILE *out, double share, const struct cilkprof_measure *on_span,
                           const struct options *options) {
  bool serial = (double)on_span->work < NEARLY_SERIAL * (double)on_span->span;
  if (share >= LARGE_SHARE)
    print_styled(out, options->color, serial ? STYLE_BAD : STYLE_NOTICE, "%6.2f", share);
  else
    fprintf(out, "%6.2f", share);
}

void print_share(FILE *out, const struct site *site, const struct model *model, const struct options *options) {
  const struct cilkprof_measures *on_span = &site->measured->on_span;
  print_percent_of_span(out, percent(on_span->local.span, model->totals.span), &on_span->top_call_site, options);
}
