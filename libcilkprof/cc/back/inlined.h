/* Functions in which events are inlined.
   SPDX-License-Identifier: GPL-3.0-or-later

   LOCAL_WORK is updated before every event that ends a strand.  */

#ifndef CILKPROF_CC_INLINED_H
#define CILKPROF_CC_INLINED_H

#include "instrumenter.h"

class inlined_instrumenter : public instrumenter {
public:
  explicit inlined_instrumenter(function *f);

private:
  tree before_loop = NULL_TREE;        /* variable: the local work before the serial loop that is running */
  auto_vec<basic_block> short_returns; /* blocks with a return and little else */

  tree build_inlined_work_reference();
  gcall *build_engine_call_returning_work(engine_function which, std::initializer_list<tree> arguments);
  gcall *build_block_begin_event(tree site, tree kind);
  gcall *build_linked_entry_event(edge e);
  gimple *begin_serial_loop(gimple_stmt_iterator *at);
  gimple *build_serial_loop_end(gimple_stmt_iterator *at);
  void instrument_entry();

  /* inlined-work.cc */
  void insert_inlined_work_addition(gimple_stmt_iterator *at);
  gcall *build_inlined_timer_boundary();
  void end_inlined_strand(gimple_stmt_iterator *at);
  void end_strand_before_return(gimple_stmt_iterator *at);
  void insert_timing_before_short_returns();
  void start_timing_on_loop_edges();

  gimple *event_replacing_marker(gimple_stmt_iterator *at, marker which) final override;
  bool instrument_task_call(gimple_stmt_iterator *at);
  bool replace_call_by_event(gimple_stmt_iterator *at, gcall *event);
  bool instrument_profiled_spawn(gimple_stmt_iterator *at);
  bool instrument_join(gimple_stmt_iterator *at) final override;
  bool instrument_call(gimple_stmt_iterator *at, call_class kind, call_form form) final override;
  void instrument_shared_loop(gimple_stmt_iterator *at) final override;
  void start_timing_before(gimple_stmt_iterator *at) final override;
  bool instrument_charged_call(gimple_stmt_iterator *at) final override;
  void instrument_api_call(gimple_stmt_iterator *at) final override;
  bool instrument_setjmp(gimple_stmt_iterator *at) final override;
  void instrument_return_statement(gimple_stmt_iterator *at) final override;
  void build_resume_event(gimple_seq *statements, basic_block bb) final override;
  void finish_instrumenting_block(basic_block bb) final override;
  unsigned finish_instrumentation(const vec<basic_block> &blocks) final override;
};

#endif
