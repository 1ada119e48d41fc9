/* Every measurement of a run, summed over its invocations as the definitions say.
   SPDX-License-Identifier: MIT

   Work is the cost of all strands of an invocation and of what it called.  Span is that of the longest path from its
   first strand to its last.  Every path into an invocation passes its first strand, so the longest paths from the
   program's beginning serve for all.  Local is the part in strands of the invocation's own: of its work, and of its
   own longest path (with the burdens of edges from them, in the burdened dag).  An invocation is on the span when a
   strand of it, or of what it called or spawned, is on the longest path of the program; or of a root invocation,
   where that is measured as one.  Its local span is then the cost of those strands of it that are on that path: in
   Cilk all of its own longest path, in OpenMP any part of it, as a path may leave and enter it anywhere.  */

#include <stdlib.h>

#include "test/oracle/measure.h"

static struct cilkprof_measure *whole_of, *local_of; /* by invocation */
static bool *on_critical_path, *left_by_post;
static uint64_t *span_on_path;       /* local, of those on the path */
static struct paths plain, burdened; /* without burdens, and with them */
static uint64_t burden_of_run;

/* Finds the work of every invocation: its own, and with its callees.  */
static void oracle_measure_work(const struct run *run) {
  const struct dag *dag = &run->dag;
  for (size_t v = 0; v < dag->vertex_count; v++)
    if (!dag->vertices[v].on_paths_only)
      local_of[dag->vertices[v].owner].work += dag->vertices[v].cost;
  for (size_t i = run->invocation_count; i-- > 0;) {
    whole_of[i].work += local_of[i].work;
    if (run->invocations[i].caller != NONE)
      whole_of[run->invocations[i].caller].work += whole_of[i].work;
  }
}

/* Returns the length of the longest path from vertex FIRST to LAST, both included.  */
static uint64_t oracle_span(const struct dag *dag, uint32_t first, uint32_t last, const struct paths *paths) {
  return paths->length[last] - paths->length[first] + dag->vertices[first].cost;
}

/* Returns the part of the longest path from FIRST to LAST that is invocation I's own, by walking the path from its
   end.  */
static uint64_t oracle_local_span(const struct dag *dag, uint32_t i, uint32_t first, uint32_t last,
                                  const struct paths *paths, uint64_t burden) {
  uint64_t sum = 0;
  for (uint32_t v = last;;) {
    if (dag->vertices[v].owner == i)
      sum += dag->vertices[v].cost;
    if (v == first)
      return sum;
    const struct edge *edge = &dag->edges[paths->last_edge[v]];
    if (edge->aside)
      edge = &dag->edges[dag->vertices[v].usual_edge];
    if (dag->vertices[edge->from].owner == i)
      sum += oracle_edge_burden(edge, burden);
    v = edge->from;
  }
}

/* Finds the span of every invocation, with burdens and without: of all of it, and its own part.  */
static void oracle_measure_spans(const struct run *run, uint64_t burden) {
  plain = oracle_dag_longest_paths(&run->dag, 0);
  burdened = oracle_dag_longest_paths(&run->dag, burden_of_run = burden);
  for (uint32_t i = 0; i < run->invocation_count; i++) {
    uint32_t first = run->invocations[i].first, last = run->invocations[i].last;
    whole_of[i].span = oracle_span(&run->dag, first, last, &plain);
    whole_of[i].burdened_span = oracle_span(&run->dag, first, last, &burdened);
    local_of[i].span = oracle_local_span(&run->dag, i, first, last, &plain, 0);
    local_of[i].burdened_span = oracle_local_span(&run->dag, i, first, last, &burdened, burden);
  }
}

/* Notes that strand V is on the critical path, and with it its invocation and all around that.  Of invocations with
   barriers of a team in them, those count in which the path is behind the last of these; and those that the path has
   left by a write, to go on in another thread, count if it has come back.  */
static void oracle_mark_strand(const struct run *run, uint32_t v) {
  uint32_t owner = run->dag.vertices[v].owner;
  span_on_path[owner] += run->dag.vertices[v].cost;
  for (; owner != NONE; owner = run->invocations[owner].caller)
    on_critical_path[owner] |= v >= run->invocations[owner].crossed && !left_by_post[owner];
}

/* Notes that the critical path, which is walked from its end, leaves the invocation with strand V by a write, and all
   around that.  */
static void oracle_mark_left_by_post(const struct run *run, uint32_t v) {
  for (uint32_t owner = run->dag.vertices[v].owner; owner != NONE; owner = run->invocations[owner].caller)
    left_by_post[owner] = true;
}

/* Marks the invocations on the longest path of every root invocation of PART.  */
static void oracle_mark_critical_paths(const struct run *run, const struct part *part) {
  for (uint32_t i = 0; i < run->invocation_count; i++) {
    on_critical_path[i] = left_by_post[i] = false;
    span_on_path[i] = 0;
  }
  for (uint32_t i = 0; i < part->root_invocation_count; i++) {
    uint32_t v = part->root_invocations[i].last;
    for (; v != part->root_invocations[i].first && plain.last_edge[v] != NONE;
         v = run->dag.edges[plain.last_edge[v]].from) {
      oracle_mark_strand(run, v);
      if (run->dag.edges[plain.last_edge[v]].from_post)
        oracle_mark_left_by_post(run, run->dag.edges[plain.last_edge[v]].from);
    }
    oracle_mark_strand(run, v);
  }
}

/* Finds whether invocation I of PART is a top-call-site invocation, with no invocation of the same site above it in its
   root invocation, and a top-caller invocation, with none above it that was called by the same function.  */
static void oracle_find_tops(const struct run *run, const struct part *part, uint32_t i, bool *top_call_site,
                             bool *top_caller) {
  uint32_t site = run->invocations[i].site, above = run->invocations[i].caller;
  *top_call_site = *top_caller = true;
  for (; above != 0 && part->root_invocation_of[above] == part->root_invocation_of[i];
       above = run->invocations[above].caller) {
    uint32_t site_above = run->invocations[above].site;
    if (site_above == site)
      *top_call_site = false;
    if (run->sites[site_above].function == run->sites[site].function)
      *top_caller = false;
  }
}

/* Adds ONE invocation to the sum TO.  */
static void oracle_add(struct cilkprof_measure *to, const struct cilkprof_measure *one) {
  to->count++;
  to->work += one->work;
  to->span += one->span;
  to->burdened_span += one->burdened_span;
}

/* Adds invocation I to the sums TO of its site, to each for which it counts.  */
static void oracle_add_invocation(struct cilkprof_measures *to, uint32_t i, const struct cilkprof_measure *local,
                                  bool top_call_site, bool top_caller) {
  oracle_add(&to->local, local);
  if (top_call_site)
    oracle_add(&to->top_call_site, &whole_of[i]);
  if (top_caller)
    oracle_add(&to->top_caller, &whole_of[i]);
}

/* Returns the names of all sites of RUN, as the profile's are named.  PROGRAM has the symbols.  Allocated.  */
static char **oracle_name_sites(const struct run *run, const char *program) {
  const struct executable *executable = oracle_executable_open(program);
  char **names = oracle_allocate((run->site_count + 1) * sizeof *names);
  for (size_t s = 1; s <= run->site_count; s++) {
    const struct site *site = &run->sites[s];
    const char *callee = site->strings[2];
    if (site->callee)
      callee = oracle_executable_function(executable, site->callee + oracle_executable_base(executable));
    names[s] = oracle_site_name(site->kind, site->flags, site->line, site->column, (const char *const *)site->strings,
                                callee ? callee : "?");
  }
  return names;
}

/* Limits the span in MEASURE to the work.  A function that waits for other functions' tasks would otherwise have more
   span than work.  */
static void oracle_limit_span(struct cilkprof_measure *measure) {
  if (measure->span > measure->work)
    measure->span = measure->work;
  if (measure->burdened_span < measure->span)
    measure->burdened_span = measure->span;
}

/* Adds the measurements of all calling contexts in PART to TABLE.  A top-call-site invocation has a context of its own,
   others belong to that of their caller.  */
static void oracle_measure_contexts(struct table *table, const struct run *run, const struct part *part,
                                    char *const *site_names) {
  uint32_t *context_of = calloc(run->invocation_count, sizeof *context_of);
  oracle_contexts_begin();
  for (uint32_t i = 1; i < run->invocation_count; i++) {
    bool top_call_site, top_caller;
    if (part->root_invocation_of[i] == NONE)
      continue;
    oracle_find_tops(run, part, i, &top_call_site, &top_caller);
    context_of[i] = context_of[run->invocations[i].caller]; /* 0 where a root invocation begins */
    if (!top_call_site)
      continue;
    context_of[i] = oracle_contexts_enter(context_of[i], run->invocations[i].site);
    oracle_add(&oracle_contexts_on_work(context_of[i])->top_call_site, &whole_of[i]);
    if (on_critical_path[i])
      oracle_add(&oracle_contexts_on_span(context_of[i])->top_call_site, &whole_of[i]);
  }
  for (uint32_t i = 1; run->openmp && i < run->invocation_count; i++) {
    oracle_limit_span(&oracle_contexts_on_work(context_of[i])->top_call_site);
    oracle_limit_span(&oracle_contexts_on_span(context_of[i])->top_call_site);
  }
  oracle_contexts_end(table, site_names);
  free(context_of);
}

/* Adds a row to TABLE for every site that was invoked, and frees the other names.  */
static void oracle_add_sites(struct table *table, const struct run *run, char **names,
                             const struct cilkprof_measures (*sums)[2]) {
  for (size_t s = 1; s <= run->site_count; s++)
    if (sums[s][0].local.count)
      oracle_table_add(table, names[s], &sums[s][0], &sums[s][1]);
    else
      free(names[s]);
  free(names);
}

/* Finds the work and spans of all invocations of RUN, with edges that cost BURDEN.  Call it before oracle_measure;
   oracle_measure_end frees the result.  */
void oracle_measure_run(const struct run *run, uint64_t burden) {
  whole_of = calloc(run->invocation_count, sizeof *whole_of);
  local_of = calloc(run->invocation_count, sizeof *local_of);
  on_critical_path = calloc(run->invocation_count, sizeof *on_critical_path);
  left_by_post = calloc(run->invocation_count, sizeof *left_by_post);
  span_on_path = calloc(run->invocation_count, sizeof *span_on_path);
  if (!whole_of || !local_of || !on_critical_path || !left_by_post || !span_on_path)
    oracle_fail("out of memory");
  oracle_measure_work(run);
  oracle_measure_spans(run, burden);
}

/* Adds to TABLE what the function itself did in REGION, which is a part of it.  */
static void oracle_add_region(struct table *table, const struct run *run, const struct region *region) {
  const struct dag *dag = &run->dag;
  struct cilkprof_measure own = {
      .span = oracle_local_span(dag, region->owner, region->first, region->last, &plain, 0),
      .burdened_span = oracle_local_span(dag, region->owner, region->first, region->last, &burdened, burden_of_run)};
  for (uint32_t v = region->first; v <= region->last; v++)
    if (dag->vertices[v].owner == region->owner && !dag->vertices[v].on_paths_only)
      own.work += dag->vertices[v].cost;
  oracle_add(&table->own, &own);
  table->totals.work += own.work;
  table->totals.spawns += region->spawns;
  table->totals.syncs += region->syncs;
}

/* Adds the totals of all root invocations of PART to TABLE.  */
static void oracle_add_totals(struct table *table, const struct run *run, const struct part *part) {
  struct cilkprof_totals *totals = &table->totals;
  for (uint32_t i = 0; i < part->root_invocation_count; i++) {
    const struct root_invocation *root_invocation = &part->root_invocations[i];
    totals->span += oracle_span(&run->dag, root_invocation->first, root_invocation->last, &plain);
    totals->burdened_span += oracle_span(&run->dag, root_invocation->first, root_invocation->last, &burdened);
    if (root_invocation->region)
      oracle_add_region(table, run, root_invocation->region);
  }
  for (uint32_t i = 0; i < run->invocation_count; i++)
    if (part->root_invocation_of[i] != NONE) {
      totals->work += local_of[i].work;
      totals->spawns += run->invocations[i].spawns;
      totals->syncs += run->invocations[i].syncs;
    }
}

/* Adds all measurements of PART of RUN to TABLE, those of sites by name and, if CONTEXTS, those of contexts.  PROGRAM
   is the executable that was traced: it has the names.  */
void oracle_measure(struct table *table, const struct run *run, const struct part *part, const char *program,
                    bool contexts) {
  struct cilkprof_measures(*sums)[2] = calloc(run->site_count + 1, sizeof *sums);
  oracle_mark_critical_paths(run, part);
  oracle_add_totals(table, run, part);
  for (uint32_t i = 1; i < run->invocation_count; i++) {
    bool top_call_site, top_caller;
    if (part->root_invocation_of[i] == NONE)
      continue;
    oracle_find_tops(run, part, i, &top_call_site, &top_caller);
    oracle_add_invocation(&sums[run->invocations[i].site][0], i, &local_of[i], top_call_site, top_caller);
    if (!on_critical_path[i]) { /* of a thread that was on it only up to a barrier */
      sums[run->invocations[i].site][1].local.span += span_on_path[i];
      continue;
    }
    struct cilkprof_measure local = local_of[i];
    local.span = span_on_path[i];
    oracle_add_invocation(&sums[run->invocations[i].site][1], i, &local, top_call_site, top_caller);
  }
  for (size_t s = 1; run->openmp && s <= run->site_count; s++)
    for (int which = 0; which < 2; which++) {
      oracle_limit_span(&sums[s][which].top_call_site);
      oracle_limit_span(&sums[s][which].top_caller);
    }
  char **names = oracle_name_sites(run, program);
  if (contexts)
    oracle_measure_contexts(table, run, part, names);
  oracle_add_sites(table, run, names, (const struct cilkprof_measures(*)[2])sums);
  free(sums);
}

/* Frees what oracle_measure_run has found.  */
void oracle_measure_end(void) {
  free(whole_of);
  free(local_of);
  free(on_critical_path);
  free(left_by_post);
  free(span_on_path);
  oracle_paths_free(&plain);
  oracle_paths_free(&burdened);
}
