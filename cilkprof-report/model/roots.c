/* Roots: whose passages the report is of.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/model/input.h"
#include "cilkprof-report/support/support.h"

static const struct cilkprof_root *find_root(const struct cilkprof_profile *profile, const char *name) {
  for (size_t i = 0; i < profile->root_count; i++)
    if (strcmp(profile->roots[i].name, name) == 0)
      return &profile->roots[i];
  return NULL;
}

/* Those that the profile has, or what to do where it has none.  */
__attribute__((noreturn)) static void fail_without(const struct cilkprof_profile *profile, const char *path,
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
  fail(path, "it has no root %s; run the program with CILKPROF_ROOT='%s'", name, name);
}

void choose_root(struct input *input, const char *name) {
  if (name == NULL && input->wholes[0].root_count > 0)
    name = input->wholes[0].roots[0].name;
  for (size_t i = 0; i < input->count; i++) {
    const struct cilkprof_profile *whole = &input->wholes[i];
    input->profiles[i] = *whole;
    if (name == NULL || *name == 0)
      continue;
    const struct cilkprof_root *root = find_root(whole, name);
    if (root == NULL)
      fail_without(whole, input->paths[i], name);
    if (cilkprof_root_profile(whole, root, &input->profiles[i]) != 0)
      fail_without_memory();
  }
}

void check_same_root(const char *first, const char *other, const char *path) {
  if (first == NULL && other == NULL)
    return;
  if (first == NULL || other == NULL)
    fail(path, "it is of %s%s, the profile before it of %s%s; choose the same of both with --root",
         other != NULL ? "root " : "the whole program", other != NULL ? other : "", first != NULL ? "root " : "the whole program",
         first != NULL ? first : "");
  if (strcmp(first, other) != 0)
    fail(path, "it is of root %s, the profile before it of root %s; choose the same of both with --root", other, first);
}

/* A row that no call site of the program has.  */
static struct cilkprof_site *add_row(struct model *model, const char *name) {
  struct site site = {
      .file = name_of(&model->names, name),
      .kind = CILKPROF_SITE_OUTSIDE,
      .callee = function_of_symbol(model, name, NULL),
      .measured = allocate(1, sizeof *site.measured),
  };
  site.callee->library = true; /* nothing is to be advised on it */
  model_add_site(model, &site);
  return site.measured;
}

/* Nothing is known of what is outside but its work.  */
void model_add_root(struct model *model) {
  if (model->root == NULL)
    return;
  if (model->outside > 0) {
    struct cilkprof_measure outside = {.count = 1, .work = model->outside};
    add_row(model, "<outside>")->on_work = (struct cilkprof_measures){outside, outside, outside};
  }
  if (model->own.count > 0) {
    struct cilkprof_measure all = {model->own.count, model->totals.work, model->totals.span,
                                   model->totals.burdened_span};
    char *name = format_string("region %s", model->root);
    struct cilkprof_site *row = add_row(model, name);
    row->on_work = row->on_span = (struct cilkprof_measures){all, all, model->own};
    free(name);
  }
}
