/* Parallel regions that are run by a team of fibers (engine/teams).
   SPDX-License-Identifier: GPL-3.0-or-later

   A region whose code looks at the numbers of threads divides its work by them; one that waits for another thread needs
   it.  It stays a function, which the engine
   calls once for each thread of a team.  All other code that is in no region may be called by such threads.  There,
   constructs that divide work ask the engine: outside of teams, it gives one thread all of the work.  */

#include "front.h"
#include "openmp-calls.h"
#include "libcilkprof/abi/state.h"

/* Returns the outlined body that CALL, a call of libgomp, makes a region or a task of; NULL_TREE if it is none.  */
static tree omp_body_of_call(gcall *call) {
  tree callee = gimple_call_fndecl(call);
  if (!callee || !fndecl_built_in_p(callee, BUILT_IN_NORMAL))
    return NULL_TREE;
  switch (DECL_FUNCTION_CODE(callee)) {
  case BUILT_IN_GOMP_PARALLEL:
  case BUILT_IN_GOMP_PARALLEL_REDUCTIONS:
  case BUILT_IN_GOMP_TEAMS_REG:
  case BUILT_IN_GOMP_TASK:
  case BUILT_IN_GOMP_TASKLOOP:
  case BUILT_IN_GOMP_TASKLOOP_ULL:
    return omp_outlined_function_argument(call, 0);
  default:
    return NULL_TREE;
  }
}

/* Returns true if CALL asks for the number of the thread, or how many there are, in the program's source.  */
static bool asks_engine_for_omp_thread_p(gcall *call) {
  tree callee = gimple_call_fndecl(call);
  return callee && DECL_NAME(callee) &&
         (id_equal(DECL_NAME(callee), "__cilkprof_omp_get_thread_num") ||
          id_equal(DECL_NAME(callee), "__cilkprof_omp_get_num_threads"));
}

/* Returns true if FUN looks at the number of its thread or waits for another one, or a function that it calls or
   outlines is known to.  */
bool team_finder::find_omp_thread_number_p(function *fun) {
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
      if (surely_waits_for_omp_thread_p(gsi_stmt(at)))
        return true;
      else if (gcall *call = dyn_cast<gcall *>(gsi_stmt(at))) {
        tree callee = gimple_call_fndecl(call), body = omp_body_of_call(call);
        if (asks_engine_for_omp_thread_p(call) || (callee && looking.contains(callee)) ||
            (body && looking.contains(body)))
          return true;
      }
  return false;
}

/* Adds FUNCTION, the outlined body of a region that one thread runs for its whole team, and the bodies of regions and
   tasks in it, to the set of such functions.  */
void team_finder::add_serial_omp_bodies(tree function) {
  struct function *fun = DECL_STRUCT_FUNCTION(function);
  if (!fun || !fun->cfg || serial.add(function))
    return;
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
      if (gcall *call = dyn_cast<gcall *>(gsi_stmt(at)))
        if (tree body = omp_body_of_call(call))
          add_serial_omp_bodies(body);
}

/* Finds the functions of the unit that look at the numbers of threads, by themselves or by what they call, and the
   bodies of regions that one thread runs for its whole team: those that do not look at them, and those that are not
   begun by GOMP_parallel.  */
void team_finder::find_omp_teams() {
  cgraph_node *node;
  for (bool changed = true; changed;) {
    changed = false;
    FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node) {
      function *fun = DECL_STRUCT_FUNCTION(node->decl);
      if (fun && fun->cfg && !looking.contains(node->decl) && find_omp_thread_number_p(fun)) {
        looking.add(node->decl);
        changed = true;
      }
    }
  }
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node) {
    function *fun = DECL_STRUCT_FUNCTION(node->decl);
    basic_block bb;
    if (fun && fun->cfg)
      FOR_EACH_BB_FN (bb, fun)
        for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
          if (gcall *call = dyn_cast<gcall *>(gsi_stmt(at))) {
            tree body = omp_body_of_call(call), callee = gimple_call_fndecl(call);
            bool region = body && DECL_FUNCTION_CODE(callee) != BUILT_IN_GOMP_TASK &&
                          DECL_FUNCTION_CODE(callee) != BUILT_IN_GOMP_TASKLOOP &&
                          DECL_FUNCTION_CODE(callee) != BUILT_IN_GOMP_TASKLOOP_ULL;
            if (region && (!looking.contains(body) || DECL_FUNCTION_CODE(callee) != BUILT_IN_GOMP_PARALLEL))
              add_serial_omp_bodies(body);
          }
  }
}

/* Defines the variable __cilkprof_has_teams, by which the engine sees that the program has regions that teams run,
   unless it was defined in this unit before.  */
static void define_omp_teams_variable() {
  static tree made;
  if (made)
    return;
  made = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier("__cilkprof_has_teams"), char_type_node);
  TREE_STATIC(made) = TREE_PUBLIC(made) = TREE_USED(made) = 1;
  DECL_ARTIFICIAL(made) = DECL_IGNORED_P(made) = DECL_PRESERVE_P(made) = DECL_WEAK(made) = 1;
  DECL_INITIAL(made) = build_one_cst(char_type_node);
  varpool_node::finalize_decl(made);
  varpool_node::get(made)->analyze(); /* GCC does not look for new variables any more */
}

/* Keeps FUNCTION, the outlined body of a region, from being inlined or run at other times, by removing the attributes
   that GCC has given to it from the function that it was written in; and makes it wait for its tasks at its end.  */
static void keep_omp_body_apart(tree function) {
  for (const char *name : {"always_inline", "constructor", "destructor"})
    DECL_ATTRIBUTES(function) = remove_attribute(name, DECL_ATTRIBUTES(function));
  DECL_STATIC_CONSTRUCTOR(function) = DECL_STATIC_DESTRUCTOR(function) = 0;
  DECL_DECLARED_INLINE_P(function) = DECL_DISREGARD_INLINE_LIMITS(function) = 0;
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE (e, ei, EXIT_BLOCK_PTR_FOR_FN(DECL_STRUCT_FUNCTION(function))->preds) {
    gimple_stmt_iterator at = gsi_last_bb(e->src);
    if (!gsi_end_p(at) && gimple_code(gsi_stmt(at)) == GIMPLE_RETURN)
      gsi_insert_before(&at,
                        build_omp_number_marker(MARK_TASKWAIT,
                                                build_int_cst(long_unsigned_type_node, __CILKPROF_WAIT_END),
                                                gimple_location(gsi_stmt(at))),
                        GSI_SAME_STMT);
  }
}

/* Appends to ALL the marker by which a team of fibers runs FUNCTION, the body of REGION, a call of GOMP_parallel.
   THREADS is how many threads the region asks for, 0 if it does not say.  */
void serial_maker::run_omp_region_by_team(gimple_seq *all, gcall *region, tree function, tree threads) {
  location_t where = libgomp_call_location(region, function);
  tree type = build_function_type_list(void_type_node, const_ptr_type_node, ptr_type_node, ptr_type_node,
                                       long_unsigned_type_node, NULL_TREE);
  gcall *mark = gimple_build_call(declare_omp_marker(MARK_TEAM_RUN, type), 4,
                                  located_omp_construct_name("omp parallel thread", where), gimple_call_arg(region, 0),
                                  gimple_call_arg(region, 1), threads);
  /* Unlike other markers it runs code of this unit.  */
  DECL_ATTRIBUTES(gimple_call_fndecl(mark)) = NULL_TREE;
  gimple_set_location(mark, where);
  gimple_seq_add_stmt(all, mark);
  keep_omp_body_apart(function);
  define_omp_teams_variable();
}

/* Makes CALL, of a function of libgomp, one of the engine's function NAME, with the same type and arguments.  */
void call_engine_instead_of_libgomp(gcall *call, const char *name) {
  tree function = declare_omp_engine_function(name, TREE_TYPE(gimple_call_fndecl(call)));
  DECL_ATTRIBUTES(function) = NULL_TREE; /* other threads may run before it returns */
  gimple_call_set_fndecl(call, function);
  gimple_call_set_fntype(call, TREE_TYPE(function));
}

/* Inserts, before the statement AT, a marker at which threads of a team take turns: the one that is earliest in the
   measured program goes on.  */
void take_omp_turns_before(gimple_stmt_iterator *at) {
  gsi_insert_before(at,
                    build_omp_number_marker(MARK_TASKWAIT, build_int_cst(long_unsigned_type_node, __CILKPROF_WAIT_TURN),
                                            gimple_location(gsi_stmt(*at))),
                    GSI_SAME_STMT);
}

/* Returns the kind of schedule that NAME, of a function of libgomp that starts a loop, stands for.  */
static int schedule_of_libgomp_function(const char *name) {
  return strstr(name, "dynamic")   ? __CILKPROF_SCHEDULE_DYNAMIC
         : strstr(name, "guided")  ? __CILKPROF_SCHEDULE_GUIDED
         : strstr(name, "runtime") ? __CILKPROF_SCHEDULE_RUNTIME
                                   : __CILKPROF_SCHEDULE_STATIC;
}

/* Builds a call of the engine's function NAME, with ARGUMENTS and a result of type RESULT, which takes the place of
   CALL, of libgomp: it has the location of that, and its result is stored where that of CALL was.  */
static gcall *build_team_call(gcall *call, const char *name, tree result, const auto_vec<tree> &arguments) {
  auto_vec<tree> types;
  for (tree argument : arguments)
    types.safe_push(TREE_TYPE(argument));
  tree type = build_function_type_array(result, types.length(), types.address());
  tree function = declare_omp_engine_function(name, type);
  DECL_ATTRIBUTES(function) = NULL_TREE;
  gcall *made = gimple_build_call_vec(function, arguments);
  gimple_call_set_lhs(made, gimple_call_lhs(call));
  gimple_set_location(made, gimple_location(call));
  return made;
}

/* Replaces CALL at AT, of the function NAME of libgomp, if it starts a loop with a schedule that the run decides on, or
   asks for the next part of one: GOMP_loop_..._start ([up,] start, end, step, [chunk,] first, last), ..._next (first,
   last).  Returns true if so.  */
bool serial_maker::replace_team_loop_call(gimple_stmt_iterator *at, gcall *call, const char *name) {
  if (!strstr(name, "GOMP_loop_") || strstr(name, "doacross") || strstr(name, "ordered"))
    return false;
  bool starts = strstr(name, "_start"), is_unsigned = strstr(name, "_ull_");
  unsigned count = gimple_call_num_args(call), first = is_unsigned;
  if (strstr(name, "_next")) {
    take_omp_turns_before(at);
    call_engine_instead_of_libgomp(call, "__cilkprof_omp_loop_next");
    return true;
  }
  if (!starts || count < first + 5 || count > first + 6)
    return false;
  tree number = long_unsigned_type_node;
  gimple_seq before = NULL;
  tree step = omp_gimple_count_value(&before, gimple_call_arg(call, first + 2)), down;
  if (is_unsigned) {
    tree up = omp_gimple_count_value(&before, gimple_call_arg(call, 0));
    down = create_tmp_var(number);
    gimple_seq_add_stmt(&before, gimple_build_assign(down, BIT_XOR_EXPR, up, build_one_cst(number)));
  } else {
    down = create_tmp_var(number);
    gimple_seq_add_stmt(&before, gimple_build_assign(down, RSHIFT_EXPR, step, build_int_cst(integer_type_node, 63)));
  }
  int kind = schedule_of_libgomp_function(name) | (is_unsigned ? __CILKPROF_SCHEDULE_UNSIGNED : 0);
  auto_vec<tree> arguments;
  arguments.safe_push(build_int_cst(number, kind));
  arguments.safe_push(down);
  arguments.safe_push(omp_gimple_count_value(&before, gimple_call_arg(call, first)));
  arguments.safe_push(omp_gimple_count_value(&before, gimple_call_arg(call, first + 1)));
  arguments.safe_push(step);
  arguments.safe_push(count == first + 6 ? omp_gimple_count_value(&before, gimple_call_arg(call, first + 3))
                                         : build_zero_cst(number));
  arguments.safe_push(gimple_call_arg(call, count - 2));
  arguments.safe_push(gimple_call_arg(call, count - 1));
  take_omp_turns_before(at);
  gsi_insert_seq_before(at, before, GSI_SAME_STMT);
  gsi_replace(at, build_team_call(call, "__cilkprof_omp_loop_start", boolean_type_node, arguments), false);
  return true;
}

/* Replaces CALL at AT, of GOMP_sections_start (count) if FIRST, or else of GOMP_sections_next (): the engine's function
   is given the last section and their number, which libgomp remembers.  */
void serial_maker::replace_team_sections_call(gimple_stmt_iterator *at, gcall *call, bool first) {
  tree which = gimple_call_lhs(call);
  auto_vec<tree> arguments;
  if (!first)
    arguments.safe_push(which);
  arguments.safe_push(first ? gimple_call_arg(call, 0) : *sections.get(which));
  take_omp_turns_before(at);
  const char *name = first ? "__cilkprof_omp_sections_start" : "__cilkprof_omp_sections_next";
  gsi_replace(at, build_team_call(call, name, unsigned_type_node, arguments), false);
}

/* Replaces CALL at AT, of the built-in function WHICH, where a critical section begins or ends.  */
void serial_maker::replace_omp_critical_call(gimple_stmt_iterator *at, gcall *call, built_in_function which) {
  bool starts = which == BUILT_IN_GOMP_CRITICAL_START || which == BUILT_IN_GOMP_CRITICAL_NAME_START;
  auto_vec<tree> arguments;
  arguments.safe_push(gimple_call_num_args(call) ? gimple_call_arg(call, 0) : null_pointer_node);
  const char *name = starts ? "__cilkprof_omp_critical_start" : "__cilkprof_omp_critical_end";
  gsi_replace(at, build_team_call(call, name, void_type_node, arguments), false);
}

/* Replaces CALL at AT, of the built-in function WHICH, in a function that threads of a team may run, if it has to do
   with how they divide work.  Returns true if nothing more is to be done with it.  At the end of a loop or of sections
   it adds a call of the engine and returns false, as there may be a barrier too.  */
bool serial_maker::replace_team_call(gimple_stmt_iterator *at, gcall *call, built_in_function which) {
  switch (which) {
  case BUILT_IN_OMP_GET_NUM_THREADS:
    call_engine_instead_of_libgomp(call, "__cilkprof_omp_get_num_threads");
    return true;
  case BUILT_IN_OMP_GET_THREAD_NUM:
    call_engine_instead_of_libgomp(call, "__cilkprof_omp_get_thread_num");
    return true;
  case BUILT_IN_GOMP_SINGLE_START:
    call_engine_instead_of_libgomp(call, "__cilkprof_omp_single_start");
    return true;
  case BUILT_IN_GOMP_SINGLE_COPY_START:
    call_engine_instead_of_libgomp(call, "__cilkprof_omp_single_copy_start");
    return true;
  case BUILT_IN_GOMP_SINGLE_COPY_END:
    call_engine_instead_of_libgomp(call, "__cilkprof_omp_single_copy_end");
    return true;
  case BUILT_IN_GOMP_SECTIONS_START:
    replace_team_sections_call(at, call, true);
    return true;
  case BUILT_IN_GOMP_SECTIONS_NEXT:
    replace_team_sections_call(at, call, false);
    return true;
  case BUILT_IN_GOMP_LOOP_END:
  case BUILT_IN_GOMP_LOOP_END_NOWAIT:
  case BUILT_IN_GOMP_SECTIONS_END:
  case BUILT_IN_GOMP_SECTIONS_END_NOWAIT: {
    auto_vec<tree> none;
    gcall *end = build_team_call(call, "__cilkprof_omp_share_end", void_type_node, none);
    gimple_call_set_lhs(end, NULL_TREE);
    gsi_insert_before(at, end, GSI_SAME_STMT);
    return false; /* the barrier is replaced as ever */
  }
  default:
    return replace_team_loop_call(at, call, IDENTIFIER_POINTER(DECL_NAME(gimple_call_fndecl(call))));
  }
}

/* Makes calls of omp_set_lock and pthread_mutex_lock in FUN, and those before the initializers of static variables of
   functions, calls of the engine, which lets other threads of a team run that hold the lock.  */
void serial_maker::replace_omp_set_lock_calls(function *fun) {
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
      if (gcall *call = dyn_cast<gcall *>(gsi_stmt(at))) {
        tree callee = gimple_call_fndecl(call);
        if (callee && DECL_NAME(callee) && id_equal(DECL_NAME(callee), "omp_set_lock"))
          call_engine_instead_of_libgomp(call, "__cilkprof_omp_set_lock");
        else if (callee && DECL_NAME(callee) && id_equal(DECL_NAME(callee), "pthread_mutex_lock"))
          call_engine_instead_of_libgomp(call, "__cilkprof_omp_lock_mutex");
        else if (callee && DECL_NAME(callee) && id_equal(DECL_NAME(callee), "__cxa_guard_acquire"))
          call_engine_instead_of_libgomp(call, "__cilkprof_omp_guard_acquire");
      }
}
