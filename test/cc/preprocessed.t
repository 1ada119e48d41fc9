#!/bin/sh
# Programs that are preprocessed first, and compiled from that: the profile is the same.  Where the two steps have not the
# same options, the second says so.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/cc/lib.sh"

cat >program.c <<'EOC'
#include <cilk/cilk.h>
#include <stdio.h>
#define SAME(x) x
static long total;
__attribute__((noinline)) static long fib(long n) {
  if (n < 2) return n;
  long x = cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  cilk_sync;
  return x + y;
}
int main(void) {
#pragma cilk grainsize = 3
  cilk_for (int i = 0; i < 10; i++) total += fib(i);
#pragma simd
  cilk_for (int i = 0; i < 10; i++) total += i;
  SAME(cilk_spawn fib(3));
  cilk_scope { cilk_spawn { total += fib(3); } }
  cilk_scope cilk_sync;
  cilk_scope cilk_scope cilk_for (int i = 0; i < 3; i++) total++;
  printf("%ld\n", total);
  return 0;
}
EOC
cp program.c program.cc

# profiled FILE: kind, work, span and count of every site; a file without line markers has other lines.
profiled() {
  CILKPROF_OUT=profile ./program >output 2>&1 && cilkprof-report --csv program profile | tr -d '"' |
    awk -F, '$15 { print $4, $8, $9, $15 }' | sort >"$1"
}

# Each way is that of one of the two languages, without LONG.
odd=0
for file in program.c program.cc; do
  odd=$((1 - odd))
  case $file in *.c) compiler=cc end=i language=cpp-output ;; *) compiler=c++ end=ii language=c++-cpp-output ;; esac
  options='-O1 -fcilkplus -fcilkprof=count'
  $compiler $options $file -o program
  profiled wanted
  $compiler -fcilkplus $file -o program 2>said
  ./program >got 2>&1
  same "$file: not instrumented" output got
  while read -r way; do
    odd=$((1 - odd))
    [ -n "$LONG" ] || [ $odd = 1 ] || continue
    rm -f program
    case $way in
    -E*directives*)
      $compiler $options $way $file -o program.$end && $compiler $options -fdirectives-only -fpreprocessed program.$end -o program
      ;;
    -E*) $compiler $options $way $file -o program.$end && $compiler $options program.$end -o program ;;
    '|') $compiler $options -E $file | $compiler $options -x $language - -o program ;;
    *) $compiler $options $way $file -o program ;;
    esac >said 2>&1
    profiled got 2>>said
    same "$file: $way" wanted got
  done <<'EOL'
-E
-E -P
-E -C
-E -dD
-E -g3
-E -fdirectives-only
|
-save-temps
-save-temps -flto
-no-integrated-cpp
EOL
  $compiler -fcilkplus -fcilkprof -E $file -o with.$end
  $compiler -fcilkplus -E $file -o without.$end
  $compiler -fcilkplus without.$end -o program 2>said
  ./program >got 2>&1
  same "$file: -E, not instrumented" output got
  # The compilers of the system: what was instrumented by halves does not reach the linker.
  for pair in "with.$end -fcilkplus" "with.$end" "without.$end -fcilkprof" "without.$end -fcilkplus -fcilkprof=clock"; do
    if $compiler -c $pair -o other.o 2>errors; then echo "it compiles" >errors; fi
    holds "$compiler $pair: an error" grep 'error: .*fcilkprof' errors
  done
done
finish
