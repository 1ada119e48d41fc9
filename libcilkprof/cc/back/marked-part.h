/* The code between a marker and the markers of its end, if all paths into it pass the first marker.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_MARKED_PART_H
#define CILKPROF_MARKED_PART_H

#include "back.h"

/* A walk over the code from a marker to the markers of its end.  Classes that are derived from it say which statements
   may be there.  */
class marked_part {
public:
  auto_vec<basic_block> blocks; /* without the one that has the marker */

protected:
  enum { MOST = 16 }; /* maximum number of blocks */
  basic_block first;

  /* Begins with the block of the marker MARK, at which the part begins.  */
  explicit marked_part(gimple *mark) : first(gimple_bb(mark)) {}

  /* Visits all blocks of the part, from the marker MARK on.  Returns false if some of it does not qualify.  */
  bool follow_marked_part(gimple *mark) {
    gimple_stmt_iterator at = gsi_for_stmt(mark);
    gsi_next(&at);
    bool follows = follow_marked_part_statements(at);
    while (follows && pending.length())
      follows = blocks.length() <= MOST && enter_marked_part_block(pending.pop());
    for (basic_block bb : blocks)
      follows = follows && marked_part_entered_only_here_p(bb);
    return follows;
  }

  /* Visits the statements from AT up to an end marker, or up to the end of the block.  */
  virtual bool follow_marked_part_statements(gimple_stmt_iterator at) = 0;
  /* Visits the block BB.  Returns false if some of it does not qualify.  */
  virtual bool enter_marked_part_block(basic_block bb) {
    return follow_marked_part_statements(gsi_start_bb(bb));
  }

  /* Visits the successors of BB later.  Returns false if an edge has a flag of NEVER, or leaves the function.  */
  bool follow_marked_part_successors(basic_block bb, int never) {
    edge e;
    edge_iterator ei;
    FOR_EACH_EDGE (e, ei, bb->succs) {
      if (e->flags & never || e->dest == first || e->dest == EXIT_BLOCK_PTR_FOR_FN(cfun))
        return false;
      if (!blocks.contains(e->dest)) {
        blocks.safe_push(e->dest);
        pending.safe_push(e->dest);
      }
    }
    return EDGE_COUNT(bb->succs) > 0;
  }

private:
  auto_vec<basic_block> pending;

  /* Returns true if BB is entered only from the block with the marker and from other blocks of this part.  */
  bool marked_part_entered_only_here_p(basic_block bb) {
    edge e;
    edge_iterator ei;
    FOR_EACH_EDGE (e, ei, bb->preds)
      if (e->src != first && !blocks.contains(e->src))
        return false;
    return true;
  }
};

#endif
