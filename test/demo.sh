#!/bin/sh
# make demo: profiles a parallel quicksort, from its source to the report.
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
run cilkprof-report qsort cilkprof.out
