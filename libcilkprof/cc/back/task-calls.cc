/* OpenMP tasks that consist of one call.
   SPDX-License-Identifier: GPL-3.0-or-later

   Most tasks have the form x = f (a, b).  Such a task is measured like a spawned call in Cilk, which costs a fraction
   of a block: evaluating the arguments and storing the result count as work of the task's creator.  */

#include "back.h"
#include "marked-part.h"

/* Returns true if MARK is the marker of an OpenMP task construct that has no dependences to wait for.  */
static bool task_marker_without_depend_p(const gimple *mark) {
  const char *name = c_getstr(gimple_call_arg(mark, 0));
  return name && startswith(name, "omp task ") && integer_zerop(gimple_call_arg(mark, 3));
}

/* Returns true if the task call that MARK announces is never executed at once, nor final, whatever the run.  */
bool task_marker_always_deferred_p(const gimple *mark) {
  tree deferred = gimple_call_arg(mark, 0), flags = gimple_call_arg(mark, 1);
  return integer_nonzerop(deferred) && TREE_CODE(flags) == INTEGER_CST &&
         !(tree_to_uhwi(flags) & __CILKPROF_TASK_FINAL);
}

/* Returns true if STATEMENT does next to nothing, so that it may stand beside the call that a task is.  */
static bool small_statement_beside_task_marker_p(const gimple *statement) {
  switch (gimple_code(statement)) {
  case GIMPLE_ASSIGN:
    return gimple_clobber_p(statement) || is_gimple_reg_type(TREE_TYPE(gimple_assign_lhs(statement)));
  case GIMPLE_DEBUG:
  case GIMPLE_NOP:
  case GIMPLE_PREDICT:
  case GIMPLE_COND:
  case GIMPLE_LABEL:
    return true;
  default:
    return false;
  }
}

/* The code between the marker of a task and its end.  It must be one call of an instrumented function, preceded at most
   by the computation of its arguments, which may have conditions.  */
class task_part : public marked_part {
public:
  /* Begins a visit of the code of the task whose marker is MARK, to find out whether it is a single call.  */
  explicit task_part(gimple *mark) : marked_part(mark) {
    is_call = follow_marked_part(mark) && call && others <= MOST;
  }

  bool is_call;
  gimple *call = NULL, *end = NULL;

private:
  int others = 0; /* statements except the call */

  /* Visits statements up to the end marker after the call, or up to the end of the block.  */
  bool follow_marked_part_statements(gimple_stmt_iterator at) override {
    basic_block bb = gsi_bb(at);
    bool called = false;
    for (; !gsi_end_p(at); gsi_next(&at)) {
      gimple *statement = gsi_stmt(at);
      if (marker_of_call(statement) == MARK_BLOCK_END) {
        end = statement;
        return called;
      }
      if (marker_of_call(statement) == NO_MARKER && classify_call_for_events(statement) == CALL_DIRECT) {
        if (call || !gimple_vdef(statement))
          return false;
        call = statement;
        called = true;
      } else if (!small_statement_beside_task_marker_p(statement))
        return false;
      else
        others += is_gimple_assign(statement) && !gimple_clobber_p(statement);
    }
    return !called && follow_marked_part_successors(bb, EDGE_COMPLEX | EDGE_DFS_BACK);
  }
};

/* Returns a new declaration of the function of the marker WHICH, of this function TYPE, for calls that are tasks.  */
static tree declare_task_call_marker(marker which, tree type) {
  tree function = build_fn_decl(marker_name(which), type);
  TREE_NOTHROW(function) = 1;
  DECL_IGNORED_P(function) = 1;
  DECL_ATTRIBUTES(function) = tree_cons(get_identifier("leaf"), NULL_TREE, NULL_TREE);
  return function;
}

/* Replaces the marker OLD by MADE, another one, at the same place.  */
static void replace_task_marker(gimple *old, gcall *made) {
  gimple_stmt_iterator at = gsi_for_stmt(old);
  gimple_set_location(made, gimple_location(old));
  gimple_move_vops(made, old);
  gsi_replace(&at, made, false);
}

/* Builds the marker which says that the next call is a task, with the flags of MARK, the marker of that task.  */
static gcall *build_task_call_marker(const gimple *mark) {
  tree number = long_unsigned_type_node, type = build_function_type_list(void_type_node, number, number, NULL_TREE);
  gcall *made = gimple_build_call(declare_task_call_marker(MARK_TASK_CALL, type), 2, gimple_call_arg(mark, 1),
                                  gimple_call_arg(mark, 2));
  gimple_set_location(made, gimple_location(mark));
  return made;
}

/* Builds a marker without arguments, of which no event becomes.  */
static gcall *build_entry_marker() {
  return gimple_build_call(declare_task_call_marker(MARK_ENTRY, build_function_type_list(void_type_node, NULL_TREE)),
                           0);
}

/* Inserts the marker MADE right before CALL, and connects their virtual operands.  */
static void insert_marker_before_call(gimple *call, gcall *made) {
  gimple_stmt_iterator at = gsi_for_stmt(call);
  tree between = make_ssa_name(gimple_vop(cfun), made);
  gimple_set_vuse(made, gimple_vuse(call));
  gimple_set_vdef(made, between);
  gimple_set_vuse(call, between);
  gsi_insert_before(&at, made, GSI_SAME_STMT);
  update_stmt(call);
}

/* Removes MARK, the marker of a task that is a call.  */
static void remove_task_marker(gimple *mark) {
  gimple_stmt_iterator at = gsi_for_stmt(mark);
  unlink_stmt_vdef(mark);
  gsi_remove(&at, true);
  release_defs(mark);
}

/* Marks the calls in FUN, the current function, that are OpenMP tasks by themselves, instead of the tasks.  Returns
   true if there were any.  Replaces the end marker by another marker, since a call with nothing after it would become a
   tail call or a loop.  */
static bool replace_task_call_markers(function *fun) {
  basic_block bb;
  auto_vec<gimple *> marks;
  bool changed = false;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
      if (marker_of_call(gsi_stmt(at)) == MARK_TASK && task_marker_without_depend_p(gsi_stmt(at)))
        marks.safe_push(gsi_stmt(at));
  if (!marks.is_empty())
    mark_dfs_back_edges();
  for (gimple *mark : marks) {
    task_part part(mark);
    if (!part.is_call)
      continue;
    insert_marker_before_call(part.call, build_task_call_marker(mark));
    remove_task_marker(mark);
    replace_task_marker(part.end, build_entry_marker());
    changed = true;
  }
  return changed;
}

/* Finds OpenMP tasks that are one call, in all instrumented functions of the unit, and marks these calls.  */
void replace_task_call_markers_in_unit() {
  cgraph_node *node;
  if (!flag_openmp)
    return;
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node) {
    function *fun = DECL_STRUCT_FUNCTION(node->decl);
    if (!fun || !fun->cfg || node->inlined_to || !instrumented_function_p(node->decl))
      continue;
    push_cfun(fun);
    current_function_decl = node->decl;
    if (replace_task_call_markers(fun))
      cgraph_edge::rebuild_edges();
    pop_cfun();
    current_function_decl = NULL_TREE;
  }
}
