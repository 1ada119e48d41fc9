/* The statements of a random function.
   SPDX-License-Identifier: MIT

   Every function takes a depth, which falls with every call, and a number.  The global `fuel' falls with every call
   and with every iteration, so that every program ends soon.  CHOOSE decides while the program runs, from its
   argument.  In a program without races all of this is local: functions get shares of what their caller may still
   do.  */

#include "test/oracle/generate.h"

/* Returns the number of one of the variables t0, t1, t2.  */
static unsigned generator_result(void) {
  return generator_below(3);
}

static void generator_write_call(struct program *p, int nesting);

/* Writes an argument of a call.  It may be a call itself, which is evaluated first whether the outer call is spawned or
   not.  */
static void generator_write_argument(struct program *p, int nesting) {
  if (nesting < 2 && generator_one_in(8))
    generator_write_call(p, nesting + 1);
  else if (generator_one_in(2))
    fprintf(p->out, "t%u + %u", generator_result(), generator_below(5));
  else
    fprintf(p->out, "%u", generator_below(9));
}

/* Writes a call, as part of an expression; NESTING calls are around it.  */
static void generator_write_call(struct program *p, int nesting) {
  FILE *out = p->out;
  switch (generator_below(16)) {
  default:
    fprintf(out, "f%u(DOWN(%u), ", generator_below(p->functions), 1 + generator_below(2));
    break;
  case 0:
  case 1:
  case 2:
    fprintf(out, "leaf%u(", generator_below(p->leaves));
    break;
  case 3:
    fprintf(out, "table[CHOOSE(%u)](DOWN(1), ", p->functions);
    break;
  case 4:
    fprintf(out, "apply(f%u, DOWN(1), ", generator_below(p->functions));
    break;
  case 5:
    fprintf(out, "both(f%u, table[CHOOSE(%u)], DOWN(2), ", generator_below(p->functions), p->functions);
    break;
  case 6:
    fprintf(out, generator_one_in(2) ? "idle(" : "library[CHOOSE(2)](");
    break;
  case 7:
    fprintf(out, "quick%u(", generator_below(2));
    break;
  case 8:
    fprintf(out, "apply(table[CHOOSE(%u)], DOWN(1), ", p->functions);
    break;
  }
  generator_write_argument(p, nesting);
  putc(')', out);
}

/* Writes a statement with one or several calls.  */
static void generator_call_statement(struct program *p) {
  unsigned calls = generator_one_in(3) ? 2 + generator_below(2) : 1;
  fprintf(p->out, "%*st%u += ", 2 * p->indentation, "", generator_result());
  for (unsigned i = 0; i < calls; i++) {
    if (i)
      fprintf(p->out, " %c ", "+^*"[generator_below(3)]);
    generator_write_call(p, 0);
  }
  fputs(";\n", p->out);
}

/* Writes a statement that spawns a call, with MORE perhaps several of them.  */
static void generator_spawn_statement(struct program *p, bool more) {
  fprintf(p->out, "%*s", 2 * p->indentation, "");
  do {
    const char *to = p->parallel ? "s" : "t"; /* what children compute is not used before the sync */
    switch (generator_below(3)) {
    case 0:
      fprintf(p->out, "%s%u = ", to, generator_result());
      break;
    case 1:
      fprintf(p->out, "%s%u ^= ", to, generator_result());
      break;
    }
    if (p->spawns)
      fputs("cilk_spawn ", p->out);
    generator_write_call(p, 0);
    fputs("; ", p->out);
  } while (more && generator_one_in(3));
  putc('\n', p->out);
}

/* Writes the body of a loop with variable number I that calls leaves only, one after the other.  */
void generator_write_series(struct program *p, unsigned i) {
  generator_line(p, "{");
  for (unsigned calls = 1 + generator_below(6); calls > 0; calls--)
    if (generator_one_in(4))
      generator_line(p, "  t%u += leaves[CHOOSE(%u)](i%u);", generator_result(), p->leaves, i);
    else
      generator_line(p, "  t%u ^= leaf%u(i%u + %u);", generator_result(), generator_below(p->leaves), i,
                     generator_below(3));
  if (generator_one_in(4)) {
    generator_line(p, "  if (CHOOSE(8) == 0)");
    p->indentation++;
    generator_call_statement(p);
    p->indentation--;
  }
  generator_line(p, "}");
}

/* Writes a serial loop.  */
static void generator_serial_loop(struct program *p) {
  unsigned i = p->variables++;
  switch (generator_below(5)) {
  case 3:
    generator_line(p, "for (unsigned i%u = 0, n = (unsigned)TRIPS(%u); i%u < n; i%u++)", i, 1 + generator_below(40), i,
                   i);
    generator_write_series(p, i);
    break;
  case 0: /* children of many iterations, joined much later */
    generator_line(p, "for (int i%u = 0, n = TRIPS(%u); i%u < n; i%u++)", i, 1 + generator_below(60), i, i);
    fputs("  ", p->out);
    generator_spawn_statement(p, false);
    break;
  case 1:
    generator_line(p, "for (unsigned i%u = 0; i%u < %u + CHOOSE(%u); i%u++)", i, i, generator_below(5),
                   1 + generator_below(30), i);
    generator_line(p, "  t%u = t%u * 5 + i%u;", generator_result(), generator_result(), i);
    break;
  case 2:
    generator_line(p, "while (CHOOSE(%u) && fuel-- > 0)", 1 + generator_below(5));
    generator_write_statements(p);
    break;
  default:
    generator_line(p, "for (int i%u = 0, n = TRIPS(%u); i%u < n; i%u++)", i, 1 + generator_below(10), i, i);
    generator_write_statements(p);
  }
}

/* Writes an if or a switch.  */
static void generator_branches(struct program *p) {
  if (generator_one_in(3)) {
    generator_line(p, "switch (CHOOSE(4)) {");
    for (unsigned i = 0; i < 3; i++) {
      generator_line(p, "case %u:", i);
      generator_write_statements(p);
      if (generator_one_in(2))
        generator_line(p, "break;");
      else
        generator_line(p, "/* fall through */");
    }
    generator_line(p, "default:;\n}");
    return;
  }
  generator_line(p, "if (CHOOSE(%u))", 1 + generator_below(4));
  generator_write_statements(p);
  if (generator_one_in(2)) {
    generator_line(p, "else");
    generator_write_statements(p);
  }
}

/* Writes a call of qsort, which calls the program back.  */
static void generator_sorting(struct program *p) {
  unsigned i = p->variables++;
  generator_line(p, "unsigned v%u[12], n%u = TRIPS(12);", i, i);
  generator_line(p, "for (unsigned i = 0; i < n%u; i++) v%u[i] = CHOOSE(1000);", i, i);
  generator_line(p, "%sqsort(v%u, n%u, sizeof *v%u, order%u);",
                 p->spawns && !p->parallel && generator_one_in(4) ? "cilk_spawn " : "", i, i, i, generator_below(2));
}

/* Writes a cilk_scope.  */
static void generator_scope(struct program *p) {
  generator_line(p, "cilk_scope");
  generator_write_statements(p);
}

/* Writes a block in a marked region.  Functions share the labels, so regions nest; some ways out of the block leave the
   region open.  There are none in parallel runs.  */
static void generator_region(struct program *p) {
  unsigned label = generator_below(4);
  if (p->parallel) {
    generator_write_statements(p);
    return;
  }
  if (p->throws && generator_one_in(2)) {
    generator_line(p, "{ cilkprof::region here(\"region %u\");", label);
    generator_write_statements(p);
    generator_line(p, "}");
    return;
  }
  generator_line(p, "cilkprof_start(\"region %u\");", label);
  generator_write_statements(p);
  generator_line(p, "cilkprof_stop(\"region %u\");", label);
}

/* Writes a try block with its handler, or an object whose destructor exceptions run.  */
static void generator_catching(struct program *p) {
  if (generator_one_in(3)) {
    generator_line(p, "guard g%u = {%u};", p->variables++, generator_below(4));
    return;
  }
  generator_line(p, "try {");
  generator_write_statements(p);
  if (p->parallel)
    generator_line(p, "if (CHOOSE(3) == 0) throw 1;");
  generator_line(p, "} catch (int thrown)");
  generator_write_statements(p);
}

/* Writes a statement that may leave the function or the iteration: throw, longjmp, exit, return or continue.  What
   leaves a child is no part of programs without races: a parallel run does more before it is known.  */
static void generator_leaving(struct program *p) {
  if (p->throws && !p->parallel && generator_one_in(2))
    generator_line(p, "if (CHOOSE(%u) == 0) throw %u;", 2 + generator_below(20), generator_below(9));
  else if (p->jumps && generator_one_in(2))
    generator_line(p, "if (back && CHOOSE(%u) == 0) longjmp(*back, 1);", 5 + generator_below(60));
  else if (p->jumps && generator_one_in(2)) {
    fprintf(p->out, "%*s{ jmp_buf here, *saved = back; back = &here; if (!setjmp(here)) ", 2 * p->indentation, "");
    generator_write_call(p, 0);
    fputs("; back = saved; }\n", p->out);
  } else if (!p->parallel && generator_one_in(3))
    generator_line(p, "if (may_exit && CHOOSE(%u) == 0) exit(%u);", 10 + generator_below(200), generator_below(2));
  else if (!p->loops)
    generator_line(p, "if (CHOOSE(%u) == 0) return t%u;", 2 + generator_below(6), generator_result());
  else
    generator_line(p, "if (CHOOSE(%u) == 0) continue;", 2 + generator_below(6));
}

/* Writes a random statement.  */
static void generator_write_statement(struct program *p) {
  switch (generator_below(25)) {
  case 0:
  case 1:
  case 2:
  case 3:
    generator_call_statement(p);
    break;
  default:
    if (p->parallel && generator_one_in(3))
      generator_contest_statement(p);
    else
      generator_spawn_statement(p, true);
    break;
  case 4:
  case 5:
    if (p->spawns)
      generator_line(p, "cilk_sync;");
    break;
  case 6:
    generator_tie_statement(p);
    break;
  case 7:
  case 8:
    generator_line(p, "t%u = t%u * %u + t%u;", generator_result(), generator_result(), 3 + generator_below(9),
                   generator_result());
    break;
  case 9:
  case 10:
    generator_serial_loop(p);
    break;
  case 11:
  case 12:
    if (p->spawns)
      generator_parallel_loop(p);
    break;
  case 13:
    if (p->spawns)
      generator_scope(p);
    break;
  case 14:
  case 15:
    generator_branches(p);
    break;
  case 16:
    generator_sorting(p);
    break;
  case 17:
    generator_leaving(p);
    break;
  case 20:
    if (p->throws)
      generator_catching(p);
    else
      generator_spawn_statement(p, true);
    break;
  case 19:
    generator_region(p);
    break;
  case 18:
    generator_line(p, "%c%u = %sTWICE(f%u);", p->parallel ? 's' : 't', generator_result(),
                   p->spawns && generator_one_in(2) ? "SPAWN_" : "", generator_below(p->functions));
    break;
  }
}

/* Writes a block of some random statements.  */
void generator_write_statements(struct program *p) {
  generator_line(p, "{");
  p->indentation++;
  do {
    p->statements--;
    generator_write_statement(p);
  } while (p->statements > 0 && p->indentation < 5 && !generator_one_in(4));
  p->indentation--;
  generator_line(p, "}");
}

/* Writes the body of function NUMBER of P: random statements, and before them a return where the recursion is too deep
   or the program has done enough.  */
void generator_write_function_body(struct program *p, unsigned number) {
  p->statements = 2 + (int)generator_below(10);
  p->indentation = 1;
  generator_line(p, "unsigned t0 = x, t1 = %u, t2 = %u;", generator_below(9), number);
  if (p->parallel) {
    generator_line(p, "unsigned s0 = 1, s1 = 2, s2 = 3, state = x * 2654435761u + (unsigned)d * 40503u + %u;", number);
    generator_line(p, "int left = d, given, fuel = d;");
  }
  generator_line(p, "if (d <= 0 || fuel-- <= 0) return x + %u;", number);
  while (p->statements-- > 0)
    generator_write_statement(p);
  generator_line(p, "return t0 + t1 * t2;");
}
