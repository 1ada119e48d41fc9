/* What is known of each loop over all of its executions: their number, its iterations, the shares of threads.
   SPDX-License-Identifier: MIT

   A share that is longer than the span of the loop makes the longest path of a smaller team longer.  By how much is
   pushed on the log, as an entry without other values: so the sums over executions on the span are known at the
   end.  */

#include "libcilkprof/engine/memory.h"
#include "libcilkprof/engine/tasks/shares.h"

enum { BUCKETS = 1 << 8 };

struct loop_table {
  struct loop_record *buckets[BUCKETS], *first, **last;
};

/* Returns the record of the loop at SITE, which is made if there is none; NULL if there is no memory.  */
struct loop_record *__cilkprof_loop_record(site_t *site) {
  struct loop_table *table = profiled_thread()->loops;
  if (!table && (table = profiled_thread()->loops = __cilkprof_allocate(sizeof *table)))
    table->last = &table->first;
  if (!table)
    return NULL;
  struct loop_record **bucket = &table->buckets[((uint64_t)site * 0x9E3779B97F4A7C15u >> 32) % BUCKETS],
                     *record = *bucket;
  while (record && record->site != site)
    record = record->next_in_bucket;
  if (record || !(record = __cilkprof_allocate(sizeof *record)))
    return record;
  record->site = site;
  record->next_in_bucket = *bucket;
  *bucket = *table->last = record;
  table->last = &record->next;
  return record;
}

/* Pushes at TOP of the log by how much MORE than its span the path through the loop RECORD costs in each team.  The
   values of the entry are added up like those of any other.  Returns the new top of the log.  */
static entry_t *push_loop_entry(struct loop_record *record, const uint64_t *more, entry_t *top) {
  _Static_assert(CILKPROF_SHARES == 7, "an entry has a value for each team");
  *top = (entry_t){.key = (uint64_t)&record->more | __CILKPROF_ENTRY_TALLY,
                   .count = more[0],
                   .local_work = more[1],
                   .local_off_span = more[2],
                   .local_off_burdened_span = more[3],
                   .work = more[4],
                   .span = more[5],
                   .burdened_span = more[6]};
  return top + 1;
}

/* Adds LONGEST, the longest shares of an execution of the loop RECORD, which teams of 2, 4, ... threads divide
   statically.  Its path in the log ends at TOP and has SPAN.  Returns the new top of the log.  */
entry_t *__cilkprof_loop_record_shares(struct loop_record *record, const uint64_t *longest, uint64_t span,
                                       entry_t *top) {
  uint64_t more[CILKPROF_SHARES], any = 0;
  for (int i = 0; i < CILKPROF_SHARES; i++) {
    record->sums.longest[i] += longest[i];
    more[i] = longest[i] > span ? longest[i] - span : 0;
    any |= more[i];
  }
  return any && top < THREAD.limit ? push_loop_entry(record, more, top) : top; /* nothing is pushed into the sink */
}

/* Returns the first record of a loop; the others follow as NEXT.  */
struct loop_record *__cilkprof_loop_records(void) {
  struct loop_table *table = profiled_thread()->loops;
  return table ? table->first : NULL;
}

/* Returns the loop of RECORD as the profile has it, with NUMBER as that of its site.  ENTRIES are the sums of the
   log.  */
struct cilkprof_loop __cilkprof_recorded_loop(const struct loop_record *record, uint64_t number,
                                              const entry_t *entries) {
  struct cilkprof_loop loop = record->sums;
  loop.site = number;
  if (!record->more.folded || ENGINE.flags & CILKPROF_NO_ON_SPAN)
    return loop;
  const entry_t *sum = &entries[record->more.folded - 1];
  const uint64_t more[] = {sum->count, sum->local_work, sum->local_off_span, sum->local_off_burdened_span,
                           sum->work,  sum->span,       sum->burdened_span};
  for (int i = 0; i < CILKPROF_SHARES; i++)
    loop.more[i] = more[i] < loop.longest[i] ? more[i] : loop.longest[i];
  return loop;
}

/* Replaces the sites of all loops by what MOVED returns for them: a shared library has been unloaded.  */
void __cilkprof_loop_records_moved(site_t *(*moved)(site_t *site)) {
  for (struct loop_record *record = __cilkprof_loop_records(); record; record = record->next)
    if (record->site)
      record->site = moved(record->site);
}
