/* -fcilkplus in the C and C++ front ends: the entry point of the plugin, and the order in which functions are
   processed.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "front.h"
#include "libcilkprof/cc/gcc/fit.h"
#include "tree-nested.h"

__attribute__((visibility("default"))) int plugin_is_GPL_compatible;

/* Declares the function NAME of TYPE to the front end as a leaf that throws nothing: a marker that a keyword expands
   to.  */
static void declare_keyword_marker(const char *name, tree type) {
  tree attributes = tree_cons(get_identifier("leaf"), NULL_TREE, NULL_TREE);
  tree decl = add_builtin_function(name, type, 0, NOT_BUILT_IN, NULL, attributes);
  TREE_NOTHROW(decl) = 1;
  DECL_IGNORED_P(decl) = 1;
}

/* Callback at the start of a unit: declares the markers that the keywords expand to.  Other markers are declared where
   they are used.  The last function is one that the header of every unit refers to, so that another compiler fails on
   input that was preprocessed with it.  */
static void declare_unit_markers(void *, void *) {
  declare_keyword_marker(marker_name(MARK_SYNC), build_function_type_list(void_type_node, NULL_TREE));
  declare_keyword_marker(marker_name(MARK_LOOP),
                         build_varargs_function_type_list(integer_type_node, integer_type_node, NULL_TREE));
  declare_keyword_marker(marker_name(MARK_SCOPE), build_function_type_list(integer_type_node, NULL_TREE));
  declare_keyword_marker(marker_name(MARK_BLOCK), build_function_type_list(integer_type_node, NULL_TREE));
  declare_keyword_marker("__cilkprof_compile_with_fcilkprof", build_function_type_list(void_type_node, NULL_TREE));
}

/* Callback for walk_tree: returns the callee if the tree at PLACE is a call of cilkprof_strand, which names a
   strand.  */
static tree find_named_strand_call(tree *place, int *, void *) {
  tree callee = TREE_CODE(*place) == CALL_EXPR ? get_callee_fndecl(*place) : NULL_TREE;
  return callee && id_equal(DECL_NAME(callee), "cilkprof_strand") ? callee : NULL_TREE;
}

/* Keeps FUNCTION from being inlined if it calls cilkprof_strand.  A named strand ends where its function returns.  */
static void forbid_inlining_named_strands(tree function) {
  if (maybe_get_identifier("cilkprof_strand") &&
      walk_tree_without_duplicates(&DECL_SAVED_TREE(function), find_named_strand_call, NULL))
    DECL_UNINLINABLE(function) = 1;
}

/* Reports an error if FUNCTION shows that the input was preprocessed with -fcilkprof but is compiled without: it
   contains events then, which no library would define.  */
static void refuse_preprocessed_events(tree function) {
  if (!instrumenting && !seen_error() && DECL_NAME(function) &&
      !strcmp(IDENTIFIER_POINTER(DECL_NAME(function)), "__cilkprof_h_types"))
    error_at(UNKNOWN_LOCATION,
             "this input was preprocessed with %<-fcilkprof%>; compile it with %<-fcilkprof%> as well");
}

/* Finds the keywords and constructs in a function and rewrites its trees.  GCC calls this for every function once its
   trees are complete, before they are genericised.  It does not for functions that GNU C nests in others, so these are
   processed first.  */
static void process_parsed_function(void *data, void *) {
  tree function = (tree)data;
  if (!DECL_SAVED_TREE(function) || gcc_coroutine_part_p(function)) /* lower.cc refuses keywords in coroutines */
    return;
  cgraph_node *node = c_dialect_cxx() ? NULL : cgraph_node::get(function);
  for (cgraph_node *inner = node ? first_nested_function(node) : NULL; inner; inner = next_nested_function(inner))
    process_parsed_function(inner->decl, NULL);
  refuse_preprocessed_events(function);
  if (seen_error()) /* trees may be incomplete, and are only checked: nothing will be compiled */
    instrumenting = parallel = deferring = false;
  check_spawns_in_conditions(function);
  mark_spawned_calls(function);
  if (parallel || deferring)
    parallel_hook->rewrite_function(function);
  if (!parallel)
    rewrite_cilk_constructs(function);
  if (flag_openmp && instrumenting && !deferring)
    mark_openmp_constructs(function);
  forbid_inlining_named_strands(function);
  note_parsed_function(function);
}

/* Handles the attribute of an OpenCilk reducer at NODE, whose ARGUMENTS are two functions.  In a parallel program they
   become part of its type (parallel/reducers.cc).  A serial program does not call them, but must not be warned that
   they are unused.  */
static tree handle_reducer_keyword_attribute(tree *node, tree name, tree arguments, int, bool *no_add) {
  *no_add = true;
  if (parallel || deferring)
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

/* Callback: registers the attribute cilkprof_reducer, to which the headers of OpenCilk's reducers expand.  */
static void register_reducer_keyword_attribute(void *, void *) {
  static const attribute_spec reducer = {
      "cilkprof_reducer", 0, -1, false, false, false, false, handle_reducer_keyword_attribute, NULL};
  register_attribute(&reducer);
}

/* Callback at the end of a unit: reports a grain size and keywords that nothing has used.  */
static void finish_parsed_unit(void *, void *) {
  report_unused_grain_pragma();
  if (!flag_preprocess_only)
    report_unmatched_keywords();
}

/* Registers the passes of PLUGIN with GCC's pass manager.  */
static void register_front_passes(const char *plugin) {
  register_pass_info lowering = {make_spawn_lowering_pass(), "*warn_unused_result", 1, PASS_POS_INSERT_BEFORE};
  register_callback(plugin, PLUGIN_PASS_MANAGER_SETUP, NULL, &lowering);
  register_pass_info serial = {make_omp_serial_pass(), "build_ssa_passes", 1, PASS_POS_INSERT_BEFORE};
  if (instrumenting && !deferring) /* what is outlined then are loops of Cilk */
    register_callback(plugin, PLUGIN_PASS_MANAGER_SETUP, NULL, &serial);
}

/* Entry point of the front-end plugin, which GCC calls once: reads the plugin's arguments and registers its callbacks
   and passes.  Returns 0, or 1 if the plugin does not fit this version of GCC.  */
__attribute__((visibility("default"))) int plugin_init(plugin_name_args *info, plugin_gcc_version *version) {
  if (!plugin_fits_gcc_p(version, "-fcilkplus"))
    return 1;
  for (int i = 0; i < info->argc; i++)
    if (!strcmp(info->argv[i].key, "instrument"))
      instrumenting = true;
    else if (!strcmp(info->argv[i].key, "parallel"))
      parallel = true;
    else if (!strcmp(info->argv[i].key, "deferring"))
      deferring = true;
    else if (!strcmp(info->argv[i].key, "opencilk"))
      opencilk_keywords = true;
    else
      parallel_hook->set_option(info->argv[i].key);
  const char *name = info->base_name;
  if (parallel || deferring || !&c_language)
    parallel_hook->need_parallel_runtime(name);
  if (lang_GNU_Fortran() && parallel)
    fatal_error(UNKNOWN_LOCATION, "%<-fcilkplus%>: Fortran has no keywords of Cilk; to profile OpenMP, use "
                                  "%<-fopenmp -fcilkprof%>");
  if (lang_GNU_Fortran() && instrumenting) {
    mark_fortran_constructs_when_gimplified();
    register_front_passes(name);
  }
  if (!&c_language)
    return 0; /* Fortran and the link-time compiler have no keywords to find */
  register_callback(name, PLUGIN_PRAGMAS, register_keyword_pragmas, NULL);
  register_callback(name, PLUGIN_ATTRIBUTES, register_reducer_keyword_attribute, NULL);
  register_callback(name, PLUGIN_START_UNIT, declare_unit_markers, NULL);
  register_callback(name, PLUGIN_FINISH_PARSE_FUNCTION, assign_keywords_at_function_end, NULL);
  register_callback(name, PLUGIN_PRE_GENERICIZE, process_parsed_function, NULL);
  register_callback(name, PLUGIN_FINISH_DECL, check_parsed_declaration, NULL);
  register_callback(name, PLUGIN_FINISH_TYPE, check_parsed_type, NULL);
  register_callback(name, PLUGIN_FINISH_UNIT, finish_parsed_unit, NULL);
  register_front_passes(name);
  if (parallel || deferring)
    parallel_hook->start(name);
  return 0;
}
