/* Makes the code that GCC generates for OpenMP constructs serial.
   SPDX-License-Identifier: GPL-3.0-or-later

   GCC outlines the body of a parallel region or a task into a function, which libgomp calls.  Before anything is
   optimised, this pass replaces that by a direct call, with markers around a task, and has it inlined again.  So the
   construct is part of the function in which it was written, as in Cilk, and no thread is ever created.  What is left
   of libgomp behaves as outside of all parallel regions: with a team of one, and without work shares
   (openmp-shares.cc).  A region whose code looks at thread numbers stays a function, which the engine runs once for
   each thread of a team (openmp-teams.cc).  */

#include "front.h"
#include "openmp-calls.h"

/* Appends to ALL the call that tells the engine that a parallel region begins.  Returns the variable of the function in
   which the engine saves its state about the enclosing region (engine/marks/nesting.c).  */
static tree add_omp_region_begin(gimple_seq *all) {
  enum { WORDS = 8 };
  tree before = create_tmp_var(build_array_type_nelts(integer_type_node, WORDS));
  TREE_ADDRESSABLE(before) = 1;
  tree type = build_function_type_list(void_type_node, ptr_type_node, NULL_TREE);
  gimple_seq_add_stmt(all, gimple_build_call(declare_omp_engine_function("__cilkprof_omp_region_begin", type), 1,
                                             build_fold_addr_expr(before)));
  return before;
}

/* Appends to ALL the call that tells the engine that a parallel region ends.  BEFORE is the variable that
   add_omp_region_begin returned.  */
static void add_omp_region_end(gimple_seq *all, tree before) {
  tree type = build_function_type_list(void_type_node, ptr_type_node, NULL_TREE);
  gimple_seq_add_stmt(all, gimple_build_call(declare_omp_engine_function("__cilkprof_omp_region_end", type), 1,
                                             build_fold_addr_expr(before)));
}

/* Replaces REGION, a call of GOMP_parallel (function, data, threads, ...) or of a function whose first parameters are
   the same, by a direct call of the outlined function, with markers.  THREADS is 0 if the program does not limit their
   number.  Returns false if the function is not known.  */
bool serial_maker::call_omp_region_body(gimple_stmt_iterator *at, gcall *region) {
  tree function = omp_outlined_function_argument(region, 0);
  if (!function)
    return false;
  bool reduces = gimple_call_builtin_p(region, BUILT_IN_GOMP_PARALLEL_REDUCTIONS);
  gimple_seq all = NULL;
  tree threads = omp_gimple_count_value(&all, gimple_call_arg(region, 2));
  gimple_seq_add_stmt(&all, build_omp_number_marker(MARK_TEAM, threads, gimple_location(region)));
  bool teams_construct = gimple_call_builtin_p(region, BUILT_IN_GOMP_TEAMS_REG),
       teams_of_fibers = !reduces && !teams_construct && teams.looks_at_omp_thread_p(function);
  tree before = teams_construct ? NULL_TREE : add_omp_region_begin(&all);
  if (reduces)
    begin_omp_region_reduction(&all, region);
  if (teams_of_fibers)
    run_omp_region_by_team(&all, region, function, threads);
  else {
    add_omp_body_call(&all, function, gimple_call_arg(region, 1), libgomp_call_location(region, function));
  }
  if (reduces)
    end_omp_region_reduction(&all, region);
  await_detached_omp_events(&all, AWAIT_ALL, null_pointer_node);
  if (!teams_construct)
    add_omp_region_end(&all, before);
  gsi_replace_with_seq(at, all, true);
  return true;
}

/* Replaces CALL, of GOMP_cancel (what, condition), by a call of the engine, which cancels nothing and reports that.  */
static void replace_omp_cancel(gimple_stmt_iterator *at, gcall *call) {
  tree is_on = build_fn_decl("omp_get_cancellation", build_function_type_list(integer_type_node, NULL_TREE));
  tree type = build_function_type_list(void_type_node, boolean_type_node, ptr_type_node, NULL_TREE);
  gcall *say = gimple_build_call(declare_omp_engine_function("__cilkprof_omp_cancel", type), 2,
                                 gimple_call_arg(call, 1), build_fold_addr_expr(is_on));
  gsi_insert_before(at, say, GSI_SAME_STMT);
  replace_libgomp_call_by_value(at, call, 0);
}

/* Replaces CALL, at AT, of a function of omp.h, by a call of the engine's function NAME with the same arguments.
   Fortran passes addresses of its arguments: what is there is passed, as an int.  */
static void replace_by_engine_call(gimple_stmt_iterator *at, gcall *call, const char *name) {
  auto_vec<tree> values, types;
  gimple_seq before = NULL;
  for (unsigned i = 0; i < gimple_call_num_args(call); i++) {
    tree argument = gimple_call_arg(call, i), type = TREE_TYPE(argument);
    if (lang_GNU_Fortran() && POINTER_TYPE_P(type)) {
      tree value = create_tmp_var(integer_type_node);
      gimple_seq_add_stmt(
          &before, gimple_build_assign(value, NOP_EXPR, load_omp_gimple_memory(&before, argument, TREE_TYPE(type))));
      argument = value;
    }
    values.safe_push(argument);
    types.safe_push(TREE_TYPE(argument));
  }
  tree type = build_function_type_array(gimple_call_return_type(call), types.length(), types.address());
  gcall *made = gimple_build_call_vec(declare_omp_engine_function(name, type), values);
  gimple_call_set_lhs(made, gimple_call_lhs(call));
  gimple_set_location(made, gimple_location(call));
  gsi_insert_seq_before(at, before, GSI_SAME_STMT);
  gsi_replace(at, made, false);
}

/* Replaces CALL, at AT, of CALLEE, by a call of the engine's own version of it, if CALLEE is one of the functions of
   omp.h that it has a version of.  Returns true if so.  Fortran has another form of some of them, for arguments of 8
   bytes.  */
static bool call_engine_for_omp(gimple_stmt_iterator *at, gcall *call, tree callee) {
  const char *called = DECL_NAME(callee) ? IDENTIFIER_POINTER(DECL_NAME(callee)) : "";
  for (const char *name :
       {"omp_in_final", "omp_fulfill_event", "omp_get_level", "omp_get_ancestor_thread_num", "omp_get_team_size",
        "omp_get_max_threads", "omp_set_num_threads", "omp_in_parallel", "omp_get_active_level"})
    if (startswith(called, name) &&
        (!called[strlen(name)] || (lang_GNU_Fortran() && !strcmp(called + strlen(name), "_8")))) {
      char *ours = concat("__cilkprof_", name, NULL);
      replace_by_engine_call(at, call, ours);
      free(ours);
      return true;
    }
  return false;
}

/* Replaces the statement AT if it is a call of libgomp or of omp.h for which there is serial code.  Returns true if it
   has changed something.  */
bool serial_maker::replace_libgomp_statement(gimple_stmt_iterator *at) {
  gcall *call = dyn_cast<gcall *>(gsi_stmt(*at));
  tree callee = call ? gimple_call_fndecl(call) : NULL_TREE;
  if (callee && call_engine_for_omp(at, call, callee))
    return true;
  if (!callee || !fndecl_built_in_p(callee, BUILT_IN_NORMAL))
    return false;
  if (shared && replace_team_call(at, call, DECL_FUNCTION_CODE(callee)))
    return true;
  switch (DECL_FUNCTION_CODE(callee)) {
  case BUILT_IN_GOMP_PARALLEL:
  case BUILT_IN_GOMP_PARALLEL_REDUCTIONS:
  case BUILT_IN_GOMP_TEAMS_REG:
    return call_omp_region_body(at, call);
  case BUILT_IN_GOMP_TASK:
    return replace_omp_task(at, call);
  case BUILT_IN_GOMP_TASKLOOP:
  case BUILT_IN_GOMP_TASKLOOP_ULL:
    return replace_omp_taskloop(at, call);
  case BUILT_IN_GOMP_BARRIER:
  case BUILT_IN_GOMP_BARRIER_CANCEL:
    replace_omp_wait(at, call, true);
    return true;
  case BUILT_IN_GOMP_TASKWAIT:
    replace_omp_wait(at, call, false);
    return true;
  case BUILT_IN_GOMP_TASKWAIT_DEPEND:
    replace_omp_taskwait_depend(at, call);
    return true;
  case BUILT_IN_GOMP_TASKGROUP_START:
    return replace_omp_taskgroup(at, call, MARK_GROUP);
  case BUILT_IN_GOMP_TASKGROUP_END:
    return replace_omp_taskgroup(at, call, MARK_SCOPE_END);
  case BUILT_IN_GOMP_CRITICAL_START:
  case BUILT_IN_GOMP_CRITICAL_END:
  case BUILT_IN_GOMP_CRITICAL_NAME_START:
  case BUILT_IN_GOMP_CRITICAL_NAME_END:
    replace_omp_critical_call(at, call, DECL_FUNCTION_CODE(callee));
    return true;
  case BUILT_IN_GOMP_TASKYIELD:
    gsi_replace(at, gimple_build_nop(), false);
    return true;
  case BUILT_IN_GOMP_SINGLE_COPY_START:
  case BUILT_IN_GOMP_SINGLE_COPY_END:
  case BUILT_IN_GOMP_CANCELLATION_POINT:
    replace_libgomp_call_by_value(at, call, 0);
    return true;
  case BUILT_IN_GOMP_CANCEL:
    replace_omp_cancel(at, call);
    return true;
  case BUILT_IN_GOMP_SINGLE_START:
  case BUILT_IN_OMP_GET_NUM_THREADS:
    replace_libgomp_call_by_value(at, call, 1);
    return true;
  case BUILT_IN_OMP_GET_THREAD_NUM:
    replace_libgomp_call_by_value(at, call, 0);
    return true;
  default:
    return replace_omp_work_share_call(at, call, DECL_FUNCTION_CODE(callee));
  }
}

/* Replaces the calls of libgomp in the function of NODE by serial code, and marks its locks.  The walk over the basic
   blocks starts again after one of them was split.  */
void serial_maker::make_omp_function_serial(cgraph_node *node) {
  function *fun = DECL_STRUCT_FUNCTION(node->decl);
  bool changed = false;
  push_cfun(fun);
  current_function_decl = node->decl;
  collect_omp_section_counts(fun);
  memory = NULL_TREE;
  shared = !teams.runs_for_whole_omp_team_p(node->decl);
  do {
    basic_block bb;
    ended = false;
    FOR_EACH_BB_FN (bb, fun) {
      for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at) && !ended; gsi_next(&at))
        changed |= replace_libgomp_statement(&at);
      if (ended)
        break;
    }
  } while (ended);
  changed |= mark_omp_locks(fun);
  if (teams.has_only_plain_omp_regions_p() || !shared)
    forget_omp_flags(fun);
  else
    changed |= tell_engine_of_omp_flags(fun, teams.has_omp_teams_p(), &awaited);
  if (teams.has_omp_teams_p())
    replace_omp_set_lock_calls(fun);
  if (changed) {
    cgraph_edge::rebuild_edges();
    if (!lookup_attribute("always_inline", DECL_ATTRIBUTES(node->decl)))
      DECL_UNINLINABLE(node->decl) = 1;
  }
  pop_cfun();
  current_function_decl = NULL_TREE;
}

/* Removes what tells the engine of writes to variables for which threads could wait, if nothing in the unit waits: an
   atomic update in a loop costs as much as the loop.  */
static void forget_unread_omp_flags() {
  auto_vec<function *> functions;
  cgraph_node *node;
  bool waits = false;
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node) {
    function *fun = DECL_STRUCT_FUNCTION(node->decl);
    if (fun && fun->cfg) {
      functions.safe_push(fun);
      waits |= waits_for_omp_flags_p(fun);
    }
  }
  for (function *fun : functions)
    if (!waits) {
      push_cfun(fun);
      forget_omp_flags(fun);
      pop_cfun();
    }
}

namespace {

const pass_data serial_data = {SIMPLE_IPA_PASS, "cilkprof_openmp", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0};

/* The pass cilkprof_openmp: see make_omp_serial_pass.  */
class serial_pass : public simple_ipa_opt_pass {
public:
  /* Makes the pass cilkprof_openmp.  */
  serial_pass() : simple_ipa_opt_pass(serial_data, g) {}

  /* Returns true if the unit is compiled with -fopenmp.  */
  bool gate(function *) final override {
    return flag_openmp;
  }

  /* Makes the OpenMP constructs serial in every function of the unit that has a body.  */
  unsigned int execute(function *) final override {
    cgraph_node *node;
    serial_maker maker;
    FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node)
      if (DECL_STRUCT_FUNCTION(node->decl) && DECL_STRUCT_FUNCTION(node->decl)->cfg)
        maker.make_omp_function_serial(node);
    forget_unread_omp_flags();
    tell_engine_of_omp_thread_variables();
    maker.note_what_omp_ignores();
    return 0;
  }
};

} // namespace

/* Returns a new pass cilkprof_openmp, which makes the code that GCC has generated for OpenMP constructs serial.  GCC
   owns the pass.  */
opt_pass *make_omp_serial_pass() {
  return new serial_pass;
}
