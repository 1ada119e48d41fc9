# What the tests of cilkprof share.
# SPDX-License-Identifier: MIT

. "$TOP/test/tap.sh"
PATH=$BUILD_DIR/bin:$PATH
export PATH
unset CILKPROF_OUT CILKPROF_CONTEXTS CILK_NWORKERS OMP_NUM_THREADS

# shows NAME PATTERN [FILE]: the file, out unless it is named, has a line that matches.
shows() {
  if grep -q -e "$2" "${3:-out}"; then pass "$1"; else fail "$1" "${3:-out}"; fi
}
# refuses_with STATUS NAME PATTERN ARGUMENT...: cilkprof fails with that status, and prints nothing but one line, which
# matches.  refuses NAME PATTERN ARGUMENT...: the same with status 1.
refuses_with() {
  wanted=$1 name=$2 pattern=$3
  shift 3
  cilkprof "$@" >out 2>errors
  status=$?
  if [ $status = "$wanted" ] && [ ! -s out ] && [ "$(wc -l <errors)" = 1 ] && grep -q -e "^cilkprof: $pattern" errors; then
    pass "$name"
  else
    echo "status $status, wanted $wanted" >>errors
    fail "$name" errors
  fi
}
refuses() {
  refuses_with 1 "$@"
}

cat >sum.c <<'EOC'
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
static double __attribute__((noinline)) work(int n) {
  double x = 1;
  for (int i = 0; i < 1000; i++)
    x = x * 1.0000001 + n;
  return x;
}
static double sum(int low, int high) {
  if (high - low < 4)
    return work(low);
  double left = cilk_spawn sum(low, (low + high) / 2), right = sum((low + high) / 2, high);
  cilk_sync;
  return left + right;
}
int main(int argc, char **argv) {
  printf("%d\n", sum(0, argc > 1 ? atoi(argv[1]) : 4000) > 0);
  return argc > 2;
}
EOC
cat >loop.c <<'EOC'
#include <stdio.h>
static double a[4000];
int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 4000; i++)
    for (int j = 0; j < 1000; j++)
      a[i] += 1.0 / (i + j + 1);
  printf("%d\n", a[7] > 0);
  return 0;
}
EOC
