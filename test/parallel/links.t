#!/bin/sh
# Parallel programs however they are linked: statically, in libraries that come and go, in C and C++ at once, beside OpenMP,
# with profiled units; and what is said when the runtime is missing.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/libcilkprof/lib.sh"
unset CILK_NWORKERS CILKPROF_FORCE_STEALS
plain=$(PATH=${PATH#*:*:} command -v gcc) plainer=$(PATH=${PATH#*:*:} command -v g++)

cat >fib.c <<'EOC'
#include <cilk/cilk.h>
int fib(int n) {
  if (n < 2) return n;
  int a = cilk_spawn fib(n - 1);
  int b = fib(n - 2);
  cilk_sync;
  return a + b;
}
EOC
cat >sums.cc <<'EOC'
#include <cilk/cilk.h>
#include <cilk/reducer_opadd.h>
#include <stdexcept>
#include <vector>
extern "C" long sum(int n, int fault);
long sum(int n, int fault) {
  cilk::reducer_opadd<long> all;
  std::vector<long> numbers(static_cast<size_t>(n), 1);
  try {
    cilk_for (int i = 0; i < n; i++) {
      if (i == fault) throw std::runtime_error("fault");
      all += numbers[static_cast<size_t>(i)] * i;
    }
  } catch (const std::exception &) {
    return -1;
  }
  return all.get_value();
}
EOC
cat >main.c <<'EOC'
#include <stdio.h>
int fib(int n);
long sum(int n, int fault);
int main(void) {
  printf("%d %ld %ld\n", fib(15), sum(100, -1), sum(100, 50));
  return 0;
}
EOC
echo '610 4950 -1' >wanted

# runs NAME PROGRAM: on one worker and on several.
runs() {
  for setting in CILK_NWORKERS=1 CILK_NWORKERS=4 'CILK_NWORKERS=4 CILKPROF_FORCE_STEALS=1'; do
    env $setting timeout 100 "$2" >got 2>&1
    same "$1, $setting" wanted got
  done
}
# links NAME COMMAND...: it makes the program p, which runs.
links() {
  rm -f p
  holds "$1" sh -c "$2"
  runs "$1" ./p
}

compile -O2 -fPIC -c main.c fib.c
c++ -O2 -fcilkplus -fPIC -c sums.cc
for mode in '' -static -static-pie -pie -no-pie -static-libstdc++ -Wl,--gc-sections -Wl,-z,now; do
  links "c++ $mode" "c++ -fcilkplus $mode main.o fib.o sums.o -o p"
done
links 'a program of C with a unit of C++' 'cc -fcilkplus main.c fib.o sums.o -o p -lstdc++'
c++ -O2 -flto -fcilkplus -c sums.cc -o sums-lto.o
cc -O2 -flto -fcilkplus -c fib.c -o fib-lto.o
links '-flto, several units' 'c++ -O2 -flto -fcilkplus -x c main.c -x none fib-lto.o sums-lto.o -o p'
links '-flto, a unit for itself' 'c++ -O2 -flto -flto-partition=max -fcilkplus -x c main.c -x none fib-lto.o sums-lto.o -o p'

# Libraries.
links 'libraries in a program without Cilk' "cc -O2 -shared -fPIC -fcilkplus fib.c -o libfib.so &&
  c++ -O2 -shared -fPIC -fcilkplus sums.cc -o libsums.so && $plain main.c -o p ./libfib.so ./libsums.so"
links 'a library in a program with Cilk' 'cc -fcilkplus main.c fib.o -o p ./libsums.so'
links 'one of C in a program of C++' 'c++ -fcilkplus -x c main.c -x none sums.o -o p ./libfib.so'
cat >opens.c <<'EOC'
#include <dlfcn.h>
#include <stdio.h>
#include <cilk/cilk.h>
static int one(void *(*open)(const char *, int)) {
  void *fibs = open("./libfib.so", RTLD_NOW), *sums = open("./libsums.so", RTLD_LAZY);
  if (!fibs || !sums) return puts(dlerror());
  int (*fib)(int) = (int (*)(int))dlsym(fibs, "fib");
  long (*sum)(int, int) = (long (*)(int, int))dlsym(sums, "sum");
  if (fib(15) != 610 || sum(100, -1) != 4950 || sum(100, 50) != -1) return puts("wrong");
  dlclose(fibs);
  return dlclose(sums);
}
static int own(int n) {
  if (n < 2) return n;
  int a = cilk_spawn own(n - 1);
  int b = own(n - 2);
  cilk_sync;
  return a + b;
}
int main(void) {
  for (int i = 0; i < 20; i++)
    if (one(dlopen) || own(10) != 55) return 1;
  puts("610 4950 -1");
  return 0;
}
EOC
links 'libraries that are opened and closed by a program with Cilk' 'cc -fcilkplus opens.c -o p -ldl'
sed 's/#include <cilk.*//; s/cilk_[a-z]*//' opens.c >serial.c
links 'by one without' "$plain serial.c -o p -ldl"

# Other things in the same program.
cat >openmp.c <<'EOC'
#include <stdio.h>
#include <cilk/cilk.h>
int fib(int n);
long sum(int n, int fault);
int main(void) {
  static int squares[1000];
  int all = 0, fibs = 0;
#pragma omp parallel num_threads(3) reduction(+ : fibs)
  fibs += fib(15);
#pragma omp simd
  cilk_for (int i = 0; i < 1000; i++) squares[i] = i;
#pragma omp parallel for reduction(+ : all)
  for (int i = 0; i < 1000; i++) all += squares[i];
  if (all == 499500 && fibs == 3 * 610) printf("%d %ld %ld\n", fib(15), sum(100, -1), sum(100, 50));
  return 0;
}
EOC
for level in -O0 -O2 '-O2 -flto'; do
  links "OpenMP, $level" "c++ $level -fcilkplus -fopenmp -x c openmp.c -x none fib.o sums.o -o p"
done
mkdir headers
(cat fib.c && echo '#include <stdio.h>') | sed 's/^int fib/static int fib/' >headers/all.h
{ echo '#include "all.h"' && sed 's/^int fib.*;//; s/sum(100, -1), sum(100, 50)/4950L, -1L/; s/^long sum.*//' main.c; } >headers/main.c
for level in -O0 -O2; do
  holds 'a header is precompiled' cc $level -fcilkplus -x c-header headers/all.h -o headers/all.h.gch
  links "a precompiled header, $level" "cc $level -Winvalid-pch -Werror -fcilkplus headers/main.c -o p"
done
sed 's/try/if (1)/; s/throw.*;/return;/; s/catch.*/else {/; s/return all/return fault < 0 ? all/; s/value();/value() : -1;/' sums.cc >calm.cc
sed -i 's/if (i == fault) return;//; s/long sum(int n, int fault) {/& if (fault >= 0) return -1;/' calm.cc
links '-fno-exceptions' 'c++ -O2 -fno-exceptions -fcilkplus -c calm.cc && c++ -fcilkplus -x c main.c -x none fib.o calm.o -o p'

# With profiled units: on one processor.
for mode in '' -static; do
  rm -f cilkprof.out
  links "parallel units in a profiled program $mode" "cc -O2 -fcilkplus -fcilkprof -c main.c -o main-profiled.o &&
    c++ -fcilkprof $mode main-profiled.o fib.o sums.o -o p"
  holds 'there is a profile' test -s cilkprof.out
done
cat >workers.c <<'EOC'
#include <cilk/cilk_api.h>
#include <stdio.h>
int fib(int n);
int main(void) {
  fib(15);
  printf("%d\n", __cilkrts_get_nworkers());
  return 0;
}
EOC
cc -fcilkplus workers.c fib.o -o p && equal 'workers' 3 "$(CILK_NWORKERS=3 ./p)"
cc -fcilkplus -c workers.c && cc -fcilkprof workers.o fib.o -o p && equal 'one in a profiled program' 1 "$(CILK_NWORKERS=3 ./p)"

# says NAME SYMBOL COMMAND...: it fails, and says one thing.
says() {
  name=$1 symbol=$2
  shift 2
  "$@" >said 2>&1 && echo 'it links' >>said
  sed -n "/__cilkprof/s/.*: \(undefined\)/\1/p; /it links/p" said >things
  echo "undefined reference to \`$symbol'" >words
  same "$name" words things
}
says 'without the runtime' __cilkprof_r_is_missing_link_with_fcilkplus "$plain" workers.o fib.o -o p -L"$BUILD_DIR/lib/cilkprof" -lcilkrts
says 'of C++' __cilkprof_r_is_missing_link_with_gxx_fcilkplus "$plainer" -Dfib=abs main.c sums.o -o p
says 'with the elision' __cilkprof_r_is_missing_link_with_fcilkplus cc -fcilkplus=serial workers.o fib.o -o p
says '-static' __cilkprof_r_is_missing_link_with_fcilkplus cc -static workers.o fib.o -o p -L"$BUILD_DIR/lib/cilkprof" -lcilkrts
says 'profiled units without the engine' __cilkprof_is_missing_link_with_fcilkprof_hybrid cc -fcilkplus main-profiled.o fib.o sums.o -lstdc++ -o p
echo 'int fib(int n); int main(void) { return fib(1) != 1; }' >small.c
"$plain" -O2 -flto fib-lto.o small.c -o p >errors 2>&1
holds '-flto' grep -q 'Error: objects compiled with -fcilkplus must be linked with -fcilkplus' errors
cc -fcilkplus=serial -O2 -c fib.c -o elision.o
equal 'the elision needs nothing' '' "$(nm elision.o | grep cilkprof)"

finish
