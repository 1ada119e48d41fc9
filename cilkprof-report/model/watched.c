/* Call sites of watched programs: constructs of OpenMP, named by the code that called its runtime, and forks by hand.
   SPDX-License-Identifier: GPL-3.0-or-later

   A program that was not compiled for profiling describes nothing.  The profile has the return address of each call of
   the runtime, and what the runtime said that the call does; debugging information has the line and the function.  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/model/model.h"
#include "cilkprof-report/names/system-files.h"
#include "cilkprof-report/objects/binding.h"
#include "cilkprof-report/objects/lines.h"
#include "cilkprof-report/support/support.h"
#include "fmt/description.h"

/* What an OpenMP directive is called in tables and findings, as where the compiler describes it.  */
static const char *const directives[CILKPROF_CONSTRUCTS] = {
    [CILKPROF_CONSTRUCT_PROGRAM] = "program",
    [CILKPROF_CONSTRUCT_PARALLEL] = "omp parallel",
    [CILKPROF_CONSTRUCT_LOOP] = "omp for",
    [CILKPROF_CONSTRUCT_SECTIONS] = "omp sections",
    [CILKPROF_CONSTRUCT_SINGLE] = "omp single",
    [CILKPROF_CONSTRUCT_WORKSHARE] = "omp workshare",
    [CILKPROF_CONSTRUCT_DISTRIBUTE] = "omp distribute",
    [CILKPROF_CONSTRUCT_TASKLOOP] = "omp taskloop",
    [CILKPROF_CONSTRUCT_SCOPE] = "omp scope",
    [CILKPROF_CONSTRUCT_TASK] = "omp task",
    [CILKPROF_CONSTRUCT_CRITICAL] = "omp critical",
    [CILKPROF_CONSTRUCT_LOCK] = "omp lock",
    [CILKPROF_CONSTRUCT_ORDERED] = "omp ordered",
    [CILKPROF_CONSTRUCT_FORK] = "task",
};

/* Returns what kind of call site CONSTRUCT is.  */
static enum cilkprof_site_kind kind_of_construct(enum cilkprof_construct construct) {
  bool makes_task = construct == CILKPROF_CONSTRUCT_TASK || construct == CILKPROF_CONSTRUCT_FORK;
  return makes_task                               ? CILKPROF_SITE_SPAWN
         : construct == CILKPROF_CONSTRUCT_SINGLE ? CILKPROF_SITE_CALL
                                                  : CILKPROF_SITE_LOOP;
}

/* Returns whether SYMBOL is a function that the compiler made of the body of a construct.  */
bool is_outlined_model_symbol(const char *symbol) {
  return strstr(symbol, "._omp_fn.") != NULL || strstr(symbol, "omp_outlined") != NULL ||
         strstr(symbol, "omp_task_entry") != NULL;
}

/* Returns the function of BOUND that is defined nearest before PLACE in its file, and not made by the compiler; NULL if
   there is none.  */
static const struct symbol *function_before_line(struct bound_object *bound, const struct line_place *place) {
  const struct symbols *symbols = bound_object_symbols(bound);
  const struct symbol *nearest = NULL;
  uint32_t line = 0;
  uint64_t *addresses = allocate(symbols->count, sizeof *addresses);
  struct line_place *found = allocate(symbols->count, sizeof *found);
  for (size_t i = 0; i < symbols->count; i++)
    addresses[i] = symbols->symbols[i].address;
  find_debug_lines(bound->lines, addresses, symbols->count, found);
  for (size_t i = 0; i < symbols->count; i++)
    if (found[i].file != NULL && strcmp(found[i].file, place->file) == 0 && found[i].line <= place->line &&
        found[i].line > line && symbols->symbols[i].name[0] != '.' &&
        !is_outlined_model_symbol(symbols->symbols[i].name)) {
      nearest = &symbols->symbols[i];
      line = found[i].line;
    }
  free(addresses);
  free(found);
  return nearest;
}

/* Returns the symbol of the code at ADDRESS of BOUND, which may be NULL; NULL if there is none.  */
static const struct symbol *symbol_around(struct bound_object *bound, uint64_t address) {
  return bound != NULL ? object_symbol_around(bound_object_symbols(bound), address) : NULL;
}

/* Returns the function of the source around the code at ADDRESS of BOUND, which is in FOUND by debugging information.
   The body of a construct is part of the function that it was written in.  */
static struct function *source_function(struct model *model, struct bound_object *bound, const char *path,
                                        uint64_t address, const struct line_frame *found) {
  const struct symbol *symbol = symbol_around(bound, address);
  const char *name = found->inlined ? found->name : symbol != NULL ? symbol->name : found->name;
  if (name == NULL)
    return function_at_address(&model->functions, bound, path, address);
  if (!is_outlined_model_symbol(name))
    return function_of_debug_symbol(&model->functions, name, found->is_static ? found->defined.file : NULL);
  const char *body = strstr(name, "._omp_fn.");
  if (body == NULL && found->at.file != NULL && bound->lines != NULL) {
    const struct symbol *around = function_before_line(bound, &found->at);
    return function_of_debug_symbol(&model->functions, around != NULL ? around->name : name, NULL);
  }
  char *source = format_string("%.*s", body != NULL ? (int)(body - name) : (int)strlen(name), name);
  struct function *function = function_of_debug_symbol(&model->functions, source, NULL);
  free(source);
  return function;
}

/* Opens the debugging information of BOUND, which may be NULL.  */
static struct line_table *lines_of_object(struct bound_object *bound) {
  if (bound == NULL)
    return NULL;
  if (bound->lines == NULL && bound_object_debug(bound)->has_lines)
    bound->lines = open_debug_lines(bound_object_debug(bound));
  return bound->lines;
}

/* Returns the symbol in BOUND, which may be NULL, of the function in which the program starts; NULL if it has none.  */
static const struct symbol *start_symbol(struct bound_object *bound) {
  const struct symbols *symbols = bound != NULL ? bound_object_symbols(bound) : NULL;
  const struct symbol *found = NULL;
  for (size_t i = 0; symbols != NULL && i < symbols->count; i++) {
    const char *name = symbols->symbols[i].name;
    if (strcmp(name, "MAIN__") == 0 || (found == NULL && strcmp(name, "main") == 0))
      found = &symbols->symbols[i];
  }
  return found;
}

/* Returns the site through which the program is entered.  */
static struct site program_site(struct model *model, struct bound_object *bound) {
  const struct symbol *start = start_symbol(bound);
  struct line_table *lines = lines_of_object(bound);
  struct line_place place = {0};
  if (start != NULL && lines != NULL)
    find_debug_lines(lines, &start->address, 1, &place);
  return (struct site){.file = place.file != NULL ? interned_name_text(&model->functions.names, place.file) : "???",
                       .line = place.line,
                       .kind = CILKPROF_SITE_OUTSIDE,
                       .callee = function_of_symbol(&model->functions, start != NULL ? start->name : "main", NULL)};
}

/* Returns whether FRAME is inlined code of a library: one in a system's header, or of <cilkprof.h>.  */
static bool is_library_frame(const struct line_frame *frame) {
  return frame->inlined && ((frame->at.file != NULL && is_system_source_file(frame->at.file)) ||
                            (frame->name != NULL && strcmp(frame->name, "cilkprof_spawn") == 0));
}

/* Sets *FOUND to the frame of the code at ADDRESS, as LINES have it: the innermost one that is not of a library.  */
static void find_user_frame(struct line_table *lines, uint64_t address, struct line_frame *found) {
  enum { MOST = 64 };
  for (unsigned depth = 1; depth <= MOST; depth++) {
    *found = (struct line_frame){0};
    find_debug_line_frames(lines, &address, 1, depth, found);
    if (!is_library_frame(found))
      return;
  }
}

/* Returns what the construct CALLEE is called in tables and findings: a task of MODEL's program with its name.  */
static const char *construct_text(struct model *model, uint64_t callee) {
  const char *text = directives[cilkprof_construct_of(callee)];
  for (size_t i = 0; callee >> 8 != 0 && i < model->regions.count; i++) {
    const char *label = model->regions.regions[i].label;
    if (cilkprof_task_kind(label) != callee)
      continue;
    char *readable = escape(label), *named = format_string("%s %s", text, readable);
    text = interned_name_text(&model->functions.names, named);
    free(named);
    free(readable);
    break;
  }
  return text;
}

struct site model_site_of_construct(struct model *model, struct bound_object *bound, const char *path,
                                    const struct cilkprof_site *measured) {
  uint64_t address = measured->description - 1;
  struct line_frame found = {0};
  enum cilkprof_construct construct = cilkprof_construct_of(measured->callee);
  enum cilkprof_site_kind kind = kind_of_construct(construct);
  if (construct == CILKPROF_CONSTRUCT_PROGRAM || construct >= CILKPROF_CONSTRUCTS)
    return program_site(model, bound);
  struct line_table *lines = lines_of_object(bound);
  if (lines != NULL)
    find_user_frame(lines, address, &found);
  const struct symbol *symbol = symbol_around(bound, address);
  struct function *caller = source_function(model, bound, path, address, &found);
  const char *text = construct_text(model, measured->callee);
  /* Tasks are told apart by their names; a block may be on the line of its region.  */
  bool told_apart = measured->callee >> 8 != 0 || construct == CILKPROF_CONSTRUCT_SINGLE;
  struct description description = {
      .caller = caller->symbol,
      .callee = text,
      .unit = told_apart             ? text
              : caller->unit != NULL ? caller->unit
                                     : "",
      .file = found.at.file != NULL ? found.at.file : path,
      .line = found.at.line,
  };
  return (struct site){
      .file = interned_name_text(&model->functions.names, description.file),
      .line = description.line,
      .kind = kind,
      .caller = caller,
      .callee = function_of_loop(&model->functions, &description),
      .body = symbol != NULL && is_outlined_model_symbol(symbol->whole)
                  ? interned_name_text(&model->functions.names, symbol->whole)
                  : NULL,
      .is_body = symbol != NULL && symbol->address == address,
      .divided = kind != CILKPROF_SITE_SPAWN && construct != CILKPROF_CONSTRUCT_PARALLEL,
  };
}

/* Returns whether the CONSTRUCT of a site is what is done under a lock.  */
static bool is_lock_construct(uint64_t construct) {
  return construct >= CILKPROF_CONSTRUCT_CRITICAL && construct <= CILKPROF_CONSTRUCT_ORDERED;
}

/* Returns the region at the place of LOOP, which a team divides, among the sites from number FIRST on; NULL if there is
   none.  */
static struct site *region_of_loop(struct model *model, size_t first, const struct site *loop) {
  for (size_t i = first; i < model->site_count; i++) {
    struct site *site = &model->sites[i];
    if (!site->divided && site->kind == CILKPROF_SITE_LOOP && site->line == loop->line && site->file == loop->file &&
        site->caller == loop->caller)
      return site;
  }
  return NULL;
}

/* Leaves only what LOOP did itself: what its region did in all has it, too.  */
static void keep_own_values(struct cilkprof_measures *measures) {
  measures->local.count = 0;
  measures->top_call_site = measures->top_caller = (struct cilkprof_measure){0};
}

/* Makes what a block in MEASURES did by itself all of it: of some the runtime does not tell when they end.  */
static void complete_block(struct cilkprof_measures *measures) {
  if (measures->top_call_site.count == 0)
    measures->top_call_site = measures->top_caller = measures->local;
}

/* Adds what was done under the lock that LOCK acquires to the regions of MODEL.  */
static void add_watched_lock(struct model *model, const struct site *lock) {
  const struct cilkprof_measure *held = &lock->measured->on_work.local;
  struct cilkprof_region region = {
      .label = format_string("%s at %s:%u", lock->callee->construct, base_name(lock->file), lock->line),
      .kind = CILKPROF_REGION_LOCK,
      .total = *held,
  };
  add_model_regions(&model->regions, &(struct cilkprof_profile){.region_count = 1, .regions = &region});
}

/* Makes a function of all tasks that are forked at the place of the SITE in MODEL, if they have several names: samples
   tell only the place.  */
static void find_tasks_together(struct model *model, size_t first, struct site *site) {
  for (size_t i = first; i < model->site_count && site->together == NULL; i++) {
    struct site *other = &model->sites[i];
    if (other->callee == site->callee || other->kind != CILKPROF_SITE_SPAWN || other->line != site->line ||
        other->file != site->file)
      continue;
    char *name = format_string("tasks of %s:%u", base_name(site->file), site->line);
    site->together = other->together = function_of_symbol(&model->functions, name, NULL);
    free(name);
  }
}

void combine_watched_constructs(struct model *model, size_t first) {
  for (size_t i = first; i < model->site_count; i++) {
    struct site *loop = &model->sites[i], *region = NULL;
    if (cilkprof_construct_of(loop->measured->callee) == CILKPROF_CONSTRUCT_FORK)
      find_tasks_together(model, first, loop);
    if (is_lock_construct(loop->measured->callee))
      add_watched_lock(model, loop);
    else if (loop->measured->callee == CILKPROF_CONSTRUCT_SINGLE) {
      complete_block(&loop->measured->on_work);
      complete_block(&loop->measured->on_span);
    } else
      region = loop->divided ? region_of_loop(model, first, loop) : NULL;
    if (region == NULL)
      continue;
    keep_own_values(&loop->measured->on_work);
    keep_own_values(&loop->measured->on_span);
    char *name = format_string("omp parallel %s", directives[loop->measured->callee] + strlen("omp "));
    loop->callee = region->callee;
    loop->callee->construct = interned_name_text(&model->functions.names, name);
    free(name);
    loop->divided = false;
    loop->body = region->body;
  }
}
