/* OpenMP locks that are held for a few instructions only: atomic operations and short critical sections.
   SPDX-License-Identifier: GPL-3.0-or-later

   The code under such a lock has no events, so it is measured like a leaf: it is counted, and has one event at its end.
   An atomic operation for which the processor has no instruction becomes a loop that retries until no other thread
   interferes.  Such a loop is not timed.  */

#include "plan.h"
#include "marked-part.h"
#include "internal-fn.h"

/* Returns true if STATEMENT is an atomic operation that the compiler knows.  */
static bool atomic_operation_without_event_p(const gimple *statement) {
  if (!is_gimple_call(statement))
    return false;
  if (gimple_call_internal_p(statement))
    return startswith(internal_fn_name(gimple_call_internal_fn(statement)), "ATOMIC_");
  tree function = gimple_call_fndecl(statement);
  if (!function || !fndecl_built_in_p(function, BUILT_IN_NORMAL))
    return false;
  const char *name = IDENTIFIER_POINTER(DECL_NAME(function));
  return startswith(name, "__atomic_") || startswith(name, "__sync_");
}

/* Returns true if ATOMIC, an atomic operation, only loads.  */
static bool atomic_load_without_event_p(const gimple *atomic) {
  return !gimple_call_internal_p(atomic) &&
         startswith(IDENTIFIER_POINTER(DECL_NAME(gimple_call_fndecl(atomic))), "__atomic_load");
}

/* Returns true if LOOP has an atomic operation, which it is then taken to retry until no other thread interferes.  */
static bool loop_retries_atomic_without_event_p(class loop *loop) {
  basic_block *blocks = get_loop_body(loop);
  bool found = false;
  for (unsigned i = 0; i < loop->num_nodes && !found; i++)
    for (gimple_stmt_iterator at = gsi_start_bb(blocks[i]); !gsi_end_p(at) && !found; gsi_next(&at))
      found = atomic_operation_without_event_p(gsi_stmt(at));
  free(blocks);
  return found;
}

/* The code between the marker of a lock and the markers of its end.  */
class locked_part : public marked_part {
public:
  /* Begins a visit of the code under the lock whose marker is MARK.  */
  explicit locked_part(gimple *mark) : marked_part(mark) {
    is_small = follow_marked_part(mark);
  }

  bool is_small;
  auto_vec<gimple *> ends, atomics;

private:
  /* Returns false where something needs an event or more than a few instructions; notes the ends, and atomic
     operations.  */
  bool follow_marked_part_statements(gimple_stmt_iterator at) override {
    basic_block bb = gsi_bb(at);
    for (; !gsi_end_p(at); gsi_next(&at)) {
      gimple *statement = gsi_stmt(at);
      if (marker_of_call(statement) == MARK_BLOCK_END) {
        ends.safe_push(statement);
        return true;
      }
      if (marker_without_event_p(statement) || statement_gets_event_p(statement) || charged_call_event_p(statement) ||
          gimple_code(statement) == GIMPLE_RETURN || gimple_code(statement) == GIMPLE_ASM)
        return false;
      if (atomic_operation_without_event_p(statement))
        atomics.safe_push(statement);
      else if (runs_uncounted_code_p(statement))
        return false;
    }
    return follow_marked_part_successors(bb, EDGE_ABNORMAL | EDGE_EH);
  }

  /* Refuses blocks of loops, other than a loop that retries an atomic operation.  */
  bool enter_marked_part_block(basic_block bb) override {
    class loop *loop = bb->loop_father;
    bool repeated = loop != first->loop_father && flow_loop_nested_p(first->loop_father, loop);
    return (!repeated || loop_retries_atomic_without_event_p(loop)) && marked_part::enter_marked_part_block(bb);
  }
};

/* Returns true if A and B, markers of locks, are copies of one marker in the program's source, whose path GCC has
   duplicated.  */
static bool same_lock_without_event_p(const gimple *a, const gimple *b) {
  return gimple_location(a) == gimple_location(b) && operand_equal_p(gimple_call_arg(a, 0), gimple_call_arg(b, 0));
}

/* Notes in FOUND that what UNDER follows, from the marker MARK of a lock on, has no event.  */
static void note_lock_without_event(gimple *mark, const locked_part &under, small_locks *found) {
  found->begins.put(mark, under.blocks.is_empty() ? under.ends[0] : NULL);
  for (gimple *end : under.ends)
    found->ends.put(end, mark);
  for (gimple *atomic : under.atomics) {
    found->atomics.add(atomic);
    if (!atomic_load_without_event_p(atomic))
      found->updates.add(atomic);
  }
  for (basic_block inside : under.blocks)
    if (inside->loop_father != gimple_bb(mark)->loop_father)
      found->retrying.add(inside);
}

/* Finds the OpenMP locks of FUN that are held without any event, and what is done under them, and adds them to FOUND.
   A lock of which GCC has made several copies has events in all of them or in none: the engine counts them as one, and
   must see which invocation is inside of another.  */
void find_locks_without_events(function *fun, small_locks *found) {
  auto_vec<gimple *> small, large;
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
      if (marker_of_call(gsi_stmt(at)) == MARK_LOCK)
        (locked_part(gsi_stmt(at)).is_small ? small : large).safe_push(gsi_stmt(at));
  for (gimple *mark : small) {
    bool has_large_copy = false;
    for (const gimple *other : large)
      has_large_copy |= same_lock_without_event_p(mark, other);
    if (!has_large_copy)
      note_lock_without_event(mark, locked_part(mark), found);
  }
}
