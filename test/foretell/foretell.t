#!/bin/sh
# Programs of which a speedup is foretold: they compute the right results as they are, annotated and in parallel; what is
# recorded of them is, on one processor, their work.
# SPDX-License-Identifier: MIT
. "$TOP/test/tap.sh"
. "$TOP/test/foretell/lib.sh"
report=$BUILD_DIR/bin/cilkprof-report
none=fork=0,join=0,nested=0,iteration=0,lock=0,task=0,spawn=0,steal=0,burden=0

echo "$programs" >list
while read -r program kind schedule size; do
  [ -n "$program" ] || continue
  foretell_build "$program" "$kind" >said 2>&1 || { fail "$program is compiled" said; continue; }
  for way in serial annotated parallel; do
    holds "$program, $way: its result is right" env OMP_NUM_THREADS=3 OMP_SCHEDULE="${schedule#cilk}" CILK_NWORKERS=3 \
      CILKPROF_OUT="$program.out" "./$program.$way" "$size"
  done
  "$report" --overheads="$none" --csv=emulation --processors=1 "$program.annotated" "$program.out" 2>&1 | tr -d '\r' >rows
  cut -d '"' -f 3 rows | cut -d , -f 5 | sed '1d' | sort -u >got
  echo 1 >wanted
  same "$program: on one processor it takes its work, under every schedule" wanted got
  holds "$program: its schedule is among these" grep -q "^\"$schedule\"," rows
done <list

# What is compiled as Cilk for this runs in parallel: it is not profiled.
XDG_CACHE_HOME=$PWD/cache PATH=$BUILD_DIR/bin:$PATH CILKPROF_OUT=$PWD/left.out
export XDG_CACHE_HOME CILKPROF_OUT
"$report" --calibrate >got 2>/dev/null
holds 'what a spawn costs is measured' grep -q '^spawn *[0-9.]* ns  a task of Cilk.s is spawned$' got
"$report" --synthesize --csv=emulation --emulate=cilk --processors=1 sort.annotated sort.out 2>said | tr -d '\r' >got
holds 'a synthesized program of Cilk runs' grep -q '^"cilk",1,.*,[0-9.]*[0-9]$' got
holds 'and leaves no profile' test ! -e left.out
finish
