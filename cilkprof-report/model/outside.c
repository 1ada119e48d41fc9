/* Calls by functions without events: their callers and places, from the addresses to which the callees returned.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "cilkprof-report/model/model.h"
#include "cilkprof-report/objects/binding.h"
#include "cilkprof-report/objects/lines.h"

/* Returns the innermost function at ADDRESS of the file BOUND, whose path is PATH: FOUND, from debugging information,
   or else the one that its symbols name.  */
static struct function *function_around_call(struct functions *functions, struct bound_object *bound, const char *path,
                                             uint64_t address, const struct line_frame *found) {
  const struct symbol *symbol = bound != NULL ? object_symbol_around(bound_object_symbols(bound), address) : NULL;
  bool physical = !found->inlined && symbol != NULL;
  if (found->name != NULL && !physical)
    return function_of_debug_symbol(functions, found->name, found->is_static ? found->defined.file : NULL);
  return function_at_address(functions, bound, path, symbol != NULL ? symbol->address : address);
}

/* Names the caller of SITE, which calls from ADDRESS of the file BOUND, whose path is PATH.  */
static void name_caller(struct model *model, struct site *site, struct bound_object *bound, const char *path,
                        uint64_t address) {
  struct line_frame found = {0};
  if (bound != NULL && bound->lines == NULL && bound_object_debug(bound)->has_lines)
    bound->lines = open_debug_lines(bound_object_debug(bound));
  if (bound != NULL && bound->lines != NULL)
    find_debug_line_frames(bound->lines, &address, 1, 1, &found);
  site->kind = CILKPROF_SITE_CALL;
  site->caller = function_around_call(&model->functions, bound, path, address, &found);
  site->column = 0;
  site->line = found.at.line;
  site->file = found.at.file != NULL ? found.at.file : "";
}

void model_name_outside_callers(struct model *model, size_t first, const struct cilkprof_profile *profile,
                                struct bound_object **bound) {
  for (size_t i = 0; i < profile->site_count; i++) {
    const struct cilkprof_site *measured = &profile->sites[i];
    uint32_t object = measured->callee_object;
    if (object != CILKPROF_NO_OBJECT && model->sites[first + i].kind == CILKPROF_SITE_OUTSIDE)
      name_caller(model, &model->sites[first + i], bound[object], profile->objects[object].path, measured->callee - 1);
  }
}
