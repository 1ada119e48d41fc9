#!/bin/sh
# Where functions are defined, from the debugging information in all its forms.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/report/lib.sh"

mkdir -p include other
cat >include/inlined.h <<'EOC'


static inline long first_of(const long *from) { return from[0] * 3; }
EOC
cat >include/defined.h <<'EOC'

__attribute__((noinline)) static long in_header(long n) { return n * 7; }
EOC
cat >program.c <<'EOC'
#include <cilk/cilk.h>
#include "inlined.h"
#include "defined.h"
long far(long n);

__attribute__((noinline)) long leaf(const long *from) {
  return first_of(from) + 1;
}
static __attribute__((noinline)) long local(long n) { return n + 1; }
int main(void) {
  long values[] = {1, 2};
  long a = cilk_spawn leaf(values);
  long b = local(1) + in_header(2) + far(3);
  cilk_sync;
  return a + b == 0;
}
EOC
printf '\n\n\nlong far(long n);\n__attribute__((noinline)) long far(long n) { return n * 5; }\n' >other/far.c
cat >wanted <<EOF
far ($PWD/other/far.c:5)
in_header ($PWD/include/defined.h:2)
leaf ($PWD/program.c:6)
local ($PWD/program.c:9)
main ($PWD/program.c:10)
EOF

# places NAME PROGRAM: what the report says of PROGRAM and its profile NAME.out.
places() {
  "$report" -b -p -L --inline-file-names "$2" "$1.out" 2>errors |
    sed -n 's/.* \([a-z_]* ([^ ()]*:[0-9]*)\)$/\1/p' | sort -u >got
  cat errors >>got
}
# compiled NAME OPTION...: the places are known when it is compiled with these options.
compiled() {
  name=$1
  shift
  if "$BUILD_DIR/bin/cilkprof-cc" -fcilkplus -fcilkprof=count -Iinclude "$@" program.c other/far.c -o program >said 2>&1 &&
    CILKPROF_OUT=program.out ./program; then
    places program program
    same "$name" wanted got
  else
    fail "$name" said
  fi
}
compiled 'not optimized' -O0 -g -Dinline='inline __attribute__((always_inline))'
compiled 'optimized: the first instruction is of an inlined function' -O2 -g
compiled 'DWARF 4' -O2 -gdwarf-4
compiled 'DWARF 5' -O2 -gdwarf-5
compiled 'DWARF 4, a section for each function' -O2 -gdwarf-4 -ffunction-sections -Wl,--gc-sections
compiled 'only lines' -O2 -g1
compiled 'compressed' -O2 -g -gz
compiled 'split' -O2 -g -gsplit-dwarf
compiled 'split, DWARF 4' -O2 -gdwarf-4 -gsplit-dwarf
compiled 'at link time' -O2 -g -flto
compiled 'linked statically' -O2 -g -static
compiled 'the same at link time' -O2 -g -static -flto

compiled 'as usual' -O2 -g
objcopy -R .debug_aranges program bare
places program bare
same 'without .debug_aranges' wanted got
if command -v dwz >/dev/null && dwz -o smaller program 2>said; then
  places program smaller
  same 'made smaller by dwz' wanted got
  cp program again
  dwz -m common.dwz program again 2>said
  places program program
  same 'what dwz has put into another file' wanted got
else
  pass 'dwz # SKIP it is not installed'
fi
compiled 'as usual' -O2 -g

# Damage of any part: the report is printed, with lines or with one note.
readelf -SW program | sed -n 's/^ *\[ *[0-9]*\] \(\.debug_[a-z_]*\) *[A-Z]* *[0-9a-f]* \([0-9a-f]*\) \([0-9a-f]*\) .*/\1 \2 \3/p' >sections
cp program program.whole
: >wrong
times=0
while read -r section offset size; do
  for seed in 1 2 3 4 5 6; do
    perl -e 'my ($from, $to, $offset, $size, $seed) = @ARGV;
      local $/; open my $in, "<:raw", $from; my $file = <$in>; srand $seed;
      for (1 .. 1 + $size / 40) { substr($file, hex($offset) + int rand $size, 1) = chr(rand() < 0.5 ? 255 : rand 256) }
      open my $out, ">:raw", $to; print $out $file' program.whole damaged "$offset" "$((0x$size))" "$seed"
    timeout 60 "$report" -b -p -C --inline-file-names damaged program.out >got 2>errors
    status=$?
    times=$((times + 1))
    [ $status = 0 ] && [ "$(wc -l <errors)" -le 1 ] && grep -q 'local' got || {
      echo "$section, seed $seed: status $status"
      cat errors
    } >>wrong
  done
done <sections
holds "debugging information is damaged, $times times: a report" sh -c 'cat wrong; test ! -s wrong && test '$times' -gt 30'
finish
