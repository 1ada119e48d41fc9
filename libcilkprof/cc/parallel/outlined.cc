/* Outlines loops and blocks with GCC's passes for OpenMP, which also work without -fopenmp.
   SPDX-License-Identifier: GPL-3.0-or-later

   The regions are recognised by a number of threads, or a priority, that no program would use.  After the passes that
   outline them, calls of libgomp are replaced by calls of the runtime.  */

#include "parallel.h"
#include "gomp-constants.h"
#include "omp-general.h"

static const int our_number = 0x43696c6b;

/* Returns a new OpenMP clause CODE in front of the clauses NEXT.  */
static tree new_parallel_region_clause(enum omp_clause_code code, tree next) {
  tree made = build_omp_clause(UNKNOWN_LOCATION, code);
  OMP_CLAUSE_CHAIN(made) = next;
  return made;
}

/* Returns the clause default(shared) in front of the clauses NEXT.  */
static tree parallel_all_shared_clause(tree next) {
  tree made = new_parallel_region_clause(OMP_CLAUSE_DEFAULT, next);
  OMP_CLAUSE_DEFAULT_KIND(made) = OMP_CLAUSE_DEFAULT_SHARED;
  return made;
}

/* Returns the OpenMP construct CODE with BODY and CLAUSES at WHERE, which GCC will outline.  The body needs a block,
   which becomes the outermost block of the new function.  */
static tree build_outlined_region(enum tree_code code, tree body, tree clauses, location_t where) {
  tree block = make_node(BLOCK);
  TREE_USED(block) = 1;
  tree bind = build3(BIND_EXPR, void_type_node, NULL_TREE, build_spawn_statement_list({body}), block);
  TREE_SIDE_EFFECTS(bind) = 1;
  tree whole = build2(code, void_type_node, bind, clauses);
  TREE_SIDE_EFFECTS(whole) = 1;
  SET_EXPR_LOCATION(whole, where);
  return whole;
}

/* Returns BODY as a region at WHERE that becomes a function for ranges of a cilk_for: a parallel construct with CLAUSES
   and a number of threads by which it is recognised.  */
tree build_outlined_loop(tree body, tree clauses, location_t where) {
  tree number = new_parallel_region_clause(OMP_CLAUSE_NUM_THREADS, clauses);
  OMP_CLAUSE_NUM_THREADS_EXPR(number) = build_int_cst(integer_type_node, our_number);
  return build_outlined_region(OMP_PARALLEL, body, parallel_all_shared_clause(number), where);
}

/* Returns BODY as a region at WHERE that becomes the function of a spawned block: a task with a priority by which it is
   recognised.  */
tree build_outlined_block(tree body, location_t where) {
  tree number = new_parallel_region_clause(OMP_CLAUSE_PRIORITY, NULL_TREE);
  OMP_CLAUSE_PRIORITY_EXPR(number) = build_int_cst(integer_type_node, our_number);
  return build_outlined_region(OMP_TASK, body, parallel_all_shared_clause(number), where);
}

/* Returns the clause that gives each range its own copy of VARIABLE, in front of the clauses NEXT.  */
tree parallel_own_copy_clause(tree variable, tree next) {
  tree made = new_parallel_region_clause(OMP_CLAUSE_FIRSTPRIVATE, next);
  OMP_CLAUSE_DECL(made) = variable;
  return made;
}

/* Without -fopenmp the front end would not declare the functions of libgomp, and the passes would not look for
   regions.  */
static int loops_before;

/* Callback once the front end has declared the functions of libgomp: restores the option that made it do so.  GCC has
   copied the options by then, and goes back to the copy after a function with the attribute `optimize' or a pragma: it
   would make serial loops of the program parallel from there on.  */
static void restore_parallelize_flag(void *, void *) {
  flag_tree_parallelize_loops = loops_before;
  TREE_OPTIMIZATION(optimization_default_node)->x_flag_tree_parallelize_loops = loops_before;
}

static bool all_outlined; /* in a program that is profiled: no more regions follow */

/* Callback before each pass: makes the passes look for OpenMP regions, which they only do with -fopenmp.  */
static void enable_parallel_outlining(void *, void *) {
  flag_openmp = !all_outlined;
}

namespace {

const pass_data calls_data = {GIMPLE_PASS, "cilkprof_outlined", OPTGROUP_NONE, TV_NONE, PROP_gimple_any, 0, 0, 0, 0};

/* The pass cilkprof_outlined: calls of libgomp for our regions become calls of the runtime.  */
class calls_pass : public gimple_opt_pass {
public:
  /* Makes the pass cilkprof_outlined.  */
  calls_pass() : gimple_opt_pass(calls_data, g) {}
  unsigned int execute(function *fun) final override;
};

/* Returns true if CALL calls the function WHICH of libgomp for a region of a cilk_for or a spawned block: its argument
   NUMBER is the value that no program would use.  */
bool parallel_region_call_p(gimple *call, enum built_in_function which, unsigned number) {
  tree function = is_gimple_call(call) ? gimple_call_fndecl(call) : NULL_TREE;
  return function && fndecl_built_in_p(function, which) && gimple_call_num_args(call) > number &&
         tree_fits_shwi_p(gimple_call_arg(call, number)) && tree_to_shwi(gimple_call_arg(call, number)) == our_number;
}

/* Returns the TYPE of the function that runs a loop, with what GCC may assume of it: it keeps no pointer to the loop's
   data, its second argument, but reads and writes what that refers to.  The body may keep one; but it is also called in
   the same function, if the loop is short, and there GCC sees it.  So variables whose addresses are only taken for the
   loop stay in registers in short loops.  */
tree loop_type_without_escape(tree type) {
  static const char spec[] = ". . w . "; /* for the result and for each argument */
  tree text = build_string(sizeof spec - 1, spec);
  return build_type_attribute_variant(
      type, tree_cons(get_identifier("fn spec"), build_tree_list(NULL_TREE, text), NULL_TREE));
}

/* Replaces the call of libgomp AT by one of the runtime's function NAME, with the first COUNT arguments and a SITE,
   which returns a RESULT.  CALLED says that a call of the outlined function will be beside it.  */
void call_parallel_runtime_instead(gimple_stmt_iterator *at, const char *name, tree result, unsigned count, tree site,
                                   bool called) {
  gimple *statement = gsi_stmt(*at);
  auto_vec<tree> types, values;
  for (unsigned i = 0; i < count; i++)
    values.safe_push(gimple_call_arg(statement, i));
  values.safe_push(build_spawn_address_of(site));
  for (tree value : values)
    types.safe_push(TREE_TYPE(value));
  tree type = build_function_type_array(result, count + 1, types.address());
  tree function = build_fn_decl(name, called ? loop_type_without_escape(type) : type);
  SET_DECL_ASSEMBLER_NAME(function, get_identifier(name));
  TREE_NOTHROW(function) = 1;
  gcall *call = gimple_build_call_vec(function, values);
  gimple_set_location(call, gimple_location(statement));
  gsi_replace(at, call, true);
}

/* Makes the region of a cilk_for AT, which calls libgomp, call the runtime, or the outlined function if the loop is
   short.  That may be inlined.  With pedigrees the runtime must always be called.  */
void call_parallel_loop_instead(gimple_stmt_iterator *at) {
  tree site = new_spawn_site_variable(), function = gimple_call_arg(gsi_stmt(*at), 0),
       data = gimple_call_arg(gsi_stmt(*at), 1);
  bool called = !pedigrees && TREE_CODE(function) == ADDR_EXPR;
  if (deferring) {
    call_parallel_runtime_instead(at, PROFILED_LOOP, void_type_node, 2, site, false);
    gimple_set_location(gsi_stmt(*at), DECL_SOURCE_LOCATION(TREE_OPERAND(function, 0))); /* that of the keyword */
    return;
  }
  call_parallel_runtime_instead(at, "__cilkprof_r_loop", long_unsigned_type_node, 2, site, called);
  if (!called)
    return;
  tree body = TREE_OPERAND(function, 0);
  DECL_UNINLINABLE(body) = 0;
  DECL_DECLARED_INLINE_P(body) = DECL_NO_INLINE_WARNING_P(body) = 1;
  DECL_ATTRIBUTES(body) = tree_cons(get_identifier(loop_body_attribute), NULL_TREE, DECL_ATTRIBUTES(body));
  choose_plain_parallel_loop(at, body, data, site);
}

/* Makes the regions of cilk_for and spawned blocks in FUN call the runtime instead of libgomp, and places the tags.
   Nested regions are found in the functions that the passes have created.  */
unsigned int calls_pass::execute(function *fun) {
  basic_block block;
  bool found = false;
  all_outlined = deferring;
  FOR_EACH_BB_FN (block, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
      bool loop = parallel_region_call_p(gsi_stmt(at), BUILT_IN_GOMP_PARALLEL, 2),
           task = parallel_region_call_p(gsi_stmt(at), BUILT_IN_GOMP_TASK, 8);
      if (loop)
        call_parallel_loop_instead(&at);
      else if (task)
        call_parallel_runtime_instead(&at, "__cilkprof_r_spawn_block", void_type_node, 5, new_spawn_site_variable(),
                                      false);
      found |= loop || task;
    }
  place_code_tags(fun);
  if (found) {
    free_dominance_info(CDI_DOMINATORS);
    cgraph_edge::rebuild_edges();
  }
  return 0;
}

} // namespace

/* Registers the passes and callbacks of parallel code for PLUGIN, and makes GCC outline OpenMP regions without
   -fopenmp.  */
void start_parallel_outlining(const char *plugin) {
  register_tag_roots(plugin);
  register_thread_variable_roots(plugin);
  loops_before = flag_tree_parallelize_loops;
  if (!flag_openmp)
    flag_tree_parallelize_loops = 2;
  register_callback(plugin, PLUGIN_PRAGMAS, restore_parallelize_flag, NULL);
  register_callback(plugin, PLUGIN_PASS_EXECUTION, enable_parallel_outlining, NULL);
  register_pass_info calls = {new calls_pass, "fixup_cfg", 1, PASS_POS_INSERT_AFTER};
  register_callback(plugin, PLUGIN_PASS_MANAGER_SETUP, NULL, &calls);
  if (deferring)
    return;
  start_inlining_in_parallel_loops(plugin);
  start_plain_parallel_loops(plugin);
}
