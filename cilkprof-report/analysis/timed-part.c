/* The finding about the parts of a program that the program itself times: what it does before and after is often of no
   interest, but the verdict is about all.
   SPDX-License-Identifier: GPL-3.0-or-later

   Where a function reads another clock than that of OpenMP, the compiler has noted what it times so.

   The calls of omp_get_wtime in a function, or of a function that does nothing but call it, are taken in pairs, by
   their lines: the first one begins a timed part, the second one ends it.  Of an odd number, the first and the last
   call are a pair.  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/analysis/findings.h"
#include "cilkprof-report/analysis/words.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/support/support.h"

/* A part of a function that it times.  */
struct timed_part {
  const struct site *begin, *end; /* the calls of omp_get_wtime; NULL: another clock is read */
  uint64_t work;                  /* of the calls and loops in it */
  const struct site *largest;     /* the one of these with the most work; NULL: there are none */
};

/* Returns whether FUNCTION is the clock of OpenMP.  */
static bool is_omp_clock(const struct function *function) {
  return function->symbol != NULL && strcmp(function->symbol, "omp_get_wtime") == 0;
}

/* Returns whether FUNCTION reads the clock of OpenMP, and calls nothing else.  */
static bool is_timer_function(const struct function *function) {
  for (size_t i = 0; i < function->callee_count; i++)
    if (!is_omp_clock(function->callees[i]->callee))
      return false;
  return is_omp_clock(function) || function->callee_count > 0;
}

/* Compares A and B, pointers to sites, by caller, file and line, for qsort.  */
static int compare_timer_sites(const void *a, const void *b) {
  const struct site *first = *(const struct site *const *)a, *second = *(const struct site *const *)b;
  if (first->caller != second->caller)
    return first->caller->number > second->caller->number ? 1 : -1;
  int order = strcmp(first->file, second->file);
  return order != 0 ? order : (first->line > second->line) - (first->line < second->line);
}

/* Finds the sites of MODEL at which the clock is read, and sorts them.  Returns their number.  */
static size_t find_timer_sites(const struct model *model, const struct site **timers) {
  size_t count = 0;
  for (size_t i = 0; i < model->site_count; i++) {
    const struct site *site = &model->sites[i];
    if (site->caller != NULL && site->callee != NULL && site->file != NULL && is_timer_function(site->callee) &&
        !is_timer_function(site->caller))
      timers[count++] = site;
  }
  qsort(timers, count, sizeof *timers, compare_timer_sites);
  return count;
}

/* Returns the part of MODEL from BEGIN to END, sites in one function.  What is called in a loop or region of that
   function is in the cost of the loop: only top-caller invocations are in nothing else that the function calls.  */
static struct timed_part measure_timed_part(const struct model *model, const struct site *begin,
                                            const struct site *end) {
  struct timed_part part = {begin, end, 0, NULL};
  for (size_t i = 0; i < model->site_count; i++) {
    const struct site *site = &model->sites[i];
    if (site->caller != begin->caller || site->callee == NULL || site->file == NULL || site->line < begin->line ||
        site->line > end->line || strcmp(site->file, begin->file) != 0)
      continue;
    part.work += site->measured->on_work.top_caller.work;
    if (part.largest == NULL ||
        site->measured->on_work.top_caller.work > part.largest->measured->on_work.top_caller.work)
      part.largest = site;
  }
  return part;
}

/* Returns the timed part of MODEL with the most work; it has none if the program times nothing.  */
static struct timed_part largest_timed_part(const struct model *model) {
  const struct site **timers = allocate(model->site_count, sizeof *timers);
  struct timed_part largest = {0};
  size_t count = find_timer_sites(model, timers);
  for (size_t first = 0, last; first < count; first = last) {
    for (last = first + 1; last < count && timers[last]->caller == timers[first]->caller &&
                           strcmp(timers[last]->file, timers[first]->file) == 0;
         last++)
      ;
    bool pairs = (last - first) % 2 == 0;
    for (size_t i = first; i + 1 < last; i += pairs ? 2 : last - first) {
      struct timed_part part = measure_timed_part(model, timers[i], timers[pairs ? i + 1 : last - 1]);
      if (part.work > largest.work)
        largest = part;
    }
  }
  free(timers);
  return largest;
}

/* Returns whether one of the COUNT sites TIMED calls FUNCTION: what that times itself is timed with it.  */
static bool is_caller_timed(const struct site *const *timed, size_t count, const struct function *function) {
  for (size_t i = 0; i < count; i++)
    if (timed[i]->callee == function && timed[i]->caller != function)
      return true;
  return false;
}

/* Finds the sites of MODEL that the program times by other clocks, and sorts them.  Returns their number.  */
static size_t find_sites_with_clock(const struct model *model, const struct site **timed) {
  size_t count = 0;
  for (size_t i = 0; i < model->site_count; i++) {
    const struct site *site = &model->sites[i];
    if (site->clock != NULL && site->caller != NULL && site->callee != NULL && site->file != NULL)
      timed[count++] = site;
  }
  qsort(timed, count, sizeof *timed, compare_timer_sites);
  return count;
}

/* Puts PART among the two LARGEST, if it has as much work.  */
static void keep_larger_part(struct timed_part largest[2], const struct timed_part *part) {
  if (part->work > largest[0].work) {
    largest[1] = largest[0];
    largest[0] = *part;
  } else if (part->work > largest[1].work)
    largest[1] = *part;
}

/* Finds the two parts of MODEL with the most work that the program times by other clocks than that of OpenMP: often one
   is the set-up, and the other what is of interest.  Each is all that one function times.  */
static void find_parts_with_clock(const struct model *model, struct timed_part largest[2]) {
  const struct site **timed = allocate(model->site_count, sizeof *timed);
  size_t count = find_sites_with_clock(model, timed);
  for (size_t first = 0, last; first < count; first = last) {
    struct timed_part part = {0};
    for (last = first; last < count && timed[last]->caller == timed[first]->caller; last++) {
      uint64_t work = timed[last]->measured->on_work.top_caller.work;
      part.work += work;
      if (part.largest == NULL || work > part.largest->measured->on_work.top_caller.work)
        part.largest = timed[last];
    }
    if (!is_caller_timed(timed, count, timed[first]->caller))
      keep_larger_part(largest, &part);
  }
  free(timed);
}

/* Returns where PART of MODEL is, and how the program times it, in words.  */
static char *name_timed_part(const struct model *model, const struct timed_part *part, double percent) {
  if (part->begin == NULL)
    return format_string("with %s the program times %.1f%% of its work in '%s',", part->largest->clock, percent,
                         part->largest->caller->brief_name);
  return format_string("with omp_get_wtime the program times %.1f%% of its work, from %s to line %u,", percent,
                       finding_user_place(model, part->begin), part->end->line);
}

/* Adds the finding about PART, which has so many PERCENT of the work.  */
static void add_timed_part_finding(struct verdict *verdict, const struct timed_part *part, double percent) {
  const struct model *model = verdict->model;
  const struct site *site = part->largest;
  bool is_construct = strncmp(site->callee->name, "omp ", strlen("omp ")) == 0; /* which is known by its place */
  char *place = format_string("%s:%u", site->file, site->line);
  char *timed = name_timed_part(model, part, percent);
  char *command = root_command(model, is_construct ? place : site->callee->name);
  struct finding *finding = add_finding(
      verdict, FINDING_TIMED_PART, TONE_NOTICE,
      format_string("%s but this verdict is about all of it.  To judge '%s' alone, which has %.1f%% of that part: %s",
                    timed, site->callee->brief_name,
                    model_percent_of_whole(site->measured->on_work.top_caller.work, part->work), command));
  set_finding_place(verdict, finding, site->callee->name, site);
  set_finding_share(finding, percent, "work");
  free(place);
  free(timed);
  free(command);
}

/* Adds a finding if the program times a part of itself, and much is outside of that.  A program with teams cannot be
   run with roots.  */
void judge_timed_part(struct verdict *verdict) {
  const double least = 5, most = 90;
  const struct model *model = verdict->model;
  if (model->root != NULL || model->site_count == 0 || has_judged_program_teams(model))
    return;
  struct timed_part parts[2] = {largest_timed_part(model)};
  if (parts[0].largest == NULL)
    find_parts_with_clock(model, parts);
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    double percent = parts[i].largest != NULL ? model_percent_of_whole(parts[i].work, model->totals.work) : 0;
    if (percent >= least && percent <= most)
      add_timed_part_finding(verdict, &parts[i], percent);
  }
}
