/* Where functions are defined: the debugging information knows it, by the addresses of their symbols.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/lines.h"
#include "cilkprof-report/model.h"
#include "cilkprof-report/progress.h"
#include "cilkprof-report/support.h"

/* A symbol of one of the files; all of them are sorted by name.  */
struct named {
  const struct symbol *symbol;
  size_t file;
};

struct index {
  struct named *symbols;
  size_t count, room;
};

static int compare_named(const void *left, const void *right) {
  const struct named *a = left, *b = right;
  int order = strcmp(a->symbol->name, b->symbol->name);
  if (order != 0)
    return order;
  return a->file != b->file ? a->file < b->file ? -1 : 1 : a->symbol < b->symbol ? -1 : a->symbol > b->symbol;
}

static struct index make_index(struct binding *binding) {
  struct index index = {NULL, 0, 0};
  for (size_t file = 0; file < binding->count; file++) {
    const struct symbols *symbols = bound_symbols(binding->files[file]);
    for (size_t i = 0; i < symbols->count; i++) {
      index.symbols = grow(index.symbols, index.count, &index.room, sizeof *index.symbols);
      index.symbols[index.count++] = (struct named){&symbols->symbols[i], file};
    }
  }
  if (index.count > 0)
    qsort(index.symbols, index.count, sizeof *index.symbols, compare_named);
  return index;
}

/* The symbol of FUNCTION: of its file where it is static, a global one else.  */
static const struct named *find_symbol(const struct index *index, struct binding *binding,
                                       const struct function *function) {
  size_t low = 0, high = index->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (strcmp(index->symbols[middle].symbol->name, function->symbol) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < index->count && strcmp(index->symbols[low].symbol->name, function->symbol) == 0; low++) {
    const struct symbol *symbol = index->symbols[low].symbol;
    const char *unit = symbol->local ? bound_unit(binding->files[index->symbols[low].file], symbol) : NULL;
    if (unit == NULL ? function->unit == NULL
                     : function->unit != NULL && (unit[0] == 0 || strcmp(unit, function->unit) == 0))
      return &index->symbols[low];
  }
  return NULL;
}

/* What the call sites tell: the file of a function from the calls in it, its line where code without instrumentation
   called it.  */
static void places_from_sites(struct model *model) {
  for (size_t i = 0; i < model->site_count; i++) {
    const struct site *site = &model->sites[i];
    if (site->caller != NULL && site->caller->place.file == NULL)
      site->caller->place.file = site->file;
    if (site->kind == CILKPROF_SITE_OUTSIDE && site->callee->place.line == 0)
      site->callee->place.file = site->file, site->callee->place.line = site->line;
  }
}

void places_find(struct model *model, struct binding *binding) {
  struct progress progress = {.what = "finding where functions are defined"};
  struct index index = make_index(binding);
  struct line_table **tables = allocate(binding->count, sizeof *tables);
  for (size_t i = 0; i < model->function_count; i++) {
    progress_step(&progress, i, model->function_count);
    struct function *function = model->functions[i];
    struct place *place = &function->place;
    if (function->file != NULL) {
      place->file = function->file;
      place->line = function->line;
      continue;
    }
    const struct named *found = find_symbol(&index, binding, function);
    place->file = function->unit;
    if (found == NULL)
      continue;
    place->holder = binding->files[found->file];
    place->symbol = found->symbol;
    if (tables[found->file] == NULL)
      tables[found->file] = lines_open(place->holder->object->path);
    if (tables[found->file] != NULL)
      lines_find(tables[found->file], found->symbol->address, &place->file, &place->line);
  }
  progress_end(&progress);
  free(index.symbols);
  free(tables);
  places_from_sites(model);
}
