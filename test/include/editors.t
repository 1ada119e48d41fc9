#!/bin/sh
# What editors see: clangd and the .clangd that cilkprof prints; parsers that have the compiler's macros and no plugin.
# SPDX-License-Identifier: MIT
. "$TOP/test/include/lib.sh"
command -v clangd >/dev/null || { echo '1..0 # SKIP no clangd'; exit 0; }
PATH=$BUILD_DIR/bin:$PATH
HOME=$PWD XDG_CONFIG_HOME=$PWD # no settings of the user
export HOME XDG_CONFIG_HOME

cat >both.h <<'EOC'
#include <cilk/cilk.h>
#include <cilk/cilk_api.h>
#include <cilk/reducer_opadd.h>
static inline void zero(void *view) { *(long *)view = 0; }
static inline void plus(void *left, void *right) { *(long *)left += *(long *)right; }
static long cilk_reducer(zero, plus) sum;
static inline long fib(long n) {
  if (n < 2)
    return n;
  long x = cilk_spawn fib(n - 1), y = fib(n - 2);
  cilk_sync;
  return x + y;
}
static inline long all(void) {
  cilk_for (int i = 0; i < 10; i++)
    sum += i;
#pragma cilk grainsize = 4
  cilk_for (int i = 0; i < 10; i++)
    sum += fib(i);
  cilk_scope {
    cilk_spawn fib(2);
    fib(3);
  }
  return sum;
}
EOC
cat >prog.c <<'EOC'
#include "both.h"
CILK_C_REDUCER_OPADD(total, long, 0);
int main(void) {
  cilk_for (int i = 0; i < 10; i++)
    REDUCER_VIEW(total) += all();
  return 0;
}
EOC
cat >prog.cc <<'EOC'
#include "both.h"
#include <cilk/reducer_list.h>
#include <cilk/reducer_ostream.h>
#include <cilk/reducer_max.h>
#include <cilk/opadd_reducer.h>
int main() {
  cilk::reducer<cilk::op_add<long>> total;
  cilk::reducer_list_append<int> list;
  cilk::opadd_reducer<long> plain = 0;
  cilk_for (int i = 0; i < 10; i++) {
    *total += all();
    plain += i;
    list.push_back(i);
  }
  cilk_spawn [&] { list.push_back(1); }();
  cilk_sync;
  return total.get_value() != 0;
}
EOC
{
  echo '['
  for language in c c++; do
    file=prog.$(echo $language | tr + c | sed 's/ccc/cc/')
    echo "{\"directory\": \"$PWD\", \"file\": \"$file\", \"arguments\": [\"cilkprof-$(echo $language | sed 's/^c$/cc/')\", \"-O2\", \"-fcilkplus=serial\",
      \"-fcilkplus-pedigrees\", \"-Wcilk-serial\", \"-fcilkprof=count\", \"-specs=$(cilkprof-cc --print-specs)\", \"-fcilkprof-language\", \"-fopencilk\", \"-c\", \"$file\"]},"
  done | sed '$s/,$//'
  echo ']'
} >commands.json

cilkprof cc --print-clangd >.clangd
equal 'a .clangd has three lines' 3 "$(wc -l <.clangd)"
cilkprof c++ --print-clangd >again
same 'it is the same for C++' .clangd again
for file in prog.c prog.cc; do
  rm -f compile_commands.json
  holds "clangd: $file" clangd --check=$file
  cp commands.json compile_commands.json
  holds "clangd: $file, with all our options" clangd --check=$file
done
holds 'clangd: the header alone' clangd --check="$BUILD_DIR/lib/cilkprof/include/cilk/cilk.h"
rm .clangd
holds 'without it, the file has errors' sh -c '! clangd --check=prog.c'

mkdir -p "it's one/bin" "it's one/lib/cilkprof"
cp "$BUILD_DIR/bin/cilkprof-cc" "it's one/bin"
cp "$BUILD_DIR/lib/cilkprof/cilkprof.specs" "it's one/lib/cilkprof"
cp -r "$BUILD_DIR/lib/cilkprof/include" "it's one/lib/cilkprof"
"it's one/bin/cilkprof-cc" --print-clangd >.clangd
holds 'clangd: a folder with a quote and a space' clangd --check=prog.c

# A parser of another kind asks the compiler for its macros.
"$BUILD_DIR/bin/cilkprof-cc" -E -dM -x c /dev/null | grep -i cilk >macros.h
holds 'a parser that has our macros and no plugin' \
  gcc -D__INTELLISENSE__ -imacros macros.h -isystem "$BUILD_DIR/lib/cilkprof/include" -fsyntax-only prog.c

# What is compiled by clang would be serial, and nobody would know.
if command -v clang >/dev/null; then
  for file in prog.c prog.cc; do
    holds "clang: what it checks only, $file" clang -isystem "$BUILD_DIR/lib/cilkprof/include" -Werror -fsyntax-only $file
    clang -O2 -isystem "$BUILD_DIR/lib/cilkprof/include" -c $file >said 2>&1
    if [ $? = 1 ] && grep -q 'needs -fcilkplus: compile with cilkprof-cc' said; then pass "clang: $file"; else fail "clang: $file" said; fi
  done
  sed 's|<cilk/cilk.h>|<cilk/cilk_stub.h>|' both.h >stub.h && mv stub.h both.h
  holds 'clang: the serial program, when that is asked for' clang -O2 -isystem "$BUILD_DIR/lib/cilkprof/include" -c prog.c
fi
finish
