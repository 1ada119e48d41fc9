/* The finding about the part of an OpenMP program that the program itself times, with omp_get_wtime: what it does
   before and after is often of no interest, but the verdict is about all.
   SPDX-License-Identifier: GPL-3.0-or-later

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
  const struct site *begin, *end;
  uint64_t work;              /* of the calls and loops in it */
  const struct site *largest; /* the one of these with the most work; NULL: there are none */
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

/* Adds the finding about PART, which has so many PERCENT of the work.  */
static void add_timed_part_finding(struct verdict *verdict, const struct timed_part *part, double percent) {
  const struct model *model = verdict->model;
  const struct site *site = part->largest;
  bool is_construct = strncmp(site->callee->name, "omp ", strlen("omp ")) == 0; /* which is known by its place */
  char *place = format_string("%s:%u", site->file, site->line);
  char *begin = format_string("%s", finding_user_place(model, part->begin));
  char *command = root_command(model, is_construct ? place : site->callee->name);
  struct finding *finding = add_finding(
      verdict, FINDING_TIMED_PART, TONE_NOTICE,
      format_string("with omp_get_wtime the program times %.1f%% of its work, from %s to line %u, but this verdict is "
                    "about all of it.  To judge '%s' alone, which has %.1f%% of that part: %s",
                    percent, begin, part->end->line, site->callee->brief_name,
                    model_percent_of_whole(site->measured->on_work.top_caller.work, part->work), command));
  set_finding_place(verdict, finding, site->callee->name, site);
  set_finding_share(finding, percent, "work");
  free(place);
  free(begin);
  free(command);
}

/* Adds a finding if the program times a part of itself, and much is outside of that.  A program with teams cannot be
   run with roots.  */
void judge_timed_part(struct verdict *verdict) {
  const double least = 5, most = 90;
  const struct model *model = verdict->model;
  if (model->root != NULL || model->site_count == 0 || has_judged_program_teams(model))
    return;
  struct timed_part part = largest_timed_part(model);
  double percent = part.largest != NULL ? model_percent_of_whole(part.work, model->totals.work) : 0;
  if (percent >= least && percent <= most)
    add_timed_part_finding(verdict, &part, percent);
}
