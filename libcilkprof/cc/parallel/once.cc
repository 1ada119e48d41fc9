/* Functions that only one parallel loop calls are inlined into it, as they are into a serial loop.
   SPDX-License-Identifier: GPL-3.0-or-later

   GCC inlines a function that is called once, even if it is large.  But the body of a cilk_for is there twice: as a
   function for the runtime, and inlined where short loops are run as plain ones (ranges.cc).  What it calls is called
   twice then, and remains a call, in which all that the loop could keep in registers is loaded again.  So this is
   decided before bodies are inlined.  */

#include "parallel.h"

namespace {

const pass_data once_data = {SIMPLE_IPA_PASS, "cilkprof_once", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0};

/* The pass cilkprof_once: marks functions that are to be inlined into bodies of loops.  */
class once_pass : public simple_ipa_opt_pass {
public:
  /* Makes the pass cilkprof_once.  */
  once_pass() : simple_ipa_opt_pass(once_data, g) {}
  unsigned int execute(function *) final override;
};

const int MOST_STATEMENTS = 300; /* of one function: larger ones gain little */

/* Returns the number of statements of FUN.  */
int parallel_statement_count(function *fun) {
  basic_block block;
  int count = 0;
  FOR_EACH_BB_FN (block, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at))
      count += !is_gimple_debug(gsi_stmt(at));
  return count;
}

/* Returns true if only functions of FAMILY call CALLED, at two places at most: libraries have a serial loop for few
   iterations beside the parallel one.  And if it can be inlined.  */
bool called_in_one_parallel_loop_p(cgraph_node *called, hash_set<cgraph_node *> *family) {
  int calls = 0;
  for (cgraph_edge *call = called->callers; call; call = call->next_caller)
    if (!family->contains(call->caller) || ++calls > 2)
      return false;
  return called->has_gimple_body_p() && called->can_remove_if_no_direct_calls_p() && !DECL_UNINLINABLE(called->decl) &&
         !lookup_attribute("noinline", DECL_ATTRIBUTES(called->decl)) &&
         !lookup_attribute("noipa", DECL_ATTRIBUTES(called->decl)) &&
         parallel_statement_count(DECL_STRUCT_FUNCTION(called->decl)) <= MOST_STATEMENTS;
}

/* Makes GCC inline the functions that only BODY and the function around its loop call, and those that only these
   call.  */
void inline_calls_of_parallel_loop(cgraph_node *body) {
  hash_set<cgraph_node *> family;
  auto_vec<cgraph_node *> callers;
  family.add(body);
  for (cgraph_edge *call = body->callers; call; call = call->next_caller)
    family.add(call->caller);
  callers.safe_push(body);
  while (!callers.is_empty())
    for (cgraph_edge *call = callers.pop()->callees; call; call = call->next_callee)
      if (!family.contains(call->callee) && called_in_one_parallel_loop_p(call->callee, &family)) {
        DECL_DISREGARD_INLINE_LIMITS(call->callee->decl) = 1;
        family.add(call->callee);
        callers.safe_push(call->callee);
      }
}

/* Marks what is to be inlined into the bodies of loops.  */
unsigned int once_pass::execute(function *) {
  cgraph_node *node;
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node)
    if (optimize && lookup_attribute(loop_body_attribute, DECL_ATTRIBUTES(node->decl)))
      inline_calls_of_parallel_loop(node);
  return 0;
}

} // namespace

/* Registers the pass for PLUGIN, where all functions are known and none is inlined yet.  */
void start_inlining_in_parallel_loops(const char *plugin) {
  register_pass_info once = {new once_pass, "opt_local_passes", 1, PASS_POS_INSERT_BEFORE};
  register_callback(plugin, PLUGIN_PASS_MANAGER_SETUP, NULL, &once);
}
