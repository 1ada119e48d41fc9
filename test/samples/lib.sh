# What the tests of the recorder of samples share.
# SPDX-License-Identifier: MIT

. "$TOP/test/tap.sh"
PATH=$BUILD_DIR/lib/cilkprof/bin:$BUILD_DIR/bin:$PATH
unset CILK_NWORKERS CILKPROF_FORCE_STEALS CILKPROF_OUT CILKPROF_SAMPLE CILKPROF_SAMPLE_HZ

# compile [OPTION...] SOURCE -o PROGRAM: as a user would.
compile() {
  gcc -O2 -g -fcilkplus "$@" -lm >compiler-said 2>&1 || give_up "$* compiles" compiler-said
}

# sampled COMMAND...: with samples, of which two processors are needed.
sampled() {
  CILKPROF_SAMPLE=1 CILK_NWORKERS=2 timeout 120 "$@"
}

# paths METRIC PROGRAM [FILE]: "main;f;g NANOSECONDS", one logical call path a line.
paths() {
  cilkprof-report --format=collapsed --metric="$1" "$2" "${3:-cilkprof.out}"
}
