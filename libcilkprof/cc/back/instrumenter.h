/* Instrumenting one function.  instrument.cc says which events go where, emit.cc how they are put there.
   SPDX-License-Identifier: GPL-3.0-or-later

   What the function itself has done so far is counted in a variable, LOCAL_WORK: by additions of constants, by the
   timer, or both, as the mode says.  Its frame is a variable too, of the engine's type.  */

#ifndef CILKPROF_CC_INSTRUMENTER_H
#define CILKPROF_CC_INSTRUMENTER_H

#include "back.h"

/* Clock mode.  A SHORT_STRAND costs less than reading the timer.  FEW instructions take less time than an interrupt.
   FAR is more than any number of instructions.  */
enum { SHORT_STRAND = 8, FEW = 20, FAR = 1 << 20 };

tree callee_address(gimple *call);
tree engine_thread(); /* the variable that is this thread's state */

class instrumenter {
public:
  explicit instrumenter(function *f, bool keep_linked = false);
  virtual ~instrumenter() = default;
  unsigned run();

protected:
  function *fun;
  cgraph_node *node;
  tree u64;        /* the type of all values */
  tree frame;      /* a variable: the function's frame, or where it is linked a pointer to it */
  tree local_work; /* another */
  tree record;     /* the function's */
  bool linked;     /* its frame may be left behind */
  bool spawning;
  bool names_strands;       /* with cilkprof_strand */
  timed_parts timed;        /* hybrid mode */
  tree begin, before_begin; /* and there: the place where the strand began to be timed, and the local work before */
  auto_vec<gcall *> events; /* to be inlined */
  bool handler;             /* it may be a signal handler */
  int counted;              /* instructions since LOCAL_WORK was last brought up to date */
  int since_boundary;       /* clock mode: instructions since the timer was last read; -1: not known */
  hash_map<basic_block, int> since_at_end; /* the same at the end of a block */
  auto_vec<basic_block> short_returns;     /* blocks that return and do little else */
  basic_block entered;                     /* where the function is entered, if only instrumented code calls it */
  hash_set<basic_block> bare_returns;      /* blocks that return without any event before */
  bool has_blocks;                         /* as cilk_for: a jump may leave them, and */
  hash_map<basic_block, int> open_blocks;  /* then so many are open where a basic block begins, */
  int open_here;                           /* and at the statement that is being looked at */

  tree variable(tree type, const char *name);
  tree address(tree of) {
    return build_fold_addr_expr(of);
  }
  tree frame_address() {
    return linked ? frame : address(frame);
  }
  gcall *event_call(event which, std::initializer_list<tree> arguments);
  gcall *engine_call(engine_function which, std::initializer_list<tree> arguments);
  gcall *engine_call(engine_function which, const vec<tree> &arguments);
  void before(gimple_stmt_iterator *at, gimple *statement) {
    gsi_insert_before(at, statement, GSI_SAME_STMT);
  }
  gimple_stmt_iterator after(gimple_stmt_iterator at, gimple *call, gimple *statement);
  void update_work(gimple_stmt_iterator *at);
  void end_strand(gimple_stmt_iterator *at);
  void end_strand_to_return(gimple_stmt_iterator *at);
  gcall *boundary();
  int since_before(basic_block bb);
  void boundaries_before_returns();
  void count(gimple *statement, basic_block block);

  void time_uncounted(gimple_stmt_iterator *at);
  bool statement(gimple_stmt_iterator *at, bool *spawned);
  virtual gimple *marker_event(gimple_stmt_iterator *at, marker which); /* which takes the marker's place */
  virtual bool call(gimple_stmt_iterator *at, call_class kind, bool spawned);
  virtual void start_timing_at(gimple_stmt_iterator *at);
  virtual bool quiet_call(gimple_stmt_iterator *at);
  virtual void api_call(gimple_stmt_iterator *at);
  virtual bool set_jump(gimple_stmt_iterator *at);
  virtual void returning(gimple_stmt_iterator *at);
  void block(basic_block bb, hash_set<basic_block> *pending);
  void landing_pads(const vec<basic_block> &blocks);
  void timed_loops();
  void make_timing_variables();
  void start_timing(gimple_seq *statements, tree work, tree expected);
  void end_timing(gimple_stmt_iterator *at, tree work);
  tree expected_of(class loop *loop, gimple_seq *statements);
  void count_loops();
  void separate_bare_returns();
  basic_block entry_block();
  gcall *enter_linked(edge e);
  virtual bool resumes_later_p(basic_block) {
    return false;
  }
  int open_blocks_at(basic_block bb);
  tree work_in_frame();
  virtual void resume(gimple_seq *statements, basic_block bb);
  virtual void start();
  virtual void start_block(basic_block) {}
  virtual void end_block(basic_block bb);
  virtual unsigned finish(const vec<basic_block> &blocks);
  void entry();
};

/* depths.cc */
bool has_blocks_p(function *fun);
int open_blocks_changed(const gimple *statement); /* by how many more it leaves open */
void find_open_blocks(function *fun, hash_map<basic_block, int> *at_start);

/* outlined.cc */
instrumenter *make_outlined_instrumenter(function *fun);

#endif
