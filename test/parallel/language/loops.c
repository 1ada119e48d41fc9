/* Loops in parallel that C and C++ have in common.  */
#include <cilk/cilk.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 5000 };
static int room[SIZE + 10];
static long total;
static void add(long n) { __atomic_fetch_add(&total, n, __ATOMIC_RELAXED); }
static void mark(long i) { __atomic_fetch_add(&room[i], 1, __ATOMIC_RELAXED); }

/* How often each was marked since the last time.  */
static void show(const char *what, int from, int to, int step) {
  int wrong = 0;
  for (int i = 0; i < SIZE + 10; i++)
    wrong += room[i] != (i >= from && i < to && (i - from) % step == 0);
  printf("%s: %d wrong, total %ld\n", what, wrong, total);
  memset(room, 0, sizeof room);
  total = 0;
}

static int evaluated;
static int limit(int n) { evaluated++; return n; }

static void heads(int n) {
  cilk_for (int i = 0; i < n; i++) mark(i);
  show("<", 0, n, 1);
  cilk_for (int i = 0; i <= n; ++i) mark(i);
  show("<=", 0, n + 1, 1);
  cilk_for (int i = n; i > 0; i--) mark(i);
  show(">", 1, n + 1, 1);
  cilk_for (int i = n; i >= 0; --i) mark(i);
  show(">=", 0, n + 1, 1);
  cilk_for (int i = 0; i != n; i++) mark(i);
  show("!=", 0, n, 1);
  cilk_for (int i = 3; i < n; i += 7) mark(i);
  show("+= 7", 3, n, 7);
  cilk_for (int i = n - 1; i >= 0; i -= 3) mark(n - 1 - i);
  show("-= 3", 0, n, 3);
  cilk_for (unsigned u = 0; u < (unsigned)n; u += 2) mark(u);
  show("unsigned", 0, n, 2);
  cilk_for (char c = 0; c < 100; c++) mark(c);
  show("char", 0, 100, 1);
  cilk_for (unsigned char c = 250; c > 0; c--) mark(c);
  show("unsigned char", 1, 251, 1);
  cilk_for (short s = -100; s < 100; s++) mark(s + 100);
  show("short", 0, 200, 1);
  cilk_for (long long l = LLONG_MAX - 50; l < LLONG_MAX; l++) mark(l - (LLONG_MAX - 50));
  show("long long", 0, 50, 1);
  cilk_for (unsigned long u = ULONG_MAX - 50; u != ULONG_MAX; u++) mark((long)(u - (ULONG_MAX - 50)));
  show("unsigned long", 0, 50, 1);
  cilk_for (int i = 0; n > i; i++) mark(i);
  show("turned", 0, n, 1);
  cilk_for (int i = 0; i < limit(n); i++) mark(i);
  show("a function", 0, n, 1);
  cilk_for (int i = 5; i < 5; i++) mark(i);
  cilk_for (int i = 6; i < 5; i++) mark(i);
  show("none", 0, 0, 1);
  int step = 4;
  cilk_for (int i = 0; i < n; i += step) mark(i);
  show("a variable step", 0, n, 4);
  cilk_for (long j = 0; j < n; j += step) mark(j);
  show("long, a variable step", 0, n, 4);
  int i;
  cilk_for (i = 0; i < n; i += 2) mark(i);
  show("declared before", 0, n, 2);
  printf("%d\n", i);
}

static void pointers(int n) {
  int *end = room + n;
  cilk_for (int *p = room; p < end; p++) mark(p - room);
  show("pointer", 0, n, 1);
  cilk_for (int *p = end - 1; p >= room; p -= 2) mark(end - 1 - p);
  show("pointer down", 0, n, 2);
  struct wide { long a[5]; } many[40];
  cilk_for (struct wide *p = many; p != many + 40; ++p) { p->a[3] = p - many; mark(p - many); }
  show("pointer to struct", 0, 40, 1);
}

static void grains(int n) {
#pragma cilk grainsize = 1
  cilk_for (int i = 0; i < n; i++) mark(i);
  show("grain 1", 0, n, 1);
#pragma cilk grainsize = 100
  cilk_for (int i = 0; i < n; i++) mark(i);
  show("grain 100", 0, n, 1);
  int grain = n + 1000;
#pragma cilk grainsize = grain
  cilk_for (int i = 0; i < n; i++) mark(i);
  show("grain n", 0, n, 1);
}

static long around(int n) {
  long local[4] = {0, 0, 0, 0}, one = 1, *last = &local[3];
  double scale = 1.5;
  char letters[n];
  struct { int x, y; } point = {3, 4};
  static long kept;
  kept = 0;
  cilk_for (int i = 0; i < n; i++) {
    if (i % 3 == 0) continue;
    letters[i] = (char)i;
    long mine = (long)(i * scale) + point.x;
    __atomic_fetch_add(&local[i % 3], mine + one, __ATOMIC_RELAXED);
    __atomic_fetch_add(&kept, 1, __ATOMIC_RELAXED);
    if (i == n - 1) *last = i;
  }
  return local[0] + local[1] + local[2] + *last + kept + letters[1] + letters[n - 1] * (n % 3 != 1);
}

static void nested(int n) {
  cilk_for (int i = 0; i < n; i++)
    cilk_for (int j = 0; j < n; j++) { mark(i * n + j); add(j); }
  show("nested", 0, n * n, 1);
  cilk_for (int i = 0; i < n; i++) {
    long mine = 0, other = 0;
    mine = cilk_spawn labs(-i);
    other = labs(i);
    cilk_sync;
    add(mine + other);
    cilk_spawn add(1);
    cilk_spawn mark(i);
  }
  show("spawns inside", 0, n, 1);
  int modified = 0;
  cilk_for (int i = 0; i < 1; i++) modified = 17;
  printf("%d\n", modified);
}

static int recursive(int depth) {
  if (!depth) return 1;
  int found[3];
  cilk_for (int i = 0; i < 3; i++) found[i] = recursive(depth - 1);
  return found[0] + found[1] + found[2];
}

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 2;
  for (int k = 0; k < rounds; k++) {
    heads(SIZE);
    heads(3);
    pointers(SIZE);
    grains(SIZE);
    nested(60);
    printf("%ld %d\n", around(SIZE), recursive(6));
  }
  return 0;
}
