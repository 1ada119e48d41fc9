#!/bin/sh
# Events that are inlined and events that are called give the same numbers, as do frames in registers and in memory.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

for program in 'fib 18' 'qsort 20000' 'mm 128' 'nqueens 7' 'cilksort 30000' 'strassen 256' 'stencil 100' 'knapsack 20' 'cholesky 200'; do
  set -- $program
  for form in '' -fcilkprof-inline -fcilkprof-outline; do
    compile -O2 -fcilkprof=count $form "$programs/$1.c" -o "$1" -lm
    profile "$1" "$2"
    equal "$1$form: the program runs" 0 "$status"
    cp sites.csv "form$form.csv"
  done
  for form in -fcilkprof-inline -fcilkprof-outline; do
    same "$1$form: every value of every site is the same" form.csv "form$form.csv"
  done
done
finish
