#!/bin/sh
# What a task of OpenMP costs the recorder of samples and of the timeline, in instructions, which are the same on any day.
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

# Tasks that one place creates, as many loops do, and tasks that create others.
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
cat >tree.c <<'EOC'
#include <stdlib.h>
static volatile long sink;
/* Creates N tasks, of which each creates one.  */
static void divide(long n) {
  if (n == 0)
    return;
#pragma omp task
  divide(n / 2);
  divide(n - 1 - n / 2);
#pragma omp taskwait
}
int main(int argc, char **argv) {
  (void)argc;
#pragma omp parallel
#pragma omp single
  divide(atol(argv[1]));
  return 0;
}
EOC
for program in tasks tree; do
  (PATH=/usr/bin:$PATH && gcc -O2 -g -fopenmp $program.c -o $program) >said 2>&1 || give_up "$program compiles" said
done

# executed PROGRAM TASKS: instructions of the recorder.  One thread, and no samples to speak of.
executed() {
  LD_PRELOAD=$tool:$libomp OMP_NUM_THREADS=1 CILKPROF_SAMPLE=1 CILKPROF_SAMPLE_HZ=1 CILKPROF_OUT=cilkprof.out \
    valgrind --tool=callgrind --callgrind-out-file=counted "./$@" >said 2>&1 || give_up "$* runs" said
  callgrind_annotate --threshold=100 --tree=none --auto=no counted |
    sed -n 's/^ *\([0-9,]*\) (.*libcilkprof-openmp\.so\].*/\1/p' | tr -d , | awk '{ sum += $1 } END { print sum + 0 }'
}
# cost PROGRAM: instructions of each task.  Before the first one that is counted, as many are kept as ever.
cost() {
  few=$(executed "$1" 40000) many=$(executed "$1" 60000)
  echo $(((many - few) / 20000))
}
tasks=$(cost tasks) tree=$(cost tree)
echo "# instructions of the recorder for a task: $tasks; for one that creates others: $tree"
holds 'tasks that one place creates' test "$tasks" -gt 50 -a "$tasks" -lt 450
holds 'tasks that create others' test "$tree" -gt 50 -a "$tree" -lt 900
finish
