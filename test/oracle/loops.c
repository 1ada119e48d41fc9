/* cilk_for as a tree of spawns.
   SPDX-License-Identifier: MIT

   The tree is balanced and its leaves are the grains.  A node costs some instructions and splits its grains in halves.
   Every path down passes as many nodes as the longest one: a half of one grain that is reached early passes nodes that
   are no work.  Migration may happen at every level, whichever half is taken.  */

#include "test/oracle/trace.h"

enum { NODE_COST = 10, MAX_GRAIN = 2048, GRAINS_PER_WORKER = 8 };

/* Returns the grain of a cilk_for: min(2048, ceil(TRIPS / (8 WORKERS))), and at least one iteration.  */
uint64_t oracle_loop_grain(uint64_t trips, uint64_t workers) {
  uint64_t parts = GRAINS_PER_WORKER * workers, grain = (trips + parts - 1) / parts;
  if (grain > MAX_GRAIN)
    return MAX_GRAIN;
  return grain ? grain : 1;
}

/* Builds a part of LEVELS levels below vertex ABOVE; returns the vertex where it ends.  */
static uint32_t oracle_build(struct run *run, uint32_t above, bool top, const struct grain *grains, size_t count,
                             unsigned levels) {
  struct dag *dag = &run->dag;
  if (levels == 0) {
    oracle_dag_edge(dag, above, grains->first, top ? NO_BURDEN : MOVING);
    return grains->last;
  }
  uint32_t owner = dag->vertices[above].owner;
  uint32_t node = oracle_dag_vertex(dag, owner, NODE_COST);
  oracle_dag_edge(dag, above, node, top ? NO_BURDEN : MOVING);
  if (count == 1) {
    dag->vertices[node].on_paths_only = true;
    return oracle_build(run, node, false, grains, 1, levels - 1);
  }
  size_t left = (count + 1) / 2;
  uint32_t end_of_left = oracle_build(run, node, false, grains, left, levels - 1);
  uint32_t end_of_right = oracle_build(run, node, false, grains + left, count - left, levels - 1);
  uint32_t join = oracle_dag_vertex(dag, owner, 0);
  oracle_dag_edge(dag, end_of_left, join, NO_BURDEN);
  oracle_dag_edge(dag, end_of_right, join, NO_BURDEN);
  run->invocations[owner].spawns++;
  run->invocations[owner].syncs++;
  return join;
}

/* Adds the tree of spawns of a cilk_for over COUNT GRAINS after vertex ENTRY.  Returns the vertex where it ends.  */
uint32_t oracle_loop_tree(struct run *run, uint32_t entry, const struct grain *grains, size_t count) {
  unsigned levels = 0;
  while ((size_t)1 << levels < count)
    levels++;
  return oracle_build(run, entry, true, grains, count, levels);
}

/* Adds a loop over COUNT GRAINS that a team of threads shares, after vertex ENTRY: all grains begin at once, so only
   one node of the tree is on any path, and the others are just work.  Returns the vertex where it ends.  */
uint32_t oracle_team_loop(struct run *run, uint32_t entry, const struct grain *grains, size_t count) {
  if (count < 2)
    return oracle_loop_tree(run, entry, grains, count);
  struct dag *dag = &run->dag;
  uint32_t owner = dag->vertices[entry].owner, node = oracle_dag_vertex(dag, owner, NODE_COST);
  uint32_t join = oracle_dag_vertex(dag, owner, 0);
  oracle_dag_vertex(dag, owner, (count - 2) * NODE_COST); /* beside all paths */
  oracle_dag_edge(dag, entry, node, NO_BURDEN);
  for (size_t i = 0; i < count; i++) {
    oracle_dag_edge(dag, node, grains[i].first, MOVING);
    oracle_dag_edge(dag, grains[i].last, join, NO_BURDEN);
  }
  run->invocations[owner].spawns += count - 1;
  run->invocations[owner].syncs += count - 1;
  return join;
}
