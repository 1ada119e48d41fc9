/* What is known of the lines of the sources.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "cilkprof-report/model/annotations.h"
#include "cilkprof-report/support/support.h"

static int compare_sites(const void *left, const void *right) {
  const struct site *a = *(const struct site *const *)left, *b = *(const struct site *const *)right;
  int order = strcmp(a->file, b->file);
  return order != 0 ? order : a->line != b->line ? a->line < b->line ? -1 : 1 : 0;
}

static int compare_annotations(const void *left, const void *right) {
  const struct annotation *a = left, *b = right;
  int order = strcmp(a->file, b->file);
  return order != 0 ? order : a->line != b->line ? a->line < b->line ? -1 : 1 : 0;
}

static bool is_recursive(const struct site *site) {
  return site->caller != NULL && site->caller->cycle == site->callee->cycle;
}

/* Calls of one line may lie below one another only when one of them is recursive; then the calls of the outermost
   invocation of the caller are all of them.  */
struct annotation annotation_of(const struct site *const *sites, size_t count) {
  struct annotation annotation = {.file = sites[0]->file, .line = sites[0]->line};
  bool nested = false;
  for (size_t i = 0; i < count; i++)
    nested |= count > 1 && is_recursive(sites[i]);
  for (size_t i = 0; i < count; i++) {
    const struct cilkprof_measures *on_work = &sites[i]->measured->on_work, *on_span = &sites[i]->measured->on_span;
    add(&annotation.calls, on_work->local.count);
    add(&annotation.local_span, on_span->local.span);
    add_measure(&annotation.on_work, nested ? &on_work->top_caller : &on_work->top_call_site);
    add_measure(&annotation.on_span, nested ? &on_span->top_caller : &on_span->top_call_site);
  }
  annotation.work = annotation.on_work.work;
  return annotation;
}

/* What it holds of the span is shown where it is called.  */
static struct annotation annotate_function(const struct function *function) {
  const struct cilkprof_measure *measure =
      function->cycle->member_count == 1 ? &function->inclusive : &function->entered;
  return (struct annotation){
      .file = function->place.file,
      .line = function->place.line,
      .is_function = true,
      .calls = sum_of(function->calls, function->own_calls),
      .work = sum_of(function->counted_self, function->children),
      .on_work = *measure,
  };
}

/* The name by which the call sites know the file of a function: its own may be a whole path.  */
static const char *known_file(const char *const *files, size_t count, const char *file) {
  for (size_t i = 0; i < count; i++)
    if (is_file(file, files[i]))
      return files[i];
  return file;
}

/* Each once; the annotations are sorted.  */
static size_t find_files(const struct annotations *annotations, const char **files) {
  size_t count = 0;
  for (size_t i = 0; i < annotations->count; i++)
    if (count == 0 || strcmp(files[count - 1], annotations->annotations[i].file) != 0)
      files[count++] = annotations->annotations[i].file;
  return count;
}

static bool has_line(const struct annotations *sorted, const struct annotation *key) {
  return sorted->count > 0 && bsearch(key, sorted->annotations, sorted->count, sizeof *key, compare_annotations);
}

static void add_functions(const struct model *model, const struct options *options, struct annotations *annotations) {
  struct annotations sites = *annotations;
  const char **files = allocate(sites.count, sizeof *files);
  size_t file_count = find_files(&sites, files);
  for (size_t i = 0; i < model->function_count; i++) {
    const struct function *function = model->functions[i];
    bool shown = !function->nameless && !function->merged && filter_admits(&options->filters[FILTER_SOURCE], function);
    if (!shown || function->file != NULL || function->place.file == NULL || function->place.line == 0)
      continue;
    struct annotation annotation = annotate_function(function);
    annotation.file = known_file(files, file_count, annotation.file);
    if (!has_line(&sites, &annotation))
      annotations->annotations[annotations->count++] = annotation;
  }
  free(files);
  qsort(annotations->annotations, annotations->count, sizeof *annotations->annotations, compare_annotations);
}

struct annotations annotations_make(const struct model *model, const struct options *options) {
  struct annotations made = {
      .annotations = allocate(model->site_count + model->function_count, sizeof *made.annotations),
  };
  const struct site **sites = allocate(model->site_count, sizeof *sites);
  size_t count = 0;
  for (size_t i = 0; i < model->site_count; i++)
    if (model->sites[i].caller != NULL && model->sites[i].line > 0 &&
        filter_admits(&options->filters[FILTER_SOURCE], model->sites[i].caller))
      sites[count++] = &model->sites[i];
  qsort(sites, count, sizeof *sites, compare_sites);
  for (size_t i = 0, end; i < count; i = end) {
    for (end = i + 1; end < count && compare_sites(&sites[i], &sites[end]) == 0; end++)
      ;
    made.annotations[made.count++] = annotation_of(sites + i, end - i);
  }
  free(sites);
  add_functions(model, options, &made);
  return made;
}

/* Only a regular file is a source, whatever the program says.  */
static char *readable(char *path) {
  struct stat status;
  if (access(path, R_OK) == 0 && stat(path, &status) == 0 && S_ISREG(status.st_mode))
    return path;
  free(path);
  return NULL;
}

char *source_find(const struct model *model, const char *file, const struct options *options) {
  char *found = readable(format_string("%s", file));
  for (size_t i = 0; found == NULL && i < options->source_folder_count; i++) {
    found = readable(format_string("%s/%s", options->source_folders[i], file));
    if (found == NULL)
      found = readable(format_string("%s/%s", options->source_folders[i], base_name(file)));
  }
  for (size_t i = 0; found == NULL && i < model->function_count; i++) {
    const char *whole = model->functions[i]->place.file; /* the debugging information has the folder */
    if (whole != NULL && is_file(whole, file))
      found = readable(format_string("%s", whole));
  }
  return found;
}
