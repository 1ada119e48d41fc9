/* Static functions as part of the one that lies before them, as gprof -a has it.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include "cilkprof-report/model/model.h"
#include "cilkprof-report/support/support.h"

/* The function with the last global symbol before FUNCTION, or FUNCTION itself.  */
static struct function *visible(struct model *model, struct function *function) {
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
  if (before->place.holder == NULL) /* nothing but its static functions was called */
    before->place = (struct function_place){.file = place->file,
                                            .symbol = (uint32_t)(symbol - symbols),
                                            .address = symbol->address,
                                            .holder = place->holder};
  return before;
}

void hide_statics(struct model *model) {
  size_t count = model->functions.count;
  struct function **shown = allocate(count, sizeof *shown);
  for (size_t i = 0; i < count; i++)
    shown[i] = visible(model, model->functions.list[i]);
  replace_functions(model, shown);
  free(shown);
}
