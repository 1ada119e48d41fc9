/* The small function that both snippets call.
   SPDX-License-Identifier: MIT  */

#ifndef SMALL_H
#define SMALL_H

#include <stdint.h>

/* To Gray code and back.  */
static inline uint64_t there_and_back(uint64_t x) {
  x ^= x >> 1;
  x ^= x >> 1;
  x ^= x >> 2;
  x ^= x >> 4;
  x ^= x >> 8;
  x ^= x >> 16;
  x ^= x >> 32;
  return x;
}

/* Returns x: that makes every sum over it easy to check.  Some tens of instructions without a loop.  */
__attribute__((noinline)) static uint64_t small(uint64_t x) {
  x = there_and_back(there_and_back(there_and_back(there_and_back(x))));
  x = there_and_back(there_and_back(there_and_back(there_and_back(x))));
  x = there_and_back(there_and_back(there_and_back(there_and_back(x))));
  return x;
}

#endif
