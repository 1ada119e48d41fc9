/* Guarded functions in counted code: the part that does not spawn is inlined.
   SPDX-License-Identifier: GPL-3.0-or-later

   GCC inlines a small function that divides its work only if there is much of it, a parallel_for of a library's, where
   it is called; or at least its beginning, up to where it spawns.  With -fcilkprof it does not, because a function
   with constructs must have its own events.  But counted code has none, and is to take the time that it takes without
   -fcilkprof.  So there the call of a guarded function, of its bare copy (guarded.cc), becomes

     if (n <= grain) { MARK_COUNTED_PART (&copy); ...; } else copy (n);

   That is what is left of another copy of the bare copy, the part, which is inlined before other optimisations.
   The marker has the place of the call: counting.cc makes it count the call.

   Only parts that make no calls are inlined: their sites would be taken for those of the caller.  */

#include "back.h"
#include "except.h"
#include "tree-cfgcleanup.h"

static const char suffix[] = "part";

static hash_map<tree, tree> parts; /* by the bare copies from which they were made */

/* Returns true if the bare copy of NODE is that of a guarded function, and it is possible to inline a part of it as far
   as can be seen at once.  */
static bool guarded_part_possible_p(cgraph_node *node) {
  function *fun = DECL_STRUCT_FUNCTION(node->decl);
  tree original = original_of_bare_copy(node->decl);
  if (!original || !fun || !fun->cfg || !guarded_callee_p(original) || !opt_for_fn(node->decl, optimize))
    return false;
  for (const char *name : {"noinline", "noipa"})
    if (lookup_attribute(name, DECL_ATTRIBUTES(original)))
      return false;
  return opt_for_fn(node->decl, flag_inline_small_functions) && !flag_sanitize && !fun->calls_alloca &&
         !fun->calls_setjmp && !fun->has_nonlocal_label && !fun->has_forced_label_in_static;
}

/* Makes the current function, a part that is being made, go on in COPY, the bare copy, where that begins anew as the
   function with events.  AT is in the block where it does.  */
static void call_copy_out_of_part(gimple_stmt_iterator at, tree copy) {
  basic_block leaving = gsi_bb(at);
  edge there = single_pred_edge(leaving);
  gcond *test = as_a<gcond *>(last_nondebug_stmt(there->src));
  if (there->flags & EDGE_TRUE_VALUE)
    gimple_cond_make_true(test);
  else
    gimple_cond_make_false(test);
  update_stmt(test);
  for (at = gsi_start_bb(leaving); !gsi_end_p(at);) {
    gimple *statement = gsi_stmt(at);
    bool told = is_gimple_call(statement) && gimple_call_fndecl(statement) == engine_function_decl(CALL_o_begin_anew);
    if (told || (gimple_store_p(statement) && !is_gimple_call(statement) &&
                 operand_equal_p(gimple_get_lhs(statement), thread_began_anew_tree()))) {
      unlink_stmt_vdef(statement);
      gsi_remove(&at, true);
      release_defs(statement);
      continue;
    }
    if (is_gimple_call(statement)) {
      gimple_call_set_fndecl(as_a<gcall *>(statement), copy);
      gimple_call_set_tail(as_a<gcall *>(statement), false);
      gimple_set_block(statement, DECL_INITIAL(cfun->decl));
      update_stmt(statement);
    }
    gsi_next(&at);
  }
}

/* Puts a marker in the place of the statement at AT, by which COPY, a bare copy, leaves its guard to code that does not
   spawn.  The current function is a part of it.  */
static void mark_serial_part(gimple_stmt_iterator *at, tree copy) {
  gcall *mark = build_marker_without_effect(MARK_COUNTED_PART, NULL_TREE, build_fold_addr_expr(copy));
  gimple *left = gsi_stmt(*at);
  gimple_set_block(mark, DECL_INITIAL(cfun->decl));
  unlink_stmt_vdef(left);
  gsi_replace(at, mark, false);
}

/* Makes the current function, a copy of the bare copy COPY, the part of it that does not spawn.  */
static void reduce_to_serial_part(tree copy) {
  basic_block bb;
  tree inside = thread_in_guard_tree(), anew = engine_function_decl(CALL_o_begin_anew);
  auto_vec<gimple *> leaving, serial;
  FOR_EACH_BB_FN (bb, cfun)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at)) {
      gimple *statement = gsi_stmt(at);
      if (is_gimple_call(statement) && gimple_call_fndecl(statement) == anew)
        leaving.safe_push(statement);
      else if (gimple_assign_single_p(statement) && operand_equal_p(gimple_assign_lhs(statement), inside))
        serial.safe_push(statement);
    }
  for (gimple *each : leaving)
    call_copy_out_of_part(gsi_for_stmt(each), copy);
  for (gimple *each : serial) {
    gimple_stmt_iterator at = gsi_for_stmt(each);
    mark_serial_part(&at, copy);
  }
  free_dominance_info(CDI_DOMINATORS);
  free_dominance_info(CDI_POST_DOMINATORS);
  mark_virtual_operands_for_renaming(cfun);
  update_ssa(TODO_update_ssa);
  cleanup_tree_cfg();
}

/* Returns true if STATEMENT, in a part of the bare copy COPY, may be inlined into another function: it makes no call
   but that of COPY, and has nothing to do with exceptions.  */
static bool inlinable_part_statement_p(gimple *statement, tree copy) {
  if (lookup_stmt_eh_lp(statement) || gimple_code(statement) == GIMPLE_EH_DISPATCH ||
      gimple_code(statement) == GIMPLE_RESX || gimple_code(statement) == GIMPLE_ASM)
    return false;
  if (!is_gimple_call(statement) || marker_of_call(statement) == MARK_COUNTED_PART)
    return true;
  tree callee = gimple_call_fndecl(statement);
  return callee == copy || gimple_call_internal_p(statement) ||
         (callee && fndecl_built_in_p(callee) && classify_call_for_events(statement) == CALL_OF_NO_INTEREST);
}

/* Returns true if the current function, a part of the bare copy COPY, is small, and may be inlined.  */
static bool small_inlinable_part_p(tree copy) {
  enum { MOST = 50 };
  int count = 0;
  basic_block bb;
  FOR_EACH_BB_FN (bb, cfun)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at)) {
      if (!inlinable_part_statement_p(gsi_stmt(at), copy))
        return false;
      count += !is_gimple_debug(gsi_stmt(at)) && !gimple_clobber_p(gsi_stmt(at));
    }
  return count <= MOST;
}

/* Makes the part of the bare copy BARE that is inlined into counted code.  Like an event it is not output by
   itself.  */
static void make_guarded_part(cgraph_node *bare) {
  cgraph_node *part = copy_despite_noclone(bare, suffix);
  if (!part)
    return;
  keep_body_to_inline(part);
  DECL_UNINLINABLE(part->decl) = 0;
  push_cfun(DECL_STRUCT_FUNCTION(part->decl));
  current_function_decl = part->decl;
  bitmap_obstack_initialize(NULL);
  reduce_to_serial_part(bare->decl);
  if (small_inlinable_part_p(bare->decl)) {
    if (cfun->eh)
      init_eh_for_function(); /* what the regions were for is gone */
    parts.put(bare->decl, part->decl);
  }
  cgraph_edge::rebuild_edges();
  free_dominance_info(CDI_DOMINATORS);
  free_dominance_info(CDI_POST_DOMINATORS);
  bitmap_obstack_release(NULL);
  pop_cfun();
  current_function_decl = NULL_TREE;
}

/* Makes the parts of all guarded functions of the unit that are inlined into counted code.  Their bare copies begin
   anew already where they are about to spawn.  */
void make_guarded_parts() {
  cgraph_node *node;
  auto_vec<cgraph_node *> found;
  if (!counted_calls_enabled_p() || !optimize || optimize_size || !unit_has_event_bodies_p())
    return;
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node)
    if (guarded_part_possible_p(node))
      found.safe_push(node);
  for (cgraph_node *each : found)
    make_guarded_part(each);
}

/* Returns the part to inline in the place of CALL, in FUN, the copy of ORIGINAL or that itself; NULL_TREE: there is
   none, or it must not be inlined there.  Only calls of bare copies have one.  */
static tree part_to_inline(gcall *call, function *fun, tree original) {
  tree callee = gimple_call_fndecl(call), *part = callee ? parts.get(callee) : NULL;
  if (!part || !gimple_block(call) || LOCATION_LOCUS(gimple_location(call)) == UNKNOWN_LOCATION ||
      in_same_recursion_p(original, original_of_bare_copy(callee)))
    return NULL_TREE;
  bool same = DECL_FUNCTION_SPECIFIC_OPTIMIZATION(*part) == DECL_FUNCTION_SPECIFIC_OPTIMIZATION(fun->decl) &&
              DECL_FUNCTION_SPECIFIC_TARGET(*part) == DECL_FUNCTION_SPECIFIC_TARGET(fun->decl);
  return same ? *part : NULL_TREE;
}

/* Gives MARK, a marker or a call of a part that was inlined, the place of the call that was inlined.  The block of
   that is around the outermost one of the part.  */
static void set_place_of_inlined_part(gimple *mark) {
  tree inlined = BLOCK_SUPERCONTEXT(gimple_block(mark));
  gimple_set_location(mark, LOCATION_LOCUS(BLOCK_SOURCE_LOCATION(inlined)));
  gimple_set_block(mark, BLOCK_SUPERCONTEXT(inlined));
}

/* Gives the markers and calls of the parts that were inlined into FUN the places of the calls that were inlined.  */
static void set_places_of_inlined_parts(function *fun) {
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at)) {
      gimple *statement = gsi_stmt(at);
      bool from_part = marker_of_call(statement) == MARK_COUNTED_PART ||
                       (is_gimple_call(statement) && gimple_call_fndecl(statement) &&
                        parts.get(gimple_call_fndecl(statement)) && gimple_block(statement));
      if (from_part && LOCATION_LOCUS(gimple_location(statement)) == UNKNOWN_LOCATION)
        set_place_of_inlined_part(statement);
    }
}

/* Inlines the parts of guarded functions into FUN, the current function, where that is counted code: in a bare copy, or
   in second bodies of loops.  No other code calls bare copies, but those of functions that are not counted.  Returns
   what GCC has to do afterwards.  */
unsigned inline_guarded_parts(function *fun) {
  enum { MOST = 32 };
  auto_vec<gcall *> calls;
  basic_block bb;
  tree copied = original_of_bare_copy(fun->decl), original = copied ? copied : fun->decl;
  if (!parts.elements() || (copied && !counted_code_enters_copy_p(copied)))
    return 0;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at)) {
      gcall *call = dyn_cast<gcall *>(gsi_stmt(at));
      tree part = call && calls.length() < MOST ? part_to_inline(call, fun, original) : NULL_TREE;
      if (!part)
        continue;
      gimple_call_set_fndecl(call, part);
      update_stmt(call);
      calls.safe_push(call);
    }
  if (calls.is_empty())
    return 0;
  keep_event_bodies();
  cgraph_edge::rebuild_edges();
  unsigned todo = inline_prepared_calls(fun, calls);
  set_places_of_inlined_parts(fun);
  return todo;
}
