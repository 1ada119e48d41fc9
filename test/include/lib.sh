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

# prints_serially FILE STANDARD...: FILE, compiled for each standard with the keywords alone and with the profiler, prints
# what the file `wanted' says.  Without LONG only the first and the last standard are tried.
prints_serially() {
  file=$1 number=0
  shift
  for standard; do
    number=$((number + 1))
    case $LONG$number in 1 | $#) ;; ?) continue ;; esac
    for options in '-O0 -fcilkplus=serial' '-O2 -fcilkplus -fcilkprof=count'; do
      compiled "$file $standard $options" -std="$standard" $options && run_prints "$file $standard $options"
    done
  done
}

# prints FILE STANDARD...: the same, and for the last standard in parallel, with every spawn a task.
prints() {
  prints_serially "$@"
  for options in -O0 -O2; do
    compiled "$file in parallel $options" -std="$standard" $options -fcilkplus || continue
    for workers in 8 ${LONG:+1 2}; do
      (export CILK_NWORKERS=$workers CILKPROF_FORCE_STEALS=$workers; run_prints '' >/dev/null)
      same "$file in parallel $options, $workers workers" wanted got
    done
  done
}

# wants LINE...: what the next program prints; it succeeds.
wants() {
  printf '%s\n' "$@" 'status 0' >wanted
}
