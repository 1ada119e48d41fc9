/* Divisions of iterations and of costs.
   SPDX-License-Identifier: MIT

   Many processors take several times as long to divide a number of 64 bits as one of 32 bits, and a short loop takes no
   longer.  Products nearly always fit into 64 bits.  To divide one that does not takes a library function, which is as
   slow again.  */

#ifndef CILKPROF_DIVIDE_H
#define CILKPROF_DIVIDE_H

#include <stdint.h>

/* Returns A / B, which mostly fit into 32 bits.  */
static inline uint64_t divide_small(uint64_t a, uint64_t b) {
  return (a | b) >> 32 ? a / b : (uint32_t)a / (uint32_t)b;
}

/* Returns A / B, rounded up: the number of grains in a loop, or the iterations in each of B equal chunks.  */
static inline uint64_t divide_loop_rounding_up(uint64_t a, uint64_t b) {
  if (b == 1)
    return a;
  uint64_t quotient = divide_small(a, b);
  return quotient + (quotient * b != a);
}

/* Returns the cost of PART of ALL iterations that together cost COST.  ROUNDING is ALL - 1 to round up, or 0 to round
   down.  */
static inline uint64_t cost_of_loop_part(uint64_t cost, uint64_t part, uint64_t all, uint64_t rounding) {
  uint64_t sum;
  if (part == all)
    return cost;
  if (!__builtin_mul_overflow(cost, part, &sum) && !__builtin_add_overflow(sum, rounding, &sum))
    return divide_small(sum, all);
  return (uint64_t)(((unsigned __int128)cost * part + rounding) / all);
}

#endif
