/* Every way to write a spawn that C and C++ have in common.  What a line must show is in a comment at its end: the kind
   of site, the callee and how often it is called.  Lines without have no site.  */
#include <alloca.h>
#include <cilk/cilk.h>
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OUTLINE __attribute__((noinline, noclone, noipa))
#define ASSIGN(x, y) x = cilk_spawn id(y)
#define ASSIGN_ANY(function, x, y) x = cilk_spawn function(y)
#define WRAP(...) do { __VA_ARGS__; } while (0)
#define CALL(y) id(y)
#define MY_SPAWN cilk_spawn
#define BEGIN_ASSIGN(x) x = cilk_spawn
#define KEYWORD_AND_NAME(keyword, function) keyword function(3)
#define KEYWORD(keyword) keyword sum(4, 5)
#define PARENTHESES(x) (x)
#define SPAWN_IN_PARENTHESES(x) (cilk_spawn x)
#define OUTER(y) PARENTHESES(x = cilk_spawn id(y))
#define TWICE(e) e; e

struct table { int (*function)(int); };
static jmp_buf out;
/* Callees, each of another type; their volatile variables keep calls of them from being optimized away.  */
OUTLINE int id(int x) { volatile int y = x; return y; }
OUTLINE int twin(int x) { volatile int y = x; return y; }
OUTLINE int sum(int x, int y) { volatile int z = x + y; return z; }
OUTLINE void none(void) { volatile int x = 0; (void)x; }
static inline __attribute__((always_inline)) int always(int x) { return x * 3; }
OUTLINE int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
/* Both return whether N is even, or odd, by spawning each other as an operand.  */
OUTLINE int odd(int n);
OUTLINE int even(int n) { return n ? cilk_spawn odd(n - 1) : 1; } //= spawn odd 4
OUTLINE int odd(int n) { return n ? cilk_spawn even(n - 1) : 0; } //= spawn even 3
/* Returns the number of leaves of a Fibonacci tree of depth N, by a spawn and a call.  */
OUTLINE int tree(int n) {
  int x, y;
  if (n < 2) return 1;
  x = cilk_spawn tree(n - 1); //= spawn tree 7
  y = tree(n - 2);            //= call tree 7
  cilk_sync;
  return x + y;
}
/* Spawns itself N times, and then jumps out of all of them.  */
OUTLINE void jump(int n) {
  if (n) cilk_spawn jump(n - 1); //= spawn jump 3
  else longjmp(out, 1);
}
/* Returns N.  What it spawns is joined only by its end.  */
OUTLINE int spawning(int n) {
  cilk_spawn id(n); //= spawn id 2
  return n;         /* and syncs */
}

/* Runs every form of spawn.  */
int main(int argc, char **argv) {
  int x = 0, a[4] = {4, 2, 3, 1}, (*pointer)(int) = argc > 5 ? 0 : id, i;
  struct table table = {id}, *p = &table, **q = &p;
  char text[8], more[8] = "abc";
  double d;
  (void)argv;
  cilk_spawn id(1);                //= spawn id 1
  x = cilk_spawn id(2);            //= spawn id 1
  a[1] = cilk_spawn id(3);         //= spawn id 1
  x += cilk_spawn id(4);           //= spawn id 1
  x -= cilk_spawn id(1), x++;      //= spawn id 1
  int w = cilk_spawn id(5);        //= spawn id 1
  if (argc) cilk_spawn none();     //= spawn none 1
  if (!argc) cilk_spawn none(); else x += cilk_spawn id(2); //= spawn id 1
  for (i = 0; i < 7; i++) cilk_spawn id(i);                 //= spawn id 7
  while (i-- > 4) cilk_spawn id(i);                         //= spawn id 3
  do cilk_spawn id(i); while (i-- > 2);                     //= spawn id 2
  switch (argc) { case 0: break; default: cilk_spawn id(1); } //= spawn id 1
  for (i = 0; i < 3; i++) {
    int *room = (int *)alloca(sizeof(int) * (i + 1));
    room[i] = cilk_spawn id(i); //= spawn id 3
    x += room[i];
  }
  x = cilk_spawn
      id(3); //= spawn id 1
  x = cilk_spawn sum(x, //= spawn sum 1
                     4);
  x = cilk_spawn /* a comment */ id(11), w = 3; //= spawn id 1
  x = cilk_spawn id(x) + id(2);                 //= spawn id 1; call id 1
  x += cilk_spawn id(1) + cilk_spawn id(2);     //= spawn id 2
  x += sum(cilk_spawn id(1), id(3));            //= spawn id 1; call id 1; call sum 1
  x += cilk_spawn sum(id(1), id(2));            //= spawn sum 1; call id 2
  x += argc ? cilk_spawn id(3) : id(4);         //= spawn id 1
  ASSIGN(x, 1);                    //= spawn id 1
  ASSIGN_ANY(id, x, 2);            //= spawn id 1
  WRAP(x = cilk_spawn id(3));      //= spawn id 1
  WRAP(ASSIGN(x, 4));              //= spawn id 1
  x = cilk_spawn CALL(5);          //= spawn id 1
  x = MY_SPAWN id(6);              //= spawn id 1
  BEGIN_ASSIGN(x) id(7);           //= spawn id 1
  x += KEYWORD_AND_NAME(cilk_spawn, id); //= spawn id 1
  x += KEYWORD(cilk_spawn);        //= spawn sum 1
  x += PARENTHESES(cilk_spawn id(1)); //= spawn id 1
  x += SPAWN_IN_PARENTHESES(id(1)); //= spawn id 1
  x += SPAWN_IN_PARENTHESES(p->function(2)); //= spawn id 1
  OUTER(3);                        //= spawn id 1
  TWICE(cilk_spawn id(2));         //= spawn id 2
  x += (cilk_spawn id(0));         //= spawn id 1
  x += ((cilk_spawn id(0)));       //= spawn id 1
  x += (cilk_spawn (*q)->function(2)); //= spawn id 1
  x += (cilk_spawn (*p->function)(2)); //= spawn id 1
  x += cilk_spawn (id(1));         //= spawn id 1
  x += (int)cilk_spawn id(1);      //= spawn id 1
  cilk_spawn (void)id(1);          //= spawn id 1
  cilk_spawn ((void)id(1));        //= spawn id 1
  cilk_spawn (void)(id(1));        //= spawn id 1
  x += cilk_spawn (short)(long)id(1); //= spawn id 1
  WRAP(cilk_spawn (void)id(1));    //= spawn id 1
  cilk_spawn (void)CALL(1);        //= spawn id 1
  x = cilk_spawn(id)(12);          //= spawn id 1
  x = cilk_spawn pointer(10);      //= spawn id 1
  x = cilk_spawn (*pointer)(8);    //= spawn id 1
  x = cilk_spawn (pointer)(9);     //= spawn id 1
  for (i = 0; i < 5; i++) {
    pointer = i < 2 ? id : twin;
    x += cilk_spawn pointer(i);    //= spawn id 2; spawn twin 3
  }
  x = cilk_spawn always(x);        //= spawn always 1
  x += cilk_spawn abs(argc);       //= spawn abs 1
  d = cilk_spawn fabs((double)-argc); //= spawn fabs 1
  cilk_spawn memcpy(text, more, 4);   //= spawn memcpy 1
  cilk_spawn qsort(a, 2, sizeof *a, compare); //= spawn qsort 1
  x += _Cilk_spawn id(13);         //= spawn id 1
  x += cilk_spawn even(7);         //= spawn even 1
  x += tree(5);                    //= call tree 1
  x += spawning(3) + spawning(4);  //= call spawning 2
  if (!setjmp(out)) cilk_spawn jump(3); //= spawn jump 1
  cilk_spawn { x++; x += id(2); }  //= spawn (block) 1; call id 1
  if (argc) cilk_spawn { x++; } else cilk_spawn id(1); //= spawn (block) 1
  for (i = 0; i < 3; i++) cilk_spawn { x += id(i); }   //= spawn (block) 3; call id 3
  cilk_spawn for (i = 0; i < 3; i++) x += id(i);       //= spawn (block) 1; call id 3
  for (i = 0; i < 3; i++) cilk_spawn a[i] = id(i);     //= spawn (block) 3; call id 3
  cilk_spawn x += id(1);                               //= spawn (block) 1; call id 1
  WRAP(cilk_spawn *&x -= id(1) + id(0));               //= spawn (block) 1; call id 2
  cilk_spawn { cilk_spawn id(1); cilk_spawn { x++; } } //= spawn (block) 2; spawn id 1
  cilk_scope { x += cilk_spawn id(1); x += id(2); }    //= spawn id 1; call id 1
  if (argc) cilk_scope { cilk_spawn id(1); } else x += id(5); //= spawn id 1
  if (!argc) cilk_scope { cilk_spawn id(1); } else x += id(5); //= call id 1
  cilk_sync;
  printf("%d %d %g %s %d\n", x, w, d, text, a[0]);
  return 0;
}
