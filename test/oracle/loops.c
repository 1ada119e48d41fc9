/* cilk_for as a tree of spawns.
   SPDX-License-Identifier: MIT

   The tree is balanced and its leaves are the grains.  A node costs some instructions and splits its grains in halves.
   Every path down passes as many nodes as the longest one: a half of one grain that is reached early passes nodes that
   are no work.  Migration may happen at every level, whichever half is taken.  */

#include "test/oracle/trace.h"

enum { NODE_COST = 10, GRAIN_MOST = 2048, GRAINS_PER_WORKER = 8 };

/* min (2048, ceil (trips / (8 workers))), and at least one iteration.  */
uint64_t loop_grain(uint64_t trips, uint64_t workers) {
  uint64_t parts = GRAINS_PER_WORKER * workers, grain = (trips + parts - 1) / parts;
  if (grain > GRAIN_MOST)
    return GRAIN_MOST;
  return grain ? grain : 1;
}

/* Builds a part of LEVELS levels below vertex ABOVE; returns the vertex where it ends.  */
static uint32_t build(struct run *run, uint32_t above, bool top, const struct grain *grains, size_t count,
                      unsigned levels) {
  struct dag *dag = &run->dag;
  if (levels == 0) {
    dag_edge(dag, above, grains->first, top ? NO_BURDEN : MOVING);
    return grains->last;
  }
  uint32_t owner = dag->vertices[above].owner;
  uint32_t node = dag_vertex(dag, owner, NODE_COST);
  dag_edge(dag, above, node, top ? NO_BURDEN : MOVING);
  if (count == 1) {
    dag->vertices[node].on_paths_only = true;
    return build(run, node, false, grains, 1, levels - 1);
  }
  size_t left = (count + 1) / 2;
  uint32_t end_of_left = build(run, node, false, grains, left, levels - 1);
  uint32_t end_of_right = build(run, node, false, grains + left, count - left, levels - 1);
  uint32_t join = dag_vertex(dag, owner, 0);
  dag_edge(dag, end_of_left, join, NO_BURDEN);
  dag_edge(dag, end_of_right, join, NO_BURDEN);
  run->invocations[owner].spawns++;
  run->invocations[owner].syncs++;
  return join;
}

uint32_t loop_tree(struct run *run, uint32_t entry, const struct grain *grains, size_t count) {
  unsigned levels = 0;
  while ((size_t)1 << levels < count)
    levels++;
  return build(run, entry, true, grains, count, levels);
}

/* The nodes are work, but one is on every path.  */
uint32_t team_loop(struct run *run, uint32_t entry, const struct grain *grains, size_t count) {
  if (count < 2)
    return loop_tree(run, entry, grains, count);
  struct dag *dag = &run->dag;
  uint32_t owner = dag->vertices[entry].owner, node = dag_vertex(dag, owner, NODE_COST);
  uint32_t join = dag_vertex(dag, owner, 0);
  dag_vertex(dag, owner, (count - 2) * NODE_COST); /* beside all paths */
  dag_edge(dag, entry, node, NO_BURDEN);
  for (size_t i = 0; i < count; i++) {
    dag_edge(dag, node, grains[i].first, MOVING);
    dag_edge(dag, grains[i].last, join, NO_BURDEN);
  }
  run->invocations[owner].spawns += count - 1;
  run->invocations[owner].syncs += count - 1;
  return join;
}
