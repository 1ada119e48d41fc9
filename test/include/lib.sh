# What the tests of the headers share: a program is compiled without a warning, and its output checked.
# SPDX-License-Identifier: MIT

. "$TOP/test/libcilkprof/lib.sh"
warnings='-Wall -Wextra -Wpedantic -Werror'

# prints FILE STANDARD...: FILE, compiled for each standard with the keywords alone and with the profiler, prints what
# the file `wanted' says.
prints() {
  file=$1
  shift
  case $file in *.c) compiler=cc ;; *) compiler=c++ ;; esac
  for standard; do
    for options in '-O0' '-O2 -fcilkprof=count'; do
      if $compiler -std="$standard" $warnings -fcilkplus $options "$file" -o "${file%.*}" >said 2>&1; then
        CILKPROF_OUT=profile $RUN "./${file%.*}" >got 2>&1
        echo "status $?" >>got
        same "$file $standard $options" wanted got
      else
        fail "$file $standard $options" said
      fi
    done
  done
}

# wants LINE...: what the next program prints; it succeeds.
wants() {
  printf '%s\n' "$@" 'status 0' >wanted
}
