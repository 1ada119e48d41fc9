/* Outlines loops and blocks with GCC's passes for OpenMP, which also work without -fopenmp.
   SPDX-License-Identifier: GPL-3.0-or-later

   The regions are recognised by a number of threads, or a priority, that no program would use.  After the passes that
   outline them, calls of libgomp are replaced by calls of the runtime.  */

#include "parallel.h"
#include "gomp-constants.h"
#include "omp-general.h"

static const int our_number = 0x43696c6b;

static tree clause(enum omp_clause_code code, tree next) {
  tree made = build_omp_clause(UNKNOWN_LOCATION, code);
  OMP_CLAUSE_CHAIN(made) = next;
  return made;
}

static tree all_shared(tree next) {
  tree made = clause(OMP_CLAUSE_DEFAULT, next);
  OMP_CLAUSE_DEFAULT_KIND(made) = OMP_CLAUSE_DEFAULT_SHARED;
  return made;
}

/* The body needs a block, which becomes the outermost block of the new function.  */
static tree outlined(enum tree_code code, tree body, tree clauses, location_t where) {
  tree block = make_node(BLOCK);
  TREE_USED(block) = 1;
  tree bind = build3(BIND_EXPR, void_type_node, NULL_TREE, statements({body}), block);
  TREE_SIDE_EFFECTS(bind) = 1;
  tree whole = build2(code, void_type_node, bind, clauses);
  TREE_SIDE_EFFECTS(whole) = 1;
  SET_EXPR_LOCATION(whole, where);
  return whole;
}

tree outlined_loop(tree body, tree clauses, location_t where) {
  tree number = clause(OMP_CLAUSE_NUM_THREADS, clauses);
  OMP_CLAUSE_NUM_THREADS_EXPR(number) = build_int_cst(integer_type_node, our_number);
  return outlined(OMP_PARALLEL, body, all_shared(number), where);
}

tree outlined_block(tree body, location_t where) {
  tree number = clause(OMP_CLAUSE_PRIORITY, NULL_TREE);
  OMP_CLAUSE_PRIORITY_EXPR(number) = build_int_cst(integer_type_node, our_number);
  return outlined(OMP_TASK, body, all_shared(number), where);
}

tree own_copy(tree variable, tree next) {
  tree made = clause(OMP_CLAUSE_FIRSTPRIVATE, next);
  OMP_CLAUSE_DECL(made) = variable;
  return made;
}

/* Without -fopenmp the front end would not declare the functions of libgomp, and the passes would not look for
   regions.  */
static int loops_before;

static void restore_flag(void *, void *) {
  flag_tree_parallelize_loops = loops_before;
}

static void outline_regions(void *, void *) {
  flag_openmp = 1;
}

namespace {

const pass_data calls_data = {GIMPLE_PASS, "cilkprof_outlined", OPTGROUP_NONE, TV_NONE, PROP_gimple_any, 0, 0, 0, 0};

class calls_pass : public gimple_opt_pass {
public:
  calls_pass() : gimple_opt_pass(calls_data, g) {}
  unsigned int execute(function *fun) final override;
};

bool ours_p(gimple *call, enum built_in_function which, unsigned number) {
  tree function = is_gimple_call(call) ? gimple_call_fndecl(call) : NULL_TREE;
  return function && fndecl_built_in_p(function, which) && gimple_call_num_args(call) > number &&
         tree_fits_shwi_p(gimple_call_arg(call, number)) && tree_to_shwi(gimple_call_arg(call, number)) == our_number;
}

/* Calls a function of the runtime with the first COUNT arguments of the call of libgomp.  */
void call_instead(gimple_stmt_iterator *at, const char *name, unsigned count) {
  gimple *statement = gsi_stmt(*at);
  auto_vec<tree> types, values;
  for (unsigned i = 0; i < count; i++) {
    values.safe_push(gimple_call_arg(statement, i));
    types.safe_push(TREE_TYPE(values[i]));
  }
  tree function = build_fn_decl(name, build_function_type_array(void_type_node, count, types.address()));
  SET_DECL_ASSEMBLER_NAME(function, get_identifier(name));
  TREE_NOTHROW(function) = 1;
  gcall *call = gimple_build_call_vec(function, values);
  gimple_set_location(call, gimple_location(statement));
  gsi_replace(at, call, true);
}

/* Nested regions are found in the functions that the passes have created.  */
unsigned int calls_pass::execute(function *fun) {
  basic_block block;
  bool found = false;
  FOR_EACH_BB_FN (block, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
      bool loop = ours_p(gsi_stmt(at), BUILT_IN_GOMP_PARALLEL, 2), task = ours_p(gsi_stmt(at), BUILT_IN_GOMP_TASK, 8);
      if (loop)
        call_instead(&at, "__cilkprof_r_loop", 2);
      else if (task)
        call_instead(&at, "__cilkprof_r_spawn_block", 5);
      found |= loop || task;
    }
  place_tags(fun);
  if (found)
    cgraph_edge::rebuild_edges();
  return 0;
}

} // namespace

void start_outlining(const char *plugin) {
  register_tags(plugin);
  loops_before = flag_tree_parallelize_loops;
  if (!flag_openmp)
    flag_tree_parallelize_loops = 2;
  register_callback(plugin, PLUGIN_PRAGMAS, restore_flag, NULL);
  register_callback(plugin, PLUGIN_PASS_EXECUTION, outline_regions, NULL);
  register_pass_info calls = {new calls_pass, "fixup_cfg", 1, PASS_POS_INSERT_AFTER};
  register_callback(plugin, PLUGIN_PASS_MANAGER_SETUP, NULL, &calls);
}
