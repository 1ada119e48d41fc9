/* What a call is to the profile, and which calls may never come back.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "back.h"

static bool named_p(tree function, const char *const *names) {
  const char *name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function));
  for (; *names; names++)
    if (!strcmp(name, *names))
      return true;
  return false;
}

/* They end the process without running any exit handler: nothing of the profile is written then, whatever is noted
   before.  Frames need not be kept in memory for their sake, or every assertion would slow its function down.  */
static bool kills_p(tree function) {
  static const char *const names[] = {"abort",      "__assert_fail",  "__assert", "__stack_chk_fail",
                                      "__chk_fail", "__fortify_fail", NULL};
  return named_p(function, names);
}

/* Built-in functions of the compiler that run the program's own code.  */
static bool exits_p(tree function) {
  static const char *const names[] = {"exit",  "_exit",  "_Exit",  "quick_exit", "execl",    "execle", "execlp",
                                      "execv", "execve", "execvp", "execvpe",    "execveat", NULL};
  return named_p(function, names);
}

/* Control leaves the function, for one whose frame is still there.  */
static bool jumps_p(tree function) {
  return fndecl_built_in_p(function, BUILT_IN_LONGJMP) || fndecl_built_in_p(function, BUILT_IN_NONLOCAL_GOTO);
}

static bool api_p(tree function) {
  return startswith(IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function)), "__cilkprof_api_");
}

bool put_in_p(const gimple *statement) {
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
  /* Of a function with this attribute the optimisers know nothing, but it is the one that is called.  */
  bool hidden = lookup_attribute("noipa", DECL_ATTRIBUTES(node->decl)) && decl_binds_to_current_def_p(node->decl);
  return node->definition && !DECL_EXTERNAL(node->decl) && (availability > AVAIL_INTERPOSABLE || hidden) &&
         !lookup_attribute("no_instrument_function", DECL_ATTRIBUTES(node->decl)) && !node->thunk;
}

/* A built-in function that is given one of the program's functions, as those of OpenMP are, runs it.  The loops that
   GCC itself runs in parallel contain no events.  */
static bool calls_back_p(const gimple *call) {
  for (unsigned i = 0; i < gimple_call_num_args(call); i++) {
    tree argument = gimple_call_arg(call, i);
    if (TREE_CODE(argument) != ADDR_EXPR || TREE_CODE(TREE_OPERAND(argument, 0)) != FUNCTION_DECL)
      continue;
    cgraph_node *node = cgraph_node::get(TREE_OPERAND(argument, 0));
    if (!node || !made_later_p(node))
      return true;
  }
  return false;
}

bool callers_cost_p(tree function) {
  return fndecl_built_in_p(function) && !exits_p(function) && !own_function_p(function);
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

/* The C library declares most of its functions leaves in C; in C++ it says of them only that they throw nothing, as it
   does of some others, which run code of the program: another thread's, a library's, that of another context.  The C++
   library says nothing.  Should such a function run code of the program after all, it is found out (quiet.c).  */
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
  if (own_function_p(function) || flags & ECF_RETURNS_TWICE || kills_p(function))
    return CALL_OF_NO_INTEREST;
  if (exits_p(function))
    return CALL_FOREIGN;
  if (fndecl_built_in_p(function))
    return calls_back_p(statement) ? CALL_FOREIGN : CALL_OF_NO_INTEREST;
  if (instrumented_here_p(function))
    return CALL_DIRECT;
  return flags & ECF_LEAF || library_p(function) ? CALL_OF_NO_INTEREST : CALL_FOREIGN;
}

/* A copy of so much memory is a call of memcpy, or as long as one.  */
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
  if (!function || own_function_p(function) || gimple_call_flags(statement) & (ECF_RETURNS_TWICE | ECF_NORETURN))
    return false;
  if (fndecl_built_in_p(function, BUILT_IN_SETJMP_SETUP) || fndecl_built_in_p(function, BUILT_IN_SETJMP_RECEIVER))
    return false; /* a few instructions, before which nothing may come where a jump arrives */
  return classify_call(statement) == CALL_OF_NO_INTEREST &&
         !(fndecl_built_in_p(function) && is_inexpensive_builtin(function));
}

/* Of the functions that the compiler knows only fork is one: others run code of the program too, where memory or
   streams are the program's own, but that is rare, and events around every malloc would be slow.  */
bool quiet_call_p(const gimple *statement) {
  if (calling_back || !is_gimple_call(statement) || gimple_call_internal_p(statement) || !uncounted_p(statement))
    return false;
  tree function = gimple_call_fndecl(statement);
  return fndecl_built_in_p(function) ? gimple_call_builtin_p(statement, BUILT_IN_FORK)
                                     : !(gimple_call_flags(statement) & ECF_CONST);
}

/* Functions that, or whose callees, may leave frames behind: they call what the compiler cannot see, or catch what was
   thrown there.  */
static hash_set<tree> *leaving;

static bool leaves_by_itself_p(function *fun) {
  if (fun->calls_setjmp || fun->has_nonlocal_label)
    return true;
  basic_block block;
  FOR_EACH_BB_FN (block, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
      if (gimple_call_builtin_p(gsi_stmt(at), BUILT_IN_SETJMP_RECEIVER))
        return true;
      marker which = marker_of_call(gsi_stmt(at));
      bool in_registers = which == NO_MARKER || which == MARK_SPAWN || which == MARK_CALLEE || which == MARK_ENTRY ||
                          which == MARK_SYNC;
      call_class kind = classify_call(gsi_stmt(at));
      if (kind == CALL_FOREIGN || kind == CALL_OF_API || quiet_call_p(gsi_stmt(at)) || !in_registers)
        return true;
    }
  return false;
}

static bool calls_leaving_p(function *fun) {
  basic_block block;
  FOR_EACH_BB_FN (block, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at))
      if (classify_call(gsi_stmt(at)) == CALL_DIRECT) {
        cgraph_node *callee = cgraph_node::get(gimple_call_fndecl(gsi_stmt(at)))->ultimate_alias_target();
        function *body = DECL_STRUCT_FUNCTION(callee->decl);
        if (leaving->contains(callee->decl) || !body || !body->cfg)
          return true;
      }
  return false;
}

bool leaves_frames_p(function *fun) {
  return leaving->contains(fun->decl) || leaves_by_itself_p(fun) || calls_leaving_p(fun);
}

void find_functions_that_leave_frames() {
  leaving = new hash_set<tree>;
  for (bool changed = true; changed;) {
    cgraph_node *node;
    changed = false;
    FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node) {
      function *fun = DECL_STRUCT_FUNCTION(node->decl);
      if (!fun || !fun->cfg || node->inlined_to || own_function_p(node->decl) || leaving->contains(node->decl))
        continue;
      if (leaves_by_itself_p(fun) || calls_leaving_p(fun)) {
        leaving->add(node->decl);
        changed = true;
      }
    }
  }
}
