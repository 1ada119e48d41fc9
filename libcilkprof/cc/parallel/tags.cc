/* Makes code that is added for Cilk recognisable by its address: in the debugging information it is an inlined
   function, cilk_spawn, cilk_sync, cilk_for or cilk_reducer.
   SPDX-License-Identifier: GPL-3.0-or-later

   An inlined function leaves a scope, a BLOCK whose origin is the function and whose location is that of the call.  A
   statement belongs to it through its location, so no pass treats it differently, and -g does not change the code.  In
   the trees the scope has no location yet, or GCC would describe the function as a part of the one around it.

   A debugger takes the function for a real one without variables, and shows no others at the line of a spawn.  So there
   are no tags with -O0 or -Og.  */

#include "parallel.h"
#include "debug.h"

static const char *const names[TAGS] = {"cilk_spawn", "cilk_sync", "cilk_for", "cilk_reducer"};

static tree functions[TAGS]; /* known to the garbage collector */
static const ggc_root_tab roots[] = {{functions, TAGS, sizeof *functions, &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
                                     LAST_GGC_ROOT_TAB};

/* Makes the functions that tags name known to GCC's garbage collector, for PLUGIN.  */
void register_tag_roots(const char *plugin) {
  register_callback(plugin, PLUGIN_REGISTER_GGC_ROOTS, NULL, const_cast<ggc_root_tab *>(roots));
}

/* Returns the function that the tag WHICH names, such as cilk_spawn.  It has no code.  GCC describes it first as a
   source function, and then as an inlined one.  */
static tree tag_function(tag which) {
  if (functions[which])
    return functions[which];
  tree type = build_function_type_list(void_type_node, NULL_TREE);
  tree function = build_decl(BUILTINS_LOCATION, FUNCTION_DECL, get_identifier(names[which]), type);
  TREE_STATIC(function) = TREE_USED(function) = DECL_ARTIFICIAL(function) = 1;
  DECL_INITIAL(function) = make_node(BLOCK);
  BLOCK_SUPERCONTEXT(DECL_INITIAL(function)) = function;
  DECL_RESULT(function) = build_decl(BUILTINS_LOCATION, RESULT_DECL, NULL_TREE, void_type_node);
  DECL_CONTEXT(DECL_RESULT(function)) = function;
  DECL_ARTIFICIAL(DECL_RESULT(function)) = DECL_IGNORED_P(DECL_RESULT(function)) = 1;
  debug_hooks->early_global_decl(function);
  DECL_POSSIBLY_INLINED(function) = 1;
  debug_hooks->outlining_inline_function(function);
  return functions[which] = function;
}

/* Returns true if added code is tagged: not with -O0 or -Og, where tags would confuse a debugger.  */
static bool tags_wanted_p() {
  return optimize && !optimize_debug && !deferring;
}

/* Returns STATEMENT, code that was added for a keyword at WHERE, in a scope with the tag WHICH; STATEMENT itself if
   tags are not wanted.  */
tree build_tagged_scope(tag which, tree statement, location_t where) {
  if (!tags_wanted_p())
    return statement;
  tree block = make_node(BLOCK);
  TREE_USED(block) = 1;
  BLOCK_ABSTRACT_ORIGIN(block) = tag_function(which);
  tree bind = build3(BIND_EXPR, void_type_node, NULL_TREE, statement, block);
  TREE_SIDE_EFFECTS(bind) = 1;
  SET_EXPR_LOCATION(bind, where);
  return bind;
}

/* Sets *WHICH to the tag that the scope BLOCK has, and returns true; false if it has none.  Tags are compared by name
   because a precompiled header has a declaration of its own.  */
static bool tag_of_block(tree block, tag *which) {
  tree function = block ? BLOCK_ABSTRACT_ORIGIN(block) : NULL_TREE;
  if (!function || TREE_CODE(function) != FUNCTION_DECL || !DECL_ARTIFICIAL(function) || !DECL_NAME(function))
    return false;
  for (int i = 0; i < TAGS; i++)
    if (id_equal(DECL_NAME(function), names[i])) {
      *which = (tag)i;
      return true;
    }
  return false;
}

/* Sets *WHICH to the tag for STATEMENT, a call of the runtime, and returns true; false for other statements.  */
static bool tag_of_runtime_call(gimple *statement, tag *which) {
  tree function = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
  if (!function || !DECL_NAME(function) || !startswith(IDENTIFIER_POINTER(DECL_NAME(function)), "__cilkprof_r_"))
    return false;
  const char *name = IDENTIFIER_POINTER(DECL_NAME(function)) + strlen("__cilkprof_r_");
  *which = startswith(name, "loop")                                   ? TAG_FOR
           : startswith(name, "hyper") || startswith(name, "reducer") ? TAG_REDUCER
                                                                      : TAG_SPAWN;
  return true;
}

/* Makes the function of the tag of STATEMENT, if it has one, before GCC emits debugging information for the unit.  */
void declare_statement_tag(gimple *statement) {
  tag which;
  if (!tags_wanted_p())
    return;
  if (gimple_code(statement) == GIMPLE_BIND ? tag_of_block(gimple_bind_block(as_a<gbind *>(statement)), &which)
                                            : tag_of_runtime_call(statement, &which))
    tag_function(which);
}

/* Gives the scope BLOCK of the tag WHICH the location WHERE, unless it has one already.  */
static void set_tag_location(tree block, tag which, location_t where) {
  if (LOCATION_LOCUS(BLOCK_SOURCE_LOCATION(block)) != UNKNOWN_LOCATION)
    return;
  BLOCK_ABSTRACT_ORIGIN(block) = functions[which];
  BLOCK_SOURCE_LOCATION(block) = LOCATION_LOCUS(where);
}

/* Returns a new scope in OUTER, or in the function if that is NULL_TREE, with the tag WHICH and the location WHERE.  */
static tree new_tag_block(tree outer, tag which, location_t where) {
  tree block = make_node(BLOCK);
  if (!outer)
    outer = DECL_INITIAL(current_function_decl);
  TREE_USED(block) = 1;
  BLOCK_SUPERCONTEXT(block) = outer;
  BLOCK_CHAIN(block) = BLOCK_SUBBLOCKS(outer);
  BLOCK_SUBBLOCKS(outer) = block;
  set_tag_location(block, which, where);
  return block;
}

/* Tags the STATEMENTS as code that was added for the cilk_for whose call of the runtime is LOOP.  */
void tag_loop_statements(gimple_seq statements, gimple *loop) {
  if (!functions[TAG_FOR])
    return;
  tree block = new_tag_block(gimple_block(loop), TAG_FOR, gimple_location(loop));
  for (gimple_stmt_iterator at = gsi_start(statements); !gsi_end_p(at); gsi_next(&at))
    gimple_set_block(gsi_stmt(at), block);
}

/* Tags the stores that fill the object with the variables of an outlined loop or block, which is passed to the call AT.
   BLOCK is the scope of the tag.  The stores may be in the block before that of the call, if the code chooses between
   two ways to run a loop.  */
static void tag_closure_stores(gimple_stmt_iterator at, tree block) {
  tree data = gimple_call_num_args(gsi_stmt(at)) > 1 ? gimple_call_arg(gsi_stmt(at), 1) : NULL_TREE;
  if (!data || TREE_CODE(data) != ADDR_EXPR)
    return;
  basic_block from = gsi_bb(at);
  gsi_prev(&at);
  if (gsi_end_p(at) && single_pred_p(from))
    at = gsi_last_bb(single_pred(from));
  for (; !gsi_end_p(at); gsi_prev(&at)) {
    tree to = gimple_get_lhs(gsi_stmt(at));
    if (to && get_base_address(to) == TREE_OPERAND(data, 0))
      gimple_set_block(gsi_stmt(at), block);
  }
}

/* Gives the tags in FUN their locations, and tags its calls of the runtime, before anything is inlined into FUN.
   Statements that the outlining has created have no location, and get that of the call before them.  */
void place_code_tags(function *fun) {
  basic_block block;
  FOR_EACH_BB_FN (block, fun) {
    location_t last = DECL_SOURCE_LOCATION(fun->decl);
    for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
      gimple *statement = gsi_stmt(at);
      tree scope = gimple_block(statement);
      tag which;
      bool in_tag = tag_of_block(scope, &which), call = !in_tag && tag_of_runtime_call(statement, &which);
      if ((!in_tag && !call) || !functions[which])
        continue;
      if (LOCATION_LOCUS(gimple_location(statement)) != UNKNOWN_LOCATION)
        last = gimple_location(statement);
      if (in_tag)
        set_tag_location(scope, which, last);
      else {
        gimple_set_block(statement, new_tag_block(scope, which, last));
        tag_closure_stores(at, gimple_block(statement));
      }
    }
  }
}
