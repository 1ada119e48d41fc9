#!/bin/sh
# Modules of C++20: no header may stand before `module;', so that the events of such a unit are called.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/cc/lib.sh"

cat >fib.cc <<'EOC'
module;
#include <cilk/cilk.h>
export module fib;
export long fib(int n) {
  if (n < 2)
    return n;
  long a = cilk_spawn fib(n - 1);
  long b = fib(n - 2);
  cilk_sync;
  return a + b;
}
EOC
cat >use.cc <<'EOC'
import fib;
extern "C" int printf(const char *, ...);
int main() {
  printf("%ld\n", fib(15));
  return 0;
}
EOC
echo 610 >wanted
modules='c++ -std=c++20 -fmodules-ts'
rm -rf gcm.cache
$modules -fcilkplus=serial fib.cc use.cc -o use >said 2>&1 && ./use >got 2>&1 && cmp -s wanted got ||
  give_up 'this compiler has no modules' said
for options in '-O0 -fcilkprof=count' '-O2 -fcilkprof=count' '-O2 -fcilkprof' '-O2 -flto -fcilkprof=count' -O2; do
  rm -rf gcm.cache use
  if $modules -fcilkplus $options fib.cc use.cc -o use >said 2>&1; then
    ./use >got 2>&1
    same "$options: the program computes what it did" wanted got
  else
    fail "$options" said
    continue
  fi
  [ "$options" != -O2 ] || continue
  profile use
  equal "$options: every spawn is counted" 986 "$(awk -F, 'NR > 1 && $4 == "spawn" { n += $15 } END { print n }' sites.csv)"
done

if $modules -fcilkplus -fcilkprof=parallel fib.cc use.cc -o use >said 2>&1; then
  fail 'a parallel profile' said
else
  equal 'a parallel profile: one line says that there is none' 1 "$(grep -c 'is not for modules of C++' said)"
fi
finish
