/* Properties of the functions in a unit: which are instrumented, and who may call them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "back.h"

/* Returns the name of DECL, as in the source, or an empty string if it has none.  */
const char *instrumented_decl_name_or_empty(tree decl) {
  return decl && DECL_NAME(decl) ? IDENTIFIER_POINTER(DECL_NAME(decl)) : "";
}

/* Returns true if FUNCTION is an event, a marker or part of the engine, by its name.  */
bool cilkprof_function_p(tree function) {
  const char *name = instrumented_decl_name_or_empty(function);
  return startswith(name, "__cilkprof_") || startswith(name, KEYWORD_MARKER_PREFIX);
}

/* Returns true if FUNCTION is main, or the main program of Fortran.  */
bool instrumented_start_p(tree function) {
  return MAIN_NAME_P(DECL_NAME(function)) || id_equal(DECL_ASSEMBLER_NAME(function), FORTRAN_MAIN_SYMBOL);
}

/* Returns true if FUNCTION gets events: it is neither cilkprof's, nor a constructor or destructor that GCC generated,
   nor excluded by an attribute.  */
bool instrumented_function_p(tree function) {
  bool generated = DECL_ARTIFICIAL(function) && (DECL_STATIC_CONSTRUCTOR(function) || DECL_STATIC_DESTRUCTOR(function));
  return !cilkprof_function_p(function) && !generated &&
         !lookup_attribute("no_instrument_function", DECL_ATTRIBUTES(function));
}

/* Returns true if FUNCTION is a bare copy: one without events, for the reference run.  */
bool bare_copy_p(tree function) {
  return lookup_attribute(BARE_ATTRIBUTE, DECL_ATTRIBUTES(function)) != NULL_TREE;
}

/* Returns true if FUNCTION is the body of a cilk_for that workers share: the engine calls it for each grain, and its
   events belong to the function around the loop.  */
bool range_body_p(tree function) {
  return all_workers && strstr(IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function)), "._omp_fn.");
}

/* The cgraph order of the first function that was created after the unit was prepared.  */
static int first_late_order = INT_MAX;

/* Notes that functions which are created from now on, by later passes, are not to be instrumented.  */
void stop_instrumenting_new_functions() {
  first_late_order = symtab->order;
}

/* Returns true if the function of NODE was created after the unit was prepared, for example by the pass that
   parallelises loops.  */
bool created_after_instrument_preparation_p(const cgraph_node *node) {
  return node->order >= first_late_order;
}

static hash_set<tree> called_without_events, only_in_closures, direct_copies;

/* Notes that COPY is a copy of a function that only instrumented code of this unit calls, also where its address is in
   a closure.  */
void note_direct_instrumented_copy(tree copy) {
  direct_copies.add(copy);
}

/* Returns true if FUNCTION is such a copy.  */
bool direct_instrumented_copy_p(tree function) {
  return direct_copies.contains(function);
}

/* Returns true if the address of the function of NODE is only taken for closures of calls that spawn it.  */
static bool address_only_in_closures_p(cgraph_node *node) {
  ipa_ref *ref;
  for (unsigned i = 0; node->iterate_referring(i, ref); i++)
    if (ref->use == IPA_REF_ADDR && !(ref->stmt && prepares_deferral_p(ref->stmt)))
      return false;
  return all_workers;
}

/* Finds the functions that uninstrumented functions of this unit call, and those whose addresses are only in closures.
   Thunks count as such callers, since the compiler generates their code.  */
void find_functions_called_without_events() {
  cgraph_node *node;
  FOR_EACH_DEFINED_FUNCTION(node) {
    bool uninstrumented = node->thunk || !instrumented_function_p(node->decl);
    for (cgraph_edge *call = uninstrumented ? node->callees : NULL; call; call = call->next_callee)
      called_without_events.add(call->callee->ultimate_alias_target()->decl);
    if (address_only_in_closures_p(node))
      only_in_closures.add(node->decl);
  }
}

/* Returns true if code without instrumentation may call NODE, a function or an alias, by its symbol or address.  Code
   that the compiler does not see, such as assembler code in the unit, may call any function that must be kept
   (DECL_PRESERVE_P).  */
static bool enterable_by_uninstrumented_name_p(cgraph_node *node, void *) {
  return node->externally_visible || (node->address_taken && !direct_instrumented_copy_p(node->decl)) ||
         TREE_PUBLIC(node->decl) || DECL_PRESERVE_P(node->decl) || DECL_STATIC_CONSTRUCTOR(node->decl) ||
         DECL_STATIC_DESTRUCTOR(node->decl);
}

/* Returns true if code without instrumentation may call the function of NODE, by itself or by an alias.  A local
   function may have a public alias: the initialiser of thread-local variables has one for each variable.  */
bool enterable_by_uninstrumented_code_p(cgraph_node *node) {
  return called_without_events.contains(node->decl) ||
         node->call_for_symbol_and_aliases(enterable_by_uninstrumented_name_p, NULL, true);
}

/* Returns true if ARGUMENTS, a list of parameter types, is that of a signal handler: (int) or (int, siginfo_t *, void
   *).  */
static bool instrumented_handler_parameters_p(tree arguments) {
  tree number = arguments ? TREE_VALUE(arguments) : void_type_node;
  if (TREE_CODE(number) != INTEGER_TYPE || TYPE_PRECISION(number) != INT_TYPE_SIZE)
    return false;
  tree second = TREE_CHAIN(arguments), third = second ? TREE_CHAIN(second) : NULL_TREE;
  if (!second || VOID_TYPE_P(TREE_VALUE(second)))
    return true;
  return third && POINTER_TYPE_P(TREE_VALUE(second)) && POINTER_TYPE_P(TREE_VALUE(third)) && TREE_CHAIN(third) &&
         VOID_TYPE_P(TREE_VALUE(TREE_CHAIN(third)));
}

/* Returns true if the function of NODE may be installed as a signal handler.  Where another unit may install it, only
   the exact parameter types make it a candidate: the check for a signal costs every call some instructions.  */
bool may_be_instrumented_handler_p(cgraph_node *node) {
  tree type = TREE_TYPE(node->decl), first = TYPE_ARG_TYPES(type);
  if (calling_back || !VOID_TYPE_P(TREE_TYPE(type)) || direct_instrumented_copy_p(node->decl))
    return false;
  if (!node->address_taken || only_in_closures.contains(node->decl))
    return TREE_PUBLIC(node->decl) && instrumented_handler_parameters_p(first);
  return !first || VOID_TYPE_P(TREE_VALUE(first)) || INTEGRAL_TYPE_P(TREE_VALUE(first));
}
