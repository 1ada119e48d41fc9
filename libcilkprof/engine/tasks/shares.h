/* The shares that the threads of a team have in a loop with a static schedule, and what is known of each loop.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_SHARES_H
#define CILKPROF_SHARES_H

#include "libcilkprof/engine/span/span.h"
#include "fmt/profile.h"

/* shares.c: begins a loop with a static schedule.  CHUNK is its chunk size, 0 if none is given; TRIPS is the number of
   iterations, 0 if that is not known.  Returns NULL if there is no memory.  */
HIDDEN struct __cilkprof_shares *__cilkprof_shares_begin(uint64_t chunk, uint64_t trips);

/* Returns how many iterations there are up to the next stop, at most LIMIT.  A stop is where another thread may
   take over in a team of some size.  */
HIDDEN uint64_t __cilkprof_shares_run(struct __cilkprof_shares *shares, uint64_t limit);

/* The loop has arrived at a stop, or at the end of a grain; COST is that of all iterations up to here, one after
   another.  */
HIDDEN void __cilkprof_shares_stop(struct __cilkprof_shares *shares, uint64_t cost);

/* Ends a loop without iterations.  */
HIDDEN void __cilkprof_shares_drop(const struct __cilkprof_shares *shares);

/* Ends the loop, whose iterations have cost COST.  Stores the longest share in a team of 2, 4, ... threads to
   LONGEST.  */
HIDDEN void __cilkprof_shares_end(struct __cilkprof_shares *shares, uint64_t cost, uint64_t *longest);

/* Ends a loop whose TRIPS iterations cost the same, COST together, and does the same.  */
HIDDEN void __cilkprof_shares_end_even(struct __cilkprof_shares *shares, uint64_t cost, uint64_t trips,
                                       uint64_t *longest);

/* loop_records.c: what is known of the loop at a site, over all of its executions.  */
struct loop_record {
  struct loop_record *next_in_bucket, *next;
  site_t *site;              /* NULL: it was lost with its library */
  struct tally more;         /* its entries in the log hold SUMS.more in the place of other values */
  struct cilkprof_loop sums; /* SITE and MORE are set when the profile is written */
};

/* Returns the record of the loop at SITE, which is made if there is none; NULL: there is no memory.  */
HIDDEN struct loop_record *__cilkprof_loop_record(site_t *site);

/* Adds the LONGEST shares of an execution of the loop RECORD, which a team divides statically.  Its path in the log
   ends at TOP and has SPAN.  Returns the new top.  */
HIDDEN entry_t *__cilkprof_loop_record_shares(struct loop_record *record, const uint64_t *longest, uint64_t span,
                                              entry_t *top);

/* Returns the first record; the others follow as NEXT.  */
HIDDEN struct loop_record *__cilkprof_loop_records(void);

/* Returns the loop of RECORD as the profile has it, with NUMBER as that of its site.  ENTRIES are the sums of the
   log.  */
HIDDEN struct cilkprof_loop __cilkprof_recorded_loop(const struct loop_record *record, uint64_t number,
                                                     const entry_t *entries);

#endif
