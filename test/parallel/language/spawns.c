/* What C can spawn, without a race: calls of every kind, results of every kind.  */
#include <alloca.h>
#include <cilk/cilk.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct big { long part[20]; };
struct small { char text[3]; };
struct fields { unsigned five : 5; int signed_four : 4; long long wide : 40; short plain; };
enum colour { RED, GREEN, BLUE };
typedef double pair __attribute__((vector_size(16)));
typedef float wide_vector __attribute__((vector_size(32)));

static long counter;
static void count(long n) { __atomic_fetch_add(&counter, n, __ATOMIC_RELAXED); }
static int id(int x) { return x; }
static long long square(int n) { return (long long)n * n; }
static double half(int n) { return n / 2.0; }
static float third(int n) { return (float)n / 3; }
static long double quarter(int n) { return n / 4.0L; }
static const char *text(int n) { return &"abcdefgh"[n % 8]; }
static struct big make_big(int n) { struct big b; for (int i = 0; i < 20; i++) b.part[i] = n * i; return b; }
static struct small make_small(int n) { struct small s = {{(char)('a' + n), (char)('b' + n), 0}}; return s; }
static long add_big(struct big a, struct big b, char c) { return a.part[3] + b.part[4] + c; }
static enum colour colour(int n) { return (enum colour)(n % 3); }
static _Complex double turn(double x) { return x * 1.0i; }
static pair both(double x) { return (pair){x, 2 * x}; }
static double sum_of(pair p, wide_vector w) { return p[0] + p[1] + w[0] + w[7]; }
static _Bool odd(int n) { return n & 1; }
static inline __attribute__((always_inline)) int always(int n) { return 3 * n; }
static __int128 huge(int n) { return (__int128)n << 70; }

static int fib(int n) {
  if (n < 2) return n;
  int x = cilk_spawn fib(n - 1);
  int y = fib(n - 2);
  cilk_sync;
  return x + y;
}

/* Every way out syncs.  */
static int ways_out(int way, int *x) {
  *x = 0;
  for (int i = 0; i < 3; i++) {
    *x = cilk_spawn fib(8 + i);
    cilk_sync;
    if (way == 1) { cilk_spawn count(1); return 1; }
    if (way == 2) { cilk_spawn count(1); break; }
    if (way == 3) { cilk_spawn count(1); goto end; }
  }
  cilk_spawn count(10);
  return 2;
end:
  cilk_spawn count(100);
  return 3;
}

static int deep(int n) {
  if (!n) return 0;
  int x = cilk_spawn deep(n - 1);
  cilk_sync;
  return x + 1;
}

static int comb(int n) {
  if (!n) return 0;
  int x = cilk_spawn comb(0);
  int y = comb(n - 1);
  cilk_sync;
  return x + y + 1;
}

static int with_array(int n) {
  int squares[n];
  for (int i = 0; i < n; i++)
    squares[i] = cilk_spawn square(i);
  cilk_sync;
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += squares[i];
  return sum;
}

static void free_text(char **text_place) { count((long)strlen(*text_place)); free(*text_place); }
static void append(char *to, int n) { for (int i = 0; i < n; i++) strcat(to, "x"); }
static void cleaned(void) {
  __attribute__((cleanup(free_text))) char *text_here = calloc(1, 200);
  cilk_spawn append(text_here, 100);
}

static void results(int k) {
  enum { MANY = 10 };
  struct big b[MANY], *last = &b[MANY - 1];
  struct small s[MANY];
  struct fields f[MANY] = {{0}};
  long sums[MANY], from_int[MANY];
  double d[MANY], from_square[MANY];
  float t[MANY];
  long double q[MANY];
  short narrow[MANY], cut[MANY];
  unsigned char byte[MANY];
  const char *words[MANY];
  enum colour colours[MANY];
  _Complex double turned[MANY];
  pair pairs[MANY];
  _Bool odds[MANY];
  __int128 large[MANY];
  long long (*pointer)(int) = k % 2 ? square : 0;
  if (!pointer) pointer = square;
  for (int i = 0; i < MANY; i++) {
    b[i] = cilk_spawn make_big(i + k);
    s[i] = cilk_spawn make_small(i);
    struct big x = make_big(i), y = make_big(2 * i);
    sums[i] = cilk_spawn add_big(x, y, 'a');
    d[i] = cilk_spawn half(i);
    t[i] = cilk_spawn third(i);
    q[i] = cilk_spawn quarter(i);
    from_int[i] = cilk_spawn id(-i);
    from_square[i] = cilk_spawn square(i);
    narrow[i] = cilk_spawn pointer(i);
    cut[i] = cilk_spawn half(100 * i);
    byte[i] = cilk_spawn id(300 + i);
    words[i] = cilk_spawn text(i);
    colours[i] = cilk_spawn colour(i);
    turned[i] = cilk_spawn turn(i);
    pairs[i] = cilk_spawn both(i);
    odds[i] = cilk_spawn odd(i);
    large[i] = cilk_spawn huge(i);
    f[i].five = cilk_spawn square(i % 5);
    cilk_sync; /* neighbours of a bit-field are the same memory */
    f[i].signed_four = cilk_spawn id(i % 8 - 4);
    cilk_sync;
    f[i].wide = cilk_spawn square(1000 * i);
    f[i].plain = cilk_spawn half(10 * i);
    cilk_spawn count(i);
    cilk_spawn (void)id(i);
  }
  cilk_sync;
  *last = cilk_spawn make_big(k);
  cilk_sync;
  for (int i = 0; i < MANY; i++)
    printf("%ld %s %ld %g %g %Lg %ld %g %d %d %d %s %d %g %g %d %d %d %d %lld %d\n", b[i].part[19], s[i].text, sums[i], d[i],
           t[i], q[i], from_int[i], from_square[i], narrow[i], cut[i], byte[i], words[i], colours[i], __imag__ turned[i],
           pairs[i][1], odds[i], (int)(large[i] >> 70), f[i].five, f[i].signed_four, (long long)f[i].wide, f[i].plain);
}

/* These are called at once.  */
static void direct(int k) {
  int x = 1;
  x += cilk_spawn id(2);
  x = cilk_spawn id(x) + cilk_spawn id(k);
  x += k ? cilk_spawn id(3) : id(4);
  int nested(int n) { return n + x; }
  int y = cilk_spawn nested(5);
  wide_vector w = {1, 2, 3, 4, 5, 6, 7, 8};
  double z = cilk_spawn sum_of((pair){1, 2}, w), real = cilk_spawn turn(k);
  _Complex float rounded = cilk_spawn turn(k);
  cilk_sync;
  printf("%d %d %g %g %g\n", x, y, z, real, __imag__ rounded);
}

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 3, x, a = 0;
  for (int k = 0; k < rounds; k++) {
    results(k);
    direct(k);
    for (int way = 1; way < 5; way++) {
      int way_out = ways_out(way, &x);
      printf("%d %d ", way_out, x);
    }
    a = cilk_spawn always(k);
    double root = cilk_spawn sqrt(k);
    char to[8], from[8] = "memory";
    cilk_spawn memcpy(to, from, sizeof to);
    int tens = cilk_spawn atoi("10");
    cilk_spawn printf("");
    cilk_sync;
    printf("%d %.3f %s %d %d\n", a, root, to, tens, with_array(50));
    printf("%d %d %d\n", fib(15), deep(2000), comb(2000));
    cleaned();
  }
  for (int i = 0; i < 100000; i++)
    cilk_spawn count(1);
  cilk_sync;
  printf("%ld\n", counter);
  return 0;
}
