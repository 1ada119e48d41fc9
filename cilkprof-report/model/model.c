/* Builds the list of call sites from profiles and the descriptions of the compiler.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/model/model.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/model/trees.h"
#include "cilkprof-report/model/whatifs.h"
#include "cilkprof-report/support/progress.h"
#include "cilkprof-report/support/support.h"

/* Callback of hash_table_find: returns whether site number PLACE of ARRAY is the same call site as KEY.  */
static bool is_same_model_site(const void *array, size_t place, const void *key) {
  const struct site *a = (const struct site *)array + place, *b = key;
  return a->file == b->file && a->line == b->line && a->column == b->column && a->kind == b->kind &&
         a->caller == b->caller && a->callee == b->callee;
}

void model_add_site(struct model *model, const struct site *site) {
  model->sites = grow_array(model->sites, model->site_count, &model->site_room, sizeof *model->sites);
  model->sites[model->site_count++] = *site;
}

/* Returns a hash of what identifies SITE: file, line, column, kind, caller and callee.  */
static uint64_t hash_model_site(const struct site *site) {
  uint64_t hash =
      hash_add(hash_add(hash_add(0, (uintptr_t)site->file), (uintptr_t)site->caller), (uintptr_t)site->callee);
  return hash_add(hash, (uint64_t)site->line << 32 | site->column << 2 | site->kind);
}

/* Merges identical call sites of MODEL and adds up their measurements.  Sites repeat because the compiler may describe
   one more than once, and because there may be several profiles.  Returns an allocated map from old to new site
   numbers.  */
uint32_t *model_merge_sites(struct model *model) {
  struct table table = {0};
  uint32_t *places = allocate(model->site_count, sizeof *places);
  size_t count = 0;
  for (size_t i = 0; i < model->site_count; i++) {
    const struct site *site = &model->sites[i];
    size_t place = hash_table_find(&table, hash_model_site(site), is_same_model_site, model->sites, site, count);
    if (place < count) {
      add_model_measures(&model->sites[place].measured->on_work, &site->measured->on_work);
      add_model_measures(&model->sites[place].measured->on_span, &site->measured->on_span);
    } else {
      model->sites[count++] = *site;
    }
    places[i] = (uint32_t)place;
  }
  model->site_count = count;
  hash_table_free(&table);
  return places;
}

/* The last names that were looked up.  Calls of one function follow one another in the profile, so most lookups repeat
   the last one.  */
struct last_lookup {
  const char *file, *caller, *unit; /* as in the last description; NULL: there was none */
  bool local;
  const char *file_name;
  struct function *function;
};

/* Returns whether LAST, the name that was looked up last, is equal to STRING.  LAST is NULL before the first
   lookup.  */
static bool is_last_model_lookup(const char *last, const char *string) {
  return last != NULL && strcmp(last, string) == 0;
}

/* Returns the function that is the caller in DESCRIPTION, or NULL for code without instrumentation.  LAST holds the
   last names that were looked up.  */
static struct function *model_caller_of_description(struct model *model, struct last_lookup *last,
                                                    const struct description *description) {
  if (description->kind == CILKPROF_SITE_OUTSIDE)
    return NULL;
  bool local = description->flags & CILKPROF_SITE_CALLER_LOCAL;
  if (!is_last_model_lookup(last->caller, description->caller) ||
      !is_last_model_lookup(last->unit, description->unit) || local != last->local) {
    last->caller = description->caller;
    last->unit = description->unit;
    last->local = local;
    last->function = function_of_symbol(&model->functions, description->caller, local ? description->unit : NULL);
  }
  return last->function;
}

/* Returns the interned name of the source file in DESCRIPTION, "???" if it has none.  LAST holds the last names that
   were looked up.  */
static const char *model_file_of_description(struct model *model, struct last_lookup *last,
                                             const struct description *description) {
  if (!is_last_model_lookup(last->file, description->file)) {
    char *file = escape(description->file[0] != 0 ? description->file : "???");
    last->file = description->file;
    last->file_name = interned_name_text(&model->functions.names, file);
    free(file);
  }
  return last->file_name;
}

/* Returns the function that is the callee in DESCRIPTION.  A loop is a function of its own.  */
static struct function *model_callee_of_description(struct model *model, const struct description *description) {
  if (description->kind == CILKPROF_SITE_SERIAL_LOOP)
    return function_of_serial_loop(&model->functions, description);
  if (description->kind == CILKPROF_SITE_LOOP)
    return function_of_loop(&model->functions, description);
  bool local = description->flags & CILKPROF_SITE_CALLEE_LOCAL;
  return function_of_symbol(&model->functions, description->callee, local ? description->unit : NULL);
}

/* Returns the call site of DESCRIPTION without its callee and measurements.  */
static struct site model_site_of_description(struct model *model, struct last_lookup *last,
                                             const struct description *description) {
  return (struct site){
      .file = model_file_of_description(model, last, description),
      .line = description->line,
      .column = description->column < MAX_COLUMN ? description->column : MAX_COLUMN,
      .kind = description->kind,
      .foreign = description->flags & CILKPROF_SITE_FOREIGN,
      .task = description->flags & CILKPROF_SITE_TASK,
      .atomic = description->flags & CILKPROF_SITE_ATOMIC,
      .caller = model_caller_of_description(model, last, description),
      .library =
          description->library != NULL ? interned_name_text(&model->functions.names, description->library) : NULL,
      .loop = description->loop != NULL ? interned_name_text(&model->functions.names, description->loop) : NULL,
      .clock = description->clock != NULL ? interned_name_text(&model->functions.names, description->clock) : NULL,
  };
}

/* Returns a call site for MEASURED, which has no description.  Its callee is named by the address of the missing
   description in OBJECT, because nothing else is known of either.  */
static struct site model_site_without_description(struct model *model, const struct cilkprof_object *object,
                                                  const struct cilkprof_site *measured) {
  char *path = escape(base_name(object->path));
  char *file = format_string("%s+0x%llx", path, (unsigned long long)measured->description);
  struct site site = {
      .file = interned_name_text(&model->functions.names, file),
      .kind = CILKPROF_SITE_CALL,
      .caller = function_of_symbol(&model->functions, "<unknown>", NULL),
      .callee = function_of_symbol(&model->functions, file, NULL),
  };
  site.caller->nameless = site.callee->nameless = true;
  free(path);
  free(file);
  return site;
}

/* Adds the data of PROFILE except its call sites to MODEL: totals, regions, what-ifs, the tree, usage, and the values
   of the root.  */
static void model_add_profile_data(struct model *model, const struct cilkprof_profile *profile) {
  add_model_regions(&model->regions, profile);
  add_model_whatifs(&model->whatifs, &model->whatif_count, profile, model->run_count == 0);
  add_model_tree(&model->tree, &profile->tree);
  add_model_usage(&model->usages, model->totals.work, profile, model->run_count == 0);
  if (model->run_count++ == 0) {
    model->program = profile->program;
    model->run = profile->run;
  } else {
    model_add_saturating(&model->run.preempted_strands, profile->run.preempted_strands);
    model_add_saturating(&model->run.preempted_units, profile->run.preempted_units);
  }
  if (profile->root != NULL) {
    model->root = profile->root->name;
    model_add_saturating(&model->invocations, profile->root->invocations);
  }
  model_add_saturating(&model->outside, profile->outside);
  add_model_measure(&model->own, &profile->own);
  model->program.flags |= profile->program.flags;
  add_model_totals(&model->totals, &profile->totals);
}

/* Finds the site through which code without instrumentation entered the program, among the sites from number FIRST on.
   It is the one with most work, because all others ran below it.  It is changed only if it has no description, which
   would contain that.  */
static void model_mark_entry_site(struct model *model, size_t first) {
  struct site *most = NULL;
  for (size_t i = first; i < model->site_count; i++) {
    struct site *site = &model->sites[i];
    if (most == NULL || site->measured->on_work.top_call_site.work > most->measured->on_work.top_call_site.work)
      most = site;
  }
  if (most != NULL && most->caller != NULL && most->caller->nameless) {
    most->caller = NULL;
    most->kind = CILKPROF_SITE_OUTSIDE;
  }
}

void model_add(struct model *model, struct cilkprof_profile *profile, struct bound_object **bound, const char *path,
               bool force) {
  static unsigned models;
  if (model->run_count == 0)
    model->number = ++models;
  else
    convert_model_profile_units(profile, model->run.units_per_second);
  struct progress progress = {.what = "naming call sites"};
  size_t first = model->site_count;
  struct last_lookup last = {0};
  if (profile->site_count > model->site_room - model->site_count) {
    model->site_room = model->site_count + profile->site_count;
    model->sites = reallocate(model->sites, model->site_room, sizeof *model->sites);
  }
  model_add_profile_data(model, profile);
  for (size_t i = 0; i < profile->site_count; i++) {
    progress_step(&progress, i, profile->site_count);
    struct cilkprof_site *measured = &profile->sites[i];
    const struct cilkprof_object *object = &profile->objects[measured->object];
    struct bound_object *holder = bound[measured->object];
    struct description description;
    if (profile->program.mode == CILKPROF_MODE_WATCHED) {
      struct site site = model_site_of_construct(model, holder, object->path, measured);
      site.measured = measured;
      model_add_site(model, &site);
      model->composed = true;
      continue;
    }
    bool described = holder != NULL && object_reach_description(holder->object, measured->description, &description);
    if (!described && !force)
      fail(path, "site %zu is described at 0x%llx of %s, where no description is; use --force to go on", i,
           (unsigned long long)measured->description, object->path);
    model->composed |=
        described && description.kind == CILKPROF_SITE_OUTSIDE && description.flags & CILKPROF_SITE_FORKS;
    struct site site = described ? model_site_of_description(model, &last, &description)
                                 : model_site_without_description(model, object, measured);
    if (described && (measured->callee_object == CILKPROF_NO_OBJECT || site.kind == CILKPROF_SITE_OUTSIDE))
      site.callee = model_callee_of_description(model, &description);
    site.measured = measured;
    model_add_site(model, &site);
  }
  progress_end(&progress);
  if (profile->program.mode == CILKPROF_MODE_WATCHED) {
    combine_watched_constructs(model, first);
    if (profile->sampling.sampled != CILKPROF_SAMPLED_SERIAL && profile->sampling.workers > model->threads)
      model->threads = profile->sampling.workers;
  }
  if (force)
    model_mark_entry_site(model, first);
}

void model_name_callees(struct model *model, size_t first, const struct cilkprof_profile *profile,
                        struct bound_object **bound) {
  for (size_t i = 0; i < profile->site_count; i++) {
    uint32_t object = profile->sites[i].callee_object;
    if (object != CILKPROF_NO_OBJECT && model->sites[first + i].kind != CILKPROF_SITE_OUTSIDE)
      model->sites[first + i].callee = function_at_address(&model->functions, bound[object],
                                                           profile->objects[object].path, profile->sites[i].callee);
  }
}

void model_add_unreached(struct model *model, const struct object *object) {
  struct description_walk walk = {0};
  struct last_lookup last = {0};
  for (struct description description; object_next_description(object, &walk, &description);) {
    if (description.reached || description.kind >= CILKPROF_COMPILER_FOLDER)
      continue;
    struct site site = model_site_of_description(model, &last, &description);
    site.callee = model_callee_of_description(model, &description);
    site.measured = allocate(1, sizeof *site.measured);
    site.unreached = true;
    model_add_site(model, &site);
  }
}

/* Replaces function number i by SHOWN[i] as caller and callee in all call sites of MODEL.  */
void model_replace_functions(struct model *model, struct function *const *shown) {
  for (size_t i = 0; i < model->site_count; i++) {
    struct site *site = &model->sites[i];
    site->callee = shown[site->callee->number];
    if (site->caller != NULL)
      site->caller = shown[site->caller->number];
  }
}
