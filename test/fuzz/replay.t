#!/bin/sh
# What fuzzing has found worth keeping is run again, with the sanitizers and the limits on memory.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/faults/lib.sh"
. "$TOP/test/fuzz/lib.sh"

seed quicksort -static && seed calls -static && seed tree -static && sampled waste -static || give_up 'the seeds are built'
# replay NAME TARGET FILE...
replay() {
  name=$1 target=$2
  shift 2
  tried inputs $#
  if "$fuzz/replay-$target" "$@" >said 2>&1; then pass "$name: $# inputs"; else tail -n 40 said >end; fail "$name" end; fi
}
ASAN_OPTIONS=abort_on_error=1 replay 'the reader, which leaks nothing' reader quicksort.out calls.out tree.out waste.out "$corpus"/profile/*
FUZZ_ALL=1 FUZZ_OTHER=$PWD/quicksort replay 'the report: profiles' report quicksort.out calls.out tree.out waste.out "$corpus"/profile/*
FUZZ_ALL=1 FUZZ_OTHER=$PWD/quicksort.out replay 'the report: programs' program quicksort calls "$corpus"/program/*
FUZZ_ALL=1 FUZZ_OTHER=$PWD/waste replay 'the report: samples' report waste.out
FUZZ_ALL=1 FUZZ_OTHER=$PWD/waste.out replay 'the report: sampled programs' program waste quicksort

# Cut and flipped where fuzzing seldom gets: a file is its own corpus.
mkdir cut
size=$(wc -c <quicksort)
for at in $(seq 0 $((size / 40)) $((size - 1))); do head -c "$at" quicksort >cut/$at; done
FUZZ_ALL=1 FUZZ_OTHER=$PWD/quicksort.out replay 'the report: a program cut short' program cut/*
# The samples, with a byte changed here and there: checksums are made right again.
size=$(wc -c <waste.out)
mkdir changed
for at in $(seq 200 24 $((size - 1))); do
  { head -c "$at" waste.out; printf '\377'; tail -c +$((at + 2)) waste.out; } >changed/$at
done
FUZZ_ALL=1 FUZZ_OTHER=$PWD/waste replay 'the report: changed samples' report changed/*
finish
