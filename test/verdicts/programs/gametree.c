/* Nim with several heaps: who wins, by searching the tree of moves.
   SPDX-License-Identifier: MIT

   verdict: gametree-first | cilk | serial | first | search_serially |
   colleague: The first move is searched serially before the others are spawned, and is as long as all of them.
   verdict: gametree-first-omp | openmp | serial | first | search_serially |
   colleague: The first move is searched serially before the others become tasks, and is as long as all of them.
   verdict: gametree-moves | cilk -DALL | imbalance,serial | moves | best_move,search_serially | 2:1.7 8:1.7
   colleague: One of the five moves leaves the largest tree, more than half of all: spawn within the moves too.
   verdict: gametree-moves-omp | openmp -DALL | imbalance,serial | moves | best_move,search_serially | 2:1.7 8:1.7
   colleague: One of the five moves leaves the largest tree, more than half of all: make tasks within the moves too.  */

#include <stdio.h>
#ifndef _OPENMP
#include <cilk/cilk.h>
#endif
enum { MOVES = 5 };

/* Counts the ways to the end of a game of SUM matches from which at most MOST may be taken at once.  */
__attribute__((noinline)) static long search_serially(int sum, int most) {
  long ways = sum == 0;
  for (int take = 1; take <= most && take <= sum; take++)
    ways += search_serially(sum - take, most);
  return ways;
}

/* The matches that each move leaves.  */
static int left_by(int move) {
  static const int left[MOVES] = {25, 22, 22, 22, 21};
  return left[move];
}

static long best_move(void) {
  long ways[MOVES] = {0}, best = 0;
#ifdef ALL
  /* guilty: moves { */
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic)
  for (int move = 0; move < MOVES; move++)
    ways[move] = search_serially(left_by(move), 3);
#else
  cilk_for (int move = 0; move < MOVES; move++)
    ways[move] = search_serially(left_by(move), 3);
#endif
    /* guilty: moves } */
#else
  ways[0] = search_serially(left_by(0), 3); /* guilty: first */
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic)
  for (int move = 1; move < MOVES; move++)
    ways[move] = search_serially(left_by(move), 3);
#else
  for (int move = 1; move < MOVES; move++)
    ways[move] = cilk_spawn search_serially(left_by(move), 3);
  cilk_sync;
#endif
#endif
  for (int move = 0; move < MOVES; move++)
    best = ways[move] > best ? ways[move] : best;
  return best;
}

int main(void) {
  printf("%ld\n", best_move()); /* guilty: moves */
  return 0;
}
