/* A random Cilk program from a seed.
   SPDX-License-Identifier: MIT

     generate SEED FOLDER [c++] [parallel]

   Writes a.c and perhaps b.c to the folder, and to standard output the options to compile them with.  The program
   takes a number, from which it decides all else, and ends soon: after some thousand calls.  With `c++' it has
   exceptions, destructors and regions that are as long as a variable lives.  With `parallel' it has no races: each
   invocation decides from its own arguments, and its first one is the number of calls that it may still make, of
   which it gives shares to those that it calls.  */

#include <stdlib.h>
#include <string.h>

#include "test/oracle/generate.h"

static const char head[] = "#include <setjmp.h>\n"
                           "#include <stdio.h>\n"
                           "#include <stdlib.h>\n"
                           "#include <cilk/cilk.h>\n"
                           "#include <cilkprof.h>\n"
                           "#include \"library.h\"\n"
                           "extern unsigned state, array[256];\n"
                           "extern int fuel, may_exit, grain;\n"
                           "extern jmp_buf *back;\n"
                           "extern function *const table[];\n"
                           "extern unsigned (*const library[])(unsigned);\n"
                           "#define CHOOSE(n) (((state = state * 1664525u + 1013904223u) >> 8) % (n))\n"
                           "#define TRIPS(n) (fuel > (int)(n) ? (fuel -= (int)(n) / 2, (int)CHOOSE((n) + 1)) : 1)\n"
                           "#define TWICE(f) f(DOWN(1), 1) + f(DOWN(2), 2)\n"
                           "#define SPAWN_TWICE(f) cilk_spawn f(DOWN(1), 1); cilk_spawn f(DOWN(1), 3)\n";

/* How many levels, or calls, what is called may have.  */
static const char down[] = "#define DOWN(n) d - n\n",
                  share[] = "#define DOWN(n) (given = state & 512 ? left / 4 : left - left / 4 - n, left -= given + 1, "
                            "given)\n";

/* Writes functions without recursion, some of equal cost, and a table of them.  UNIT makes names unique.  */
static void generator_write_leaves(struct program *p, const char *unit) {
  for (unsigned i = 0; i < p->leaves; i++) {
    fprintf(p->out, "static %sunsigned leaf%u(unsigned x) {\n", i % 2 ? "__attribute__((noinline)) " : "", i);
    if (i % 3 == 0)
      fputs("  for (unsigned i = 0; i < x % 8; i++) array[i] += x;\n", p->out);
    fprintf(p->out, "  return x * %u + %u;\n}\n", 3 + i, i % 2);
  }
  for (unsigned i = 0; p->parallel && i < GENERATOR_STEPS; i++) {
    fprintf(p->out, "static __attribute__((noinline, unused)) unsigned step%u(unsigned x) {\n  __asm__ volatile(\"nop",
            i);
    for (unsigned j = 0; j < 60 + i; j++) /* each counts as one instruction, at all levels of optimisation */
      fputs("\\nnop", p->out);
    fputs("\");\n  return x;\n}\n", p->out);
  }
  fputs(p->parallel ? "static unsigned (*const steps[])(unsigned) = {" : "", p->out);
  for (unsigned i = 0; p->parallel && i < GENERATOR_STEPS; i++)
    fprintf(p->out, "step%u, ", i);
  fputs(p->parallel ? "};\n" : "", p->out);
  fputs("static unsigned (*const leaves[])(unsigned) = {", p->out);
  for (unsigned i = 0; i < p->leaves; i++)
    fprintf(p->out, "leaf%u, ", i);
  fputs("};\n", p->out);
  for (unsigned i = 0; i < 2; i++)
    fprintf(p->out, "static inline __attribute__((always_inline)) unsigned quick%u(unsigned x) { return %s; }\n", i,
            i ? "leaf1(x) + leaf0(x + 2) * 2" : "x * 7 + 1");
  for (unsigned i = 0; i < 2; i++)
    fprintf(p->out,
            "static int order%u(const void *a, const void *b) {\n"
            "  unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;\n"
            "  %s\n"
            "  return (x > y) - (x < y);\n}\n",
            i,
            !i            ? ""
            : p->parallel ? "if (x > 500) leaf1(x);"
                          : "if (fuel-- > 0) leaf1(x);");
  if (p->throws)
    fputs("struct guard { unsigned n; ~guard() { leaf1(n); } };\n", p->out);
  fprintf(p->out,
          "__attribute__((used)) static unsigned unused_in_%s(void) {\n"
          "  return leaf0(1) + quick0(2) + quick1(3) + (unsigned)(order0 == order1) + leaves[0](4);\n}\n",
          unit);
}

/* Writes every STEP-th function of the program, from number FROM on.  */
static void generator_write_functions(struct program *p, unsigned from, unsigned step) {
  for (unsigned i = from; i < p->functions; i += step) {
    static const char *const attributes[] = {"", "__attribute__((noinline)) ", "", "__attribute__((noclone)) "};
    fprintf(p->out, "\n%sunsigned f%u(int d, unsigned x) {\n", attributes[generator_below(4)], i);
    generator_write_function_body(p, i);
    fputs("}\n", p->out);
  }
}

/* Writes prototypes of all functions; some are static if ALL_HERE, in this unit.  */
static void generator_write_prototypes(struct program *p, bool all_here) {
  for (unsigned i = 0; i < p->functions; i++)
    fprintf(p->out, "%sfunction f%u;\n", all_here && i % 3 != 1 ? "static " : "", i);
}

/* Writes the global variables and main, with what runs before it and after it.  */
static void generator_write_main(struct program *p) {
  fputs("\nunsigned state, array[256];\nint fuel, may_exit, grain;\njmp_buf *back;\n", p->out);
  fputs("unsigned (*const library[])(unsigned) = {idle, leaf1};\n", p->out);
  fputs("function *const table[] = {", p->out);
  for (unsigned i = 0; i < p->functions; i++)
    fprintf(p->out, "%sf%u", i ? ", " : "", i);
  fputs("};\n", p->out);
  fprintf(p->out, "static void safely(int d, unsigned x) { %sf0(d, x); %s}\n", p->throws ? "try { " : "",
          p->throws ? "} catch (int) { leaf0(x); } " : "");
  if (generator_one_in(3))
    fputs("__attribute__((constructor)) static void before(void) { leaf1(2); fuel = 5; safely(2, 1); }\n", p->out);
  if (generator_one_in(3))
    fputs("__attribute__((destructor)) static void after(void) { leaf0(3); }\n", p->out);
  fputs("static void at_exit(void) { fuel = 20; safely(3, 7); }\n"
        "int main(int argc, char *argv[]) {\n"
        "  static const int fuels[] = {30, 200, 1000, 3000};\n"
        "  state = (unsigned)atoi(argv[argc - 1]) * 2654435761u + 12345;\n"
        "  fuel = fuels[CHOOSE(4)];\n"
        "  may_exit = CHOOSE(3) == 0;\n"
        "  grain = 1 + (int)CHOOSE(9);\n"
        "  if (CHOOSE(3) == 0) atexit(at_exit);\n"
        "  unsigned sum = 0;\n",
        p->out);
  if (p->parallel)
    generator_write_contests_of_main(p);
  fputs(p->parallel ? "  int d = fuel;\n" : "  int d = 3 + (int)CHOOSE(12);\n", p->out);
  fputs(p->throws ? "  try {\n" : "", p->out);
  fprintf(p->out, "  sum += f0(d, 1);\n  %s%sf%u(d, 2);\n  sum += f%u(d, sum);\n",
          p->parallel ? "" : "sum += ", p->spawns ? "cilk_spawn " : "", generator_below(p->functions),
          generator_below(p->functions));
  fputs(p->throws ? "  } catch (int thrown) { sum += (unsigned)thrown; }\n" : "", p->out);
  fputs("  printf(\"%u\\n\", sum);\n  return 0;\n}\n", p->out);
}

/* Begins the source file NAME in FOLDER.  */
static void generator_open_unit(struct program *p, const char *folder, const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  p->out = fopen(path, "w");
  if (!p->out) {
    perror(path);
    exit(2);
  }
  fputs(head, p->out);
  fputs(p->parallel ? share : down, p->out);
}

/* Ends the source file.  */
static void generator_close_unit(struct program *p) {
  if (fclose(p->out) != 0) {
    perror("generate");
    exit(2);
  }
}

/* Writes a random program, by the seed that is the first argument, to files in the folder that is the second, and
   prints the options to compile it with.  With `c++' it is one in C++, with `parallel' it has no races.  Returns 2
   if used wrongly.  */
int main(int argc, char *argv[]) {
  bool parallel = argc > 3 && !strcmp(argv[argc - 1], "parallel");
  if (argc - parallel != 3 && argc - parallel != 4) {
    fputs("usage: generate SEED FOLDER [c++] [parallel]\n", stderr);
    return 2;
  }
  generator_begin_numbers(strtoull(argv[1], NULL, 10));
  static const char *const levels[] = {"-O0", "-O1", "-O2", "-O3", "-Os", "-O2 -fno-inline", "-O3 -funroll-loops"};
  struct program p = {.functions = 2 + generator_below(6),
                      .leaves = 3 + generator_below(3),
                      .jumps = generator_one_in(4),
                      .spawns = !generator_one_in(20)};
  bool two_units = generator_one_in(3);
  p.parallel = parallel;
  p.throws = argc - parallel == 4;
  p.jumps &= !p.throws && !parallel;
  puts(levels[generator_below(sizeof levels / sizeof *levels)]);
  generator_open_unit(&p, argv[2], "a.c");
  generator_write_prototypes(&p, !two_units);
  generator_write_leaves(&p, "a");
  generator_write_main(&p);
  generator_write_functions(&p, 0, two_units ? 2 : 1);
  generator_close_unit(&p);
  if (two_units) {
    generator_open_unit(&p, argv[2], "b.c");
    generator_write_prototypes(&p, false);
    generator_write_leaves(&p, "b");
    generator_write_functions(&p, 1, 2);
    generator_close_unit(&p);
  }
  return 0;
}
