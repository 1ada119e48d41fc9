/* Finds where functions are defined by looking up the addresses of their symbols in debugging information.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/objects/lines.h"
#include "cilkprof-report/names/symbol-index.h"
#include "cilkprof-report/support/progress.h"
#include "cilkprof-report/support/support.h"

/* The functions of one object file whose source locations are looked up together.  */
struct asked {
  struct function **functions;
  uint64_t *addresses;
  size_t count, function_room, address_room;
};

/* Adds FUNCTION to ASKED.  */
static void add_function(struct asked *asked, struct function *function) {
  asked->functions = grow(asked->functions, asked->count, &asked->function_room, sizeof *asked->functions);
  asked->addresses = grow(asked->addresses, asked->count, &asked->address_room, sizeof *asked->addresses);
  asked->functions[asked->count] = function;
  asked->addresses[asked->count++] = function->place.address;
}

/* Finds the symbols of the functions.  ASKED[i] becomes the list of functions whose symbols are in file number i.  */
static void find_symbols(struct functions *functions, struct binding *binding, struct asked *asked) {
  struct progress progress = {.what = "finding where functions are defined"};
  struct symbol_index index = index_make(binding);
  for (size_t i = 0; i < functions->count; i++) {
    progress_step(&progress, i, functions->count);
    struct function *function = functions->list[i];
    struct function_place *place = &function->place;
    if (function->file != NULL) {
      place->file = function->file;
      place->line = function->line;
      continue;
    }
    const struct named_symbol *found = index_find(&index, function);
    if (place->file == NULL)
      place->file = function->unit;
    if (found == NULL)
      continue;
    place->holder = binding->files[found->file];
    place->symbol = (uint32_t)(found->symbol - place->holder->symbols.symbols);
    place->address = found->symbol->address;
    add_function(&asked[found->file], function);
  }
  progress_end(&progress);
  free(index.symbols);
}

/* Records the directory in which the compiler ran: FILE is NAME in that directory.  */
static void keep_folder(struct functions *functions, const char *file, const char *name) {
  size_t length = strlen(file) - strlen(name);
  if (name[0] == '/' || length < 2)
    return;
  char *folder = format_string("%.*s", (int)length - 1, file);
  name_of(&functions->folders, folder);
  free(folder);
}

/* Sets the source location of FUNCTION to FOUND, from debugging information.  The compiler's record is preferred,
   because the code at the function's address may have been inlined; only its missing directory is then added.  */
static void place_at(struct functions *functions, struct function *function, const struct line_place *found) {
  struct function_place *place = &function->place;
  if (!function->described) {
    *place = (struct function_place){found->file, found->line, place->symbol, place->address, place->holder};
  } else if (is_file(found->file, place->file)) {
    keep_folder(functions, found->file, place->file);
    place->file = found->file;
  }
}

/* Looks up the source locations of the functions in ASKED, which are in the file BOUND.  */
static void look_up_lines(struct functions *functions, struct bound_object *bound, const struct asked *asked) {
  enum { STEP = 4096 };
  struct progress progress = {.what = "reading debugging information"};
  if (bound->lines == NULL)
    bound->lines = lines_open(bound_debug(bound));
  struct line_table *lines = bound->lines;
  for (size_t first = 0; lines != NULL && first < asked->count; first += STEP) {
    progress_step(&progress, first, asked->count);
    struct line_place found[STEP] = {0};
    size_t count = asked->count - first < STEP ? asked->count - first : STEP;
    lines_find(lines, asked->addresses + first, count, found);
    for (size_t i = 0; i < count; i++)
      if (found[i].file != NULL)
        place_at(functions, asked->functions[first + i], &found[i]);
  }
  progress_end(&progress);
}

void functions_place(struct functions *functions, struct binding *binding) {
  struct asked *asked = allocate(binding->count, sizeof *asked);
  find_symbols(functions, binding, asked);
  for (size_t i = 0; i < binding->count; i++) {
    if (asked[i].count > 0)
      look_up_lines(functions, binding->files[i], &asked[i]);
    free(asked[i].functions);
    free(asked[i].addresses);
  }
  free(asked);
}
