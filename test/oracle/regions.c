/* Regions that a program marks: root invocations from a start to a stop of the same label, the outermost of those
   that nest.
   SPDX-License-Identifier: MIT

   A root invocation is a program of its own where it stops in the part of the invocation in which it started, the
   same grain of a loop, and leaves children from before alone.  It also ends where control leaves that part for good,
   by exit, longjmp or an exception; but where that part ends without a stop, it is none.  */

#include <stdlib.h>
#include <string.h>

#include "test/oracle/follow.h"

enum { MAX_STARTS = 1 << 16 };

/* A start without a stop; the outermost one of its label is the root invocation.  */
struct start {
  char *label;
  uint64_t invocations; /* so many there were before */
  bool outermost;
  struct region region;
  size_t depth, grain; /* the part of the invocation, and of its loop */
  size_t children;
  uint64_t joins; /* that its part had added or joined children before */
};

static struct start starts[MAX_STARTS];
static size_t start_count;

/* Returns whether a region with LABEL is open.  */
static bool oracle_is_open(const char *label) {
  for (size_t i = 0; i < start_count; i++)
    if (!strcmp(starts[i].label, label))
      return true;
  return false;
}

/* Removes start I from the list of open regions.  */
static void oracle_forget(size_t i) {
  free(starts[i].label);
  memmove(&starts[i], &starts[i + 1], (--start_count - i) * sizeof *starts);
}

/* Begins a new strand in C, so that the region begins or ends between two.  */
static void oracle_split_strand(struct context *c) {
  oracle_begin_strand(c, c->vertex, NO_BURDEN);
}

/* Event: a region with LABEL starts in invocation FRAME, which has done WORK.  Notes what is open here, since a region
   that ends elsewhere cannot be measured.  */
void oracle_on_region_start(uint64_t frame, uint64_t work, const char *label) {
  struct context *c = oracle_running(frame);
  const struct invocation *owner = &run->invocations[c->invocation];
  oracle_end_strand(c, work);
  oracle_split_strand(c);
  if (start_count == MAX_STARTS)
    oracle_fail("too many regions are open");
  bool outermost = !oracle_is_open(label);
  starts[start_count++] = (struct start){
      .label = strdup(label),
      .invocations = run->invocation_count,
      .outermost = outermost,
      .region = {.owner = c->invocation,
                 .first = c->vertex,
                 .invocations = (uint32_t)run->invocation_count,
                 .spawns = owner->spawns,
                 .syncs = owner->syncs},
      .depth = oracle_context_depth(c),
      .grain = c->grain_count,
      .children = c->child_count,
      .joins = c->joins,
  };
}

/* Ends the region that START began in C, and adds it to the run.  STOPPED tells whether it was stopped regularly.
   Children of C that were spawned in it are joined at its end, as those of a program are.  */
static void oracle_end_root_invocation(struct context *c, struct start *start, bool stopped) {
  struct region *region = &start->region;
  const struct invocation *owner = &run->invocations[c->invocation];
  region->measured = stopped && oracle_context_depth(c) == start->depth && c->grain_count == start->grain &&
                     (!start->children || c->joins == start->joins);
  region->last = c->vertex;
  region->invocations_end = (uint32_t)run->invocation_count;
  region->spawns = owner->spawns - region->spawns;
  region->syncs = owner->syncs - region->syncs;
  if (region->measured && c->child_count && !start->children) {
    region->last = oracle_join_vertex(c);
    region->syncs++;
  }
  region->label = strdup(start->label);
  run->regions = oracle_reallocate(run->regions, (run->region_count + 1) * sizeof *run->regions);
  run->regions[run->region_count++] = *region;
  oracle_split_strand(c);
}

/* Event: invocation FRAME, which has done WORK, stops the region LABEL.  Of several starts of one label, the stop ends
   the last.  */
void oracle_on_region_stop(uint64_t frame, uint64_t work, const char *label) {
  struct context *c = oracle_running(frame);
  oracle_end_strand(c, work);
  for (size_t i = start_count; i-- > 0;)
    if (!strcmp(starts[i].label, label)) {
      bool outermost = true;
      for (size_t j = 0; j < i; j++)
        outermost &= strcmp(starts[j].label, label) != 0;
      if (outermost)
        oracle_end_root_invocation(c, &starts[i], true);
      oracle_forget(i);
      return;
    }
}

/* Ends the regions that were begun in C, which ends; LEFT tells whether control leaves it.  What began inside of them
   counts as stopped.  */
void oracle_regions_end(struct context *c, bool left) {
  for (size_t i = start_count; i-- > 0;)
    if (starts[i].outermost && starts[i].depth == oracle_context_depth(c)) {
      char *label = strdup(starts[i].label);
      oracle_end_root_invocation(c, &starts[i], left);
      for (size_t j = start_count; j-- > 0;)
        if (!strcmp(starts[j].label, label))
          oracle_forget(j);
      free(label);
    }
}

/* Event: the function of invocation FRAME, which has done WORK, is about to return.  Ends the regions that it began;
   its children are joined only after this.  */
void oracle_on_regions_end(uint64_t frame, uint64_t work) {
  oracle_end_strand(oracle_running(frame), work);
  oracle_regions_end(oracle_running(frame), false);
}

/* Forgets the starts of regions since INVOCATION began, because control jumps out of it.  */
void oracle_regions_jump(uint32_t invocation) {
  for (size_t i = start_count; i-- > 0 && starts[i].invocations > invocation;)
    if (!starts[i].outermost)
      oracle_forget(i);
}

/* Frees the regions of the run OF.  */
void oracle_regions_free(struct run *of) {
  for (size_t i = 0; i < of->region_count; i++)
    free(of->regions[i].label);
  free(of->regions);
}
