/* The table of functions that the engine's inner folders call in outer ones (host.h).
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/engine/host.h"
#include "libcilkprof/engine/profile/live.h"
#include "libcilkprof/engine/profile/sampling.h"
#include "libcilkprof/engine/run/run.h"
#include "libcilkprof/engine/span/samples.h"

const struct cilkprof_host __cilkprof_host = {
    .start = __cilkprof_start,
    .answer = __cilkprof_answer,
    .snapshot = __cilkprof_snapshot,
    .stopped = __cilkprof_live_end,
    .catch_up = __cilkprof_sampling_catch_up,
    .hold_samples = __cilkprof_samples_hold,
    .samples_of_strand = __cilkprof_samples_of_strand,
    .carry_samples = __cilkprof_samples_carry,
};
