/* The entry point of the -fcilkprof plugin: it registers the passes.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "back.h"
#include "libcilkprof/cc/gcc/fit.h"

__attribute__((visibility("default"))) int plugin_is_GPL_compatible;

/* Registers PASS for PLUGIN with GCC's pass manager.  WHERE says if it goes before or after the first instance of the
   pass that is called REFERENCE, or replaces it.  */
static void register_back_pass(const char *plugin, opt_pass *pass, const char *reference, pass_positioning_ops where) {
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

/* The pass cilkprof_tidy, the last of those that clean up after inlined events.  */
class tidying_pass : public gimple_opt_pass {
public:
  /* Makes the pass cilkprof_tidy.  */
  tidying_pass() : gimple_opt_pass(tidying_data, g) {}
  /* Removes exception handlers that cannot be reached from the function's list.  The clean-up removes dead code but
     leaves its handlers there, which GCC would follow to blocks that no longer exist.  */
  unsigned int execute(function *) final override {
    maybe_remove_unreachable_handlers();
    return 0;
  }
};

} // namespace

/* GCC runs these passes earlier itself.  Some of their assumptions do not hold any more where they run again.  */
static auto_vec<opt_pass *> cleanup;
static opt_pass *scalar_replacement;

/* Returns true if FUN returns its value in memory.  At this point such a function already stores into the result
   directly, and clean-up passes that remove stores would take these stores for dead, so they skip it.  */
static bool cleanup_loses_result_p(function *fun) {
  tree result = DECL_RESULT(fun->decl);
  return result && !VOID_TYPE_P(TREE_TYPE(result)) && !is_gimple_reg_type(TREE_TYPE(result));
}

/* Returns *PLACE, an operand of a statement, if it is an access to a variable by an index (TARGET_MEM_REF), or else
   NULL_TREE.  It is a callback of walk_gimple_op, which stops at the first operand that is returned.  */
static tree find_target_mem_ref_before_cleanup(tree *place, int *, void *) {
  bool indexed = TREE_CODE(*place) == TARGET_MEM_REF && TREE_CODE(TMR_BASE(*place)) == ADDR_EXPR;
  return indexed ? *place : NULL_TREE;
}

/* Returns true if FUN accesses variables by an index.  At this point accesses in loops have this form (TARGET_MEM_REF),
   which scalar replacement does not see: it would put elements into registers that such an access also uses.  */
static bool has_target_mem_refs_before_cleanup_p(function *fun) {
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at)) {
      walk_stmt_info info = {};
      if (walk_gimple_op(gsi_stmt(at), find_target_mem_ref_before_cleanup, &info))
        return true;
    }
  return false;
}

/* Sets *GATE to false if the current pass is a clean-up after inlined events and must not run: the function has none,
   or the pass would make it wrong.  It is a callback for the gates of all passes.  */
static void skip_cleanup_pass(void *gate, void *) {
  if (!cfun || !cleanup.contains(current_pass))
    return;
  if (!cleaning || cleanup_loses_result_p(cfun) ||
      (current_pass == scalar_replacement && has_target_mem_refs_before_cleanup_p(cfun)))
    *(bool *)gate = false;
}

/* Registers the passes that clean up after inlined events.  Scalar replacement turns a frame whose address does not
   escape into registers; the other passes remove what becomes redundant.  */
static void register_cleanup_passes(const char *plugin) {
  opt_pass *passes[] = {make_pass_sra(g),       make_pass_fre(g),    make_pass_dse(g),      make_pass_cd_dce(g),
                        make_pass_dominator(g), make_pass_phiopt(g), make_pass_forwprop(g), make_pass_sink_code(g),
                        make_pass_cd_dce(g),    new tidying_pass};
  scalar_replacement = passes[0];
  for (int i = ARRAY_SIZE(passes) - 1; i >= 0; i--) {
    register_back_pass(plugin, passes[i], "cilkprof", PASS_POS_INSERT_AFTER);
    cleanup.safe_push(passes[i]);
  }
  register_callback(plugin, PLUGIN_OVERRIDE_GATE, skip_cleanup_pass, NULL);
}

/* Sets *GATE to false if the current function is an event and the current pass does nothing for it.  Every unit has all
   events, few use many of them, and where one is inlined it is optimised again.  One pass would even do harm: with
   -fgnu-tm GCC records that a const function can be called in transactions, and then does not inline it into functions
   that cannot.  */
static void skip_passes_over_events(void *gate, void *) {
  if (!cfun || !cilkprof_function_p(cfun->decl))
    return;
  for (const char *useless : {"walloca", "waccess", "early_objsz", "ethread", "esra", "ealias", "evrp", "dse", "tailr",
                              "iftoswitch", "switchconv", "fnsplit", "local-pure-const", "modref"})
    if (!strcmp(current_pass->name, useless))
      *(bool *)gate = false;
}

/* Lets a large unit grow by half as much again when GCC inlines functions into it.  How much it may is a part of its
   size, which is smaller than that of the parallel program, without the functions that threads call.  So what is
   inlined in hot loops there mostly is here, too; if all were, the code would be a third larger.  */
static void let_units_grow_as_parallel_ones() {
  if (!global_options_set.x_param_inline_unit_growth)
    global_options.x_param_inline_unit_growth += global_options.x_param_inline_unit_growth / 2;
}

/* Ends the compilation with an error if pointers do not have 64 bits, as with -m32: the layout of the engine's state
   would differ, and there is no library.  */
static void check_pointer_size_for_engine(void *, void *) {
  if (POINTER_SIZE != 64)
    fatal_error(UNKNOWN_LOCATION, "%<-fcilkprof%>: programs with %d-bit pointers cannot be profiled",
                (int)POINTER_SIZE);
}

/* Ends the compilation of a unit of Fortran with an error if callbacks are wanted: they need the bodies of events,
   which it does not have.  */
static void refuse_callbacks_in_fortran(void *, void *) {
  if (calling_back)
    fatal_error(UNKNOWN_LOCATION, "%<-fcilkprof%>: %<-fcilkprof-callbacks%> is not for Fortran");
}

/* Starts the plugin of -fcilkprof when GCC loads it: checks that it fits this compiler, reads its options, and
   registers its passes and callbacks.  Returns 0, or 1 after an error message.  */
__attribute__((visibility("default"))) int plugin_init(plugin_name_args *info, plugin_gcc_version *version) {
  if (!plugin_fits_gcc_p(version, "-fcilkprof"))
    return 1;
  for (int i = 0; i < info->argc; i++)
    if (!read_back_plugin_option(info->argv[i])) {
      error("%<-fcilkprof%>: unknown plugin argument %qs", info->argv[i].key);
      return 1;
    }
  const char *name = info->base_name;
  let_units_grow_as_parallel_ones();
  register_callback(name, PLUGIN_START_UNIT, check_pointer_size_for_engine, NULL);
  if (lang_GNU_Fortran())
    register_callback(name, PLUGIN_START_UNIT, refuse_callbacks_in_fortran, NULL);
  register_back_pass(name, make_event_dropping_pass(), "build_ssa_passes", PASS_POS_INSERT_BEFORE);
  register_back_pass(name, make_iteration_pass(), "ehdisp", PASS_POS_INSERT_AFTER);
  register_back_pass(name, make_preparing_pass(), "simdclone", PASS_POS_INSERT_AFTER);
  register_back_pass(name, make_instrumenting_pass(), "optimized", PASS_POS_INSERT_AFTER);
  register_cleanup_passes(name);
  register_callback(name, PLUGIN_OVERRIDE_GATE, skip_passes_over_events, NULL);
  register_engine_function_roots(name);
  register_engine_type_roots(name);
  register_callback(name, PLUGIN_ALL_PASSES_START, silence_bare_copy_warnings, NULL);
  register_callback(name, PLUGIN_ALL_PASSES_END, restore_warnings_after_bare_copy, NULL);
  register_callback(name, PLUGIN_ALL_PASSES_END, release_event_bodies, NULL);
  require_engine_at_link(name);
  register_slots(name); /* GCC calls what was registered last first: slots refer to the engine */
  return 0;
}
