#!/bin/sh
# What a task of OpenMP costs the recorder of samples and of the timeline, in instructions, which do not depend on load.
# SPDX-License-Identifier: MIT
. "$TOP/test/samples/lib.sh"
unset OMP_NUM_THREADS OMP_TOOL OMP_TOOL_LIBRARIES LD_PRELOAD
if [ -n "$RUN" ] || ! command -v valgrind >/dev/null; then
  echo '1..0 # SKIP valgrind cannot count instructions here'
  exit 0
fi
tool=$BUILD_DIR/lib/cilkprof/libcilkprof-openmp.so
libomp=$(find /usr/lib/llvm-*/lib -name 'libomp.so.5' 2>/dev/null | sort | tail -n 1)
if [ ! -r "$tool" ] || [ -z "$libomp" ]; then
  echo '1..0 # SKIP there is no OpenMP runtime with an interface for tools'
  exit 0
fi

# Tasks that one place creates, as many loops do.
cat >tasks.c <<'EOC'
#include <stdlib.h>
static volatile long sink;
int main(int argc, char **argv) {
  (void)argc;
#pragma omp parallel
#pragma omp single
  for (long i = atol(argv[1]); i > 0; i--) {
#pragma omp task
    sink = i;
  }
  return 0;
}
EOC
(PATH=/usr/bin:$PATH && gcc -O2 -g -fopenmp tasks.c -o tasks) >said 2>&1 || give_up 'the program compiles' said

# executed TASKS: instructions of the recorder.  One thread, and so few samples that their unwinding does not matter.
executed() {
  LD_PRELOAD=$tool:$libomp OMP_NUM_THREADS=1 CILKPROF_SAMPLE=1 CILKPROF_SAMPLE_HZ=1 CILKPROF_OUT=cilkprof.out \
    valgrind --tool=callgrind --callgrind-out-file=counted ./tasks "$1" >said 2>&1 || give_up "$1 tasks run" said
  callgrind_annotate --threshold=100 --tree=none --auto=no counted |
    sed -n 's/^ *\([0-9,]*\) (.*libcilkprof-openmp\.so\].*/\1/p' | tr -d , | awk '{ sum += $1 } END { print sum + 0 }'
}
# Before the first task that counts, as many changes are kept as ever: the file is equally long.
few=$(executed 40000) many=$(executed 60000)
each=$(((many - few) / 20000))
echo "# instructions of the recorder for a task: $each"
holds 'a task costs few instructions' test "$each" -gt 50 -a "$each" -lt 220
finish
