#!/bin/sh
# Shared libraries in profiles of parallel runs: what they spawn is stolen, whenever they were loaded.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

# One library calls back what the program gives it.
cat >library.c <<'END_OF_FILE'
#include <cilk/cilk.h>
static unsigned out[300];
static unsigned NAME(step)(unsigned n) { unsigned sum = 0; for (unsigned i = 0; i < n % 16; i++) sum += i * n; return sum; }
unsigned NAME(walk)(unsigned n, unsigned (*back)(unsigned)) {
  if (n < 2) return NAME(step)(n);
  unsigned a = cilk_spawn NAME(walk)(n - 1, back);
  unsigned b = NAME(walk)(n - 2, back);
  unsigned c = cilk_spawn back(n);
  cilk_sync;
  return a + b + c;
}
unsigned NAME(loop)(unsigned n) {
  unsigned sum = 0;
  cilk_for (unsigned i = 0; i < 300; i++) out[i] = NAME(step)(i + n);
  for (unsigned i = 0; i < 300; i++) sum += out[i];
  return sum;
}
END_OF_FILE
cat >program.c <<'END_OF_FILE'
#include <cilk/cilk.h>
#include <dlfcn.h>
#include <stdio.h>
unsigned early_walk(unsigned n, unsigned (*back)(unsigned));
unsigned early_loop(unsigned n);
static unsigned (*volatile walk)(unsigned, unsigned (*)(unsigned));
static unsigned (*volatile loop)(unsigned);
static void *library;
static unsigned own(unsigned n) {
  if (n < 2) return n;
  unsigned a = cilk_spawn own(n - 1), b = own(n - 2);
  cilk_sync;
  return a + b;
}
static unsigned small(unsigned n) { return n * 3; }
static void load(void) {
  if (!(library = dlopen("./late.so", RTLD_NOW))) { puts(dlerror()); return; }
  *(void **)&walk = dlsym(library, "late_walk");
  *(void **)&loop = dlsym(library, "late_loop");
}
static unsigned late(unsigned n) {
  cilk_spawn load(); /* other children run meanwhile, and use the library afterwards */
  unsigned a = own(n);
  cilk_sync;
  unsigned b = cilk_spawn walk(n, small);
  unsigned c = loop(n);
  cilk_sync;
  return a + b + c;
}
int main(void) {
  unsigned a = cilk_spawn early_walk(9, small), b = early_loop(3), c = cilk_spawn late(9), d = own(11);
  cilk_sync;
  dlclose(library);
  unsigned e = own(9);
  printf("%u %u %u %u %u\n", a, b, c, d, e);
  return 0;
}
END_OF_FILE
cat >counts.awk <<'END_OF_FILE'
NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
$at["on_work_local_count"] != "" { print $at["caller"], $at["callee"], $at["line"], $at["on_work_local_count"] } # no samples
END_OF_FILE
# build MODE PROGRAM: the program and its two libraries.  The linker of the first one does not know of the profiler.
build() {
  compile -w -O2 -fcilkprof=$1 -fPIC '-DNAME(x)=early_##x' -c library.c -o early.o
  ${CC:-gcc} -shared early.o -o early.so
  compile -w -O2 -fcilkprof=$1 -fPIC -shared '-DNAME(x)=late_##x' library.c -o late.so
  compile -w -O2 -fcilkprof=$1 program.c ./early.so -ldl -o "$2"
}
build count serial
profile serial
awk -F, -f counts.awk sites.csv | sort >serial-counts
holds 'there are calls in both libraries' test "$(grep -c 'early_walk\|late_walk' serial-counts)" -ge 6
for mode in parallel-count parallel; do
  build $mode prog
  stolen=0
  for workers in 1 2 3 8; do
    CILK_NWORKERS=$workers CILKPROF_FORCE_STEALS=$workers profile prog
    same "$mode: $workers workers: the result of a serial run" serial.stdout prog.stdout
    equal "$mode: $workers workers: nothing is said" '' "$(cat prog.stderr)"
    awk -F, -f counts.awk sites.csv | sort >counts
    same "$mode: $workers workers: the calls of a serial run" serial-counts counts
    stolen=$((stolen + $(cilkprof-report --csv=workers prog prog.prof | tr -d '\r' | tail -1 | cut -d, -f6)))
    [ $mode = parallel-count ] || continue
    sort sites.csv >seen
    [ $workers -gt 1 ] || cp seen wanted
    same "$workers workers: the profile of one worker" wanted seen
  done
  holds "$mode: children were stolen" test $stolen -gt 0
done

# A library for serial runs, whose frames and records are others.
cat >other.c <<'END'
#include <cilk/cilk.h>
int other(int n) { int x, y; if (n < 2) return n; x = cilk_spawn other(n - 1); y = other(n - 2); cilk_sync; return x + y; }
END
cat >loads.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv) {
  void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : 0;
  int (*other)(int) = library ? (int (*)(int))dlsym(library, "other") : 0;
  return other ? printf("%d\n", other(10)) != 3 : 1;
}
END
compile -w -O2 -fcilkprof=parallel loads.c -o loads -ldl
for mode in hybrid count parallel; do
  compile -w -O2 -fPIC -shared -fcilkprof=$mode other.c -o ./libother-$mode.so
  CILK_NWORKERS=2 CILKPROF_OUT=loads.prof $RUN ./loads ./libother-$mode.so >said 2>errors </dev/null
  status=$?
  equal "a library of mode $mode: the program runs" "55 0" "$(cat said) $status"
  [ $mode != parallel ] || continue
  equal "a library of mode $mode: one line" 1 "$(wc -l <errors)"
  holds "a library of mode $mode: it is named" grep -q 'libother-'$mode'.so: compiled for another mode than the program' errors
done
equal 'a library of the same mode: nothing is said' '' "$(cat errors)"
finish
