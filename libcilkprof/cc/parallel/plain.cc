/* Short loops as fast as serial ones: what only a loop that is divided needs is done only for that.
   SPDX-License-Identifier: GPL-3.0-or-later

   Where the body of a loop was inlined as a plain call (ranges.cc), its iterations are known, and so are the variables
   that it uses.  But the thread's range is still stored, and variables whose addresses the divided loop needs are kept
   in memory on both ways: an atomic access in the body has them all loaded again.  So

     captured.f = &variable; loop (body, &captured, &site);

   becomes

     copy = variable; captured.f = &copy; loop (body, &captured, &site); variable = copy;

   if nothing else takes the address of the variable, which from then on can be in registers.  */

#include "parallel.h"

namespace {

const pass_data plain_data = {GIMPLE_PASS, "cilkprof_plain", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0};

/* The pass cilkprof_plain: removes from plain loops what only divided ones need.  */
class plain_pass : public gimple_opt_pass {
public:
  /* Makes the pass cilkprof_plain.  */
  plain_pass() : gimple_opt_pass(plain_data, g) {}
  unsigned int execute(function *fun) final override;
};

/* Returns true if STATEMENT has the runtime run a loop.  */
bool divided_loop_call_p(gimple *statement) {
  tree called = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
  return called && id_equal(DECL_NAME(called), "__cilkprof_r_loop");
}

/* Returns true if REFERENCE is word WHICH of the thread's range.  */
bool range_word_p(tree reference, range_word which) {
  poly_int64 offset, size, most;
  bool reverse;
  if (!reference || !handled_component_p(reference))
    return false;
  return get_ref_base_and_extent(reference, &offset, &size, &most, &reverse) == parallel_range_variable() &&
         known_eq(offset, (long)(which * BITS_PER_WORD));
}

/* Returns true if STATEMENT may read word WHICH of the thread's range: directly, or as a call of the runtime or of a
   loop's body that was not inlined.  */
bool reads_range_word_p(gimple *statement, range_word which) {
  if (is_gimple_call(statement)) {
    tree called = gimple_call_fndecl(statement);
    return divided_loop_call_p(statement) || (called && lookup_attribute(loop_body_attribute, DECL_ATTRIBUTES(called)));
  }
  return gimple_assign_load_p(statement) && range_word_p(gimple_assign_rhs1(statement), which);
}

/* Looks for a statement from AT to the end of its block that may read word WHICH of the thread's range.  Returns 1 if
   there is one, -1 if the word is stored before, and 0 if there is neither.  */
int find_range_use(gimple_stmt_iterator at, range_word which) {
  for (; !gsi_end_p(at); gsi_next(&at)) {
    if (reads_range_word_p(gsi_stmt(at), which))
      return 1;
    if (gimple_store_p(gsi_stmt(at)) && range_word_p(gimple_get_lhs(gsi_stmt(at)), which))
      return -1;
  }
  return 0;
}

/* Returns true if what the statement AT stores in word WHICH of the thread's range may be read later in its function.
   Others do not read it: whoever calls them stores another range first.  */
bool stored_range_used_p(gimple_stmt_iterator at, range_word which) {
  auto_vec<basic_block> reached;
  hash_set<basic_block> seen;
  basic_block block = gsi_bb(at);
  gsi_next(&at);
  for (int use = find_range_use(at, which);; use = find_range_use(gsi_start_bb(block), which)) {
    edge way;
    edge_iterator each;
    if (use > 0)
      return true;
    if (!use)
      FOR_EACH_EDGE (way, each, block->succs)
        if (!seen.add(way->dest))
          reached.safe_push(way->dest);
    if (reached.is_empty())
      return false;
    block = reached.pop();
  }
}

/* Removes the statements of FUN that store a range which nobody reads.  */
void remove_unused_ranges(function *fun) {
  basic_block block;
  FOR_EACH_BB_FN (block, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at);) {
      bool unused = false;
      if (gimple_assign_single_p(gsi_stmt(at)) && gimple_vdef(gsi_stmt(at)))
        for (range_word which : {RANGE_LOW, RANGE_HIGH, RANGE_GRAIN})
          unused |= range_word_p(gimple_assign_lhs(gsi_stmt(at)), which) && !stored_range_used_p(at, which);
      if (unused) {
        unlink_stmt_vdef(gsi_stmt(at));
        gsi_remove(&at, true);
      } else
        gsi_next(&at);
    }
}

/* Returns the variable whose address STATEMENT stores in a field of CAPTURED, which a loop passes to its body;
   NULL_TREE if it does not.  */
tree variable_captured_by(gimple *statement, tree captured) {
  if (!gimple_assign_single_p(statement) || TREE_CODE(gimple_assign_lhs(statement)) != COMPONENT_REF ||
      TREE_OPERAND(gimple_assign_lhs(statement), 0) != captured ||
      TREE_CODE(gimple_assign_rhs1(statement)) != ADDR_EXPR)
    return NULL_TREE;
  tree variable = TREE_OPERAND(gimple_assign_rhs1(statement), 0);
  return VAR_P(variable) ? variable : NULL_TREE;
}

/* A store of the address of VARIABLE by which LOOP captures it.  */
struct capture {
  gimple *loop, *store;
  tree variable;
};

/* What is done with addresses in a function.  */
struct addresses {
  hash_map<tree, int> taken; /* how often that of a variable is, for something else than to capture it */
  hash_set<tree> read;       /* variables from which pointers are read */
  auto_vec<capture> captures;
};

/* Callback for walk_stmt_load_store_addr_ops: counts in DATA that the address of BASE is taken.  */
bool count_address_of_variable(gimple *, tree base, tree, void *data) {
  ++((addresses *)data)->taken.get_or_insert(base);
  return false;
}

/* Callback for walk_stmt_load_store_addr_ops: notes in DATA that REFERENCE, a part of BASE, is read, if it has
   pointers.  */
bool note_read_variable(gimple *, tree base, tree reference, void *data) {
  if (POINTER_TYPE_P(TREE_TYPE(reference)) || AGGREGATE_TYPE_P(TREE_TYPE(reference)))
    ((addresses *)data)->read.add(base);
  return false;
}

/* Adds to FOUND the captures of LOOP, a call of the runtime, which are stored before it in its block.  */
void find_captures_of_divided_loop(gimple *loop, addresses *found) {
  tree data = gimple_call_arg(loop, 1), captured = TREE_CODE(data) == ADDR_EXPR ? TREE_OPERAND(data, 0) : NULL_TREE;
  gimple_stmt_iterator at = gsi_for_stmt(loop);
  if (!captured || !VAR_P(captured))
    return;
  for (gsi_prev(&at); !gsi_end_p(at) && !is_gimple_call(gsi_stmt(at)); gsi_prev(&at))
    if (tree variable = variable_captured_by(gsi_stmt(at), captured)) {
      found->captures.safe_push({loop, gsi_stmt(at), variable});
      --found->taken.get_or_insert(variable);
    }
}

/* Notes in FOUND what FUN does with addresses.  */
void find_parallel_addresses(function *fun, addresses *found) {
  basic_block block;
  FOR_EACH_BB_FN (block, fun) {
    for (gphi_iterator at = gsi_start_phis(block); !gsi_end_p(at); gsi_next(&at))
      walk_stmt_load_store_addr_ops(at.phi(), found, NULL, NULL, count_address_of_variable);
    for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
      if (is_gimple_debug(gsi_stmt(at)))
        continue;
      walk_stmt_load_store_addr_ops(gsi_stmt(at), found, note_read_variable, NULL, count_address_of_variable);
      if (divided_loop_call_p(gsi_stmt(at)))
        find_captures_of_divided_loop(gsi_stmt(at), found);
    }
  }
}

/* Returns true if the loop of EACH can have a copy of the variable that it captures: FOUND shows that loops capture it
   and that nothing else has its address.  It belongs to the function, is small, and has no copy constructor.  */
bool copied_for_divided_loop_p(const capture &each, addresses *found) {
  enum { LARGEST = 64 };
  tree variable = each.variable, type = TREE_TYPE(variable), size = DECL_SIZE_UNIT(variable);
  return !*found->taken.get(variable) && !found->read.contains(TREE_OPERAND(gimple_assign_lhs(each.store), 0)) &&
         auto_var_in_fn_p(variable, current_function_decl) && !TREE_THIS_VOLATILE(variable) && !TYPE_VOLATILE(type) &&
         !TREE_ADDRESSABLE(type) && TREE_CODE(type) != ARRAY_TYPE && size && tree_fits_uhwi_p(size) &&
         tree_to_uhwi(size) <= LARGEST;
}

/* Returns statements for TO = FROM, variables in memory, at the place of LIKE.  */
gimple_seq build_variable_copy(tree to, tree from, gimple *like) {
  gimple_seq code = NULL;
  if (is_gimple_reg_type(TREE_TYPE(from))) {
    tree value = make_ssa_name(TREE_TYPE(from));
    gimple_seq_add_stmt(&code, gimple_build_assign(value, from));
    from = value;
  }
  gimple_seq_add_stmt(&code, gimple_build_assign(to, from));
  annotate_all_with_location(code, gimple_location(like));
  return code;
}

/* Gives the loop of EACH a copy of the variable that it captures.  Nothing was known of what the variable contained
   before, so GCC must not complain now that it was not initialised.  */
void copy_for_divided_loop(const capture &each) {
  tree variable = each.variable, copy = create_tmp_var(TREE_TYPE(variable), "cilk_copy");
  gimple_stmt_iterator before = gsi_for_stmt(each.store), after = gsi_for_stmt(each.loop);
  TREE_NO_WARNING(variable) = 1;
  gimple_assign_set_rhs1(each.store, build_spawn_address_of(copy));
  update_stmt(each.store);
  gsi_insert_seq_before(&before, build_variable_copy(copy, variable, each.loop), GSI_SAME_STMT);
  gsi_insert_seq_after(&after, build_variable_copy(variable, copy, each.loop), GSI_SAME_STMT);
}

/* Returns true if there may be an exception to be thrown again after STATEMENT: it calls the runtime for a loop or a
   block, or the body of a loop, or has the runtime keep an exception.  All else throws exceptions at once.  */
bool may_keep_exception_p(gimple *statement) {
  static const char *const keeping[] = {"__cilkprof_r_loop", "__cilkprof_r_caught", "__cilkprof_r_spawn_block"};
  tree called = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
  if (!called)
    return false;
  for (const char *name : keeping)
    if (id_equal(DECL_NAME(called), name))
      return true;
  return lookup_attribute(loop_body_attribute, DECL_ATTRIBUTES(called));
}

/* Returns true if STATEMENT asks whether there is an exception to be thrown again.  */
bool reads_thrown_p(gimple *statement) {
  return gimple_assign_load_p(statement) && range_word_p(gimple_assign_rhs1(statement), RANGE_THROWN);
}

/* Adds the edges to WAYS on which there may be an exception that is kept after the statement AT.  */
void follow_kept_exception(gimple_stmt_iterator at, hash_set<edge> *ways) {
  auto_vec<basic_block> reached;
  basic_block block = gsi_bb(at);
  for (gsi_next(&at);; at = gsi_start_bb(block)) {
    edge way;
    edge_iterator each;
    while (!gsi_end_p(at) && !reads_thrown_p(gsi_stmt(at)))
      gsi_next(&at);
    if (gsi_end_p(at))
      FOR_EACH_EDGE (way, each, block->succs)
        if (!ways->add(way))
          reached.safe_push(way->dest);
    if (reached.is_empty())
      return;
    block = reached.pop();
  }
}

/* Returns the branch on what the statement LOAD, which reads_thrown_p, has read, if that follows it at once; NULL
   otherwise.  */
gcond *branch_on_thrown(gimple *load) {
  gimple_stmt_iterator at = gsi_for_stmt(load);
  gsi_next_nondebug(&at);
  gcond *branch = gsi_end_p(at) ? NULL : dyn_cast<gcond *>(gsi_stmt(at));
  bool on_it = branch && gimple_cond_lhs(branch) == gimple_assign_lhs(load) && gimple_cond_code(branch) == NE_EXPR &&
               integer_zerop(gimple_cond_rhs(branch)) && has_single_use(gimple_assign_lhs(load));
  return on_it ? branch : NULL;
}

/* Returns a value at the start of BLOCK that is 1 where one of WAYS leads to it, and 0 otherwise; NULL_TREE if all or
   none of its predecessors are in WAYS.  */
tree came_by_one_of(hash_set<edge> *ways, basic_block block) {
  edge way;
  edge_iterator each;
  unsigned count = 0;
  FOR_EACH_EDGE (way, each, block->preds)
    count += ways->contains(way);
  if (!count || count == EDGE_COUNT(block->preds))
    return NULL_TREE;
  tree came = make_ssa_name(boolean_type_node);
  gphi *phi = create_phi_node(came, block);
  FOR_EACH_EDGE (way, each, block->preds)
    add_phi_arg(phi, constant_boolean_node(ways->contains(way), boolean_type_node), way, UNKNOWN_LOCATION);
  return came;
}

/* Makes the statement LOAD and the branch after it be skipped where no exception is kept, which is so unless one of
   WAYS was taken.  Returns true if that was possible.  */
bool skip_check_for_exception(gimple *load, hash_set<edge> *ways) {
  gcond *branch = branch_on_thrown(load);
  tree came = branch ? came_by_one_of(ways, gimple_bb(load)) : NULL_TREE;
  if (!came)
    return false;
  gimple_stmt_iterator at = gsi_for_stmt(load);
  gsi_prev(&at);
  basic_block block = gimple_bb(load);
  edge check = gsi_end_p(at) ? split_block_after_labels(block) : split_block(block, gsi_stmt(at)), thrown, none;
  extract_true_false_edges_from_block(check->dest, &thrown, &none);
  gimple_stmt_iterator end = gsi_last_bb(block);
  gsi_insert_after(&end, gimple_build_cond(NE_EXPR, came, boolean_false_node, NULL_TREE, NULL_TREE), GSI_NEW_STMT);
  edge skip = make_edge(block, none->dest, EDGE_FALSE_VALUE);
  check->flags = (check->flags & ~EDGE_FALLTHRU) | EDGE_TRUE_VALUE;
  check->probability = skip->probability = profile_probability::even();
  for (gphi_iterator phi = gsi_start_phis(none->dest); !gsi_end_p(phi); gsi_next(&phi))
    add_phi_arg(phi.phi(), PHI_ARG_DEF_FROM_EDGE(phi.phi(), none), skip, UNKNOWN_LOCATION);
  return true;
}

/* Makes FUN ask for exceptions only after what may keep one.  Returns true if something was changed.  */
bool skip_checks_for_exceptions(function *fun) {
  basic_block block;
  auto_vec<gimple *> loads;
  hash_set<edge> ways;
  bool changed = false;
  FOR_EACH_BB_FN (block, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
      if (may_keep_exception_p(gsi_stmt(at)))
        follow_kept_exception(at, &ways);
      if (reads_thrown_p(gsi_stmt(at)))
        loads.safe_push(gsi_stmt(at));
    }
  for (gimple *load : loads)
    changed |= skip_check_for_exception(load, &ways);
  return changed;
}

/* Makes plain loops in FUN free of what only divided ones need.  Returns what GCC has to update then.  */
unsigned int plain_pass::execute(function *fun) {
  addresses found;
  unsigned int todo = 0;
  find_parallel_addresses(fun, &found);
  if (found.captures.is_empty())
    return 0;
  remove_unused_ranges(fun);
  for (const capture &each : found.captures)
    if (copied_for_divided_loop_p(each, &found)) {
      copy_for_divided_loop(each);
      todo |= TODO_update_ssa | TODO_update_address_taken;
    }
  if (skip_checks_for_exceptions(fun)) {
    free_dominance_info(CDI_DOMINATORS);
    todo |= TODO_update_ssa | TODO_cleanup_cfg;
  }
  return todo;
}

} // namespace

/* Registers the pass for PLUGIN where bodies have been inlined, and before aggregates are divided into registers.  */
void start_plain_parallel_loops(const char *plugin) {
  register_pass_info plain = {new plain_pass, "sra", 1, PASS_POS_INSERT_BEFORE};
  register_callback(plugin, PLUGIN_PASS_MANAGER_SETUP, NULL, &plain);
}
