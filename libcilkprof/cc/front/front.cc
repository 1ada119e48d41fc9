/* -fcilkplus in the C and C++ front ends: the entry point of the plugin, and the order in which functions are
   processed.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "front.h"
#include "libcilkprof/cc/gcc/fit.h"
#include "tree-nested.h"

__attribute__((visibility("default"))) int plugin_is_GPL_compatible;

static void declare(const char *name, tree type) {
  tree attributes = tree_cons(get_identifier("leaf"), NULL_TREE, NULL_TREE);
  tree decl = add_builtin_function(name, type, 0, NOT_BUILT_IN, NULL, attributes);
  TREE_NOTHROW(decl) = 1;
  DECL_IGNORED_P(decl) = 1;
}

/* Declares the markers that the keywords expand to; other markers are declared where they are used.  The last function
   is one that the header of every unit refers to, so that another compiler fails on input that was preprocessed with
   it.  */
static void start_unit(void *, void *) {
  declare(marker_name(MARK_SYNC), build_function_type_list(void_type_node, NULL_TREE));
  declare(marker_name(MARK_LOOP), build_varargs_function_type_list(integer_type_node, integer_type_node, NULL_TREE));
  declare(marker_name(MARK_SCOPE), build_function_type_list(integer_type_node, NULL_TREE));
  declare(marker_name(MARK_BLOCK), build_function_type_list(integer_type_node, NULL_TREE));
  declare("__cilkprof_compile_with_fcilkprof", build_function_type_list(void_type_node, NULL_TREE));
}

static tree find_named_strand(tree *place, int *, void *) {
  tree callee = TREE_CODE(*place) == CALL_EXPR ? get_callee_fndecl(*place) : NULL_TREE;
  return callee && id_equal(DECL_NAME(callee), "cilkprof_strand") ? callee : NULL_TREE;
}

/* A named strand ends where its function returns, so the function must not be inlined.  */
static void keep_named_strands_apart(tree function) {
  if (maybe_get_identifier("cilkprof_strand") &&
      walk_tree_without_duplicates(&DECL_SAVED_TREE(function), find_named_strand, NULL))
    DECL_UNINLINABLE(function) = 1;
}

/* Input that was preprocessed with -fcilkprof contains events, and without -fcilkprof no library would define them.  */
static void need_no_events(tree function) {
  if (!instrumenting && DECL_NAME(function) && !strcmp(IDENTIFIER_POINTER(DECL_NAME(function)), "__cilkprof_h_types"))
    error_at(UNKNOWN_LOCATION,
             "this input was preprocessed with %<-fcilkprof%>; compile it with %<-fcilkprof%> as well");
}

/* GCC calls this for every function once its trees are complete, before they are genericised.  It does not for
   functions that GNU C nests in others, so these are processed first.  */
static void function_parsed(void *data, void *) {
  tree function = (tree)data;
  if (!DECL_SAVED_TREE(function) || coroutine_part_p(function)) /* lower.cc refuses keywords in coroutines */
    return;
  cgraph_node *node = c_dialect_cxx() ? NULL : cgraph_node::get(function);
  for (cgraph_node *inner = node ? first_nested_function(node) : NULL; inner; inner = next_nested_function(inner))
    function_parsed(inner->decl, NULL);
  need_no_events(function);
  check_spawns(function);
  mark_spawned_calls(function);
  if (parallel)
    parallel_hook->rewrite_function(function);
  else
    rewrite_constructs(function);
  if (flag_openmp && instrumenting)
    mark_openmp(function);
  keep_named_strands_apart(function);
  note_parsed(function);
}

/* An OpenCilk reducer names two functions.  In a parallel program they become part of its type (parallel/reducers.cc).
   A serial program does not call them, but must not be warned that they are unused.  */
static tree reducer_attribute(tree *node, tree name, tree arguments, int, bool *no_add) {
  *no_add = true;
  if (parallel)
    parallel_hook->make_reducer(node, name, arguments);
  for (; arguments; arguments = TREE_CHAIN(arguments)) {
    tree function = TREE_VALUE(arguments);
    if (function && TREE_CODE(function) == ADDR_EXPR)
      function = TREE_OPERAND(function, 0);
    if (function && DECL_P(function))
      TREE_USED(function) = 1;
  }
  return NULL_TREE;
}

static void register_attributes(void *, void *) {
  static const attribute_spec reducer = {"cilkprof_reducer", 0,   -1, false, false, false, false,
                                         reducer_attribute,  NULL};
  register_attribute(&reducer);
}

static void finish_unit(void *, void *) {
  report_unused_grain();
  if (!flag_preprocess_only)
    report_unmatched_keywords();
  if (asm_out_file && !seen_error())
    need_openmp();
}

__attribute__((visibility("default"))) int plugin_init(plugin_name_args *info, plugin_gcc_version *version) {
  if (!fits_compiler_p(version, "-fcilkplus"))
    return 1;
  for (int i = 0; i < info->argc; i++)
    if (!strcmp(info->argv[i].key, "instrument"))
      instrumenting = true;
    else if (!strcmp(info->argv[i].key, "parallel"))
      parallel = true;
    else
      parallel_hook->set_option(info->argv[i].key);
  const char *name = info->base_name;
  if (parallel || !&c_language)
    parallel_hook->need_runtime(name);
  if (!&c_language)
    return 0; /* the link-time compiler, which has no keywords to find */
  register_callback(name, PLUGIN_PRAGMAS, register_pragmas, NULL);
  register_callback(name, PLUGIN_ATTRIBUTES, register_attributes, NULL);
  register_callback(name, PLUGIN_START_UNIT, start_unit, NULL);
  register_callback(name, PLUGIN_FINISH_PARSE_FUNCTION, function_ended, NULL);
  register_callback(name, PLUGIN_PRE_GENERICIZE, function_parsed, NULL);
  register_callback(name, PLUGIN_FINISH_DECL, declaration_parsed, NULL);
  register_callback(name, PLUGIN_FINISH_TYPE, type_parsed, NULL);
  register_callback(name, PLUGIN_FINISH_UNIT, finish_unit, NULL);
  register_pass_info lowering = {make_lowering_pass(), "*warn_unused_result", 1, PASS_POS_INSERT_BEFORE};
  register_callback(name, PLUGIN_PASS_MANAGER_SETUP, NULL, &lowering);
  register_pass_info serial = {make_serial_pass(), "build_ssa_passes", 1, PASS_POS_INSERT_BEFORE};
  if (instrumenting)
    register_callback(name, PLUGIN_PASS_MANAGER_SETUP, NULL, &serial);
  if (parallel)
    parallel_hook->start(name);
  return 0;
}
