/* Every way to write a cilk_for that C and C++ have in common.  A loop's count is 1 for every time that it is run; the
   calls in it show its iterations.  */
#include <cilk/cilk.h>
#include <stdio.h>

#define OUTLINE __attribute__((noinline, noclone, noipa))
#define GRAIN 3
#define LOOP(i, n) cilk_for (int i = 0; i < (n); i++)
#define GRAINED _Pragma("cilk grainsize = 2") cilk_for
#define BODY(...) __VA_ARGS__

/* Callees: id returns its argument, add adds to TOTAL.  */
OUTLINE int id(int x) { volatile int y = x; return y; }
static int total;
OUTLINE void add(long x) { total += (int)x; }
/* Spawns in a loop.  Returns N.  */
OUTLINE int spawner(int n) {
  cilk_for (int i = 0; i < n; i++) { //= loop 2
    cilk_spawn add(i);               //= spawn add 9
    add(1);                          //= call add 9
  }
  return n;
}
/* Runs a loop after a continue, inside of another loop.  Returns how often it was run.  */
OUTLINE int late(int n) {
  int done = 0;
  for (int k = 0; k < 3; k++) {
    if (k == 1) continue;
    cilk_for (int i = 0; i < n; i++) { //= loop 2
      if (i % 2) continue;
      add(k); //= call add 4
    }
    done++;
  }
  return done;
}

/* Runs every form of loop.  Each has N iterations or so; what it calls is written after it.  */
int main(int argc, char **argv) {
  int n = 5 + 0 * argc, a[6] = {1, 2, 3, 4, 5, 6};
  unsigned u = 5;
  (void)argv;
  cilk_for (int i = 0; i < n; i++) add(i);            //= loop 1; call add 5
  cilk_for (int i = 0; i <= n; ++i) add(i);           //= loop 1; call add 6
  cilk_for (int i = n; i > 0; i--) add(i);            //= loop 1; call add 5
  cilk_for (int i = n; i >= 0; --i) add(i);           //= loop 1; call add 6
  cilk_for (int i = 0; i != n; i++) add(i);           //= loop 1; call add 5
  cilk_for (int i = 0; i < n; i += 2) add(i);         //= loop 1; call add 3
  cilk_for (int i = n; i > 0; i -= 3) add(i);         //= loop 1; call add 2
  cilk_for (int i = 0; n > i; i++) add(i);            //= loop 1; call add 5
  cilk_for (int i = 0; n != i; ++i) add(i);           //= loop 1; call add 5
  cilk_for (char i = 'a'; i < 'e'; i++) add(i);       //= loop 1; call add 4
  cilk_for (signed char i = 0; i < 4; i++) add(i);    //= loop 1; call add 4
  cilk_for (unsigned char i = 0; i < 4; i++) add(i);  //= loop 1; call add 4
  cilk_for (short i = 0; i < n; i++) add(i);          //= loop 1; call add 5
  cilk_for (unsigned short i = 3; i > 0; i--) add(i); //= loop 1; call add 3
  cilk_for (unsigned i = 0; i < u; i++) add(i);       //= loop 1; call add 5
  cilk_for (long i = 0; i < n; i++) add(i);           //= loop 1; call add 5
  cilk_for (unsigned long i = 0; i < u; i++) add(i);  //= loop 1; call add 5
  cilk_for (long long i = -2; i < 2; i++) add(i);     //= loop 1; call add 4
  cilk_for (unsigned long long i = 1; i <= u; i++) add(i); //= loop 1; call add 5
  cilk_for (int *p = a; p < a + 6; p++) add(*p);      //= loop 1; call add 6
  cilk_for (int *p = a; p != a + 6; p += 2) add(*p);  //= loop 1; call add 3
  cilk_for (int *p = a + 5; p >= a; p--) add(*p);     //= loop 1; call add 6
  cilk_for (int i = 0; i < 0; i++) add(i);            //= loop 1
  cilk_for (int i = n; i < n - 3; i++) add(i);        //= loop 1
  cilk_for (int i = 0; i < n; i++) { if (i == 2) continue; add(i); } //= loop 1; call add 4
  cilk_for (int i = 0; i < n; i++) ;                  //= loop 1
  cilk_for (int i = 0; i < 3; i++) cilk_for (int j = 0; j < 2; j++) add(i * j); //= loop 4; call add 6
  cilk_for (int i = 0; i < 3; i++)                    //= loop 1
    cilk_for (int j = 0; j <= i; j++)                 //= loop 3
      for (int k = 0; k < 2; k++)
        add(i * j * k);                               //= call add 12
  cilk_for (int i = 0; i < n; i++) { switch (i) { case 1: break; default: add(i); } } //= loop 1; call add 4
  cilk_for (int i = 0; i < n; i++) { for (;;) { add(i); break; } } //= loop 1; call add 5
  cilk_for (int i = 0; i < 4; i++) { if (i & 1) goto next; add(i); next:; } //= loop 1; call add 2
  for (int k = 0; k < 3; k++) cilk_for (int i = 0; i < 2; i++) add(i); //= loop 3; call add 6
  if (argc) cilk_for (int i = 0; i < 2; i++) add(i);  //= loop 1; call add 2
  if (!argc) cilk_for (int i = 0; i < 2; i++) add(i); else add(7); //= call add 1
  cilk_for (int i = id(0); i < n; i++) add(i);        //= loop 1; call id 1; call add 5
  LOOP(i, 3) add(i);                                  //= loop 1; call add 3
  BODY(cilk_for (int i = 0; i < 3; i++) add(i);)      //= loop 1; call add 3
  _Cilk_for (int i = 0; i < 3; i++) add(i);           //= loop 1; call add 3
  cilk_scope { cilk_for (int i = 0; i < 3; i++) add(i); } //= loop 1; call add 3
  cilk_spawn { cilk_for (int i = 0; i < 3; i++) add(i); } //= spawn (block) 1; loop 1; call add 3
#pragma cilk grainsize = 2
  cilk_for (int i = 0; i < n; i++) add(i);            //= loop 1; call add 5
#pragma cilk grainsize = n
  cilk_for (int i = 0; i < n; i++) add(i);            //= loop 1; call add 5
#pragma cilk grainsize = GRAIN * n + 1
  LOOP(i, 3) add(i);                                  //= loop 1; call add 3
  _Pragma("cilk grainsize = 2") cilk_for (int i = 0; i < n; i++) add(i); //= loop 1; call add 5
  _Pragma("cilk grainsize = GRAIN")
  cilk_for (int i = 0; i < n; i++) add(i);            //= loop 1; call add 5
  GRAINED (int i = 0; i < n; i++) add(i);             //= loop 1; call add 5
#pragma simd
  cilk_for (int i = 0; i < n; i++) add(i);            //= loop 1; call add 5
#pragma omp simd
  cilk_for (int i = 0; i < n; i++) add(i);            //= loop 1; call add 5
#pragma GCC ivdep
  cilk_for (int i = 0; i < n; i++) add(i);            //= loop 1; call add 5
#pragma cilk grainsize = 4
#pragma GCC ivdep
  cilk_for (int i = 0; i < n; i++) add(i);            //= loop 1; call add 5
  total += spawner(4) + spawner(5) + late(4);         //= call spawner 2; call late 1
  printf("%d %d\n", total, n);
  return 0;
}
