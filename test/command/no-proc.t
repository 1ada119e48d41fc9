#!/bin/sh
# cilkprof finds what is installed beside it where there is no /proc, as in a chroot.
# SPDX-License-Identifier: MIT
. "$TOP/test/command/lib.sh"

# bare COMMAND...: runs it without /proc, in a name space of its own.
bare() {
  unshare -rm sh -c 'mount -t tmpfs none /proc && exec "$@"' sh "$@"
}
if ! bare true 2>/dev/null; then
  echo '1..0 # SKIP no name spaces'
  exit 0
fi
cat >prog.c <<'EOC'
#include <cilk/cilk.h>
static int fib(int n) {
  if (n < 2)
    return n;
  int a = cilk_spawn fib(n - 1);
  int b = fib(n - 2);
  cilk_sync;
  return a + b;
}
int main(void) { return fib(15) != 610; }
EOC
cilkprof cc -O1 prog.c -o prog >said 2>&1 || give_up 'prog.c' said
holds 'a run is measured and reported' bare cilkprof ./prog
bare cilkprof ./prog >out 2>errors
shows 'with a verdict' '^Verdict'
holds 'a run is measured' bare cilkprof run ./prog
bare cilkprof report >out 2>errors
shows 'and reported' '^Verdict'
bare "$BUILD_DIR/bin/cilkprof" report >out 2>errors
shows 'by its path, too' '^Verdict'
finish
