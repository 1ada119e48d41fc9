/* Mutexes of pthreads and of C11, and with them those of C++: tells the engine when they are locked and unlocked.
   SPDX-License-Identifier: GPL-3.0-or-later

   The engine knows a mutex by its address, and a place that locks it by its name (engine/marks/locks.c).  This is done
   after inlining, so that the place of a std::lock_guard is that of the user's code.  */

#include "back.h"

enum mutex_operation { NO_OPERATION, LOCK, UNLOCK };

/* Returns what FUNCTION does to the mutex that its first argument points to.  All that lock it return 0 if they have.
   The C++ library calls some of them by weak references with a prefix.  Of a lock for readers and writers only writers
   count: readers do not exclude each other, and the engine ignores that a lock is unlocked which it does not know to
   be locked.  */
static mutex_operation instrumented_mutex_operation(tree function) {
  static const struct {
    const char *name;
    mutex_operation does;
  } all[] = {{"pthread_mutex_lock", LOCK},
             {"pthread_mutex_trylock", LOCK},
             {"pthread_mutex_timedlock", LOCK},
             {"pthread_mutex_clocklock", LOCK},
             {"pthread_mutex_unlock", UNLOCK},
             {"pthread_rwlock_wrlock", LOCK},
             {"pthread_rwlock_trywrlock", LOCK},
             {"pthread_rwlock_timedwrlock", LOCK},
             {"pthread_rwlock_clockwrlock", LOCK},
             {"pthread_rwlock_unlock", UNLOCK},
             {"pthread_spin_lock", LOCK},
             {"pthread_spin_trylock", LOCK},
             {"pthread_spin_unlock", UNLOCK},
             {"mtx_lock", LOCK},
             {"mtx_trylock", LOCK},
             {"mtx_timedlock", LOCK},
             {"mtx_unlock", UNLOCK}};
  if (!DECL_NAME(function) || !DECL_EXTERNAL(function))
    return NO_OPERATION;
  const char *name = IDENTIFIER_POINTER(DECL_NAME(function)), weak[] = "__gthrw_";
  if (startswith(name, weak))
    name += sizeof weak - 1;
  for (const auto &each : all)
    if (!strcmp(name, each.name))
      return each.does;
  return NO_OPERATION;
}

/* Returns a string literal with the name of the mutex that CALL locks, by its place: "mutex fft.c:12".  */
static tree instrumented_mutex_place_name(const gimple *call) {
  expanded_location place = expand_location(user_place_of_site_statement(call).place);
  char *name = xasprintf("mutex %s:%d", place.file ? lbasename(place.file) : "?", place.line);
  tree literal = build_string_literal(strlen(name) + 1, name);
  free(name);
  return literal;
}

/* Returns a declaration of the engine's function NAME, of this TYPE.  */
static tree declare_mutex_event(const char *name, tree type) {
  tree function = build_fn_decl(name, type);
  TREE_NOTHROW(function) = 1;
  DECL_ATTRIBUTES(function) = tree_cons(get_identifier("leaf"), NULL_TREE, NULL_TREE);
  return function;
}

/* Inserts a call of the engine before CALL, which reports that CALL unlocks a mutex.  */
static void insert_mutex_unlock_event(gcall *call) {
  tree type = build_function_type_list(void_type_node, const_ptr_type_node, NULL_TREE);
  gcall *made = gimple_build_call(declare_mutex_event("__cilkprof_api_omp_unlock", type), 1,
                                  unshare_expr(gimple_call_arg(call, 0)));
  gimple_stmt_iterator at = gsi_for_stmt(call);
  gimple_set_location(made, gimple_location(call));
  gsi_insert_before(&at, made, GSI_SAME_STMT);
}

/* Inserts a call of the engine after CALL, which reports that the mutex is locked if the result of CALL is 0.  A result
   that the program ignores is taken to be 0.  */
static void insert_mutex_lock_event(gcall *call) {
  tree type =
      build_function_type_list(void_type_node, const_ptr_type_node, const_ptr_type_node, integer_type_node, NULL_TREE);
  tree result = gimple_call_lhs(call);
  if (!result || TREE_CODE(result) != SSA_NAME)
    result = integer_zero_node;
  gcall *made = gimple_build_call(declare_mutex_event("__cilkprof_api_omp_mutex", type), 3,
                                  unshare_expr(gimple_call_arg(call, 0)), instrumented_mutex_place_name(call), result);
  gimple_stmt_iterator at = gsi_for_stmt(call);
  gimple_set_location(made, gimple_location(call));
  if (!stmt_ends_bb_p(call))
    gsi_insert_after(&at, made, GSI_NEW_STMT);
  else if (edge on = find_fallthru_edge(gimple_bb(call)->succs))
    gsi_insert_on_edge_immediate(on, made);
}

/* Inserts calls of the engine that report all mutexes which FUN locks and unlocks.  */
static void insert_mutex_events_of_function(function *fun) {
  auto_vec<gcall *> calls;
  basic_block block;
  FOR_EACH_BB_FN (block, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
      gcall *call = dyn_cast<gcall *>(gsi_stmt(at));
      tree callee = call ? gimple_call_fndecl(call) : NULL_TREE;
      if (callee && gimple_call_num_args(call) > 0 && instrumented_mutex_operation(callee) != NO_OPERATION &&
          POINTER_TYPE_P(TREE_TYPE(gimple_call_arg(call, 0))))
        calls.safe_push(call);
    }
  for (gcall *call : calls)
    if (instrumented_mutex_operation(gimple_call_fndecl(call)) == LOCK)
      insert_mutex_lock_event(call);
    else
      insert_mutex_unlock_event(call);
  if (calls.is_empty())
    return;
  mark_virtual_operands_for_renaming(fun);
  update_ssa(TODO_update_ssa_only_virtuals);
}

/* Returns true if FUNCTION is instrumented, as far as can be told before it is known which functions have events.  */
static bool function_with_mutex_events_p(tree function) {
  return !cilkprof_function_p(function) && !bare_copy_p(function) &&
         !lookup_attribute("no_instrument_function", DECL_ATTRIBUTES(function));
}

/* Returns true if FUNCTION is a bare copy that counted code enters.  */
static bool counted_copy_with_mutex_events_p(tree function) {
  tree original = original_of_bare_copy(function);
  return original && counted_code_enters_copy_p(original);
}

/* Inserts calls of the engine that report all mutexes which those functions of the unit lock and unlock that are
   WANTED.  */
static void insert_mutex_events_where(bool (*wanted)(tree)) {
  cgraph_node *node;
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node) {
    function *fun = DECL_STRUCT_FUNCTION(node->decl);
    if (!fun || !fun->cfg || !gimple_in_ssa_p(fun) || node->inlined_to || !wanted(node->decl))
      continue;
    push_cfun(fun);
    current_function_decl = node->decl;
    bitmap_obstack_initialize(NULL);
    insert_mutex_events_of_function(fun);
    bitmap_obstack_release(NULL);
    pop_cfun();
    current_function_decl = NULL_TREE;
  }
}

/* Inserts calls of the engine that report all mutexes which functions of the unit lock and unlock.  */
void insert_mutex_events_in_unit() {
  insert_mutex_events_where(function_with_mutex_events_p);
}

/* Inserts such calls into the bare copies that counted code enters.  A reference run makes them, too; they return at
   once.  */
void insert_mutex_events_in_counted_code() {
  insert_mutex_events_where(counted_copy_with_mutex_events_p);
}
