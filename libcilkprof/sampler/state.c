/* The sampler's state, which all of its files use.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/sampler/state.h"

atomic_bool __cilkprof_s_on;
struct sampler __cilkprof_s_sampler;
__thread struct sampled_thread *__cilkprof_s_self;
