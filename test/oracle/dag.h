/* A computation as a directed acyclic graph of strands, and its longest paths.
   SPDX-License-Identifier: MIT  */

#ifndef ORACLE_DAG_H
#define ORACLE_DAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NONE UINT32_MAX

/* A strand.  */
struct vertex {
  uint64_t cost;
  uint32_t owner;      /* the invocation that it is part of */
  bool on_paths_only;  /* its cost is no work: it evens out the depth of a loop's tree */
  uint32_t first_edge; /* into it: of equally long paths the one along the first edge counts */
  uint32_t last_edge;
  uint32_t first_out;
  uint32_t usual_edge; /* into it: the one from what its invocation did before; NONE: all are */
};

/* What an edge costs beside the strands: moving what it leads to, or making a task, which is a part of that.  */
enum burden { NO_BURDEN, MOVING, MAKING };

struct edge {
  uint32_t from, to;
  enum burden burden;
  bool aside;                 /* OpenMP: from a task that is no child of what waits for it */
  bool from_post;             /* OpenMP: from a write in one thread of a team to a read in another */
  uint32_t next_in, next_out; /* edges of the same vertex */
};

struct dag {
  struct vertex *vertices;
  struct edge *edges;
  size_t vertex_count, edge_count, vertex_room, edge_room;
};

uint32_t oracle_dag_vertex(struct dag *dag, uint32_t owner, uint64_t cost);
void oracle_dag_edge(struct dag *dag, uint32_t from, uint32_t to, enum burden burden);
uint64_t oracle_edge_burden(const struct edge *edge, uint64_t burden); /* BURDEN is that of moving work */
void oracle_dag_edge_aside(struct dag *dag, uint32_t from, uint32_t to);
void oracle_dag_free(struct dag *dag);

/* To every vertex: the cost of the longest path that ends with it, its own cost included, and that path's last edge
   (NONE where it begins there).  */
struct paths {
  uint64_t *length;
  uint32_t *last_edge;
};

struct paths oracle_dag_longest_paths(const struct dag *dag, uint64_t burden);
void oracle_paths_free(struct paths *paths);

/* Memory that is always there.  */
void *oracle_allocate(size_t size);
void *oracle_reallocate(void *memory, size_t size);
__attribute__((noreturn, format(printf, 1, 2))) void oracle_fail(const char *format, ...);

#endif
