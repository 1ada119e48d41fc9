/* Findings about the next bottlenecks: large functions with little parallelism that are off the critical path today,
   and will limit the program once the present bottleneck is removed.
   SPDX-License-Identifier: GPL-3.0-or-later

   One call of such a function is so long that the program would not have ample parallelism even if only this call were
   on the critical path.  That follows from the values of its calls.  They do not show what is on the critical path of
   the function itself; a run with the function as a root does.  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/analysis/findings.h"
#include "cilkprof-report/analysis/whatif.h"
#include "cilkprof-report/model/library.h"
#include "cilkprof-report/model/outermost.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/support/support.h"

enum {
  LARGE_WORK = 20, /* percent of the work that make a function large */
  MAX_NEXT = 2,    /* findings about next bottlenecks */
};

/* A next bottleneck.  */
struct next {
  const struct function *function; /* NULL: has been reported, or not a next bottleneck */
  struct cilkprof_measure calls;   /* outermost calls; a count of 0: not a next bottleneck */
};

/* Returns whether the function with these outermost CALLS is a next bottleneck: large, with little parallelism, mostly
   off the critical path, and with calls so long that they would limit the program.  */
static bool is_next_bottleneck(const struct verdict *verdict, const struct outermost *calls) {
  const struct cilkprof_measure *all = &calls->on_work;
  const struct cilkprof_totals *totals = &verdict->model->totals;
  if (all->count == 0 || all->span == 0 || model_percent_of_whole(all->work, totals->work) < LARGE_WORK)
    return false;
  double one = (double)all->span / (double)all->count;
  return calls->on_span.span < all->span / 2 && finding_ratio(all->work, all->span) < AMPLE &&
         (double)totals->work < AMPLE * (double)verdict->processors * one;
}

/* Comparison for qsort: sorts the call sites of possible next bottlenecks by callee.  */
static int compare_next_bottleneck_sites(const void *left, const void *right) {
  const struct site *a = *(const struct site *const *)left, *b = *(const struct site *const *)right;
  if (a->callee != b->callee)
    return a->callee->number < b->callee->number ? -1 : 1;
  return a < b ? -1 : a > b;
}

/* Stores in SITES the call sites of large functions, which may be next bottlenecks, sorted by callee.  Returns their
   number.  */
static size_t find_next_bottleneck_sites(const struct model *model, const struct site **sites) {
  size_t count = 0;
  for (size_t i = 0; i < model->site_count; i++) {
    const struct function *callee = model->sites[i].callee;
    if (!is_library_function(callee) &&
        model_percent_of_whole(model_function_measure(callee).work, model->totals.work) >= LARGE_WORK)
      sites[count++] = &model->sites[i];
  }
  qsort(sites, count, sizeof *sites, compare_next_bottleneck_sites);
  return count;
}

/* Returns the function of the largest present bottleneck, or NULL.  Other calls of it may be off the critical path.  */
static const struct function *present_bottleneck_function(const struct model *model) {
  struct bottleneck bottleneck;
  return find_bottlenecks(model, least_bottleneck_span(model), &bottleneck, 1) > 0 ? bottleneck.function : NULL;
}

/* Returns an allocated array, indexed by function number, of the next bottlenecks among the callees of SITES.  */
static struct next *find_next_bottlenecks(const struct verdict *verdict, const struct site *const *sites,
                                          size_t count) {
  const struct model *model = verdict->model;
  const struct function *today = present_bottleneck_function(model);
  struct next *all = allocate(model->functions.count, sizeof *all);
  struct nesting nesting = make_model_nesting(model);
  for (size_t i = 0, end; i < count; i = end) {
    const struct function *callee = sites[i]->callee;
    for (end = i + 1; end < count && sites[end]->callee == callee; end++)
      ;
    struct outermost calls = model_outermost_calls(&nesting, sites + i, end - i);
    if (callee != today && is_next_bottleneck(verdict, &calls))
      all[callee->number] = (struct next){callee, calls.on_work};
  }
  free_model_nesting(&nesting);
  return all;
}

/* Returns whether SITE calls a next bottleneck and its caller is none: otherwise a run with the caller as a root shows
   the callee.  */
static bool leads_to_next_bottleneck(const struct next *all, const struct site *site) {
  return all[site->callee->number].calls.count > 0 &&
         (site->caller == NULL || all[site->caller->number].calls.count == 0);
}

/* Returns the next bottleneck with the most work that has not been taken yet, and marks it as taken; its function is
   NULL if there is none.  */
static struct next take_largest_next_bottleneck(struct next *all, const struct site *const *sites, size_t count) {
  struct next *largest = NULL;
  for (size_t i = 0; i < count; i++) {
    struct next *one = &all[sites[i]->callee->number];
    if (one->function != NULL && leads_to_next_bottleneck(all, sites[i]) &&
        (largest == NULL || one->calls.work > largest->calls.work))
      largest = one;
  }
  struct next taken = {0};
  if (largest != NULL) {
    taken = *largest;
    largest->function = NULL;
  }
  return taken;
}

/* Returns the command that profiles NAME, a function or a call site of MODEL, as a root.  The text is allocated.  */
char *root_command(const struct model *model, const char *name) {
  char *text;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (out == NULL)
    fail_without_memory();
  char *option = format_string("--root=%s", name);
  fputs("cilkprof ", out);
  print_advised_command_word(out, option);
  free(option);
  for (uint32_t i = 0; i < model->program.argc; i++) {
    putc(' ', out);
    print_advised_command_word(out, model->program.argv[i]);
  }
  if (fclose(out) != 0 || text == NULL)
    fail_without_memory();
  return text;
}

/* Returns whether FUNCTION has events, so that it may be a root.  */
static bool may_be_root(const struct model *model, const struct function *function) {
  for (size_t i = 0; i < model->site_count; i++)
    if (model->sites[i].callee == function && !model->sites[i].sampled && !model->sites[i].unreached)
      return true;
  return false;
}

/* Adds a finding to VERDICT about the next bottleneck NEXT, with the command that profiles it.  */
static void add_next_bottleneck_finding(struct verdict *verdict, const struct next *next) {
  const struct model *model = verdict->model;
  const struct function *today = present_bottleneck_function(model);
  char *first = today != NULL ? format_string("'%s'", today->brief_name) : format_string("the bottleneck above");
  char *command = root_command(model, next->function->name);
  const char *how = may_be_root(model, next->function) ? format_string("  To look into it: %s", command) : "";
  struct finding *finding = add_finding(
      verdict, FINDING_NEXT_BOTTLENECK, TONE_NOTICE,
      format_string("'%s' has %.1f%% of the work, is off the critical path today, and has a parallelism of "
                    "only %s: it comes next once %s is fixed.%s",
                    next->function->brief_name, model_percent_of_whole(next->calls.work, model->totals.work),
                    model_parallelism_text(next->calls.work, next->calls.span).text, first, how));
  set_finding_place(verdict, finding, next->function->name, largest_call_for_finding(model, next->function->name));
  set_finding_share(finding, model_percent_of_whole(next->calls.work, model->totals.work), "work");
  free(first);
  free(command);
}

/* Adds findings about the bottlenecks that remain once the present one is removed, at most MAX_NEXT.  What other
   threads of a team do is no next bottleneck: it is what the team divides; and a program with teams cannot be run with
   roots.  */
void judge_next_bottlenecks(struct verdict *verdict) {
  const struct model *model = verdict->model;
  if (model->program.flags & CILKPROF_NO_ON_SPAN || model->site_count == 0 || has_judged_program_teams(model))
    return;
  const struct site **sites = allocate(model->site_count, sizeof *sites);
  size_t count = find_next_bottleneck_sites(model, sites);
  struct next *all = find_next_bottlenecks(verdict, sites, count), next;
  for (int i = 0; i < MAX_NEXT && (next = take_largest_next_bottleneck(all, sites, count)).function != NULL; i++)
    add_next_bottleneck_finding(verdict, &next);
  free(sites);
  free(all);
}
