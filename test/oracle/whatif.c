/* What-if: the dag with other weights, and its longest path anew.
   SPDX-License-Identifier: MIT

   CILKPROF_WHATIF has the candidates, separated by commas: FUNCTION or FILE:LINE, and perhaps /FASTER.  A strand is a
   candidate's when it is part of an invocation of it, or of what that called.  */

#include <stdlib.h>
#include <string.h>

#include "test/oracle/measure.h"

struct candidate {
  char *name;         /* a function, or a file */
  unsigned long line; /* 0: a function */
};

static bool ends_with(const char *path, const char *name) {
  size_t length = strlen(path), part = strlen(name);
  return length >= part && !strcmp(path + length - part, name) && (length == part || path[length - part - 1] == '/');
}

static bool is_invocation_of(const struct run *run, const struct invocation *invocation, const struct candidate *c) {
  if (!invocation->site)
    return false;
  const struct site *site = &run->sites[invocation->site];
  if (c->line)
    return site->line == c->line && ends_with(site->strings[0], c->name);
  return !strcmp(site->strings[2], c->name) ||
         (invocation->entered && !strcmp(run->sites[invocation->entered].strings[2], c->name));
}

/* INSIDE[i]: invocation i is the candidate's, or below one that is.  Returns how many are its outermost ones.  */
static uint64_t find_inside(const struct run *run, const struct candidate *c, bool *inside) {
  uint64_t outermost = 0;
  inside[0] = false;
  for (size_t i = 1; i < run->invocation_count; i++) {
    bool above = inside[run->invocations[i].caller], here = is_invocation_of(run, &run->invocations[i], c);
    inside[i] = above || here;
    outermost += here && !above;
  }
  return outermost;
}

/* Strands inside cost INSIDE_COST times what they do, all others OUTSIDE_COST times.  */
static void weigh(struct whatif_row *row, const struct run *run, const bool *inside, uint64_t inside_cost,
                  uint64_t outside_cost) {
  struct dag dag = run->dag;
  dag.vertices = allocate(dag.vertex_count * sizeof *dag.vertices);
  row->work = 0;
  for (size_t v = 0; v < dag.vertex_count; v++) {
    dag.vertices[v] = run->dag.vertices[v];
    dag.vertices[v].cost *= inside[dag.vertices[v].owner] ? inside_cost : outside_cost;
    if (!dag.vertices[v].on_paths_only)
      row->work += dag.vertices[v].cost;
  }
  struct paths paths = dag_longest_paths(&dag, 0);
  row->span = paths.length[run->invocations[0].last];
  paths_free(&paths);
  free(dag.vertices);
}

static unsigned long cut_number(char *text, char mark, unsigned long otherwise) {
  char *at = strrchr(text, mark);
  if (!at || !at[1] || strspn(at + 1, "0123456789") != strlen(at + 1))
    return otherwise;
  *at = 0;
  return strtoul(at + 1, NULL, 10);
}

/* Of candidates that are named twice there is one.  */
static void add_row(struct table *table, struct whatif_row *row) {
  for (size_t i = 0; i < table->whatif_count; i++)
    if (table->whatifs[i].faster == row->faster && strcmp(table->whatifs[i].candidate, row->candidate) == 0) {
      free(row->candidate);
      return;
    }
  table_add_whatif(table, row);
}

static void add_candidate(struct table *table, const struct run *run, char *text, bool *inside) {
  unsigned long faster = cut_number(text, '/', 2);
  struct candidate candidate = {.name = strdup(text)};
  candidate.line = cut_number(candidate.name, ':', 0);
  uint64_t count = find_inside(run, &candidate, inside);
  if (count) {
    struct whatif_row free_of_cost = {.candidate = strdup(text), .faster = 0, .count = count},
                      quicker = {.candidate = strdup(text), .faster = faster, .count = count};
    weigh(&free_of_cost, run, inside, 0, 1);
    weigh(&quicker, run, inside, 1, faster);
    add_row(table, &free_of_cost);
    add_row(table, &quicker);
  }
  free(candidate.name);
}

void measure_whatifs(struct table *table, const struct run *run) {
  const char *wanted = getenv("CILKPROF_WHATIF");
  char *list = strdup(wanted ? wanted : "");
  bool *inside = allocate(run->invocation_count * sizeof *inside);
  for (char *text = strtok(list, ","); text; text = strtok(NULL, ","))
    add_candidate(table, run, text, inside);
  free(inside);
  free(list);
}
