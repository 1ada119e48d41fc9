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

/* Returns the result of LOOP, a call of the runtime: it is what a load of RANGE_THROWN behind it would read.  */
tree result_of_divided_loop(gimple *loop) {
  if (!gimple_call_lhs(loop)) {
    gimple_call_set_lhs(loop, make_ssa_name(long_unsigned_type_node));
    update_stmt(loop);
  }
  return gimple_call_lhs(loop);
}

/* Returns what RANGE_THROWN is after the statement AT, the last one of its block that counts, or of the blocks that
   lead to it alone; NULL_TREE if it has to be read.  */
tree thrown_after(basic_block block, gimple_stmt_iterator at) {
  for (;; at = gsi_last_bb(block = single_pred(block))) {
    for (; !gsi_end_p(at); gsi_prev(&at)) {
      gimple *each = gsi_stmt(at);
      if (divided_loop_call_p(each))
        return result_of_divided_loop(each);
      if (is_gimple_call(each) && gimple_call_fndecl(each) &&
          id_equal(DECL_NAME(gimple_call_fndecl(each)), "__cilkprof_r_caught"))
        return build_one_cst(long_unsigned_type_node);
      if (may_keep_exception_p(each) || reads_thrown_p(each))
        return NULL_TREE;
    }
    if (!single_pred_p(block))
      return NULL_TREE;
  }
}

/* Returns true if one of the statements of a block up to AT may keep an exception.  */
bool has_kept_exception_before(gimple_stmt_iterator at) {
  for (; !gsi_end_p(at); gsi_prev(&at))
    if (may_keep_exception_p(gsi_stmt(at)) || reads_thrown_p(gsi_stmt(at)))
      return true;
  return false;
}

/* Returns what RANGE_THROWN is on WAY, where it is 0 unless that is one of WAYS.  It is read there if that is the only
   way to know; LOAD is a statement that does so.  */
tree thrown_on_way(edge way, hash_set<edge> *ways, gimple *load) {
  if (!ways->contains(way))
    return build_zero_cst(long_unsigned_type_node);
  if (tree known = thrown_after(way->src, gsi_last_bb(way->src)))
    return known;
  gimple *read = gimple_build_assign(make_ssa_name(long_unsigned_type_node), unshare_expr(gimple_assign_rhs1(load)));
  gimple_set_location(read, gimple_location(load));
  gsi_insert_on_edge(way, read);
  return gimple_assign_lhs(read);
}

/* Returns what RANGE_THROWN is at the start of BLOCK, by the ways that lead to it.  WAYS and LOAD are those of
   thrown_on_way.  NULL_TREE if all of its predecessors are in WAYS, or if it is not possible to read it on one.  */
tree thrown_by_ways(basic_block block, hash_set<edge> *ways, gimple *load) {
  edge way;
  edge_iterator each;
  bool some = false;
  FOR_EACH_EDGE (way, each, block->preds) {
    if (way->flags & (EDGE_ABNORMAL | EDGE_EH))
      return NULL_TREE;
    some |= !ways->contains(way);
  }
  if (!some)
    return NULL_TREE;
  tree thrown = make_ssa_name(long_unsigned_type_node);
  gphi *phi = create_phi_node(thrown, block);
  FOR_EACH_EDGE (way, each, block->preds)
    add_phi_arg(phi, thrown_on_way(way, ways, load), way, UNKNOWN_LOCATION);
  return thrown;
}

/* Replaces the statement LOAD, which reads_thrown_p, by what is known of its value, which is not 0 only if one of WAYS
   was taken.  So GCC leaves out the check where no exception can be kept, and a call of the runtime need not keep the
   address of the thread's variables for it.  Returns true if something was known.  */
bool replace_load_of_thrown(gimple *load, hash_set<edge> *ways) {
  gimple_stmt_iterator at = gsi_for_stmt(load), before = at;
  basic_block block = gsi_bb(at);
  gsi_prev(&before);
  tree thrown = thrown_after(block, before);
  if (!thrown && !single_pred_p(block) && !has_kept_exception_before(before))
    thrown = thrown_by_ways(block, ways, load);
  if (!thrown)
    return false;
  gimple_assign_set_rhs_from_tree(&at, thrown);
  gimple_set_vuse(load, NULL_TREE);
  update_stmt(load);
  return true;
}

/* Makes FUN ask for exceptions only after what may keep one.  Returns true if something was changed.  */
bool replace_loads_of_thrown(function *fun) {
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
    changed |= replace_load_of_thrown(load, &ways);
  gsi_commit_edge_inserts();
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
  if (replace_loads_of_thrown(fun)) {
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
