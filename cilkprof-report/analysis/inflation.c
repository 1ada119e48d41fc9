/* Finds the functions and lines that take longer with several workers than with one.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/analysis/headline.h"
#include "cilkprof-report/analysis/inflation.h"
#include "cilkprof-report/analysis/waste.h"
#include "cilkprof-report/support/support.h"

enum { FEW_SAMPLES = 25 };           /* time of fewer samples is too little to compare with */
static const double INFLATED = 1.15; /* inflation that is more than the noise of a short run */
static const double CERTAIN = 3;     /* standard deviations that are not chance */

const char *inflation_cause_name(enum inflation_cause cause) {
  static const char *const names[INFLATION_CAUSES] = {"lock", "memory", "sharing", "unknown"};
  return names[cause];
}

/* The time of the own code of one logical call path, of several lines together.  */
struct inflation_path {
  uint64_t hash; /* of the names of all functions on the path */
  const struct function *function;
  struct inflation_time time;
  double waiting;
};

/* Returns the hash of NAME after that of its caller, HASH.  */
static uint64_t inflation_path_hash(uint64_t hash, const char *name) {
  hash = hash_add(hash, 0x7061746853ULL);
  for (; *name != 0; name++)
    hash = hash_add(hash, (unsigned char)*name);
  return hash;
}

/* Comparison for qsort and bsearch: by hash.  */
static int compare_inflation_paths(const void *left, const void *right) {
  const struct inflation_path *a = left, *b = right;
  return a->hash < b->hash ? -1 : a->hash > b->hash;
}

/* The call paths of some runs.  */
struct inflation_paths {
  struct inflation_path *paths; /* sorted by hash */
  size_t count;
};

/* Returns the time in WASTE that code took or waited for locks, in nanoseconds per run of SAMPLES.  */
static double inflation_taken_time(const struct samples *samples, const struct waste *waste) {
  return ((double)waste->of[WASTE_WORK] + (double)waste->of[WASTE_WAITING]) / (double)samples->sampling.runs;
}

bool is_inflation_counted(const struct inflation_time *time, enum counter counter) {
  return time->counted[COUNTER_CYCLES] > 0 && time->counted[counter] >= 0;
}

bool are_inflation_rows_counted(const struct inflation_rows *rows, enum counter counter) {
  for (size_t i = 0; i < rows->count; i++)
    if (is_inflation_counted(&rows->rows[i].several, counter))
      return true;
  return false;
}

double inflation_count_rate(const struct inflation_time *time, enum counter counter) {
  bool known = is_inflation_counted(time, counter) && time->counted[COUNTER_INSTRUCTIONS] > 0;
  return known ? 1000 * time->counted[counter] / time->counted[COUNTER_INSTRUCTIONS] : -1;
}

/* Returns the time in WASTE that code took or waited for locks, and what was counted in it, per run of SAMPLES.  NUMBER
   is that of its samples.  */
static struct inflation_time inflation_time_of_waste(const struct samples *samples, const struct waste *waste,
                                                     double number) {
  struct inflation_time time = {.ns = inflation_taken_time(samples, waste), .samples = number};
  for (size_t i = 0; i < COUNTERS; i++)
    time.counted[i] =
        waste->counted[i] == CILKPROF_NOT_COUNTED ? -1 : (double)waste->counted[i] / (double)samples->sampling.runs;
  return time;
}

/* Adds TIME to SUM.  What is not counted in one is not counted in the sum.  */
static void add_inflation_time(struct inflation_time *sum, const struct inflation_time *time) {
  sum->ns += time->ns;
  sum->samples += time->samples;
  for (size_t i = 0; i < COUNTERS; i++)
    sum->counted[i] = sum->counted[i] < 0 || time->counted[i] < 0 ? -1 : sum->counted[i] + time->counted[i];
}

/* Sets the hash and the function of PATH, that of CONTEXT, which is below ABOVE, or NULL.  The time of libraries, and
   of functions that wait for locks, is that of the code that calls them.  */
static void name_inflation_path(struct inflation_path *path, const struct sample_context *context,
                                const struct inflation_path *above) {
  bool is_callers = context->foreign && above != NULL;
  path->function = is_callers ? above->function : context->function;
  path->hash = is_callers ? above->hash : inflation_path_hash(above != NULL ? above->hash : 0, context->function->name);
}

/* Returns the call paths of SAMPLES, which may be NULL: then there are none.  Allocated.  */
static struct inflation_paths find_inflation_paths(const struct samples *samples) {
  struct inflation_paths list = {0};
  if (samples == NULL)
    return list;
  list.paths = allocate(samples->count, sizeof *list.paths);
  for (size_t i = 0; i < samples->count; i++) {
    const struct sample_context *context = &samples->contexts[i];
    list.paths[i] = (struct inflation_path){
        .time = inflation_time_of_waste(samples, &context->own, (double)context->samples),
        .waiting = (double)context->own.of[WASTE_WAITING] / (double)samples->sampling.runs,
    };
    name_inflation_path(&list.paths[i], context, context->parent != NO_CONTEXT ? &list.paths[context->parent] : NULL);
  }
  if (samples->count > 0)
    qsort(list.paths, samples->count, sizeof *list.paths, compare_inflation_paths);
  for (size_t i = 0; i < samples->count; i++) {
    struct inflation_path *last = list.count > 0 ? &list.paths[list.count - 1] : NULL;
    if (last == NULL || last->hash != list.paths[i].hash) {
      list.paths[list.count++] = list.paths[i];
      continue;
    }
    add_inflation_time(&last->time, &list.paths[i].time);
    last->waiting += list.paths[i].waiting;
  }
  return list;
}

/* Adds the time of the path in LIST that is the same as PATH to SUM.  Returns false if there is none.  */
static bool add_inflation_path(struct inflation_time *sum, const struct inflation_paths *list,
                               const struct inflation_path *path) {
  const struct inflation_path *same =
      list->count > 0 ? bsearch(path, list->paths, list->count, sizeof *path, compare_inflation_paths) : NULL;
  if (same == NULL)
    return false;
  add_inflation_time(sum, &same->time);
  return true;
}

/* Returns the cause of the inflation in ROW by what the processor counted: lines that other processors had modified, if
   these took half of the lost time, or else misses of the cache.  Both take at least LEAST_NS on any processor.  */
static enum inflation_cause find_counted_inflation_cause(const struct inflation_row *row) {
  const double least_ns = 25;
  const struct inflation_time *several = &row->several, *one = &row->one;
  if (!is_inflation_counted(several, COUNTER_HITM) || !is_inflation_counted(one, COUNTER_HITM))
    return INFLATION_UNKNOWN;
  if (2 * least_ns * (several->counted[COUNTER_HITM] - one->counted[COUNTER_HITM]) >= row->lost)
    return INFLATION_SHARING;
  bool misses =
      is_inflation_counted(several, COUNTER_MISSES) && 2 * least_ns * several->counted[COUNTER_MISSES] >= row->lost;
  return misses ? INFLATION_MEMORY : INFLATION_UNKNOWN;
}

/* Returns the cause of the inflation in ROW.  */
static enum inflation_cause find_inflation_cause(const struct inflation_row *row) {
  if (2 * row->waiting >= row->lost)
    return INFLATION_LOCK;
  if (row->copied == 0)
    return find_counted_inflation_cause(row);
  return 2 * (row->copied - 1) >= row->times - 1 ? INFLATION_MEMORY : INFLATION_SHARING;
}

/* Completes ROW, whose times are known, and adds it to ROWS if it is inflated by more than the error of sampling.  */
static void add_inflation_row(struct inflation_rows *rows, struct inflation_row row) {
  if (row.one.samples < FEW_SAMPLES || row.one.ns <= 0 || row.several.ns <= row.one.ns)
    return;
  row.times = row.several.ns / row.one.ns;
  double samples = row.several.samples > 0 ? row.several.samples : 1;
  double deviation = row.times * sqrt(1 / samples + 1 / row.one.samples);
  row.error = 2 * deviation;
  row.lost = row.several.ns - row.one.ns;
  row.copied = row.copies.samples >= FEW_SAMPLES ? row.copies.ns / row.one.ns : 0;
  if (row.times <= INFLATED || (2 * row.waiting < row.lost && row.times - 1 <= CERTAIN * deviation))
    return;
  row.cause = find_inflation_cause(&row);
  rows->rows = grow_array(rows->rows, rows->count, &rows->room, sizeof *rows->rows);
  rows->rows[rows->count++] = row;
  rows->lost += row.lost;
}

/* Finds the functions of SAMPLES that are inflated, from the paths that both runs have.  */
static void find_inflated_functions(struct inflation_rows *rows, const struct samples *samples) {
  struct inflation_paths several = find_inflation_paths(samples), one = find_inflation_paths(samples->reference),
                         copies = find_inflation_paths(samples->copies);
  struct inflation_row *of = allocate(samples->functions.count, sizeof *of);
  for (size_t i = 0; i < several.count; i++) {
    const struct inflation_path *path = &several.paths[i];
    struct inflation_row *row = &of[path->function->number];
    if (!add_inflation_path(&row->one, &one, path))
      continue;
    add_inflation_path(&row->copies, &copies, path);
    row->function = path->function;
    add_inflation_time(&row->several, &path->time);
    row->waiting += path->waiting;
  }
  for (size_t i = 0; i < samples->functions.count; i++)
    if (of[i].function != NULL)
      add_inflation_row(rows, of[i]);
  free(of);
  free(several.paths);
  free(one.paths);
  free(copies.paths);
}

/* Returns the time of the line of FILE with this number in SAMPLES, which may be NULL.  Lines have no samples of their
   own: these are what the time stands for.  */
static struct inflation_time inflation_time_of_line(const struct samples *samples, const char *file, uint32_t number) {
  struct inflation_time time = {.ns = 0};
  for (size_t i = 0; samples != NULL && i < samples->line_count; i++) {
    const struct sample_line *line = &samples->lines[i];
    if (line->line != number || strcmp(line->file, file) != 0)
      continue;
    double ran = (double)samples->total.of[WASTE_WORK] + (double)samples->total.of[WASTE_OVERHEAD];
    time = inflation_time_of_waste(
        samples, &line->own, ran > 0 ? (double)line->own.of[WASTE_WORK] * (double)samples->sampling.samples / ran : 0);
  }
  return time;
}

/* Finds the source lines of SAMPLES that are inflated.  */
static void find_inflated_lines(struct inflation_rows *rows, const struct samples *samples) {
  for (size_t i = 0; i < samples->line_count; i++) {
    const struct sample_line *line = &samples->lines[i];
    add_inflation_row(rows, (struct inflation_row){
                                .file = line->file,
                                .line = line->line,
                                .several = inflation_time_of_line(samples, line->file, line->line),
                                .one = inflation_time_of_line(samples->reference, line->file, line->line),
                                .copies = inflation_time_of_line(samples->copies, line->file, line->line),
                                .waiting = (double)line->own.of[WASTE_WAITING] / (double)samples->sampling.runs,
                            });
  }
}

/* Comparison for qsort: sorts inflated rows by lost time, largest first.  */
static int compare_inflation_rows(const void *left, const void *right) {
  const struct inflation_row *a = left, *b = right;
  if (a->lost != b->lost)
    return a->lost > b->lost ? -1 : 1;
  return a->line < b->line ? -1 : a->line > b->line;
}

struct inflation find_inflation(const struct samples *samples) {
  struct inflation inflation = {0};
  if (samples->reference == NULL || !are_judged_runs_alike(samples, samples->reference))
    return inflation;
  find_inflated_functions(&inflation.functions, samples);
  find_inflated_lines(&inflation.lines, samples);
  if (inflation.functions.count > 0)
    qsort(inflation.functions.rows, inflation.functions.count, sizeof *inflation.functions.rows,
          compare_inflation_rows);
  if (inflation.lines.count > 0)
    qsort(inflation.lines.rows, inflation.lines.count, sizeof *inflation.lines.rows, compare_inflation_rows);
  return inflation;
}

char *inflation_row_name(const struct inflation_row *row) {
  if (row->function != NULL)
    return headline_culprit_text(row->function);
  char *file = escape(base_name(row->file)), *name = format_string("%s:%u", file, row->line);
  free(file);
  return name;
}

/* Returns ROW, one of ROWS, in words: how much longer it takes in SAMPLES, and why.  Allocated.  */
static char *inflation_row_text(const struct inflation_rows *rows, const struct inflation_row *row,
                                const struct samples *samples) {
  static const char *const why[INFLATION_CAUSES] = {
      [INFLATION_LOCK] = "It waits for a lock: hold it for less time, or use more of them.",
      [INFLATION_MEMORY] = "Copies of the program, which share no data, are slower as well: the limit is the machine, "
                           "usually its memory bandwidth.  Use less memory, or each part of it more often at a time.",
      [INFLATION_SHARING] =
          "Copies of the program, which share no data, are not slower: threads write to the same data "
          "or the same lines of the cache, or spin.  Give each thread data of its own, on lines of "
          "its own.",
      [INFLATION_UNKNOWN] = "Samples of copies tell why: cilkprof-run --trials --copies --samples.",
  };
  static const char *const counted[INFLATION_CAUSES] = {
      [INFLATION_MEMORY] = "By the processor's counters it waits for memory.  Use less memory, or each part of it more "
                           "often at a time.",
      [INFLATION_SHARING] = "By the processor's counters it waits for lines of the cache that other threads write.  "
                            "Give each thread data of its own, on lines of its own.",
  };
  char *name = inflation_row_name(row);
  char *text = format_string(
      "%s takes %.2f times as long on %llu workers as on one (+-%.2f), %.0f %% of all that takes "
      "longer.  %s",
      name, row->times, (unsigned long long)samples->sampling.workers, row->error, 100 * row->lost / rows->lost,
      row->copied == 0 && counted[row->cause] != NULL ? counted[row->cause] : why[row->cause]);
  free(name);
  return text;
}

/* Returns the rows of INFLATION that say most: those of lines, if there are any.  */
static const struct inflation_rows *finest_inflation_rows(const struct inflation *inflation) {
  return inflation->lines.count > 0 ? &inflation->lines : &inflation->functions;
}

char *inflation_text(const struct inflation *inflation, const struct samples *samples) {
  const struct inflation_rows *rows = finest_inflation_rows(inflation);
  return rows->count > 0 ? inflation_row_text(rows, &rows->rows[0], samples) : NULL;
}

char *inflated_work_text(const struct inflation *inflation, const struct samples *samples) {
  const struct inflation_rows *rows = finest_inflation_rows(inflation);
  size_t i = 0;
  while (i < rows->count && rows->rows[i].cause == INFLATION_LOCK)
    i++;
  bool known = i < rows->count && rows->rows[i].cause != INFLATION_UNKNOWN;
  return known ? inflation_row_text(rows, &rows->rows[i], samples) : NULL;
}
