# What the tests of the headers share: a program is compiled without a warning, and its output checked.
# SPDX-License-Identifier: MIT

. "$TOP/test/libcilkprof/lib.sh"
warnings='-Wall -Wextra -Wpedantic -Werror'

# run_prints WHAT: the program of $file prints what the file `wanted' says.
run_prints() {
  CILKPROF_OUT=profile $RUN "./${file%.*}" >got 2>&1
  echo "status $?" >>got
  same "$1" wanted got
}

# compiled WHAT OPTION...: the program of $file, or WHAT has failed.
compiled() {
  what=$1
  shift
  case $file in *.c) compiler=cc ;; *) compiler=c++ ;; esac
  $compiler $warnings "$@" "$file" -o "${file%.*}" >said 2>&1 && return
  fail "$what" said
  return 1
}

# variants OPTIONS OTHERS FILE STANDARD...: FILE prints what the file `wanted' says, compiled for the first standard with
# the ones and for the last with the others, or the other way round in every second call; with LONG for each standard
# with both.  A program that runs in parallel makes every spawn a task.
level=0
variants() {
  options=$1 others=$2 file=$3
  shift 3
  for last; do :; done
  case $LONG$level in 0) set -- "$1" "$last" ;; 2) set -- "$last" "$1" ;; esac
  for standard; do
    for tried in "$options" ${LONG:+"$others"}; do
      what="$file $standard $tried"
      compiled "$what" -std="$standard" -fcilkplus $tried || continue
      case $tried in -O?) workers="8 ${LONG:+1 2}" ;; *) workers=1 ;; esac
      for number in $workers; do
        (export CILK_NWORKERS=$number CILKPROF_FORCE_STEALS=$number; run_prints '' >/dev/null)
        same "$what, $number workers" wanted got
      done
    done
    [ -n "$LONG" ] || options=$others
  done
}

# prints_serially FILE STANDARD...: with the keywords alone, and with the profiler.
prints_serially() {
  level=$((2 - level))
  variants '-O0 -fcilkplus=serial' '-O2 -fcilkprof=count' "$@"
}

# prints FILE STANDARD...: with the profiler and in parallel, without optimisation or with it in turn; with LONG also as
# prints_serially does.
prints() {
  level=$((2 - level))
  variants '-O2 -fcilkprof=count' -O$level "$@"
  [ -z "$LONG" ] || variants '-O0 -fcilkplus=serial' -O$((2 - level)) "$@"
}

# wants LINE...: what the next program prints; it succeeds.
wants() {
  printf '%s\n' "$@" 'status 0' >wanted
}
