/* Locks of omp.h: marks the code that holds one.
   SPDX-License-Identifier: GPL-3.0-or-later

   A lock may be set and unset anywhere.  If a function that sets a lock always reaches one call that unsets it, inside
   the same construct, the code in between is measured like a critical section.  Where a call may set one of several
   locks, the engine is told which it sets (engine/marks/lock_places.c).  For other calls the engine is notified when a
   lock is set and unset (engine/marks/locks.c), and knows it by its address.  */

#include "front.h"
#include "openmp-calls.h"
#include "tree-pretty-print.h"

enum lock_operation { NO_OPERATION, SET, TEST, UNSET };

/* Returns what FUNCTION of omp.h does to a lock, or NO_OPERATION. *NESTS is set to whether the lock is one that nests;
   it is left alone for NO_OPERATION.  */
static lock_operation omp_lock_operation_of_function(tree function, bool *nests) {
  static const struct {
    const char *name;
    lock_operation does;
    bool nests;
  } all[] = {{"omp_set_lock", SET, false},     {"omp_set_nest_lock", SET, true},
             {"omp_test_lock", TEST, false},   {"omp_test_nest_lock", TEST, true},
             {"omp_unset_lock", UNSET, false}, {"omp_unset_nest_lock", UNSET, true}};
  for (const auto &each : all)
    if (id_equal(DECL_NAME(function), each.name)) {
      *nests = each.nests;
      return each.does;
    }
  return NO_OPERATION;
}

/* The calls that may set one of several locks, and the expression that each call passes, which only the trees have.  */
static hash_set<location_hash> several;
static hash_map<location_hash, const char *> written;

/* Records the expression that CALL passes if CALLEE is a function of omp.h that operates on a lock, and whether it may
   be one of several locks.  Only the trees have that expression.  */
void note_omp_lock_call(tree call, tree callee) {
  bool nests;
  if (omp_lock_operation_of_function(callee, &nests) == NO_OPERATION || call_expr_nargs(call) != 1)
    return;
  location_t where = get_pure_location(EXPR_LOCATION(call));
  if (!fixed_omp_address_p(CALL_EXPR_ARG(call, 0)))
    several.add(where);
  written.put(where, print_generic_expr_to_str(CALL_EXPR_ARG(call, 0)));
}

namespace {

struct lock_call {
  gcall *call;
  lock_operation does;
  bool nests;
  int partner; /* index of the call that unsets what this sets, or the reverse, if they enclose a block; else -1 */
};

class lock_marker {
public:
  bool mark_all_omp_locks(function *fun);

private:
  auto_vec<lock_call> calls;

  void find_omp_lock_calls(function *fun);
  bool same_omp_lock_p(const lock_call &a, const lock_call &b) const;
  bool between_omp_lock_calls_p(const gimple *statement, const gimple *begin, const gimple *end) const;
  int unset_call_of_omp_lock(int set) const;
  bool omp_lock_used_alone_p(int set, int unset) const;
  void pair_omp_lock_calls();
  void unpair_overlapping_omp_locks();
  void mark_omp_locked_block(const lock_call &set, const lock_call &unset) const;
  void report_omp_lock_to_engine(const lock_call &operation) const;
};

/* Collects the calls in FUN that operate on locks, and numbers all statements in their order within a basic block.  */
void lock_marker::find_omp_lock_calls(function *fun) {
  basic_block bb;
  unsigned number = 0;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at)) {
      gcall *call = dyn_cast<gcall *>(gsi_stmt(at));
      tree callee = call ? gimple_call_fndecl(call) : NULL_TREE;
      bool nests = false;
      lock_operation does = callee && DECL_NAME(callee) ? omp_lock_operation_of_function(callee, &nests) : NO_OPERATION;
      gimple_set_uid(gsi_stmt(at), ++number);
      if (does != NO_OPERATION && gimple_call_num_args(call) == 1)
        calls.safe_push({call, does, nests, -1});
    }
}

/* Returns true if the source passes the same expression for the lock to the calls A and B.  */
bool lock_marker::same_omp_lock_p(const lock_call &a, const lock_call &b) const {
  const char **first = written.get(get_pure_location(LOCATION_LOCUS(gimple_location(a.call)))),
             **second = written.get(get_pure_location(LOCATION_LOCUS(gimple_location(b.call))));
  return first && second && !strcmp(*first, *second);
}

/* Returns true if control may pass STATEMENT between BEGIN and END.  */
bool lock_marker::between_omp_lock_calls_p(const gimple *statement, const gimple *begin, const gimple *end) const {
  basic_block bb = gimple_bb(statement);
  return dominated_by_p(CDI_DOMINATORS, bb, gimple_bb(begin)) &&
         dominated_by_p(CDI_POST_DOMINATORS, bb, gimple_bb(end)) &&
         (bb != gimple_bb(begin) || gimple_uid(statement) > gimple_uid(begin)) &&
         (bb != gimple_bb(end) || gimple_uid(statement) < gimple_uid(end));
}

/* Returns the index of the call that unsets what the call SET sets, among the statements that control always reaches
   after it; -1 if there is none, or it is in another construct or loop.  */
int lock_marker::unset_call_of_omp_lock(int set) const {
  gimple_stmt_iterator at = gsi_for_stmt(calls[set].call);
  basic_block bb = gimple_bb(calls[set].call), first = bb;
  int constructs = 0, found = -1;
  for (gsi_next(&at); found < 0; gsi_next(&at)) {
    while (gsi_end_p(at)) {
      bb = get_immediate_dominator(CDI_POST_DOMINATORS, bb);
      if (!bb || bb == EXIT_BLOCK_PTR_FOR_FN(cfun))
        return -1;
      at = gsi_start_bb(bb);
    }
    constructs += blocks_opened_by_marker(gsi_stmt(at));
    if (constructs < 0)
      return -1;
    for (unsigned i = 0; i < calls.length() && found < 0; i++)
      if (calls[i].call == gsi_stmt(at) && same_omp_lock_p(calls[i], calls[set]))
        found = i;
  }
  bool once = bb->loop_father == first->loop_father && dominated_by_p(CDI_DOMINATORS, bb, first);
  return constructs == 0 && once && calls[found].does == UNSET ? found : -1;
}

/* Returns true if no other call between SET and UNSET, indices of calls, uses the same lock.  */
bool lock_marker::omp_lock_used_alone_p(int set, int unset) const {
  for (int i = 0; i < (int)calls.length(); i++)
    if (i != set && i != unset && same_omp_lock_p(calls[i], calls[set]) &&
        between_omp_lock_calls_p(calls[i].call, calls[set].call, calls[unset].call))
      return false;
  return true;
}

/* Pairs each call that sets a lock with the call that unsets it, where the code between them is a block.  */
void lock_marker::pair_omp_lock_calls() {
  for (unsigned i = 0; i < calls.length(); i++) {
    int unset = calls[i].does == SET ? unset_call_of_omp_lock(i) : -1;
    if (unset >= 0 && calls[unset].partner < 0 && omp_lock_used_alone_p(i, unset)) {
      calls[i].partner = unset;
      calls[unset].partner = i;
    }
  }
}

/* Dissolves the pairs of calls whose blocks overlap without being nested.  These are not treated as blocks.  */
void lock_marker::unpair_overlapping_omp_locks() {
  auto_vec<int> not_blocks;
  for (unsigned i = 0; i < calls.length(); i++)
    for (unsigned j = 0; j < calls.length(); j++) {
      const lock_call &a = calls[i], &b = calls[j];
      if (a.does == SET && b.does == SET && a.partner >= 0 && b.partner >= 0 &&
          between_omp_lock_calls_p(b.call, a.call, calls[a.partner].call) &&
          !between_omp_lock_calls_p(calls[b.partner].call, a.call, calls[a.partner].call)) {
        not_blocks.safe_push(i);
        not_blocks.safe_push(j);
      }
    }
  for (int i : not_blocks)
    if (calls[i].partner >= 0) {
      calls[calls[i].partner].partner = -1;
      calls[i].partner = -1;
    }
}

/* Returns true if the call SET may set one of several locks.  */
bool sets_several_omp_locks_p(const gimple *set) {
  return several.contains(get_pure_location(LOCATION_LOCUS(gimple_location(set))));
}

/* Returns the name of the lock in the profile, with the location of the call SET: "omp lock", or "omp locks" if the
   call may set one of several and ONE is not set.  */
tree omp_lock_construct_name(const gimple *set, bool one) {
  return located_omp_construct_name(one || !sets_several_omp_locks_p(set) ? "omp lock" : "omp locks",
                                    gimple_location(set));
}

/* Inserts MADE after the call STATEMENT, on the edge to the next basic block if the call ends its own.  */
void insert_after_omp_lock_call(gcall *statement, gimple *made) {
  gimple_stmt_iterator at = gsi_for_stmt(statement);
  if (!stmt_ends_bb_p(statement))
    gsi_insert_after(&at, made, GSI_SAME_STMT);
  else if (edge on = find_fallthru_edge(gimple_bb(statement)->succs))
    gsi_insert_on_edge_immediate(on, made);
}

/* Puts the markers of a lock after the calls SET and UNSET, so that the code in between is measured like a critical
   section.  The lock is held until UNSET returns.  If it may be one of several, the engine is told which it is.  */
void lock_marker::mark_omp_locked_block(const lock_call &set, const lock_call &unset) const {
  tree type = build_function_type_list(void_type_node, const_ptr_type_node, NULL_TREE),
       name = omp_lock_construct_name(set.call, false);
  gcall *begin = gimple_build_call(declare_omp_marker(MARK_LOCK, type), 1, name);
  gimple_set_location(begin, gimple_location(set.call));
  insert_after_omp_lock_call(unset.call, build_omp_plain_marker(MARK_BLOCK_END, gimple_location(unset.call)));
  insert_after_omp_lock_call(set.call, begin);
  if (!sets_several_omp_locks_p(set.call))
    return;
  tree two = build_function_type_list(void_type_node, const_ptr_type_node, const_ptr_type_node, NULL_TREE);
  gcall *tell = gimple_build_call(declare_omp_engine_function("__cilkprof_omp_lock_at_place", two), 2,
                                  unshare_expr(name), unshare_expr(gimple_call_arg(set.call, 0)));
  gimple_set_location(tell, gimple_location(set.call));
  insert_after_omp_lock_call(set.call, tell);
}

/* Returns a variable with the result of CALL, which tests a lock: an int, or in Fortran a logical, which is passed in
   the same way.  */
tree result_of_omp_lock_test(gcall *call) {
  tree result = gimple_call_lhs(call);
  if (result && is_gimple_reg(result))
    return result;
  tree taken = create_tmp_var(gimple_call_return_type(call));
  gimple_call_set_lhs(call, taken);
  if (result)
    insert_after_omp_lock_call(call, gimple_build_assign(result, taken));
  return taken;
}

/* Inserts the call that tells the engine about OPERATION on a lock, for a call that has no partner.  A call that tests
   a lock has set it if the result is not 0.  */
void lock_marker::report_omp_lock_to_engine(const lock_call &operation) const {
  gcall *call = operation.call;
  tree lock = unshare_expr(gimple_call_arg(call, 0)), number = integer_type_node;
  if (operation.does == UNSET) {
    tree type = build_function_type_list(void_type_node, const_ptr_type_node, NULL_TREE);
    gimple_stmt_iterator at = gsi_for_stmt(call);
    gcall *made = gimple_build_call(declare_omp_engine_function("__cilkprof_api_omp_unlock", type), 1, lock);
    gimple_set_location(made, gimple_location(call));
    gsi_insert_before(&at, made, GSI_SAME_STMT);
    return;
  }
  tree taken = operation.does == TEST ? result_of_omp_lock_test(call) : integer_one_node;
  tree type = build_function_type_list(void_type_node, const_ptr_type_node, const_ptr_type_node, TREE_TYPE(taken),
                                       number, NULL_TREE);
  gcall *made = gimple_build_call(declare_omp_engine_function("__cilkprof_api_omp_lock", type), 4, lock,
                                  omp_lock_construct_name(call, true), taken, build_int_cst(number, operation.nests));
  gimple_set_location(made, gimple_location(call));
  insert_after_omp_lock_call(call, made);
}

/* Marks the code of FUN that holds a lock of omp.h: with markers where the calls that set and unset it enclose a block,
   else by telling the engine.  Returns true if FUN operates on locks.  */
bool lock_marker::mark_all_omp_locks(function *fun) {
  find_omp_lock_calls(fun);
  if (calls.is_empty())
    return false;
  if (loops_for_fn(fun)) {
    calculate_dominance_info(CDI_DOMINATORS);
    calculate_dominance_info(CDI_POST_DOMINATORS);
    pair_omp_lock_calls();
    unpair_overlapping_omp_locks();
    free_dominance_info(CDI_POST_DOMINATORS);
    free_dominance_info(CDI_DOMINATORS);
  }
  for (const lock_call &each : calls)
    if (each.partner < 0)
      report_omp_lock_to_engine(each);
    else if (each.does == SET)
      mark_omp_locked_block(each, calls[each.partner]);
  return true;
}

} // namespace

/* Marks the code of FUN that holds a lock of omp.h.  Returns true if there is any.  */
bool mark_omp_locks(function *fun) {
  return lock_marker().mark_all_omp_locks(fun);
}
