/* A random OpenMP program from a seed.
   SPDX-License-Identifier: MIT

     generate-openmp SEED FOLDER [teams | turns]

   With "teams" its regions look at thread numbers (openmp-teams.c); with "turns" their threads also divide work while
   they run.  Writes a.c and perhaps b.c to the folder, and
   to standard output the options to compile them with, as generate does.  Tasks touch nothing but what is safe to touch
   in any order; `fuel' falls with every call, task and iteration.  */

#include <stdlib.h>
#include <string.h>

#include "test/oracle/openmp.h"

static bool teams; /* regions look at thread numbers */

static const char head[] = "#include <stdio.h>\n"
                           "#include <stdlib.h>\n"
                           "#include <omp.h>\n"
                           "extern unsigned state, array[256];\n"
                           "extern double real;\n"
                           "extern int fuel;\n"
                           "extern char places[4];\n"
                           "#define CHOOSE(n) (((state = state * 1664525u + 1013904223u) >> 8) % (n))\n"
                           "#define TRIPS(n) (fuel > (int)(n) ? (fuel -= (int)(n) / 2, (int)CHOOSE((n) + 1)) : 1)\n";

/* Writes a call of a leaf or of another function.  */
void generator_call_statement(struct program *p) {
  switch (generator_below(4)) {
  case 0:
    generator_line(p, "array[%u] += leaf%u(%u);", generator_below(256), generator_below(p->leaves), generator_below(9));
    break;
  case 1:
    generator_line(p, "if (fuel-- > 0) leaf%u(CHOOSE(40));", generator_below(p->leaves));
    break;
  default:
    generator_line(p, "if (fuel-- > 0 && d > 0) f%u(d - %u);", generator_below(p->functions), 1 + generator_below(2));
  }
}

/* Puts random depend clauses into TEXT.  */
static void generator_write_uses(char *text, size_t size) {
  static const char *const kinds[] = {"in", "inout", "out", "mutexinoutset"};
  size_t length = 0;
  unsigned count = generator_one_in(2) ? 1 : 2, first = generator_below(4);
  text[0] = 0;
  for (unsigned i = 0; i < count; i++)
    length += (size_t)snprintf(text + length, size - length, " depend(%s: places[%u])",
                               kinds[generator_below(generator_one_in(3) ? 4 : 3)], (first + i) % 4);
}

/* Writes a task that is a single call, with the clauses USES.  */
static void generator_call_task(struct program *p, const char *uses) {
  const char *choice = generator_one_in(4) ? " if(CHOOSE(2))" : generator_one_in(6) ? " final(CHOOSE(2))" : "";
  const char *less = generator_one_in(4) ? "(array[d] & 1 ? 2 : 1)" : generator_one_in(2) ? "1" : "2";
  generator_line(p, "if (fuel > 0 && d > 0)\n#pragma omp task%s%s\nf%u(d - %s);", uses, choice,
                 generator_below(p->functions), less);
}

/* Writes a task: a call, or a block.  */
static void generator_task(struct program *p, struct place place) {
  char uses[128] = "";
  const char *more = generator_one_in(8)    ? " if(CHOOSE(2))"
                     : generator_one_in(12) ? " final(CHOOSE(2))"
                     : generator_one_in(6)  ? " untied"
                                            : "";
  if (generator_one_in(2))
    generator_write_uses(uses, sizeof uses);
  generator_line(p, "fuel--;");
  if (generator_one_in(3)) { /* one call */
    if (generator_one_in(3))
      generator_line(p, "#pragma omp task\narray[%u] = leaf%u(%u);", generator_below(256), generator_below(p->leaves),
                     generator_below(9));
    else
      generator_call_task(p, generator_one_in(4) ? uses : "");
    return;
  }
  generator_line(p, "#pragma omp task%s%s", uses, more);
  generator_write_block(p, (struct place){place.depth + 1, false});
}

/* Puts a random schedule clause, or none, into TEXT.  */
static void generator_schedule(char *text, size_t size) {
  static const char *const kinds[] = {"static", "dynamic", "guided", "auto", "runtime"};
  unsigned kind = generator_below(5);
  text[0] = 0;
  if (generator_one_in(4))
    return;
  if (kind < 3 && generator_one_in(2))
    snprintf(text, size, " schedule(%s, %u)", kinds[kind], 1 + generator_below(7));
  else
    snprintf(text, size, " schedule(%s)", kinds[kind]);
}

/* Writes a statement that an atomic or critical construct may protect and that uses INDEX, the number of an
   iteration.  */
void generator_small_statement(struct program *p, const char *index) {
  unsigned i = generator_below(200), j = generator_below(200);
  switch (generator_below(6)) {
  case 0:
  case 1:
    generator_line(p, "#pragma omp atomic\narray[%u + (%s & 31)] += %u;", i, index, j);
    break;
  case 2:
    generator_line(p, "#pragma omp atomic\nreal += 0.5 * %u;", j);
    break;
  case 3:
    generator_line(p, "#pragma omp critical (small)\nif (array[%u + (%s & 31)] %% 3) array[%u] -= %u;", i, index, j, i);
    break;
  case 4:
    generator_line(p, "#pragma omp critical (small)\narray[%u] = array[%u] * 3 + %s;", i, j, index);
    break;
  default:
    generator_line(p, "array[%u] = array[%u] * 3 + 1;", i, j);
  }
}

/* Writes a loop with the directive PRAGMA and a random body.  */
static void generator_write_loop(struct program *p, const char *pragma, struct place place) {
  unsigned i = p->variables++;
  generator_line(p, "int n%u = TRIPS(%u);", i, 1 + generator_below(30));
  generator_line(p, "#pragma omp %s", pragma);
  generator_line(p, generator_one_in(3) ? "for (int i%u = n%u; i%u > 0; i%u--)" : "for (int i%u = 0; i%u < n%u; i%u++)",
                 i, i, i, i);
  char index[16];
  snprintf(index, sizeof index, "i%u", i);
  if (generator_one_in(6)) /* nothing tells its iterations apart */
    generator_line(p, "  array[i%u & 255] += %u;", i, generator_below(9));
  else if (generator_one_in(4)) {
    generator_line(p, "{");
    generator_small_statement(p, index);
    generator_line(p, "}");
  } else
    generator_write_block(p, (struct place){place.depth + 1, false});
}

/* Writes a loop that the team divides.  */
static void generator_sharing_loop(struct program *p, struct place place) {
  char pragma[128], clause[64];
  generator_schedule(clause, sizeof clause);
  snprintf(pragma, sizeof pragma, "for%s%s", clause, generator_one_in(3) ? " nowait" : "");
  generator_line(p, "{");
  generator_write_loop(p, pragma, place);
  generator_line(p, "}");
}

/* Writes sections that the team divides.  */
static void generator_sections(struct program *p, struct place place) {
  generator_line(p, "#pragma omp sections%s", generator_one_in(3) ? " nowait" : "");
  generator_line(p, "{");
  for (unsigned i = 1 + generator_below(3); i > 0; i--) {
    generator_line(p, "#pragma omp section");
    generator_write_block(p, (struct place){place.depth + 1, false});
  }
  generator_line(p, "}");
}

/* Writes a construct that divides the team, or a barrier.  */
static void generator_sharing_statement(struct program *p, struct place place) {
  switch (generator_below(6)) {
  case 0:
    generator_sections(p, place);
    break;
  case 1:
    generator_line(p, "#pragma omp single%s", generator_one_in(3) ? " nowait" : "");
    generator_write_block(p, (struct place){place.depth + 1, false});
    break;
  case 2:
    generator_line(p, "#pragma omp barrier");
    break;
  case 3:
    generator_line(p, "#pragma omp master");
    generator_write_block(p, (struct place){place.depth + 1, false});
    break;
  default:
    generator_sharing_loop(p, place);
  }
}

/* Writes a parallel region.  */
static void generator_region(struct program *p, struct place place) {
  char pragma[128], clause[64];
  generator_line(p, "fuel -= 2;");
  generator_line(p, "{");
  if (generator_one_in(2)) {
    generator_schedule(clause, sizeof clause);
    snprintf(pragma, sizeof pragma, "parallel for%s%s", clause, generator_one_in(8) ? " if(CHOOSE(2))" : "");
    generator_write_loop(p, pragma, place);
  } else {
    generator_line(p, "#pragma omp parallel%s", generator_one_in(8) ? " num_threads(1 + CHOOSE(2))" : "");
    generator_write_block(p, (struct place){place.depth + 1, true});
  }
  generator_line(p, "}");
}

/* Writes a taskloop.  */
static void generator_taskloop(struct program *p, struct place place) {
  char pragma[128];
  const char *group = generator_one_in(3) ? " nogroup" : "";
  if (generator_one_in(2))
    snprintf(pragma, sizeof pragma, "taskloop %s(%u)%s", generator_one_in(2) ? "grainsize" : "num_tasks",
             1 + generator_below(6), group);
  else
    snprintf(pragma, sizeof pragma, "taskloop%s", group);
  generator_line(p, "{");
  generator_write_loop(p, pragma, place);
  generator_line(p, "}");
}

/* Writes a random statement that is allowed at PLACE.  */
static void generator_write_statement(struct program *p, struct place place) {
  enum { DEEPEST = 4 };
  bool deep = place.depth >= DEEPEST;
  unsigned choice = generator_below(24);
  if (place.sharing && !deep && generator_one_in(2)) {
    generator_sharing_statement(p, place);
    return;
  }
  if (choice < 5 || deep)
    generator_call_statement(p);
  else if (choice < 13)
    generator_task(p, place);
  else if (choice < 16)
    generator_line(p, "#pragma omp taskwait%s", generator_one_in(6) ? " depend(in: places[1])" : "");
  else if (choice == 16 || choice == 17) {
    generator_line(p, "#pragma omp taskgroup");
    generator_write_block(p, (struct place){place.depth + 1, false});
  } else if (choice == 18)
    generator_taskloop(p, place);
  else if (choice == 19 && generator_one_in(2))
    generator_region(p, place);
  else if (choice == 20) {
    generator_line(p, "#pragma omp critical%s", generator_one_in(2) ? " (one)" : "");
    generator_write_block(p, (struct place){DEEPEST, false});
  } else if (choice == 21) {
    generator_line(p, "if (CHOOSE(3))");
    generator_write_block(p, place.sharing ? (struct place){place.depth + 1, false} : place);
  } else if (choice == 22) {
    unsigned i = p->variables++;
    generator_line(p, "for (int i%u = 0, m = TRIPS(%u); i%u < m; i%u++)", i, 1 + generator_below(20), i, i);
    generator_write_block(p, (struct place){place.depth + 1, false});
  } else
    generator_small_statement(p, "d");
}

/* Writes a block of some random statements that are allowed at PLACE.  */
void generator_write_block(struct program *p, struct place place) {
  generator_line(p, "{");
  p->indentation++;
  for (unsigned i = 1 + generator_below(4); i > 0 && p->statements-- > 0; i--)
    generator_write_statement(p, place);
  p->indentation--;
  generator_line(p, "}");
}

/* Writes every STEP-th function of the program, from number FROM on.  */
static void generator_write_functions(struct program *p, unsigned from, unsigned step) {
  for (unsigned i = from; i < p->functions; i += step) {
    fprintf(p->out, "\n%svoid f%u(int d) {\n  if (d < 0) return;\n",
            generator_one_in(2) ? "__attribute__((noinline)) " : "", i);
    p->statements = 25;
    p->indentation = 1;
    for (unsigned left = 2 + generator_below(5); left > 0; left--)
      generator_write_statement(p, (struct place){1, false});
    fputs("}\n", p->out);
  }
}

/* Writes the global variables and main.  */
static void generator_write_main(struct program *p) {
  fputs("\nunsigned state, array[256];\ndouble real;\nint fuel;\nchar places[4];\n"
        "int main(int argc, char *argv[]) {\n"
        "  static const int fuels[] = {30, 200, 600, 1500};\n"
        "  state = (unsigned)atoi(argv[argc - 1]) * 2654435761u + 12345;\n"
        "  fuel = fuels[CHOOSE(4)];\n"
        "  int d = 2 + (int)CHOOSE(5);\n",
        p->out);
  p->indentation = 1;
  for (unsigned i = 1 + generator_below(3); i > 0; i--) {
    p->statements = 25;
    if (teams)
      generator_team_region(p);
    else if (generator_one_in(2)) {
      generator_line(p, "#pragma omp parallel");
      generator_line(p, "#pragma omp single");
      generator_write_block(p, (struct place){1, false});
    } else
      generator_region(p, (struct place){0, false});
  }
  if (generator_one_in(4))
    generator_line(p, "f0(d);");
  fputs("  printf(\"%u %u\\n\", array[1], state);\n  return 0;\n}\n", p->out);
}

/* Writes the source file NAME in FOLDER, with every STEP-th function from FROM on.  */
static void generator_write_unit(struct program *p, const char *folder, const char *name, unsigned from,
                                 unsigned step) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  p->out = fopen(path, "w");
  if (!p->out) {
    perror(path);
    exit(2);
  }
  fputs(head, p->out);
  for (unsigned i = 0; i < p->functions; i++)
    fprintf(p->out, "void f%u(int d);\n", i);
  for (unsigned i = 0; i < p->leaves; i++)
    fprintf(p->out,
            "__attribute__((noinline, unused)) static unsigned leaf%u(unsigned x) {\n"
            "  for (unsigned i = 0; i < %u + x %% 32; i++) array[i] += x;\n  return x * %u;\n}\n",
            i, 5 * i * i, 3 + i);
  if (teams)
    generator_team_functions(p, from == 0);
  if (from == 0)
    generator_write_main(p);
  generator_write_functions(p, from, step);
  if (fclose(p->out) != 0) {
    perror("generate-openmp");
    exit(2);
  }
}

/* Writes a random program with OpenMP, by the seed that is the first argument, to files in the folder that is the
   second, and prints the options to compile it with.  Returns 2 if used wrongly.  */
int main(int argc, char *argv[]) {
  if (argc != 3 && argc != 4) {
    fputs("usage: generate-openmp SEED FOLDER [teams | turns]\n", stderr);
    return 2;
  }
  teams = argc == 4;
  generator_teams_take_turns(teams && strcmp(argv[3], "turns") == 0);
  generator_begin_numbers(strtoull(argv[1], NULL, 10) + 1000000007);
  static const char *const levels[] = {"-O0", "-O1", "-O2", "-O3", "-Os"};
  struct program p = {.functions = 2 + generator_below(4), .leaves = 3 + generator_below(3)};
  bool two_units = generator_one_in(3);
  printf("%s -fopenmp\n", levels[generator_below(sizeof levels / sizeof *levels)]);
  generator_write_unit(&p, argv[2], "a.c", 0, two_units ? 2 : 1);
  if (two_units)
    generator_write_unit(&p, argv[2], "b.c", 1, 2);
  return 0;
}
