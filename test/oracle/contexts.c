/* Calling contexts, from their definition: paths of top-call-site invocations.
   SPDX-License-Identifier: MIT

   They are rows of the table like sites, with a name that has the names of all sites on the path, and measurements in
   the place of those of top-call-site invocations.  */

#include <stdio.h>
#include <stdlib.h>

#include "test/oracle/measure.h"

struct node {
  uint32_t parent, site, first_child, next_sibling;
  struct cilkprof_measures on_work, on_span;
};

static struct {
  struct node *nodes; /* parents before children; the first is the program */
  size_t count, room;
} tree;

/* Adds NEW to the tree of contexts and returns its index.  */
static uint32_t oracle_new_node(struct node new) {
  if (tree.count == tree.room) {
    tree.room = tree.room ? 2 * tree.room : 64;
    tree.nodes = oracle_reallocate(tree.nodes, tree.room * sizeof *tree.nodes);
  }
  tree.nodes[tree.count] = new;
  return (uint32_t)tree.count++;
}

/* Returns the context of SITE below PARENT, which is added to the tree the first time.  */
uint32_t oracle_contexts_enter(uint32_t parent, uint32_t site) {
  for (uint32_t child = tree.nodes[parent].first_child; child != NONE; child = tree.nodes[child].next_sibling)
    if (tree.nodes[child].site == site)
      return child;
  uint32_t new = oracle_new_node((struct node){
      .parent = parent, .site = site, .first_child = NONE, .next_sibling = tree.nodes[parent].first_child});
  return tree.nodes[parent].first_child = new;
}

/* Begins a tree of calling contexts, with the program as context 0.  */
void oracle_contexts_begin(void) {
  oracle_new_node((struct node){.first_child = NONE, .next_sibling = NONE});
}

/* Returns the measurements on work of CONTEXT; the next new context may move them.  */
struct cilkprof_measures *oracle_contexts_on_work(uint32_t context) {
  return &tree.nodes[context].on_work;
}

/* Returns the measurements on the span of CONTEXT; the next new context may move them.  */
struct cilkprof_measures *oracle_contexts_on_span(uint32_t context) {
  return &tree.nodes[context].on_span;
}

/* Returns the name of a context: that of the one above, PATH, and of its site.  Allocated.  */
static char *oracle_below(const char *path, const char *site) {
  char *name;
  if (asprintf(&name, "%s / %s", path, site) < 0)
    oracle_fail("out of memory");
  return name;
}

/* Adds all contexts but the program to TABLE, named by the SITE_NAMES on their paths, and frees the tree.  */
void oracle_contexts_end(struct table *table, char *const *site_names) {
  char **paths = oracle_allocate(tree.count * sizeof *paths);
  for (size_t i = 0; i < tree.count; i++) {
    const struct node *node = &tree.nodes[i];
    paths[i] = i ? oracle_below(paths[node->parent], site_names[node->site]) : oracle_below("context", "program");
  }
  free(paths[0]);
  for (size_t i = 1; i < tree.count; i++) /* the table owns them */
    oracle_table_add(table, paths[i], &tree.nodes[i].on_work, &tree.nodes[i].on_span);
  free(paths);
  free(tree.nodes);
  tree.nodes = NULL;
  tree.count = tree.room = 0;
}
