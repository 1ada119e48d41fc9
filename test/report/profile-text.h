/* The text from which make-profile makes a program and a profile.
   SPDX-License-Identifier: GPL-3.0-or-later

   The text has one statement per line; # starts a comment, "-" is an empty word:
     mode count|hybrid|clock        flags N        burden N [UNITS]  units N       command WORD...
     preempted STRANDS UNITS
     totals BURDENED_SPAN SPAWNS SYNCS             work and span are the sums that they must be
     loaded                         descriptions are those of earlier versions, which were loaded
     object N                       what follows is in object N (0: the program)
     function NAME                  a function for indirect calls; "static NAME" makes it static
     site KIND FLAGS FILE LINE COLUMN CALLER CALLEE UNIT
     on_work N*12, on_span N*12     measurements of the last site: top-call-site, top-caller, local, each with
                                    count, work, span, burdened span
     usage CPU SYSTEM MINOR MAJOR RUNS CPU SYSTEM MINOR MAJOR UNITS   of the run and of the reference
     waits DELAYED BLOCKED           after the usage: time without a processor, in nanoseconds
     workers WORKERS ELAPSED_NS DEFERRED STOLEN      of a parallel run
     whatif CANDIDATE FASTER COUNT WORK SPAN       ~ stands for a blank in CANDIDATE, LABEL
     region LABEL KIND COUNT WORK SPAN BURDENED_SPAN
     loop SITE N*4 N*7 N*7          executions, pieces, single, work; longest and more; SITE is a number from 0
     callee OBJECT NAME             the on_work and on_span that follow are those of this callee of the last site
     tree FLAGS                    CILKPROF_TREE_...; without it, that of an annotated program
     node KIND FLAGS NAME LOCK     of the tree; the last is the program
     child BEFORE REPEAT NODE       of the last node; NODE - is only work
     counts NODE TIMES NS INSTRUCTIONS CYCLES MISSES     what was counted in sections with the name of that node
     context PARENT SITE N*4 N*4    on work and on span; PARENT and SITE are numbers from 0, PARENT - is the program
     root NAME INVOCATIONS BURDENED_SPAN SPAWNS SYNCS
     part SITE INVOCATIONS          the on_work and on_span that follow are those of the last root's for this site  */

#ifndef CILKPROF_TEST_PROFILE_TEXT_H
#define CILKPROF_TEST_PROFILE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "fmt/description.h"
#include "fmt/profile.h"

enum { MAX_ROWS = 4096, MAX_WORDS = 32, MAX_OBJECTS = 8 };

struct described {
  unsigned object;
  struct cilkprof_description fixed;
  char *strings[4];
};

struct measured {
  size_t described;
  int callee_object; /* -1: none */
  char *callee;
  struct cilkprof_measures on_work, on_span;
  int present;
};

struct declared {
  unsigned object;
  int is_static;
  char *name;
};

extern struct profile_text {
  struct cilkprof_program program;
  struct cilkprof_run run;
  struct cilkprof_totals totals;
  struct cilkprof_usage_record usage;
  struct cilkprof_workers workers;
  const char *command[MAX_WORDS];
  struct described described[MAX_ROWS];
  struct measured measured[MAX_ROWS];
  struct declared declared[MAX_ROWS];
  struct cilkprof_whatif whatifs[MAX_WORDS];
  struct cilkprof_region regions[MAX_WORDS];
  struct cilkprof_loop loops[MAX_WORDS];
  struct cilkprof_estimate estimates[MAX_WORDS];
  size_t described_count, measured_count, declared_count, whatif_count, loop_count, estimate_count, region_count,
      context_count, section_size[MAX_OBJECTS];
  int loaded;
  struct cilkprof_context contexts[MAX_ROWS];
  struct cilkprof_root roots[MAX_WORDS];
  struct cilkprof_root_site parts[MAX_ROWS];
  size_t root_count, part_count;
  unsigned object;
  uint64_t tree_flags;
  struct cilkprof_tree_node nodes[MAX_ROWS];
  struct cilkprof_tree_child children[MAX_ROWS];
  struct cilkprof_tree_counts counts[MAX_ROWS];
  const char *names[MAX_ROWS];
  size_t node_count, child_count, count_count;
} text;
uint64_t test_report_number(const char *word);
void test_report_read_text(const char *path);

#endif
