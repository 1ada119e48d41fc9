/* cilk_for in random programs.
   SPDX-License-Identifier: MIT  */

#include "test/oracle/generate.h"

/* Writes a grainsize pragma, or none.  */
static void generator_grain_pragma(struct program *p) {
  if (generator_one_in(3))
    generator_line(p, "#pragma cilk grainsize = %u", 1 + generator_below(generator_one_in(2) ? 4 : 20));
  else if (generator_one_in(6))
    generator_line(p, "#pragma cilk grainsize = grain");
}

/* Writes the head of a cilk_for of COUNT iterations with variable number I.  Not all forms have a number of iterations
   that is known in advance.  */
static void generator_write_head_of_loop(struct program *p, unsigned i, const char *count) {
  switch (generator_below(5)) {
  default:
    generator_line(p, "cilk_for (int i%u = 0; i%u < %s; i%u++)", i, i, count, i);
    break;
  case 0:
    generator_line(p, "cilk_for (long i%u = %s; i%u > 0; --i%u)", i, count, i, i);
    break;
  case 1:
    generator_line(p, "cilk_for (unsigned i%u = 3; i%u < 3 + 2 * (unsigned)%s; i%u += 2)", i, i, count, i);
    break;
  case 2:
    generator_line(p, "cilk_for (int i%u = 0; i%u < ({ int limit = %s & 7; limit; }); i%u++)", i, i, count, i);
    break;
  }
}

/* Writes, before a cilk_for of COUNT iterations with variable number I in a program without races, what its iterations
   begin with: each has a share of what the function may still do.  */
static void generator_share_with_iterations(struct program *p, unsigned i, const char *count) {
  if (!p->parallel)
    return;
  generator_line(p, "unsigned x%u = t0 + state;", i);
  generator_line(p, "int l%u = left / 2 / (1 + (int)%s);", i, count);
  generator_line(p, "left /= 2;");
}

/* Writes the body of the cilk_for with variable number I.  In a program without races each iteration has variables of
   its own in place of those of the function.  */
static void generator_write_iteration(struct program *p, unsigned i) {
  if (p->parallel) {
    generator_line(p, "{");
    p->indentation++;
    generator_line(p, "unsigned t0 = x%u + (unsigned)i%u, t1 = %u, t2 = %u;", i, i, generator_below(9), i);
    generator_line(p, "unsigned s0 = 1, s1 = 2, s2 = 3, state = t0 * 2654435761u + %u;", i);
    generator_line(p, "int left = l%u, given, fuel = left;", i);
  }
  if (generator_one_in(4))
    generator_write_series(p, i);
  else
    generator_write_statements(p);
  if (p->parallel) {
    p->indentation--;
    generator_line(p, "}");
  }
}

/* Writes a cilk_for.  */
void generator_parallel_loop(struct program *p) {
  unsigned i = p->variables++;
  char count[32];
  if (generator_one_in(3)) { /* nothing tells its iterations apart */
    snprintf(count, sizeof count, "n%u", i);
    generator_line(p, "int n%u = CHOOSE(4) ? CHOOSE(20) : CHOOSE(5000);", i);
    generator_grain_pragma(p);
    generator_write_head_of_loop(p, i, count);
    generator_line(p, "  array[i%u & 255] += %u * (unsigned)i%u;", i, generator_below(9), i);
    return;
  }
  if (generator_one_in(4))
    snprintf(count, sizeof count, "%u", 1 + generator_below(20));
  else {
    snprintf(count, sizeof count, "n%u", i);
    generator_line(p, "int n%u = TRIPS(%u);", i, 1 + generator_below(40));
  }
  generator_share_with_iterations(p, i, count);
  generator_grain_pragma(p);
  generator_write_head_of_loop(p, i, count);
  p->loops++;
  generator_write_iteration(p, i);
  p->loops--;
}
