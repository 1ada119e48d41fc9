#!/bin/sh
# Every form of the language computes in parallel what its serial elision does, on any number of workers.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/libcilkprof/lib.sh"
unset CILK_NWORKERS CILKPROF_FORCE_STEALS
programs=$TOP/test/parallel/language

# in_parallel FILE COMPILER OPTION...: the file `wanted' is what its elision prints.  Two files have 2 workers that are forced
# to steal, the next two 8, which take long where there are fewer processors; with LONG all have both.
tried=0
in_parallel() {
  tried=$((tried + 1))
  file=$1 compiler=$2
  shift 2
  if ! $compiler "$@" -fcilkplus "$programs/$file" -o program -lm >said 2>&1; then
    fail "$file $*: it compiles" said
    return
  fi
  for workers in 2 8 ${LONG:+1}; do
    CILK_NWORKERS=$workers timeout 100 $RUN ./program >got 2>&1
    same "$file $*, $workers workers" wanted got
    [ -n "$LONG" ] || [ $((tried / 2 % 2)) = $((workers / 8)) ] || continue
    CILK_NWORKERS=$workers CILKPROF_FORCE_STEALS=$workers timeout 100 $RUN ./program >got 2>&1
    same "$file $*, $workers workers, forced" wanted got
  done
}

# try FILE COMPILER OPTION...: its elision is that of the call before, if that was of the same file; with LONG each has its own.
elided=
try() {
  if { [ -z "$LONG" ] && [ "$elided" = "$1" ]; } ||
    { $2 -w -O0 -fcilkplus=serial "$3" "$programs/$1" -o elision -lm >said 2>&1 && $RUN ./elision >wanted 2>&1; }; then
    elided=$1
    for level in -O0 '-O2 -g'; do
      in_turn 2 || continue
      in_parallel "$1" "$2" -w "$3" $level
    done
  else
    fail "$1: its elision runs" said
  fi
}

try spawns.c cc -std=gnu11
for name in loops blocks opencilk; do
  try $name.c cc -std=gnu11
  try $name.c c++ -xc++
done
for name in loops ranges exceptions short plain objects; do
  try $name.cc c++ -std=gnu++17
done
try objects.cc c++ -std=gnu++20
[ -n "$RUN" ] || try objects.cc c++ -fsanitize=address # which qemu does not run

# Pedigrees are the same whoever runs what: those of one worker.
cc -O1 -fcilkplus -fcilkplus-pedigrees "$programs/pedigrees.c" -o elision >said 2>&1 && CILK_NWORKERS=1 $RUN ./elision >wanted
holds 'pedigrees have several terms' grep -q ' 2 10 ' wanted
for compiler in cc 'c++ -xc++'; do
  for level in -O0 -O2; do
    ! in_turn 2 || in_parallel pedigrees.c "$compiler" $level -fcilkplus-pedigrees
  done
done

# What stays serial is named on request.
cat >serial.c <<'EOC'
#include <cilk/cilk.h>
#include <setjmp.h>
static int id(int x) { return x; }
static jmp_buf place;
int jumps(void) { if (setjmp(place)) return 1; int x = cilk_spawn id(1); cilk_sync; return x; }
int main(void) {
  int x = cilk_spawn id(1);
  x += cilk_spawn id(2);
  volatile int y;
  y = cilk_spawn id(3);
  for (int i = 0; i < 3; i++) cilk_spawn id(i);
  return x + y + (cilk_spawn id(4)) + jumps() == 0;
}
EOC
cc -Wcilk-serial -fcilkplus serial.c -o serial >said 2>&1
sed -n 's/^serial.c:\([0-9]*\):.*serially: \(.*\) \[.*/\1 \2/p' said | sort -n >got
cat >wanted <<'END'
5 the function around it calls setjmp
8 its result is used at once
10 its result goes to a register or to a volatile object
12 its result is used at once
END
same '-Wcilk-serial names every place, and why' wanted got
cc -fcilkplus serial.c -o serial >said 2>&1
same 'without it nothing is said' /dev/null said
cc -fcilkplus=serial -Wcilk-serial serial.c -o serial >said 2>&1
same 'of the elision neither' /dev/null said
cc -fcilkplus=other serial.c -o serial >said 2>&1
cp said errors
holds '-fcilkplus= takes two words' grep -q "'-fcilkplus=' needs one of 'parallel' and 'serial'" errors

finish
