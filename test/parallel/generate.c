/* Random Cilk programs that have no races, from their numbers.
   SPDX-License-Identifier: MIT

     generate FIRST LAST c|c++

   Writes programs FIRST to LAST to standard output, as one source.  That takes two seeds, FIRST * 8 to LAST * 8 + 7:
   a seed is a program and the number that it is run with.  */

#include <stdlib.h>
#include <string.h>

#include "test/parallel/generate.h"

static void write_leaves(struct parallel_program *p) {
  static const char *const attributes[] = {"", "__attribute__((noinline)) ", "inline "};
  for (unsigned i = 0; i < p->program.leaves; i++)
    line(&p->program, "static %sunsigned p%u_leaf%u(int fuel, unsigned x) { return x * %u + (unsigned)fuel; }",
         attributes[below(3)], p->number, i, 3 + i);
}

static void write_functions(struct parallel_program *p, bool quiet) {
  static const char *const attributes[] = {"", "__attribute__((noinline)) ", "", "__attribute__((noclone)) "};
  p->quiet = quiet;
  for (unsigned i = 0; i < p->program.functions; i++) {
    line(&p->program, "\nstatic %sunsigned p%u_%c%u(int share, unsigned x) {", attributes[below(4)], p->number,
         quiet ? 'q' : 'f', i);
    write_parallel_body(p, i);
    line(&p->program, "}");
  }
}

static void write_prototypes(struct parallel_program *p) {
  for (unsigned i = 0; i < p->program.functions; i++)
    line(&p->program, "static function p%u_f%u%s;", p->number, i, "");
  for (unsigned i = 0; i < p->program.functions && p->cplusplus; i++)
    line(&p->program, "static function p%u_q%u;", p->number, i);
}

static void write_program(struct parallel_program *p) {
  begin_numbers(p->number);
  p->program.functions = 2 + below(5);
  p->program.leaves = 2 + below(3);
  write_prototypes(p);
  write_leaves(p);
  if (p->cplusplus)
    write_functions(p, true);
  write_functions(p, false);
  static const unsigned fuels[] = {20, 60, 150, 400};
  line(&p->program, "\nstatic unsigned p%u(unsigned x) {", p->number);
  line(&p->program, "  unsigned a = cilk_spawn p%u_f0(%u, x), b = p%u_f1(%u, x + 1);", p->number, fuels[below(4)],
       p->number, fuels[below(4)]);
  line(&p->program, "  cilk_sync;\n  return a * 31 + b;\n}");
}

int main(int argc, char *argv[]) {
  if (argc != 4) {
    fputs("usage: generate FIRST LAST c|c++\n", stderr);
    return 2;
  }
  unsigned first = (unsigned)atoi(argv[1]), last = (unsigned)atoi(argv[2]);
  struct parallel_program p = {.program = {.out = stdout, .spawns = true}, .cplusplus = !strcmp(argv[3], "c++")};
  puts("#include \"test/parallel/random.h\"\n");
  for (p.number = first; p.number <= last; p.number++)
    write_program(&p);
  puts("static unsigned (*const programs[])(unsigned) = {");
  for (unsigned i = first; i <= last; i++)
    printf("  p%u,\n", i);
  printf("};\n\nint main(int argc, char *argv[]) { return run_programs(programs, %u, argc, argv); }\n", first);
  return fclose(stdout) ? 2 : 0;
}
