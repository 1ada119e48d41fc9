/* A random Cilk program.
   SPDX-License-Identifier: MIT  */

#ifndef ORACLE_GENERATE_H
#define ORACLE_GENERATE_H

#include <stdbool.h>
#include <stdio.h>

enum { GENERATOR_STEPS = 48 }; /* functions in programs without races, each a little longer than the one before */

struct program {
  FILE *out;
  unsigned functions, leaves; /* how many there are */
  unsigned variables;         /* named so far */
  int statements;             /* that the function under way may still have */
  int indentation;
  unsigned loops; /* cilk_for around the statement: no way out of those */
  bool jumps;     /* the program uses setjmp */
  bool spawns;    /* otherwise it is serial */
  bool throws;    /* it is one of C++, with exceptions; then none jumps */
  bool parallel;  /* it has no races: workers can run it in parallel, and all that it does depends on its seed alone */
};

/* writing.c: numbers from the seed, and lines.  */
void generator_begin_numbers(unsigned long long seed);
unsigned generator_below(unsigned limit);
bool generator_one_in(unsigned chance);
__attribute__((format(printf, 2, 3))) void generator_line(struct program *program, const char *format, ...);

/* contests.c: write children that are equally long; and, for programs without races, children or grains of which none
   is much longer than the others.  */
void generator_tie_statement(struct program *program);
void generator_contest_statement(struct program *program);
void generator_write_contests_of_main(struct program *program);

/* parallel-loops.c */
void generator_parallel_loop(struct program *program);

/* statements.c */
void generator_write_series(struct program *program, unsigned variable);
void generator_write_statements(struct program *program);
void generator_write_function_body(struct program *program, unsigned number);

#endif
