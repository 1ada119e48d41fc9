/* Long children: noting them as they return, are joined, and are part of calls and loops.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/engine/span/pieces.h"
#include "libcilkprof/engine/span/site.h"
#include "libcilkprof/engine/span/span.h"
#include "libcilkprof/engine/memory.h"

/* Returns the work in WORK, which has flags.  */
static uint64_t piece_work_without_flags(uint64_t work) {
  return work & ~__CILKPROF_WORK_FLAGS;
}

/* Returns the pieces of this thread, in which another one is to be noted; NULL if none are kept.  Roots divide the
   program in another way, so there are none with them.  */
static struct pieces *pieces_to_note(void) {
  struct __cilkprof_profiled_thread *own = profiled_thread();
  struct pieces *pieces = own->pieces;
  if (!THREAD.recording || own->roots || THREAD.frames >= THREAD.frames_end)
    return NULL;
  if (pieces)
    return pieces->list ? pieces : NULL;
  if (!(pieces = own->pieces = __cilkprof_reserve(sizeof *pieces)))
    return NULL;
  pieces->least = __CILKPROF_LONG_CHILD;
  pieces->holders = __cilkprof_reserve(MAX_PIECES * sizeof *pieces->holders);
  pieces->moved = __cilkprof_reserve((MAX_PIECES + 1) * sizeof *pieces->moved);
  struct piece *list = __cilkprof_reserve(MAX_PIECES * sizeof *pieces->list);
  if (pieces->holders && pieces->moved)
    pieces->list = list;
  return pieces->list ? pieces : NULL;
}

/* Returns the innermost open block of the frame with KEY; NULL: there is none.  Only a linked frame has blocks.  */
static const block_t *piece_block_of_frame(uint64_t key) {
  return THREAD.frames->key == key ? THREAD.frames->block : NULL;
}

/* Returns the innermost holder of pieces; NULL if there is none.  */
static struct holder *innermost_piece_holder(struct pieces *pieces) {
  return pieces->holder_count ? &pieces->holders[pieces->holder_count - 1] : NULL;
}

/* Removes the holders inside BLOCK of the frame with KEY, which have ended.  Returns the index of the first piece in
   them.  Deeper frames have lower keys, deeper blocks higher addresses.  */
static uint32_t end_piece_holders_inside(struct pieces *pieces, uint64_t key, const block_t *block) {
  uint32_t first = pieces->count;
  for (struct holder *holder; (holder = innermost_piece_holder(pieces)); pieces->holder_count--) {
    if (holder->key > key || (holder->key == key && holder->block <= block))
      break;
    first = holder->first;
  }
  return first;
}

/* Returns the holder for BLOCK of the frame with KEY, which is added if there is none; its pieces begin at FIRST.  */
static struct holder *piece_holder_for(struct pieces *pieces, uint64_t key, const block_t *block, uint32_t first) {
  struct holder *holder = innermost_piece_holder(pieces);
  if (holder && holder->key == key && holder->block == block)
    return holder;
  holder = &pieces->holders[pieces->holder_count++];
  *holder = (struct holder){.key = key, .block = block, .first = first, .grain = first, .open = first};
  return holder;
}

/* Adds PIECE, which contains all pieces from FIRST on.  */
static void add_piece(struct pieces *pieces, uint32_t first, struct piece piece) {
  piece.inside = pieces->count - first;
  piece.repeat = 1;
  pieces->list[pieces->count++] = piece;
}

/* Makes the places of the pieces from FIRST on, without those inside others, relative to WORK and PATH.  */
static void move_pieces_back(struct pieces *pieces, uint32_t first, uint64_t work, uint64_t path) {
  for (uint32_t i = pieces->count; i > first; i -= pieces->list[i - 1].inside + 1) {
    pieces->list[i - 1].before -= work;
    pieces->list[i - 1].path -= path;
  }
}

/* Adds the last piece to the one before it if both are in HOLDER, equal and not joined apart from each other.  */
static void merge_last_piece(struct pieces *pieces, const struct holder *holder) {
  struct piece *last = &pieces->list[pieces->count - 1];
  uint32_t first = holder->grain > holder->first ? holder->grain : holder->first;
  if (holder->is_open && holder->open > first)
    first = holder->open;
  if (pieces->count >= first + 2 && __cilkprof_piece_merged(last - 1, last, 64))
    pieces->count--;
}

/* Makes room for a piece of the frame with KEY, and ends the holders inside of it.  Stores the frame's block to BLOCK,
   and where their pieces begin to FIRST.  Returns the pieces; NULL: none are noted.  */
static struct pieces *begin_noting_piece(uint64_t key, const block_t **block, uint32_t *first) {
  struct pieces *pieces = pieces_to_note();
  if (!pieces)
    return NULL;
  *block = piece_block_of_frame(key);
  __cilkprof_pieces_make_room(pieces);
  *first = end_piece_holders_inside(pieces, key, *block);
  return pieces;
}

/* Notes a child as a piece, if it did enough work, which has returned to the frame with KEY and has its totals in the
   return slots.  WORK is what the frame's function had done before, with flags, and PATH the path up to there.  Returns
   the flags that are new in the frame.  */
uint64_t __cilkprof_piece_spawned(uint64_t key, uint64_t work, uint64_t path) {
  const block_t *block;
  uint32_t first;
  struct pieces *pieces = begin_noting_piece(key, &block, &first);
  if (!pieces)
    return 0;
  if (THREAD.work < pieces->least) {
    pieces->count = first;
    return 0;
  }
  uint64_t before = piece_work_without_flags(work);
  struct holder *holder = piece_holder_for(pieces, key, block, first);
  if (!holder->is_open) {
    holder->is_open = 1;
    holder->open = first;
    holder->before = before;
    holder->path = path;
  }
  add_piece(pieces, first,
            (struct piece){.kind = PIECE_TASK,
                           .before = before,
                           .path = path,
                           .work = THREAD.work,
                           .span = THREAD.span,
                           .burdens = THREAD.burdened_span - THREAD.span});
  merge_last_piece(pieces, holder);
  return __CILKPROF_WORK_FLAGS & ~work;
}

/* Makes the pieces from the first one of CALLED on, the holder of a call that has left tasks behind, those of HOLDER,
   its caller, as if the caller had made these tasks.  BEFORE and PATH are where the call began.  */
static void adopt_open_pieces(struct pieces *pieces, struct holder *holder, const struct holder *called,
                              uint64_t before, uint64_t path) {
  move_pieces_back(pieces, called->first, -before, -path);
  if (holder->is_open)
    return;
  holder->is_open = 1;
  holder->open = called->open;
  holder->before = called->before + before;
  holder->path = called->path + path;
}

/* Notes that a call has returned to the frame with KEY, if there are pieces in it: they become one piece of the caller.
   WORK and PATH are as for __cilkprof_piece_spawned.  HELD are the flags that the callee's work had: if it left open
   children behind, which OpenMP's tasks may be, they become the caller's.  Returns the flags that are new in the
   frame.  */
uint64_t __cilkprof_piece_called(uint64_t key, uint64_t work, uint64_t path, uint64_t held) {
  const block_t *block;
  uint32_t first;
  struct pieces *pieces = begin_noting_piece(key, &block, &first);
  if (!pieces)
    return 0;
  if (first == pieces->count)
    return 0;
  uint64_t before = piece_work_without_flags(work);
  struct piece *last = &pieces->list[pieces->count - 1];
  const struct holder called = pieces->holders[pieces->holder_count]; /* the last one that was removed */
  struct holder *holder = piece_holder_for(pieces, key, block, first);
  if (held & __CILKPROF_WORK_OPEN && called.is_open) {
    adopt_open_pieces(pieces, holder, &called, before, path);
    return __CILKPROF_WORK_FLAGS & ~work;
  }
  if (is_single_piece(last + 1, pieces->count - first)) {
    last->before += before;
    last->path += path;
    merge_last_piece(pieces, holder);
  } else
    add_piece(pieces, first, (struct piece){.kind = PIECE_CALL, .before = before, .path = path});
  return __CILKPROF_WORK_HOLDS & ~work;
}

/* Drops the pieces in the call that has returned to the frame with KEY.  */
void __cilkprof_pieces_dropped(uint64_t key) {
  struct pieces *pieces = pieces_to_note();
  if (pieces)
    pieces->count = end_piece_holders_inside(pieces, key, piece_block_of_frame(key));
}

/* Returns the flag __CILKPROF_WORK_HOLDS if the innermost holder of pieces belongs to the frame with KEY, else 0.  */
uint64_t __cilkprof_pieces_held(uint64_t key) {
  struct pieces *pieces = pieces_to_note();
  const struct holder *holder = pieces ? innermost_piece_holder(pieces) : NULL;
  return holder && holder->key == key ? __CILKPROF_WORK_HOLDS : 0;
}

/* Adds a piece to PIECES for the section of HOLDER, from its first long child to the sync that joins them, around the
   pieces of these children.  At the sync the function and its callees have done WORK, the path through what the
   function did itself is HERE long, and the longest path is SPAN long.  Adds nothing if none of the children's pieces
   is left.  */
static void end_piece_section(struct pieces *pieces, struct holder *holder, uint64_t work, uint64_t here,
                              uint64_t span) {
  holder->is_open = 0;
  if (holder->open >= pieces->count)
    return;
  move_pieces_back(pieces, holder->open, holder->before, holder->path);
  add_piece(pieces, holder->open,
            (struct piece){.kind = PIECE_SECTION,
                           .before = holder->before,
                           .path = holder->path,
                           .work = work - holder->before,
                           .span = span - holder->path,
                           .own = here - holder->path});
}

/* Joins the long children of the frame with KEY, whose function did LOCAL_WORK itself and, with its callees, WORK,
   which has flags.  HERE is the path through what it did itself, LONGEST that to the end of its longest child.  Returns
   WORK.  Its flag __CILKPROF_WORK_OPEN stays set only if children that were spawned before an enclosing cilk_scope are
   not joined yet.  */
EXPORT uint64_t __cilkprof_joined(uint64_t key, uint64_t work, uint64_t local_work, uint64_t here, uint64_t longest) {
  struct pieces *pieces = pieces_to_note();
  if (!pieces)
    return work & ~__CILKPROF_WORK_OPEN;
  const block_t *block = piece_block_of_frame(key);
  __cilkprof_pieces_make_room(pieces);
  end_piece_holders_inside(pieces, key, block);
  struct holder *holder = innermost_piece_holder(pieces);
  if (holder && holder->key == key && holder->block == block && holder->is_open)
    end_piece_section(pieces, holder, piece_work_without_flags(work) + local_work, here,
                      longest > here ? longest : here);
  while (holder && holder->key == key && !holder->is_open)
    holder = holder > pieces->holders ? holder - 1 : NULL;
  return holder && holder->key == key ? work : work & ~__CILKPROF_WORK_OPEN;
}

/* Joins the long children of FRAME, which are OpenMP tasks that outlive the task that made them.  The tree cannot
   represent that, so it takes them to be waited for: its span is the same if nothing waits for that task alone.
   LOCAL_WORK is what the function did itself.  */
void __cilkprof_pieces_left(frame_t *frame, uint64_t local_work) {
  if (frame->work & __CILKPROF_WORK_OPEN)
    frame->work = __cilkprof_joined(frame->key, frame->work, local_work, __cilkprof_p_here(frame, local_work),
                                    frame->longest_span);
}

/* Makes the pieces in the innermost block of FRAME, a scope that ends, pieces of the enclosing block or function.  */
void __cilkprof_pieces_scope_left(const frame_t *frame) {
  struct pieces *pieces = frame->work & __CILKPROF_WORK_HOLDS ? pieces_to_note() : NULL;
  struct holder *holder = pieces ? innermost_piece_holder(pieces) : NULL;
  if (!holder || holder->key != frame->key || holder->block != frame->block)
    return;
  holder->block = frame->block->outer.block;
  if (holder > pieces->holders && holder[-1].key == holder->key && holder[-1].block == holder->block)
    pieces->holder_count--;
}

/* Returns what a loop had done when its grain began, of which the pieces from FIRST on are parts.  The path begins with
   the grain, and the grain with serial code.  */
static uint64_t piece_work_before_grain(const struct pieces *pieces, uint32_t first) {
  const struct piece *piece = NULL;
  for (uint32_t i = pieces->count; i > first; i -= pieces->list[i - 1].inside + 1)
    piece = &pieces->list[i - 1];
  return piece->before > piece->path ? piece->before - piece->path : 0;
}

/* Returns whether HOLDER is that of the innermost block of FRAME.  */
static int is_piece_holder_of_block(const struct holder *holder, const frame_t *frame) {
  return holder && holder->key == frame->key && holder->block == frame->block;
}

/* Notes that FRAME's loop has ended a grain: it becomes a piece if it did enough work.  WORK is what the loop has done
   so far, SPAN the span of the grain.  */
void __cilkprof_piece_grain(frame_t *frame, uint64_t work, uint64_t span) {
  struct pieces *pieces = pieces_to_note();
  work = piece_work_without_flags(work);
  frame->work = piece_work_without_flags(frame->work);
  if (!pieces)
    return;
  __cilkprof_pieces_make_room(pieces);
  uint32_t first = end_piece_holders_inside(pieces, frame->key, frame->block);
  struct holder *holder = innermost_piece_holder(pieces);
  if (is_piece_holder_of_block(holder, frame))
    first = holder->grain;
  uint64_t before = work - span, begin = first < pieces->count ? piece_work_before_grain(pieces, first) : before;
  before = begin < before ? begin : before;
  if (work - before < pieces->least) {
    pieces->count = first;
    return;
  }
  move_pieces_back(pieces, first, before, 0);
  holder = piece_holder_for(pieces, frame->key, frame->block, first);
  add_piece(pieces, first, (struct piece){.kind = PIECE_TASK, .before = before, .work = work - before, .span = span});
  holder->grain = holder->first;
  merge_last_piece(pieces, holder);
  holder->grain = pieces->count;
}

/* Notes that FRAME's loop has ended, and makes it a piece if it is parallel and did enough work.  LOCAL_WORK is what
   the loop did itself since its last event.  */
void __cilkprof_piece_loop(frame_t *frame, uint64_t local_work) {
  uint64_t work = piece_work_without_flags(frame->work) + local_work, span = __cilkprof_p_here(frame, local_work);
  struct pieces *pieces = __CILKPROF_NOTES_CHILDREN && work >= __CILKPROF_LONG_CHILD ? pieces_to_note() : NULL;
  frame->work = work - local_work;
  if (!pieces)
    return;
  __cilkprof_pieces_make_room(pieces);
  uint32_t first = end_piece_holders_inside(pieces, frame->key, frame->block);
  if (is_piece_holder_of_block(innermost_piece_holder(pieces), frame))
    first = innermost_piece_holder(pieces)->first;
  if (work < pieces->least || span >= work) { /* it is part of what is around it */
    pieces->count = end_piece_holders_inside(pieces, frame->key, frame->block->outer.block);
    return;
  }
  piece_holder_for(pieces, frame->key, frame->block, first);
  uint64_t burdened_span = frame->burdened_span + local_work - frame->off_burdened_span;
  add_piece(pieces, first,
            (struct piece){.kind = PIECE_LOOP, .work = work, .span = span, .burdens = burdened_span - span});
  frame->work |= __CILKPROF_WORK_HOLDS;
}
