/* What is known of a run that the bounds of the speedup do not consider: time in the kernel, page faults, waiting, and
   atomic operations that the compiler saw.  The bounds take all of these for work that processors share without
   disturbing each other.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include "cilkprof-report/analysis/bounds.h"
#include "cilkprof-report/analysis/findings.h"
#include "cilkprof-report/analysis/timing.h"
#include "cilkprof-report/analysis/words.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/support/support.h"

enum { NOTABLE_SHARE = 5, NOTABLE_ATOMIC_SHARE = 20 }; /* percent of the run, and of the work, that are mentioned */

/* Returns the part of the run of MODEL in which it waited, in percent; 0 if that is unknown.  */
static double waiting_beside_bounds(const struct model *model) {
  const struct cilkprof_usage_record *record = &model->usages.sum;
  double blocked = (double)record->blocked_ns, all = blocked + (double)record->delayed_ns + (double)record->run.cpu_ns;
  return model->usages.known && all > 0 ? 100 * blocked / all : 0;
}

/* Returns whether VERDICT has said already that the run waited.  */
static bool is_waiting_found(const struct verdict *verdict) {
  bool found = false;
  for (size_t i = 0; i < verdict->count; i++)
    found |= verdict->findings[i].code == FINDING_WAITING;
  return found;
}

/* Returns the site of MODEL with most work among those whose loop or callee updates memory atomically, or NULL.  */
static const struct site *atomic_site_beside_bounds(const struct model *model) {
  const struct site *largest = NULL;
  for (size_t i = 0; i < model->site_count; i++) {
    const struct site *site = &model->sites[i];
    if (site->atomic && site->measured != NULL && site->callee != NULL &&
        (largest == NULL || site->measured->on_work.top_call_site.work > largest->measured->on_work.top_call_site.work))
      largest = site;
  }
  return largest;
}

/* Appends PART, which is freed, to *TEXT, behind a semicolon.  *TEXT is allocated; it is NULL before the first
   part.  */
static void add_part_beside_bounds(char **text, char *part) {
  char *whole = *text != NULL ? format_string("%s; %s", *text, part) : format_string("%s", part);
  free(part);
  free(*text);
  *text = whole;
}

/* Returns what to say of ATOMIC, a site of MODEL whose loop or callee has SHARE percent of the work and atomic updates.
   The name of a loop has its place already.  Allocated.  */
static char *atomic_part_beside_bounds(const struct model *model, const struct site *atomic, double share) {
  bool is_loop = atomic->kind == CILKPROF_SITE_LOOP;
  return format_string(
      "%s%s%s, %.0f%% of the work, has atomic updates, which processors make one after the other where "
      "they share memory",
      atomic->callee->brief_name, is_loop ? "" : " at ", is_loop ? "" : finding_user_place(model, atomic), share);
}

/* Adds a finding to VERDICT about what the bounds do not consider and other findings have not said, if much of that is
   known.  Programs without spawns, and those that are judged for one processor, have none.  */
void judge_beside_bounds(struct verdict *verdict) {
  const struct model *model = verdict->model;
  struct timing timing = timing_reliability(model);
  const struct site *atomic = atomic_site_beside_bounds(model);
  double waiting = waiting_beside_bounds(model);
  double updated =
      atomic != NULL ? model_percent_of_whole(atomic->measured->on_work.top_call_site.work, model->totals.work) : 0;
  char *text = NULL;
  if (verdict->processors == 1 || reason_for_no_speedup_bounds(model) != NULL)
    return;
  if (is_timing_system_above(&timing, NOTABLE_SHARE) && !verdict->system_bound)
    add_part_beside_bounds(&text, format_string("%.0f%% of the work is in the kernel, with %s page fault%s",
                                                timing.system_share, model_grouped_number(timing.faults).text,
                                                model_plural_ending(timing.faults)));
  if (waiting >= NOTABLE_SHARE && !is_waiting_found(verdict))
    add_part_beside_bounds(&text, format_string("the run slept or waited for %.0f%% of its time", waiting));
  if (updated >= NOTABLE_ATOMIC_SHARE)
    add_part_beside_bounds(&text, atomic_part_beside_bounds(model, atomic, updated));
  if (text == NULL)
    return;
  struct finding *finding =
      add_finding(verdict, FINDING_BESIDE_BOUNDS, TONE_NOTICE,
                  format_string("%s.  The speedup may be below the bounds; cilkprof scale measures it.", text));
  if (updated >= NOTABLE_ATOMIC_SHARE) {
    set_finding_place(verdict, finding, atomic->callee->name, atomic);
    set_finding_share(finding, updated, "work");
  }
  free(text);
}
