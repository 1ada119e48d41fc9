/* Events before calls that return twice, like setjmp.
   SPDX-License-Identifier: GPL-3.0-or-later

   Such a call is the first statement of its block.  Every call that may jump there has an edge to the block, through
   GCC's abnormal dispatcher.  Events before the call must not be executed on that path, so they get a block of their
   own, to which only the other edges lead.  GCC checks this since version 14.  */

#include "instrumenter.h"

/* Returns true if E comes from GCC's abnormal dispatcher, through which all jumps to calls that return twice go.  */
static bool setjmp_event_dispatcher_edge_p(edge e) {
  gimple_stmt_iterator first = gsi_start_nondebug_after_labels_bb(e->src);
  return e->flags & EDGE_ABNORMAL && !gsi_end_p(first) && gimple_call_internal_p(gsi_stmt(first)) &&
         gimple_call_internal_fn(gsi_stmt(first)) == IFN_ABNORMAL_DISPATCHER;
}

/* Returns the edge from GCC's abnormal dispatcher to BB, or NULL.  */
static edge find_setjmp_event_dispatcher_edge(basic_block bb) {
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE (e, ei, bb->preds)
    if (setjmp_event_dispatcher_edge_p(e))
      return e;
  return NULL;
}

/* Splits the PHI nodes of a block that was split before a call that returns twice: the values of the edge FROM now
   arrive by JUMP and meet those of all other edges, which arrive by ON, in the block of the call.  */
static void split_phis_for_setjmp_event(edge from, edge on, edge jump) {
  for (gphi_iterator at = gsi_start_phis(from->dest); !gsi_end_p(at); gsi_next(&at)) {
    gphi *phi = at.phi();
    tree value = gimple_phi_result(phi), before = copy_ssa_name(value, phi);
    SSA_NAME_OCCURS_IN_ABNORMAL_PHI(before) = SSA_NAME_OCCURS_IN_ABNORMAL_PHI(value);
    gimple_phi_set_result(phi, before);
    gphi *behind = create_phi_node(value, jump->dest);
    add_phi_arg(behind, before, on, UNKNOWN_LOCATION);
    add_phi_arg(behind, gimple_phi_arg_def(phi, from->dest_idx), jump, gimple_phi_arg_location(phi, from->dest_idx));
  }
}

/* Makes CALL, which returns twice, the first statement of its block.  The events before it go to a block of their own,
   to which jumps do not lead.  */
void make_setjmp_first_after_events(gimple *call) {
  gimple_stmt_iterator last = gsi_for_stmt(call);
  basic_block bb = gimple_bb(call);
  if (gsi_start_nondebug_after_labels_bb(bb).ptr == call)
    return;
  gsi_prev(&last);
  edge on = split_block(bb, gsi_stmt(last));
  if (edge from = find_setjmp_event_dispatcher_edge(bb)) {
    edge jump = make_edge(from->src, on->dest, from->flags);
    jump->probability = from->probability;
    split_phis_for_setjmp_event(from, on, jump);
    remove_edge(from);
  }
  free_dominance_info(CDI_DOMINATORS);
}
