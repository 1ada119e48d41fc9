/* Chooses the root that the report is about, and makes it the start of the call graph.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/model/input.h"
#include "cilkprof-report/support/names.h"
#include "cilkprof-report/support/support.h"

/* Returns the only root of PROFILE whose brief name is that of NAME; NULL if there is none, or several.  */
static const struct cilkprof_root *model_root_by_brief_name(const struct cilkprof_profile *profile, const char *name) {
  const struct cilkprof_root *found = NULL;
  size_t count = 0;
  char *wanted = brief_name(name, 0);
  for (size_t i = 0; i < profile->root_count; i++) {
    char *brief = brief_name(profile->roots[i].name, 0);
    if (strcmp(brief, wanted) == 0) {
      found = &profile->roots[i];
      count++;
    }
    free(brief);
  }
  free(wanted);
  return count == 1 ? found : NULL;
}

/* Returns the root of PROFILE with this name, or NULL.  NAME may be the name that CILKPROF_ROOT had in the run, or the
   name that the report prints.  */
const struct cilkprof_root *find_model_root(const struct cilkprof_profile *profile, const char *name) {
  for (size_t i = 0; i < profile->root_count; i++)
    if (strcmp(profile->roots[i].name, name) == 0)
      return &profile->roots[i];
  return model_root_by_brief_name(profile, name);
}

/* Fails because PROFILE has no root NAME.  The message lists its roots or, if it has none, says how to get them.  A
   live file has no roots because it has no spans.  */
__attribute__((noreturn)) static void fail_without_model_root(const struct cilkprof_profile *profile, const char *path,
                                                              const char *name) {
  char *list = NULL;
  for (size_t i = 0; i < profile->root_count; i++) {
    char *root = escape(profile->roots[i].name);
    char *longer = format_string("%s%s%s", list != NULL ? list : "", list != NULL ? ", " : "", root);
    free(root);
    free(list);
    list = longer;
  }
  if (list != NULL)
    fail(path, "it has no root %s, only: %s", name, list);
  if (profile->program.flags & CILKPROF_FROM_LIVE)
    fail(path, "a live file has no roots; let the program end, or write its profile before");
  fail(path, "it has no root %s; use cilkprof run --root='%s'", name, name);
}

/* Sets the profiles of INPUT to those of the root NAME, or of the first root if NAME is NULL.  They are those of the
   whole program if NAME is empty or there are no roots.  */
void choose_model_root(struct input *input, const char *name) {
  if (name == NULL && input->wholes[0].root_count > 0)
    name = input->wholes[0].roots[0].name;
  for (size_t i = 0; i < input->count; i++) {
    const struct cilkprof_profile *whole = &input->wholes[i];
    input->profiles[i] = *whole;
    if (name == NULL || *name == 0 || i >= input->measured)
      continue;
    const struct cilkprof_root *root = find_model_root(whole, name);
    if (root == NULL)
      fail_without_model_root(whole, input->paths[i], name);
    if (cilkprof_root_profile(whole, root, &input->profiles[i]) != 0)
      fail_without_memory();
  }
}

/* Returns the function that stands for the region LABEL, which is a root, and adds it if there is none.  */
static struct function *model_root_region_function(struct model *model, const char *label) {
  char *name = format_string("region %s", label);
  struct function *function = function_of_symbol(&model->functions, name, NULL);
  free(name);
  return function;
}

/* How the functions of the root are called, by function number.  */
struct callers {
  bool *is_called;             /* a call in the root leads to the function */
  const struct site **entries; /* the largest site by which the function enters the root, or NULL */
};

/* Finds how the functions of ROOT are called.  Its call sites are those of MODEL from number FIRST on.  The arrays of
   the result are allocated.  */
static struct callers find_model_root_callers(const struct model *model, size_t first,
                                              const struct cilkprof_root *root) {
  struct callers callers = {allocate(model->functions.count + 1, sizeof *callers.is_called),
                            allocate(model->functions.count + 1, sizeof *callers.entries)};
  for (size_t i = 0; i < root->site_count; i++) {
    const struct site *site = &model->sites[first + i];
    callers.is_called[site->callee->number] = true;
    if (site->caller == NULL || root->sites[i].invocations == 0)
      continue;
    const struct site **entry = &callers.entries[site->caller->number];
    if (*entry == NULL || (*entry)->measured->on_work.local.work < site->measured->on_work.local.work)
      *entry = site;
  }
  return callers;
}

/* Makes the callers of the root code without instrumentation, in the sites from number FIRST on, which are those of
   PROFILE.  Calls in a loop or a spawned block are described as calls by the function around it; if that function is
   not called in the root, the root itself makes these calls.  */
void model_enter_root(struct model *model, size_t first, const struct cilkprof_profile *profile) {
  const struct cilkprof_root *root = profile->root;
  if (root == NULL)
    return;
  struct function *region = profile->own.count > 0 ? model_root_region_function(model, root->name) : NULL;
  struct callers callers = find_model_root_callers(model, first, root);
  for (size_t i = 0; i < root->site_count; i++) {
    struct site *site = &model->sites[first + i];
    uint64_t invocations = root->sites[i].invocations;
    if (site->caller == NULL)
      continue;
    const struct site *entry = callers.entries[site->caller->number];
    bool is_called = callers.is_called[site->caller->number];
    if (invocations > 0 && (!is_called || invocations == site->measured->on_work.local.count))
      site->caller = NULL;
    else if (!is_called)
      site->caller = region != NULL ? region : entry != NULL ? entry->callee : NULL;
  }
  free(callers.is_called);
  free(callers.entries);
}

/* Adds a call site for costs of a root that belong to no call site of the program, with FUNCTION as its callee.
   Returns its measurements.  */
static struct cilkprof_site *add_model_root_row(struct model *model, struct function *function) {
  struct site site = {
      .file = function->symbol,
      .kind = CILKPROF_SITE_OUTSIDE,
      .callee = function,
      .measured = allocate(1, sizeof *site.measured),
  };
  site.callee->library = true; /* no advice is to be given about it */
  model_add_site(model, &site);
  return site.measured;
}

/* Adds a call site for the work outside the root, of which only the work is known, and one for the work that a region
   did itself.  Does nothing if the report is about the whole program.  */
void model_add_root(struct model *model) {
  if (model->root == NULL)
    return;
  if (model->outside > 0) {
    struct cilkprof_measure outside = {.count = 1, .work = model->outside};
    add_model_root_row(model, function_of_symbol(&model->functions, "<outside>", NULL))->on_work =
        (struct cilkprof_measures){outside, outside, outside};
  }
  if (model->own.count > 0) {
    struct cilkprof_measure all = {model->own.count, model->totals.work, model->totals.span,
                                   model->totals.burdened_span};
    struct cilkprof_site *row = add_model_root_row(model, model_root_region_function(model, model->root));
    row->on_work = row->on_span = (struct cilkprof_measures){all, all, model->own};
  }
}
