/* Statements in which several paths are nearly or exactly the longest.
   SPDX-License-Identifier: MIT  */

#include "test/oracle/generate.h"

/* Writes children and a continuation that are equally long, so that two paths tie for the longest.  */
void generator_tie_statement(struct program *p) {
  const char *spawn = p->spawns ? "cilk_spawn " : "";
  unsigned leaf = generator_below(p->leaves), other = generator_one_in(2) ? leaf : generator_below(p->leaves);
  generator_line(p, "%sleaf%u(3); %sleaf%u(3); %sleaf%u(3);", spawn, leaf, spawn, other,
                 generator_one_in(2) ? spawn : "", leaf);
  if (generator_one_in(2))
    generator_line(p, "leaf%u(3);", leaf);
}

/* Writes children in a row, all longer than what the function does meanwhile.  A later one is shorter by a little, and
   now and then by just as much as the function does between the spawns: then two paths are equally long.  A call
   between them is on the path to the later ones.  */
void generator_contest_statement(struct program *p) {
  unsigned children = 2 + generator_below(3), step = GENERATOR_STEPS - 1 - generator_below(4);
  for (unsigned i = 0; i < children; i++) {
    generator_line(p, "%sstep%u(%u);", p->spawns ? "cilk_spawn " : "", step, generator_below(9));
    if (generator_one_in(6))
      generator_line(p, "leaf%u(1);", generator_below(p->leaves));
    step -= generator_below(step < 10 ? step + 1 : 10);
  }
  if (p->spawns && generator_one_in(2))
    generator_line(p, "cilk_sync;");
}
