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
  auto_vec<basic_block> short_returns; /* blocks with a return and little else */

  tree work_in_frame();
  tree site_of(gimple *mark, cilkprof_site_kind kind);
  gcall *work_call(engine_function which, std::initializer_list<tree> arguments);
  gcall *begin_block(tree site, tree kind);
  gcall *enter_linked(edge e);
  void entry();

  /* inlined-work.cc */
  void update_work(gimple_stmt_iterator *at);
  gcall *boundary();
  void end_strand(gimple_stmt_iterator *at);
  void end_strand_to_return(gimple_stmt_iterator *at);
  void boundaries_before_returns();
  void timed_loops();

  gimple *marker_event(gimple_stmt_iterator *at, marker which) final override;
  bool task_call(gimple_stmt_iterator *at);
  bool call(gimple_stmt_iterator *at, call_class kind, call_form form) final override;
  void start_timing_at(gimple_stmt_iterator *at) final override;
  bool charged_call(gimple_stmt_iterator *at) final override;
  void api_call(gimple_stmt_iterator *at) final override;
  bool set_jump(gimple_stmt_iterator *at) final override;
  void returning(gimple_stmt_iterator *at) final override;
  void resume(gimple_seq *statements, basic_block bb) final override;
  void end_block(basic_block bb) final override;
  unsigned finish(const vec<basic_block> &blocks) final override;
};

#endif
