/* The long children of the program, from which the tree of its parallel parts is made (tree/grown.c).
   SPDX-License-Identifier: MIT

   A piece is a child with much work, or what was made of such children: the section from the first of them to the sync
   that joins them, a loop whose grains they are, a call in which they are.  Pieces are kept in the order in which they
   end, so what is inside a piece comes before it.  All other children count as work of what they are in; how much of
   it is on the path says how parallel they were.  There is room for a fixed number of pieces: when it is used up, the
   least work of a child to be kept is doubled, and smaller ones are dropped (pieces_fold.c).  Equal neighbours are one
   piece, with the number of its repetitions.

   A holder is an invocation or a block that is still open and in which pieces ended.  */

#ifndef CILKPROF_PIECES_H
#define CILKPROF_PIECES_H

#include "libcilkprof/engine/profiled_thread.h"

enum piece_kind { PIECE_TASK, PIECE_SECTION, PIECE_LOOP, PIECE_CALL };

struct piece {
  uint32_t kind;
  uint32_t inside;       /* the number of pieces before it that are inside */
  uint64_t repeat;       /* how often it comes in a row; 1 if there are pieces inside */
  uint64_t before, path; /* the work and the path from the beginning of what it is in to its own beginning */
  uint64_t work, span;   /* of all repetitions and what is between them; the span of a task is that of one */
  uint64_t own;          /* of a section: the path through what the function does itself, up to the sync; of others:
                            the serial work between repetitions */
  uint64_t burdens;      /* by how much the burdened span is longer than the span; of a section: 0 */
};

struct holder {
  uint64_t key;
  const block_t *block;  /* NULL: the function itself */
  uint32_t first;        /* the index of the first piece in it */
  uint32_t grain;        /* of a loop: the index of the first one in this grain */
  uint32_t open;         /* the index of the first one that is not joined yet */
  uint32_t is_open;      /* whether there is one */
  uint64_t before, path; /* where that one began */
};

/* The pieces of the profiled thread.  */
struct pieces {
  uint64_t least; /* the least work of a child to be kept */
  uint32_t count, holder_count;
  struct piece *list;
  struct holder *holders;
  uint32_t *moved;  /* scratch memory: for each piece, where it is after others were dropped */
  uint32_t doubled; /* how many times LEAST was doubled */
};

/* A test builds the engine with less room.  */
#ifndef CILKPROF_PIECES
#define CILKPROF_PIECES 512
#endif
enum { MAX_PIECES = CILKPROF_PIECES };

/* Returns whether the COUNT pieces that end at END are one piece with everything inside it.  */
static inline int is_single_piece(const struct piece *end, uint32_t count) {
  return count == end[-1].inside + 1;
}

/* pieces_fold.c */
HIDDEN void __cilkprof_pieces_make_room(struct pieces *pieces);
HIDDEN int __cilkprof_piece_merged(struct piece *piece, const struct piece *next, uint32_t shift);

HIDDEN uint64_t __cilkprof_piece_spawned(uint64_t key, uint64_t work, uint64_t path);
HIDDEN uint64_t __cilkprof_piece_called(uint64_t key, uint64_t work, uint64_t path, uint64_t held);
HIDDEN void __cilkprof_pieces_dropped(uint64_t key);
HIDDEN uint64_t __cilkprof_pieces_held(uint64_t key);
HIDDEN void __cilkprof_piece_grain(frame_t *frame, uint64_t work, uint64_t span);
HIDDEN void __cilkprof_piece_loop(frame_t *frame, uint64_t local_work);
HIDDEN void __cilkprof_pieces_left(frame_t *frame, uint64_t local_work);
HIDDEN void __cilkprof_pieces_scope_left(const frame_t *frame);

#endif
