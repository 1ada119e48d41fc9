/* What-if: the dag with other weights, and its longest path anew.
   SPDX-License-Identifier: MIT

   CILKPROF_WHATIF has the candidates, separated by commas: FUNCTION or FILE:LINE, and perhaps /FASTER.  A strand is a
   candidate's when it is part of an invocation of it, or of what that called.  */

#include <stdlib.h>
#include <string.h>

#include "test/oracle/measure.h"

/* Sets INSIDE[i] to whether invocation i is one of NAMED or below one that is, within its root invocation.  Returns how
   many of NAMED are outermost.  */
static uint64_t oracle_find_inside(const struct run *run, const struct part *part, const struct named *named,
                                   bool *inside) {
  uint64_t outermost = 0;
  inside[0] = false;
  for (size_t i = 1; i < run->invocation_count; i++) {
    uint32_t caller = run->invocations[i].caller;
    bool above = part->root_invocation_of[i] == part->root_invocation_of[caller] && inside[caller],
         here = part->root_invocation_of[i] != NONE && oracle_is_invocation_of(run, &run->invocations[i], named);
    inside[i] = above || here;
    outermost += here && !above;
  }
  return outermost;
}

/* Sets work and span in ROW to those of PART if every strand INSIDE cost INSIDE_COST times what it does, and all others
   OUTSIDE_COST times.  */
static void oracle_weigh(struct whatif_row *row, const struct run *run, const struct part *part, const bool *inside,
                         uint64_t inside_cost, uint64_t outside_cost) {
  struct dag dag = run->dag;
  dag.vertices = oracle_allocate(dag.vertex_count * sizeof *dag.vertices);
  row->work = row->span = 0;
  for (size_t v = 0; v < dag.vertex_count; v++) {
    dag.vertices[v] = run->dag.vertices[v];
    dag.vertices[v].cost *= inside[dag.vertices[v].owner] ? inside_cost : outside_cost;
    if (!dag.vertices[v].on_paths_only && part->root_invocation_of[dag.vertices[v].owner] != NONE)
      row->work += dag.vertices[v].cost;
  }
  struct paths paths = oracle_dag_longest_paths(&dag, 0);
  for (uint32_t i = 0; i < part->root_invocation_count; i++) {
    const struct root_invocation *root_invocation = &part->root_invocations[i];
    row->span += paths.length[root_invocation->last] - paths.length[root_invocation->first] +
                 dag.vertices[root_invocation->first].cost;
    for (uint32_t v = root_invocation->first; root_invocation->region && v <= root_invocation->last; v++)
      if (dag.vertices[v].owner == root_invocation->region->owner && !dag.vertices[v].on_paths_only)
        row->work += dag.vertices[v].cost;
  }
  oracle_paths_free(&paths);
  free(dag.vertices);
}

/* Adds ROW to TABLE, unless the same candidate is there already; takes over its candidate.  */
static void oracle_add_row(struct table *table, struct whatif_row *row) {
  for (size_t i = 0; i < table->whatif_count; i++)
    if (table->whatifs[i].faster == row->faster && strcmp(table->whatifs[i].candidate, row->candidate) == 0) {
      free(row->candidate);
      return;
    }
  oracle_table_add_whatif(table, row);
}

/* Adds the two rows of the what-if candidate TEXT to TABLE: as if it cost nothing, and as if it were faster.  */
static void oracle_add_candidate(struct table *table, const struct run *run, const struct part *part, char *text,
                                 bool *inside) {
  unsigned long faster = oracle_cut_number(text, '/', 2);
  struct named named = oracle_named_by(text);
  uint64_t count = oracle_find_inside(run, part, &named, inside);
  if (count) {
    struct whatif_row free_of_cost = {.candidate = strdup(text), .faster = 0, .count = count},
                      quicker = {.candidate = strdup(text), .faster = faster, .count = count};
    oracle_weigh(&free_of_cost, run, part, inside, 0, 1);
    oracle_weigh(&quicker, run, part, inside, 1, faster);
    oracle_add_row(table, &free_of_cost);
    oracle_add_row(table, &quicker);
  }
  free(named.name);
}

/* Adds the what-ifs that CILKPROF_WHATIF lists to TABLE, for PART of RUN.  */
void oracle_measure_whatifs(struct table *table, const struct run *run, const struct part *part) {
  const char *wanted = getenv("CILKPROF_WHATIF");
  char *list = strdup(wanted ? wanted : "");
  bool *inside = oracle_allocate(run->invocation_count * sizeof *inside);
  for (char *text = strtok(list, ","); text; text = strtok(NULL, ","))
    oracle_add_candidate(table, run, part, text, inside);
  free(inside);
  free(list);
}
