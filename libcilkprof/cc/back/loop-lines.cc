/* Loop lines: where the serial loops of a unit are.  The report finds in which loop a sample is.
   SPDX-License-Identifier: GPL-3.0-or-later

   A loop that does not fork has no events where only forks have some, but whoever wants to make the program parallel
   changes a loop.  So the unit says where its loops are, also those of functions that were inlined everywhere.  */

#define INCLUDE_STRING
#include "slots.h"

/* Returns the last line in FILE of what LOOP has that was written as deep in inlined functions as its HEAD.  */
static int last_line_of_loop(class loop *loop, const gimple *head, const char *file) {
  int depth = inlining_depth_of_site_statement(head), last = 0;
  basic_block *blocks = get_loop_body(loop);
  for (unsigned i = 0; i < loop->num_nodes; i++)
    for (gimple_stmt_iterator at = gsi_start_bb(blocks[i]); !gsi_end_p(at); gsi_next(&at)) {
      expanded_location place = expand_location(location_at_inlining_depth(gsi_stmt(at), depth));
      if (place.file && !strcmp(place.file, file))
        last = MAX(last, place.line);
    }
  free(blocks);
  return last;
}

/* Describes LOOP, of FUN, unless it is a library's.  It forks if it has parallel parts.  */
static void describe_loop_lines(class loop *loop, function *fun) {
  gimple *head = statement_at_serial_loop_head(loop);
  if (!head || in_system_header_at(gimple_location(head)))
    return;
  tree inlined = innermost_inlined_function(head), written_in = inlined ? inlined : fun->decl;
  if (TREE_CODE(written_in) != FUNCTION_DECL)
    return;
  unsigned local = record_declared_static_p(written_in) ? CILKPROF_SITE_CALLER_LOCAL : 0,
           forks = serial_loop_p(loop) ? 0 : CILKPROF_SITE_FORKS;
  site_facts facts = {CILKPROF_LOOP_LINES,
                      local | forks,
                      expand_location(gimple_location(head)),
                      original_site_symbol(written_in),
                      "",
                      record_source_file_of_function(written_in)};
  facts.where.column = last_line_of_loop(loop, head, facts.where.file);
  if (facts.where.column >= facts.where.line)
    describe_in_unit(facts);
}

/* Describes where the serial loops of FUN are.  */
static void describe_loops_of_function(function *fun) {
  basic_block bb;
  push_cfun(fun);
  current_function_decl = fun->decl;
  loop_optimizer_init(AVOID_CFG_MODIFICATIONS);
  FOR_EACH_BB_FN (bb, fun)
    if (bb->loop_father && bb->loop_father->num && bb->loop_father->header == bb)
      describe_loop_lines(bb->loop_father, fun);
  loop_optimizer_finalize();
  pop_cfun();
  current_function_decl = NULL_TREE;
}

/* Describes where the serial loops of the unit are, when all is inlined.  */
void describe_loop_lines_of_unit() {
  cgraph_node *node;
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node) {
    function *fun = DECL_STRUCT_FUNCTION(node->decl);
    if (fun && fun->cfg && !node->inlined_to && instrumented_function_p(node->decl) && !bare_copy_p(node->decl))
      describe_loops_of_function(fun);
  }
}
