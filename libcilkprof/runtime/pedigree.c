/* Pedigrees, and random numbers that depend on them (DPRNG).
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/runtime/runtime.h"

struct context {
  size_t size;
  const void *data[3];
};

EXPORTED struct __cilkprof_r_pedigree __cilkrts_get_pedigree(void);
EXPORTED int __cilkrts_get_worker_rank(uint64_t *rank);
EXPORTED int __cilkrts_bump_worker_rank(void);
EXPORTED int __cilkrts_get_pedigree_info(struct context *context, uint64_t *birthrank);
EXPORTED void __cilkrts_dprand_set_seed(uint64_t number);
EXPORTED uint64_t __cilkrts_get_dprand(void);

static _Atomic uint64_t seed;

/* Returns the last term of the current strand's pedigree.  */
struct __cilkprof_r_pedigree __cilkrts_get_pedigree(void) {
  return __cilkprof_r_pedigree;
}

/* Sets *RANK to the rank of the current strand, the last term of its pedigree.  Returns 0.  */
int __cilkrts_get_worker_rank(uint64_t *rank) {
  *rank = __cilkprof_r_pedigree.rank;
  return 0;
}

/* Increments the rank of the current strand, so that what follows has another pedigree.  Returns 0.  */
int __cilkrts_bump_worker_rank(void) {
  __cilkprof_r_pedigree.rank++;
  return 0;
}

/* Advances CONTEXT to the next term of the current strand's pedigree, outwards, and sets *BIRTHRANK to its rank.
   Returns 0, 1 if there is no further term, or -3 if CONTEXT has the wrong size.  */
int __cilkrts_get_pedigree_info(struct context *context, uint64_t *birthrank) {
  const struct __cilkprof_r_pedigree *term = context->data[0];
  if (context->size != sizeof *context)
    return -3;
  term = term ? term->parent : __cilkprof_r_pedigree.parent;
  if (!term)
    return 1;
  context->data[0] = term;
  *birthrank = term->rank;
  return 0;
}

/* Sets the seed of the random numbers that __cilkrts_get_dprand returns.  */
void __cilkrts_dprand_set_seed(uint64_t number) {
  seed = number;
}

/* Returns a hash of X, by the mixing function of SplitMix64, for random numbers that depend on pedigrees.  */
static uint64_t mix_pedigree_bits(uint64_t x) {
  x *= UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

/* Returns a random number that depends on the seed and on the pedigree of the current strand, and increments the
   strand's rank.  */
uint64_t __cilkrts_get_dprand(void) {
  uint64_t x = mix_pedigree_bits(seed) + ++__cilkprof_r_pedigree.rank;
  for (const struct __cilkprof_r_pedigree *term = __cilkprof_r_pedigree.parent; term; term = term->parent)
    x = mix_pedigree_bits(x) + term->rank;
  return mix_pedigree_bits(x);
}
