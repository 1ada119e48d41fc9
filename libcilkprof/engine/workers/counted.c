/* Counted calls of all workers, which are added up when the profile is written.
   SPDX-License-Identifier: MIT

   What counted calls took is part of the results of passages, under the sites that stand in for theirs (results.c).
   But how often they made which calls, and what was learnt from those that were followed, each worker keeps: nothing of
   that is needed before the end.  */

#include "libcilkprof/engine/span/counted_sums.h"
#include "libcilkprof/engine/workers/workers.h"

/* Returns whether SITE, in the records of a recorder at DISTANCE or the site of a callee, belongs to an object that is
   loaded.  */
static int is_site_of_loaded_object(const site_t *site, uint64_t distance) {
  return __cilkprof_is_loaded_record((uint64_t)site - distance) ||
         __cilkprof_is_loaded_record((uint64_t)site->function);
}

/* Returns the first worker's site for SITE, a call site in the records of a recorder at DISTANCE, or one that was made
   for a callee there.  NULL: its object is not loaded any more.  */
static site_t *first_workers_site_for(const site_t *site, uint64_t distance) {
  if (!is_site_of_loaded_object(site, distance))
    return NULL;
  site_t *first = (site_t *)((uint64_t)site - distance);
  if (site->callee)
    first = __cilkprof_callee(*(site_t *const *)site->description, site->callee);
  __cilkprof_list_site(first);
  return first;
}

/* How many invocations a site has in all, and how many of them are top-call-site and top-caller ones.  */
struct invocations {
  double all, top_call_site, top_caller;
};

/* Returns the invocations of SITE, one of the first worker, that were followed or counted in the whole program.  */
static struct invocations invocations_in_program(const site_t *site) {
  const counted_t *counted = known_counted_calls(site);
  struct invocations found = {(double)site->count, (double)__cilkprof_top_call_site_of(site).count,
                              (double)__cilkprof_top_caller_of(site).count};
  if (counted) {
    const site_t *outermost = &counted->standing[OUTERMOST];
    found.all += (double)(outermost->count + counted->standing[INNER].count);
    found.top_call_site += (double)outermost->count;
    found.top_caller += (double)__cilkprof_top_caller_of(outermost).count;
  }
  return found;
}

/* Returns the invocations of SITE, one of a recorder, in the sample of COUNTED, as if the program had begun with the
   passages in which they were.  */
static struct invocations invocations_in_sample(const counted_t *counted, const site_t *site) {
  const counted_t *inside = known_counted_calls(site);
  uint64_t plain = __cilkprof_part_count(counted, site, __CILKPROF_ENTRY_PLAIN),
           below = __cilkprof_part_count(counted, site, __CILKPROF_ENTRY_TOP_SITE),
           top = __cilkprof_part_count(counted, site, __CILKPROF_ENTRY_TOP_CALLER);
  if (inside) {
    const site_t *outermost = &inside->standing[OUTERMOST], *inner = &inside->standing[INNER];
    plain += __cilkprof_part_count(counted, inner, __CILKPROF_ENTRY_TOP_SITE) +
             __cilkprof_part_count(counted, inner, __CILKPROF_ENTRY_TOP_CALLER);
    below += __cilkprof_part_count(counted, outermost, __CILKPROF_ENTRY_TOP_SITE);
    top += __cilkprof_part_count(counted, outermost, __CILKPROF_ENTRY_TOP_CALLER);
  }
  return (struct invocations){(double)(plain + below + top), (double)(below + top), (double)top};
}

/* Returns which fraction of invocations that are PART of ALL in a sample stays what they are, where in the program
   PROGRAM_PART of PROGRAM_ALL are.  */
static double staying_fraction(double part, double all, double program_part, double program_all) {
  double expected = program_all > 0 ? program_part / program_all * all : part;
  return expected < part ? expected / part : 1;
}

/* Adds a FRACTION of PART to the parts of COUNTED, as invocations of KIND at SITE, or where COUNTED_INSIDE is not NULL
   at one that stands in for it: those that are below other ones of their site have a stand-in of their own.  */
static void add_fraction_of_part(counted_t *counted, struct counted_part part, double fraction, uint64_t kind,
                                 site_t *site, counted_t *counted_inside) {
  int is_plain = kind == __CILKPROF_ENTRY_PLAIN;
  if (fraction <= 0)
    return;
  if (counted_inside) {
    site = &counted_inside->standing[is_plain ? INNER : OUTERMOST];
    kind = is_plain ? __CILKPROF_ENTRY_TOP_SITE : kind;
  }
  part.key = (uint64_t)site | kind;
  part.count = (uint64_t)((double)part.count * fraction + 0.5);
  part.work = (uint64_t)((double)part.work * fraction);
  part.local_work.sum = (uint64_t)((double)part.local_work.sum * fraction);
  part.local_work.squares *= fraction;
  part.local_work.products *= fraction;
  __cilkprof_add_part(counted, &part);
}

/* Adds PART of the sample of ADDED, of a recorder whose records are at DISTANCE, to COUNTED, of the first worker.  In a
   passage recursion begins anew.  So invocations that are the outermost ones of their site there may be below others in
   the program: as many as is known of all that were joined.  */
static void add_part_of_passages(counted_t *counted, const counted_t *added, const struct counted_part *part,
                                 uint64_t distance) {
  uint64_t kind = part->key & __CILKPROF_ENTRY_KIND;
  const site_t *found = (const site_t *)(part->key - kind);
  const counted_t *standing_for = stands_in_for(found);
  const site_t *real = standing_for ? standing_for->site : found;
  site_t *site = first_workers_site_for(real, distance);
  counted_t *inside = site && standing_for ? __cilkprof_counted(site) : NULL;
  if (!site)
    return;
  if (standing_for && found == &standing_for->standing[INNER])
    kind = __CILKPROF_ENTRY_PLAIN;
  struct invocations there = invocations_in_sample(added, real), all = invocations_in_program(site);
  double below = staying_fraction(there.top_call_site, there.all, all.top_call_site, all.all), top = 0;
  if (kind == __CILKPROF_ENTRY_TOP_CALLER) {
    top = staying_fraction(there.top_caller, there.all, all.top_caller, all.all);
    top = top < below ? top : below;
  }
  if (kind == __CILKPROF_ENTRY_PLAIN)
    below = 0;
  add_fraction_of_part(counted, *part, top, __CILKPROF_ENTRY_TOP_CALLER, site, inside);
  add_fraction_of_part(counted, *part, below - top, __CILKPROF_ENTRY_TOP_SITE, site, inside);
  add_fraction_of_part(counted, *part, 1 - below, __CILKPROF_ENTRY_PLAIN, site, inside);
}

/* Adds the samples of all workers to the first one's.  */
void __cilkprof_workers_add_samples(void) {
  for (const struct recorder *each = __cilkprof_last_recorder(); each; each = each->made_before)
    for (const counted_t *added = each->profiled.counted; added; added = added->next) {
      uint64_t distance = each->state.records;
      site_t *site = first_workers_site_for(added->site, distance);
      counted_t *counted = site ? __cilkprof_counted(site) : NULL;
      if (!counted)
        continue;
      __cilkprof_add_sample(counted, added);
      for (size_t i = 0; i < added->part_room; i++)
        if (added->parts[i].key)
          add_part_of_passages(counted, added, &added->parts[i], distance);
    }
}

/* Returns how many calls counted code made at SITE, one of the first worker, in all other workers, and clears that.  */
uint64_t __cilkprof_workers_take_counted(const site_t *site) {
  uint64_t count = 0;
  if (!__cilkprof_is_loaded_record((uint64_t)site))
    return 0;
  for (const struct recorder *each = __cilkprof_last_recorder(); each; each = each->made_before) {
    site_t *other = (site_t *)((uint64_t)site + each->state.records);
    count += other->counted;
    if (other->counted)
      other->counted = 0;
  }
  return count;
}
