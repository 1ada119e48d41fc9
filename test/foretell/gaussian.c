/* Random numbers, embarrassingly parallel: normally distributed pairs are counted by how large they are, in blocks that
   have nothing in common but the counts.
   SPDX-License-Identifier: MIT  */

#include "foretell.h"
#ifdef _OPENMP
#include <omp.h>
#endif

enum { BLOCK = 1 << 14, RINGS = 8 };
const long default_size = 200; /* blocks */
static long counts[RINGS], pairs;
static double sums[2];

/* Does nothing: all memory is static.  */
static void make_room(long size) {
  (void)size;
}

/* Sets all counts and sums to 0.  The numbers are drawn while they are counted.  */
static void make_input(long size) {
  (void)size;
  for (int i = 0; i < RINGS; i++)
    counts[i] = 0;
  pairs = 0;
  sums[0] = sums[1] = 0;
}

struct tally {
  long counts[RINGS], pairs;
  double sums[2];
};

/* Draws the pairs of BLOCK by Marsaglia's polar method.  Returns how many there are of which size, and their sums.  */
static struct tally draw(long block) {
  struct tally tally = {{0}, 0, {0, 0}};
  for (long i = 0; i < BLOCK; i++) {
    uint64_t at = 2 * ((uint64_t)block * BLOCK + (uint64_t)i);
    double x = 2 * random_fraction(at) - 1, y = 2 * random_fraction(at + 1) - 1, square = x * x + y * y;
    if (square >= 1 || square <= 0)
      continue;
    double factor = sqrt(-2 * log(square) / square), a = factor * x, b = factor * y;
    int ring = (int)fmax(fabs(a), fabs(b));
    tally.counts[ring < RINGS ? ring : RINGS - 1]++;
    tally.pairs++;
    tally.sums[0] += a;
    tally.sums[1] += b;
  }
  return tally;
}

/* Adds TALLY, of one block, to the counts and sums of all.  The caller holds the lock.  */
static void add(const struct tally *tally) {
  for (int i = 0; i < RINGS; i++)
    counts[i] += tally->counts[i];
  pairs += tally->pairs;
  sums[0] += tally->sums[0];
  sums[1] += tally->sums[1];
}

/* Draws and counts SIZE blocks of pairs; each block is a task, which adds what it found under a lock.  */
static void compute(long size) {
  PAR_SEC_BEGIN("blocks");
  OPENMP(omp parallel for schedule(runtime))
  for (long i = 0; i < size; i++) {
    PAR_TASK_BEGIN("block");
    struct tally tally = draw(i);
    LOCK_BEGIN(counts);
    OPENMP(omp critical)
    add(&tally);
    LOCK_END(counts);
    PAR_TASK_END();
  }
  PAR_SEC_END(0);
}

/* Returns whether all is within six standard deviations: the number of pairs that are in the circle, the means, and the
   number of pairs below 1, whose share is the square of what a normal distribution has there.  */
static int is_right(long size) {
  const double share = pi / 4, below = 0.682689492137086 * 0.682689492137086;
  double all = (double)size * BLOCK, in = (double)pairs;
  long sum = 0;
  for (int i = 0; i < RINGS; i++)
    sum += counts[i];
  return sum == pairs && fabs(in - share * all) < 6 * sqrt(all * share * (1 - share)) && fabs(sums[0]) < 6 * sqrt(in) &&
         fabs(sums[1]) < 6 * sqrt(in) && fabs((double)counts[0] - below * in) < 6 * sqrt(in * below * (1 - below));
}
