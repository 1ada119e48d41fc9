/* Costs by source line.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/model/annotations.h"
#include "cilkprof-report/model/filters.h"
#include "cilkprof-report/model/library.h"
#include "cilkprof-report/support/support.h"

/* Returns the annotation of one source line: the calls, work and span of the COUNT call sites in it.  */
struct annotation model_annotate_sites(struct nesting *nesting, const struct site *const *sites, size_t count) {
  struct outermost outermost = model_outermost_calls(nesting, sites, count);
  struct annotation annotation = {
      .file = sites[0]->file,
      .line = sites[0]->line,
      .work = outermost.on_work.work,
      .on_work = outermost.on_work,
      .on_span = outermost.on_span,
  };
  for (size_t i = 0; i < count; i++) {
    model_add_saturating(&annotation.calls, sites[i]->measured->on_work.local.count);
    annotation.sampled |= sites[i]->sampled;
    model_add_saturating(&annotation.local_span, sites[i]->measured->on_span.local.span);
  }
  return annotation;
}

/* Returns the annotation for the first line of FUNCTION.  Its part of the span is not included, because that is shown
   in the lines that call it; model_annotate_line adds the part of calls from code without instrumentation, which has no
   lines.  */
static struct annotation model_annotate_function(const struct function *function) {
  return (struct annotation){
      .file = function->place.file,
      .line = function->place.line,
      .is_function = true,
      .sampled = function->sampled,
      .calls = model_saturating_sum(function->calls, function->own_calls),
      .work = model_saturating_sum(function->counted_self, function->children),
      .on_work = model_function_measure(function),
  };
}

/* Returns the name that call sites use for the source file FILE, which may be an absolute path, or FILE if none of the
   first COUNT of FILES is that file.  */
static const char *model_site_file_name(const struct names *files, size_t count, const char *file) {
  for (size_t i = 0; i < count; i++)
    if (path_ends_in_file(file, files->strings[i]))
      return files->strings[i];
  return file;
}

/* Returns whether annotations of lines of FILE that belong to FUNCTION are shown.  System headers are shown only if the
   options name functions that are defined there.  */
static bool is_model_annotation_wanted(const char *file, const struct function *function,
                                       const struct options *options) {
  const char *own = function->place.file;
  bool asked = options->filters[FILTER_SOURCE].included.count > 0;
  return !is_system_source_file(file) || (asked && own != NULL && path_ends_in_file(own, file));
}

/* Returns whether the first line of FUNCTION gets an annotation: its source location is known, and the options admit
   it.  */
static bool has_model_annotation(const struct function *function, const struct options *options) {
  return !function->nameless && !function->merged && function->file == NULL && function->place.file != NULL &&
         function->place.line > 0 && filter_admits_model_function(&options->filters[FILTER_SOURCE], function) &&
         is_model_annotation_wanted(function->place.file, function, options);
}

/* Adds to ORDER the calls from code without instrumentation that are on the span, at the first line of the callee.  The
   first FILES_OF_SITES files of ORDER are those of call sites.  */
static void add_model_annotation_entries(const struct model *model, const struct options *options,
                                         struct source_order *order, size_t files_of_sites) {
  for (size_t i = 0; i < model->site_count; i++) {
    const struct site *site = &model->sites[i];
    const struct function_place *place = &site->callee->place;
    if (site->caller == NULL && site->measured->on_span.local.count > 0 && has_model_annotation(site->callee, options))
      model_source_order_add_site(order, model_site_file_name(&order->files, files_of_sites, place->file), place->line,
                                  site);
  }
}

/* Adds to ORDER all functions whose first lines get an annotation.  The first FILES_OF_SITES files of ORDER are those
   of call sites.  */
static void add_model_annotation_functions(const struct model *model, const struct options *options,
                                           struct source_order *order, size_t files_of_sites) {
  const char *last_file = NULL, *known = NULL;
  for (size_t i = 0; i < model->functions.count; i++) {
    const struct function *function = model->functions.list[i];
    const char *file = function->place.file;
    if (!has_model_annotation(function, options))
      continue;
    if (file != last_file)
      known = model_site_file_name(&order->files, files_of_sites, file);
    last_file = file;
    model_source_order_add_function(order, known, function);
  }
}

struct annotations model_annotations_make(const struct model *model, const struct options *options) {
  struct annotations made = {.nesting = make_model_nesting(model)};
  for (size_t i = 0; i < model->site_count; i++) {
    const struct site *site = &model->sites[i];
    if (site->caller == NULL || site->line == 0 ||
        !filter_admits_model_function(&options->filters[FILTER_SOURCE], site->caller))
      continue;
    if (is_model_annotation_wanted(site->file, site->caller, options)) {
      model_source_order_add_site(&made.order, site->file, site->line, site);
    } else {
      interned_name_text(&made.left_out, site->file);
      model_add_saturating(&made.left_out_span, site->measured->on_span.local.span);
    }
  }
  size_t files_of_sites = made.order.files.count;
  add_model_annotation_entries(model, options, &made.order, files_of_sites);
  add_model_annotation_functions(model, options, &made.order, files_of_sites);
  model_source_order_sort(&made.order);
  return made;
}

/* Appends ANNOTATION to those of the source file that is being annotated, FILE.  */
static void add_model_annotation(struct annotations *annotations, struct annotation annotation, const char *file) {
  annotation.file = file;
  annotations->lines =
      grow_array(annotations->lines, annotations->count, &annotations->room, sizeof *annotations->lines);
  annotations->lines[annotations->count++] = annotation;
}

/* Puts the sites of the line KEY into ANNOTATIONS->sites: calls that are made in the line or, if ENTRIES, calls from
   code without instrumentation to functions that start in the line.  Returns their number.  */
static size_t collect_model_annotation_sites(struct annotations *annotations, uint64_t key, bool entries) {
  const struct ordered *sites = &annotations->order.sites;
  size_t count = 0;
  for (size_t i = sites->next; i < sites->count && sites->items[i].key == key; i++) {
    const struct site *site = sites->items[i].of;
    if ((site->caller == NULL) != entries)
      continue;
    annotations->sites = grow_array(annotations->sites, count, &annotations->site_room, sizeof *annotations->sites);
    annotations->sites[count++] = site;
  }
  return count;
}

/* Appends the annotation of a FUNCTION, whose first line is in FILE.  FIRST is the index of the first annotation of the
   same line, which should be that of a function that was called.  */
static void add_model_function_annotation(struct annotations *annotations, struct annotation function, const char *file,
                                          size_t first) {
  add_model_annotation(annotations, function, file);
  struct annotation *lines = annotations->lines, before = lines[first];
  if (before.calls == 0) {
    lines[first] = lines[annotations->count - 1];
    lines[annotations->count - 1] = before;
  }
}

/* Makes the annotations of the line KEY.  Calls that are made in the line take precedence over functions that start
   there.  But calls of these functions from code without instrumentation are shown in no other line, so their part of
   the span is always added.  */
static void model_annotate_line(struct annotations *annotations, uint64_t key) {
  struct ordered *sites = &annotations->order.sites, *functions = &annotations->order.functions;
  const char *file = model_source_order_file(&annotations->order, key);
  size_t first = annotations->count, entries = collect_model_annotation_sites(annotations, key, true);
  struct annotation entered = {0}, called = {0};
  if (entries > 0)
    entered = model_annotate_sites(&annotations->nesting, annotations->sites, entries);
  size_t calls = collect_model_annotation_sites(annotations, key, false);
  if (calls > 0)
    called = model_annotate_sites(&annotations->nesting, annotations->sites, calls);
  sites->next += entries + calls;
  for (; functions->next < functions->count && functions->items[functions->next].key == key; functions->next++)
    if (called.calls == 0)
      add_model_function_annotation(annotations, model_annotate_function(functions->items[functions->next].of), file,
                                    first);
  if (annotations->count == first)
    add_model_annotation(annotations, called, file);
  struct annotation *line = &annotations->lines[first];
  model_add_saturating(&line->local_span, entered.local_span);
  if (line->is_function)
    line->on_span = entered.on_span;
}

bool model_annotations_next(struct annotations *annotations, struct annotated_file *file) {
  uint64_t first, key;
  if (!model_source_order_next(&annotations->order, &first))
    return false;
  annotations->count = 0;
  while (model_source_order_next(&annotations->order, &key) && key >> 32 == first >> 32)
    model_annotate_line(annotations, key);
  *file = (struct annotated_file){model_source_order_file(&annotations->order, first), annotations->lines,
                                  annotations->count};
  return true;
}

/* Frees the memory of ANNOTATIONS, including those of the current file.  */
void model_annotations_free(struct annotations *annotations) {
  model_source_order_free(&annotations->order);
  free_model_nesting(&annotations->nesting);
  free(annotations->lines);
  free(annotations->sites);
}

void model_keep_sources(const struct model *model, const struct options *options) {
  const char *last = NULL;
  for (size_t i = 0; i < model->site_count; i++) {
    if (model->sites[i].file != last)
      keep_function_source(&model->functions, model->sites[i].file, options);
    last = model->sites[i].file;
  }
  functions_keep_sources(&model->functions, options);
}
