/* Counted calls: the record of each call site, and what is learnt from calls that are followed.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/engine/span/counted.h"
#include "libcilkprof/engine/memory.h"

/* What counting a call takes.  Of its three instructions most run while those of the program wait.  A callee that other
   code may call, too, looks first whether it is called by counted code, and goes on in its copy.  */
enum { LOOK_INSTRUCTIONS = 6, COUNTER_INSTRUCTIONS = 1 };

/* In a parallel run only calls are counted that reach no function with events: what is learnt of those inside would
   have to be added up over all workers.  */
#ifdef __CILKPROF_PARALLEL
enum { HAVE_PARTS = 0 };
#else
enum { HAVE_PARTS = 1 };
#endif

/* Makes STANDING a site that stands in for the one of COUNTED.  It is that of a leaf.  */
static void make_stand_in(site_t *standing, counted_t *counted) {
  const site_t *site = counted->site;
  standing->flags =
      (site->flags & __CILKPROF_SITE_SPAWN) | __CILKPROF_SITE_LEAF | (uint64_t)1 << __CILKPROF_SITE_STANDING;
  standing->function = site->function;
  standing->description = site->description;
  standing->callee = site->callee;
  standing->learnt.counted = counted;
  __cilkprof_list_site(standing);
}

/* Returns what is known of SITE, whose callee seldom spawns.  It is made at its first call.  Returns NULL if there is
   no memory, or if every call is to be followed: where contexts or roots are recorded, and for what-if questions.  */
counted_t *__cilkprof_counted(site_t *site) {
  counted_t **record = counted_record_of(site);
  if (*record)
    return *record;
  __cilkprof_list_site(site);
  if (!(site->flags & __CILKPROF_SITE_SIMPLE) || ENGINE.follow_all || ENGINE.mode != CILKPROF_MODE_HYBRID)
    return NULL;
  counted_t *counted = __cilkprof_allocate(sizeof *counted);
  if (!counted)
    return NULL;
  counted->site = site;
  for (int i = 0; i < STAND_INS; i++)
    make_stand_in(&counted->standing[i], counted);
  if (!site->callee)
    site->flags |= (uint64_t)1 << __CILKPROF_SITE_COUNTED;
  counted->next = profiled_thread()->counted;
  return profiled_thread()->counted = *record = counted;
}

/* Returns the slot for KEY in a hash table of ROOM sums of entries: the one that has it, or a free one.  */
static struct counted_part *counted_part_slot(struct counted_part *parts, size_t room, uint64_t key) {
  size_t i = (size_t)((key >> 3) * 0x9e3779b97f4a7c15u >> 20) & (room - 1);
  while (parts[i].key && parts[i].key != key)
    i = (i + 1) & (room - 1);
  return &parts[i];
}

/* Makes room for MORE parts of COUNTED.  Returns 0, or -1 if there is no memory.  */
static int make_room_for_counted_parts(counted_t *counted, size_t more) {
  size_t room = counted->part_room ? counted->part_room : 8;
  while (room < 2 * (counted->part_count + more))
    room *= 2;
  if (room == counted->part_room)
    return 0;
  struct counted_part *parts = __cilkprof_allocate(room * sizeof *parts);
  if (!parts)
    return -1;
  for (size_t i = 0; i < counted->part_room; i++)
    if (counted->parts[i].key)
      *counted_part_slot(parts, room, counted->parts[i].key) = counted->parts[i];
  counted->parts = parts;
  counted->part_room = room;
  return 0;
}

/* Adds ADDED to SUM.  */
static void add_sampled_sum(struct sampled_sum *sum, struct sampled_sum added) {
  sum->sum += added.sum;
  sum->squares += added.squares;
  sum->products += added.products;
}

/* Adds ADDED to the part of COUNTED that has its key.  */
static void add_counted_part(counted_t *counted, const struct counted_part *added) {
  struct counted_part *part = counted_part_slot(counted->parts, counted->part_room, added->key);
  counted->part_count += !part->key;
  part->key = added->key;
  part->count += added->count;
  part->work += added->work;
  add_sampled_sum(&part->local_work, added->local_work);
}

/* Returns the sum over one call of a sample, in which X is the value that is meant and the call took Y in all.  */
static struct sampled_sum sampled_sum_of_call(uint64_t x, uint64_t y) {
  return (struct sampled_sum){x, (double)x * (double)x, (double)x * (double)y};
}

/* Returns the local work of all entries of SUM.  */
static uint64_t counted_local_work_of_entries(struct cilkprof_sum sum) {
  uint64_t work = 0;
  for (size_t i = 0; i < sum.count; i++)
    work += sum.entries[i].local_work;
  return work;
}

/* Returns what counting takes where a followed call has ENTRY in the log: of the calls of its site, and of those inside
   of them if they were counted.  */
static double counters_for_entry(const entry_t *entry) {
  const site_t *site = (const site_t *)(entry->key & ~(uint64_t)__CILKPROF_ENTRY_KIND);
  const counted_t *inside = stands_in_for(site);
  double each = COUNTER_INSTRUCTIONS;
  if (site->flags & __CILKPROF_SITE_KNOWN)
    each += LOOK_INSTRUCTIONS;
  if (inside && inside->learnt_from)
    each += inside->counters_inside / (double)inside->learnt_from;
  return (double)entry->count * each;
}

/* Adds the entries of the log from BASE to TOP to the parts of COUNTED, those of a call that took WORK in all.  Returns
   0, or -1 if they do not add up to INSIDE, because the log was not kept, or if there is no memory.  */
static int add_log_to_parts(counted_t *counted, const entry_t *base, const entry_t *top, uint64_t work,
                            uint64_t inside) {
  __cilkprof_sum_begin();
  __cilkprof_sum_add(base, top, 1);
  struct cilkprof_sum sum = __cilkprof_sum_end();
  if (counted_local_work_of_entries(sum) != inside || make_room_for_counted_parts(counted, sum.count) < 0)
    return -1;
  for (size_t i = 0; i < sum.count; i++) {
    const entry_t *entry = &sum.entries[i];
    if (is_tally_entry(entry)) /* samples */
      continue;
    add_counted_part(counted, &(struct counted_part){.key = entry->key,
                                                     .count = entry->count,
                                                     .work = entry->work,
                                                     .local_work = sampled_sum_of_call(entry->local_work, work)});
    counted->counters_inside += counters_for_entry(entry);
  }
  counted->learnt_from++;
  counted->work_squares += (double)work * (double)work;
  return 0;
}

/* Learns from a call of COUNTED's site that was followed and has returned, with its totals in the return slots.  Its
   entries in the log are from BASE to TOP.  If it turns out to have spawned, no call is counted for a while.  */
void __cilkprof_learn_parts(counted_t *counted, const entry_t *base, const entry_t *top) {
  if (THREAD.span != THREAD.work && counted->guarded | counted->anew)
    __cilkprof_guarded_spawned(counted);
  else if (THREAD.span != THREAD.work)
    __cilkprof_counted_spawned(counted);
  else if (add_log_to_parts(counted, base, top, THREAD.work, THREAD.work - THREAD.local_work) == 0) {
    counted->cost.counters = (uint64_t)(counted->counters_inside / (double)counted->learnt_from);
    counted->work += THREAD.work;
    add_sampled_sum(&counted->local_work, sampled_sum_of_call(THREAD.local_work, THREAD.work));
    if (!HAVE_PARTS && counted->part_count) {
      never_count_again(counted);
      counted->again = UINT64_MAX;
    }
  }
}

/* Learns from ITERATIONS of the loop of COUNTED that were followed.  Their entries in the log are from BASE to TOP;
   their WORK includes OWN, that of the loop's code itself.  */
void __cilkprof_learn_iterations(counted_t *counted, const entry_t *base, const entry_t *top, uint64_t iterations,
                                 uint64_t work, uint64_t own) {
  if (add_log_to_parts(counted, base, top, work - own, work - own) < 0)
    return;
  counted->iterations += iterations;
  counted->counters = counted->counters_inside / (double)counted->iterations;
  counted->own_work += own;
  counted->work += work - own;
  double sum = (double)(counted->own_work + counted->work);
  counted->inside = sum > 0 ? (double)counted->work / sum : 0;
  if (!counted->timed_iterations)
    counted->iteration_cost = sum / (double)counted->iterations;
}

/* Replaces the sites of all counted calls, and those of their parts, by what MOVED returns for them: a shared library
   has been unloaded.  Parts of sites that were lost are dropped.  */
void __cilkprof_counted_moved(site_t *(*moved)(site_t *site)) {
  for (counted_t *counted = ENGINE.profiled->counted; counted; counted = counted->next) {
    counted->site = moved(counted->site);
    for (int i = 0; i < STAND_INS; i++)
      if (counted->site)
        counted->standing[i].description = counted->site->description;
    struct counted_part *parts = counted->parts;
    size_t room = counted->part_room;
    counted->parts = NULL;
    counted->part_count = counted->part_room = 0;
    for (size_t i = 0; i < room; i++) {
      struct counted_part part = parts[i];
      site_t *site = part.key ? moved((site_t *)(part.key & ~(uint64_t)__CILKPROF_ENTRY_KIND)) : NULL;
      part.key = (uint64_t)site | (part.key & __CILKPROF_ENTRY_KIND);
      if (site && make_room_for_counted_parts(counted, 1) == 0)
        add_counted_part(counted, &part);
    }
  }
}
