/* What holds in every profile.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_FMT_VERIFY_H
#define CILKPROF_FMT_VERIFY_H

#include "fmt/profile.h"

/* Each returns NULL, or what is wrong, in one line.  */
const char *cilkprof_verify_program(const struct cilkprof_program *program);
const char *cilkprof_verify_site(const struct cilkprof_profile *profile, const struct cilkprof_site *site);
const char *cilkprof_verify_profile(const struct cilkprof_profile *profile);

#endif
