/* What a statement means to the profile: which calls and markers are events, and what other calls cost.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "back.h"

static bool named_p(tree function, const char *const *names) {
  const char *name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function));
  for (; *names; names++)
    if (!strcmp(name, *names))
      return true;
  return false;
}

/* These functions end the process without running exit handlers, so no profile is written.  Frames need not be kept in
   memory for them; otherwise every assertion would slow its function down.  */
static bool kills_p(tree function) {
  static const char *const names[] = {"abort",      "__assert_fail",  "__assert", "__stack_chk_fail",
                                      "__chk_fail", "__fortify_fail", NULL};
  return named_p(function, names);
}

/* These are built-in functions of the compiler, but they run the program's exit handlers or end its profile.  */
static bool exits_p(tree function) {
  static const char *const names[] = {"exit",  "_exit",  "_Exit",  "quick_exit", "execl",    "execle", "execlp",
                                      "execv", "execve", "execvp", "execvpe",    "execveat", NULL};
  return named_p(function, names);
}

/* Control leaves the function and continues in one of its callers.  */
static bool jumps_p(tree function) {
  return fndecl_built_in_p(function, BUILT_IN_LONGJMP) || fndecl_built_in_p(function, BUILT_IN_NONLOCAL_GOTO);
}

static bool api_p(tree function) {
  return startswith(IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function)), "__cilkprof_api_");
}

bool synthetic_call_p(const gimple *statement) {
  tree function = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
  const char *name = function ? IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function)) : "";
  return startswith(name, "__cilkprof_api_omp_") || startswith(name, "__cilkprof_omp_region_");
}

static bool instrumented_here_p(tree function) {
  cgraph_node *node = cgraph_node::get(function);
  if (!node)
    return false;
  enum availability availability;
  node = node->ultimate_alias_target(&availability);
  /* GCC treats a noipa function as interposable, but the call still reaches this very function.  */
  bool hidden = lookup_attribute("noipa", DECL_ATTRIBUTES(node->decl)) && decl_binds_to_current_def_p(node->decl);
  return node->definition && !DECL_EXTERNAL(node->decl) && (availability > AVAIL_INTERPOSABLE || hidden) &&
         !lookup_attribute("no_instrument_function", DECL_ATTRIBUTES(node->decl)) && !node->thunk;
}

/* A built-in function that takes one of the program's functions as an argument, like those of libgomp, calls it.
   Functions that GCC created later, for loops that it parallelises, contain no events.  */
static bool calls_back_p(const gimple *call) {
  for (unsigned i = 0; i < gimple_call_num_args(call); i++) {
    tree argument = gimple_call_arg(call, i);
    if (TREE_CODE(argument) != ADDR_EXPR || TREE_CODE(TREE_OPERAND(argument, 0)) != FUNCTION_DECL)
      continue;
    cgraph_node *node = cgraph_node::get(TREE_OPERAND(argument, 0));
    if (!node || !created_later_p(node))
      return true;
  }
  return false;
}

bool charged_to_caller_p(tree function) {
  return fndecl_built_in_p(function) && !exits_p(function) && !cilkprof_function_p(function);
}

static bool takes_function_p(tree function) {
  for (tree each = TYPE_ARG_TYPES(TREE_TYPE(function)); each; each = TREE_CHAIN(each)) {
    tree type = TREE_VALUE(each);
    if (POINTER_TYPE_P(type) && FUNC_OR_METHOD_TYPE_P(TREE_TYPE(type)))
      return true;
  }
  return false;
}

static bool begins_with_p(const char *name, const char *const *beginnings) {
  for (; *beginnings; beginnings++)
    if (startswith(name, *beginnings))
      return true;
  return false;
}

/* Library functions that do not call back into the program.  The C library declares most of them "leaf" in C.  In C++
   it declares them "nothrow" only, like some others that do run code of the program: of another thread, library or
   context.  The C++ library declares nothing.  If such a function does run instrumented code, the engine detects that
   (charged.c).  */
static bool library_p(tree function) {
  static const char *const others[] = {"pthread_", "sem_", "dl",         "_setjmp",    "setjmp",      "__sigsetjmp",
                                       "glob",     "wait", "getcontext", "setcontext", "swapcontext", NULL};
  static const char *const standard[] = {"_ZSt", "_ZNS", "_ZNKS", "_ZN9__gnu_cxx", NULL};
  if (!DECL_EXTERNAL(function) || TREE_THIS_VOLATILE(function) || takes_function_p(function))
    return false;
  if (DECL_IS_REPLACEABLE_OPERATOR(function))
    return true;
  if (!DECL_IN_SYSTEM_HEADER(function))
    return false;
  const char *name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function));
  return startswith(name, "_Z") ? begins_with_p(name, standard)
                                : TREE_NOTHROW(function) && lang_GNU_CXX() && !begins_with_p(name, others);
}

call_class classify_call(const gimple *statement) {
  if (!is_gimple_call(statement) || gimple_call_internal_p(statement))
    return CALL_OF_NO_INTEREST;
  tree function = gimple_call_fndecl(statement);
  int flags = gimple_call_flags(statement);
  if (!function)
    return CALL_FOREIGN;
  if (api_p(function) || jumps_p(function))
    return CALL_OF_API;
  if (cilkprof_function_p(function) || flags & ECF_RETURNS_TWICE || kills_p(function))
    return CALL_OF_NO_INTEREST;
  if (exits_p(function))
    return CALL_FOREIGN;
  if (fndecl_built_in_p(function))
    return calls_back_p(statement) ? CALL_FOREIGN : CALL_OF_NO_INTEREST;
  if (instrumented_here_p(function))
    return CALL_DIRECT;
  return flags & ECF_LEAF || library_p(function) ? CALL_OF_NO_INTEREST : CALL_FOREIGN;
}

bool spawn_marker_p(const gimple *statement) {
  marker which = marker_of_call(statement);
  return which == MARK_SPAWN || which == MARK_TASK_CALL;
}

bool silent_marker_p(const gimple *statement) {
  marker which = marker_of_call(statement);
  return spawn_marker_p(statement) || which == MARK_ENTRY || which == MARK_CALLEE;
}

bool event_p(const gimple *statement) {
  if (!is_gimple_call(statement))
    return false;
  marker which = marker_of_call(statement);
  return (which != NO_MARKER && which != MARK_ENTRY && which != MARK_CALLEE) ||
         classify_call(statement) != CALL_OF_NO_INTEREST || gimple_call_flags(statement) & ECF_RETURNS_TWICE;
}

/* A large copy becomes a call of memcpy, or takes as long as one.  */
static bool long_copy_p(const gimple *statement) {
  enum { LONG = 256 };
  if (!gimple_assign_single_p(statement) || !gimple_store_p(statement) || gimple_clobber_p(statement))
    return false;
  tree type = TREE_TYPE(gimple_assign_lhs(statement));
  return !is_gimple_reg_type(type) && (unsigned HOST_WIDE_INT)int_size_in_bytes(type) > LONG;
}

bool uncounted_p(const gimple *statement) {
  if (!is_gimple_call(statement) || gimple_call_internal_p(statement))
    return long_copy_p(statement);
  tree function = gimple_call_fndecl(statement);
  if (!function || cilkprof_function_p(function) || gimple_call_flags(statement) & (ECF_RETURNS_TWICE | ECF_NORETURN))
    return false;
  if (fndecl_built_in_p(function, BUILT_IN_SETJMP_SETUP) || fndecl_built_in_p(function, BUILT_IN_SETJMP_RECEIVER))
    return false; /* they are short, and nothing may be inserted before a receiver */
  return classify_call(statement) == CALL_OF_NO_INTEREST &&
         !(fndecl_built_in_p(function) && is_inexpensive_builtin(function));
}

/* Among the built-in functions, only fork counts.  Others may also run code of the program, if it replaces memory
   management or streams, but that is rare, and events around every malloc would be slow.  */
bool charged_call_p(const gimple *statement) {
  if (calling_back || !is_gimple_call(statement) || gimple_call_internal_p(statement) || !uncounted_p(statement))
    return false;
  tree function = gimple_call_fndecl(statement);
  return fndecl_built_in_p(function) ? gimple_call_builtin_p(statement, BUILT_IN_FORK)
                                     : !(gimple_call_flags(statement) & ECF_CONST);
}
