/* Regions: parts of a run that the program marks, and their cost.
   SPDX-License-Identifier: MIT

   A region is what lies between a start and a stop of the same label on one serial path.  If starts of one label are
   nested, the outermost counts.  A named strand is a part of one function's own work.  A region that cannot be measured
   is not counted, and this is reported once for each label.  */

#include <string.h>

#include "libcilkprof/engine/marks/marks.h"
#include "libcilkprof/engine/span/observer.h"
#include "libcilkprof/common/system.h"
#include "libcilkprof/engine/memory.h"

enum { BUCKETS = 1024, STARTS = 1 << 20, MAX_LABEL = 256 };

struct region {
  struct region *next_in_bucket, *next;
  struct cilkprof_region out;
  uint64_t open; /* starts without a stop yet */
  struct cilkprof_point start;
  int said;
  char label[];
};

struct start {
  struct region *region;
  uint64_t work; /* of the program, before the start */
};

struct strand {
  struct region *region;
  const frame_t *frame;
  const block_t *block;
  uint64_t local_work; /* of the function or block, before the strand */
};

struct region_table {
  struct region *buckets[BUCKETS], *first, **last;
  struct start *starts; /* the open ones, in their order */
  size_t start_count;
  struct strand *strands; /* the open ones, in their order; at most one for each function and block */
  size_t strand_count;
};

/* Returns the table of regions of this thread; NULL: there is none yet.  */
static struct region_table *marked_region_table(void) {
  return profiled_thread()->regions;
}

static void drop_marked_regions_jumped_out(const frame_t *frame);
static void end_strand_and_root_regions(const frame_t *frame, const block_t *block, uint64_t local_work);

/* Returns the table of regions of this thread, which is made if there is none; NULL: there is no memory.  From then on,
   the ends of strands and jumps are observed.  */
static struct region_table *make_marked_region_table(void) {
  if (!marked_region_table()) {
    profiled_thread()->regions = __cilkprof_reserve(sizeof(struct region_table));
    __cilkprof_observer.strand_ends = end_strand_and_root_regions;
    __cilkprof_observer.control_left = drop_marked_regions_jumped_out;
  }
  return marked_region_table();
}

/* Returns the index of the bucket for regions of KIND with LABEL, which has LENGTH characters.  */
static size_t marked_region_bucket_index(const char *label, size_t length, uint64_t kind) {
  uint64_t hash = kind;
  for (size_t i = 0; i < length; i++)
    hash = (hash ^ (unsigned char)label[i]) * 0x100000001B3u;
  return (hash ^ hash >> 32) % BUCKETS;
}

/* Returns a new region of KIND with LABEL, which has LENGTH characters, in BUCKET and at the end of the list of
   regions; NULL: there is no memory.  */
static struct region *make_marked_region(const char *label, size_t length, uint64_t kind, struct region **bucket) {
  struct region *region = __cilkprof_allocate(sizeof *region + length + 1);
  if (!region)
    return NULL;
  memcpy(region->label, label, length);
  region->out.label = region->label;
  region->out.kind = kind;
  region->next_in_bucket = *bucket;
  *bucket = region;
  if (!marked_region_table()->first)
    marked_region_table()->last = &marked_region_table()->first;
  *marked_region_table()->last = region;
  marked_region_table()->last = &region->next;
  return region;
}

/* Returns the region with LABEL and KIND, which is made if there is none; NULL: there is no memory.  */
static struct region *find_marked_region(const char *label, uint64_t kind) {
  if (!make_marked_region_table())
    return NULL;
  label = label ? label : "";
  size_t length = strnlen(label, MAX_LABEL);
  struct region **bucket = &marked_region_table()->buckets[marked_region_bucket_index(label, length, kind)];
  for (struct region *region = *bucket; region; region = region->next_in_bucket)
    if ((region->out.kind & ~(uint64_t)CILKPROF_REGION_PARTIAL) == kind && strlen(region->label) == length &&
        memcmp(region->label, label, length) == 0)
      return region;
  return make_marked_region(label, length, kind, bucket);
}

/* Returns what the profile will say about the region with LABEL and KIND, which is made if there is none; NULL: there
   is no memory.  */
struct cilkprof_region *__cilkprof_region(const char *label, uint64_t kind) {
  struct region *region = find_marked_region(label, kind);
  return region ? &region->out : NULL;
}

/* Marks REGION as partial and reports, once for each region, WHY it is not counted.  */
static void report_uncounted_marked_region(struct region *region, const char *why) {
  region->out.kind |= CILKPROF_REGION_PARTIAL;
  if (region->said)
    return;
  region->said = 1;
  char what[MAX_LABEL + 16] = "region ";
  strcat(what, region->label);
  __cilkprof_say(what, why, "it is not counted");
}

/* Returns whether one more start of a region can be noted.  */
static int has_room_for_marked_region_start(void) {
  if (!marked_region_table()->starts)
    marked_region_table()->starts = __cilkprof_reserve(STARTS * sizeof *marked_region_table()->starts);
  return marked_region_table()->starts && marked_region_table()->start_count < STARTS;
}

/* Starts the region with LABEL at the current point.  If it is open already, the start is only counted.  */
void __cilkprof_region_start(const char *label) {
  struct region *region = find_marked_region(label, CILKPROF_REGION_MARKED);
  if (!region)
    return;
  if (!has_room_for_marked_region_start()) {
    report_uncounted_marked_region(region, "too many are open");
    return;
  }
  struct cilkprof_point here = __cilkprof_point(THREAD.frames);
  __cilkprof_root_region_start(region->label);
  if (region->open++ == 0)
    region->start = here;
  marked_region_table()->starts[marked_region_table()->start_count++] = (struct start){region, here.work};
}

/* Removes the last start of REGION from the list of open starts.  */
static void remove_last_marked_region_start(const struct region *region) {
  size_t i = marked_region_table()->start_count;
  while (i > 0 && marked_region_table()->starts[i - 1].region != region)
    i--;
  if (i > 0)
    memmove(&marked_region_table()->starts[i - 1], &marked_region_table()->starts[i],
            (marked_region_table()->start_count-- - i) * sizeof *marked_region_table()->starts);
}

/* Adds what lies between the start of REGION and the current point to its totals.  If this cannot be measured, it
   reports why.  */
static void book_marked_region(struct region *region) {
  const struct cilkprof_point *start = &region->start, stop = __cilkprof_point(THREAD.frames);
  if (!__cilkprof_point_same_scope(start, &stop)) {
    report_uncounted_marked_region(region, "it does not stop on the serial path on which it started");
    return;
  }
  uint64_t work = stop.work - start->work, span = stop.span - start->span,
           burdened_span = stop.burdened_span - start->burdened_span;
  if (span > work || burdened_span < span) {
    report_uncounted_marked_region(region, "it joins what was spawned before it started");
    return;
  }
  region->out.total.count++;
  region->out.total.work += work;
  region->out.total.span += span;
  region->out.total.burdened_span += burdened_span;
}

/* Stops the region with LABEL.  The stop of its outermost start adds what lies between the two to the region.  */
void __cilkprof_region_stop(const char *label) {
  struct region *region = find_marked_region(label, CILKPROF_REGION_MARKED);
  if (!region)
    return;
  if (!region->open) {
    report_uncounted_marked_region(region, "it stops without a start");
    return;
  }
  __cilkprof_root_region_stop(region->label);
  remove_last_marked_region_start(region);
  if (--region->open == 0)
    book_marked_region(region);
}

/* Drops the regions that were started inside of FRAME's call, and reports them: control has jumped out of them.  */
static void drop_marked_regions_jumped_out(const frame_t *frame) {
  if (!THREAD.recording || !marked_region_table() || !marked_region_table()->start_count)
    return;
  uint64_t work = __cilkprof_point(frame).work;
  while (marked_region_table()->start_count &&
         marked_region_table()->starts[marked_region_table()->start_count - 1].work > work) {
    struct region *region = marked_region_table()->starts[--marked_region_table()->start_count].region;
    region->open--;
    __cilkprof_root_region_jumped(region->label);
    report_uncounted_marked_region(region, "control jumps out of it");
  }
}

/* Ends all regions at the end of the run.  Those that are still open end here if END_HERE; otherwise they are
   reported.  */
void __cilkprof_regions_end(int end_here) {
  __cilkprof_marked_locks_end();
  for (struct region *region = marked_region_table() ? marked_region_table()->first : NULL; region;
       region = region->next) {
    if (!region->open)
      continue;
    if (end_here)
      book_marked_region(region);
    else
      report_uncounted_marked_region(region, "it is never stopped");
    region->open = 0;
  }
}

/* Ends the named strand of FRAME and BLOCK, if it has one, and adds its work to the strand's region.  LOCAL_WORK is
   what FRAME and BLOCK did themselves so far.  */
static void end_marked_strand(const frame_t *frame, const block_t *block, uint64_t local_work) {
  if (!THREAD.recording || !marked_region_table() || !marked_region_table()->strand_count)
    return;
  const struct strand *strand = &marked_region_table()->strands[marked_region_table()->strand_count - 1];
  if (strand->frame != frame || strand->block != block)
    return;
  marked_region_table()->strand_count--;
  uint64_t work = local_work - strand->local_work;
  struct cilkprof_measure *total = &strand->region->out.total;
  total->count++;
  total->work += work;
  total->span += work;
  total->burdened_span += work;
}

/* Ends the named strand and the root regions that began in BLOCK of FRAME, which ends.  */
static void end_strand_and_root_regions(const frame_t *frame, const block_t *block, uint64_t local_work) {
  end_marked_strand(frame, block, local_work);
  __cilkprof_root_regions_left(frame, block, local_work);
}

/* Returns the innermost block of FRAME that has work of its own; NULL: the function has it.  The work in a cilk_scope
   is that of the function or block around it.  */
static const block_t *innermost_marked_block_with_work(const frame_t *frame) {
  const block_t *block = frame->block;
  while (block && block->kind == __CILKPROF_BLOCK_SCOPE)
    block = block->outer.block;
  return block;
}

/* Ends the named strand of the innermost function or block, and begins one with NAME if that is not NULL.  */
void __cilkprof_strand_begin(const char *name) {
  const frame_t *frame = THREAD.frames;
  const block_t *block = innermost_marked_block_with_work(frame);
  end_marked_strand(frame, block, frame->local_work);
  struct region *region = name ? find_marked_region(name, CILKPROF_REGION_STRAND) : NULL;
  if (!region)
    return;
  if (!marked_region_table()->strands)
    marked_region_table()->strands = __cilkprof_reserve(STARTS * sizeof *marked_region_table()->strands);
  if (!marked_region_table()->strands || marked_region_table()->strand_count == STARTS) {
    report_uncounted_marked_region(region, "too many are open");
    return;
  }
  marked_region_table()->strands[marked_region_table()->strand_count++] =
      (struct strand){region, frame, block, frame->local_work};
}

/* Adds an invocation with WORK, SPAN and BURDENED_SPAN, which were measured elsewhere, to the region with LABEL.  */
void __cilkprof_region_add(const char *label, uint64_t work, uint64_t span, uint64_t burdened_span) {
  struct region *region = find_marked_region(label, CILKPROF_REGION_MARKED);
  if (!region)
    return;
  if (span > work || burdened_span < span) {
    report_uncounted_marked_region(region, "its work, span and burdened span contradict each other");
    return;
  }
  region->out.total.count++;
  uint64_t flags = 0;
  cilkprof_add(&region->out.total.work, work, &flags);
  cilkprof_add(&region->out.total.span, span, &flags);
  cilkprof_add(&region->out.total.burdened_span, burdened_span, &flags);
  set_profile_flags(flags);
}

/* Returns the region after REGION, or the first one if that is NULL; NULL: there are no more.  */
const struct cilkprof_region *__cilkprof_next_region(const struct cilkprof_region *region) {
  const struct region *next = marked_region_table() ? marked_region_table()->first : NULL;
  if (region)
    next = ((const struct region *)((const char *)region - offsetof(struct region, out)))->next;
  return next ? &next->out : NULL;
}
