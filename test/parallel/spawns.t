#!/bin/sh
# Spawns, syncs, loops and blocks, as compiled code calls the runtime.
# SPDX-License-Identifier: MIT
. "$TOP/test/parallel/lib.sh"

by_hand spawns spawns.c
everywhere 'fib' ./spawns fib 21
everywhere 'closures that are larger than a task' ./spawns large
everywhere 'many children of one frame' ./spawns many 20000
everywhere 'children of children' ./spawns deep 5000
everywhere 'loops' ./spawns loops
everywhere 'blocks' ./spawns blocks
everywhere 'threads of the program' ./spawns threads 20
everywhere 'forks' ./spawns forks 10
for workers in 2 4 8; do
  holds "the end while children run, $workers workers" env CILK_NWORKERS=$workers timeout 300 ./spawns end
done
for workers in 2 4 8; do
  holds "workers that sleep are woken, $workers workers" env CILK_NWORKERS=$workers timeout 300 ./spawns wakes 100
done
holds 'thousands of threads, one after the other' env CILK_NWORKERS=2 timeout 300 ./spawns threads 800
(ulimit -s 65536 && CILK_NWORKERS=2 timeout 300 ./spawns deep 100000) >said 2>&1
holds 'a hundred thousand levels on a large stack' test $? = 0

finish
