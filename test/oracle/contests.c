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

/* Writes a cilk_for.  In each grain its function repeats something up to three times, and then calls another one, which
   is shorter by LESS for each time: if something takes just as much, all grains are equally long.  */
static void generator_contest_of_grains(struct program *p, unsigned less) {
  unsigned i = p->variables++;
  if (generator_one_in(2))
    generator_line(p, "#pragma cilk grainsize = 1");
  generator_line(p, "cilk_for (unsigned i%u = 0; i%u < %u; i%u++) {", i, i, 2 + generator_below(30), i);
  generator_line(p, "  unsigned more = (i%u * %u + %u) & 3;", i, 1 + generator_below(3), generator_below(4));
  generator_line(p, "  for (unsigned j = more; j > 0; j--) __asm__ volatile(\"nop\");");
  generator_line(p, "  steps[%u - %u * more](more);", GENERATOR_STEPS - 1, less);
  generator_line(p, "}");
}

/* Writes children in a row, all longer than what the function does meanwhile.  A later one is shorter by a little, and
   now and then by just as much as the function does between the spawns, or as that and the burden of a spawn: then two
   paths are equally long.  A call between them is on the path to the later ones.  */
void generator_contest_statement(struct program *p) {
  unsigned children = 2 + generator_below(5), step = GENERATOR_STEPS - 1 - generator_below(4);
  for (unsigned i = 0; i < children; i++) {
    generator_line(p, "%sstep%u(%u);", p->spawns ? "cilk_spawn " : "", step, generator_below(9));
    if (generator_one_in(6))
      generator_line(p, "leaf%u(1);", generator_below(p->leaves));
    step -= generator_below(step < 12 ? step + 1 : 12);
  }
  if (p->spawns && generator_one_in(2))
    generator_line(p, "cilk_sync;");
}

/* Writes what main begins with: such children, and loops.  All that main does is on the critical path.  */
void generator_write_contests_of_main(struct program *p) {
  enum { CONTESTS = 16, MOST_AT_ONCE = 8 };
  p->indentation = 1;
  for (unsigned i = 0; i < CONTESTS; i++) {
    generator_contest_statement(p);
    generator_line(p, "cilk_sync;");
  }
  for (unsigned less = 1; p->spawns && less <= MOST_AT_ONCE; less++)
    generator_contest_of_grains(p, less);
}
