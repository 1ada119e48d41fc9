/* The measurements of a run, from their definitions; and those of a profile, to compare them with.
   SPDX-License-Identifier: MIT  */

#ifndef ORACLE_MEASURE_H
#define ORACLE_MEASURE_H

#include "fmt/profile.h"
#include "test/oracle/trace.h"

/* A site, by all that tells it apart in the source and in a report.  */
struct row {
  char *name;
  struct cilkprof_measures on_work, on_span;
};

struct whatif_row {
  char *candidate;
  uint64_t faster, count, work, span;
};

struct table {
  struct row *rows;
  size_t count, room;
  struct cilkprof_totals totals;
  struct cilkprof_measure own; /* of a region: its function's */
  struct whatif_row *whatifs;
  size_t whatif_count;
};

/* parts.c: what is measured as a program.  */
struct root_invocation {
  uint32_t first, last;        /* vertices */
  const struct region *region; /* NULL: it is an invocation, or the program */
};
struct part {
  uint32_t *root_invocation_of; /* by invocation: the root invocation that it is in; NONE: it is in none */
  struct root_invocation *root_invocations;
  uint32_t root_invocation_count;
  bool partial; /* there are others that cannot be measured */
};
struct part oracle_part_program(const struct run *run);
struct part oracle_part_root(const struct run *run,
                             const char *name); /* the outermost root invocations of what is named so */
void oracle_part_free(struct part *part);
/* OpenMP: whether tasks lead out of a root invocation or into it; and whether it is, for that, something else than a
   program.  */
bool oracle_part_is_crossed(const struct run *run, const struct part *part);
bool oracle_part_is_changed(const struct run *run, const struct part *part, uint64_t burden);

/* A function, or FILE:LINE.  */
struct named {
  char *name;         /* the function, or the file */
  unsigned long line; /* 0: a function */
};
struct named oracle_named_by(const char *text); /* its name is allocated */
bool oracle_is_invocation_of(const struct run *run, const struct invocation *invocation, const struct named *named);
unsigned long oracle_cut_number(char *text, char mark, unsigned long otherwise);

/* measure.c.  PROGRAM is the executable that was traced.  */
void oracle_measure_run(const struct run *run, uint64_t burden); /* once, before all parts */
void oracle_measure(struct table *table, const struct run *run, const struct part *part, const char *program,
                    bool contexts);
void oracle_measure_end(void);

/* whatif.c */
void oracle_measure_whatifs(struct table *table, const struct run *run, const struct part *part);

/* table.c.  The name is the table's from now on.  Sorting adds up rows of the same name.  */
void oracle_table_add(struct table *table, char *name, const struct cilkprof_measures *on_work,
                      const struct cilkprof_measures *on_span);
void oracle_table_add_whatif(struct table *table, const struct whatif_row *row); /* its candidate is the table's too */
void oracle_table_sort(struct table *table);
int oracle_table_compare(const struct table *wanted,
                         const struct table *got); /* prints differences; returns their number */
void oracle_table_print(const struct table *table);
void oracle_table_free(struct table *table);

/* contexts.c: the tree of calling contexts, first that of the run, then that of the profile.  0 is the program.  */
void oracle_contexts_begin(void);
uint32_t oracle_contexts_enter(uint32_t parent, uint32_t site); /* the same for the same */
struct cilkprof_measures *oracle_contexts_on_work(uint32_t context);
struct cilkprof_measures *oracle_contexts_on_span(uint32_t context);
void oracle_contexts_end(struct table *table, char *const *site_names); /* adds them to the table */

/* symbols.c: what executables say of themselves.  */
struct executable;
const struct executable *oracle_executable_open(const char *path);
const char *oracle_executable_function(const struct executable *executable, uint64_t address); /* NULL: unknown */
const void *oracle_executable_description(const struct executable *executable, uint64_t site);
uint64_t oracle_executable_base(const struct executable *executable); /* the address of its first byte */

/* profile.c: what the engine says.  */
struct cilkprof_profile oracle_profile_read(const char *path);
void oracle_profile_tabulate(struct table *table, const struct cilkprof_profile *profile);
char *oracle_site_name(unsigned kind, unsigned flags, unsigned line, unsigned column, const char *const strings[4],
                       const char *callee);

/* trees.c: compares work and span of TREE with TOTALS.  Prints a difference; returns their number.  */
int oracle_tree_compare(const struct cilkprof_tree *tree, const struct cilkprof_totals *totals);

#endif
