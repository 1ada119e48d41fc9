/* Finds out why functions were slower in a parallel run than they could be.
   SPDX-License-Identifier: GPL-3.0-or-later

   Idleness is due to a lack of parallelism if work and span show that few processors can run the function's own code at
   once.  If many could, the pieces were too large or were not distributed.  Overhead is also a matter of grain size.
   If the work takes longer on several processors than on one, it is inflated; samples do not tell why.  */

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/analysis/causes.h"
#include "cilkprof-report/analysis/culprits.h"
#include "cilkprof-report/analysis/waste.h"
#include "cilkprof-report/model/commands.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/support/sort.h"
#include "cilkprof-report/support/support.h"

enum {
  MUCH = 10,       /* percent of a function's own effort that is a large loss */
  FEW_SAMPLES = 25 /* work of fewer samples is too little to compare with */
};
static const double LEAST_OF_REFERENCE = 0.5; /* less work on several processors is not the same work */
static const double INFLATED = 1.15;          /* inflation of work that is more than the noise of a short run */
static const double APPROXIMATELY = 1.5;      /* such inflation if the reference was profiled, not sampled */
static const double INFLATED_WHOLE = 1.05;    /* inflation of the whole work, which has no error of sampling */

/* Returns the word for CAUSE, why a function was slow in parallel, as tables show it; "-" is none.  */
const char *cause_name(enum cause cause) {
  static const char *const names[CAUSES] = {"-", "parallelism", "grain", "inflation", "lock"};
  return names[cause];
}

/* Returns whether MODEL tells the cause of each function: it has samples of a parallel run, and work and span or
   samples with one worker.  */
bool are_causes_known(const struct model *model) {
  return model->samples != NULL && (model->run_count > 0 || model->samples->reference != NULL);
}

/* Returns work over span of the own code of FUNCTION: how many processors it could use.  0: it is not on the span.  */
double cause_own_parallelism(const struct function *function) {
  return function->self_on_span > 0 ? (double)function->self / (double)function->self_on_span : 0;
}

/* Returns the work of ROW with several workers divided by that with one; 0: unknown.  */
double cause_row_inflation(const struct cause_row *row) {
  return row->reference > 0 ? row->work / row->reference : 0;
}

/* Finds rows by the full names of functions, which are the same in other builds of a program.  */
struct rows {
  struct causes *causes;
  bool measured; /* there is a profile of work and span, whose functions have rows */
  struct table table;
  const char **names; /* full names of the rows */
  size_t name_room;
};

/* Callback of hash_table_find: returns whether the row at PLACE is of the function whose full name is KEY.  */
static bool is_cause_row_named(const void *array, size_t place, const void *key) {
  return strcmp(((const char *const *)array)[place], key) == 0;
}

/* Returns the hash of NAME, the full name of a function, by which its row of causes is found.  */
static uint64_t cause_row_hash(const char *name) {
  uint64_t hash = 0;
  for (; *name != 0; name++)
    hash = hash_add(hash, (unsigned char)*name);
  return hash;
}

/* Returns the row of causes of FUNCTION.  If there is none, adds one if ADD is true, and otherwise returns NULL.  */
static struct cause_row *find_cause_row(struct rows *rows, const struct function *function, bool add) {
  struct causes *causes = rows->causes;
  size_t place = hash_table_find(&rows->table, cause_row_hash(function->name), is_cause_row_named, rows->names,
                                 function->name, add ? causes->count : TABLE_NONE);
  if (place == TABLE_NONE)
    return NULL;
  if (place == causes->count) {
    rows->names = grow_array(rows->names, causes->count, &rows->name_room, sizeof *rows->names);
    rows->names[place] = function->name;
    causes->rows = grow_array(causes->rows, causes->count, &causes->room, sizeof *causes->rows);
    causes->rows[causes->count++] = (struct cause_row){.name = function->brief_name, .function = function};
  }
  return &causes->rows[place];
}

/* Returns the row of causes in which the samples of CONTEXT count, or NULL.  Inlined functions and libraries have no
   work of their own in a profile of work and span: their samples count for the nearest caller that has a row.  */
static struct cause_row *cause_row_of_context(struct rows *rows, const struct samples *samples, uint32_t context) {
  struct cause_row *row = find_cause_row(rows, samples->contexts[context].function, false);
  while (rows->measured && row == NULL && (context = samples->contexts[context].parent) != NO_CONTEXT)
    row = find_cause_row(rows, samples->contexts[context].function, false);
  return row;
}

/* Adds the samples of the parallel run to the rows of causes, and computes the work of each row per run.  */
static void add_samples_to_causes(struct rows *rows, const struct samples *samples) {
  for (uint32_t i = 0; i < samples->count; i++) {
    const struct sample_context *context = &samples->contexts[i];
    struct cause_row *row = cause_row_of_context(rows, samples, i);
    if (row == NULL)
      row = find_cause_row(rows, context->function, true);
    if (row == find_cause_row(rows, context->function, false))
      row->function = context->function; /* its source location is known more often than that of the profile's */
    sample_waste_add(&row->own, &context->own);
  }
  for (size_t i = 0; i < rows->causes->count; i++) {
    struct cause_row *row = &rows->causes->rows[i];
    row->work = (double)row->own.of[WASTE_WORK] / (double)samples->sampling.runs;
  }
}

/* Adds a row of causes for each function in the profile of work and span, with its own work as the reference.  */
static void add_measured_cause_rows(struct rows *rows, const struct model *model) {
  double ns =
      model->run.units_per_second > 0 ? 1e9 / (double)model->run.units_per_second / (double)model->run_count : 0;
  for (size_t i = 0; i < model->functions.count; i++) {
    const struct function *function = model->functions.list[i];
    if (function->merged || function->self == 0)
      continue;
    struct cause_row *row = find_cause_row(rows, function, true);
    row->measured = function;
    row->reference = (double)function->self * ns;
  }
  rows->causes->reference = ns > 0 ? REFERENCE_PROFILE : REFERENCE_NONE;
}

/* Replaces the reference of all rows of causes by REFERENCE, the samples of a run with one worker.  */
static void set_cause_reference_samples(struct rows *rows, const struct samples *reference) {
  for (size_t i = 0; i < rows->causes->count; i++)
    rows->causes->rows[i].reference = 0;
  for (uint32_t i = 0; i < reference->count; i++) {
    struct cause_row *row = cause_row_of_context(rows, reference, i);
    if (row != NULL)
      row->reference += (double)reference->contexts[i].own.of[WASTE_WORK] / (double)reference->sampling.runs;
  }
  rows->causes->reference = REFERENCE_SAMPLES;
}

/* Forgets the work with one worker if it is not that of the parallel run: the commands differ, or the parallel run did
   far less.  Its input may differ in other ways, of which nothing is known.  */
static void forget_other_cause_references(struct causes *causes, const struct model *model) {
  const struct samples *samples = model->samples;
  const struct cilkprof_program *program =
      causes->reference == REFERENCE_SAMPLES ? &samples->reference->program : &model->program;
  double work = 0, reference = 0;
  for (size_t i = 0; i < causes->count; i++) {
    work += causes->rows[i].work;
    reference += causes->rows[i].reference;
  }
  if (causes->reference == REFERENCE_NONE ||
      (is_same_model_command(&samples->program, program) && work > LEAST_OF_REFERENCE * reference))
    return;
  causes->reference = REFERENCE_OTHER;
  for (size_t i = 0; i < causes->count; i++)
    causes->rows[i].reference = 0;
}

/* Forgets the work with one worker where it is too little to compare with: functions are joined by their names, and
   what is inlined differs between builds.  */
static void forget_small_cause_references(struct causes *causes, uint64_t hz) {
  for (size_t i = 0; i < causes->count; i++)
    if (causes->rows[i].reference * (double)hz < FEW_SAMPLES * 1e9)
      causes->rows[i].reference = 0;
}

/* Returns the cause of idleness during ROW: a lack of parallelism if its own code could not keep twice as many
   PROCESSORS busy or was not profiled, otherwise grain size.  */
static enum cause cause_of_idleness(const struct cause_row *row, uint64_t processors) {
  if (row->measured == NULL || row->measured->self_on_span == 0)
    return row->measured == NULL ? CAUSE_PARALLELISM : CAUSE_GRAIN;
  return cause_own_parallelism(row->measured) < 2 * (double)processors ? CAUSE_PARALLELISM : CAUSE_GRAIN;
}

/* Returns whether the work of ROW takes longer on several processors than on one by more than the error of sampling:
   the square root of the number of samples.  */
static bool is_cause_row_inflated(const struct cause_row *row, enum cause_reference reference, uint64_t hz) {
  double period = 1e9 / (double)hz, scatter = sqrt((row->work + row->reference) * period);
  return row->reference > 0 && cause_row_inflation(row) > (reference == REFERENCE_SAMPLES ? INFLATED : APPROXIMATELY) &&
         row->work - row->reference > 3 * scatter;
}

/* Divides the lost time of ROW among causes and finds the largest one.  */
static void judge_cause_row(struct causes *causes, struct cause_row *row, const struct samples *samples) {
  double *lost = row->lost_by, effort = (double)sample_waste_effort(&row->own);
  lost[cause_of_idleness(row, samples->sampling.processors)] += (double)row->own.of[WASTE_IDLENESS];
  lost[CAUSE_GRAIN] += (double)row->own.of[WASTE_OVERHEAD];
  lost[CAUSE_LOCK] += (double)row->own.of[WASTE_WAITING];
  if (is_cause_row_inflated(row, causes->reference, samples->sampling.hz))
    lost[CAUSE_INFLATION] += (row->work - row->reference) * (double)samples->sampling.runs;
  causes->overhead += (double)row->own.of[WASTE_OVERHEAD];
  for (enum cause cause = CAUSE_NONE + 1; cause < CAUSES; cause++) {
    row->lost += lost[cause];
    causes->lost[cause] += lost[cause];
    if (lost[cause] > lost[row->cause])
      row->cause = cause;
  }
  if (100 * lost[row->cause] < MUCH * effort)
    row->cause = CAUSE_NONE;
}

/* Comparison for qsort: sorts rows of causes by lost time, then by effort, largest first.  */
static int compare_cause_rows(const void *left, const void *right) {
  const struct cause_row *a = left, *b = right;
  if (a->lost != b->lost)
    return a->lost > b->lost ? -1 : 1;
  uint64_t one = sample_waste_effort(&a->own), other = sample_waste_effort(&b->own);
  return one != other ? one > other ? -1 : 1 : strcmp(a->name, b->name);
}

/* Finds for each cause the row that lost most by it.  */
static void find_largest_cause_rows(struct causes *causes) {
  for (size_t i = 0; i < causes->count; i++)
    for (enum cause cause = CAUSE_NONE + 1; cause < CAUSES; cause++) {
      const struct cause_row *row = &causes->rows[i], **largest = &causes->largest[cause];
      if (row->lost_by[cause] > (*largest != NULL ? (*largest)->lost_by[cause] : 0))
        *largest = row;
    }
}

/* Finds the code to blame for each cause, in the contexts in which time was lost.  */
static void find_cause_culprits(struct rows *rows, const struct samples *samples) {
  struct culprits culprits = begin_culprits(samples);
  for (uint32_t i = 0; i < samples->count; i++) {
    const struct waste *own = &samples->contexts[i].own;
    const struct cause_row *row = cause_row_of_context(rows, samples, i);
    enum cause idle = cause_of_idleness(row, samples->sampling.processors);
    add_culprit(&culprits, idle, i, (double)own->of[WASTE_IDLENESS], true);
    add_culprit(&culprits, CAUSE_GRAIN, i, (double)own->of[WASTE_OVERHEAD], false);
    add_culprit(&culprits, CAUSE_LOCK, i, (double)own->of[WASTE_WAITING], false);
  }
  finish_culprits(&culprits, rows->causes->culprits);
}

/* Finds out how much longer the whole work takes than with one worker, and the function that accounts for most of that.
   Where memory is slow all functions take a little longer, each within the error of sampling; but the whole is the
   processor time of the run, which has none.  */
static void find_whole_inflation(struct causes *causes, const struct samples *samples) {
  double runs = (double)samples->sampling.runs, most = 0;
  if (causes->reference != REFERENCE_SAMPLES)
    return;
  double work = (double)samples->total.of[WASTE_WORK] / runs,
         reference = (double)samples->reference->total.of[WASTE_WORK] / (double)samples->reference->sampling.runs;
  if (reference <= 0 || work < INFLATED_WHOLE * reference)
    return;
  causes->inflation = (work - reference) * runs;
  for (size_t i = 0; i < causes->count; i++) {
    const struct cause_row *row = &causes->rows[i];
    if (row->reference > 0 && row->work - row->reference > most) {
      most = row->work - row->reference;
      causes->most_inflated = row;
    }
  }
}

/* Returns the time that CAUSE lost, in ns of all runs; that of CAUSE_LOCK with other waiting.  */
double cause_loss(const struct causes *causes, enum cause cause) {
  return causes->lost[cause] + (cause == CAUSE_LOCK ? causes->blocked : 0);
}

/* Returns the function to name for CAUSE, or NULL if it lost nothing.  */
const struct function *cause_culprit(const struct causes *causes, enum cause cause) {
  if (cause == CAUSE_INFLATION)
    return causes->largest[cause] != NULL ? causes->largest[cause]->function : NULL;
  return causes->culprits[cause].function;
}

/* Returns the time of which lost time is a share, in ns: that of all processors, or the effort if that is unknown.  */
double cause_lost_time_whole(const struct samples *samples) {
  uint64_t all = judged_waste_available_time(samples);
  return (double)(all > 0 ? all : sample_waste_effort(&samples->total));
}

/* Finds out for each function why it was slow in parallel, and sorts the functions by lost time.  MODEL must have
   samples.  */
struct causes find_causes(const struct model *model) {
  const struct samples *samples = model->samples;
  struct causes causes = {0};
  struct rows rows = {.causes = &causes, .measured = model->run_count > 0};
  if (model->run_count > 0)
    add_measured_cause_rows(&rows, model);
  add_samples_to_causes(&rows, samples);
  if (samples->reference != NULL)
    set_cause_reference_samples(&rows, samples->reference);
  forget_other_cause_references(&causes, model);
  forget_small_cause_references(&causes, samples->sampling.hz);
  for (size_t i = 0; i < causes.count; i++)
    judge_cause_row(&causes, &causes.rows[i], samples);
  causes.blocked = (double)divide_judged_absent_time(samples).blocked;
  find_cause_culprits(&rows, samples);
  hash_table_free(&rows.table);
  free(rows.names);
  if (causes.count > 0)
    qsort(causes.rows, causes.count, sizeof *causes.rows, compare_cause_rows);
  find_largest_cause_rows(&causes);
  find_whole_inflation(&causes, samples);
  return causes;
}
