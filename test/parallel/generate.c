/* Random Cilk programs that have no races, from their numbers.
   SPDX-License-Identifier: MIT

     generate FIRST LAST c|c++

   Writes programs FIRST to LAST to standard output, as one source.  That takes two seeds, FIRST * 8 to LAST * 8 + 7:
   a seed is a program and the number that it is run with.  */

#include <stdlib.h>
#include <string.h>

#include "test/parallel/generate.h"

/* Writes functions that call nothing.  */
static void generator_parallel_write_leaves(struct parallel_program *p) {
  static const char *const attributes[] = {"", "__attribute__((noinline)) ", "inline "};
  for (unsigned i = 0; i < p->program.leaves; i++)
    generator_line(&p->program,
                   "static %sunsigned p%u_leaf%u(int fuel, unsigned x) { return x * %u + (unsigned)fuel; }",
                   attributes[generator_below(3)], p->number, i, 3 + i);
}

/* Writes the functions f, or q if QUIET.  */
static void generator_parallel_write_functions(struct parallel_program *p, bool quiet) {
  static const char *const attributes[] = {"", "__attribute__((noinline)) ", "", "__attribute__((noclone)) "};
  p->quiet = quiet;
  for (unsigned i = 0; i < p->program.functions; i++) {
    generator_line(&p->program, "\nstatic %sunsigned p%u_%c%u(int share, unsigned x) {", attributes[generator_below(4)],
                   p->number, quiet ? 'q' : 'f', i);
    generator_parallel_write_parallel_body(p, i);
    generator_line(&p->program, "}");
  }
}

/* Writes prototypes of all functions of the program.  */
static void generator_parallel_write_prototypes(struct parallel_program *p) {
  for (unsigned i = 0; i < p->program.functions; i++)
    generator_line(&p->program, "static function p%u_f%u%s;", p->number, i, "");
  for (unsigned i = 0; i < p->program.functions && p->cplusplus; i++)
    generator_line(&p->program, "static function p%u_q%u;", p->number, i);
}

/* Writes one program, with all functions and the one that runs it.  */
static void generator_parallel_write_program(struct parallel_program *p) {
  generator_begin_numbers(p->number);
  p->program.functions = 2 + generator_below(5);
  p->program.leaves = 2 + generator_below(3);
  generator_parallel_write_prototypes(p);
  generator_parallel_write_leaves(p);
  if (p->cplusplus)
    generator_parallel_write_functions(p, true);
  generator_parallel_write_functions(p, false);
  static const unsigned fuels[] = {20, 60, 150, 400};
  generator_line(&p->program, "\nstatic unsigned p%u(unsigned x) {", p->number);
  generator_line(&p->program, "  unsigned a = cilk_spawn p%u_f0(%u, x), b = p%u_f1(%u, x + 1);", p->number,
                 fuels[generator_below(4)], p->number, fuels[generator_below(4)]);
  generator_line(&p->program, "  cilk_sync;\n  return a * 31 + b;\n}");
}

/* Writes the programs and a main that runs them.  Returns 2 if the usage is wrong or the output cannot be written.  */
int main(int argc, char *argv[]) {
  if (argc != 4) {
    fputs("usage: generate FIRST LAST c|c++\n", stderr);
    return 2;
  }
  unsigned first = (unsigned)atoi(argv[1]), last = (unsigned)atoi(argv[2]);
  struct parallel_program p = {.program = {.out = stdout, .spawns = true}, .cplusplus = !strcmp(argv[3], "c++")};
  puts("#include \"test/parallel/random.h\"\n");
  for (p.number = first; p.number <= last; p.number++)
    generator_parallel_write_program(&p);
  puts("static unsigned (*const programs[])(unsigned) = {");
  for (unsigned i = first; i <= last; i++)
    printf("  p%u,\n", i);
  printf("};\n\nint main(int argc, char *argv[]) { return test_parallel_run_programs(programs, %u, argc, argv); }\n",
         first);
  return fclose(stdout) ? 2 : 0;
}
