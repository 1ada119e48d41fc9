/* Inlining the events.
   SPDX-License-Identifier: GPL-3.0-or-later

   GCC's inliner has long run.  It can be run once more on one function: every call of an event gets an inline clone of
   the event's node, its edge is marked as inlined, and the rest is done as ever.  */

#include "back.h"

unsigned inline_events(function *fun, const vec<gcall *> &calls) {
  cgraph_node *node = cgraph_node::get(fun->decl);
  for (gcall *call : calls) {
    cgraph_edge *to_event = node->get_edge(call);
    if (!to_event)
      continue;
    cgraph_node *clone =
        to_event->callee->create_clone(to_event->callee->decl, to_event->count, false, vNULL, false, node, NULL);
    to_event->redirect_callee(clone);
    to_event->inline_failed = CIF_OK;
    node->remove_stmt_references(call);
  }
  unsigned properties = fun->curr_properties;
  unsigned todo = optimize_inline_calls(fun->decl);
  fun->curr_properties = properties;
  return todo;
}
