/* Costs by source line.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/model/annotations.h"
#include "cilkprof-report/model/filters.h"
#include "cilkprof-report/model/library.h"
#include "cilkprof-report/support/support.h"

struct annotation annotation_of(struct nesting *nesting, const struct site *const *sites, size_t count) {
  struct outermost outermost = outermost_of(nesting, sites, count);
  struct annotation annotation = {
      .file = sites[0]->file,
      .line = sites[0]->line,
      .work = outermost.on_work.work,
      .on_work = outermost.on_work,
      .on_span = outermost.on_span,
  };
  for (size_t i = 0; i < count; i++) {
    add_saturating(&annotation.calls, sites[i]->measured->on_work.local.count);
    add_saturating(&annotation.local_span, sites[i]->measured->on_span.local.span);
  }
  return annotation;
}

/* Returns the annotation for the first line of FUNCTION.  Its part of the span is not included, because that is shown
   in the lines that call it; annotate_line adds the part of calls from code without instrumentation, which has no
   lines.  */
static struct annotation annotate_function(const struct function *function) {
  return (struct annotation){
      .file = function->place.file,
      .line = function->place.line,
      .is_function = true,
      .calls = sum_of(function->calls, function->own_calls),
      .work = sum_of(function->counted_self, function->children),
      .on_work = function_measure(function),
  };
}

/* Returns the name that call sites use for FILE, which may be an absolute path, or FILE if there is none.  */
static const char *name_in_sites(const struct names *files, size_t count, const char *file) {
  for (size_t i = 0; i < count; i++)
    if (is_file(file, files->strings[i]))
      return files->strings[i];
  return file;
}

/* Returns whether lines of FILE that belong to FUNCTION are shown.  System headers are shown only if the options name
   functions that are defined there.  */
static bool is_wanted(const char *file, const struct function *function, const struct options *options) {
  const char *own = function->place.file;
  bool asked = options->filters[FILTER_SOURCE].included.count > 0;
  return !is_system_file(file) || (asked && own != NULL && is_file(own, file));
}

/* Returns whether the first line of FUNCTION has an annotation for it.  */
static bool has_line(const struct function *function, const struct options *options) {
  return !function->nameless && !function->merged && function->file == NULL && function->place.file != NULL &&
         function->place.line > 0 && filter_admits(&options->filters[FILTER_SOURCE], function) &&
         is_wanted(function->place.file, function, options);
}

/* Adds calls from code without instrumentation that are on the span, at the first line of the callee.  */
static void add_entries(const struct model *model, const struct options *options, struct source_order *order,
                        size_t files_of_sites) {
  for (size_t i = 0; i < model->site_count; i++) {
    const struct site *site = &model->sites[i];
    const struct function_place *place = &site->callee->place;
    if (site->caller == NULL && site->measured->on_span.local.count > 0 && has_line(site->callee, options))
      order_add_site(order, name_in_sites(&order->files, files_of_sites, place->file), place->line, site);
  }
}

/* Adds all functions at their first lines.  The first FILES_OF_SITES files of ORDER are those of call sites.  */
static void add_functions(const struct model *model, const struct options *options, struct source_order *order,
                          size_t files_of_sites) {
  const char *last_file = NULL, *known = NULL;
  for (size_t i = 0; i < model->functions.count; i++) {
    const struct function *function = model->functions.list[i];
    const char *file = function->place.file;
    if (!has_line(function, options))
      continue;
    if (file != last_file)
      known = name_in_sites(&order->files, files_of_sites, file);
    last_file = file;
    order_add_function(order, known, function);
  }
}

struct annotations annotations_make(const struct model *model, const struct options *options) {
  struct annotations made = {.nesting = nesting_make(model)};
  for (size_t i = 0; i < model->site_count; i++) {
    const struct site *site = &model->sites[i];
    if (site->caller == NULL || site->line == 0 || !filter_admits(&options->filters[FILTER_SOURCE], site->caller))
      continue;
    if (is_wanted(site->file, site->caller, options)) {
      order_add_site(&made.order, site->file, site->line, site);
    } else {
      name_of(&made.left_out, site->file);
      add_saturating(&made.left_out_span, site->measured->on_span.local.span);
    }
  }
  size_t files_of_sites = made.order.files.count;
  add_entries(model, options, &made.order, files_of_sites);
  add_functions(model, options, &made.order, files_of_sites);
  order_sort(&made.order);
  return made;
}

/* Adds ANNOTATION to the current file, FILE.  */
static void add_line(struct annotations *annotations, struct annotation annotation, const char *file) {
  annotation.file = file;
  annotations->lines = grow(annotations->lines, annotations->count, &annotations->room, sizeof *annotations->lines);
  annotations->lines[annotations->count++] = annotation;
}

/* Puts the sites of the line KEY into ANNOTATIONS->sites: calls that are made in the line or, if ENTRIES, calls from
   code without instrumentation to functions that start in the line.  Returns their number.  */
static size_t collect_sites(struct annotations *annotations, uint64_t key, bool entries) {
  const struct ordered *sites = &annotations->order.sites;
  size_t count = 0;
  for (size_t i = sites->next; i < sites->count && sites->items[i].key == key; i++) {
    const struct site *site = sites->items[i].of;
    if ((site->caller == NULL) != entries)
      continue;
    annotations->sites = grow(annotations->sites, count, &annotations->site_room, sizeof *annotations->sites);
    annotations->sites[count++] = site;
  }
  return count;
}

/* Adds the annotation of a FUNCTION.  FIRST is the index of the first annotation of the same line, which should be that
   of a function that was called.  */
static void add_function_line(struct annotations *annotations, struct annotation function, const char *file,
                              size_t first) {
  add_line(annotations, function, file);
  struct annotation *lines = annotations->lines, before = lines[first];
  if (before.calls == 0) {
    lines[first] = lines[annotations->count - 1];
    lines[annotations->count - 1] = before;
  }
}

/* Makes the annotations of the line KEY.  Calls that are made in the line take precedence over functions that start
   there.  But calls of these functions from code without instrumentation are shown in no other line, so their part of
   the span is always added.  */
static void annotate_line(struct annotations *annotations, uint64_t key) {
  struct ordered *sites = &annotations->order.sites, *functions = &annotations->order.functions;
  const char *file = order_file(&annotations->order, key);
  size_t first = annotations->count, entries = collect_sites(annotations, key, true);
  struct annotation entered = {0}, called = {0};
  if (entries > 0)
    entered = annotation_of(&annotations->nesting, annotations->sites, entries);
  size_t calls = collect_sites(annotations, key, false);
  if (calls > 0)
    called = annotation_of(&annotations->nesting, annotations->sites, calls);
  sites->next += entries + calls;
  for (; functions->next < functions->count && functions->items[functions->next].key == key; functions->next++)
    if (called.calls == 0)
      add_function_line(annotations, annotate_function(functions->items[functions->next].of), file, first);
  if (annotations->count == first)
    add_line(annotations, called, file);
  struct annotation *line = &annotations->lines[first];
  add_saturating(&line->local_span, entered.local_span);
  if (line->is_function)
    line->on_span = entered.on_span;
}

bool annotations_next(struct annotations *annotations, struct annotated_file *file) {
  uint64_t first, key;
  if (!order_next(&annotations->order, &first))
    return false;
  annotations->count = 0;
  while (order_next(&annotations->order, &key) && key >> 32 == first >> 32)
    annotate_line(annotations, key);
  *file = (struct annotated_file){order_file(&annotations->order, first), annotations->lines, annotations->count};
  return true;
}

void annotations_free(struct annotations *annotations) {
  order_free(&annotations->order);
  nesting_free(&annotations->nesting);
  free(annotations->lines);
  free(annotations->sites);
}

void sources_keep(const struct model *model, const struct options *options) {
  const char *last = NULL;
  for (size_t i = 0; i < model->site_count; i++) {
    if (model->sites[i].file != last)
      source_keep(&model->functions, model->sites[i].file, options);
    last = model->sites[i].file;
  }
  functions_keep_sources(&model->functions, options);
}
