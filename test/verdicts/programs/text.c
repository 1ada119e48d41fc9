/* Random texts: a library of search.c.
   SPDX-License-Identifier: MIT  */

#include "text.h"

/* guilty: text { */
static unsigned next_number(unsigned *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

void make_text(char *text, int length, int rounds) {
  static const char letters[] = "aaceeefloorrsstt pnwyk";
  unsigned state = 2024;
  for (int i = 0; i < length; i++) {
    unsigned number = 0;
    for (int round = 0; round < rounds; round++)
      number ^= next_number(&state);
    text[i] = letters[number % (sizeof letters - 1)];
  }
  text[length] = 0;
}
/* guilty: text } */
