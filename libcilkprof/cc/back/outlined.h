/* Functions that call their events (libcilkprof/engine/control/outline.c).
   SPDX-License-Identifier: GPL-3.0-or-later

   Every event is passed the work of the function since the last event.  Mostly that is a constant: the instructions of
   the block and of the only path to it.  Where paths of different length meet, it is in LOCAL_WORK.  */

#ifndef CILKPROF_CC_OUTLINED_H
#define CILKPROF_CC_OUTLINED_H

#include "instrumenter.h"

/* The work since the last event, at the start or end of a block.  */
struct since_event {
  enum { UNKNOWN, CONSTANT, VARIABLE } kind = UNKNOWN;
  int instructions = 0;

  /* Makes this what is known where a path with this work and one with OTHER meet.  */
  void meet_work_since_event(const since_event &other) {
    if (other.kind == UNKNOWN || kind == VARIABLE)
      return;
    if (kind == UNKNOWN)
      *this = other;
    else if (other.kind == VARIABLE || other.instructions != instructions)
      kind = VARIABLE;
  }

  /* Returns true if the work is not known to be the same.  */
  bool operator!=(const since_event &other) const {
    return kind != other.kind || (kind == CONSTANT && instructions != other.instructions);
  }
};

/* The work of one block.  */
struct block_work {
  since_event at_start;
  int counted = 0;             /* instructions after its last event, or in the whole block */
  gcall *first_event = NULL;   /* the first event that is passed the work since the last one, */
  unsigned first_argument = 0; /* the position of that argument, */
  int before_first = 0;        /* and how much of the work was done in this block */
  bool has_event = false;
};

class outlined_instrumenter : public instrumenter {
public:
  explicit outlined_instrumenter(function *f);

private:
  tree so_far = NULL_TREE; /* variable: the work of a bare function before timing last began */
  bool frame_needed;       /* some event is passed the frame */
  hash_map<basic_block, block_work> works;
  hash_set<basic_block> timed_headers;
  hash_map<class loop *, tree> loop_points; /* the timing points of serial loops */
  tree calling_loop = NULL_TREE;            /* variable: the state of the serial loop with two bodies that is open */
  block_work *here = NULL;                  /* of the current block */
  bool timing;                              /* timing of the strand began in this block */
  /* Events of calls, with their sites and the shorter events for sites that store the work before the call.  */
  struct call_event {
    gcall *made;
    tree site;
    engine_function shorter;
  };
  auto_vec<call_event> calls;
  hash_map<gimple *, tree> lock_sites; /* by the markers of their beginnings, already replaced */
  int before_lock = 0;                 /* COUNTED at the start of the current small lock */

  void instrument_bare_return(gimple_stmt_iterator *at);
  bool leaves_to_any_caller_p();
  gcall *build_outlined_frame_key(tree into);
  tree build_outlined_return_address(gimple_seq *get);
  /* Returns a statement that adds INSTRUCTIONS to the variable with the work since the last event.  */
  gassign *build_outlined_work_addition(int instructions) {
    return gimple_build_assign(local_work, PLUS_EXPR, local_work, build_int_cst(u64, instructions));
  }
  bool instrument_counted_call(gimple_stmt_iterator *at, bool spawned);
  void instrument_leaf_call(gimple_stmt_iterator *at);
  void insert_outlined_top_update(gimple_stmt_iterator *at);
  tree serial_loop_point(class loop *loop);
  gimple *build_serial_loop_begin(gimple_stmt_iterator *at);
  gimple *build_serial_loop_end(gimple_stmt_iterator *at);
  gimple *build_counted_left(gimple *mark);
  tree calling_loop_address();
  void start_timing_at_loop_entries();
  void find_frame_around_loop(edge e);
  void instrument_entry();
  void clear_timing_at_entry();

  /* outlined-locks.cc */
  gimple *begin_small_lock_event(gimple_stmt_iterator *at);
  gimple *end_small_lock_event(gimple_stmt_iterator *at);

  /* outlined-work.cc */
  gcall *build_outlined_event(gimple_stmt_iterator *at, engine_function which, std::initializer_list<tree> arguments);
  gcall *build_bare_event(enum event inlined, engine_function called, std::initializer_list<tree> arguments);
  gcall *build_outlined_work_so_far(tree work);
  gcall *note_outlined_work_argument(gcall *made, unsigned argument);
  tree work_since_event(gimple_stmt_iterator *at);
  since_event outlined_work_at_block_end(basic_block bb);
  void find_outlined_work_at_block_starts(const vec<basic_block> &blocks);
  void complete_first_event_work(const block_work &work);
  void store_outlined_work_at_block_end(basic_block bb, const block_work &work);
  void clear_outlined_work_at_entry();
  void shorten_call_events();

  gimple *event_replacing_marker(gimple_stmt_iterator *at, marker which) final override;
  bool instrument_task_call(gimple_stmt_iterator *at);
  bool instrument_call(gimple_stmt_iterator *at, call_class kind, call_form form) final override;
  void instrument_shared_loop(gimple_stmt_iterator *at) final override;
  void start_timing_before(gimple_stmt_iterator *at) final override;
  bool instrument_charged_call(gimple_stmt_iterator *at) final override;
  void instrument_api_call(gimple_stmt_iterator *at) final override;
  bool instrument_setjmp(gimple_stmt_iterator *at) final override;
  void instrument_return_statement(gimple_stmt_iterator *at) final override;

  /* Returns true if a call soon after the start of BB has an event that serves for the landing pad as well.  */
  bool resumes_by_later_event_p(basic_block bb) final override {
    return plan.followed.pads_by_call.contains(bb);
  }
  void build_resume_event(gimple_seq *statements, basic_block bb) final override;
  void begin_instrumenting_block(basic_block bb) final override;
  void finish_instrumenting_block(basic_block bb) final override;
  unsigned finish_instrumentation(const vec<basic_block> &blocks) final override;
};

#endif
