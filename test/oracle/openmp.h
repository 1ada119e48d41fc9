/* What the files of the generator of OpenMP programs share.
   SPDX-License-Identifier: MIT  */

#ifndef ORACLE_OPENMP_H
#define ORACLE_OPENMP_H

#include "test/oracle/generate.h"

/* What may stand where: worksharing constructs not inside of others, nor inside of tasks.  */
struct place {
  int depth;
  bool sharing; /* the team is not divided here yet */
};

/* openmp.c: write what any thread may do by itself.  */
void generator_write_block(struct program *p, struct place place);
void generator_small_statement(struct program *p, const char *index);
void generator_call_statement(struct program *p);

/* openmp-teams.c */
void generator_teams_take_turns(bool turns); /* whether loops and sections are divided while they run */
void generator_team_region(struct program *p);
void generator_team_functions(struct program *p, bool define); /* declares them, or defines them */

#endif
