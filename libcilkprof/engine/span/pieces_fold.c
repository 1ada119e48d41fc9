/* Long children: making room for more of them.
   SPDX-License-Identifier: MIT

   A section or loop in which nothing is left is kept as what it did and how long its path was, as long as it is long
   itself.  Neighbours of which nothing else is known are merged if they are similar.  */

#include "libcilkprof/engine/span/pieces.h"

enum { SIMILAR = 4 }; /* pieces are similar if they differ by a part of 1 / 2^SIMILAR; less, when that is not enough */

/* Returns whether A and B, amounts of work, differ by no more than a part of 1 / 2^SHIFT.  */
static int are_similar_piece_amounts(uint64_t a, uint64_t b, uint32_t shift) {
  uint64_t larger = a > b ? a : b, difference = a > b ? a - b : b - a;
  return difference <= (shift < 64 ? larger >> shift : 0);
}

/* Returns the work of one repetition of PIECE.  */
static uint64_t work_of_one_piece(const struct piece *piece) {
  return (piece->work - piece->own) / piece->repeat;
}

/* Adds NEXT to TASK, the one before it, where the function did the serial work BETWEEN both itself.  */
static void merge_task_pieces(struct piece *task, const struct piece *next, uint64_t between) {
  task->work += between + next->work;
  task->own += between + next->own;
  task->span = next->span > task->span ? next->span : task->span;
  task->burdens = next->burdens > task->burdens ? next->burdens : task->burdens;
  task->repeat += next->repeat;
}

/* Adds NEXT to LOOP, the one before it, where BETWEEN is the serial work between both.  */
static void merge_loop_pieces(struct piece *loop, const struct piece *next, uint64_t between) {
  loop->work = next->before + next->work - loop->before;
  loop->span = next->path + next->span - loop->path;
  loop->own += between + next->own;
  loop->burdens += next->burdens;
  loop->repeat += next->repeat;
}

/* Adds NEXT to PIECE, the one before it, if both are equal and have no pieces inside.  In what they do they may differ
   by a part of 1 / 2^SHIFT, and by nothing if SHIFT is 64.  Returns whether they were merged.  */
int __cilkprof_piece_merged(struct piece *piece, const struct piece *next, uint32_t shift) {
  uint64_t end = piece->before + piece->work,
           path = piece->path + (piece->kind == PIECE_TASK ? piece->own : piece->span), work = next->before - end,
           between = next->path - path;
  if (piece->kind != next->kind || piece->inside || next->inside || next->before < end || next->path < path ||
      piece->kind == PIECE_CALL || !are_similar_piece_amounts(work_of_one_piece(piece), work_of_one_piece(next), shift))
    return 0;
  if (piece->kind == PIECE_TASK) {
    if (work != between || !are_similar_piece_amounts(piece->span, next->span, shift))
      return 0;
    merge_task_pieces(piece, next, between);
    return 1;
  }
  if (!are_similar_piece_amounts((piece->span - piece->own) / piece->repeat, (next->span - next->own) / next->repeat,
                                 SIMILAR))
    return 0;
  merge_loop_pieces(piece, next, between < work ? between : work);
  return 1;
}

#define FIRST ((uint32_t)1 << 31) /* the piece is the first one in another, or in a holder */

/* Marks the first piece of each list of pieces that are in the same piece or holder.  */
static void mark_first_pieces(struct pieces *pieces) {
  for (uint32_t i = 0; i <= pieces->count; i++)
    pieces->moved[i] = 0;
  for (uint32_t i = 0; i < pieces->count; i++)
    if (pieces->list[i].inside)
      pieces->moved[i - pieces->list[i].inside] = FIRST;
  for (uint32_t i = 0; i < pieces->holder_count; i++) {
    const struct holder *holder = &pieces->holders[i];
    pieces->moved[holder->first] = pieces->moved[holder->grain] = FIRST;
    if (holder->is_open)
      pieces->moved[holder->open] = FIRST;
  }
}

/* Returns whether PIECE, with INSIDE pieces left inside it, is kept.  */
static int is_piece_kept(const struct pieces *pieces, const struct piece *piece, uint32_t inside) {
  return inside || (piece->kind != PIECE_CALL && work_of_one_piece(piece) >= pieces->least);
}

/* Drops pieces with less work than is kept, and merges neighbours that are similar.  */
static void drop_short_pieces(struct pieces *pieces, uint32_t shift) {
  uint32_t count = 0;
  mark_first_pieces(pieces);
  for (uint32_t i = 0; i < pieces->count; i++) {
    struct piece piece = pieces->list[i], *last = &pieces->list[count];
    uint32_t is_first = pieces->moved[i - piece.inside] & FIRST,
             begin = piece.inside ? pieces->moved[i - piece.inside] & ~FIRST : count;
    pieces->moved[i] = count | (pieces->moved[i] & FIRST);
    piece.inside = count - begin;
    if (piece.kind == PIECE_SECTION && !piece.inside) {
      piece.kind = PIECE_LOOP;
      piece.own = 0;
    }
    if (!is_piece_kept(pieces, &piece, piece.inside))
      count = begin;
    else if (piece.kind == PIECE_CALL && is_single_piece(last, piece.inside)) {
      last[-1].before += piece.before;
      last[-1].path += piece.path;
    } else if (is_first || !count || !__cilkprof_piece_merged(last - 1, &piece, shift))
      pieces->list[count++] = piece;
  }
  for (uint32_t i = 0; i < pieces->count; i++)
    pieces->moved[i] &= ~FIRST;
  pieces->count = count;
}

/* Corrects the holders of PIECES after pieces were dropped, of which there were COUNT.  Holders that hold none any more
   are dropped.  */
static void drop_empty_piece_holders(struct pieces *pieces, uint32_t count) {
  uint32_t left = 0;
  pieces->moved[count] = pieces->count;
  for (uint32_t i = 0; i < pieces->holder_count; i++) {
    struct holder holder = pieces->holders[i];
    uint32_t end = i + 1 < pieces->holder_count ? pieces->holders[i + 1].first : count;
    if (pieces->moved[holder.first] == pieces->moved[end])
      continue;
    holder.first = pieces->moved[holder.first];
    holder.grain = pieces->moved[holder.grain];
    holder.open = pieces->moved[holder.open];
    pieces->holders[left++] = holder;
  }
  pieces->holder_count = left;
}

/* Makes room for another piece and another holder, by dropping short pieces and merging similar ones.  Pieces may have
   another index afterwards.  */
void __cilkprof_pieces_make_room(struct pieces *pieces) {
  if (pieces->count < MAX_PIECES - 1 && pieces->holder_count < MAX_PIECES - 1)
    return;
  do {
    uint32_t count = pieces->count, similar = pieces->doubled < SIMILAR ? SIMILAR - pieces->doubled : 1;
    drop_short_pieces(pieces, similar);
    drop_empty_piece_holders(pieces, count);
    if (pieces->count > MAX_PIECES / 2) {
      pieces->least *= 2;
      pieces->doubled++;
    }
  } while (pieces->count > MAX_PIECES / 2);
}
