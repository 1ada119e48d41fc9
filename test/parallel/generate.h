/* Random programs without races.
   SPDX-License-Identifier: MIT  */

#ifndef PARALLEL_GENERATE_H
#define PARALLEL_GENERATE_H

#include "test/oracle/generate.h"

/* Functions f note what they do; functions q, of C++, may throw instead.  Those leave no trace but their value or
   exception: what follows a child that throws is run, and in the serial program it is not.  */
struct parallel_program {
  struct program program;
  unsigned number;
  bool cplusplus;
  bool quiet;        /* a function q is written */
  const char *leave; /* how to leave what the statement is in; NULL: children store into it, no way out */
};

/* statements.c */
void generator_parallel_write_parallel_body(struct parallel_program *program, unsigned function);

#endif
