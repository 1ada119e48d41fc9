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

/* Adds FUNCTION and the address of its symbol to ASKED, the functions whose source locations are looked up
   together.  */
static void add_function_to_place(struct asked *asked, struct function *function) {
  asked->functions = grow_array(asked->functions, asked->count, &asked->function_room, sizeof *asked->functions);
  asked->addresses = grow_array(asked->addresses, asked->count, &asked->address_room, sizeof *asked->addresses);
  asked->functions[asked->count] = function;
  asked->addresses[asked->count++] = function->place.address;
}

/* Finds the symbols of FUNCTIONS in the files of BINDING.  ASKED[i] becomes the list of functions whose symbols are in
   file number i.  A loop needs no symbol: its source location is known.  */
static void find_symbols_of_functions(struct functions *functions, struct binding *binding, struct asked *asked) {
  struct progress progress = {.what = "finding where functions are defined"};
  struct symbol_index index = make_named_symbol_index(binding);
  for (size_t i = 0; i < functions->count; i++) {
    progress_step(&progress, i, functions->count);
    struct function *function = functions->list[i];
    struct function_place *place = &function->place;
    if (function->file != NULL) {
      place->file = function->file;
      place->line = function->line;
      continue;
    }
    const struct named_symbol *found = find_named_symbol(&index, function);
    if (place->file == NULL)
      place->file = function->unit;
    if (found == NULL)
      continue;
    place->holder = binding->files[found->file];
    place->symbol = (uint32_t)(found->symbol - place->holder->symbols.symbols);
    place->address = found->symbol->address;
    add_function_to_place(&asked[found->file], function);
  }
  progress_end(&progress);
  free(index.symbols);
}

/* Records in FUNCTIONS the directory in which the compiler ran, where source files are searched for: the path FILE is
   NAME in that directory.  */
static void keep_function_compilation_folder(struct functions *functions, const char *file, const char *name) {
  size_t length = strlen(file) - strlen(name);
  if (name[0] == '/' || length < 2)
    return;
  char *folder = format_string("%.*s", (int)length - 1, file);
  interned_name_text(&functions->folders, folder);
  free(folder);
}

/* Sets the source location of FUNCTION to FOUND, from debugging information.  The compiler's record is preferred,
   because the code at the function's address may have been inlined; only its missing directory is then added.  */
static void set_function_definition_place(struct functions *functions, struct function *function,
                                          const struct line_place *found) {
  struct function_place *place = &function->place;
  if (!function->described) {
    *place = (struct function_place){found->file, found->line, place->symbol, place->address, place->holder};
  } else if (path_ends_in_file(found->file, place->file)) {
    keep_function_compilation_folder(functions, found->file, place->file);
    place->file = found->file;
  }
}

/* Looks up in debugging information the source locations of the functions in ASKED, whose symbols are in the file
   BOUND.  */
static void look_up_function_lines(struct functions *functions, struct bound_object *bound, const struct asked *asked) {
  enum { STEP = 4096 };
  struct progress progress = {.what = "reading debugging information"};
  if (bound->lines == NULL)
    bound->lines = open_debug_lines(bound_object_debug(bound));
  struct line_table *lines = bound->lines;
  for (size_t first = 0; lines != NULL && first < asked->count; first += STEP) {
    progress_step(&progress, first, asked->count);
    struct line_place found[STEP] = {0};
    size_t count = asked->count - first < STEP ? asked->count - first : STEP;
    find_debug_lines(lines, asked->addresses + first, count, found);
    for (size_t i = 0; i < count; i++)
      if (found[i].file != NULL)
        set_function_definition_place(functions, asked->functions[first + i], &found[i]);
  }
  progress_end(&progress);
}

/* Finds in the debugging information of the files of BINDING where FUNCTIONS are defined.  */
void functions_find_definition_places(struct functions *functions, struct binding *binding) {
  struct asked *asked = allocate(binding->count, sizeof *asked);
  find_symbols_of_functions(functions, binding, asked);
  for (size_t i = 0; i < binding->count; i++) {
    if (asked[i].count > 0)
      look_up_function_lines(functions, binding->files[i], &asked[i]);
    free(asked[i].functions);
    free(asked[i].addresses);
  }
  free(asked);
}
