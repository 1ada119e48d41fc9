/* The bare program: a copy without events of every instrumented function, in the same executable.
   SPDX-License-Identifier: GPL-3.0-or-later

   Events disturb what they measure, and the disturbed run itself does not show by how much.  So cilkprof-run also makes
   a reference run without events.  The copies for it are made after inlining, lose their markers, and are optimised as
   with -fcilkplus alone.  They call each other directly.  A function that other code may call first checks a variable
   of its executable or library, and continues in its copy if that variable is set.

   A function that cannot be copied is instrumented in both runs.  So are its callees, unless they check, too.  */

#include "back.h"
#include "diagnostic.h"

static const char suffix[] = "bare";

static hash_map<tree, tree> copies;       /* by their originals */
static hash_map<tree, tree> originals_of; /* by their copies */
static hash_map<tree, tree> called_as;    /* copies, and the name by which all calls of them called the original */
static hash_set<tree> entered_counted;    /* originals whose copies counted code enters */
static hash_set<tree> must_check;         /* functions whose callers may be instrumented in the bare program as well */

/* Returns true if functions get bare copies for a reference run: not in count mode, for parallel runs, with callbacks,
   or with -fcilkprof-no-reference.  */
bool bare_copies_wanted_p() {
  return mode != MEASURE_COUNT && !all_workers && !calling_back && !no_reference;
}

/* Returns true if TEXT, the code of an asm statement, seems to define a symbol by a label, .set or .equ.  Numeric
   labels do not count, since an assembler file may have several of the same number.  */
static bool asm_defines_label_in_bare_copy_p(const char *text) {
  for (const char *colon = strchr(text, ':'); colon; colon = strchr(colon + 1, ':')) {
    const char *start = colon;
    while (start > text && (ISIDNUM(start[-1]) || start[-1] == '.' || start[-1] == '$'))
      start--;
    if (start < colon && strspn(start, "0123456789") < (size_t)(colon - start))
      return true;
  }
  return strstr(text, ".set") || strstr(text, ".equ");
}

/* Returns true if an asm statement in FUN defines symbols.  A copy of FUN would define them twice.  */
static bool asms_define_symbols_in_bare_copy_p(function *fun) {
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
      if (gasm *statement = dyn_cast<gasm *>(gsi_stmt(at)))
        if (asm_defines_label_in_bare_copy_p(gimple_asm_string(statement)))
          return true;
  return false;
}

/* Returns true if the function of NODE is instrumented, has a body of its own, and can have a bare copy.  */
static bool bare_copy_possible_p(cgraph_node *node) {
  function *fun = DECL_STRUCT_FUNCTION(node->decl);
  return fun && fun->cfg && !node->inlined_to && !node->alias && !node->thunk && instrumented_function_p(node->decl) &&
         !range_body_p(node->decl) && !copy_forbidden(fun) && !asms_define_symbols_in_bare_copy_p(fun);
}

/* Makes COPY, the bare copy of a function that several units may have, as templates, one that the linker keeps once,
   like the function itself.  All units give it the same name.  */
static void share_bare_copy(cgraph_node *copy) {
  tree decl = copy->decl;
  make_decl_one_only(decl, DECL_ASSEMBLER_NAME(decl));
  DECL_COMDAT(decl) = 1;
  DECL_VISIBILITY(decl) = VISIBILITY_HIDDEN;
  DECL_VISIBILITY_SPECIFIED(decl) = 1;
  copy->local = false;
  copy->externally_visible = true;
}

/* Returns a copy of ORIGINAL whose name ends with ENDING, or NULL if GCC makes none.  The attribute "noclone" is
   ignored, because it is meant for the optimisers, which know nothing of this copy.  */
cgraph_node *copy_despite_noclone(cgraph_node *original, const char *ending) {
  tree attributes = DECL_ATTRIBUTES(original->decl);
  DECL_ATTRIBUTES(original->decl) = remove_attribute("noclone", copy_list(attributes));
  cgraph_node *copy = original->create_version_clone_with_body(vNULL, NULL, NULL, NULL, NULL, ending);
  DECL_ATTRIBUTES(original->decl) = attributes;
  return copy;
}

/* Makes a copy of ORIGINAL and marks it as bare.  Returns its declaration, or NULL_TREE if GCC makes none.  */
static tree make_bare_copy(cgraph_node *original) {
  cgraph_node *copy = copy_despite_noclone(original, suffix);
  if (!copy)
    return NULL_TREE;
  for (const char *name : {BARE_ATTRIBUTE, "no_instrument_function", "noclone"})
    DECL_ATTRIBUTES(copy->decl) = tree_cons(get_identifier(name), NULL_TREE, DECL_ATTRIBUTES(copy->decl));
  DECL_NAME(copy->decl) = DECL_NAME(original->decl);
  if (original->get_comdat_group())
    share_bare_copy(copy);
  return copy->decl;
}

/* Returns the bare copy of FUNCTION, or NULL_TREE if there is none.  */
tree bare_copy_of(tree function) {
  tree *copy = copies.get(function);
  return copy ? *copy : NULL_TREE;
}

/* Returns the function of which FUNCTION is the bare copy, or NULL_TREE if it is none.  */
tree original_of_bare_copy(tree function) {
  tree *original = originals_of.get(function);
  return original ? *original : NULL_TREE;
}

/* Lets counted code call the bare copy of FUNCTION instead of FUNCTION itself.  */
void let_counted_code_enter_copy(tree function) {
  entered_counted.add(function);
}

/* Returns true if counted code calls the bare copy of FUNCTION, and not FUNCTION itself.  */
bool counted_code_enters_copy_p(tree function) {
  return entered_counted.contains(function);
}

/* Returns the bare copy to call instead of FUNCTION, or NULL_TREE if there is none or FUNCTION may be interposed.  */
static tree bare_copy_to_call(tree function) {
  availability available = AVAIL_NOT_AVAILABLE;
  cgraph_node *node = cgraph_node::get(function);
  node = node ? node->ultimate_alias_target(&available) : NULL;
  tree *copy = node && available > AVAIL_INTERPOSABLE ? copies.get(node->decl) : NULL;
  return copy ? *copy : NULL_TREE;
}

/* Notes that COPY, a bare copy, is called in place of CALLEE, its original or an alias of that.  */
static void note_bare_copy_called_as(tree copy, tree callee) {
  bool known;
  tree &name = called_as.get_or_insert(copy, &known);
  name = known && name != callee ? original_of_bare_copy(copy) : callee;
}

/* Returns what is called where COPY, a bare copy, is called in place of it: the original, or an alias if all calls of
   the unit use that.  Constructors of C++ have aliases.  NULL_TREE: COPY is no bare copy.  */
tree called_by_bare_copy_call(tree copy) {
  tree *name = called_as.get(copy);
  return name ? *name : original_of_bare_copy(copy);
}

/* Returns the call that takes the place of MARK, a marker, in a bare copy: threads of a team of OpenMP wait for each
   other without events, too.  NULL: nothing does.  */
static gcall *call_in_place_of_marker(gimple *mark) {
  tree number = long_unsigned_type_node;
  switch (marker_of_call(mark)) {
  case MARK_TASKWAIT: {
    if (integer_zerop(gimple_call_arg(mark, 0)))
      return NULL;
    tree type = build_function_type_list(void_type_node, number, NULL_TREE);
    return gimple_build_call(build_fn_decl("__cilkprof_bare_wait", type), 1, gimple_call_arg(mark, 0));
  }
  case MARK_TEAM_RUN: {
    tree type = build_function_type_list(void_type_node, ptr_type_node, ptr_type_node, number, NULL_TREE);
    return gimple_build_call(build_fn_decl("__cilkprof_bare_team_run", type), 3, gimple_call_arg(mark, 1),
                             gimple_call_arg(mark, 2), gimple_call_arg(mark, 3));
  }
  default:
    return NULL;
  }
}

/* Removes the marker at AT from a bare copy, and moves AT to the next statement.  A marker with a result only passes on
   its argument, so it becomes an assignment.  */
static void remove_marker_from_copy(gimple_stmt_iterator *at) {
  gimple *mark = gsi_stmt(*at);
  tree result = gimple_call_lhs(mark);
  if (gcall *call = call_in_place_of_marker(mark)) {
    gimple_set_location(call, gimple_location(mark));
    gimple_move_vops(call, mark);
    gsi_replace(at, call, false);
    gsi_next(at);
    return;
  }
  unlink_stmt_vdef(mark);
  if (result) {
    gsi_replace(at, gimple_build_assign(result, gimple_call_arg(mark, 0)), false);
    gsi_next(at);
    return;
  }
  gsi_remove(at, true);
  release_defs(mark);
}

/* Removes all markers from BB, a block that runs without events, and makes it call the bare copies of its callees.  If
   it may be COUNTED, it goes on calling functions that must be followed, because they may spawn.  */
void strip_bare_block(basic_block bb, bool counted) {
  for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at);) {
    gcall *call = dyn_cast<gcall *>(gsi_stmt(at));
    if (call && marker_of_call(call) != NO_MARKER) {
      remove_marker_from_copy(&at);
      continue;
    }
    tree callee = call ? gimple_call_fndecl(call) : NULL_TREE, copy = callee ? bare_copy_to_call(callee) : NULL_TREE;
    if (copy && (!counted || counted_code_enters_copy_p(original_of_bare_copy(copy)))) {
      gimple_call_set_fndecl(call, copy);
      note_bare_copy_called_as(copy, callee);
      update_stmt(call);
    }
    gsi_next(&at);
  }
}

/* Removes all markers from FUN, a bare copy that is the current function, and makes it call the bare copies of its
   callees.  */
static void strip_bare_copy(function *fun) {
  basic_block bb;
  bool counted = counted_code_enters_copy_p(original_of_bare_copy(fun->decl));
  FOR_EACH_BB_FN (bb, fun)
    strip_bare_block(bb, counted);
  cgraph_edge::rebuild_edges();
}

/* Returns true if FUNCTION can pass all its parameters on to its bare copy: it has no variable arguments and no static
   chain, and does not return twice.  */
bool can_call_bare_copy_p(tree function) {
  return !stdarg_p(TREE_TYPE(function)) && !DECL_STATIC_CHAIN(function) &&
         !(flags_from_decl_or_type(function) & ECF_RETURNS_TWICE);
}

/* Returns true if the function of NODE is instrumented in the bare program as well, because it has no bare copy, or
   other code may enter it and it cannot call its copy.  */
bool stays_instrumented_p(cgraph_node *node) {
  return bare_copies_wanted_p() &&
         (!copies.get(node->decl) || (enterable_by_uninstrumented_code_p(node) && !can_call_bare_copy_p(node->decl)));
}

/* Finds the callees of functions that stay instrumented in the bare program.  They are called in their instrumented
   versions, so they must check for their bare copies.  */
void find_callees_needing_bare_check() {
  cgraph_node *node;
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node)
    if (!node->inlined_to && instrumented_function_p(node->decl) && stays_instrumented_p(node))
      for (cgraph_edge *call = node->callees; call; call = call->next_callee)
        must_check.add(call->callee->ultimate_alias_target()->decl);
}

/* Makes a bare copy of every instrumented function of the unit that can have one.  They are like their originals until
   strip_bare_copies.  */
void make_bare_copies() {
  auto_vec<cgraph_node *> originals;
  cgraph_node *node;
  if (!bare_copies_wanted_p())
    return;
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node)
    if (bare_copy_possible_p(node))
      originals.safe_push(node);
  for (cgraph_node *original : originals)
    if (tree copy = make_bare_copy(original)) {
      copies.put(original->decl, copy);
      originals_of.put(copy, original->decl);
    }
}

/* Makes all bare copies of the unit what they are called: removes their markers, and lets them call each other.  */
void strip_bare_copies() {
  cgraph_node *node;
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node) {
    if (!originals_of.get(node->decl))
      continue;
    push_cfun(DECL_STRUCT_FUNCTION(node->decl));
    current_function_decl = node->decl;
    strip_bare_copy(cfun);
    pop_cfun();
    current_function_decl = NULL_TREE;
  }
}

/* Returns true if the function of NODE begins with a check whether it continues in its bare copy: in a reference run,
   or where calls of it are counted.  */
bool checks_for_bare_copy_p(cgraph_node *node) {
  return copies.get(node->decl) && can_call_bare_copy_p(node->decl) &&
         (enterable_by_uninstrumented_code_p(node) || must_check.contains(node->decl) ||
          counted_code_enters_copy_p(node->decl));
}

/* Suppresses warnings for copies, as GCC gives them for the original.  */
static bool inhibited_before;

/* Suppresses warnings if the current function is a bare copy, as GCC gives them for the original.  It is called before
   the passes over a function.  */
void silence_bare_copy_warnings(void *, void *) {
  inhibited_before = gcc_warnings_inhibited();
  if (current_function_decl && bare_copy_p(current_function_decl))
    gcc_warnings_inhibited() = true;
}

/* Lets warnings be given again as before silence_bare_copy_warnings.  It is called after the passes over a
   function.  */
void restore_warnings_after_bare_copy(void *, void *) {
  gcc_warnings_inhibited() = inhibited_before;
}
