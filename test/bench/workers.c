/* What spawns and workers cost that do nothing.  workers spawns N: so many before one sync; workers idle MS: so long
   after the workers have been used
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

/* Spawns N children, or if idle, some children, and sleeps N milliseconds then.  Returns 2 if the usage is wrong.  */
int main(int argc, char *argv[]) {
  long n = argc == 3 ? atol(argv[2]) : 0;
  int idle = argc == 3 && !strcmp(argv[1], "idle");
  if (n <= 0 || (!idle && strcmp(argv[1], "spawns"))) {
    fprintf(stderr, "usage: workers spawns|idle N\n");
    return 2;
  }
  spawn(idle ? 1000 : n);
  if (idle)
    usleep((useconds_t)n * 1000);
  return 0;
}
