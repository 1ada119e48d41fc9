/* The shares that the threads of a team have in a loop with a static schedule, and what is known of each loop.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_SHARES_H
#define CILKPROF_SHARES_H

#include "libcilkprof/engine/span/span.h"
#include "fmt/profile.h"

HIDDEN struct __cilkprof_shares *__cilkprof_shares_begin(uint64_t chunk, uint64_t trips);

HIDDEN uint64_t __cilkprof_shares_run(struct __cilkprof_shares *shares, uint64_t limit);

HIDDEN void __cilkprof_shares_stop(struct __cilkprof_shares *shares, uint64_t cost);

HIDDEN void __cilkprof_shares_drop(const struct __cilkprof_shares *shares);

HIDDEN void __cilkprof_shares_end(struct __cilkprof_shares *shares, uint64_t cost, uint64_t *longest);

HIDDEN void __cilkprof_shares_end_even(struct __cilkprof_shares *shares, uint64_t cost, uint64_t trips,
                                       uint64_t *longest);

/* loop_records.c: what is known of the loop at a site, over all of its executions.  */
struct loop_record {
  struct loop_record *next_in_bucket, *next;
  site_t *site;              /* NULL: it was lost with its library */
  struct tally more;         /* its entries in the log hold SUMS.more in the place of other values */
  struct cilkprof_loop sums; /* SITE and MORE are set when the profile is written */
};

HIDDEN struct loop_record *__cilkprof_loop_record(site_t *site);

HIDDEN entry_t *__cilkprof_loop_record_shares(struct loop_record *record, const uint64_t *longest, uint64_t span,
                                              entry_t *top);

HIDDEN struct loop_record *__cilkprof_loop_records(void);

HIDDEN struct cilkprof_loop __cilkprof_recorded_loop(const struct loop_record *record, uint64_t number,
                                                     const entry_t *entries);

#endif
