/* What threads of a team have for themselves, and what they wait for: variables of which each has one, and reads of
   variables in loops (engine/teams/thread_variables.c, posts.c).
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "front.h"
#include "openmp-calls.h"
#include "gimplify.h"

/* Gives the unit a constructor that tells the engine of all variables that it defines of which each thread has one:
   threadprivate, __thread and thread_local.  */
void tell_engine_of_omp_thread_variables() {
  tree type = build_function_type_list(void_type_node, ptr_type_node, long_unsigned_type_node, NULL_TREE), calls = NULL;
  varpool_node *node;
  FOR_EACH_VARIABLE(node) {
    tree size = DECL_THREAD_LOCAL_P(node->decl) && !DECL_EXTERNAL(node->decl) ? DECL_SIZE_UNIT(node->decl) : NULL_TREE;
    if (!size || TREE_CODE(size) != INTEGER_CST)
      continue;
    TREE_ADDRESSABLE(node->decl) = 1;
    append_to_statement_list(build_call_expr(declare_omp_engine_function("__cilkprof_omp_thread_variable", type), 2,
                                             build_fold_addr_expr(node->decl),
                                             fold_convert(long_unsigned_type_node, size)),
                             &calls);
  }
  if (calls)
    cgraph_build_static_cdtor('I', calls, MAX_RESERVED_INIT_PRIORITY + 1); /* before those of the program */
}

/* Returns calls that tell the engine which variables REGION, a parallel one, copies from its first thread to all;
   NULL_TREE: none.  */
tree tell_engine_of_omp_copyin(tree region) {
  tree type = build_function_type_list(void_type_node, const_ptr_type_node, NULL_TREE), calls = NULL_TREE;
  for (tree clause = OMP_PARALLEL_CLAUSES(region); clause; clause = OMP_CLAUSE_CHAIN(clause))
    if (OMP_CLAUSE_CODE(clause) == OMP_CLAUSE_COPYIN)
      append_to_statement_list(build_call_expr(declare_omp_engine_function("__cilkprof_omp_copyin", type), 1,
                                               build_fold_addr_expr(OMP_CLAUSE_DECL(clause))),
                               &calls);
  return calls;
}

/* How a statement uses a variable by which threads may wait for each other.  */
struct flag_use {
  tree address = NULL_TREE; /* of the variable; NULL_TREE: there is none */
  bool reads = false, writes = false;
  tree object = NULL_TREE; /* what it is, if it is volatile */
};

/* Returns how CALL, of an atomic function that GCC knows, uses the variable to which its first argument points.  */
static flag_use omp_flag_use_of_call(gcall *call) {
  tree callee = gimple_call_fndecl(call);
  if (!callee || !fndecl_built_in_p(callee, BUILT_IN_NORMAL) || !gimple_call_num_args(call) ||
      !POINTER_TYPE_P(TREE_TYPE(gimple_call_arg(call, 0))))
    return {};
  const char *name = IDENTIFIER_POINTER(DECL_NAME(callee));
  if (!startswith(name, "__atomic_") && !startswith(name, "__sync_"))
    return {};
  bool loads = strstr(name, "_load"), changes = strstr(name, "_store") || strstr(name, "_clear") ||
                                                strstr(name, "lock_release") || strstr(name, "fetch");
  bool tries = strstr(name, "exchange") || strstr(name, "compare_and_swap") || strstr(name, "test_and_set");
  return loads || changes || tries ? flag_use{gimple_call_arg(call, 0), loads || tries, !loads} : flag_use{};
}

/* Returns how STATEMENT uses a variable by which threads may wait for each other: it is volatile, or an atomic function
   is called.  Code in assembler may change any: its address is null.  Volatile variables of the function itself are
   nobody else's, unless others have their address.  */
static flag_use omp_flag_use_of(gimple *statement) {
  if (gcall *call = dyn_cast<gcall *>(statement))
    return omp_flag_use_of_call(call);
  if (gasm *code = dyn_cast<gasm *>(statement)) /* a pause in a loop, behind which memory is read again */
    return {gimple_asm_clobbers_memory_p(code) ? null_pointer_node : NULL_TREE, true, false, error_mark_node};
  if (!gimple_assign_single_p(statement))
    return {};
  tree to = gimple_assign_lhs(statement), from = gimple_assign_rhs1(statement);
  bool writes = TREE_THIS_VOLATILE(to);
  tree object = writes ? to : from, base = get_base_address(object);
  if (!TREE_THIS_VOLATILE(object) || !base || TREE_CLOBBER_P(from) || contains_bitfld_component_ref_p(object) ||
      (DECL_P(base) && !TREE_ADDRESSABLE(base) && !is_global_var(base)))
    return {};
  return {build_fold_addr_expr(unshare_expr(object)), !writes, writes, object};
}

/* Returns what tells OBJECT, a volatile one, from others: its field, its variable, or its type.  */
static tree omp_flag_of_object(tree object) {
  if (TREE_CODE(object) == COMPONENT_REF)
    return TREE_OPERAND(object, 1);
  tree base = get_base_address(object);
  return DECL_P(base) ? base : TYPE_MAIN_VARIANT(TREE_TYPE(object));
}

/* Returns true if STATEMENT may be part of a loop that only waits: it neither calls anything nor writes to memory.  */
static bool may_only_wait_for_omp_flag_p(gimple *statement) {
  return !is_gimple_call(statement) && !(gimple_has_lhs(statement) && !is_gimple_reg(gimple_get_lhs(statement)));
}

/* Returns true if control may come back to FROM, and all statements on the shortest way are such as ONLY_WAITING
   returns true for, unless that is NULL.  */
static bool in_omp_loop_p(basic_block from, bool (*only_waiting)(gimple *)) {
  hash_map<basic_block, basic_block> came_from;
  auto_vec<basic_block> seen;
  seen.safe_push(from);
  for (unsigned i = 0; i < seen.length(); i++) {
    edge e;
    edge_iterator ei;
    FOR_EACH_EDGE (e, ei, seen[i]->succs)
      if (e->dest->index >= NUM_FIXED_BLOCKS && !came_from.get(e->dest)) {
        came_from.put(e->dest, seen[i]);
        seen.safe_push(e->dest);
      }
  }
  if (!came_from.get(from) || !only_waiting)
    return came_from.get(from) != NULL;
  basic_block bb = from;
  do {
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
      if (!only_waiting(gsi_stmt(at)))
        return false;
    bb = *came_from.get(bb);
  } while (bb != from);
  return true;
}

/* Returns true if STATEMENT may be part of a loop that only waits for a plain variable: it is a jump, a call whose
   result is not used, or computes a value that is no variable of the program.  Where there is a flush, it is that by
   which the loop waits.  */
static bool may_only_wait_for_plain_omp_flag_p(gimple *statement) {
  tree to = gimple_has_lhs(statement) ? gimple_get_lhs(statement) : NULL_TREE,
       callee = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
  if (callee && DECL_NAME(callee) && id_equal(DECL_NAME(callee), "__cilkprof_api_omp_poll"))
    return false;
  return !to || (!is_gimple_call(statement) && is_gimple_reg(to) && VAR_P(to) && DECL_ARTIFICIAL(to));
}

/* Returns the plain variable that STATEMENT reads, if it is one of the program's that another thread could change, in a
   loop that does nothing but read it and call functions; NULL_TREE: there is none.  */
static tree plain_omp_flag_awaited_by(gimple *statement) {
  tree from = gimple_assign_single_p(statement) ? gimple_assign_rhs1(statement) : NULL_TREE,
       base = from ? get_base_address(from) : NULL_TREE;
  if (!base || !gimple_assign_load_p(statement) || !INTEGRAL_TYPE_P(TREE_TYPE(from)) ||
      contains_bitfld_component_ref_p(from) || TREE_READONLY(base) || (DECL_P(base) && !is_global_var(base)))
    return NULL_TREE;
  return in_omp_loop_p(gimple_bb(statement), may_only_wait_for_plain_omp_flag_p) ? from : NULL_TREE;
}

/* Returns true if STATEMENT, which uses a variable as USE says, may wait for another thread: a volatile variable is
   read in a loop that does nothing else; an atomic one in any loop, or where INLINED, in a function that a loop may
   call.  */
static bool waits_for_omp_flag_p(gimple *statement, const flag_use &use, bool inlined) {
  return use.address && use.reads &&
         ((inlined && !use.object) ||
          in_omp_loop_p(gimple_bb(statement), use.object ? may_only_wait_for_omp_flag_p : NULL));
}

/* Returns true if STATEMENT waits in a loop for another thread, as far as that is sure: it reads a volatile variable
   until that changes, or is behind a flush or a call that lets others run.  */
bool surely_waits_for_omp_thread_p(gimple *statement) {
  flag_use use = omp_flag_use_of(statement);
  if (use.object)
    return use.object != error_mark_node && waits_for_omp_flag_p(statement, use, false);
  gcall *call = dyn_cast<gcall *>(statement);
  tree callee = call ? gimple_call_fndecl(call) : NULL_TREE;
  return callee && DECL_NAME(callee) && id_equal(DECL_NAME(callee), "__cilkprof_api_omp_poll") &&
         integer_zerop(gimple_call_arg(call, 0)) && in_omp_loop_p(gimple_bb(statement), NULL);
}

/* Adds the volatile variables for which FUN waits to FOUND.  */
void find_volatile_omp_flags(function *fun, hash_set<tree> *found) {
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at)) {
      flag_use use = omp_flag_use_of(gsi_stmt(at));
      if (use.object && use.object != error_mark_node && waits_for_omp_flag_p(gsi_stmt(at), use, false))
        found->add(omp_flag_of_object(use.object));
    }
}

/* Inserts a call, before AT or behind it if WRITTEN, that tells the engine that the variable at ADDRESS is read, or was
   written to.  */
static void tell_engine_of_omp_flag_at(gimple_stmt_iterator *at, tree address, bool written) {
  tree type = build_function_type_list(void_type_node, const_ptr_type_node, NULL_TREE);
  tree function = declare_omp_engine_function(written ? "__cilkprof_api_omp_post" : "__cilkprof_api_omp_poll", type);
  DECL_ATTRIBUTES(function) = NULL_TREE; /* others run, and write to any variable */
  gimple_seq before = NULL;
  tree value = force_gimple_operand(address, &before, true, NULL_TREE), pointer = create_tmp_var(const_ptr_type_node);
  gimple_seq_add_stmt(&before, gimple_build_assign(pointer, NOP_EXPR, value));
  gcall *tell = gimple_build_call(function, 1, pointer);
  gimple_set_location(tell, gimple_location(gsi_stmt(*at)));
  gsi_insert_seq_before(at, before, GSI_SAME_STMT);
  if (written)
    gsi_insert_after(at, tell, GSI_NEW_STMT);
  else
    gsi_insert_before(at, tell, GSI_SAME_STMT);
}

/* Adds to FOUND what is done under the lock whose marker is the last statement before AT, up to the end of the lock: it
   may be an atomic operation that GCC retries.  */
static void find_omp_locked_statements(gimple_stmt_iterator at, hash_set<gimple *> *found) {
  basic_block bb = gsi_bb(at);
  for (; !gsi_end_p(at); gsi_next(&at))
    if (marker_of_call(gsi_stmt(at)) == MARK_BLOCK_END || found->add(gsi_stmt(at)))
      return;
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE (e, ei, bb->succs)
    if (e->dest->index >= NUM_FIXED_BLOCKS)
      find_omp_locked_statements(gsi_start_bb(e->dest), found);
}

/* Adds what FUN does under locks of OpenMP to FOUND.  */
static void find_all_omp_locked_statements(function *fun, hash_set<gimple *> *found) {
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
      if (marker_of_call(gsi_stmt(at)) == MARK_LOCK) {
        gimple_stmt_iterator behind = at;
        gsi_next(&behind);
        find_omp_locked_statements(behind, found);
      }
}

/* Tells the engine where FUN may wait for other threads by a variable and, if WRITTEN, as the unit has teams, where it
   writes to one: an atomic one, or one of AWAITED, the volatile ones for which the unit waits; and where it may wait
   for a plain one.  What OpenMP's own constructs do is told
   of already.  Returns true if there is any such place.  */
bool tell_engine_of_omp_flags(function *fun, bool written, hash_set<tree> *awaited) {
  bool changed = false;
  hash_set<gimple *> locked;
  basic_block bb;
  find_all_omp_locked_statements(fun, &locked);
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at)) {
      flag_use use = omp_flag_use_of(gsi_stmt(at));
      tree plain = written && !use.address ? plain_omp_flag_awaited_by(gsi_stmt(at)) : NULL_TREE;
      if (plain && !locked.contains(gsi_stmt(at))) {
        tell_engine_of_omp_flag_at(&at, build_fold_addr_expr(unshare_expr(plain)), false);
        changed = true;
      }
      if (!use.address || locked.contains(gsi_stmt(at)) || stmt_ends_bb_p(gsi_stmt(at)))
        continue;
      bool waits = waits_for_omp_flag_p(gsi_stmt(at), use, DECL_DECLARED_INLINE_P(fun->decl));
      bool writes = use.writes && written && (!use.object || awaited->contains(omp_flag_of_object(use.object)));
      changed |= waits || writes;
      if (waits)
        tell_engine_of_omp_flag_at(&at, unshare_expr(use.address), false);
      if (writes)
        tell_engine_of_omp_flag_at(&at, unshare_expr(use.address), true);
    }
  return changed;
}

/* Returns true if CALL tells the engine of a variable that has an address: that it is read, or else written to, or of
   either if EITHER.  */
static bool tells_of_omp_flag_p(gimple *statement, bool either) {
  gcall *call = dyn_cast<gcall *>(statement);
  tree callee = call ? gimple_call_fndecl(call) : NULL_TREE;
  return callee && DECL_NAME(callee) &&
         startswith(IDENTIFIER_POINTER(DECL_NAME(callee)),
                    either ? "__cilkprof_api_omp_po" : "__cilkprof_api_omp_poll") &&
         !integer_zerop(gimple_call_arg(call, 0));
}

/* Returns true if FUN may wait for others by a variable.  */
bool waits_for_omp_flags_p(function *fun) {
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
      if (tells_of_omp_flag_p(gsi_stmt(at), false))
        return true;
  return false;
}

/* Removes what tells the engine of variables by which FUN waits for others, as no threads of a team run it, or nothing
   in the unit waits.  A flush names no variable, and is left.  */
void forget_omp_flags(function *fun) {
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at);)
      if (tells_of_omp_flag_p(gsi_stmt(at), true))
        gsi_remove(&at, true);
      else
        gsi_next(&at);
}
