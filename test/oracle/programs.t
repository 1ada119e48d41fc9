#!/bin/sh
# The sample programs at small sizes: the engine and the oracle agree on every field of every site.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

made=$BUILD_DIR/test/oracle

# compare PROGRAM [ARGUMENT...]: with every engine and at several levels.
compare() {
  sample=$1
  shift
  for level in -O3 ${LONG:+-O0}; do
    [ $level = -O0 ] && CILKPROF_CONTEXTS=0 || CILKPROF_CONTEXTS=1
    export CILKPROF_CONTEXTS
    compile $level -fcilkprof=count -c "$programs/$sample.c" -o sample.o
    compile $level -fcilkprof=count sample.o -o profiled -lm
    compile $level -fcilkprof=count -L"$BUILD_DIR/stress" sample.o -o stressed -lm
    compile $level -fcilkprof=count -fcilkprof-callbacks "$programs/$sample.c" "$made/tracer.o" -o traced -lm
    CILKPROF_TRACE=trace $RUN ./traced "$@" >traced.said 2>&1
    for engine in profiled stressed; do
      CILKPROF_OUT=profile $RUN ./$engine "$@" >$engine.said 2>&1
      holds "$sample $* $level, $engine" "$made/oracle" traced trace profile
      cmp -s traced.said $engine.said || give_up "$sample $*: both say the same"
    done
  done
}

compare fib 15
compare qsort 3000
compare mm 128
compare nqueens 6
compare saxpy 5000 2
compare snippet_a 200
compare snippet_b 200
compare cilksort 5000
compare stencil 40 3
compare cholesky 40
compare fft 4096
compare heat 32 20 3
compare knapsack 12
compare lu 64
compare matmul 64
compare rectmul 64
compare strassen 128
finish
