/* What the code of a program for parallel runs does besides that of a serial one, so that workers can share it:
   closures, frames of the runtime, and ranges of loops.  It is no work of the program, and not counted.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "back.h"

/* Returns true if REFERENCE is to a variable that only the runtime needs, or that a loop passes to its body.  */
static bool deferral_variable_p(tree reference) {
  static const char *const beginnings[] = {CLOSURE_NAME ".", FRAME_NAME ".", "__cilkprof_r_", ".omp_data_o."};
  tree base = reference ? get_base_address(reference) : NULL_TREE;
  if (base && TREE_CODE(base) == MEM_REF && TREE_CODE(TREE_OPERAND(base, 0)) == ADDR_EXPR)
    base = TREE_OPERAND(TREE_OPERAND(base, 0), 0);
  if (!base || !VAR_P(base))
    return false;
  for (const char *each : beginnings)
    if (startswith(instrumented_decl_name_or_empty(base), each))
      return true;
  return false;
}

/* Returns true if STATEMENT is there so that workers can share what the program does.  */
bool prepares_deferral_p(const gimple *statement) {
  if (gimple_assign_single_p(statement))
    return deferral_variable_p(gimple_assign_lhs(statement)) || deferral_variable_p(gimple_assign_rhs1(statement));
  tree function = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
  const char *name = function ? IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function)) : "";
  return startswith(name, "__cilkprof_join") || startswith(name, "__cilkprof_r_") ||
         startswith(name, "__cilkprofiled_");
}

/* Returns how many arguments the call has that CALL spawns: the fields before the callee in its closure.  */
int count_spawned_arguments(const gimple *call) {
  tree closure = gimple_call_arg(call, 2),
       record = TREE_CODE(closure) == ADDR_EXPR ? TREE_TYPE(TREE_OPERAND(closure, 0)) : NULL_TREE;
  int count = 0;
  if (!record || TREE_CODE(record) != RECORD_TYPE)
    return 0;
  for (tree field = TYPE_FIELDS(record); field && strcmp(instrumented_decl_name_or_empty(field), CLOSURE_CALLEE);
       field = DECL_CHAIN(field))
    count++;
  return count;
}
