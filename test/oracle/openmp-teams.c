/* Regions of random OpenMP programs whose code looks at thread numbers.
   SPDX-License-Identifier: MIT

   All threads of a team execute the same constructs that divide work, and the same barriers: what they choose by chance
   is what they do in between.  Loops have a static schedule, and there are no sections nor threads that wait for others
   by variables, unless threads take turns in a known order.  `id' is the number of the thread, `e' how deep calls of
   such functions may still nest, `k' how often the thread has waited for others: each time by variables of its own.  */

#include "test/oracle/openmp.h"

enum { TEAM_FUNCTIONS = 2, DEEPEST = 3, WAITS = 64 };

static bool take_turns; /* loops and sections are divided while they run */
static bool can_wait;   /* the variables are known by which threads wait */

static void generator_team_block(struct program *p, int depth);

void generator_teams_take_turns(bool turns) {
  take_turns = turns;
}

/* Writes a loop that the team divides, in equal parts or in chunks.  */
static void generator_team_loop(struct program *p, int depth) {
  static const char *const schedules[] = {"",
                                          " schedule(static)",
                                          " schedule(static, 1)",
                                          " schedule(static, 3)",
                                          " schedule(dynamic)",
                                          " schedule(dynamic, 3)",
                                          " schedule(guided)",
                                          " schedule(guided, 2)"};
  unsigned i = p->variables++;
  generator_line(p, "#pragma omp for%s%s", schedules[generator_below(take_turns ? 8 : 4)],
                 generator_one_in(3) ? " nowait" : "");
  generator_line(p, "for (int i%u = 0; i%u < %u; i%u++)", i, i, generator_below(20), i);
  if (generator_one_in(5)) /* nothing tells its iterations apart */
    generator_line(p, "  array[i%u & 255] += %u;", i, generator_below(9));
  else
    generator_write_block(p, (struct place){depth + 1, false});
}

/* Writes sections that the team divides.  */
static void generator_team_sections(struct program *p, int depth) {
  generator_line(p, "#pragma omp sections%s", generator_one_in(3) ? " nowait" : "");
  generator_line(p, "{");
  for (unsigned i = 1 + generator_below(5); i > 0; i--) {
    generator_line(p, "#pragma omp section");
    generator_write_block(p, (struct place){depth + 1, false});
  }
  generator_line(p, "}");
}

/* Writes what one thread does, or some do.  */
static void generator_some_threads(struct program *p, int depth) {
  static const char *const heads[] = {"#pragma omp single", "#pragma omp single nowait",
                                      "#pragma omp master", "if (id == omp_get_num_threads() - 1)",
                                      "if (id % 2)",        "#pragma omp critical"};
  unsigned which = generator_below(6);
  generator_line(p, "%s", heads[which]);
  generator_write_block(p, (struct place){which == 5 ? 4 : depth + 1, false}); /* so deep there are only calls */
}

/* Writes a statement by which each thread but one waits for a write by another: its neighbour or, one in three times,
   the first thread.  */
static void generator_waiting_threads(struct program *p, int depth) {
  static const char *const conditions[] = {"id > 0", "id + 1 < omp_get_num_threads()", "id > 0"};
  static const char *const others[] = {"id - 1", "id + 1", "0"};
  unsigned which = generator_below(3);
  generator_line(p, "if (k < %u) {", WAITS);
  p->indentation++;
  generator_line(p, "if (%s)", conditions[which]);
  generator_line(p, "  for (unsigned v = 0; !v;) {\n#pragma omp atomic read\nv = flags[k][%s];\n}", others[which]);
  generator_write_block(p, (struct place){depth + 1, false});
  generator_line(p, "#pragma omp atomic%s\nflags[k][id]%s;", generator_one_in(2) ? "" : " update", " += 1");
  generator_line(p, "k++;");
  if (generator_one_in(2))
    generator_call_statement(p);
  p->indentation--;
  generator_line(p, "}");
}

/* Writes a region inside of a team, each of whose threads makes one of its own if nested teams are allowed.  */
static void generator_nested_team(struct program *p, int depth) {
  bool could_wait = can_wait;
  can_wait = false;
  generator_line(p, "#pragma omp parallel num_threads(%u)", 2 + generator_below(2));
  generator_line(p, "{ int id = omp_get_thread_num();");
  generator_team_block(p, depth + 1);
  generator_line(p, "}");
  can_wait = could_wait;
}

/* Writes a statement that all threads of the team execute.  */
static void generator_team_statement(struct program *p, int depth) {
  unsigned i = p->variables++;
  switch (depth >= DEEPEST ? generator_below(4) : generator_below(14)) {
  case 0:
    generator_line(p, "#pragma omp barrier");
    break;
  case 1:
    generator_line(p, "array[%u + id] += leaf%u(%u * id);", generator_below(200), generator_below(p->leaves),
                   1 + generator_below(9));
    break;
  case 2:
    generator_small_statement(p, "id");
    break;
  case 3:
    generator_call_statement(p);
    break;
  case 4:
  case 5:
    if (take_turns && generator_one_in(3))
      generator_team_sections(p, depth);
    else
      generator_team_loop(p, depth);
    break;
  case 6:
    generator_line(p, "if (e > 0) t%u(id, d, e - 1);", generator_below(TEAM_FUNCTIONS));
    break;
  case 7:
    generator_line(p, "for (int i%u = 0; i%u < %u; i%u++)", i, i, 1 + generator_below(3), i);
    generator_team_block(p, depth + 1);
    break;
  case 8:
    generator_line(p, "#pragma omp task firstprivate(id)");
    generator_write_block(p, (struct place){depth + 1, false});
    break;
  case 9:
    generator_line(p, "#pragma omp taskwait");
    break;
  case 10:
    generator_nested_team(p, depth);
    break;
  case 11:
    if (can_wait) {
      generator_waiting_threads(p, depth);
      break;
    }
    generator_some_threads(p, depth);
    break;
  default:
    generator_some_threads(p, depth);
  }
}

/* Writes a block that all threads of the team execute.  */
static void generator_team_block(struct program *p, int depth) {
  generator_line(p, "{");
  p->indentation++;
  for (unsigned i = 1 + generator_below(4); i > 0 && p->statements-- > 0; i--)
    generator_team_statement(p, depth);
  p->indentation--;
  generator_line(p, "}");
}

/* Writes a region with a team of 2 to 5 threads, which the variable d is known to.  */
void generator_team_region(struct program *p) {
  can_wait = take_turns;
  if (can_wait)
    generator_line(p, "{ unsigned flags[%u][8] = {{0}};", WAITS);
  generator_line(p, "#pragma omp parallel num_threads(%u)", 2 + generator_below(4));
  generator_line(p, "{ int id = omp_get_thread_num(), e = omp_get_num_threads() > 1 ? 2 : 1%s;",
                 can_wait ? ", k = 0" : "");
  generator_team_block(p, 0);
  generator_team_block(p, 0);
  generator_line(p, can_wait ? "}}" : "}");
  can_wait = false;
}

/* Declares the functions that all threads of a team call, and writes them if DEFINE.  */
void generator_team_functions(struct program *p, bool define) {
  for (unsigned i = 0; i < TEAM_FUNCTIONS; i++)
    fprintf(p->out, "void t%u(int id, int d, int e);\n", i);
  for (unsigned i = 0; define && i < TEAM_FUNCTIONS; i++) {
    fprintf(p->out, "\n__attribute__((noinline)) void t%u(int id, int d, int e) {\n", i);
    p->statements = 15;
    p->indentation = 1;
    generator_team_block(p, 1);
    fputs("}\n", p->out);
  }
}
