/* Instrumenting one function: first a plan (plan.h), then its events, inlined (inlined.h) or called (outlined.h).  What
   both forms share is here: instrument.cc goes through the function, emit.cc has the parts that events are made of.
   SPDX-License-Identifier: GPL-3.0-or-later

   What the function itself has done so far is counted in a variable, LOCAL_WORK: by additions of constants, by the
   timer, or both, as the mode says.  Its frame is a variable too, of the engine's type.  */

#ifndef CILKPROF_CC_INSTRUMENTER_H
#define CILKPROF_CC_INSTRUMENTER_H

#include "plan.h"

/* Clock mode.  A SHORT_STRAND costs less than reading the timer.  FEW instructions take less time than an interrupt.
   FAR is more than any number of instructions.  */
enum { SHORT_STRAND = 8, FEW = 20, FAR = 1 << 20 };

/* How what a call calls is run.  */
enum call_form { CALLED, SPAWNED, CALLED_AS_TASK };

tree callee_address(gimple *call);
tree engine_thread(); /* the variable that is this thread's state */

class instrumenter {
public:
  virtual ~instrumenter() = default;
  unsigned run();

protected:
  instrumenter(function *f, bool outlined);

  function_plan plan; /* from here on it is only read */
  function *fun;
  cgraph_node *node;
  tree u64;                       /* the type of all values */
  tree frame;                     /* a variable: the function's frame, or where it is linked a pointer to it */
  tree local_work;                /* another */
  tree record;                    /* the function's */
  tree task_deferred, task_flags; /* where the plan says so, of the task that is called next */
  tree begin, before_begin; /* hybrid mode: the place where the strand began to be timed, and the local work before */
  auto_vec<gcall *> events; /* to be inlined */
  int counted;              /* instructions since LOCAL_WORK was last brought up to date */
  int since_boundary;       /* clock mode: instructions since the timer was last read; -1: not known */
  auto_vec<gimple *> set_jumps;            /* calls that return twice */
  hash_map<basic_block, int> since_at_end; /* the same at the end of a block */
  int open_here;                           /* blocks that are open at the statement that is being looked at */

  tree variable(tree type, const char *name);
  tree address(tree of) {
    return build_fold_addr_expr(of);
  }
  tree frame_address() {
    return POINTER_TYPE_P(TREE_TYPE(frame)) ? frame : address(frame);
  }
  gcall *event_call(event which, std::initializer_list<tree> arguments);
  gcall *engine_call(engine_function which, std::initializer_list<tree> arguments);
  gcall *engine_call(engine_function which, const vec<tree> &arguments);
  tree kind_of_call(marker which); /* of block */
  void before(gimple_stmt_iterator *at, gimple *statement) {
    gsi_insert_before(at, statement, GSI_SAME_STMT);
  }
  gimple_stmt_iterator after(gimple_stmt_iterator at, gimple *call, gimple *statement);
  int since_before(basic_block bb);
  void count(gimple *statement, basic_block block);
  void time_uncounted(gimple_stmt_iterator *at);
  void make_timing_variables();
  void start_timing(gimple_seq *statements, tree work, tree expected);
  void end_timing(gimple_stmt_iterator *at, tree work);
  tree expected_of(class loop *loop, gimple_seq *statements);
  void count_loops();

  /* What the two forms do with a statement.  Those that return a bool return false where it ended its block.  */
  virtual gimple *marker_event(gimple_stmt_iterator *at, marker which) = 0; /* which takes the marker's place */
  virtual bool call(gimple_stmt_iterator *at, call_class kind, call_form form) = 0;
  virtual void start_timing_at(gimple_stmt_iterator *at) = 0;
  virtual bool quiet_call(gimple_stmt_iterator *at) = 0;
  virtual void api_call(gimple_stmt_iterator *at) = 0;
  virtual bool set_jump(gimple_stmt_iterator *at) = 0;
  virtual void returning(gimple_stmt_iterator *at) = 0;
  virtual void resume(gimple_seq *statements, basic_block bb) = 0; /* control arrives at BB without a return */
  virtual bool resumes_later_p(basic_block) {
    return false;
  }
  virtual void start_block(basic_block) {}
  virtual void end_block(basic_block bb) = 0;
  virtual unsigned finish(const vec<basic_block> &blocks) = 0;

private:
  void silent_marker(gimple_stmt_iterator *at);
  bool statement(gimple_stmt_iterator *at, call_form *next);
  void block(basic_block bb, hash_map<basic_block, call_form> *pending);
  void landing_pads(const vec<basic_block> &blocks);
};

void make_first_in_block(gimple *call); /* returning-twice.cc */

instrumenter *make_inlined_instrumenter(function *fun);
instrumenter *make_outlined_instrumenter(function *fun);

#endif
