/* Variables of the process and of each thread that most files of the runtime use.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/runtime/runtime.h"

/* A thread learns only at its first spawn whether other workers would run its children.  */
EXPORTED THREAD unsigned char __cilkprof_r_want = 1;
EXPORTED THREAD struct __cilkprof_r_views *__cilkprof_r_views;
EXPORTED THREAD struct __cilkprof_r_pedigree __cilkprof_r_pedigree;
EXPORTED THREAD struct __cilkprof_r_range __cilkprof_r_range;
THREAD struct worker *__cilkprof_r_self;
THREAD struct open_loop *__cilkprof_r_loops;
THREAD struct spawned_block __cilkprof_r_spawned_block;

bool __cilkprof_r_watched;
atomic_bool __cilkprof_r_usual;
struct worker *_Atomic __cilkprof_r_workers[SLOTS];
_Atomic int __cilkprof_r_slots;
_Atomic int __cilkprof_r_hungry;
_Atomic int __cilkprof_r_locked;
int __cilkprof_r_helpers;
_Atomic enum stage __cilkprof_r_stage;
atomic_bool __cilkprof_r_stopping;
