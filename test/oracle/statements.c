/* The statements of a random function.
   SPDX-License-Identifier: MIT

   Every function takes a depth, which falls with every call, and a number.  The global `fuel' falls with every call and
   with every iteration, so that every program ends soon.  CHOOSE decides while the program runs, from its argument.  */

#include "test/oracle/generate.h"

static unsigned result(void) {
  return below(3);
}

static void write_call(struct program *p, int nesting);

/* An argument may be a call: it is evaluated before, whether the call is spawned or not.  */
static void write_argument(struct program *p, int nesting) {
  if (nesting < 2 && one_in(8))
    write_call(p, nesting + 1);
  else if (one_in(2))
    fprintf(p->out, "t%u + %u", result(), below(5));
  else
    fprintf(p->out, "%u", below(9));
}

static void write_call(struct program *p, int nesting) {
  FILE *out = p->out;
  switch (below(16)) {
  default:
    fprintf(out, "f%u(d - %u, ", below(p->functions), 1 + below(2));
    break;
  case 0:
  case 1:
  case 2:
    fprintf(out, "leaf%u(", below(p->leaves));
    break;
  case 3:
    fprintf(out, "table[CHOOSE(%u)](d - 1, ", p->functions);
    break;
  case 4:
    fprintf(out, "apply(f%u, d - 1, ", below(p->functions));
    break;
  case 5:
    fprintf(out, "both(f%u, table[CHOOSE(%u)], d - 2, ", below(p->functions), p->functions);
    break;
  case 6:
    fprintf(out, one_in(2) ? "idle(" : "library[CHOOSE(2)](");
    break;
  case 7:
    fprintf(out, "quick%u(", below(2));
    break;
  case 8:
    fprintf(out, "apply(table[CHOOSE(%u)], d - 1, ", p->functions);
    break;
  }
  write_argument(p, nesting);
  putc(')', out);
}

static void call_statement(struct program *p) {
  unsigned calls = one_in(3) ? 2 + below(2) : 1;
  fprintf(p->out, "%*st%u += ", 2 * p->indentation, "", result());
  for (unsigned i = 0; i < calls; i++) {
    if (i)
      fprintf(p->out, " %c ", "+^*"[below(3)]);
    write_call(p, 0);
  }
  fputs(";\n", p->out);
}

static void spawn_statement(struct program *p, bool more) {
  fprintf(p->out, "%*s", 2 * p->indentation, "");
  do {
    switch (below(3)) {
    case 0:
      fprintf(p->out, "t%u = ", result());
      break;
    case 1:
      fprintf(p->out, "t%u ^= ", result());
      break;
    }
    if (p->spawns)
      fputs("cilk_spawn ", p->out);
    write_call(p, 0);
    fputs("; ", p->out);
  } while (more && one_in(3));
  putc('\n', p->out);
}

/* Children and a continuation that are equally long.  */
static void tie_statement(struct program *p) {
  const char *spawn = p->spawns ? "cilk_spawn " : "";
  unsigned leaf = below(p->leaves), other = one_in(2) ? leaf : below(p->leaves);
  line(p, "%sleaf%u(3); %sleaf%u(3); %sleaf%u(3);", spawn, leaf, spawn, other, one_in(2) ? spawn : "", leaf);
  if (one_in(2))
    line(p, "leaf%u(3);", leaf);
}

static void write_block(struct program *p);

static void grain_pragma(struct program *p) {
  if (one_in(3))
    line(p, "#pragma cilk grainsize = %u", 1 + below(one_in(2) ? 4 : 20));
  else if (one_in(6))
    line(p, "#pragma cilk grainsize = grain");
}

/* Not all forms say in advance how often the loop runs.  */
static void write_head_of_loop(struct program *p, unsigned i, const char *count) {
  switch (below(5)) {
  default:
    line(p, "cilk_for (int i%u = 0; i%u < %s; i%u++)", i, i, count, i);
    break;
  case 0:
    line(p, "cilk_for (long i%u = %s; i%u > 0; --i%u)", i, count, i, i);
    break;
  case 1:
    line(p, "cilk_for (unsigned i%u = 3; i%u < 3 + 2 * (unsigned)%s; i%u += 2)", i, i, count, i);
    break;
  case 2:
    line(p, "cilk_for (int i%u = 0; i%u < ({ int limit = %s & 7; limit; }); i%u++)", i, i, count, i);
    break;
  }
}

/* A body that calls leaves only, one after the other.  */
static void write_series(struct program *p, unsigned i) {
  line(p, "{");
  for (unsigned calls = 1 + below(6); calls > 0; calls--)
    if (one_in(4))
      line(p, "  t%u += leaves[CHOOSE(%u)](i%u);", result(), p->leaves, i);
    else
      line(p, "  t%u ^= leaf%u(i%u + %u);", result(), below(p->leaves), i, below(3));
  if (one_in(4)) {
    line(p, "  if (CHOOSE(8) == 0)");
    p->indentation++;
    call_statement(p);
    p->indentation--;
  }
  line(p, "}");
}

static void parallel_loop(struct program *p) {
  unsigned i = p->variables++;
  char count[32];
  if (one_in(3)) { /* nothing tells its iterations apart */
    snprintf(count, sizeof count, "n%u", i);
    line(p, "int n%u = CHOOSE(4) ? CHOOSE(20) : CHOOSE(5000);", i);
    grain_pragma(p);
    write_head_of_loop(p, i, count);
    line(p, "  array[i%u & 255] += %u * (unsigned)i%u;", i, below(9), i);
    return;
  }
  if (one_in(4))
    snprintf(count, sizeof count, "%u", 1 + below(20));
  else {
    snprintf(count, sizeof count, "n%u", i);
    line(p, "int n%u = TRIPS(%u);", i, 1 + below(40));
  }
  grain_pragma(p);
  write_head_of_loop(p, i, count);
  p->loops++;
  if (one_in(4))
    write_series(p, i);
  else
    write_block(p);
  p->loops--;
}

static void serial_loop(struct program *p) {
  unsigned i = p->variables++;
  switch (below(5)) {
  case 3:
    line(p, "for (unsigned i%u = 0, n = (unsigned)TRIPS(%u); i%u < n; i%u++)", i, 1 + below(40), i, i);
    write_series(p, i);
    break;
  case 0: /* children of many iterations, joined much later */
    line(p, "for (int i%u = 0, n = TRIPS(%u); i%u < n; i%u++)", i, 1 + below(60), i, i);
    fputs("  ", p->out);
    spawn_statement(p, false);
    break;
  case 1:
    line(p, "for (unsigned i%u = 0; i%u < %u + CHOOSE(%u); i%u++)", i, i, below(5), 1 + below(30), i);
    line(p, "  t%u = t%u * 5 + i%u;", result(), result(), i);
    break;
  case 2:
    line(p, "while (CHOOSE(%u) && fuel-- > 0)", 1 + below(5));
    write_block(p);
    break;
  default:
    line(p, "for (int i%u = 0, n = TRIPS(%u); i%u < n; i%u++)", i, 1 + below(10), i, i);
    write_block(p);
  }
}

static void branches(struct program *p) {
  if (one_in(3)) {
    line(p, "switch (CHOOSE(4)) {");
    for (unsigned i = 0; i < 3; i++) {
      line(p, "case %u:", i);
      write_block(p);
      if (one_in(2))
        line(p, "break;");
      else
        line(p, "/* fall through */");
    }
    line(p, "default:;\n}");
    return;
  }
  line(p, "if (CHOOSE(%u))", 1 + below(4));
  write_block(p);
  if (one_in(2)) {
    line(p, "else");
    write_block(p);
  }
}

static void sorting(struct program *p) {
  unsigned i = p->variables++;
  line(p, "unsigned v%u[12], n%u = TRIPS(12);", i, i);
  line(p, "for (unsigned i = 0; i < n%u; i++) v%u[i] = CHOOSE(1000);", i, i);
  line(p, "%sqsort(v%u, n%u, sizeof *v%u, order%u);", p->spawns && one_in(4) ? "cilk_spawn " : "", i, i, i, below(2));
}

static void scope(struct program *p) {
  line(p, "cilk_scope");
  write_block(p);
}

/* Labels are the same in all functions: regions nest.  Ways out of the block leave it open.  */
static void region(struct program *p) {
  unsigned label = below(4);
  if (p->throws && one_in(2)) {
    line(p, "{ cilkprof::region here(\"region %u\");", label);
    write_block(p);
    line(p, "}");
    return;
  }
  line(p, "cilkprof_start(\"region %u\");", label);
  write_block(p);
  line(p, "cilkprof_stop(\"region %u\");", label);
}

/* Where exceptions end, and what they pass.  */
static void catching(struct program *p) {
  if (one_in(3)) {
    line(p, "guard g%u = {%u};", p->variables++, below(4));
    return;
  }
  line(p, "try");
  write_block(p);
  line(p, "catch (int thrown)");
  write_block(p);
}

/* Ways out of the function.  */
static void leaving(struct program *p) {
  if (p->throws && one_in(2))
    line(p, "if (CHOOSE(%u) == 0) throw %u;", 2 + below(20), below(9));
  else if (p->jumps && one_in(2))
    line(p, "if (back && CHOOSE(%u) == 0) longjmp(*back, 1);", 5 + below(60));
  else if (p->jumps && one_in(2)) {
    fprintf(p->out, "%*s{ jmp_buf here, *saved = back; back = &here; if (!setjmp(here)) ", 2 * p->indentation, "");
    write_call(p, 0);
    fputs("; back = saved; }\n", p->out);
  } else if (one_in(3))
    line(p, "if (may_exit && CHOOSE(%u) == 0) exit(%u);", 10 + below(200), below(2));
  else if (!p->loops)
    line(p, "if (CHOOSE(%u) == 0) return t%u;", 2 + below(6), result());
  else
    line(p, "if (CHOOSE(%u) == 0) continue;", 2 + below(6));
}

static void write_statement(struct program *p) {
  switch (below(25)) {
  case 0:
  case 1:
  case 2:
  case 3:
    call_statement(p);
    break;
  default:
    spawn_statement(p, true);
    break;
  case 4:
  case 5:
    if (p->spawns)
      line(p, "cilk_sync;");
    break;
  case 6:
    tie_statement(p);
    break;
  case 7:
  case 8:
    line(p, "t%u = t%u * %u + t%u;", result(), result(), 3 + below(9), result());
    break;
  case 9:
  case 10:
    serial_loop(p);
    break;
  case 11:
  case 12:
    if (p->spawns)
      parallel_loop(p);
    break;
  case 13:
    if (p->spawns)
      scope(p);
    break;
  case 14:
  case 15:
    branches(p);
    break;
  case 16:
    sorting(p);
    break;
  case 17:
    leaving(p);
    break;
  case 20:
    if (p->throws)
      catching(p);
    else
      spawn_statement(p, true);
    break;
  case 19:
    region(p);
    break;
  case 18:
    line(p, "t%u = %sTWICE(f%u);", result(), p->spawns && one_in(2) ? "SPAWN_" : "", below(p->functions));
    break;
  }
}

static void write_block(struct program *p) {
  line(p, "{");
  p->indentation++;
  do {
    p->statements--;
    write_statement(p);
  } while (p->statements > 0 && p->indentation < 5 && !one_in(4));
  p->indentation--;
  line(p, "}");
}

void write_function_body(struct program *p, unsigned number) {
  p->statements = 2 + (int)below(10);
  p->indentation = 1;
  line(p, "unsigned t0 = x, t1 = %u, t2 = %u;", below(9), number);
  line(p, "if (d <= 0 || fuel-- <= 0) return x + %u;", number);
  while (p->statements-- > 0)
    write_statement(p);
  line(p, "return t0 + t1 * t2;");
}
