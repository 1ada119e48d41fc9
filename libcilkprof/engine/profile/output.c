/* Writing the profile: its contents, and checks of them.
   SPDX-License-Identifier: MIT  */

#include <time.h>
#include <unistd.h>

#include "libcilkprof/engine/profile/live.h"
#include "libcilkprof/engine/profile/output.h"
#include "libcilkprof/engine/profile/sampling.h"
#include "libcilkprof/engine/profile/usage.h"
#include "libcilkprof/engine/marks/marks.h"
#include "libcilkprof/engine/names/descriptions.h"
#include "libcilkprof/engine/span/counted_sums.h"
#include "libcilkprof/engine/tasks/shares.h"
#include "libcilkprof/engine/whatif/whatif.h"
#include "libcilkprof/common/file.h"
#include "libcilkprof/engine/engine.h"
#include "libcilkprof/engine/time/clock.h"
#include "libcilkprof/engine/tree/tree.h"
#include "fmt/verify.h"
#ifdef __CILKPROF_PARALLEL
#include "libcilkprof/engine/workers/workers.h"
#endif

static int burdens_wrap; /* burdened spans may have exceeded 64 bits */
static int profiled_pid; /* the process whose profile is written */

/* Remembers what a profile needs from the start of the program: the time, the name of the file, the command line.  */
void __cilkprof_profile_output_start(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  ENGINE.start_ns = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
  __cilkprof_file_start();
  __cilkprof_command_start();
}

/* Returns an upper bound of all sums of burdened spans: the work, and a burden for every spawn.  Sums of work and span
   do not exceed 64 bits in a run of decades: each is over invocations that exclude one another, so it is at most the
   work (tasks/loop.c has more).  The bound does not exceed them either, unless the burden is large or the spawns are
   many.  Nothing checks that while the program runs: it is found out here, afterwards.  */
static unsigned __int128 profile_burdened_span_bound(const struct cilkprof_totals *totals) {
  return (unsigned __int128)totals->spawns * (THREAD.burden + THREAD.burden / __CILKPROF_MAKING) + totals->work;
}

/* Limits the totals of an incomplete profile to possible values.  A signal may have interrupted the last event, and
   control may never have come back to it.  */
static void reconcile_profile_totals(struct cilkprof_totals *totals) {
  if (totals->span > totals->work)
    totals->span = totals->work;
  if (totals->burdened_span < totals->span || totals->burdened_span > profile_burdened_span_bound(totals))
    totals->burdened_span = totals->span;
}

/* Returns whether TOTALS and the values of the sites contradict each other, which they do only if an event was
   interrupted by other events.  ENTRIES are the sums of the log.  */
static int is_profile_contradictory(const struct cilkprof_totals *totals, const entry_t *entries) {
  uint64_t work = 0, span = 0;
  int wrong = totals->span > totals->work;
  for (const site_t *site = ENGINE.first_site; site && !wrong; site = site->next) {
    if (is_site_without_values(site))
      continue;
    struct cilkprof_measures all = __cilkprof_profile_on_work(site), some = __cilkprof_profile_on_span(site, entries);
    wrong = cilkprof_verify_measures(&all, &some, ENGINE.flags) != NULL;
    work += all.local.work;
    span += some.local.span;
  }
  return wrong || work != totals->work || (span != totals->span && !(ENGINE.flags & CILKPROF_NO_ON_SPAN));
}

/* Marks the profile as incomplete if its values contradict each other, and prints the likely cause.  Instrumented
   functions that a signal handler without instrumentation calls look like callees of the code that it interrupted.
   Likewise, some calls are part of the caller for the compiler, and not even charged calls.  If such a callee calls
   instrumented functions, as the program's own malloc may, they look like callees of the caller.  */
static void check_profile_consistency(const struct cilkprof_totals *totals, const entry_t *entries) {
  if (!(ENGINE.flags & (CILKPROF_INCOMPLETE | CILKPROF_SATURATED)) && is_profile_contradictory(totals, entries)) {
    set_profile_flags(CILKPROF_INCOMPLETE | CILKPROF_NO_ON_SPAN);
    ENGINE.unfollowed = 1;
  }
  if (ENGINE.unfollowed && getpid() == ENGINE.pid)
    __cilkprof_file_say("an uninstrumented signal handler, or the program's own malloc or the like, seems to call "
                        "instrumented functions",
                        "some work is missing or misplaced; compile handlers with -fcilkprof");
}

/* Sets the burdened spans of COUNT MEASURES to the largest number, if burdened spans may have exceeded 64 bits in this
   run.  */
void __cilkprof_profile_limit_burdened(struct cilkprof_measure *measures, size_t count) {
  for (size_t i = 0; i < count && burdens_wrap; i++)
    if (measures[i].count)
      measures[i].burdened_span = UINT64_MAX;
}

/* Writes the record of SITE: where its description and its callee are, and its measures.  ENTRIES are the sums of the
   log.  */
static void write_profile_site(struct cilkprof_writer *writer, const site_t *site, const entry_t *entries) {
  struct cilkprof_object_address description = __cilkprof_profile_object_address(site->description);
  struct cilkprof_object_address callee = {CILKPROF_NO_OBJECT, 0};
  if (site->callee)
    callee = __cilkprof_profile_object_address(site->callee);
  struct cilkprof_site out = {
      .object = description.object,
      .callee_object = callee.object,
      .description = description.address,
      .callee = callee.address,
      .on_work = __cilkprof_profile_on_work(site),
      .on_span = __cilkprof_profile_on_span(site, entries),
  };
  __cilkprof_profile_limit_burdened(&out.on_work.top_call_site, 3);
  __cilkprof_profile_limit_burdened(&out.on_span.top_call_site, 3);
  cilkprof_write_site(writer, &out);
}

/* Writes how sure the times of SITE are, if calls of it were counted.  NUMBER is its number in the profile.  */
static void write_profile_estimate(struct cilkprof_writer *writer, site_t *site, uint64_t number) {
  const struct counted_sums *sums = __cilkprof_counted_sums(site);
  int known = site->callee || site->flags & (uint64_t)1 << __CILKPROF_SITE_COUNTED;
  const counted_t *counted = known ? *counted_record_of(site) : NULL;
  if (sums && (sums->on_work.local.count || sums->on_work.local.work))
    cilkprof_write_estimate(writer, &(struct cilkprof_estimate){.site = number,
                                                                .counted = sums->on_work.local.count,
                                                                .followed = site->count,
                                                                .timed = counted ? counted->cost.timings : 0,
                                                                .error = sums->error});
}

/* Makes a region of what was done under each lock of which only the run has shown that it is one: of the sites whose
   invocations all held it.  */
static void make_profile_regions_of_locks(void) {
  char label[256];
  for (const site_t *site = ENGINE.first_site; site; site = site->next) {
    const char *name = __cilkprof_description_string(__cilkprof_describe(site->description), CALLEE);
    if (is_site_without_values(site) || !__cilkprof_is_one_lock(name, label, sizeof label))
      continue;
    struct cilkprof_region *region = __cilkprof_region(label, CILKPROF_REGION_LOCK);
    struct cilkprof_measure held = __cilkprof_profile_on_work(site).top_call_site;
    if (!region)
      continue;
    region->total.count += held.count;
    region->total.work += held.work;
    region->total.span += held.span;
    region->total.burdened_span += held.burdened_span;
  }
}

/* Writes the records of all regions that were counted, or that could not be counted every time.  */
static void write_profile_regions(struct cilkprof_writer *writer) {
  for (const struct cilkprof_region *region = NULL; (region = __cilkprof_next_region(region));) {
    struct cilkprof_region out = *region;
    __cilkprof_profile_limit_burdened(&out.total, 1);
    if (out.total.count || out.kind & CILKPROF_REGION_PARTIAL)
      cilkprof_write_region(writer, &out);
  }
}

/* Writes all sites, and the program's contexts.  FOLDED[0] of each site becomes its number, for contexts and roots.  */
static void write_profile_sites(struct cilkprof_writer *writer, const entry_t *entries) {
  uint32_t number = 0;
  for (site_t *site = ENGINE.first_site; site; site = site->next) {
    if (is_site_without_values(site))
      continue;
    write_profile_site(writer, site, entries);
    site->folded[0] = number++;
  }
  for (site_t *site = ENGINE.first_site; site; site = site->next)
    if (!is_site_without_values(site))
      write_profile_estimate(writer, site, site->folded[0]);
  __cilkprof_profile_write_contexts(writer, 0, entries);
  for (const struct loop_record *record = __cilkprof_loop_records(); record; record = record->next)
    if (record->site) {
      struct cilkprof_loop loop = __cilkprof_recorded_loop(record, record->site->folded[0], entries);
      cilkprof_write_loop(writer, &loop);
    }
}

/* Writes the record of the program to the profile: its command line, the mode and burden of the measurement, and
   FLAGS.  */
static void write_profile_program(struct cilkprof_writer *writer, uint64_t flags) {
  uint32_t argc;
  const char *const *argv = __cilkprof_command(&argc);
  cilkprof_write_program(writer, &(struct cilkprof_program){.mode = ENGINE.mode,
                                                            .flags = flags,
                                                            .burden = ENGINE.burden,
                                                            .loop_workers = ENGINE.loop_workers,
                                                            .argc = argc,
                                                            .argv = argv});
}

/* Writes the record of the run to the profile: process, start, elapsed time, units, and the load addresses of
   objects.  */
static void write_profile_run(struct cilkprof_writer *writer) {
  cilkprof_write_run(writer, &(struct cilkprof_run){
                                 .pid = (uint64_t)profiled_pid,
                                 .start_ns = ENGINE.start_ns,
                                 .elapsed_ns = __cilkprof_now_ns() - ENGINE.start_monotonic_ns,
                                 .units_per_second = __cilkprof_usage_units_per_second(),
                                 .burden_units = THREAD.burden,
                                 .timer_hz = ENGINE.timer_hz,
                                 .timer_cost = ENGINE.timer_cost,
                                 .preempted_strands = profiled_thread()->clock.preempted_strands,
                                 .preempted_units = __cilkprof_ticks_to_units(profiled_thread()->clock.preempted_ticks),
                                 .load_count = __cilkprof_profile_object_count(),
                                 .load_addresses = __cilkprof_profile_load_addresses(),
                             });
}

/* Writes the beginning of a profile with FLAGS: everything before its totals and sites.  */
void __cilkprof_profile_write_preamble(struct cilkprof_writer *writer, uint64_t flags) {
  cilkprof_write_begin(writer);
  write_profile_program(writer, flags);
  write_profile_run(writer);
  for (uint32_t i = 0; i < __cilkprof_profile_object_count(); i++) {
    struct cilkprof_object object = __cilkprof_profile_object(i);
    cilkprof_write_object(writer, &object);
  }
}

/* Writes what the run used: processor time, or in a parallel run its workers and its elapsed time.  */
static void write_profile_of_use(struct cilkprof_writer *writer) {
#ifdef __CILKPROF_PARALLEL
  __cilkprof_workers_write(writer);
#else
  __cilkprof_usage_write(writer, profiled_pid);
#endif
}

/* Writes the whole profile with WRITER, after checking its values.  The objects of all sites and callees enter the
   table before it is written.  */
static void write_profile(struct cilkprof_writer *writer) {
  const entry_t *entries = NULL;
  struct cilkprof_totals totals = {.work = THREAD.foreign.work,
                                   .span = THREAD.foreign.span,
                                   .burdened_span = THREAD.foreign.burdened_span,
                                   .spawns = THREAD.loop_spawns,
                                   .syncs = THREAD.syncs};
  __cilkprof_divide_counted(__cilkprof_log_sum(&entries) ? entries : NULL);
  for (const site_t *site = ENGINE.first_site; site; site = site->next) {
    __cilkprof_profile_object_address(site->description);
    if (site->callee)
      __cilkprof_profile_object_address(site->callee);
    totals.spawns += site->flags & __CILKPROF_SITE_SPAWN ? site->count : 0;
  }
  __cilkprof_sampling_list_objects();
  check_profile_consistency(&totals, entries);
  if (ENGINE.flags & CILKPROF_INCOMPLETE)
    reconcile_profile_totals(&totals);
  if (profile_burdened_span_bound(&totals) >> 64 != 0) {
    burdens_wrap = 1;
    totals.burdened_span = UINT64_MAX;
    set_profile_flags(CILKPROF_SATURATED);
  }
  __cilkprof_usage_check(profiled_pid, totals.work);
  __cilkprof_profile_write_preamble(writer, ENGINE.flags);
  cilkprof_write_totals(writer, &totals);
  write_profile_of_use(writer);
  write_profile_sites(writer, entries);
  __cilkprof_sampling_write(writer, entries);
  if (__cilkprof_has_lock_places())
    make_profile_regions_of_locks();
  write_profile_regions(writer);
  __cilkprof_whatif_write(writer, 0, totals.work);
  __cilkprof_tree_write(writer);
  __cilkprof_profile_write_roots(writer);
}

/* Writes the profile of process PID to its file.  Returns 0, or -1 if it cannot be written, which is reported.  */
int __cilkprof_profile_output(int pid) {
  profiled_pid = pid;
  if (__cilkprof_file_write(pid, ENGINE.pid, write_profile) == 0)
    return 0;
  __cilkprof_file_say(NULL, __cilkprof_live_path() ? "only its .live file is left" : "no profile is written");
  return -1;
}
