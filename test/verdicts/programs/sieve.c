/* Counts twin primes by a sieve; nothing is parallel yet.
   SPDX-License-Identifier: MIT

   verdict: sieve-serial | cilk | no-parallelism,serial | strike | strike_multiples | 2:1.1 8:1.1
   colleague: There is no parallel construct; striking out multiples is nearly all of it, and can be divided by blocks.
   verdict: sieve-serial-call | cilk -g -DNOINLINE | no-parallelism,serial | strike | strike_multiples | 2:1.1 8:1.1
   colleague: Nothing is spawned; striking out multiples is nearly all of it, and can be divided by blocks.  */

#include <stdio.h>
#include <stdlib.h>
#ifdef NOINLINE
#define PART __attribute__((noinline)) static
#else
#define PART static
#endif
enum { LIMIT = 12000000 };

static char composite[LIMIT + 1];

/* guilty: strike { */
PART void strike_multiples(int prime) {
  for (int multiple = prime * prime; multiple <= LIMIT; multiple += prime)
    composite[multiple] = 1;
}
/* guilty: strike } */

static void sieve(void) {
  for (int n = 2; n * n <= LIMIT; n++) /* guilty: strike */
    if (!composite[n])
      strike_multiples(n); /* guilty: strike */
}

static int count_twins(void) {
  int twins = 0;
  for (int n = 3; n + 2 <= LIMIT / 8; n += 2)
    twins += !composite[n] && !composite[n + 2];
  return twins;
}

int main(void) {
  sieve();
  printf("%d\n", count_twins());
  return 0;
}
