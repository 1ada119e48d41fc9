# What the tests of the headers share: a program is compiled without a warning, and its output checked.
# SPDX-License-Identifier: MIT

. "$TOP/test/libcilkprof/lib.sh"
warnings='-Wall -Wextra -Wpedantic -Werror'

# prints FILE STANDARD...: FILE, compiled for each standard with the keywords alone and with the profiler, prints what
# the file `wanted' says; in parallel on several numbers of workers, with every spawn stolen that can be.
prints() {
  file=$1
  shift
  case $file in *.c) compiler=cc ;; *) compiler=c++ ;; esac
  for standard; do
    for options in '-fcilkplus=serial -O0' '-fcilkplus -O0' '-fcilkplus -O2' '-fcilkplus -O2 -fcilkprof=count'; do
      if ! $compiler -std="$standard" $warnings $options "$file" -o "${file%.*}" >said 2>&1; then
        fail "$file $standard $options" said
        continue
      fi
      case $options in
      *serial* | *count) runs='1' ;;
      *) runs='1 2 8' ;;
      esac
      for workers in $runs; do
        CILKPROF_OUT=profile CILK_NWORKERS=$workers CILKPROF_FORCE_STEALS=$workers $RUN "./${file%.*}" >got 2>&1
        echo "status $?" >>got
        same "$file $standard $options, $workers workers" wanted got
      done
    done
  done
}

# wants LINE...: what the next program prints; it succeeds.
wants() {
  printf '%s\n' "$@" 'status 0' >wanted
}
