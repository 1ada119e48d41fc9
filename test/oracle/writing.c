/* What every generator of random programs needs: numbers from the seed, and lines.
   SPDX-License-Identifier: MIT  */

#include <stdarg.h>

#include "test/oracle/generate.h"

static unsigned long long state;

/* Begins the random numbers of SEED.  The first is dropped: it depends on SEED too simply.  */
void generator_begin_numbers(unsigned long long seed) {
  state = seed * 0x9E3779B97F4A7C15ULL + 1;
  generator_below(2);
}

/* Returns the next random number below LIMIT.  The linear congruential generator is good enough, and the same
   everywhere.  */
unsigned generator_below(unsigned limit) {
  state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (unsigned)(state >> 33) % limit;
}

/* Returns true once in CHANCE times.  */
bool generator_one_in(unsigned chance) {
  return generator_below(chance) == 0;
}

/* Writes a line of the program, formatted as by printf and indented.  */
void generator_line(struct program *p, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(p->out, "%*s", 2 * p->indentation, "");
  vfprintf(p->out, format, arguments);
  putc('\n', p->out);
  va_end(arguments);
}
