/* Functions that call their events (libcilkprof/engine/control/outline.c).
   SPDX-License-Identifier: GPL-3.0-or-later

   An event is told what the function did since the last one.  That is mostly a constant: the instructions in its block,
   and those on the only way to it.  Where ways of different length meet, LOCAL_WORK holds what it is.  */

#ifndef CILKPROF_CC_OUTLINED_H
#define CILKPROF_CC_OUTLINED_H

#include "instrumenter.h"

/* What was done since the last event, at the beginning or the end of a block.  */
struct since_event {
  enum { UNKNOWN, CONSTANT, VARIABLE } kind = UNKNOWN;
  int instructions = 0;

  void meet(const since_event &other) {
    if (other.kind == UNKNOWN || kind == VARIABLE)
      return;
    if (kind == UNKNOWN)
      *this = other;
    else if (other.kind == VARIABLE || other.instructions != instructions)
      kind = VARIABLE;
  }
  bool operator!=(const since_event &other) const {
    return kind != other.kind || (kind == CONSTANT && instructions != other.instructions);
  }
};

/* The work of one block.  */
struct block_work {
  since_event at_start;
  int counted = 0;             /* behind its last event, or in all of it */
  gcall *first_event = NULL;   /* that is told, as its argument FIRST_ARGUMENT, */
  unsigned first_argument = 0; /* what was done since the event before it, */
  int before_first = 0;        /* so much of that in this block */
  bool has_event = false;
};

class outlined_instrumenter : public instrumenter {
public:
  explicit outlined_instrumenter(function *f);

private:
  tree so_far = NULL_TREE; /* what a bare function did before the last place where a strand began to be timed */
  bool named;              /* something needs to know its frame */
  hash_map<basic_block, block_work> works;
  hash_set<basic_block> timed_headers;
  block_work *here = NULL; /* of the block that is being instrumented */
  bool timing;             /* the strand has begun to be timed in this block */
  /* Events of calls: their sites, and their names where the site knows what was done before.  */
  struct call_event {
    gcall *made;
    tree site;
    engine_function shorter;
  };
  auto_vec<call_event> calls;
  hash_map<gimple *, tree> lock_sites; /* by the markers of their beginnings, which are gone */
  int before_lock = 0;                 /* COUNTED, where the lock began that is like a leaf */

  gcall *event(gimple_stmt_iterator *at, engine_function which, std::initializer_list<tree> arguments);
  gcall *bare_event(enum event inlined, engine_function called, std::initializer_list<tree> arguments);
  gcall *bring_up_to_date(tree work);
  void returning_bare(gimple_stmt_iterator *at);
  gcall *told(gcall *made, unsigned argument);
  tree work_since_event(gimple_stmt_iterator *at);
  gcall *get_key(tree into);
  tree return_address(gimple_seq *get);
  gassign *add_to_work(int instructions) {
    return gimple_build_assign(local_work, PLUS_EXPR, local_work, build_int_cst(u64, instructions));
  }
  void shorten_calls();
  void leaf_call(gimple_stmt_iterator *at);
  void tell_top(gimple_stmt_iterator *at);
  void time_loops();
  void enter();
  void enter_bare();

  /* outlined-locks.cc */
  gimple *small_lock(gimple_stmt_iterator *at);
  gimple *small_lock_end(gimple_stmt_iterator *at);

  /* outlined-work.cc */
  since_event end_of(basic_block bb);
  void find_starts(const vec<basic_block> &blocks);
  void tell_first_event(const block_work &work);
  void store_at_end(basic_block bb, const block_work &work);
  void start_work();

  gimple *marker_event(gimple_stmt_iterator *at, marker which) final override;
  bool task_call(gimple_stmt_iterator *at);
  bool call(gimple_stmt_iterator *at, call_class kind, call_form form) final override;
  void start_timing_at(gimple_stmt_iterator *at) final override;
  bool quiet_call(gimple_stmt_iterator *at) final override;
  void api_call(gimple_stmt_iterator *at) final override;
  bool set_jump(gimple_stmt_iterator *at) final override;
  void returning(gimple_stmt_iterator *at) final override;
  bool resumes_later_p(basic_block bb) final override {
    return plan.followed.pads_by_call.contains(bb);
  }
  void resume(gimple_seq *statements, basic_block bb) final override;
  void start_block(basic_block bb) final override;
  void end_block(basic_block bb) final override;
  unsigned finish(const vec<basic_block> &blocks) final override;
};

#endif
