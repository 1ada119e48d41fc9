/* The table of functions that the engine's inner folders call in outer ones (host.h).
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/engine/host.h"
#include "libcilkprof/engine/profile/live.h"
#include "libcilkprof/engine/run/run.h"

const struct cilkprof_host __cilkprof_host = {
    .start = __cilkprof_start,
    .answer = __cilkprof_answer,
    .snapshot = __cilkprof_snapshot,
    .stopped = __cilkprof_live_end,
};
