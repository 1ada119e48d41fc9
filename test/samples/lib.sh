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

# paths PROGRAM [FILE]: "microseconds of work, of idleness, of waiting, main;f;g", one logical call path a line.
paths() {
  cilkprof-report --top-down=0 --brief --full-names "$1" "${2:-cilkprof.out}"
}
