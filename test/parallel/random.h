/* What random programs without races have in common (generate.c).
   SPDX-License-Identifier: MIT

   Nothing is shared but reducers, and what these make depends on the order.  A function decides from its own `state'
   and has its own `fuel', of which calls get parts: so it does the same whenever and wherever it runs.  Results of
   children go to places of their own, results[], and are looked at only after a sync.  */

#ifndef PARALLEL_RANDOM_H
#define PARALLEL_RANDOM_H

#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __cplusplus
#include <cilk/reducer.h>
#include <string>
#else
#include <cilk/reducer.h>
#endif

typedef unsigned function(int fuel, unsigned x);

enum { PLACES = 12 };

/* What a function, an iteration, a spawned block has.  */
#define REGION(seed, share)                                                                                            \
  unsigned state = (seed), t0 = state, t1 = 1, t2 = 3, results[PLACES], used = 0;                                      \
  int fuel = (share)
#define CHOOSE(n) (((state = state * 1664525u + 1013904223u) >> 8) % (n))
#define PART(n)   test_parallel_part_of(&fuel, (n))

/* Takes from FUEL an Nth for a call, and 1 for making the call.  Returns that Nth, or 0 if no fuel is left.  */
static inline int test_parallel_part_of(int *fuel, int n) {
  int part = *fuel > 0 ? *fuel / n : 0;
  *fuel -= part + 1;
  return part;
}

/* Behind a sync: the results so far, in their order.  */
#define FOLD()                                                                                                         \
  do {                                                                                                                 \
    for (unsigned k = 0; k < used; k++)                                                                                \
      t0 = t0 * 31 + results[k];                                                                                       \
    used = 0;                                                                                                          \
  } while (0)
#define SYNC()                                                                                                         \
  do {                                                                                                                 \
    cilk_sync;                                                                                                         \
    FOLD();                                                                                                            \
  } while (0)
#define NEED_PLACE()                                                                                                   \
  if (used == PLACES)                                                                                                  \
  SYNC()

/* A sequence of numbers, as the function x -> a x + b that they make: one of them out of order and it is another.  */
struct order {
  unsigned a, b;
};

/* Appends X to the sequence ORDER.  */
static inline void note(struct order *order, unsigned x) {
  order->a *= 1664525u;
  order->b = order->b * 1664525u + x;
}

/* Makes VIEW the empty sequence, the function x -> x: the identity of a reducer.  */
static void test_parallel_no_order(void *view) {
  struct order none = {1, 0};
  *(struct order *)view = none;
}

/* Appends the sequence RIGHT to LEFT: the reduction of a reducer.  */
static void compose(void *left, void *right) {
  struct order *l = (struct order *)left, *r = (struct order *)right;
  l->b = l->b * r->a + r->b;
  l->a *= r->a;
}
static struct order cilk_reducer(test_parallel_no_order, compose) noted;

#ifdef __cplusplus
/* The callbacks of a reducer of the older interface, in C++.  */
struct composing : cilk::monoid_base<order> {
  /* Makes VIEW the empty sequence.  */
  static void identity(order *view) {
    test_parallel_no_order(view);
  }

  /* Appends the sequence RIGHT to LEFT.  */
  static void reduce(order *left, order *right) {
    compose(left, right);
  }
};
static cilk::reducer<composing> older;
#define OLDER (older.view())
#else
/* Makes VIEW the empty sequence: the identity of a reducer for C.  */
static void identity(void *key, void *view) {
  (void)key;
  test_parallel_no_order(view);
}

/* Appends the sequence RIGHT to LEFT: the reduction of a reducer for C.  */
static void reduce(void *key, void *left, void *right) {
  (void)key;
  compose(left, right);
}
static CILK_C_DECLARE_REDUCER(struct order) older = CILK_C_INIT_REDUCER(struct order, reduce, identity,
                                                                        __cilkrts_hyperobject_noop_destroy, {1, 0});
#define OLDER REDUCER_VIEW(older)
#endif
#define NOTE(x)       note(&noted, (x))
#define NOTE_OLDER(x) note(&OLDER, (x))

#ifdef __cplusplus
/* Arguments that report if they are used after their end, and that are not to be moved by bytes.  */
struct item {
  unsigned value;
  const item *self;

  /* Makes an object with the value V that knows its address; the second constructor copies OTHER to a new address.  */
  explicit item(unsigned v) : value(v), self(this) {}
  item(const item &other) : value(other.get()), self(this) {}

  /* Destroys the object, so that get notices a use after that.  */
  ~item() {
    self = nullptr, value = 0xdead;
  }

  /* Returns the value.  Prints a message if the object is not where it was constructed.  */
  unsigned get() const {
    if (self != this)
      puts("an object that is not there");
    return value;
  }
};

/* Returns F(FUEL, the value of X).  X is passed by value, so that a spawn has to copy and destroy it.  */
static inline unsigned test_parallel_with_item(function *f, int fuel, item x) {
  return f(fuel, x.get());
}

/* Returns F(FUEL, the length of X).  X may be a temporary, which has to live until a spawned call is over.  */
static inline unsigned test_parallel_with_text(function *f, int fuel, const std::string &x) {
  return f(fuel, static_cast<unsigned>(x.size()));
}

/* Returns F(FUEL, X) as an object, which a spawned call constructs in the variable that takes its result.  */
static inline item test_parallel_item_of(function *f, int fuel, unsigned x) {
  return item(f(fuel, x));
}
#endif

/* Runs the program of every seed from the first to the last argument, and prints its result and the order of its
   notes.  */
static int test_parallel_run_programs(unsigned (*const programs[])(unsigned), unsigned first_program, int argc,
                                      char *argv[]) {
  unsigned last = (unsigned)atoi(argv[argc - 1]);
  for (unsigned seed = (unsigned)atoi(argv[1]); seed <= last; seed++) {
    test_parallel_no_order(&noted);
    test_parallel_no_order(&OLDER);
    unsigned value = programs[seed / 8 - first_program](seed % 8);
    printf("seed %u: %u, order %u %u and %u %u\n", seed, value, noted.a, noted.b, OLDER.a, OLDER.b);
    fflush(stdout);
  }
  return 0;
}

#endif
