/* Properties of the functions in a unit: which are instrumented, and who may call them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "back.h"

const char *name_of(tree decl) {
  return decl && DECL_NAME(decl) ? IDENTIFIER_POINTER(DECL_NAME(decl)) : "";
}

bool cilkprof_function_p(tree function) {
  return startswith(name_of(function), "__cilkprof_");
}

bool instrumented_p(tree function) {
  bool generated = DECL_ARTIFICIAL(function) && (DECL_STATIC_CONSTRUCTOR(function) || DECL_STATIC_DESTRUCTOR(function));
  return !cilkprof_function_p(function) && !generated &&
         !lookup_attribute("no_instrument_function", DECL_ATTRIBUTES(function));
}

/* The cgraph order of the first function that was created after the unit was prepared.  */
static int first_late_order = INT_MAX;

void ignore_later_functions() {
  first_late_order = symtab->order;
}

bool created_later_p(const cgraph_node *node) {
  return node->order >= first_late_order;
}

static hash_set<tree> called_without_events;

/* Thunks count as callers without instrumentation, since the compiler generates their code.  */
void find_functions_called_without_events() {
  cgraph_node *node;
  FOR_EACH_DEFINED_FUNCTION(node) {
    bool uninstrumented = node->thunk || !instrumented_p(node->decl);
    for (cgraph_edge *call = uninstrumented ? node->callees : NULL; call; call = call->next_callee)
      called_without_events.add(call->callee->ultimate_alias_target()->decl);
  }
}

/* Code that the compiler does not see, such as assembler code in the unit, may call any function that must be kept
   (DECL_PRESERVE_P).  */
static bool enterable_by_name_p(cgraph_node *node, void *) {
  return node->externally_visible || node->address_taken || TREE_PUBLIC(node->decl) || DECL_PRESERVE_P(node->decl) ||
         DECL_STATIC_CONSTRUCTOR(node->decl) || DECL_STATIC_DESTRUCTOR(node->decl);
}

/* A local function may have a public alias: the initialiser of thread-local variables has one for each variable.  */
bool enterable_p(cgraph_node *node) {
  return called_without_events.contains(node->decl) ||
         node->call_for_symbol_and_aliases(enterable_by_name_p, NULL, true);
}

/* Signal handlers are declared as void (int) or void (int, siginfo_t *, void *).  */
static bool parameters_of_handler_p(tree arguments) {
  tree number = arguments ? TREE_VALUE(arguments) : void_type_node;
  if (TREE_CODE(number) != INTEGER_TYPE || TYPE_PRECISION(number) != INT_TYPE_SIZE)
    return false;
  tree second = TREE_CHAIN(arguments), third = second ? TREE_CHAIN(second) : NULL_TREE;
  if (!second || VOID_TYPE_P(TREE_VALUE(second)))
    return true;
  return third && POINTER_TYPE_P(TREE_VALUE(second)) && POINTER_TYPE_P(TREE_VALUE(third)) && TREE_CHAIN(third) &&
         VOID_TYPE_P(TREE_VALUE(TREE_CHAIN(third)));
}

/* Where another unit may install the function as a handler, only the exact parameter types make it a candidate: the
   check for a signal costs every call some instructions.  */
bool signal_handler_p(cgraph_node *node) {
  tree type = TREE_TYPE(node->decl), first = TYPE_ARG_TYPES(type);
  if (calling_back || !VOID_TYPE_P(TREE_TYPE(type)))
    return false;
  if (!node->address_taken)
    return TREE_PUBLIC(node->decl) && parameters_of_handler_p(first);
  return !first || VOID_TYPE_P(TREE_VALUE(first)) || INTEGRAL_TYPE_P(TREE_VALUE(first));
}
