/* A directed acyclic graph and its longest paths, as in any textbook: vertices in topological order, each relaxed once.
   SPDX-License-Identifier: MIT  */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "test/oracle/dag.h"

/* Prints a message, formatted as by printf, and exits: the trace or the profile is unusable.  */
void oracle_fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("oracle: ", stderr);
  vfprintf(stderr, format, arguments);
  putc('\n', stderr);
  va_end(arguments);
  exit(2);
}

/* Resizes MEMORY as realloc does.  Fails if there is no memory.  */
void *oracle_reallocate(void *memory, size_t size) {
  memory = realloc(memory, size);
  if (!memory && size)
    oracle_fail("out of memory");
  return memory;
}

/* Allocates SIZE bytes as malloc does.  Fails if there is no memory.  */
void *oracle_allocate(size_t size) {
  return oracle_reallocate(NULL, size);
}

/* Adds a strand of invocation OWNER that costs COST, without edges.  Returns its index.  */
uint32_t oracle_dag_vertex(struct dag *dag, uint32_t owner, uint64_t cost) {
  if (dag->vertex_count == dag->vertex_room) {
    dag->vertex_room = dag->vertex_room ? 2 * dag->vertex_room : 1024;
    dag->vertices = oracle_reallocate(dag->vertices, dag->vertex_room * sizeof *dag->vertices);
  }
  dag->vertices[dag->vertex_count] = (struct vertex){
      .cost = cost, .owner = owner, .first_edge = NONE, .last_edge = NONE, .first_out = NONE, .usual_edge = NONE};
  return (uint32_t)dag->vertex_count++;
}

/* Adds an edge with BURDEN to DAG, after those that already lead to TO.  Their order matters: of equally long paths,
   the one along the first edge counts.  */
void oracle_dag_edge(struct dag *dag, uint32_t from, uint32_t to, enum burden burden) {
  if (dag->edge_count == dag->edge_room) {
    dag->edge_room = dag->edge_room ? 2 * dag->edge_room : 1024;
    dag->edges = oracle_reallocate(dag->edges, dag->edge_room * sizeof *dag->edges);
  }
  uint32_t new = (uint32_t)dag->edge_count++;
  struct vertex *source = &dag->vertices[from], *target = &dag->vertices[to];
  dag->edges[new] =
      (struct edge){.from = from, .to = to, .burden = burden, .next_in = NONE, .next_out = source->first_out};
  source->first_out = new;
  if (target->first_edge == NONE)
    target->first_edge = new;
  else
    dag->edges[target->last_edge].next_in = new;
  target->last_edge = new;
}

/* Adds an edge to DAG from FROM, the end of a task, to TO, which waits for the task and is not its parent's join.
   Keeps the last edge to TO before the first such one as the usual one.  */
void oracle_dag_edge_aside(struct dag *dag, uint32_t from, uint32_t to) {
  struct vertex *target = &dag->vertices[to];
  if (target->usual_edge == NONE)
    target->usual_edge = target->last_edge;
  oracle_dag_edge(dag, from, to, NO_BURDEN);
  dag->edges[dag->edge_count - 1].aside = true;
}

/* Returns the cost of EDGE, where moving a strand to another processor costs BURDEN and making a task 1/16 of it.  */
uint64_t oracle_edge_burden(const struct edge *edge, uint64_t burden) {
  return edge->burden == MOVING ? burden : edge->burden == MAKING ? burden / 16 : 0;
}

/* Frees the vertices and edges of DAG.  */
void oracle_dag_free(struct dag *dag) {
  free(dag->vertices);
  free(dag->edges);
  *dag = (struct dag){0};
}

/* Returns all vertices of DAG in an order in which every edge leads forward, in an array that the caller frees.  Fails
   if there is a cycle.  */
static uint32_t *oracle_topological_order(const struct dag *dag) {
  uint32_t *order = oracle_allocate(dag->vertex_count * sizeof *order);
  uint32_t *missing = oracle_allocate(dag->vertex_count * sizeof *missing);
  size_t ready = 0;
  for (uint32_t v = 0; v < dag->vertex_count; v++) {
    missing[v] = 0;
    for (uint32_t e = dag->vertices[v].first_edge; e != NONE; e = dag->edges[e].next_in)
      missing[v]++;
    if (!missing[v])
      order[ready++] = v;
  }
  for (size_t done = 0; done < ready; done++)
    for (uint32_t e = dag->vertices[order[done]].first_out; e != NONE; e = dag->edges[e].next_out)
      if (--missing[dag->edges[e].to] == 0)
        order[ready++] = dag->edges[e].to;
  free(missing);
  if (ready != dag->vertex_count)
    oracle_fail("the dag has a cycle");
  return order;
}

/* Returns the longest paths to all vertices, where an edge along which work moves costs BURDEN.  The vertices are
   relaxed in topological order; of equally long paths the one along the first edge counts.  */
struct paths oracle_dag_longest_paths(const struct dag *dag, uint64_t burden) {
  struct paths paths = {oracle_allocate(dag->vertex_count * sizeof *paths.length),
                        oracle_allocate(dag->vertex_count * sizeof *paths.last_edge)};
  uint32_t *order = oracle_topological_order(dag);
  for (size_t i = 0; i < dag->vertex_count; i++) {
    uint32_t v = order[i], best = NONE;
    uint64_t longest = 0;
    for (uint32_t e = dag->vertices[v].first_edge; e != NONE; e = dag->edges[e].next_in) {
      uint64_t length = paths.length[dag->edges[e].from] + oracle_edge_burden(&dag->edges[e], burden);
      if (best == NONE || length > longest) {
        best = e;
        longest = length;
      }
    }
    paths.length[v] = longest + dag->vertices[v].cost;
    paths.last_edge[v] = best;
  }
  free(order);
  return paths;
}

/* Frees PATHS.  */
void oracle_paths_free(struct paths *paths) {
  free(paths->length);
  free(paths->last_edge);
}
