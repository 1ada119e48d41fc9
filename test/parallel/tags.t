#!/bin/sh
# What the compiler adds for Cilk is told by its address, and is overhead to the report; with -g the code is the same.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/libcilkprof/lib.sh"

cat >tags.c <<'EOC'
#include <cilk/cilk.h>
#ifdef __cplusplus
extern "C" {
#endif
int step(int n);
int work(int n);
int use(int n, int *a);
#ifdef __cplusplus
}
#endif
int work(int n) {
  if (n < 2) return n;
  int x = cilk_spawn step(n - 1);
  int y = step(n - 2);
  cilk_sync;
  return x + y;
}
int use(int n, int *a) {
  int x = 0;
  cilk_spawn { x = step(n); }
  cilk_for (int i = 0; i < n; i++) a[i] = step(i);
  cilk_sync;
  return x;
}
__attribute__((noinline)) int step(int n) { return n < 5 ? n : work(n - 5); }
int main(int argc, char **argv) {
  int a[9];
  (void)argv;
  return work(argc) + use(argc, a);
}
EOC

# Labels where the first of each stands in the assembler's text: the byte that a spawn tests, and the calls.
cat >label.awk <<'EOC'
function label(name) { if (!seen[name]++) print "at_" name ":" }
/__cilkprof_r_want/ { label("want") }
/__cilkprof_r_range/ { label("range") }
/^\t(bl|call)\t/ && match($0, /__cilkprof_r_[a-z_]*/) { label(substr($0, RSTART + 13, RLENGTH - 13)) }
/^\t(bl|call)\tstep/ { label("step") }
{ print }
EOC

# labelled COMPILER OPTION...: the program `tags' with these labels.
labelled() {
  compiler=$1
  shift
  if ! { $compiler "$@" -fcilkplus -S tags.c -o tags.s && awk -f label.awk tags.s >labelled.s &&
    $compiler -fcilkplus labelled.s -o tags; } >said 2>&1 || [ -s said ]; then
    give_up "$compiler $* compiles, and says nothing" said
  fi
}

# overhead LABEL: its share, when all samples are there.
overhead() {
  printf 'sampling cilk 2 2 1000 1000 1000\npath 1000 0 0 main at_%s\ntimeline 1000 2 1000 0\n' "$1" >text
  "$BUILD_DIR/test/report/make-samples" text tags >tags.out 2>said && cilkprof-report --waste tags tags.out 2>>said |
    awk '$1 == "Overhead:" && $NF == "%" { print $(NF - 1) }' >>said
  cat said
}

# tagged NAME: of all that was added, and of nothing else.
tagged() {
  for label in want spawn join block_frame spawn_block range loop; do
    equal "$1: $label" 100.00 "$(overhead $label)"
  done
  equal "$1: the call itself is no overhead" 0.00 "$(overhead step)"
}
for level in -O1 -O2 -O3; do
  labelled cc $level -g
  tagged "C, $level"
done
labelled c++ -xc++ -O2 -g
tagged 'C++'
labelled cc -O2 -gdwarf-4
tagged 'DWARF 4'
labelled cc -O2 -g -fcilkplus-pedigrees
tagged 'pedigrees'

# A debugger would know no variables where these are.
for level in -O0 -Og; do
  labelled cc $level -g
  equal "$level has none" 0.00 "$(overhead want)"
done
labelled cc -O2
equal 'nor is there any without -g' 0.00 "$(overhead want)"

# In a precompiled header, and at link time.
cp tags.c tags.h
echo '#include "tags.h"' >tags.c
holds 'a precompiled header' cc -O2 -g -fcilkplus -x c-header tags.h -o tags.h.gch
labelled cc -O2 -g -Winvalid-pch
tagged 'precompiled'
compile -O2 -g -flto tags.c -o tags
address=$(objdump -d tags | awk '/\t(bl|call)[ \t].*<__cilkprof_r_spawn>/ { print "0x" substr($1, 1, length($1) - 1); exit }')
equal 'link-time optimisation keeps them' cilk_spawn "$(addr2line -f -e tags "$address" | head -n 1)"

for source in "$TOP"/test/parallel/language/*.c "$TOP"/test/parallel/language/*.cc; do
  case $source in *.c) compiler=cc ;; *) compiler=c++ ;; esac
  : >said
  for level in '-O2 -fcilkplus-pedigrees' '-O1 -fcilkplus-pedigrees' ${LONG:+-O0 -O3}; do
    [ -n "$LONG" ] || in_turn 2 || continue
    $compiler -w -Wno-psabi $level -g -fcompare-debug -fcilkplus -c "$source" -o compared.o >>said 2>&1 || echo "$level fails" >>said
  done
  if [ -s said ]; then fail "$(basename "$source"): the same code with -g" said; else pass "$(basename "$source"): the same code with -g"; fi
done
finish
