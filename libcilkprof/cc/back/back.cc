/* The entry point of the -fcilkprof plugin: it registers the passes.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "back.h"
#include "libcilkprof/cc/gcc/fit.h"

__attribute__((visibility("default"))) int plugin_is_GPL_compatible;

static void insert(const char *plugin, opt_pass *pass, const char *reference, pass_positioning_ops where) {
  register_pass_info info = {pass, reference, 1, where};
  register_callback(plugin, PLUGIN_PASS_MANAGER_SETUP, NULL, &info);
}

namespace {

const pass_data tidying_data = {GIMPLE_PASS,
                                "cilkprof_tidy",
                                OPTGROUP_NONE,
                                TV_NONE,
                                PROP_ssa | PROP_cfg,
                                0,
                                0,
                                0,
                                TODO_update_address_taken | TODO_remove_unused_locals};

class tidying_pass : public gimple_opt_pass {
public:
  tidying_pass() : gimple_opt_pass(tidying_data, g) {}
  /* The clean-up removes dead code but leaves its exception handlers in the function's list, which GCC would follow to
     blocks that no longer exist.  */
  unsigned int execute(function *) final override {
    maybe_remove_unreachable_handlers();
    return 0;
  }
};

} // namespace

/* GCC runs these passes earlier itself.  Some of their assumptions do not hold any more where they run again.  */
static auto_vec<opt_pass *> cleanup;
static opt_pass *scalar_replacement;

/* At this point a function that returns a value in memory already stores into the result directly.  Passes that remove
   stores would take these stores for dead, so they skip such a function.  */
static bool result_in_memory_p(function *fun) {
  tree result = DECL_RESULT(fun->decl);
  return result && !VOID_TYPE_P(TREE_TYPE(result)) && !is_gimple_reg_type(TREE_TYPE(result));
}

static tree find_indexed_variable(tree *place, int *, void *) {
  bool indexed = TREE_CODE(*place) == TARGET_MEM_REF && TREE_CODE(TMR_BASE(*place)) == ADDR_EXPR;
  return indexed ? *place : NULL_TREE;
}

/* At this point accesses in loops have the form of a variable and an index (TARGET_MEM_REF).  Scalar replacement does
   not see these and would put elements into registers that such an access also uses.  */
static bool indexed_variables_p(function *fun) {
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at)) {
      walk_stmt_info info = {};
      if (walk_gimple_op(gsi_stmt(at), find_indexed_variable, &info))
        return true;
    }
  return false;
}

static void skip_cleanup(void *gate, void *) {
  if (!cfun || !cleanup.contains(current_pass))
    return;
  if (!cleaning || result_in_memory_p(cfun) || (current_pass == scalar_replacement && indexed_variables_p(cfun)))
    *(bool *)gate = false;
}

/* Scalar replacement turns a frame whose address does not escape into registers; the other passes remove what becomes
   redundant.  */
static void insert_cleanup(const char *plugin) {
  opt_pass *passes[] = {make_pass_sra(g),       make_pass_fre(g),    make_pass_dse(g),      make_pass_cd_dce(g),
                        make_pass_dominator(g), make_pass_phiopt(g), make_pass_forwprop(g), make_pass_sink_code(g),
                        make_pass_cd_dce(g),    new tidying_pass};
  scalar_replacement = passes[0];
  for (int i = ARRAY_SIZE(passes) - 1; i >= 0; i--) {
    insert(plugin, passes[i], "cilkprof", PASS_POS_INSERT_AFTER);
    cleanup.safe_push(passes[i]);
  }
  register_callback(plugin, PLUGIN_OVERRIDE_GATE, skip_cleanup, NULL);
}

/* With -fgnu-tm, GCC records that a function it finds to be const can be called in transactions, and then does not
   inline it into functions that cannot.  Events must be inlined everywhere, so the passes that look for const functions
   skip them.  */
static void skip_analysis_of_events(void *gate, void *) {
  if (!flag_tm || !cfun || !cilkprof_function_p(cfun->decl))
    return;
  for (const char *analysis : {"local-pure-const", "modref"})
    if (!strcmp(current_pass->name, analysis))
      *(bool *)gate = false;
}

/* With -m32 and the like the layout of the engine's state would differ, and there is no library.  */
static void check_processor(void *, void *) {
  if (POINTER_SIZE != 64)
    fatal_error(UNKNOWN_LOCATION, "%<-fcilkprof%>: programs with %d-bit pointers cannot be profiled",
                (int)POINTER_SIZE);
}

__attribute__((visibility("default"))) int plugin_init(plugin_name_args *info, plugin_gcc_version *version) {
  if (!fits_compiler_p(version, "-fcilkprof"))
    return 1;
  for (int i = 0; i < info->argc; i++)
    if (!read_option(info->argv[i])) {
      error("%<-fcilkprof%>: unknown plugin argument %qs", info->argv[i].key);
      return 1;
    }
  const char *name = info->base_name;
  register_callback(name, PLUGIN_START_UNIT, check_processor, NULL);
  insert(name, make_iteration_pass(), "ehdisp", PASS_POS_INSERT_AFTER);
  insert(name, make_preparing_pass(), "simdclone", PASS_POS_INSERT_AFTER);
  insert(name, make_instrumenting_pass(), "optimized", PASS_POS_INSERT_AFTER);
  insert_cleanup(name);
  register_callback(name, PLUGIN_OVERRIDE_GATE, skip_analysis_of_events, NULL);
  register_engine_functions(name);
  register_callback(name, PLUGIN_ALL_PASSES_START, bare_passes_start, NULL);
  register_callback(name, PLUGIN_ALL_PASSES_END, bare_passes_end, NULL);
  register_callback(name, PLUGIN_ALL_PASSES_END, release_event_bodies, NULL);
  need_engine(name);
  return 0;
}
