/* Where functions are defined: the debugging information knows it, by the addresses of their symbols.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include "cilkprof-report/lines.h"
#include "cilkprof-report/progress.h"
#include "cilkprof-report/support.h"
#include "cilkprof-report/symbol-index.h"

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
  struct symbol_index index = index_make(binding);
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
    const struct named_symbol *found = index_find(&index, function);
    place->file = function->unit;
    if (found == NULL)
      continue;
    place->holder = binding->files[found->file];
    place->symbol = found->symbol;
    if (tables[found->file] == NULL)
      tables[found->file] = lines_open(place->holder->object);
    if (tables[found->file] != NULL)
      lines_find(tables[found->file], found->symbol->address, &place->file, &place->line);
  }
  progress_end(&progress);
  free(index.symbols);
  free(tables);
  places_from_sites(model);
}
