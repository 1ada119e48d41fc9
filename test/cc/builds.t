#!/bin/sh
# The ways in which programs are built: link-time optimisation, static, shared libraries, sections, debugging.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/cc/lib.sh"

cat >kernel.c <<'EOC'
#include <cilk/cilk.h>
__attribute__((noinline)) static int leaf(int n) { volatile int x = n; for (int i = 0; i < n; i++) x += i; return x; }
int kernel(int n) {
  if (n < 2) return leaf(n);
  int a = cilk_spawn kernel(n - 1);
  int b = kernel(n - 2);
  cilk_sync;
  return a + b;
}
int never_called(int n) { return cilk_spawn leaf(n); }
EOC
cat >main.c <<'EOC'
#include <cilk/cilk.h>
#include <stdio.h>
int kernel(int);
__attribute__((noinline)) static int leaf(int n) { volatile int x = n; return x + 1; }
int main(void) {
  int sum = 0;
  cilk_for (int i = 0; i < 10; i++) sum += leaf(i);
  printf("%d %d\n", kernel(10), sum);
  return 0;
}
EOC
facts() { # counts of all sites, without what depends on the compiler's estimates
  awk -F, 'NR > 1 { print $1, $2, $4, $5, $6, $7, $11, $15 }' sites.csv | sort
}
compile -O2 -fcilkprof=count kernel.c main.c -o program
profile program
facts >wanted
cp program.stdout output
holds 'two functions of one name in two files are two' sh -c 'grep -c "leaf (" wanted | grep -q 2'

try() { # NAME OPTION...
  name=$1
  shift
  rm -f program
  compile -fcilkprof=count "$@" kernel.c main.c -o program
  profile program
  same "$name: the output" output program.stdout
  facts >got
  same "$name: the same sites and counts" wanted got
}
try -O0 -O0
try -O3 -O3
if [ -n "$LONG" ]; then
  try '-O2 -g' -O2 -g
  try '-Og' -Og
  try '-flto=2' -O2 -flto=2
fi
try '-Os' -Os
try '-flto' -O2 -flto
try '-flto -ffat-lto-objects' -O2 -flto -ffat-lto-objects
try '-flto -fchecking' -O3 -flto -fchecking
try '-static' -O2 -static
try '-static-pie' -O2 -static-pie
try '-static-pie of code for libraries' -O2 -static-pie -fPIC -rdynamic
# Nothing has set up thread-local memory yet where these would be resolved.
holds '-static-pie: no relocation of thread-local memory' sh -c '! readelf -rW program | grep -q "TPOFF\|TPREL\|DTPMOD"'
try '-no-pie' -O2 -fno-pie -no-pie
try '-ffunction-sections with --gc-sections' -O2 -ffunction-sections -fdata-sections -Wl,--gc-sections
# Those that have nothing to do with each other are given together.
try '-std=c99 -pedantic, a protected stack with frame pointers, a pipe' \
  -O2 -pipe -fno-omit-frame-pointer -fstack-protector-all -std=c99 -pedantic
printf '%s\n' -O2 -fno-inline >response
try 'a response file' @response

# A value that a function builds in its caller's memory, in a loop.
cat >result.c <<'EOC'
#include <stdio.h>
typedef struct { double a[5]; } big;
__attribute__((noinline)) static big make(int k) { big b; for (int i = 0; i < 5; i++) b.a[i] = k + i; return b; }
int main(void) { big b = make(3); printf("%g %g\n", b.a[0], b.a[4]); return 0; }
EOC
sanitizers="-fsanitize=address,undefined -fsanitize=thread"
[ -z "$RUN" ] || sanitizers= # they know the system only as it is
for options in -O0 -O2 -g3 $sanitizers ${LONG:+-O1 -O3 -Os}; do
  compile -fcilkprof $options result.c -o result
  equal "$options: a large result" '3 7' "$(CILKPROF_OUT=result.prof $RUN ./result)"
done

# The kernel in a shared library: linked, and loaded at run time.
compile -O2 -fcilkprof=count -fPIC -shared kernel.c -o libkernel.so
compile -O2 -fcilkprof=count main.c -L. -lkernel -Wl,-rpath,"$PWD" -o program
profile program
same 'a shared library: the output' output program.stdout
facts >got
same 'a shared library: the same sites and counts' wanted got
cat >loading.c <<'EOC'
#include <dlfcn.h>
#include <stdio.h>
int main(void) {
  void *library = dlopen("./libkernel.so", RTLD_NOW);
  if (!library) { fputs(dlerror(), stderr); return 1; }
  int (*kernel)(int) = (int (*)(int))dlsym(library, "kernel");
  printf("%d\n", kernel(10));
  return 0;
}
EOC
compile -O2 -fcilkprof=count loading.c -o loading
profile loading
equal 'a loaded library: the output' "$(cut -d' ' -f1 output)" "$(cat loading.stdout)"
equal 'a loaded library: spawns' 88 "$(whole Spawns)"
gcc -O2 loading.c -o bare
CILKPROF_OUT=bare.prof $RUN ./bare >bare.stdout 2>bare.stderr
equal 'a library in a program without instrumentation: the output' "$(cut -d' ' -f1 output)" "$(cat bare.stdout)"
holds 'a library in a program without instrumentation: a profile' cilkprof-report --summary libkernel.so bare.prof

# Without vector registers, as in a kernel: every mode compiles, and finds the same.
cat >plain.c <<'EOC'
#include <cilk/cilk.h>
static volatile int sum;
__attribute__((noinline)) static int leaf(int n) { for (int i = 0; i < n; i++) sum += i; return n; }
int main(void) {
  cilk_for (int i = 0; i < 9; i++) leaf(i);
  int a = cilk_spawn leaf(30), b = leaf(20);
  cilk_sync;
  return a + b;
}
EOC
for mode in count hybrid clock whatif; do
  for level in -O0 -O2; do
    in_turn 2 || continue
    for registers in '' -mgeneral-regs-only; do
      compile $level $registers -fcilkprof=$mode plain.c -o plain
      equal "$mode $level $registers: nothing is said" 0 "$(wc -l <compiler-said)"
      CILKPROF_WHATIF=leaf profile plain
      [ -z "$registers" ] && cp sites.csv wanted
    done
    equal "$mode $level: the program runs" 50 "$status"
    [ $mode = whatif ] || continue
    cilkprof-report --whatif plain plain.prof >got
    holds "$mode $level: it is computed" grep -q leaf got
    same "$mode $level: without vector registers the same" wanted sites.csv
  done
done
finish
