/* -fcilkprof in the middle end: options and the order of passes.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "back.h"
#include "libcilkprof/cc/gcc/fit.h"

__attribute__((visibility("default"))) int plugin_is_GPL_compatible;
measuring mode = MEASURE_HYBRID;
bool whatif, calling_back, no_reference, always_inline, always_outline;

static bool read_argument(const plugin_argument &argument) {
  static const char *const names[] = {"count", "hybrid", "clock"};
  if (!strcmp(argument.key, "callbacks"))
    return calling_back = true;
  if (!strcmp(argument.key, "no-reference"))
    return no_reference = true;
  if (!strcmp(argument.key, "inline"))
    return always_inline = true;
  if (!strcmp(argument.key, "outline"))
    return always_outline = true;
  if (strcmp(argument.key, "mode") || !argument.value)
    return false;
  if (!strcmp(argument.value, "whatif")) {
    mode = MEASURE_COUNT;
    return whatif = true;
  }
  for (int i = MEASURE_COUNT; i <= MEASURE_CLOCK; i++)
    if (!strcmp(argument.value, names[i])) {
      mode = (measuring)i;
      return true;
    }
  return false;
}

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
  /* Code that turned out to be dead is gone; the exception handlers of it are still listed, and GCC follows that list
     to where they were.  */
  unsigned int execute(function *) final override {
    maybe_remove_unreachable_handlers();
    return 0;
  }
};

} // namespace

/* What follows comes earlier in GCC, and takes some things for granted that are so then.  */
static auto_vec<opt_pass *> cleanup;
static opt_pass *scalar_replacement;

/* A function that returns a value in memory has by now been made to build it there.  Passes that remove stores would
   take these for dead: such a function is left as it is.  */
static bool result_in_memory_p(function *fun) {
  tree result = DECL_RESULT(fun->decl);
  return result && !VOID_TYPE_P(TREE_TYPE(result)) && !is_gimple_reg_type(TREE_TYPE(result));
}

static tree find_indexed_variable(tree *place, int *, void *) {
  bool indexed = TREE_CODE(*place) == TARGET_MEM_REF && TREE_CODE(TMR_BASE(*place)) == ADDR_EXPR;
  return indexed ? *place : NULL_TREE;
}

/* Accesses in loops have an index beside the variable by now.  Scalar replacement does not see them: it would make
   registers of the elements that are accessed elsewhere.  */
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

static void leave_out_cleanup(void *gate, void *) {
  if (!cfun || !cleanup.contains(current_pass))
    return;
  if (!cleaning || result_in_memory_p(cfun) || (current_pass == scalar_replacement && indexed_variables_p(cfun)))
    *(bool *)gate = false;
}

/* Scalar replacement makes registers of a frame whose address nobody has; the rest removes what that leaves behind.  */
static void insert_cleanup(const char *plugin) {
  opt_pass *passes[] = {make_pass_sra(g),       make_pass_fre(g),    make_pass_dse(g),      make_pass_cd_dce(g),
                        make_pass_dominator(g), make_pass_phiopt(g), make_pass_forwprop(g), make_pass_sink_code(g),
                        make_pass_cd_dce(g),    new tidying_pass};
  scalar_replacement = passes[0];
  for (int i = ARRAY_SIZE(passes) - 1; i >= 0; i--) {
    insert(plugin, passes[i], "cilkprof", PASS_POS_INSERT_AFTER);
    cleanup.safe_push(passes[i]);
  }
  register_callback(plugin, PLUGIN_OVERRIDE_GATE, leave_out_cleanup, NULL);
}

/* A function that is found to be const may be called in a transaction as it is; GCC then lists its clone for that,
   which is itself, and does not inline it into functions that may not.  But events are to be inlined and are in no
   list: with -fgnu-tm they are not asked.  */
static void leave_events_unasked(void *gate, void *) {
  if (!flag_tm || !cfun || !own_function_p(cfun->decl))
    return;
  for (const char *asking : {"local-pure-const", "modref"})
    if (!strcmp(current_pass->name, asking))
      *(bool *)gate = false;
}

/* -m32 and the like: the engine's state would be another, and there is no library.  */
static void check_processor(void *, void *) {
  if (POINTER_SIZE != 64)
    fatal_error(UNKNOWN_LOCATION, "%<-fcilkprof%>: programs with %d-bit pointers cannot be profiled",
                (int)POINTER_SIZE);
}

__attribute__((visibility("default"))) int plugin_init(plugin_name_args *info, plugin_gcc_version *version) {
  if (!fits_compiler_p(version, "-fcilkprof"))
    return 1;
  for (int i = 0; i < info->argc; i++)
    if (!read_argument(info->argv[i])) {
      error("%<-fcilkprof%>: unknown plugin argument %qs", info->argv[i].key);
      return 1;
    }
  const char *name = info->base_name;
  register_callback(name, PLUGIN_START_UNIT, check_processor, NULL);
  insert(name, make_iteration_pass(), "ehdisp", PASS_POS_INSERT_AFTER);
  insert(name, make_preparing_pass(), "simdclone", PASS_POS_INSERT_AFTER);
  insert(name, make_instrumenting_pass(), "optimized", PASS_POS_INSERT_AFTER);
  insert_cleanup(name);
  register_callback(name, PLUGIN_OVERRIDE_GATE, leave_events_unasked, NULL);
  register_engine_functions(name);
  register_callback(name, PLUGIN_ALL_PASSES_START, bare_passes_start, NULL);
  register_callback(name, PLUGIN_ALL_PASSES_END, bare_passes_end, NULL);
  register_callback(name, PLUGIN_ALL_PASSES_END, release_event_bodies, NULL);
  need_engine(name);
  return 0;
}
