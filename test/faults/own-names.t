#!/bin/sh
# A program of ISO C may have functions that are called as some of the C library's: these are not called in their place.
# SPDX-License-Identifier: MIT
. "$TOP/test/faults/lib.sh"

cat >own.c <<'EOC'
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
static void called(const char *name) { fprintf(stderr, "%s is called\n", name); exit(9); }
void read(void) { called("read"); }
void write(void) { called("write"); }
void open(void) { called("open"); }
void close(void) { called("close"); }
void lseek(void) { called("lseek"); }
void fcntl(void) { called("fcntl"); }
void poll(void) { called("poll"); }
void unlink(void) { called("unlink"); }
void stat(void) { called("stat"); }
void fstat(void) { called("fstat"); }
void readlink(void) { called("readlink"); }
void getcwd(void) { called("getcwd"); }
static int fib(int n) {
  if (n < 2) return n;
  int a = cilk_spawn fib(n - 1), b = fib(n - 2);
  cilk_sync;
  return a + b;
}
int main(void) {
  fprintf(stderr, "%d\n", fib(18));
  return 0;
}
EOC
echo 2584 >wanted

# runs NAME OPTION...: the program that is compiled with these options says what it should, and leaves its file.
runs() {
  name=$1
  shift
  rm -f own.prof
  cc -w -O2 -fcilkplus "$@" own.c -o own >said 2>&1 || give_up "$name: it compiles" said
  CILKPROF_OUT=own.prof $RUN ./own >said 2>&1
  same "$name: the program's own functions are not called" wanted said
}
for options in -fcilkprof '-fcilkprof -static' -fcilkprof=parallel; do
  # shellcheck disable=SC2086 # several options
  runs "$options" $options
  holds "$options: there is a profile" cilkprof-report --summary own own.prof
done
runs 'in parallel'
if [ -z "$RUN" ]; then
  cilkprof-run -j 2 -o own.samples ./own >said 2>errors
  same 'sampled' wanted errors
  holds 'there are samples' test -s own.samples
fi
finish
