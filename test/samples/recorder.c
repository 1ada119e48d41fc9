/* The recorder's state, for tests of its parts.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/sampler/recorder.h"

struct recorder __cilkprof_s_recorder;
__thread struct thread *__cilkprof_s_self;
