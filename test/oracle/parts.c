/* Parts of a run that are measured as programs of their own: that is, each of their root invocations.
   SPDX-License-Identifier: MIT

   A root invocation is all of an invocation of what is named, with what it called, that is not below another such
   one; or what lies between the marks of a region.  */

#include <stdlib.h>
#include <string.h>

#include "test/oracle/measure.h"

/* Removes MARK and the number after it from TEXT, and returns the number; OTHERWISE if TEXT has none, or
   0.  */
unsigned long oracle_cut_number(char *text, char mark, unsigned long otherwise) {
  char *at = strrchr(text, mark);
  if (!at || !at[1] || strspn(at + 1, "0123456789") != strlen(at + 1))
    return otherwise;
  unsigned long number = strtoul(at + 1, NULL, 10);
  if (number == 0)
    return otherwise;
  *at = 0;
  return number;
}

/* Returns what TEXT names: a function, or FILE:LINE.  The name is allocated.  */
struct named oracle_named_by(const char *text) {
  struct named named = {.name = strdup(text)};
  named.line = oracle_cut_number(named.name, ':', 0);
  return named;
}

/* Returns whether NAME is PATH or its last components.  */
static bool oracle_ends_with(const char *path, const char *name) {
  size_t length = strlen(path), part = strlen(name);
  return length >= part && !strcmp(path + length - part, name) && (length == part || path[length - part - 1] == '/');
}

/* Returns whether INVOCATION is one of NAMED: of the call site at that line, or of the function, also if it was called
   by its address.  */
bool oracle_is_invocation_of(const struct run *run, const struct invocation *invocation, const struct named *named) {
  if (!invocation->site)
    return false;
  const struct site *site = &run->sites[invocation->site];
  if (named->line)
    return site->line == named->line && oracle_ends_with(site->strings[0], named->name);
  return !strcmp(site->strings[2], named->name) ||
         (site->callee && invocation->entered && !strcmp(run->sites[invocation->entered].strings[2], named->name));
}

/* Adds NEW to the root invocations of PART and returns its index.  */
static uint32_t oracle_add_root_invocation(struct part *part, struct root_invocation new) {
  part->root_invocations =
      oracle_reallocate(part->root_invocations, (part->root_invocation_count + 1) * sizeof *part->root_invocations);
  part->root_invocations[part->root_invocation_count] = new;
  return part->root_invocation_count++;
}

/* Returns the whole program as a part that is measured.  */
struct part oracle_part_program(const struct run *run) {
  struct part part = {.root_invocation_of = calloc(run->invocation_count, sizeof *part.root_invocation_of)};
  oracle_add_root_invocation(&part,
                             (struct root_invocation){run->invocations[0].first, run->invocations[0].last, NULL});
  return part;
}

/* Adds every root invocation through a region with LABEL to PART.  */
static void oracle_add_regions(struct part *part, const struct run *run, const char *label) {
  for (size_t r = 0; r < run->region_count; r++) {
    const struct region *region = &run->regions[r];
    if (strcmp(region->label, label) != 0)
      continue;
    part->partial |= !region->measured;
    if (!region->measured)
      continue;
    uint32_t root_invocation =
        oracle_add_root_invocation(part, (struct root_invocation){region->first, region->last, region});
    for (uint32_t i = region->invocations; i < region->invocations_end; i++)
      part->root_invocation_of[i] = root_invocation;
  }
}

/* Returns the part of RUN that consists of the outermost invocations of NAME, a function or call site, or of the
   regions with this label.  No generated program has a region and a function of the same name.  */
struct part oracle_part_root(const struct run *run, const char *name) {
  struct part part = {.root_invocation_of = oracle_allocate(run->invocation_count * sizeof *part.root_invocation_of)};
  struct named named = oracle_named_by(name);
  part.root_invocation_of[0] = NONE;
  for (uint32_t i = 1; i < run->invocation_count; i++) {
    const struct invocation *invocation = &run->invocations[i];
    part.root_invocation_of[i] = part.root_invocation_of[invocation->caller];
    if (part.root_invocation_of[i] == NONE && oracle_is_invocation_of(run, invocation, &named))
      part.root_invocation_of[i] =
          oracle_add_root_invocation(&part, (struct root_invocation){invocation->first, invocation->last, NULL});
  }
  free(named.name);
  oracle_add_regions(&part, run, name);
  return part;
}

/* Returns whether EDGE leads into a root invocation of PART or out of it, other than where that begins or ends.  */
static bool oracle_crosses(const struct run *run, const struct part *part, const struct edge *edge) {
  uint32_t from = part->root_invocation_of[run->dag.vertices[edge->from].owner],
           to = part->root_invocation_of[run->dag.vertices[edge->to].owner];
  return from != to && ((from != NONE && edge->from != part->root_invocations[from].last) ||
                        (to != NONE && edge->to != part->root_invocations[to].first));
}

/* Returns whether some edge leads out of a root invocation of PART, or into it, except where that begins or ends.  Only
   tasks of OpenMP make such edges.  */
bool oracle_part_is_crossed(const struct run *run, const struct part *part) {
  for (size_t e = 0; e < run->dag.edge_count; e++)
    if (oracle_crosses(run, part, &run->dag.edges[e]))
      return true;
  return false;
}

/* Returns the span that each root invocation of PART would have by itself, without edges from or to the rest of the
   run.  The caller frees the array.  */
static uint64_t *oracle_spans_alone(const struct run *run, const struct part *part, uint64_t burden) {
  struct dag dag = {0};
  uint64_t *spans = calloc(part->root_invocation_count + 1, sizeof *spans);
  for (uint32_t v = 0; v < run->dag.vertex_count; v++)
    oracle_dag_vertex(&dag, run->dag.vertices[v].owner, run->dag.vertices[v].cost);
  for (size_t e = 0; e < run->dag.edge_count; e++) {
    const struct edge *edge = &run->dag.edges[e];
    if (part->root_invocation_of[dag.vertices[edge->from].owner] ==
        part->root_invocation_of[dag.vertices[edge->to].owner])
      oracle_dag_edge(&dag, edge->from, edge->to, edge->burden);
  }
  struct paths paths = oracle_dag_longest_paths(&dag, burden);
  for (uint32_t v = 0; v < dag.vertex_count; v++) {
    uint32_t root_invocation = part->root_invocation_of[dag.vertices[v].owner];
    if (root_invocation != NONE && paths.length[v] > spans[root_invocation])
      spans[root_invocation] = paths.length[v];
  }
  oracle_paths_free(&paths);
  oracle_dag_free(&dag);
  return spans;
}

/* Returns whether tasks from outside make some root invocation longer or shorter than it is alone.  */
bool oracle_part_is_changed(const struct run *run, const struct part *part, uint64_t burden) {
  bool changed = false;
  struct paths paths = oracle_dag_longest_paths(&run->dag, burden);
  uint64_t *alone = oracle_spans_alone(run, part, burden);
  for (uint32_t i = 0; i < part->root_invocation_count; i++) {
    const struct root_invocation *root_invocation = &part->root_invocations[i];
    uint64_t span = paths.length[root_invocation->last] - paths.length[root_invocation->first] +
                    run->dag.vertices[root_invocation->first].cost;
    changed |= alone[i] != span;
  }
  free(alone);
  oracle_paths_free(&paths);
  return changed;
}

/* Frees what PART holds.  */
void oracle_part_free(struct part *part) {
  free(part->root_invocation_of);
  free(part->root_invocations);
}
