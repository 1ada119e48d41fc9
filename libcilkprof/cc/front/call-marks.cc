/* Marks on calls: an extra last argument, the address of a variable that does not exist.
   SPDX-License-Identifier: GPL-3.0-or-later

   An argument survives whatever the front end and the gimplifier do to the call.  One mark is for calls that are
   spawned, the other for calls that cc/parallel has prepared to be deferred.  */

#include "front.h"

static const char spawned_name[] = "__cilkprof_spawned_call";
static const char deferrable_name[] = "__cilkprof_deferrable_call";

/* Returns a new mark to be the last argument of a call: the address of an external variable NAME, declared at WHERE,
   that is never defined.  */
static tree new_call_mark(const char *name, location_t where) {
  tree mark = build_decl(where, VAR_DECL, get_identifier(name), char_type_node);
  DECL_EXTERNAL(mark) = TREE_PUBLIC(mark) = TREE_ADDRESSABLE(mark) = DECL_ARTIFICIAL(mark) = TREE_USED(mark) = 1;
  return build1(ADDR_EXPR, build_pointer_type(char_type_node), mark);
}

/* Returns true if ARGUMENT is the mark NAME.  Marks are compared by name because a precompiled header has a declaration
   of its own.  */
static bool call_mark_p(tree argument, const char *name) {
  return argument && TREE_CODE(argument) == ADDR_EXPR && VAR_P(TREE_OPERAND(argument, 0)) &&
         DECL_NAME(TREE_OPERAND(argument, 0)) && id_equal(DECL_NAME(TREE_OPERAND(argument, 0)), name);
}

/* Returns true if the last argument of STATEMENT, a call in GIMPLE, is the mark NAME.  */
static bool ends_with_mark_p(const gimple *statement, const char *name) {
  unsigned count = is_gimple_call(statement) ? gimple_call_num_args(statement) : 0;
  return count && call_mark_p(gimple_call_arg(statement, count - 1), name);
}

/* Returns true if the last argument of CALL, a tree, is the mark NAME.  */
static bool ends_with_mark_p(tree call, const char *name) {
  int operands = VL_EXP_OPERAND_LENGTH(call);
  return operands > 3 && call_mark_p(TREE_OPERAND(call, operands - 1), name);
}

/* Returns a new mark for a call that is spawned.  The mark carries the location of the KEYWORD.  */
tree new_spawn_mark(location_t keyword) {
  return new_call_mark(spawned_name, keyword);
}

/* Returns a new mark for a spawned call that cc/parallel has prepared to be deferred.  */
tree new_deferrable_mark() {
  return new_call_mark(deferrable_name, UNKNOWN_LOCATION);
}

/* Returns true if STATEMENT is a call that carries the mark of spawned calls.  */
bool spawn_marked_statement_p(const gimple *statement) {
  return ends_with_mark_p(statement, spawned_name);
}

/* Returns true if the tree CALL already carries the mark of spawned calls.  GCC copies constructors and destructors
   after their calls were marked, and each copy is processed again.  */
bool spawn_marked_call_p(tree call) {
  return ends_with_mark_p(call, spawned_name);
}

/* Returns true if STATEMENT, a call in GIMPLE, carries the mark of calls that cc/parallel has prepared to be
   deferred.  */
bool deferrable_marked_p(const gimple *statement) {
  return ends_with_mark_p(statement, deferrable_name);
}

/* Returns true if CALL, a tree, carries the mark of calls that cc/parallel has prepared to be deferred.  */
bool deferrable_marked_p(tree call) {
  return ends_with_mark_p(call, deferrable_name);
}

/* Returns the source location of CALL, which is marked as spawned.  A call that constructs an object may have none;
   then it is the location of the keyword, which the mark has.  */
location_t spawned_call_location(tree call) {
  tree mark = TREE_OPERAND(call, VL_EXP_OPERAND_LENGTH(call) - 1);
  return EXPR_HAS_LOCATION(call) ? EXPR_LOCATION(call) : DECL_SOURCE_LOCATION(TREE_OPERAND(mark, 0));
}
