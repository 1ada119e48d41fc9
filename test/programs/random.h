/* Random numbers that are the same in every run: xorshift64.
   SPDX-License-Identifier: MIT  */

#ifndef RANDOM_H
#define RANDOM_H

#include <stdint.h>

#define RANDOM_SEED 88172645463325252u

/* The state is any number but 0.  */
static inline uint64_t next_random(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

#endif
