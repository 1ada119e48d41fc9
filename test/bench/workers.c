/* What spawns, loops and workers cost that do nothing.  workers spawns N: so many before one sync; workers loops N: so
   many of 4 iterations; workers idle MS: so long after the workers have been used
   SPDX-License-Identifier: MIT  */

#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A child that does nothing, and that the compiler must not remove.  */
__attribute__((noinline)) void nothing(void) {
  __asm__ volatile("");
}

/* Spawns N children that do nothing, then syncs.  */
static void spawn(long n) {
  for (long i = 0; i < n; ++i)
    cilk_spawn nothing();
  cilk_sync;
}

/* Runs N loops of 4 iterations that do nothing; the compiler does not know that there are 4.  */
static void loop(long n) {
  volatile int four = 4;
  int count = four;
  for (long i = 0; i < n; ++i)
    cilk_for (int j = 0; j < count; ++j)
      __asm__ volatile("");
}

/* Spawns N children, or runs N loops, or if idle, spawns some children and sleeps N milliseconds then.  Returns 2 if the
   usage is wrong.  */
int main(int argc, char *argv[]) {
  long n = argc == 3 ? atol(argv[2]) : 0;
  int idle = argc == 3 && !strcmp(argv[1], "idle"), loops = argc == 3 && !strcmp(argv[1], "loops");
  if (n <= 0 || (!idle && !loops && strcmp(argv[1], "spawns"))) {
    fprintf(stderr, "usage: workers spawns|loops|idle N\n");
    return 2;
  }
  spawn(idle || loops ? 1000 : n);
  if (loops)
    loop(n);
  if (idle)
    usleep((useconds_t)n * 1000);
  return 0;
}
