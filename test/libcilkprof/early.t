#!/bin/sh
# Functions that run before any constructor of their object, and libraries that were linked without -fcilkprof: their
# records are there.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

# The C library calls malloc early: the dynamic linker does, or what comes before main in a static program.
cat >allocator.c <<'EOC'
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static _Alignas(16) char heap[1 << 22];
static size_t used;
static int calls, before;
__attribute__((noinline)) static size_t rounded(size_t n) { return (n + 31) & ~(size_t)15; }
void *malloc(size_t n) {
  char *memory = heap + used;
  calls++;
  used += rounded(n);
  memcpy(memory, &n, sizeof n);
  return memory + 16;
}
void free(void *memory) { (void)memory; }
void *calloc(size_t count, size_t size) { return memset(malloc(count * size), 0, count * size); }
void *realloc(void *old, size_t n) {
  size_t size = 0;
  char *memory = malloc(n);
  if (old)
    memcpy(&size, (char *)old - 16, sizeof size);
  return memcpy(memory, old ? old : memory, size < n ? size : n);
}
__attribute__((constructor(101))) static void early(void) { before = calls; free(malloc(3)); }
static int work(int n) { return malloc((size_t)n) != NULL; }
int main(void) {
  int a = cilk_spawn work(3), b = work(4);
  cilk_sync;
  printf("%d %d\n", a + b, before <= calls);
  return 0;
}
EOC
for options in -O0 '-O2 -Wl,--gc-sections -ffunction-sections' '-O2 -no-pie -fno-pie' '-O2 -static' ${LONG:+-static-pie -flto}; do
  for mode in count hybrid; do
    compile $options -fcilkprof=$mode allocator.c -o allocator
    profile allocator
    equal "an allocator, $mode $options" '2 1' "$(cat allocator.stdout)"
    equal "an allocator, $mode $options: the calls" '1 1' "$(field early on_work_local_count) $(field work on_work_local_count)"
  done
done

# libtool links libraries without -fcilkprof.
cat >library.c <<'EOC'
#include <cilk/cilk.h>
__attribute__((noinline)) int leaf(int n) { volatile int x = n; for (int i = 0; i < n; i++) x += i; return x; }
int work(int n) { int a = cilk_spawn leaf(n); int b = leaf(2 * n); cilk_sync; return a + b; }
static int begun;
__attribute__((constructor)) static void begin(void) { begun = work(3); }
int result(void) { return begun; }
EOC
cat >closes.c <<'EOC'
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv) {
  int sum = 0;
  for (int i = 0; i < 3; i++) {
    void *library = dlopen(argv[argc - 1], RTLD_NOW);
    if (!library)
      return 1;
    sum += ((int (*)(int))dlsym(library, "work"))(10);
    dlclose(library);
  }
  printf("%d\n", sum);
  return 0;
}
EOC
cat >program.c <<'EOC'
#include <stdio.h>
int work(int n), result(void);
int main(void) { printf("%d %d\n", work(10), result()); return 0; }
EOC
for mode in count hybrid; do
  compile -O2 -fPIC -fcilkprof=$mode -c library.c
  gcc -shared library.o -o libwork.so || give_up 'the library is linked'
  compile -O2 -fcilkprof=$mode program.c -L. -lwork -Wl,-rpath,"$PWD" -o program
  profile program
  equal "a library that was linked without -fcilkprof, $mode" '265 27' "$(cat program.stdout)"
  equal "a library that was linked without -fcilkprof, $mode: its calls" 2 "$(field 'work>leaf' on_work_local_count)"
  compile -O2 -fcilkprof=$mode closes.c -o closes
  profile closes "$PWD/libwork.so"
  equal "it is closed and opened again, $mode" 795 "$(cat closes.stdout)"
  equal "it is closed and opened again, $mode: its calls" 6 "$(field 'work>leaf' on_work_local_count)"
done
finish
