/* Counts static functions as part of the preceding global function, as gprof -a does.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include "cilkprof-report/model/model.h"
#include "cilkprof-report/support/support.h"

/* Returns the function with the last global symbol before that of FUNCTION, or FUNCTION itself if it is global or there
   is no such symbol.  */
static struct function *preceding_global_model_function(struct model *model, struct function *function) {
  const struct function_place *place = &function->place;
  if (place->holder == NULL)
    return function;
  const struct symbol *symbols = place->holder->symbols.symbols, *symbol = &symbols[place->symbol];
  if (!symbol->local)
    return function;
  while (symbol > symbols && symbol->local)
    symbol--;
  if (symbol->local)
    return function;
  struct function *before = function_of_symbol(&model->functions, symbol->name, NULL);
  if (before->place.holder == NULL) /* new: only the static functions after it were called */
    before->place = (struct function_place){.file = place->file,
                                            .symbol = (uint32_t)(symbol - symbols),
                                            .address = symbol->address,
                                            .holder = place->holder};
  return before;
}

/* Counts every static function of MODEL as part of the global function that precedes it in the program's code, for the
   option no_static.  */
void hide_model_statics(struct model *model) {
  size_t count = model->functions.count;
  struct function **shown = allocate(count, sizeof *shown);
  for (size_t i = 0; i < count; i++)
    shown[i] = preceding_global_model_function(model, model->functions.list[i]);
  model_replace_functions(model, shown);
  free(shown);
}
