/* The profile: totals, sites, and which samples are on the span.
   SPDX-License-Identifier: MIT  */

#include <string.h>

#include "libcilkprof/paths/internal.h"

/* What of a site is on the span, and what of a call path.  */
static struct on_span {
  uint64_t count, work;
  struct cilkprof_measure whole;
  uint64_t more[CILKPROF_SHARES];
} * on_span;
static struct { uint64_t count, work; } * samples;
enum { MOST_NODES = 1 << 22 };
static struct cilkprof_totals totals;

/* Adds PART of the longest path.  */
static void add_part(const struct part *part) {
  uint32_t number = part->key >> 2;
  if ((part->key & 3) == KEY_SAMPLES && number < MOST_NODES) {
    samples[number].count += part->count;
    samples[number].work += part->work;
  } else if ((part->key & 3) == KEY_LOCAL) {
    on_span[number].count += part->count;
    on_span[number].work += part->work;
  } else if ((part->key & 3) == KEY_MORE) {
    on_span[number / 8].more[number % 8] += part->work;
  } else if ((part->key & 3) == KEY_WHOLE) {
    on_span[number].whole.count += part->count;
    on_span[number].whole.work += part->work;
    on_span[number].whole.span += part->span;
    on_span[number].whole.burdened_span += part->span;
  }
}

/* Returns the sums of SITE over all threads.  */
static struct site_sums all_sums(uint32_t site) {
  struct site_sums all = {0};
  for (const struct path_thread *thread = paths_threads(); thread; thread = thread->next) {
    const struct site_sums *sums = &thread->sums[site];
    all.count += sums->count;
    all.work += sums->work;
    all.whole.count += sums->whole.count;
    all.whole.work += sums->whole.work;
    all.whole.span += sums->whole.span;
    all.whole.burdened_span += sums->whole.burdened_span;
  }
  return all;
}

/* Returns the sum of what is on the span of all sites.  */
static uint64_t sum_on_span(void) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < paths_site_count(); i++)
    sum += on_span[i].work;
  return sum;
}

/* Makes room for what is on the span.  Returns false if there is no memory.  */
static bool clear_on_span(void) {
  if (!on_span)
    on_span = paths_map(MOST_SITES * sizeof *on_span);
  if (!samples)
    samples = paths_map(MOST_NODES * sizeof *samples);
  if (!on_span || !samples)
    return false;
  memset(on_span, 0, MOST_SITES * sizeof *on_span);
  return true;
}

uint64_t paths_add_up(struct cilkprof_totals *sum) {
  struct task *task = paths_running();
  paths_strand_ends();
  paths_stop();
  for (uint32_t i = 0; i < paths_site_count(); i++) {
    struct site_sums sums = all_sums(i);
    totals.work += sums.work;
    enum cilkprof_construct kind = cilkprof_construct_of(paths_site_at(i)->kind);
    bool forks =
        kind == CILKPROF_CONSTRUCT_PARALLEL || kind == CILKPROF_CONSTRUCT_TASK || kind == CILKPROF_CONSTRUCT_FORK;
    totals.spawns += forks ? sums.count : 0;
    totals.syncs += forks ? sums.whole.count : 0;
  }
  bool complete = task && !task->creator && !task->is_thread && clear_on_span() && !atomic_load(&paths_incomplete);
  if (complete)
    path_visit(&task->path, add_part);
  if (task) {
    totals.span = complete ? sum_on_span() : task->path.span;
    totals.burdened_span = task->path.burdened_span;
  }
  if (totals.span > totals.work)
    totals.span = totals.work;
  if (totals.burdened_span < totals.span)
    totals.burdened_span = totals.span;
  *sum = totals;
  return complete ? 0 : CILKPROF_INCOMPLETE | CILKPROF_NO_ON_SPAN;
}

/* Returns MEASURE with values that do not contradict each other: parts were added by several threads.  */
static struct cilkprof_measure consistent(struct cilkprof_measure measure) {
  if (measure.span > measure.work)
    measure.span = measure.work;
  if (measure.burdened_span < measure.span)
    measure.burdened_span = measure.span;
  return measure;
}

struct cilkprof_measure paths_invocations(uint32_t site) {
  return consistent(all_sums(site).whole);
}

/* Returns PART, or as much of it as is in WHOLE.  */
static struct cilkprof_measure part_of(struct cilkprof_measure part, const struct cilkprof_measure *whole) {
  part.count = part.count < whole->count ? part.count : whole->count;
  part.work = part.work < whole->work ? part.work : whole->work;
  part.span = part.span < whole->span ? part.span : whole->span;
  part.burdened_span = part.burdened_span < whole->burdened_span ? part.burdened_span : whole->burdened_span;
  return consistent(part);
}

/* Makes the numbers of whole invocations in MEASURES at most those of all.  */
static void limit_counts(struct cilkprof_measures *measures) {
  if (measures->top_call_site.count > measures->local.count)
    measures->top_call_site.count = measures->local.count;
  measures->top_caller = measures->top_call_site;
}

/* Returns the measure of COUNT invocations whose own work is WORK.  */
static struct cilkprof_measure own_measure(uint64_t count, uint64_t work) {
  return (struct cilkprof_measure){.count = count, .work = work, .span = work, .burdened_span = work};
}

/* Writes SITE with its sums, as NUMBER.  Where parts of it on the span do not say what all of the invocation did, it
   did as much as others of its span.  */
static void write_site(struct cilkprof_writer *writer, uint32_t number, struct cilkprof_measure whole,
                       const struct site_sums *sums) {
  const struct path_site *site = paths_site_at(number);
  struct on_span *span = &on_span[number];
  struct cilkprof_site record = {
      .object = site->object, .callee_object = CILKPROF_NO_OBJECT, .description = site->address, .callee = site->kind};
  record.on_work.local = own_measure(sums->count, sums->work);
  record.on_span.local = part_of(own_measure(span->count, span->work), &record.on_work.local);
  whole = consistent(whole);
  if (span->whole.span && whole.span && span->whole.work < span->whole.span * (whole.work / whole.span))
    span->whole.work = (uint64_t)((unsigned __int128)span->whole.span * whole.work / whole.span);
  record.on_work.top_call_site = whole;
  limit_counts(&record.on_work);
  record.on_span.top_call_site = part_of(span->whole, &record.on_work.top_call_site);
  limit_counts(&record.on_span);
  cilkprof_write_site(writer, &record);
}

/* Writes how SITE, which is NUMBER in the file, was shared, if it was.  */
static void write_loop(struct cilkprof_writer *writer, uint32_t site, uint64_t number) {
  struct cilkprof_loop all = {.site = number};
  for (const struct path_thread *thread = paths_threads(); thread; thread = thread->next) {
    const struct cilkprof_loop *loop = &thread->loops[site];
    all.executions += loop->executions;
    all.pieces += loop->pieces;
    all.work += loop->work;
    for (int i = 0; i < CILKPROF_SHARES; i++)
      all.longest[i] += loop->longest[i];
  }
  for (int i = 0; i < CILKPROF_SHARES; i++)
    all.more[i] = on_span[site].more[i] < all.longest[i] ? on_span[site].more[i] : all.longest[i];
  if (all.executions)
    cilkprof_write_loop(writer, &all);
}

void paths_write_sites(struct cilkprof_writer *writer) {
  if (!on_span)
    return;
  for (uint32_t i = 0; i < paths_site_count(); i++) {
    struct site_sums sums = all_sums(i);
    if (!i) {
      sums.whole = (struct cilkprof_measure){1, totals.work, totals.span, totals.burdened_span};
      on_span[0].whole = sums.whole;
    }
    if (sums.count)
      write_site(writer, i, sums.whole, &sums);
  }
  uint64_t number = 0;
  for (uint32_t i = 0; i < paths_site_count(); i++)
    if (all_sums(i).count)
      write_loop(writer, i, number++);
}

void paths_write_samples(struct cilkprof_writer *writer, uint32_t node, uint32_t stack) {
  struct cilkprof_stack_span span = {.stack = stack};
  if (samples && node < MOST_NODES) {
    span.samples = samples[node].count;
    span.work_ns = samples[node].work;
  }
  if (span.samples)
    cilkprof_write_stack_span(writer, &span);
}
