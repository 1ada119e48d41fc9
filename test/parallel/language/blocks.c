/* Blocks and statements that are spawned, in C and C++.  */
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

static int work(int n) { int x = 0; for (int i = 0; i < n; i++) x = (x * 31 + i) % 1000; return x; }

static int tree(int n) {
  int x, y;
  if (n < 2) return 1;
  cilk_spawn { x = tree(n - 1); }
  cilk_spawn y = tree(n - 2);
  cilk_sync;
  return x + y;
}

static long scopes(int n) {
  long a = 0, b = 0, c = 0;
  cilk_scope {
    cilk_spawn { a = work(n); }
    b = work(n + 1);
  }
  c = a + b;
  cilk_scope {
    a = cilk_spawn work(3);
    cilk_scope { b = cilk_spawn work(4); }
    c += b;
  }
  return a + b + c;
}

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 5;
  for (int k = 0; k < rounds; k++) {
    int a = 0, b = 0, c[20], n = 1000 + k;
    double d = 0;
    char local[n];
    cilk_spawn {
      int z = cilk_spawn work(10);
      a = work(n);
      cilk_sync;
      a += z;
    }
    cilk_spawn { b = work(n / 2); d = b / 2.0; local[n - 1] = 7; }
    for (int i = 0; i < 20; i++) {
      int *place = &c[i];
      int mine = i; /* of this iteration, and gone behind it */
      (void)mine;
      cilk_spawn *place = work(100);
    }
    if (k % 2) cilk_spawn { n++; } else cilk_spawn work(1);
    cilk_sync;
    int sum = 0;
    for (int i = 0; i < 20; i++) sum += c[i];
    printf("%d %d %g %d %d %d %d %ld\n", a, b, d, sum, n, local[1000 + k - 1], tree(12), scopes(50));
  }
  return 0;
}
