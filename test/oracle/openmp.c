/* A random OpenMP program from a seed.
   SPDX-License-Identifier: MIT

     generate-openmp SEED FOLDER

   Writes a.c and perhaps b.c to the folder, and to standard output the options to compile them with, as generate does.
   Tasks touch nothing but what is safe to touch in any order; `fuel' falls with every call, task and iteration.  */

#include <stdlib.h>
#include <string.h>

#include "test/oracle/generate.h"

static const char head[] = "#include <stdio.h>\n"
                           "#include <stdlib.h>\n"
                           "extern unsigned state, array[256];\n"
                           "extern double real;\n"
                           "extern int fuel;\n"
                           "extern char places[4];\n"
                           "#define CHOOSE(n) (((state = state * 1664525u + 1013904223u) >> 8) % (n))\n"
                           "#define TRIPS(n) (fuel > (int)(n) ? (fuel -= (int)(n) / 2, (int)CHOOSE((n) + 1)) : 1)\n";

/* What may stand where: worksharing constructs not inside of others, nor inside of tasks.  */
struct place {
  int depth;
  bool sharing; /* the team is not divided here yet */
};

static void write_block(struct program *p, struct place place);

static void call_statement(struct program *p) {
  switch (below(4)) {
  case 0:
    line(p, "array[%u] += leaf%u(%u);", below(256), below(p->leaves), below(9));
    break;
  case 1:
    line(p, "if (fuel-- > 0) leaf%u(CHOOSE(40));", below(p->leaves));
    break;
  default:
    line(p, "if (fuel-- > 0 && d > 0) f%u(d - %u);", below(p->functions), 1 + below(2));
  }
}

static void write_uses(char *text, size_t size) {
  static const char *const kinds[] = {"in", "inout", "out", "mutexinoutset"};
  size_t length = 0;
  unsigned count = one_in(2) ? 1 : 2, first = below(4);
  text[0] = 0;
  for (unsigned i = 0; i < count; i++)
    length += (size_t)snprintf(text + length, size - length, " depend(%s: places[%u])", kinds[below(one_in(3) ? 4 : 3)],
                               (first + i) % 4);
}

static void call_task(struct program *p, const char *uses) {
  const char *choice = one_in(4) ? " if(CHOOSE(2))" : one_in(6) ? " final(CHOOSE(2))" : "";
  const char *less = one_in(4) ? "(array[d] & 1 ? 2 : 1)" : one_in(2) ? "1" : "2";
  line(p, "if (fuel > 0 && d > 0)\n#pragma omp task%s%s\nf%u(d - %s);", uses, choice, below(p->functions), less);
}

static void task(struct program *p, struct place place) {
  char uses[128] = "";
  const char *more = one_in(8) ? " if(CHOOSE(2))" : one_in(12) ? " final(CHOOSE(2))" : one_in(6) ? " untied" : "";
  if (one_in(2))
    write_uses(uses, sizeof uses);
  line(p, "fuel--;");
  if (one_in(3)) { /* one call */
    if (one_in(3))
      line(p, "#pragma omp task\narray[%u] = leaf%u(%u);", below(256), below(p->leaves), below(9));
    else
      call_task(p, one_in(4) ? uses : "");
    return;
  }
  line(p, "#pragma omp task%s%s", uses, more);
  write_block(p, (struct place){place.depth + 1, false});
}

static void schedule(char *text, size_t size) {
  static const char *const kinds[] = {"static", "dynamic", "guided", "auto", "runtime"};
  unsigned kind = below(5);
  text[0] = 0;
  if (one_in(4))
    return;
  if (kind < 3 && one_in(2))
    snprintf(text, size, " schedule(%s, %u)", kinds[kind], 1 + below(7));
  else
    snprintf(text, size, " schedule(%s)", kinds[kind]);
}

/* A little that one processor at a time does, and maybe nothing else.  */
static void small_statement(struct program *p, const char *index) {
  unsigned i = below(200), j = below(200);
  switch (below(6)) {
  case 0:
  case 1:
    line(p, "#pragma omp atomic\narray[%u + (%s & 31)] += %u;", i, index, j);
    break;
  case 2:
    line(p, "#pragma omp atomic\nreal += 0.5 * %u;", j);
    break;
  case 3:
    line(p, "#pragma omp critical (small)\nif (array[%u + (%s & 31)] %% 3) array[%u] -= %u;", i, index, j, i);
    break;
  case 4:
    line(p, "#pragma omp critical (small)\narray[%u] = array[%u] * 3 + %s;", i, j, index);
    break;
  default:
    line(p, "array[%u] = array[%u] * 3 + 1;", i, j);
  }
}

static void write_loop(struct program *p, const char *pragma, struct place place) {
  unsigned i = p->variables++;
  line(p, "int n%u = TRIPS(%u);", i, 1 + below(30));
  line(p, "#pragma omp %s", pragma);
  line(p, one_in(3) ? "for (int i%u = n%u; i%u > 0; i%u--)" : "for (int i%u = 0; i%u < n%u; i%u++)", i, i, i, i);
  char index[16];
  snprintf(index, sizeof index, "i%u", i);
  if (one_in(6)) /* nothing tells its iterations apart */
    line(p, "  array[i%u & 255] += %u;", i, below(9));
  else if (one_in(4)) {
    line(p, "{");
    small_statement(p, index);
    line(p, "}");
  } else
    write_block(p, (struct place){place.depth + 1, false});
}

static void sharing_loop(struct program *p, struct place place) {
  char pragma[128], clause[64];
  schedule(clause, sizeof clause);
  snprintf(pragma, sizeof pragma, "for%s%s", clause, one_in(3) ? " nowait" : "");
  line(p, "{");
  write_loop(p, pragma, place);
  line(p, "}");
}

static void sections(struct program *p, struct place place) {
  line(p, "#pragma omp sections%s", one_in(3) ? " nowait" : "");
  line(p, "{");
  for (unsigned i = 1 + below(3); i > 0; i--) {
    line(p, "#pragma omp section");
    write_block(p, (struct place){place.depth + 1, false});
  }
  line(p, "}");
}

static void sharing_statement(struct program *p, struct place place) {
  switch (below(6)) {
  case 0:
    sections(p, place);
    break;
  case 1:
    line(p, "#pragma omp single%s", one_in(3) ? " nowait" : "");
    write_block(p, (struct place){place.depth + 1, false});
    break;
  case 2:
    line(p, "#pragma omp barrier");
    break;
  case 3:
    line(p, "#pragma omp master");
    write_block(p, (struct place){place.depth + 1, false});
    break;
  default:
    sharing_loop(p, place);
  }
}

static void region(struct program *p, struct place place) {
  char pragma[128], clause[64];
  line(p, "fuel -= 2;");
  line(p, "{");
  if (one_in(2)) {
    schedule(clause, sizeof clause);
    snprintf(pragma, sizeof pragma, "parallel for%s%s", clause, one_in(8) ? " if(CHOOSE(2))" : "");
    write_loop(p, pragma, place);
  } else {
    line(p, "#pragma omp parallel%s", one_in(8) ? " num_threads(1 + CHOOSE(2))" : "");
    write_block(p, (struct place){place.depth + 1, true});
  }
  line(p, "}");
}

static void taskloop(struct program *p, struct place place) {
  char pragma[128];
  const char *group = one_in(3) ? " nogroup" : "";
  if (one_in(2))
    snprintf(pragma, sizeof pragma, "taskloop %s(%u)%s", one_in(2) ? "grainsize" : "num_tasks", 1 + below(6), group);
  else
    snprintf(pragma, sizeof pragma, "taskloop%s", group);
  line(p, "{");
  write_loop(p, pragma, place);
  line(p, "}");
}

static void write_statement(struct program *p, struct place place) {
  enum { DEEPEST = 4 };
  bool deep = place.depth >= DEEPEST;
  unsigned choice = below(24);
  if (place.sharing && !deep && one_in(2)) {
    sharing_statement(p, place);
    return;
  }
  if (choice < 5 || deep)
    call_statement(p);
  else if (choice < 13)
    task(p, place);
  else if (choice < 16)
    line(p, "#pragma omp taskwait%s", one_in(6) ? " depend(in: places[1])" : "");
  else if (choice == 16 || choice == 17) {
    line(p, "#pragma omp taskgroup");
    write_block(p, (struct place){place.depth + 1, false});
  } else if (choice == 18)
    taskloop(p, place);
  else if (choice == 19 && one_in(2))
    region(p, place);
  else if (choice == 20) {
    line(p, "#pragma omp critical%s", one_in(2) ? " (one)" : "");
    write_block(p, (struct place){DEEPEST, false});
  } else if (choice == 21) {
    line(p, "if (CHOOSE(3))");
    write_block(p, place.sharing ? (struct place){place.depth + 1, false} : place);
  } else if (choice == 22) {
    unsigned i = p->variables++;
    line(p, "for (int i%u = 0, m = TRIPS(%u); i%u < m; i%u++)", i, 1 + below(20), i, i);
    write_block(p, (struct place){place.depth + 1, false});
  } else
    small_statement(p, "d");
}

static void write_block(struct program *p, struct place place) {
  line(p, "{");
  p->indentation++;
  for (unsigned i = 1 + below(4); i > 0 && p->statements-- > 0; i--)
    write_statement(p, place);
  p->indentation--;
  line(p, "}");
}

static void write_functions(struct program *p, unsigned from, unsigned step) {
  for (unsigned i = from; i < p->functions; i += step) {
    fprintf(p->out, "\n%svoid f%u(int d) {\n  if (d < 0) return;\n", one_in(2) ? "__attribute__((noinline)) " : "", i);
    p->statements = 25;
    p->indentation = 1;
    for (unsigned left = 2 + below(5); left > 0; left--)
      write_statement(p, (struct place){1, false});
    fputs("}\n", p->out);
  }
}

static void write_main(struct program *p) {
  fputs("\nunsigned state, array[256];\ndouble real;\nint fuel;\nchar places[4];\n"
        "int main(int argc, char *argv[]) {\n"
        "  static const int fuels[] = {30, 200, 600, 1500};\n"
        "  state = (unsigned)atoi(argv[argc - 1]) * 2654435761u + 12345;\n"
        "  fuel = fuels[CHOOSE(4)];\n"
        "  int d = 2 + (int)CHOOSE(5);\n",
        p->out);
  p->indentation = 1;
  for (unsigned i = 1 + below(3); i > 0; i--) {
    p->statements = 25;
    if (one_in(2)) {
      line(p, "#pragma omp parallel");
      line(p, "#pragma omp single");
      write_block(p, (struct place){1, false});
    } else
      region(p, (struct place){0, false});
  }
  if (one_in(4))
    line(p, "f0(d);");
  fputs("  printf(\"%u %u\\n\", array[1], state);\n  return 0;\n}\n", p->out);
}

static void write_unit(struct program *p, const char *folder, const char *name, unsigned from, unsigned step) {
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
  if (from == 0)
    write_main(p);
  write_functions(p, from, step);
  if (fclose(p->out) != 0) {
    perror("generate-openmp");
    exit(2);
  }
}

int main(int argc, char *argv[]) {
  if (argc != 3) {
    fputs("usage: generate-openmp SEED FOLDER\n", stderr);
    return 2;
  }
  begin_numbers(strtoull(argv[1], NULL, 10) + 1000000007);
  static const char *const levels[] = {"-O0", "-O1", "-O2", "-O3", "-Os"};
  struct program p = {.functions = 2 + below(4), .leaves = 3 + below(3)};
  bool two_units = one_in(3);
  printf("%s -fopenmp\n", levels[below(sizeof levels / sizeof *levels)]);
  write_unit(&p, argv[2], "a.c", 0, two_units ? 2 : 1);
  if (two_units)
    write_unit(&p, argv[2], "b.c", 1, 2);
  return 0;
}
