# What the tests of the parallel runtime share.
# SPDX-License-Identifier: MIT

. "$TOP/test/tap.sh"
LIB=$BUILD_DIR/lib/cilkprof
unset CILK_NWORKERS CILKPROF_FORCE_STEALS

# by_hand PROGRAM SOURCE [OPTION...]: compiles a program of this folder against the runtime.
by_hand() {
  program=$1 source=$TOP/test/parallel/$2
  shift 2
  case $source in
  *.cc) set -- $CXX -std=gnu++17 -Wno-deprecated-declarations "$@" ;;
  *) set -- $CC -std=gnu11 "$@" ;;
  esac
  "$@" -O2 -g -Wall -Wextra -Werror -D__cilkprof_parallel__ -I"$TOP" -I"$LIB/include" "$source" ${RUNTIME-$LIB/libcilkprof-parallel.a} -pthread \
    -o "$program" >compiler-said 2>&1 || give_up "$program compiles" compiler-said
}

# everywhere NAME COMMAND...: on 1, 2, 4 and 8 workers, and with forced steals, of which each has other ones in turn.
everywhere() {
  what=$1
  shift
  for workers in 1 2 4 8; do
    holds "$what, $workers workers" env CILK_NWORKERS=$workers timeout 300 "$@"
    for seed in 0 1 2; do
      in_turn 3 || continue
      holds "$what, $workers workers, forced $seed" env CILK_NWORKERS=$workers CILKPROF_FORCE_STEALS=$seed timeout 300 "$@"
    done
  done
}
