/* The tree of a Cilk or OpenMP program, made from its long children (span/pieces.h) when the program ends.
   SPDX-License-Identifier: MIT

   What lies between long children is known by its work and by how much of it is on the path.  In the tree it is a loop
   with tasks as long as that path: such a part has the same work and the same span, and any number of processors can
   share it.  So the tree has the work of the program, and its span too, if all long children were kept.  A tree cannot
   have tasks that wait for each other, nor any that outlive the task that made them and one that waits for that: where
   this would change the span, the part around it is such a loop too.  */

#include <string.h>

#include "libcilkprof/engine/memory.h"
#include "libcilkprof/engine/span/pieces.h"
#include "libcilkprof/engine/tree/grown.h"
#include "libcilkprof/engine/tree/record.h"

enum { BYTES = 8 << 20, SMALL_TASKS = 64 };

/* Returns how long a short task is taken to be, among tasks with WORK in all: only that it is shorter than a long
   child, and than LONGEST, is known.  */
static uint64_t length_of_short_grown_task(const struct growing *growing, uint64_t work, uint64_t longest) {
  uint64_t length = (work < growing->least ? work : growing->least) / SMALL_TASKS;
  length = length < longest ? length : longest;
  return length ? length : 1;
}

/* Returns how often a part with WORK and SPAN forks and joins, one time after the other.  BURDENS are those on its
   path: each round has as many as the tree of spawns is deep that gives the part its parallelism.  */
static uint64_t count_grown_rounds(uint64_t work, uint64_t span, uint64_t burdens) {
  uint64_t spawns = THREAD.burden ? burdens / THREAD.burden : 0, parallelism = work / span;
  uint64_t rounds = spawns / (64 - (uint64_t)__builtin_clzll(parallelism));
  return rounds < 1 ? 1 : rounds < span ? rounds : span;
}

/* Adds a part between long children, with WORK, of which SPAN is on the path, with BURDENS.  What is lost by rounding
   is the last round.  */
static void add_grown_part_between(struct growing *growing, uint64_t work, uint64_t span, uint64_t burdens) {
  if (span >= work) {
    growing->pending += work;
    return;
  }
  span = span ? span : length_of_short_grown_task(growing, work, work);
  uint64_t rounds = count_grown_rounds(work, span, burdens), rest = span % rounds, each = (work - rest) / rounds;
  uint64_t last = work - rounds * each, one = __cilkprof_grown_equal_loop(growing, each, span / rounds);
  __cilkprof_grown_child(growing, growing->pending, 1,
                         rest ? one : __cilkprof_grown_equal_loop(growing, each + last, span / rounds));
  if (rounds > 1)
    __cilkprof_grown_child(growing, 0, rounds - 1, one);
  growing->pending = 0;
  if (rest)
    add_grown_part_between(growing, last, rest, 0);
}

/* Returns whether the parts from FIRST on follow each other, and end before WORK.  It is not so if control left calls
   in which they were by a jump.  */
static int do_grown_parts_fit(const struct growing *growing, size_t first, uint64_t work) {
  uint64_t end = 0;
  for (size_t i = first; i < growing->part_count; i++) {
    const struct part *part = &growing->parts[i];
    if (part->before < end)
      return 0;
    end = part->before + part->work;
  }
  return end <= work;
}

/* Returns the serial work between the repetitions of PART.  */
static uint64_t work_between_grown_repetitions(const struct part *part) {
  return (part->repeat - 1) * part->between;
}

/* Adds PART, with all its repetitions, as a child after serial WORK.  */
static void add_grown_part_as_child(struct growing *growing, uint64_t work, const struct part *part) {
  __cilkprof_grown_child(growing, work, 1, part->node);
  if (part->repeat > 1)
    __cilkprof_grown_child(growing, part->between, part->repeat - 1, part->node);
}

/* Adds the parts from FIRST on as children of a section, that of PIECE.  Returns the work of short children that ran
   beside the path.  */
static uint64_t add_grown_section(struct growing *growing, size_t first, const struct piece *piece) {
  uint64_t done = 0, path = 0, loose = 0;
  for (size_t i = first; i < growing->part_count; i++) {
    const struct part part = growing->parts[i];
    uint64_t work = part.before - done, begin = part.path, own = begin > path ? begin - path : 0;
    own = own < work ? own : work;
    loose += work - own;
    add_grown_part_as_child(growing, own, &part);
    done += work + part.work;
    path = begin + (part.is_task ? work_between_grown_repetitions(&part) : part.span);
  }
  uint64_t work = piece->work - done, own = piece->own > path ? piece->own - path : 0;
  own = own < work ? own : work;
  if (own)
    __cilkprof_grown_child(growing, own, 1, CILKPROF_NO_NODE);
  growing->part_count = first;
  return loose + work - own;
}

/* Puts the short children of a section, which did LOOSE and are no longer than LONGEST, before the children from FIRST
   on: they are a task of their own.  */
static void put_short_grown_children_first(struct growing *growing, size_t first, uint64_t loose, uint64_t longest) {
  size_t end = growing->child_count;
  __cilkprof_grown_child(
      growing, 0, 1, __cilkprof_grown_equal_loop(growing, loose, length_of_short_grown_task(growing, loose, longest)));
  uint64_t task = __cilkprof_grown_node(growing, CILKPROF_TREE_TASK, 0, end, loose);
  memmove(&growing->children[first + 1], &growing->children[first], (end - first) * sizeof *growing->children);
  growing->children[first] = (struct tree_child){0, 0, 1, task};
  growing->child_count = end + 1;
}

/* Returns whether a path of LENGTH in the tree is that of SPAN in the program.  Where short children were dropped for
   want of room, it may be different by an eighth.  */
static int is_grown_span_right(const struct growing *growing, uint64_t length, uint64_t span) {
  uint64_t difference = length > span ? length - span : span - length;
  return difference <= (growing->widened ? span / 8 : 0);
}

/* Returns a section of which only the work and the span are kept, those of PIECE.  Drops the children from BEGIN on and
   the parts from FIRST on, which would have been in it.  */
static uint64_t make_plain_grown_section(struct growing *growing, size_t begin, size_t first,
                                         const struct piece *piece) {
  growing->child_count = begin;
  growing->part_count = first;
  return __cilkprof_grown_equal_loop(growing, piece->work, piece->span ? piece->span : 1);
}

/* Returns the section of PIECE with the parts from FIRST on.  Where a short child is the longest, the rest of the path
   to its end comes after the section: stores its length in *BEHIND.  Where sections do not nest, the tree has another
   span: tasks that wait for each other, or a taskwait that does not wait for what its children left behind.  Then only
   the work and the span of the section are kept.  */
static uint64_t make_grown_section(struct growing *growing, size_t first, const struct piece *piece, uint64_t *behind) {
  size_t begin = growing->child_count;
  uint64_t loose = 0, fits = do_grown_parts_fit(growing, first, piece->work);
  if (fits)
    loose = add_grown_section(growing, first, piece);
  uint64_t longest = __cilkprof_grown_span(growing, CILKPROF_TREE_SECTION, CILKPROF_TREE_SPAWNS, begin);
  *behind = piece->span > longest ? piece->span - longest : 0;
  if (!fits || *behind > loose || !is_grown_span_right(growing, longest + *behind, piece->span)) {
    *behind = 0;
    return make_plain_grown_section(growing, begin, first, piece);
  }
  if (loose > *behind)
    put_short_grown_children_first(growing, begin, loose - *behind, longest);
  return __cilkprof_grown_node(growing, CILKPROF_TREE_SECTION, CILKPROF_TREE_SPAWNS, begin, piece->work - *behind);
}

/* Joins the tasks among the parts from FIRST on, which are in no section because nothing is known to have waited for
   them: they become a section, up to the last part.  */
static void join_open_grown_tasks(struct growing *growing, size_t first) {
  while (first < growing->part_count && !growing->parts[first].is_task)
    first++;
  if (first == growing->part_count)
    return;
  struct part section = {.repeat = 1, .before = growing->parts[first].before, .path = growing->parts[first].path};
  struct piece piece = {.kind = PIECE_SECTION};
  for (size_t i = first; i < growing->part_count; i++) {
    struct part *part = &growing->parts[i];
    uint64_t between = part->is_task ? work_between_grown_repetitions(part) : 0;
    part->before -= section.before;
    part->path -= section.path;
    section.work = part->before + part->work;
    section.span = part->path + between + part->span > section.span ? part->path + between + part->span : section.span;
    piece.own = part->path + (part->is_task ? between : part->span);
  }
  piece.work = section.work;
  piece.span = section.span;
  uint64_t behind;
  section.node = make_grown_section(growing, first, &piece, &behind);
  section.work -= behind;
  section.span -= behind;
  growing->parts[growing->part_count++] = section;
}

/* Returns the share that a part with WORK and SPAN between others has of BURDENS, if BESIDE is the work of all such
   parts that is not on the path.  */
static uint64_t grown_share_of_burdens(uint64_t work, uint64_t span, uint64_t burdens, uint64_t beside) {
  return work > span && beside ? (uint64_t)((unsigned __int128)burdens * (work - span) / beside) : 0;
}

/* Adds the parts from FIRST on as children of a sequence with WORK, SPAN and BURDENS.  */
static void add_grown_sequence(struct growing *growing, size_t first, uint64_t work, uint64_t span, uint64_t burdens) {
  uint64_t done = 0, path = 0, beside = work - span;
  growing->pending = 0;
  join_open_grown_tasks(growing, first);
  if (!do_grown_parts_fit(growing, first, work))
    growing->part_count = first;
  for (size_t i = first; i < growing->part_count; i++) {
    const struct part *part = &growing->parts[i];
    beside -= part->work - part->span < beside ? part->work - part->span : beside;
    burdens -= part->burdens < burdens ? part->burdens : burdens;
  }
  for (size_t i = first; i < growing->part_count; i++) {
    const struct part part = growing->parts[i];
    uint64_t before = part.before - done, own = part.path > path ? part.path - path : 0;
    add_grown_part_between(growing, before, own, grown_share_of_burdens(before, own, burdens, beside));
    add_grown_part_as_child(growing, growing->pending, &part);
    growing->pending = 0;
    done = part.before + part.work;
    path = part.path + part.span;
  }
  uint64_t own = span > path ? span - path : 0;
  add_grown_part_between(growing, work - done, own, grown_share_of_burdens(work - done, own, burdens, beside));
  if (growing->pending)
    __cilkprof_grown_child(growing, growing->pending, 1, CILKPROF_NO_NODE);
  growing->part_count = first;
}

/* Returns a task of the parts from FIRST on.  */
static uint64_t make_grown_task(struct growing *growing, size_t first, uint64_t work, uint64_t span, uint64_t burdens) {
  size_t begin = growing->child_count;
  add_grown_sequence(growing, first, work, span, burdens);
  return __cilkprof_grown_node(growing, CILKPROF_TREE_TASK, 0, begin, work);
}

/* Returns the loop of PIECE, whose long grains are the parts from FIRST on.  */
static uint64_t make_grown_loop(struct growing *growing, size_t first, const struct piece *piece) {
  size_t begin = growing->child_count;
  uint64_t loose = piece->work, longest = 0;
  if (!do_grown_parts_fit(growing, first, piece->work))
    growing->part_count = first;
  for (size_t i = first; i < growing->part_count; i++) {
    loose -= growing->parts[i].work - work_between_grown_repetitions(&growing->parts[i]);
    uint64_t inside = growing->spans[growing->parts[i].node];
    longest = inside > longest ? inside : longest;
  }
  uint64_t serial = piece->span > longest ? piece->span - longest : 0;
  serial = serial < loose ? serial : loose;
  if (!is_grown_span_right(growing, serial + longest, piece->span))
    return make_plain_grown_section(growing, begin, first, piece);
  if (serial)
    __cilkprof_grown_child(growing, serial, 1, CILKPROF_NO_NODE);
  for (size_t i = first; i < growing->part_count; i++)
    __cilkprof_grown_child(growing, 0, growing->parts[i].repeat, growing->parts[i].node);
  if (loose > serial)
    __cilkprof_grown_equal_tasks(growing, loose - serial, length_of_short_grown_task(growing, loose - serial, longest));
  growing->part_count = first;
  return __cilkprof_grown_node(growing, CILKPROF_TREE_SECTION, 0, begin, piece->work);
}

/* Sets the node, work and span of PART from PIECE, in which there are no other pieces: the node is one of its
   repetitions. Work that is lost by dividing counts as serial work after PART.  */
static void set_repeated_grown_part(struct growing *growing, struct part *part, const struct piece *piece) {
  uint64_t between = work_between_grown_repetitions(part), work = (piece->work - piece->own) / piece->repeat,
           span = part->is_task ? piece->span : (piece->span - piece->own) / piece->repeat;
  part->node = part->is_task ? make_grown_task(growing, growing->part_count, work, span, piece->burdens)
                             : __cilkprof_grown_equal_loop(growing, work, span ? span : 1);
  part->work = between + piece->repeat * work;
  part->span = part->is_task ? span : between + piece->repeat * span;
}

/* Makes a part of the tree from PIECE and from the parts from FIRST on, which are inside it.  A call is not a part: its
   parts become those of the caller.  */
static void add_grown_part(struct growing *growing, const struct piece *piece, size_t first) {
  uint64_t behind = 0;
  if (piece->kind == PIECE_CALL) {
    for (size_t i = first; i < growing->part_count; i++) {
      growing->parts[i].before += piece->before;
      growing->parts[i].path += piece->path;
    }
    return;
  }
  struct part part = {.is_task = piece->kind == PIECE_TASK,
                      .repeat = piece->repeat,
                      .between = piece->repeat > 1 ? piece->own / (piece->repeat - 1) : 0,
                      .before = piece->before,
                      .path = piece->path,
                      .work = piece->work,
                      .span = piece->span,
                      .burdens = piece->burdens};
  if (piece->kind == PIECE_SECTION)
    part.node = make_grown_section(growing, first, piece, &behind);
  else if (piece->inside)
    part.node = part.is_task ? make_grown_task(growing, first, piece->work, piece->span, piece->burdens)
                             : make_grown_loop(growing, first, piece);
  else
    set_repeated_grown_part(growing, &part, piece);
  part.work -= behind;
  part.span -= behind;
  growing->parts[growing->part_count++] = part;
}

/* Makes parts of all PIECES.  Those that are in no other piece are left.  */
static void add_grown_parts(struct growing *growing, struct pieces *pieces) {
  for (uint32_t i = 0; i < pieces->count; i++) {
    const struct piece *piece = &pieces->list[i];
    uint32_t first = piece->inside ? pieces->moved[i - piece->inside] : (uint32_t)growing->part_count;
    pieces->moved[i] = (uint32_t)growing->part_count;
    add_grown_part(growing, piece, first);
  }
}

/* Adds the parts as children of the program, which did WORK, and had the span SPAN with BURDENS on it.  If that has
   another span, because a wait inside a call was for tasks outside of it, only the work and the span are kept.  */
static void add_grown_program(struct growing *growing, uint64_t work, uint64_t span, uint64_t burdens) {
  add_grown_sequence(growing, 0, work, span, burdens);
  if (is_grown_span_right(growing, __cilkprof_grown_span(growing, CILKPROF_TREE_TASK, 0, 0), span))
    return;
  growing->child_count = 0;
  add_grown_sequence(growing, 0, work, span, burdens);
}

/* Makes a tree of the long children of this run, which did WORK in all and had the span SPAN, and BURDENS on
   its path.  Returns NULL if there is no memory.  */
struct tree *__cilkprof_tree_grown(uint64_t work, uint64_t span, uint64_t burdens) {
  struct pieces none = {.least = __CILKPROF_NOTES_CHILDREN ? __CILKPROF_LONG_CHILD : UINT64_MAX / 8},
                *pieces = profiled_thread()->pieces;
  if (!pieces || !pieces->list)
    pieces = &none;
  size_t most = 4 * (size_t)pieces->count + 16;
  struct growing growing = {.tree = __cilkprof_tree_make(BYTES, 0),
                            .least = pieces->least,
                            .widened = pieces->doubled != 0,
                            .parts = __cilkprof_reserve(most * sizeof *growing.parts),
                            .children = __cilkprof_reserve(most * sizeof *growing.children)};
  if (!growing.tree || !growing.parts || !growing.children)
    return NULL;
  growing.spans = __cilkprof_reserve(growing.tree->node_room * sizeof *growing.spans);
  if (!growing.spans)
    return NULL;
  growing.tree->flags |= CILKPROF_TREE_OF_CILK | (pieces->doubled ? CILKPROF_TREE_WIDENED : 0);
  growing.empty = __cilkprof_grown_node(&growing, CILKPROF_TREE_TASK, 0, 0, 0);
  add_grown_parts(&growing, pieces);
  add_grown_program(&growing, work, span, burdens);
  for (size_t i = 0; i < growing.child_count; i++) {
    growing.tree->waiting[i] = growing.children[i];
    growing.tree->waiting[i].sum *= growing.children[i].repeat;
  }
  growing.tree->waiting_count = growing.child_count;
  return growing.tree;
}
