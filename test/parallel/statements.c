/* The statements of a random function without races.
   SPDX-License-Identifier: MIT

   random.h says what they use.  What C leaves open is not asked: in an expression at most one call notes something or
   changes a variable.  */

#include "test/parallel/generate.h"

#define LINE(...) generator_line(&p->program, __VA_ARGS__)

enum { TEXT = 1000 };

/* Returns the number of one of the variables t0, t1, t2.  */
static unsigned generator_parallel_variable(void) {
  return generator_below(3);
}

static void generator_parallel_write_block(struct parallel_program *p);
static void generator_parallel_write_statements(struct parallel_program *p);

static void generator_parallel_write_call(struct parallel_program *p, bool quiet, int nesting, char *call);

/* Puts an argument of a call, which may be a call itself, into ARGUMENT.  */
static void generator_parallel_write_argument(struct parallel_program *p, bool quiet, int nesting, char *argument) {
  if (nesting < 2 && generator_one_in(6))
    generator_parallel_write_call(p, quiet, nesting + 1, argument);
  else if (generator_one_in(3))
    snprintf(argument, TEXT, "CHOOSE(%u)", 2 + generator_below(50));
  else
    snprintf(argument, TEXT, "t%u + %u", generator_parallel_variable(), generator_below(5));
}

/* Puts a call of a leaf or another function into CALL.  Writes a line before it that takes the call's part of the
   fuel.  */
static void generator_parallel_write_call(struct parallel_program *p, bool quiet, int nesting, char *call) {
  char *argument = (char[TEXT]){""}, name[64];
  unsigned part = p->program.variables++;
  generator_parallel_write_argument(p, quiet, nesting, argument);
  LINE("int part%u = PART(%u);", part, 2 + generator_below(6));
  if (generator_one_in(6))
    snprintf(name, sizeof name, "p%u_leaf%u", p->number, generator_below(p->program.leaves));
  else
    snprintf(name, sizeof name, "p%u_%c%u", p->number, quiet ? 'q' : 'f', generator_below(p->program.functions));
  switch (p->cplusplus ? generator_below(8) : 7) {
  case 0:
    snprintf(call, TEXT, "test_parallel_with_item(%s, part%u, item(%s))", name, part, argument);
    break;
  case 1:
    snprintf(call, TEXT, "test_parallel_with_text(%s, part%u, std::string((%s) %% 40, 'x'))", name, part, argument);
    break;
  case 2:
    snprintf(call, TEXT, "[=](unsigned y) { return %s(part%u, y); }(%s)", name, part, argument);
    break;
  case 3:
    snprintf(call, TEXT, "test_parallel_with_item(%s, part%u, t1 & 1 ? item(%s) : item(t2))", name, part, argument);
    break;
  default:
    snprintf(call, TEXT, "%s(part%u, %s)", name, part, argument);
  }
}

/* Writes a statement with a call.  */
static void generator_parallel_call_statement(struct parallel_program *p) {
  char call[TEXT] = "";
  LINE("{");
  generator_parallel_write_call(p, p->quiet, 0, call);
  LINE("t%u %c= %s;\n}", generator_parallel_variable(), "+^"[generator_below(2)], call);
}

/* Writes a statement that spawns a call, with a place of its own for the result, or without a result.  */
static void generator_parallel_spawn_statement(struct parallel_program *p) {
  static const char *const stores[] = {"results[used++] = ", "results[used++] ^= ", "*to = ", ""};
  char call[TEXT] = "";
  unsigned store = generator_below(4);
  LINE("{");
  LINE("NEED_PLACE();");
  generator_parallel_write_call(p, p->quiet, 0, call);
  if (store == 1)
    LINE("results[used] = %u;", generator_below(100));
  if (store == 2)
    LINE("unsigned *to = &results[used++];");
  LINE("%scilk_spawn %s;\n}", stores[store], call);
}

/* Writes a note of what happens here into a reducer, or in a quiet function perhaps a throw.  */
static void generator_parallel_note_statement(struct parallel_program *p) {
  if (!p->quiet)
    LINE("%s(t%u + %u);", generator_one_in(3) ? "NOTE_OLDER" : "NOTE", generator_parallel_variable(),
         generator_below(9));
  else if (generator_one_in(2))
    LINE("if (CHOOSE(%u) == 0) throw t%u + %u;", 3 + generator_below(9), generator_parallel_variable(),
         generator_below(1000));
}

/* Writes a grainsize pragma, or none.  */
static void generator_parallel_grain_pragma(struct parallel_program *p) {
  if (generator_one_in(3))
    LINE("#pragma cilk grainsize = %u", 1 + generator_below(generator_one_in(2) ? 4 : 20));
}

/* Writes the head of a cilk_for of n iterations, and puts an expression for the number of the iteration into SLOT.  */
static void generator_parallel_write_head_of_loop(struct parallel_program *p, unsigned i, char *slot) {
  generator_parallel_grain_pragma(p);
  switch (generator_below(6)) {
  default:
    LINE("cilk_for (int i%u = 0; i%u < n%u; i%u++)", i, i, i, i);
    snprintf(slot, TEXT, "i%u", i);
    break;
  case 0:
    LINE("cilk_for (long i%u = n%u; i%u > 0; --i%u)", i, i, i, i);
    snprintf(slot, TEXT, "(n%u - i%u)", i, i);
    break;
  case 1:
    LINE("cilk_for (unsigned i%u = 3; i%u < 3 + 2 * (unsigned)n%u; i%u += 2)", i, i, i, i);
    snprintf(slot, TEXT, "((i%u - 3) / 2)", i);
    break;
  case 2:
    LINE("cilk_for (unsigned *i%u = out%u; i%u != out%u + n%u; ++i%u)", i, i, i, i, i, i);
    snprintf(slot, TEXT, "(i%u - out%u)", i, i);
    break;
  }
}

/* Writes a cilk_for whose iterations store into places of their own.  */
static void generator_parallel_parallel_loop(struct parallel_program *p) {
  unsigned i = p->program.variables++;
  char slot[TEXT] = "";
  const char *leave = p->leave;
  p->leave = "continue";
  LINE("{");
  LINE("unsigned out%u[24] = {0}, seed%u = CHOOSE(1000);", i, i);
  LINE("int n%u = (int)CHOOSE(%u), share%u = PART(2) / (n%u + 1);", i, 2 + generator_below(23), i, i);
  generator_parallel_write_head_of_loop(p, i, slot);
  LINE("{");
  LINE("REGION(seed%u + 7919 * (unsigned)%s, share%u);", i, slot, i);
  generator_parallel_write_statements(p);
  LINE("SYNC();");
  LINE("out%u[%s] = t0 + t1 * t2;\n}", i, slot);
  LINE("for (int k = 0; k < n%u; k++) t1 = t1 * 7 + out%u[k];\n}", i, i);
  p->leave = leave;
}

/* Writes a cilk_for that adds to a reducer of its own and to those of the program.  */
static void generator_parallel_reducing_loop(struct parallel_program *p) {
  unsigned i = p->program.variables++;
  char slot[TEXT] = "";
  LINE("{");
  LINE("struct order cilk_reducer(test_parallel_no_order, compose) own%u = {1, 0};", i);
  LINE("unsigned out%u[%u];", i, 301);
  LINE("int n%u = (int)CHOOSE(%u);", i, generator_one_in(2) ? 20 : 300);
  generator_parallel_write_head_of_loop(p, i, slot);
  LINE("{");
  LINE("note(&own%u, (unsigned)%s);", i, slot);
  LINE("out%u[%s] = 5 * (unsigned)%s;", i, slot, slot);
  if (!p->quiet)
    LINE("%s((unsigned)%s);", generator_one_in(2) ? "NOTE" : "NOTE_OLDER", slot);
  LINE("}");
  LINE("for (int k = 0; k < n%u; k++) t1 = t1 * 7 + out%u[k];", i, i);
  LINE("t%u += own%u.b;\n}", generator_parallel_variable(), i);
}

/* Writes a block with children that store into its own variables, one of them a spawned block or one that returns an
   object.  The block is left only after a sync.  */
static void generator_parallel_fork_and_join(struct parallel_program *p) {
  unsigned i = p->program.variables++;
  char call[TEXT] = "";
  const char *leave = p->leave;
  bool object = p->cplusplus && generator_one_in(2);
  p->leave = NULL;
  LINE("{");
  LINE("unsigned a%u = 1, seed%u = CHOOSE(1000);\nint share%u = PART(3);", i, i, i);
  if (generator_one_in(2)) {
    LINE("cilk_spawn {");
    LINE("REGION(seed%u, share%u);", i, i);
    generator_parallel_write_statements(p);
    LINE("SYNC();");
    LINE("a%u = t0 + t1 * t2;\n}", i);
  }
  generator_parallel_write_call(p, p->quiet, 0, call);
  if (object)
    LINE("item b%u = cilk_spawn test_parallel_item_of(p%u_f0, share%u, %s);", i, p->number, i, call);
  else
    LINE("unsigned b%u = cilk_spawn %s;", i, call);
  generator_parallel_write_statements(p);
  LINE("SYNC();");
  LINE("t%u += a%u * 3 + b%u%s;\n}", generator_parallel_variable(), i, i, object ? ".get()" : "");
  p->leave = leave;
}

/* Writes a try block with children, of whose exceptions the serially first one must be caught.  Children that are
   already under way and may throw are waited for before it.  */
static void generator_parallel_try_statement(struct parallel_program *p) {
  unsigned i = p->program.variables++, calls = 2 + generator_below(3);
  if (p->quiet)
    LINE("SYNC();");
  LINE("{");
  LINE("unsigned out%u[4][7] = {{0}}, x%u = CHOOSE(100);", i, i);
  LINE("int share%u = PART(2) / %u;", i, calls);
  LINE("try {");
  for (unsigned k = 0; k < calls; k++)
    if (generator_one_in(4))
      LINE("cilk_for (int k = 0; k < 7; k++) out%u[%u][k] = p%u_q%u(share%u / 7, x%u + %u * k);", i, k, p->number,
           generator_below(p->program.functions), i, i, 1 + k);
    else
      LINE("out%u[%u][0] = %sp%u_q%u(share%u, x%u + %u);", i, k, generator_one_in(4) || k > 2 ? "" : "cilk_spawn ",
           p->number, generator_below(p->program.functions), i, i, k);
  LINE("cilk_sync;");
  LINE("for (int k = 0; k < 28; k++) t0 = t0 * 5 + out%u[k / 7][k %% 7];", i);
  LINE("} catch (unsigned thrown) {");
  LINE("t1 = t1 * 7 + thrown;\n}\n}");
}

/* Writes a serial loop.  */
static void generator_parallel_serial_loop(struct parallel_program *p) {
  unsigned i = p->program.variables++;
  LINE("for (int i%u = 0, n = (int)CHOOSE(%u); i%u < n && fuel > 0; i%u++)", i, 2 + generator_below(20), i, i);
  if (generator_one_in(2))
    generator_parallel_spawn_statement(p);
  else
    generator_parallel_write_block(p);
}

/* Writes a cilk_scope.  */
static void generator_parallel_scope(struct parallel_program *p) {
  LINE("{");
  LINE("unsigned results[PLACES], used = 0;");
  LINE("cilk_scope");
  generator_parallel_write_block(p);
  LINE("FOLD();\n}");
}

/* Writes an if or a switch.  */
static void generator_parallel_branches(struct parallel_program *p) {
  if (generator_one_in(3)) {
    LINE("switch (CHOOSE(4)) {");
    for (unsigned i = 0; i < 3; i++) {
      LINE("case %u:", i);
      generator_parallel_write_block(p);
      LINE(generator_one_in(2) ? "break;" : "/* fall through */");
    }
    LINE("default:;\n}");
    return;
  }
  LINE("if (CHOOSE(%u))", 1 + generator_below(4));
  generator_parallel_write_block(p);
  if (generator_one_in(2)) {
    LINE("else");
    generator_parallel_write_block(p);
  }
}

/* Writes a random statement.  */
static void generator_parallel_write_statement(struct parallel_program *p) {
  switch (generator_below(24)) {
  default:
    generator_parallel_spawn_statement(p);
    break;
  case 0:
  case 1:
  case 2:
  case 3:
    generator_parallel_note_statement(p);
    break;
  case 4:
  case 5:
    LINE("SYNC();");
    break;
  case 6:
  case 7:
    generator_parallel_call_statement(p);
    break;
  case 8:
    LINE("t%u = t%u * %u + t%u;", generator_parallel_variable(), generator_parallel_variable(), 3 + generator_below(9),
         generator_parallel_variable());
    break;
  case 9:
  case 10:
    generator_parallel_serial_loop(p);
    break;
  case 11:
  case 12:
    generator_parallel_parallel_loop(p);
    break;
  case 13:
    generator_parallel_reducing_loop(p);
    break;
  case 14:
    generator_parallel_scope(p);
    break;
  case 15:
    generator_parallel_branches(p);
    break;
  case 16:
  case 17:
    if (!p->quiet)
      generator_parallel_fork_and_join(p);
    break;
  case 18:
    if (p->leave)
      LINE("if (CHOOSE(%u) == 0) %s;", 2 + generator_below(6), p->leave);
    break;
  case 19:
    if (p->cplusplus)
      generator_parallel_try_statement(p);
    break;
  }
}

/* Writes some random statements.  */
static void generator_parallel_write_statements(struct parallel_program *p) {
  p->program.indentation++;
  do {
    p->program.statements--;
    generator_parallel_write_statement(p);
  } while (p->program.statements > 0 && p->program.indentation < 5 && !generator_one_in(4));
  p->program.indentation--;
}

/* Writes a block of some random statements.  */
static void generator_parallel_write_block(struct parallel_program *p) {
  LINE("{");
  generator_parallel_write_statements(p);
  LINE("}");
}

/* Writes the body of the function of P whose number is FUNCTION: at least a few statements, and a return.  */
void generator_parallel_write_parallel_body(struct parallel_program *p, unsigned function) {
  p->program.statements = 3 + (int)generator_below(8);
  p->program.indentation = 1;
  p->leave = generator_one_in(2) ? "return t0" : "return t2 + t1";
  LINE("REGION(x * 2654435761u + %u, share);", function);
  LINE("if (fuel <= 0) return x + %u;", function);
  while (p->program.statements-- > 0)
    generator_parallel_write_statement(p);
  if (generator_one_in(2)) /* otherwise children are under way at the end */
    LINE("SYNC();");
  LINE("return t0 + t1 * t2;");
  p->program.indentation = 0;
}
