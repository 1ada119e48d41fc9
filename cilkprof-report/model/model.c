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

/* Callback of table_find: returns whether site number PLACE of ARRAY is the same call site as KEY.  */
static bool is_site(const void *array, size_t place, const void *key) {
  const struct site *a = (const struct site *)array + place, *b = key;
  return a->file == b->file && a->line == b->line && a->column == b->column && a->kind == b->kind &&
         a->caller == b->caller && a->callee == b->callee;
}

void model_add_site(struct model *model, const struct site *site) {
  model->sites = grow(model->sites, model->site_count, &model->site_room, sizeof *model->sites);
  model->sites[model->site_count++] = *site;
}

static uint64_t hash_site(const struct site *site) {
  uint64_t hash =
      hash_add(hash_add(hash_add(0, (uintptr_t)site->file), (uintptr_t)site->caller), (uintptr_t)site->callee);
  return hash_add(hash, (uint64_t)site->line << 32 | site->column << 2 | site->kind);
}

/* Sites repeat because the compiler may describe one more than once, and because there may be several profiles.  */
uint32_t *model_merge_sites(struct model *model) {
  struct table table = {0};
  uint32_t *places = allocate(model->site_count, sizeof *places);
  size_t count = 0;
  for (size_t i = 0; i < model->site_count; i++) {
    const struct site *site = &model->sites[i];
    size_t place = table_find(&table, hash_site(site), is_site, model->sites, site, count);
    if (place < count) {
      add_measures(&model->sites[place].measured->on_work, &site->measured->on_work);
      add_measures(&model->sites[place].measured->on_span, &site->measured->on_span);
    } else {
      model->sites[count++] = *site;
    }
    places[i] = (uint32_t)place;
  }
  model->site_count = count;
  table_forget(&table);
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

/* Returns whether LAST, which may be NULL, is equal to STRING.  */
static bool is_same(const char *last, const char *string) {
  return last != NULL && strcmp(last, string) == 0;
}

/* Returns the caller in DESCRIPTION, or NULL for code without instrumentation.  */
static struct function *described_caller(struct model *model, struct last_lookup *last,
                                         const struct description *description) {
  if (description->kind == CILKPROF_SITE_OUTSIDE)
    return NULL;
  bool local = description->flags & CILKPROF_SITE_CALLER_LOCAL;
  if (!is_same(last->caller, description->caller) || !is_same(last->unit, description->unit) || local != last->local) {
    last->caller = description->caller;
    last->unit = description->unit;
    last->local = local;
    last->function = function_of_symbol(&model->functions, description->caller, local ? description->unit : NULL);
  }
  return last->function;
}

/* Returns the interned name of the file in DESCRIPTION, "???" if it has none.  */
static const char *described_file(struct model *model, struct last_lookup *last,
                                  const struct description *description) {
  if (!is_same(last->file, description->file)) {
    char *file = escape(description->file[0] != 0 ? description->file : "???");
    last->file = description->file;
    last->file_name = name_of(&model->functions.names, file);
    free(file);
  }
  return last->file_name;
}

/* Returns the callee in DESCRIPTION.  A loop is a function of its own.  */
static struct function *described_callee(struct model *model, const struct description *description) {
  if (description->kind == CILKPROF_SITE_LOOP)
    return function_of_loop(&model->functions, description);
  bool local = description->flags & CILKPROF_SITE_CALLEE_LOCAL;
  return function_of_symbol(&model->functions, description->callee, local ? description->unit : NULL);
}

/* Returns the site of DESCRIPTION without its callee and measurements.  */
static struct site described_site(struct model *model, struct last_lookup *last,
                                  const struct description *description) {
  return (struct site){
      .file = described_file(model, last, description),
      .line = description->line,
      .column = description->column < MOST_COLUMN ? description->column : MOST_COLUMN,
      .kind = description->kind,
      .foreign = description->flags & CILKPROF_SITE_FOREIGN,
      .task = description->flags & CILKPROF_SITE_TASK,
      .caller = described_caller(model, last, description),
  };
}

/* Returns a site for MEASURED, which has no description.  Its callee is named by the address of the missing
   description, because nothing else is known of either.  */
static struct site undescribed_site(struct model *model, const struct cilkprof_object *object,
                                    const struct cilkprof_site *measured) {
  char *path = escape(base_name(object->path));
  char *file = format_string("%s+0x%llx", path, (unsigned long long)measured->description);
  struct site site = {
      .file = name_of(&model->functions.names, file),
      .kind = CILKPROF_SITE_CALL,
      .caller = function_of_symbol(&model->functions, "<unknown>", NULL),
      .callee = function_of_symbol(&model->functions, file, NULL),
  };
  site.caller->nameless = site.callee->nameless = true;
  free(path);
  free(file);
  return site;
}

/* Adds the data of PROFILE except its sites.  */
static void add_profile(struct model *model, const struct cilkprof_profile *profile) {
  regions_add(&model->regions, profile);
  whatifs_add(&model->whatifs, &model->whatif_count, profile, model->run_count == 0);
  trees_add(&model->tree, &profile->tree);
  usages_add(&model->usages, model->totals.work, profile, model->run_count == 0);
  if (model->run_count++ == 0) {
    model->program = profile->program;
    model->run = profile->run;
  } else {
    add_saturating(&model->run.preempted_strands, profile->run.preempted_strands);
    add_saturating(&model->run.preempted_units, profile->run.preempted_units);
  }
  if (profile->root != NULL) {
    model->root = profile->root->name;
    add_saturating(&model->invocations, profile->root->invocations);
  }
  add_saturating(&model->outside, profile->outside);
  add_measure(&model->own, &profile->own);
  model->program.flags |= profile->program.flags;
  add_totals(&model->totals, &profile->totals);
}

/* Finds the site through which code without instrumentation entered the program, among the sites from number FIRST on.
   It is the one with most work, because all others ran below it.  It is changed only if it has no description, which
   would have said so.  */
static void mark_entry(struct model *model, size_t first) {
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
  if (model->run_count > 0)
    convert_units(profile, model->run.units_per_second);
  struct progress progress = {.what = "naming call sites"};
  size_t first = model->site_count;
  struct last_lookup last = {0};
  if (profile->site_count > model->site_room - model->site_count) {
    model->site_room = model->site_count + profile->site_count;
    model->sites = reallocate(model->sites, model->site_room, sizeof *model->sites);
  }
  add_profile(model, profile);
  for (size_t i = 0; i < profile->site_count; i++) {
    progress_step(&progress, i, profile->site_count);
    struct cilkprof_site *measured = &profile->sites[i];
    const struct cilkprof_object *object = &profile->objects[measured->object];
    struct bound_object *holder = bound[measured->object];
    struct description description;
    bool described = holder != NULL && object_reach(holder->object, measured->description, &description);
    if (!described && !force)
      fail(path, "site %zu is described at 0x%llx of %s, where no description is; use --force to go on", i,
           (unsigned long long)measured->description, object->path);
    struct site site =
        described ? described_site(model, &last, &description) : undescribed_site(model, object, measured);
    if (described && measured->callee_object == CILKPROF_NO_OBJECT)
      site.callee = described_callee(model, &description);
    site.measured = measured;
    model_add_site(model, &site);
  }
  progress_end(&progress);
  if (force)
    mark_entry(model, first);
}

void model_name_callees(struct model *model, size_t first, const struct cilkprof_profile *profile,
                        struct bound_object **bound) {
  for (size_t i = 0; i < profile->site_count; i++) {
    uint32_t object = profile->sites[i].callee_object;
    if (object != CILKPROF_NO_OBJECT)
      model->sites[first + i].callee =
          function_at(&model->functions, bound[object], profile->objects[object].path, profile->sites[i].callee);
  }
}

void model_add_unreached(struct model *model, const struct object *object) {
  struct description_walk walk = {0};
  struct last_lookup last = {0};
  for (struct description description; object_next(object, &walk, &description);) {
    if (description.reached)
      continue;
    struct site site = described_site(model, &last, &description);
    site.callee = described_callee(model, &description);
    site.measured = allocate(1, sizeof *site.measured);
    site.unreached = true;
    model_add_site(model, &site);
  }
}

void replace_functions(struct model *model, struct function *const *shown) {
  for (size_t i = 0; i < model->site_count; i++) {
    struct site *site = &model->sites[i];
    site->callee = shown[site->callee->number];
    if (site->caller != NULL)
      site->caller = shown[site->caller->number];
  }
}
