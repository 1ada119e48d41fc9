/* Compares two builds of a program, call site by call site.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/analysis/diff.h"
#include "cilkprof-report/model/outermost.h"
#include "cilkprof-report/support/sort.h"
#include "cilkprof-report/support/support.h"

/* Returns the name of the caller of SITE by which call sites of two builds are matched; "<spontaneous>" if the caller
   is unknown.  */
static const char *diff_caller_name(const struct site *site) {
  return site->caller != NULL ? site->caller->short_name : "<spontaneous>";
}

/* Callback of hash_table_find: returns whether the change at PLACE has the functions, file and line of KEY.  Their
   strings are in the names of the diff, so equal strings have equal addresses.  */
static bool is_same_diff_change(const void *array, size_t place, const void *key) {
  const struct change *a = (const struct change *)array + place, *b = key;
  return a->caller == b->caller && a->callee == b->callee && a->file == b->file && a->line[OLD] == b->line[OLD];
}

/* Returns the index of the change between two builds for SITE, which is added if there is none.  */
static size_t find_diff_change(struct diff *diff, const struct site *site) {
  struct change key = {
      .caller = interned_name_text(&diff->names, diff_caller_name(site)),
      .callee = interned_name_text(&diff->names, site->callee->short_name),
      .file = interned_name_text(&diff->names, base_name(site->file)),
      .line = {site->line, site->line},
  };
  uint64_t hash = hash_add(hash_add(hash_add(0, (uintptr_t)key.caller), (uintptr_t)key.callee), (uintptr_t)key.file);
  size_t place =
      hash_table_find(&diff->table, hash_add(hash, site->line), is_same_diff_change, diff->changes, &key, diff->count);
  if (place == diff->count) {
    diff->changes = grow_array(diff->changes, diff->count, &diff->room, sizeof *diff->changes);
    key.shown_caller = site->caller != NULL ? site->caller->brief_name : key.caller;
    key.shown_callee = site->callee->brief_name;
    diff->changes[diff->count++] = key;
  }
  return place;
}

/* Adds VALUE, that of one run, to SERIES, the values in all runs of a build.  FIRST: it is the first run of the
   build.  */
void add_diff_value(struct series *series, double value, bool first) {
  series->sum += value;
  series->squares += value * value;
  series->least = first || value < series->least ? value : series->least;
  series->most = first || value > series->most ? value : series->most;
}

/* Adds up the values of all SITES that belong to CHANGE in one run.  */
static void sum_diff_change(struct change *change, struct nesting *nesting, const struct site *const *sites,
                            size_t count) {
  struct outermost outermost = model_outermost_calls(nesting, sites, count);
  change->run[WORK] = outermost.on_work.work;
  change->run[SPAN] = outermost.on_work.span;
  for (size_t i = 0; i < count; i++) {
    model_add_saturating(&change->run[OWN_SPAN], sites[i]->measured->on_span.local.span);
    model_add_saturating(&change->run[OWN_WORK], sites[i]->measured->on_work.local.work);
  }
}

/* Adds all call sites of MODEL, one run of the build SIDE, to the changes of DIFF.  Those with the same caller, callee
   and line count as one.  */
static void read_diff_sites(struct diff *diff, const struct model *model, int side) {
  struct nesting nesting = make_model_nesting(model);
  struct keyed *keyed = allocate(model->site_count, sizeof *keyed);
  const struct site **sites = allocate(model->site_count, sizeof *sites);
  for (size_t i = 0; i < model->site_count; i++)
    keyed[i] = (struct keyed){find_diff_change(diff, &model->sites[i]), &model->sites[i]};
  sort_keyed(keyed, model->site_count, NULL, NULL);
  for (size_t i = 0; i < model->site_count; i++)
    sites[i] = keyed[i].of;
  for (size_t i = 0, end; i < model->site_count; i = end) {
    for (end = i + 1; end < model->site_count && keyed[end].key == keyed[i].key; end++)
      ;
    diff->changes[keyed[i].key].present[side] = true;
    sum_diff_change(&diff->changes[keyed[i].key], &nesting, sites + i, end - i);
  }
  free_model_nesting(&nesting);
  free(keyed);
  free(sites);
}

/* Adds the values of MODEL, one run of the build SIDE, to all changes of DIFF.  FIRST: it is the first run of the
   build.  */
static void read_diff_run(struct diff *diff, const struct model *model, int side, bool first) {
  read_diff_sites(diff, model, side);
  for (size_t i = 0; i < diff->count; i++) {
    struct change *change = &diff->changes[i];
    for (size_t value = 0; value < VALUES; value++)
      add_diff_value(&change->values[side][value], (double)change->run[value], first);
    memset(change->run, 0, sizeof change->run);
  }
}

/* Adds the values of all runs of the build SIDE to the changes of DIFF.  In runs without a call site its values are
   0.  */
static void read_diff_runs(struct diff *diff, int side) {
  for (size_t i = 0; i < diff->runs[side].count; i++)
    read_diff_run(diff, &diff->runs[side].models[i], side, i == 0);
}

/* Comparison for qsort of pointers to changes: sorts by functions, then by source location.  */
static int compare_diff_functions(const void *left, const void *right) {
  const struct change *a = *(struct change *const *)left, *b = *(struct change *const *)right;
  int order = strcmp(a->caller, b->caller);
  if (order == 0)
    order = strcmp(a->callee, b->callee);
  if (order == 0)
    order = strcmp(a->file, b->file);
  return order != 0 ? order : a->line[OLD] < b->line[OLD] ? -1 : a->line[OLD] > b->line[OLD];
}

/* Returns whether two changes of a diff have the same caller and callee.  */
static bool is_same_diff_call(const struct change *a, const struct change *b) {
  return a->caller == b->caller && a->callee == b->callee;
}

/* Stores in FOUND the changes whose call sites only the build SIDE has, sorted by functions and location.  Returns
   their number.  */
static size_t find_unmatched_diff_changes(struct diff *diff, int side, struct change **found) {
  size_t count = 0;
  for (size_t i = 0; i < diff->count; i++)
    if (diff->changes[i].present[side] && !diff->changes[i].present[1 - side])
      found[count++] = &diff->changes[i];
  qsort(found, count, sizeof *found, compare_diff_functions);
  return count;
}

/* Returns the order of two changes of a diff by the names of caller and callee, as strcmp does.  */
static int compare_diff_calls(const struct change *a, const struct change *b) {
  int order = strcmp(a->caller, b->caller);
  return order != 0 ? order : strcmp(a->callee, b->callee);
}

/* Matches call sites of two builds whose line changed because code moved: for the same functions, in the order of their
   lines.  */
static void match_moved_diff_calls(struct diff *diff) {
  struct change **old = allocate(diff->count, sizeof *old), **new = allocate(diff->count, sizeof *new);
  size_t old_count = find_unmatched_diff_changes(diff, OLD, old),
         new_count = find_unmatched_diff_changes(diff, NEW, new);
  for (size_t o = 0, n = 0; o < old_count && n < new_count;) {
    int order = is_same_diff_call(old[o], new[n]) ? 0 : compare_diff_calls(old[o], new[n]);
    if (order == 0) {
      old[o]->line[NEW] = new[n]->line[NEW];
      old[o]->present[NEW] = true;
      memcpy(old[o]->values[NEW], new[n]->values[NEW], sizeof old[o]->values[NEW]);
      memset(new[n]->present, 0, sizeof new[n]->present);
    }
    o += order <= 0;
    n += order >= 0;
  }
  free(old);
  free(new);
}

/* Returns the mean of SERIES, a value in all RUNS of a build; 0 if there are none.  */
double diff_series_mean(const struct series *series, size_t runs) {
  return runs > 0 ? series->sum / (double)runs : 0;
}

bool is_diff_of_several_runs(const struct diff *diff) {
  return diff->runs[OLD].count > 1 && diff->runs[NEW].count > 1;
}

/* Returns the square of the standard error of the mean of SERIES, a value in several RUNS of a build: their variance,
   divided by their number.  */
static double squared_diff_error(const struct series *series, size_t runs) {
  double count = (double)runs, variance = (series->squares - series->sum * series->sum / count) / (count - 1);
  return series->least < series->most && variance > 0 ? variance / count : 0;
}

double diff_quotient_error(const struct diff *diff, const struct series *old, const struct series *new) {
  size_t runs[SIDES] = {diff->runs[OLD].count, diff->runs[NEW].count};
  double before = diff_series_mean(old, runs[OLD]), after = diff_series_mean(new, runs[NEW]);
  return after / before *
         sqrt(squared_diff_error(old, runs[OLD]) / (before * before) +
              squared_diff_error(new, runs[NEW]) / (after * after));
}

/* Returns how many standard errors a difference of two builds must have so that 95% of chance differences are smaller:
   the quantile of Student's distribution with so many degrees of FREEDOM.  */
static double diff_noise_limit(double freedom) {
  static const double limits[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
                                  2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086};
  size_t known = sizeof limits / sizeof *limits;
  if (freedom < 2)
    return limits[0];
  return freedom < (double)(known + 1) ? limits[(size_t)freedom - 1] : 1.96 + 2.5 / freedom;
}

/* Returns whether the difference of the means of OLD and NEW may be chance, by Welch's test at 95%: the two builds may
   vary by different amounts.  False unless both builds have several runs.  */
bool is_diff_noise(const struct diff *diff, const struct series *old, const struct series *new) {
  if (!is_diff_of_several_runs(diff))
    return false;
  size_t runs[SIDES] = {diff->runs[OLD].count, diff->runs[NEW].count};
  double of_old = squared_diff_error(old, runs[OLD]), of_new = squared_diff_error(new, runs[NEW]);
  double squared = of_old + of_new,
         weights = of_old * of_old / (double)(runs[OLD] - 1) + of_new * of_new / (double)(runs[NEW] - 1);
  if (squared == 0)
    return false;
  double difference = diff_series_mean(new, runs[NEW]) - diff_series_mean(old, runs[OLD]);
  return fabs(difference) <= diff_noise_limit(squared * squared / weights) * sqrt(squared);
}

/* Returns by how much the mean of VALUE differs between the two builds, as a part of WHOLE, without sign.  */
static double relative_diff_change(const struct diff *diff, const struct change *change, enum value value,
                                   double whole) {
  double old = diff_series_mean(&change->values[OLD][value], diff->runs[OLD].count);
  double new = diff_series_mean(&change->values[NEW][value], diff->runs[NEW].count);
  return whole > 0 ? fabs(new - old) / whole : 0;
}

/* Comparison for qsort: sorts changes between two builds by weight, largest first, then by functions and location.  */
static int compare_diff_weights(const void *left, const void *right) {
  const struct change *a = left, *b = right;
  if (a->weight != b->weight)
    return a->weight > b->weight ? -1 : 1;
  return compare_diff_functions(&left, &right);
}

void make_diff(struct diff *diff) {
  const struct cilkprof_totals *totals = &diff->runs[OLD].models[0].totals;
  for (int side = OLD; side < SIDES; side++)
    read_diff_runs(diff, side);
  match_moved_diff_calls(diff);
  for (size_t i = 0; i < diff->count; i++) {
    double span = relative_diff_change(diff, &diff->changes[i], OWN_SPAN, (double)totals->span);
    double work = relative_diff_change(diff, &diff->changes[i], OWN_WORK, (double)totals->work);
    diff->changes[i].weight = span > work ? span : work;
  }
  if (diff->count > 0)
    qsort(diff->changes, diff->count, sizeof *diff->changes, compare_diff_weights);
}
