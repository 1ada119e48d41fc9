/* Marked calls become a marker and the plain call.
   SPDX-License-Identifier: GPL-3.0-or-later

   This happens in GIMPLE, where a call's arguments are already computed before it.  */

#include "front.h"

static const char spawned_attribute[] = "cilkprof spawned";

static gcall *
marker_call (marker which, location_t where)
{
  tree function = build_fn_decl (marker_name (which), build_function_type_list (void_type_node, NULL_TREE));
  TREE_NOTHROW (function) = 1;
  DECL_IGNORED_P (function) = 1;
  DECL_ATTRIBUTES (function) = tree_cons (get_identifier ("leaf"), NULL_TREE, NULL_TREE);
  gcall *call = gimple_build_call (function, 0);
  gimple_set_location (call, where);
  return call;
}

/* A spawned function stays a function: neither inlined, nor taken to be without effect.  */
static void
keep_function (tree function)
{
  DECL_UNINLINABLE (function) = 1;
  if (!lookup_attribute (spawned_attribute, DECL_ATTRIBUTES (function)))
    DECL_ATTRIBUTES (function) = tree_cons (get_identifier (spawned_attribute), NULL_TREE, DECL_ATTRIBUTES (function));
  TREE_READONLY (function) = DECL_PURE_P (function) = DECL_LOOPING_CONST_OR_PURE_P (function) = 0;
}

/* A built-in function or one that must be inlined leaves no call to be spawned: what takes its place is.  */
static bool
vanishes_p (tree function)
{
  return function && (fndecl_built_in_p (function) || lookup_attribute ("always_inline", DECL_ATTRIBUTES (function)));
}

static gimple_seq
spawned_block (gcall *call)
{
  gimple_seq body = NULL, end = NULL, lowered = NULL;
  gimple_seq_add_stmt (&body, call);
  gimple_seq_add_stmt (&end, marker_call (MARK_BLOCK_END, gimple_location (call)));
  gimple_seq_add_stmt (&lowered, marker_call (MARK_BLOCK, gimple_location (call)));
  gimple_seq_add_stmt (&lowered, gimple_build_try (body, end, GIMPLE_TRY_FINALLY));
  return lowered;
}

static gimple_seq
spawned_call (gcall *call)
{
  gimple_seq lowered = NULL;
  if (tree function = gimple_call_fndecl (call))
    keep_function (function);
  gimple_seq_add_stmt (&lowered, marker_call (MARK_SPAWN, gimple_location (call)));
  gimple_seq_add_stmt (&lowered, call);
  return lowered;
}

static tree
lower_call (gimple_stmt_iterator *at, bool *handled, walk_stmt_info *)
{
  gimple *statement = gsi_stmt (*at);
  if (!spawned_call_p (statement))
    return NULL_TREE;
  auto_bitmap mark;
  bitmap_set_bit (mark, gimple_call_num_args (statement) - 1);
  gcall *call = gimple_call_copy_skip_args (as_a<gcall *> (statement), mark);
  gimple_set_location (call, gimple_location (statement));
  gsi_replace_with_seq (at, vanishes_p (gimple_call_fndecl (call)) ? spawned_block (call) : spawned_call (call), true);
  *handled = true;
  return NULL_TREE;
}

/* A function that spawns syncs when it returns: inlined, it would no longer know where that is.  */
static tree
find_marker (gimple_stmt_iterator *at, bool *handled, walk_stmt_info *info)
{
  *handled = false;
  if (marker_of_call (gsi_stmt (*at)) != NO_MARKER)
    *(bool *) info->info = true;
  return NULL_TREE;
}

namespace {

const pass_data lowering_data = {GIMPLE_PASS, "cilkprof_lower", OPTGROUP_NONE, TV_NONE, PROP_gimple_any, 0, 0, 0, 0};

class lowering_pass : public gimple_opt_pass
{
public:
  lowering_pass () : gimple_opt_pass (lowering_data, g) {}

  unsigned int
  execute (function *fun) final override
  {
    walk_stmt_info info;
    bool found = false;
    memset (&info, 0, sizeof info);
    info.info = &found;
    gimple_seq body = gimple_body (fun->decl);
    walk_gimple_seq_mod (&body, lower_call, NULL, &info);
    walk_gimple_seq_mod (&body, find_marker, NULL, &info);
    gimple_set_body (fun->decl, body);
    if (found)
      DECL_UNINLINABLE (fun->decl) = 1;
    return 0;
  }
};

/* GCC's own analysis finds functions to be pure or const; a spawned one is called all the same.  */
const pass_data impurity_data = {GIMPLE_PASS, "cilkprof_impure", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0};

class impurity_pass : public gimple_opt_pass
{
public:
  impurity_pass () : gimple_opt_pass (impurity_data, g) {}
  opt_pass *clone () final override { return new impurity_pass; }

  unsigned int
  execute (function *fun) final override
  {
    if (lookup_attribute (spawned_attribute, DECL_ATTRIBUTES (fun->decl))) {
      cgraph_node *node = cgraph_node::get (fun->decl);
      node->set_const_flag (false, false);
      node->set_pure_flag (false, false);
    }
    return 0;
  }
};

} // namespace

opt_pass *
make_lowering_pass ()
{
  return new lowering_pass;
}

opt_pass *
make_impurity_pass ()
{
  return new impurity_pass;
}
