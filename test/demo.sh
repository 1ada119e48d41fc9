#!/bin/sh
# make demo: profiles a parallel quicksort, from its source to the report, and says how to go on with another program.
# SPDX-License-Identifier: MIT
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$TOP"/test/programs/qsort.c "$TOP"/test/programs/random.h "$folder"
cd "$folder"
PATH=$("$BUILD_DIR"/bin/cilkprof-cc --print-path):$BUILD_DIR/bin:$PATH

run()
{
  echo "\$ $*" >&2
  "$@"
}

run cc -O2 -fcilkplus -fcilkprof qsort.c -o qsort
run ./qsort >&2
run cilkprof report qsort cilkprof.out

cat >&2 <<END

Next, a program of your own (c++ for C++, -fopenmp for OpenMP):

  PATH="$BUILD_DIR/lib/cilkprof/bin:$BUILD_DIR/bin:\$PATH"
  cc -O2 -g -fcilkplus -fcilkprof prog.c -o prog
  cilkprof ./prog

To install everything:  make && sudo make install
END
