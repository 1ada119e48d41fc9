#!/bin/sh
# Loops and children that are short are neither divided nor deferred, until they are long.
# SPDX-License-Identifier: MIT
. "$TOP/test/parallel/lib.sh"

by_hand learning learning.c
for workers in 2 4; do
  holds "what is short is learned, and what is long, $workers workers" \
    env CILK_NWORKERS=$workers timeout 100 ./learning short
  holds "a recursion is noticed, $workers workers" env CILK_NWORKERS=$workers timeout 100 ./learning recursion
  holds "a loop of one grain is not divided, $workers workers" env CILK_NWORKERS=$workers timeout 100 ./learning grain
  for seed in 0 1; do
    holds "nothing is learned, $workers workers, forced $seed" \
      env CILK_NWORKERS=$workers CILKPROF_FORCE_STEALS=$seed timeout 100 ./learning nothing
  done
done
holds 'one worker divides no loop, two do' env CILK_NWORKERS=1 timeout 100 ./learning one

finish
