#!/bin/sh
# Linking instrumented objects without the engine: the linker says so in one line, which says what to add.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/cc/lib.sh"

cat >main.c <<'EOC'
#include <cilkprof.h>
int fib(int n);
int main(void) {
  cilkprof_start("all");
  int result = fib(10);
  cilkprof_stop("all");
  return result != 55;
}
EOC
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
cat >twice.cc <<'EOC'
struct base { virtual ~base() {} virtual int twice(int n) { return 2 * n; } };
extern "C" int twice(int n) { base *object = new base; int result = object->twice(n); delete object; return result; }
EOC
echo 'const int data[] = {1, 2, 3};' >data.c

# says NAME MODE COMMAND...: it fails, and says one thing: which option is missing.
says() {
  name=$1 wanted="undefined reference to \`__cilkprof_is_missing_link_with_fcilkprof_$2'"
  shift 2
  "$@" >said 2>&1 && echo 'it links' >>said
  sed -n "/__cilkprof/s/.*: \(undefined\)/\1/p; /it links/p" said >things
  echo "$wanted" >wanted
  same "$name" wanted things
}
plain=$(PATH=${PATH#*:*:} command -v gcc)
for mode in hybrid count clock whatif; do
  for form in '' -fcilkprof-inline -fcilkprof-outline -fcilkprof-callbacks; do
    in_turn 4 || continue
    compile -O2 -fcilkprof=$mode $form -c main.c fib.c
    says "gcc, -fcilkprof=$mode $form" $mode "$plain" main.o fib.o -o prog
    cc -fcilkprof=$mode main.o fib.o -o prog
    equal 'with the option, nothing is undefined' '' "$(nm prog | grep ' [wU] __cilkprof')"
  done
done
compile -fcilkprof=whatif -c main.c fib.c
says 'what-if needs its own engine' whatif cc -fcilkprof main.o fib.o -o prog
compile -O2 -fPIC -ffunction-sections -fcilkprof -c main.c fib.c
says 'cc' hybrid cc main.o fib.o -o prog
says 'cc -fcilkplus' hybrid cc -fcilkplus main.o fib.o -o prog
says '-static' hybrid cc -static main.o fib.o -o prog
says '-no-pie' hybrid cc -no-pie main.o fib.o -o prog
says 'unused sections left out' hybrid cc -Wl,--gc-sections main.o fib.o -o prog
says 'a library that must be whole' hybrid cc -shared -Wl,-z,defs fib.o -o libfib.so
c++ -O2 -fcilkplus -fcilkprof -c twice.cc
ar rc libtwice.a twice.o fib.o
says 'C++, from an archive' hybrid c++ main.o libtwice.a -Wl,-u,twice -o prog
for linker in gold lld mold; do
  command -v ld.$linker >/dev/null || continue
  cc -fuse-ld=$linker -Wl,--gc-sections main.o fib.o -o prog >errors 2>&1 && echo 'it links' >errors
  holds "$linker" grep -q '__cilkprof_is_missing_link_with_fcilkprof_hybrid' errors
done

# With the option, all of it is there.
for options in '' -static -Wl,--gc-sections -Wl,--as-needed; do
  rm -f cilkprof.out
  holds "cc -fcilkprof $options" sh -c "cc -fcilkprof $options main.o fib.o -o prog && ./prog && test -s cilkprof.out"
done
cc -r main.o fib.o -o both.o
says 'objects that were linked to one' hybrid cc both.o -o prog
holds 'and with the option' sh -c 'cc -fcilkprof both.o -o prog && ./prog'

# At the link, where they are instrumented: the assembler says it.
for form in '' -ffat-lto-objects; do
  cc -O2 -fcilkplus -fcilkprof -flto $form -c main.c fib.c
  cc -O2 -flto main.o fib.o -o prog >errors 2>&1 && echo 'it links' >>errors
  grep -v '/[^ ]*\.s: Assembler messages:$\|^lto-wrapper: \|^compilation terminated\|lto-wrapper failed$\|^collect2: ' errors |
    sed 's/.*: Error/Error/' >things
  echo 'Error: objects compiled with -fcilkprof must be linked with -fcilkprof' >wanted
  same "-flto $form" wanted things
  rm -f cilkprof.out
  holds "-flto $form, with the option" \
    sh -c 'cc -O2 -flto -fcilkprof main.o fib.o -o prog && ./prog && test -s cilkprof.out'
done
compile -O2 -fPIC -fcilkprof -c main.c fib.c

# A library may be linked without, as its program has the engine; where that has none it is not loaded.
cc -shared fib.o -o libfib.so
holds 'a library without, in a program with it' sh -c 'cc -fcilkprof main.o ./libfib.so -o prog && ./prog'
cat >loads.c <<'EOC'
#include <dlfcn.h>
#include <stdio.h>
int main(void) {
  if (dlopen("./libfib.so", RTLD_LAZY)) return 1;
  puts(dlerror());
  return 0;
}
EOC
"$plain" loads.c -o loads && ./loads >errors
holds 'a program without engine does not load it' grep -q 'undefined symbol: __cilkprof_is_missing_link_with_fcilkprof_hybrid' errors
compile -fcilkprof -c data.c
equal 'a unit without code asks for nothing' '' "$(nm data.o | grep cilkprof)"
finish
