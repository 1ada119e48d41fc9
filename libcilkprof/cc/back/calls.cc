/* What a statement means to the profile: which calls and markers are events, and what other calls cost.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "back.h"

/* Returns true if the symbol of FUNCTION, a callee, is one of NAMES, a list that ends with NULL.  */
static bool event_callee_named_p(tree function, const char *const *names) {
  const char *name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function));
  for (; *names; names++)
    if (!strcmp(name, *names))
      return true;
  return false;
}

/* Returns true if FUNCTION is of the library of Fortran.  */
static bool event_callee_of_fortran_library_p(tree function) {
  return startswith(IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function)), "_gfortran_");
}

/* Returns true if FUNCTION ends the process without running exit handlers, so that no profile is written, or because of
   an error that Fortran checks for.  Frames need not be kept in memory for such a call; otherwise every assertion, and
   every check of an index, would slow its function down.  */
static bool event_callee_kills_process_p(tree function) {
  static const char *const names[] = {"abort",      "__assert_fail",  "__assert", "__stack_chk_fail",
                                      "__chk_fail", "__fortify_fail", NULL};
  if (event_callee_of_fortran_library_p(function) && TREE_THIS_VOLATILE(function))
    return strstr(IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function)), "_error") &&
           !strstr(IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function)), "_stop");
  return event_callee_named_p(function, names);
}

/* Returns true if FUNCTION is one of those that run the program's exit handlers or end its profile, although the
   compiler knows them as built-in functions.  */
static bool event_callee_exits_program_p(tree function) {
  static const char *const names[] = {"exit",
                                      "_exit",
                                      "_Exit",
                                      "quick_exit",
                                      "execl",
                                      "execle",
                                      "execlp",
                                      "execv",
                                      "execve",
                                      "execvp",
                                      "execvpe",
                                      "execveat",
                                      "_gfortran_exit_i4",
                                      "_gfortran_exit_i8",
                                      NULL};
  return event_callee_named_p(function, names);
}

/* Returns true if FUNCTION is a jump by which control leaves its caller and continues in a function further out.  */
static bool event_callee_longjmps_p(tree function) {
  return fndecl_built_in_p(function, BUILT_IN_LONGJMP) || fndecl_built_in_p(function, BUILT_IN_NONLOCAL_GOTO);
}

/* Returns true if FUNCTION belongs to the interface by which a program calls the engine (cilkprof.h).  */
bool event_callee_of_api_p(tree function) {
  return startswith(IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function)), "__cilkprof_api_");
}

/* Returns true if FUNCTION is one by which the engine is told that a mutex is locked or unlocked.  */
bool mutex_event_callee_p(tree function) {
  const char *name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function));
  return !strcmp(name, "__cilkprof_api_omp_mutex") || !strcmp(name, "__cilkprof_api_omp_unlock");
}

/* Returns true if STATEMENT is a call of the engine that the plugins inserted, for OpenMP or a mutex.  It is not part
   of the program, so it is not counted.  */
bool synthetic_call_for_engine_p(const gimple *statement) {
  tree function = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
  const char *name = function ? IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function)) : "";
  return startswith(name, "__cilkprof_api_omp_") || startswith(name, "__cilkprof_omp_region_") ||
         startswith(name, "__cilkprof_omp_critical_") || startswith(name, "__cilkprof_omp_lock_");
}

/* Returns true if a call of FUNCTION surely reaches a function that is defined in this unit and not excluded from
   instrumentation.  */
static bool callee_instrumented_here_p(tree function) {
  cgraph_node *node = cgraph_node::get(function);
  if (!node)
    return false;
  enum availability availability;
  node = node->ultimate_alias_target(&availability);
  /* GCC treats a noipa function as interposable, but the call still reaches this very function.  */
  bool hidden = lookup_attribute("noipa", DECL_ATTRIBUTES(node->decl)) && decl_binds_to_current_def_p(node->decl);
  if (only_forks_have_events_p() && (DECL_COMDAT(node->decl) || DECL_WEAK(node->decl)))
    return false; /* the linker may take one without events */
  return node->definition && !DECL_EXTERNAL(node->decl) && (availability > AVAIL_INTERPOSABLE || hidden) &&
         !lookup_attribute("no_instrument_function", DECL_ATTRIBUTES(node->decl)) && !node->thunk;
}

/* Returns true if CALL, of a built-in function, is passed one of the program's functions, which the callee then calls,
   as those of libgomp do.  Functions that GCC created later, for loops that it parallelises, contain no events and do
   not count.  */
static bool builtin_calls_instrumented_back_p(const gimple *call) {
  for (unsigned i = 0; i < gimple_call_num_args(call); i++) {
    tree argument = gimple_call_arg(call, i);
    if (TREE_CODE(argument) != ADDR_EXPR || TREE_CODE(TREE_OPERAND(argument, 0)) != FUNCTION_DECL)
      continue;
    cgraph_node *node = cgraph_node::get(TREE_OPERAND(argument, 0));
    if (!node || !created_after_instrument_preparation_p(node))
      return true;
  }
  return false;
}

/* Returns true if the compiler knows FUNCTION as a built-in one, so that the cost of its calls is charged to the
   caller.  Functions that exit, and those of cilkprof, are not.  */
bool charged_to_instrumented_caller_p(tree function) {
  return fndecl_built_in_p(function) && !event_callee_exits_program_p(function) && !cilkprof_function_p(function);
}

/* Returns true if FUNCTION has a parameter that points to a function, which it may call.  */
static bool event_callee_takes_function_p(tree function) {
  for (tree each = TYPE_ARG_TYPES(TREE_TYPE(function)); each; each = TREE_CHAIN(each)) {
    tree type = TREE_VALUE(each);
    if (POINTER_TYPE_P(type) && FUNC_OR_METHOD_TYPE_P(TREE_TYPE(type)))
      return true;
  }
  return false;
}

/* Returns true if NAME, a symbol, begins with one of BEGINNINGS, a list that ends with NULL.  */
static bool event_callee_symbol_begins_with_p(const char *name, const char *const *beginnings) {
  for (; *beginnings; beginnings++)
    if (startswith(name, *beginnings))
      return true;
  return false;
}

/* Returns true if FUNCTION is of a library and is not expected to call back into the program.  The C library declares
   most such functions "leaf" in C.  In C++ it declares them "nothrow" only, like some others that do run code of the
   program: of another thread, library or context.  The C++ library declares nothing.  If such a function does run
   instrumented code, the engine detects that (charged.c).  */
static bool event_callee_never_calls_back_p(tree function) {
  static const char *const others[] = {"pthread_", "sem_", "dl",         "_setjmp",    "setjmp",      "__sigsetjmp",
                                       "glob",     "wait", "getcontext", "setcontext", "swapcontext", NULL};
  static const char *const standard[] = {"_ZSt", "_ZNS", "_ZNKS", "_ZN9__gnu_cxx", NULL};
  if (!DECL_EXTERNAL(function) || TREE_THIS_VOLATILE(function) || event_callee_takes_function_p(function))
    return false;
  if (DECL_IS_REPLACEABLE_OPERATOR(function) || event_callee_of_fortran_library_p(function))
    return true;
  if (!DECL_IN_SYSTEM_HEADER(function))
    return false;
  const char *name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function));
  return startswith(name, "_Z")
             ? event_callee_symbol_begins_with_p(name, standard)
             : TREE_NOTHROW(function) && lang_GNU_CXX() && !event_callee_symbol_begins_with_p(name, others);
}

/* Returns true if STATEMENT spawns a call that another worker may run: a closure of it is passed to the engine.  */
bool profiled_spawn_p(const gimple *statement) {
  tree function = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
  return function && id_equal(DECL_NAME(function), PROFILED_SPAWN);
}

/* Returns true if STATEMENT runs a cilk_for that workers share: the function with its body is passed to the engine.  */
bool profiled_loop_p(const gimple *statement) {
  tree function = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
  return function && id_equal(DECL_NAME(function), PROFILED_LOOP);
}

/* Returns the function that CALL calls, or that it spawns by a closure; NULL_TREE if it is not known.  */
tree called_or_spawned_decl(gimple *call) {
  if (!profiled_spawn_p(call))
    return gimple_call_fndecl(call);
  tree callee = gimple_call_arg(call, gimple_call_num_args(call) - 1);
  return TREE_CODE(callee) == ADDR_EXPR && TREE_CODE(TREE_OPERAND(callee, 0)) == FUNCTION_DECL ? TREE_OPERAND(callee, 0)
                                                                                               : NULL_TREE;
}

/* Returns true if CALL spawns, by a closure, a function of this unit that is instrumented.  */
bool spawns_instrumented_function_p(gimple *call) {
  tree callee = profiled_spawn_p(call) ? called_or_spawned_decl(call) : NULL_TREE;
  return callee && callee_instrumented_here_p(callee);
}

/* Returns what STATEMENT means to the profile if it is a call, or if it spawns one by a closure.  */
call_class classify_call_or_spawn_for_events(gimple *statement) {
  return spawns_instrumented_function_p(statement) ? CALL_DIRECT : classify_call_for_events(statement);
}

/* Returns true if STATEMENT waits for children that other workers may run.  */
bool profiled_join_p(const gimple *statement) {
  tree function = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
  return function && id_equal(DECL_NAME(function), PROFILED_JOIN);
}

/* Returns true if STATEMENT is a call that sets, tests or unsets a lock of OpenMP, or that enters or leaves a critical
   section.  It is counted: what it takes is known, and events around it would take longer.  */
bool counted_lock_call_p(const gimple *statement) {
  static const char *const names[] = {"omp_set_lock",
                                      "omp_set_nest_lock",
                                      "omp_test_lock",
                                      "omp_test_nest_lock",
                                      "omp_unset_lock",
                                      "omp_unset_nest_lock",
                                      "omp_set_lock_",
                                      "omp_set_nest_lock_",
                                      "omp_test_lock_",
                                      "omp_test_nest_lock_",
                                      "omp_unset_lock_",
                                      "omp_unset_nest_lock_",
                                      "__cilkprof_omp_set_lock",
                                      "__cilkprof_omp_critical_start",
                                      "__cilkprof_omp_critical_end",
                                      NULL};
  tree function = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
  return function && flag_openmp && DECL_EXTERNAL(function) && event_callee_named_p(function, names);
}

/* Returns what STATEMENT means to the profile if it is a call, which decides on its events.  CALL_OF_NO_INTEREST also
   stands for statements that are no calls.  */
call_class classify_call_for_events(const gimple *statement) {
  if (!is_gimple_call(statement) || gimple_call_internal_p(statement))
    return CALL_OF_NO_INTEREST;
  tree function = gimple_call_fndecl(statement);
  int flags = gimple_call_flags(statement);
  if (!function)
    return CALL_FOREIGN;
  if (event_callee_of_api_p(function) || event_callee_longjmps_p(function))
    return CALL_OF_API;
  if (bare_copy_p(function) || counted_lock_call_p(statement))
    return CALL_OF_NO_INTEREST;
  if (cilkprof_function_p(function) || flags & ECF_RETURNS_TWICE || event_callee_kills_process_p(function))
    return CALL_OF_NO_INTEREST;
  if (event_callee_exits_program_p(function))
    return CALL_FOREIGN;
  if (fndecl_built_in_p(function))
    return builtin_calls_instrumented_back_p(statement) ? CALL_FOREIGN : CALL_OF_NO_INTEREST;
  if (callee_without_forks_p(function))
    return CALL_OF_NO_INTEREST;
  if (callee_instrumented_here_p(function))
    return CALL_DIRECT;
  return flags & ECF_LEAF || event_callee_never_calls_back_p(function) ? CALL_OF_NO_INTEREST : CALL_FOREIGN;
}

/* Returns true if STATEMENT is a marker which says that the next call is spawned, by Cilk or as an OpenMP task.  */
bool spawn_marker_for_event_p(const gimple *statement) {
  marker which = marker_of_call(statement);
  return which == MARK_SPAWN || which == MARK_TASK_CALL;
}

/* Returns true if STATEMENT is a marker that is not replaced by an event of its own: it only says something about
   another call.  */
bool marker_without_event_p(const gimple *statement) {
  marker which = marker_of_call(statement);
  return spawn_marker_for_event_p(statement) || which == MARK_ENTRY || which == MARK_CALLEE || which == MARK_RANGES;
}

/* Returns true if STATEMENT gets an event, which ends a strand: it is a marker, a call that the profile shows, or one
   that returns twice.  */
bool statement_gets_event_p(const gimple *statement) {
  if (!is_gimple_call(statement))
    return false;
  marker which = marker_of_call(statement);
  return (which != NO_MARKER && which != MARK_ENTRY && which != MARK_CALLEE) ||
         classify_call_for_events(statement) != CALL_OF_NO_INTEREST || gimple_call_flags(statement) & ECF_RETURNS_TWICE;
}

/* Returns true if STATEMENT copies more than 256 bytes.  That becomes a call of memcpy, or takes as long as one.  */
static bool copies_large_object_without_event_p(const gimple *statement) {
  enum { LONG = 256 };
  if (!gimple_assign_single_p(statement) || !gimple_store_p(statement) || gimple_clobber_p(statement))
    return false;
  tree type = TREE_TYPE(gimple_assign_lhs(statement));
  return !is_gimple_reg_type(type) && (unsigned HOST_WIDE_INT)int_size_in_bytes(type) > LONG;
}

/* Returns true if STATEMENT runs code without events whose instructions are not counted: a large copy, or a call that
   is charged to the caller and takes more than a few instructions.  */
bool runs_uncounted_code_p(const gimple *statement) {
  if (!is_gimple_call(statement) || gimple_call_internal_p(statement))
    return copies_large_object_without_event_p(statement);
  tree function = gimple_call_fndecl(statement);
  if (!function || cilkprof_function_p(function) || bare_copy_p(function) || counted_lock_call_p(statement) ||
      gimple_call_flags(statement) & (ECF_RETURNS_TWICE | ECF_NORETURN))
    return false;
  if (fndecl_built_in_p(function, BUILT_IN_SETJMP_SETUP) || fndecl_built_in_p(function, BUILT_IN_SETJMP_RECEIVER))
    return false; /* they are short, and nothing may be inserted before a receiver */
  return classify_call_for_events(statement) == CALL_OF_NO_INTEREST &&
         !(fndecl_built_in_p(function) && is_inexpensive_builtin(function));
}

/* Returns true if STATEMENT is a call that is charged to the caller but may run code of the program, so that it needs
   events around it.  Among the built-in functions, only fork counts.  Others may also run code of the program, if it
   replaces memory management or streams, but that is rare, and events around every malloc would be slow.  */
bool charged_call_event_p(const gimple *statement) {
  if (calling_back || !is_gimple_call(statement) || gimple_call_internal_p(statement) ||
      !runs_uncounted_code_p(statement))
    return false;
  tree function = gimple_call_fndecl(statement);
  if (callee_without_forks_p(function))
    return callee_may_reach_fork_p(function);
  return fndecl_built_in_p(function) ? gimple_call_builtin_p(statement, BUILT_IN_FORK)
                                     : !(gimple_call_flags(statement) & ECF_CONST);
}

/* Returns true if some statement in LOOP is WANTED.  */
bool instrumented_loop_has_statement_p(class loop *loop, bool (*wanted)(const gimple *)) {
  basic_block *blocks = get_loop_body(loop);
  bool found = false;
  for (unsigned i = 0; i < loop->num_nodes && !found; i++)
    for (gimple_stmt_iterator at = gsi_start_bb(blocks[i]); !gsi_end_p(at) && !found; gsi_next(&at))
      found = wanted(gsi_stmt(at));
  free(blocks);
  return found;
}
