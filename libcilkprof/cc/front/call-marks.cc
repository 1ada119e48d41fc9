/* Marks on calls: an extra last argument, the address of a variable that does not exist.
   SPDX-License-Identifier: GPL-3.0-or-later

   An argument survives whatever the front end and the gimplifier do to the call.  One mark is for calls that are
   spawned, the other for calls that cc/parallel has prepared to be deferred.  */

#include "front.h"

static const char spawned_name[] = "__cilkprof_spawned_call";
static const char deferrable_name[] = "__cilkprof_deferrable_call";

static tree new_mark(const char *name, location_t where) {
  tree mark = build_decl(where, VAR_DECL, get_identifier(name), char_type_node);
  DECL_EXTERNAL(mark) = TREE_PUBLIC(mark) = TREE_ADDRESSABLE(mark) = DECL_ARTIFICIAL(mark) = TREE_USED(mark) = 1;
  return build1(ADDR_EXPR, build_pointer_type(char_type_node), mark);
}

/* Marks are compared by name because a precompiled header has a declaration of its own.  */
static bool mark_p(tree argument, const char *name) {
  return argument && TREE_CODE(argument) == ADDR_EXPR && VAR_P(TREE_OPERAND(argument, 0)) &&
         DECL_NAME(TREE_OPERAND(argument, 0)) && id_equal(DECL_NAME(TREE_OPERAND(argument, 0)), name);
}

static bool last_argument_p(const gimple *statement, const char *name) {
  unsigned count = is_gimple_call(statement) ? gimple_call_num_args(statement) : 0;
  return count && mark_p(gimple_call_arg(statement, count - 1), name);
}

static bool last_argument_p(tree call, const char *name) {
  int operands = VL_EXP_OPERAND_LENGTH(call);
  return operands > 3 && mark_p(TREE_OPERAND(call, operands - 1), name);
}

tree spawned_mark(location_t keyword) {
  return new_mark(spawned_name, keyword);
}

tree deferrable_mark() {
  return new_mark(deferrable_name, UNKNOWN_LOCATION);
}

bool spawned_call_p(const gimple *statement) {
  return last_argument_p(statement, spawned_name);
}

/* GCC copies constructors and destructors after their calls were marked, and each copy is processed again.  */
bool marked_p(tree call) {
  return last_argument_p(call, spawned_name);
}

bool deferrable_p(const gimple *statement) {
  return last_argument_p(statement, deferrable_name);
}

bool deferrable_p(tree call) {
  return last_argument_p(call, deferrable_name);
}

/* A call that constructs an object may have no location, but its mark has that of the keyword.  */
location_t place_of_spawn(tree call) {
  tree mark = TREE_OPERAND(call, VL_EXP_OPERAND_LENGTH(call) - 1);
  return EXPR_HAS_LOCATION(call) ? EXPR_LOCATION(call) : DECL_SOURCE_LOCATION(TREE_OPERAND(mark, 0));
}
