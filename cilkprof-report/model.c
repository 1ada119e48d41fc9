/* From the sites of profiles to functions, arcs and cycles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/model.h"
#include "cilkprof-report/progress.h"
#include "cilkprof-report/support.h"
#include "cilkprof-report/units.h"
#include "cilkprof-report/whatif.h"

void add(uint64_t *sum, uint64_t value) {
  if (__builtin_add_overflow(*sum, value, sum))
    fail("profiles", "their sums exceed 64 bits");
}

void add_measure(struct cilkprof_measure *sum, const struct cilkprof_measure *measure) {
  add(&sum->count, measure->count);
  add(&sum->work, measure->work);
  add(&sum->span, measure->span);
  add(&sum->burdened_span, measure->burdened_span);
}

void add_measures(struct cilkprof_measures *sum, const struct cilkprof_measures *measures) {
  add_measure(&sum->top_call_site, &measures->top_call_site);
  add_measure(&sum->top_caller, &measures->top_caller);
  add_measure(&sum->local, &measures->local);
}

static bool is_site(const void *array, size_t place, const void *key) {
  const struct site *a = (const struct site *)array + place, *b = key;
  return a->file == b->file && a->line == b->line && a->column == b->column && a->kind == b->kind &&
         a->caller == b->caller && a->callee == b->callee;
}

/* The compiler may describe a site more than once, and profiles may be several: what cannot be told apart is added.  */
static uint32_t add_site(struct model *model, const struct site *site) {
  uint64_t hash =
      hash_add(hash_add(hash_add(0, (uintptr_t)site->file), (uintptr_t)site->caller), (uintptr_t)site->callee);
  hash = hash_add(hash, (uint64_t)site->line << 32 | site->column << 2 | site->kind);
  size_t place = table_find(&model->site_table, hash, is_site, model->sites, site, model->site_count);
  if (place == model->site_count) {
    model->sites = grow(model->sites, model->site_count, &model->site_room, sizeof *model->sites);
    model->sites[model->site_count++] = *site;
  } else {
    add_measures(&model->sites[place].measured->on_work, &site->measured->on_work);
    add_measures(&model->sites[place].measured->on_span, &site->measured->on_span);
  }
  return (uint32_t)place;
}

static struct function *described_caller(struct model *model, const struct description *description) {
  if (description->kind == CILKPROF_SITE_OUTSIDE)
    return NULL;
  bool local = description->flags & CILKPROF_SITE_CALLER_LOCAL;
  return function_of_symbol(model, description->caller, local ? description->unit : NULL);
}

static struct function *described_callee(struct model *model, const struct description *description) {
  if (description->kind == CILKPROF_SITE_LOOP)
    return function_of_loop(model, description);
  bool local = description->flags & CILKPROF_SITE_CALLEE_LOCAL;
  return function_of_symbol(model, description->callee, local ? description->unit : NULL);
}

static struct site described_site(struct model *model, const struct description *description) {
  char *file = escape(description->file);
  struct site site = {
      .file = name_of(&model->names, file),
      .line = description->line,
      .column = description->column,
      .kind = description->kind,
      .caller = described_caller(model, description),
  };
  free(file);
  return site;
}

/* A site of which only its address is known.  */
static struct site undescribed_site(struct model *model, const struct cilkprof_object *object,
                                    const struct cilkprof_site *measured) {
  char *path = escape(base_name(object->path));
  char *file = format_string("%s+0x%llx", path, (unsigned long long)measured->description);
  struct site site = {.file = name_of(&model->names, file), .kind = CILKPROF_SITE_CALL};
  site.caller = site.callee = function_of_symbol(model, "<unknown>", NULL);
  site.callee->nameless = true;
  free(path);
  free(file);
  return site;
}

void check_compatible(const struct cilkprof_profile *first, const struct cilkprof_profile *other, const char *path) {
  if (other->program.mode != first->program.mode ||
      (other->run.units_per_second == 0) != (first->run.units_per_second == 0))
    fail(path, "it was measured in another mode than the profiles before it; report it by itself");
  if (other->program.burden != first->program.burden)
    fail(path, "it was measured with another burden than the profiles before it; report it by itself");
}

void add_totals(struct cilkprof_totals *sum, const struct cilkprof_totals *totals) {
  add(&sum->work, totals->work);
  add(&sum->span, totals->span);
  add(&sum->burdened_span, totals->burdened_span);
  add(&sum->spawns, totals->spawns);
  add(&sum->syncs, totals->syncs);
}

static void add_profile(struct model *model, const struct cilkprof_profile *profile) {
  whatifs_add(&model->whatifs, &model->whatif_count, profile, model->run_count == 0);
  if (model->run_count++ == 0) {
    model->program = profile->program;
    model->run = profile->run;
  }
  model->program.flags |= profile->program.flags;
  add_totals(&model->totals, &profile->totals);
}

void model_add(struct model *model, struct cilkprof_profile *profile, struct bound_object **bound, const char *path,
               bool force) {
  if (model->run_count > 0)
    convert_units(profile, model->run.units_per_second);
  struct progress progress = {.what = "naming call sites"};
  uint32_t *places = allocate(profile->site_count, sizeof *places);
  add_profile(model, profile);
  for (size_t i = 0; i < profile->site_count; i++) {
    progress_step(&progress, i, profile->site_count);
    struct cilkprof_site *measured = &profile->sites[i];
    const struct cilkprof_object *object = &profile->objects[measured->object];
    struct bound_object *holder = bound[measured->object];
    struct description *description = holder != NULL ? object_description(holder->object, measured->description) : NULL;
    if (description == NULL && !force)
      fail(path, "site %zu is described at 0x%llx of %s, where no description is; use --force to go on", i,
           (unsigned long long)measured->description, object->path);
    struct site site =
        description != NULL ? described_site(model, description) : undescribed_site(model, object, measured);
    if (description != NULL)
      description->reached = true;
    if (measured->callee_object != CILKPROF_NO_OBJECT)
      site.callee = function_at(model, bound[measured->callee_object], profile->objects[measured->callee_object].path,
                                measured->callee);
    else if (description != NULL)
      site.callee = described_callee(model, description);
    site.measured = measured;
    places[i] = add_site(model, &site);
  }
  progress_end(&progress);
  contexts_add(&model->contexts, profile, places, path);
  free(places);
}

void model_add_unreached(struct model *model, const struct object *object) {
  for (size_t i = 0; i < object->description_count; i++) {
    const struct description *description = &object->descriptions[i];
    if (description->reached)
      continue;
    struct site site = described_site(model, description);
    site.callee = described_callee(model, description);
    site.measured = allocate(1, sizeof *site.measured);
    site.unreached = true;
    add_site(model, &site);
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
