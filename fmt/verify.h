/* Checks of properties that every profile has.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_FMT_VERIFY_H
#define CILKPROF_FMT_VERIFY_H

#include "fmt/profile.h"

/* Each function that returns a string returns NULL, or one line that states what is wrong.  */
const char *cilkprof_verify_program(const struct cilkprof_program *program);
const char *cilkprof_verify_site(const struct cilkprof_profile *profile, const struct cilkprof_site *site);
const char *cilkprof_verify_loop(const struct cilkprof_profile *profile, const struct cilkprof_loop *loop);
const char *cilkprof_verify_estimate(const struct cilkprof_profile *profile, const struct cilkprof_estimate *estimate);
const char *cilkprof_verify_region(const struct cilkprof_profile *profile, const struct cilkprof_region *region);
const char *cilkprof_verify_context(const struct cilkprof_profile *profile, const struct cilkprof_context *context);
const char *cilkprof_verify_usage(const struct cilkprof_usage_record *usage);
const char *cilkprof_verify_workers(const struct cilkprof_workers *workers);
const char *cilkprof_verify_tree(const struct cilkprof_tree *tree); /* tree.c */
const char *cilkprof_verify_sampling(const struct cilkprof_sampling *sampling);
const char *cilkprof_verify_transition(const struct cilkprof_profile *profile,
                                       const struct cilkprof_transition *transition, uint64_t before);
const char *cilkprof_verify_stack_span(const struct cilkprof_profile *profile, const struct cilkprof_stack_span *span);
const char *cilkprof_verify_counters(const struct cilkprof_profile *profile, const struct cilkprof_counters *counters);
const char *cilkprof_verify_stack(const struct cilkprof_profile *profile, const struct cilkprof_stack *stack);
const char *cilkprof_verify_whatif(const struct cilkprof_whatif *whatif);
/* measures.c.  The first function returns whether no value of ON_SPAN exceeds that of ON_WORK.  */
int cilkprof_is_part_of(const struct cilkprof_measure *on_span, const struct cilkprof_measure *on_work);
const char *cilkprof_verify_measures(const struct cilkprof_measures *on_work, const struct cilkprof_measures *on_span,
                                     uint64_t flags);
/* Check a whole profile.  */
const char *cilkprof_verify_contexts(const struct cilkprof_profile *profile); /* contexts.c */
const char *cilkprof_verify_profile(const struct cilkprof_profile *profile);

#endif
