/* Divisions of the iterations of loops and of their costs.
   SPDX-License-Identifier: MIT

   Products nearly always fit into 64 bits.  To divide one that does not takes a library function, which is as slow as a
   short loop is.  */

#ifndef CILKPROF_DIVIDE_H
#define CILKPROF_DIVIDE_H

#include <stdint.h>

/* Returns A / B, rounded up: the number of grains in a loop, or the iterations in each of B equal chunks.  */
static inline uint64_t divide_loop_rounding_up(uint64_t a, uint64_t b) {
  return a / b + (a % b != 0);
}

/* Returns the cost of PART of ALL iterations that together cost COST.  ROUNDING is ALL - 1 to round up, or 0 to round
   down.  */
static inline uint64_t cost_of_loop_part(uint64_t cost, uint64_t part, uint64_t all, uint64_t rounding) {
  uint64_t sum;
  if (!__builtin_mul_overflow(cost, part, &sum) && !__builtin_add_overflow(sum, rounding, &sum))
    return sum / all;
  return (uint64_t)(((unsigned __int128)cost * part + rounding) / all);
}

#endif
