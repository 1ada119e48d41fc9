/* Pedigrees: those of every strand, whoever runs it.  Compiled with -fcilkplus-pedigrees.  */
#include <cilk/cilk.h>
#include <cilk/cilk_api.h>
#include <stdio.h>
#include <stdlib.h>

/* All terms, as one number.  */
static unsigned long hashed(void) {
  __cilkrts_pedigree_context_t context = {sizeof context, {0, 0, 0}};
  unsigned long hash = (unsigned long)__cilkrts_get_pedigree().rank;
  uint64_t rank;
  while (!__cilkrts_get_pedigree_info(&context, &rank))
    hash = hash * 1000003 + (unsigned long)rank + 1;
  return hash;
}

static unsigned long depth(void) {
  unsigned long terms = 1;
  for (const __cilkrts_pedigree *at = __cilkrts_get_pedigree().parent; at; at = at->parent) terms++;
  return terms;
}

static void put(unsigned long *to) { *to = hashed(); }
static void random_number(uint64_t *to) { *to = __cilkrts_get_dprand() ^ __cilkrts_get_dprand() << 1; }

static unsigned long fib(int n) {
  if (n < 2) return hashed() + (unsigned long)n;
  unsigned long x = cilk_spawn fib(n - 1);
  unsigned long y = fib(n - 2);
  cilk_sync;
  return x * 31 + y + hashed();
}

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 2;
  for (int k = 0; k < rounds; k++) {
    unsigned long a[8], deep = 0, loop[100], block = 0;
    uint64_t numbers[50];
    printf("%lu ", hashed());
    for (int i = 0; i < 8; i++) cilk_spawn put(&a[i]);
    printf("%lu ", hashed());
    cilk_sync;
    printf("%lu ", hashed());
    for (int i = 0; i < 8; i++) printf("%lu ", a[i]);
    cilk_spawn { deep = depth(); block = hashed(); }
    cilk_sync;
    cilk_for (int i = 0; i < 100; i++) {
      unsigned long mine;
      cilk_spawn put(&mine);
      cilk_sync;
      loop[i] = hashed() * 7 + mine;
    }
    unsigned long sum = 0;
    for (int i = 0; i < 100; i++) sum = sum * 31 + loop[i];
    __cilkrts_dprand_set_seed(17);
    cilk_for (int i = 0; i < 50; i++) random_number(&numbers[i]);
    uint64_t all = 0;
    for (int i = 0; i < 50; i++) all = all * 31 + numbers[i];
    printf("%lu %lu %lu %lu %lx\n", deep, block, sum, fib(12), (unsigned long)all);
  }
  return 0;
}
