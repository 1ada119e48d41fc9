/* Finds where functions are defined, from the descriptions in the object files, and which functions are not
   instrumented: those that no object describes, that call nothing, and that are only called from other units.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/model/library.h"
#include "cilkprof-report/support/support.h"

/* Returns whether the callee of SITE is defined in another unit and may not be instrumented.  */
static bool is_foreign_model_site(const struct site *site) {
  return site->foreign && site->kind != CILKPROF_SITE_OUTSIDE;
}

/* Marks callees that may not be instrumented, as far as the sites tell.  Callees of calls through pointers are still
   NULL.  */
static void mark_foreign_model_callees(struct model *model) {
  for (size_t i = 0; i < model->site_count; i++)
    if (is_foreign_model_site(&model->sites[i]) && model->sites[i].callee != NULL)
      model->sites[i].callee->foreign = true;
  for (size_t i = 0; i < model->site_count; i++) {
    struct site *site = &model->sites[i];
    if (!is_foreign_model_site(site) && site->callee != NULL)
      site->callee->foreign = false;
    if (site->caller != NULL)
      site->caller->foreign = false;
  }
}

/* Records that FUNCTION is instrumented, because it has a DESCRIPTION, and where it is defined, unless that is known
   already.  */
static void set_model_function_definition(struct model *model, struct function *function,
                                          const struct description *description) {
  function->foreign = false;
  if (function->described || description->file[0] == 0 || description->line == 0)
    return;
  char *file = escape(description->file);
  function->described = true;
  function->library = is_system_source_file(file);
  function->place.file = interned_name_text(&model->functions.names, file);
  function->place.line = description->line;
  free(file);
}

/* Records the folder in DESCRIPTION, in which the compiler ran: source files are searched for in it.  */
static void keep_model_compiler_folder(struct model *model, const struct description *description) {
  if (description->file[0] == '/')
    interned_name_text(&model->functions.folders, description->file);
}

/* Reads where the instrumented functions of OBJECT are defined, and in which folders they were compiled.  Each of them
   has a description for calls from code without instrumentation.  */
static void read_model_definitions(struct model *model, const struct object *object) {
  struct description_walk walk = {0};
  for (struct description description; object_next_description(object, &walk, &description);) {
    bool local = description.flags & CILKPROF_SITE_CALLEE_LOCAL;
    if (description.kind == CILKPROF_COMPILER_FOLDER)
      keep_model_compiler_folder(model, &description);
    if (description.kind == CILKPROF_LOOP_LINES)
      add_source_loop(&model->source_loops, &model->functions, &description);
    if (description.kind != CILKPROF_SITE_OUTSIDE)
      continue;
    struct function *function =
        find_known_function(&model->functions, description.callee, local ? description.unit : NULL);
    if (function != NULL)
      set_model_function_definition(model, function, &description);
  }
}

/* Finds where the functions of MODEL are defined and which of them are not instrumented.  The descriptions in the files
   of BINDING must not have been freed.  */
void find_model_definitions(struct model *model, const struct binding *binding) {
  mark_foreign_model_callees(model);
  for (size_t i = 0; i < binding->count; i++)
    read_model_definitions(model, binding->files[i]->object);
  sort_source_loops(&model->source_loops);
}
