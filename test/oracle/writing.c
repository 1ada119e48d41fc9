/* What every generator of random programs needs: numbers from the seed, and lines.
   SPDX-License-Identifier: MIT  */

#include <stdarg.h>

#include "test/oracle/generate.h"

static unsigned long long state;

void begin_numbers(unsigned long long seed) {
  state = seed * 0x9E3779B97F4A7C15ULL + 1;
  below(2);
}

/* The generator of Numerical Recipes: good enough, and the same everywhere.  */
unsigned below(unsigned limit) {
  state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (unsigned)(state >> 33) % limit;
}

bool one_in(unsigned chance) {
  return below(chance) == 0;
}

void line(struct program *p, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(p->out, "%*s", 2 * p->indentation, "");
  vfprintf(p->out, format, arguments);
  putc('\n', p->out);
  va_end(arguments);
}
