/* Instrumentation of one function: first a plan (plan.h), then the events, inlined (inlined.h) or called (outlined.h).
   This class has what both forms share: the walk over the statements (instrumenter.cc) and building blocks of events
   (emit.cc).
   SPDX-License-Identifier: GPL-3.0-or-later

   The variable LOCAL_WORK accumulates the work of the function itself.  Depending on the mode, it is increased by
   constants, by the timer, or by both.  The frame is a variable too, of the engine's type.  */

#ifndef CILKPROF_CC_INSTRUMENTER_H
#define CILKPROF_CC_INSTRUMENTER_H

#include "plan.h"

/* Numbers of instructions in clock mode: those of a SHORT_STRAND cost less than reading the timer, FEW take less time
   than an interrupt, and FAR is more than any real number.  */
enum { SHORT_STRAND = 8, FEW = 20, FAR = 1 << 20 };

/* How the callee of a call is run.  */
enum call_form { CALLED, SPAWNED, CALLED_AS_TASK };

tree event_callee_address(gimple *call);

class instrumenter {
public:
  virtual ~instrumenter() = default;
  unsigned instrument_function();

protected:
  instrumenter(function *f, bool outlined);

  function_plan plan; /* read-only */
  function *fun;
  cgraph_node *node;
  tree u64;                       /* the type of all values */
  tree frame;                     /* variable with the function's frame, or a pointer to it if it is linked */
  tree local_work;                /* variable */
  tree record;                    /* the function's record */
  tree task_deferred, task_flags; /* variables about the next task call, if plan.chooses_tasks */
  tree begin, before_begin; /* variables in hybrid mode: where timing of the strand began, and the local work before */
  auto_vec<gcall *> events; /* to be inlined */
  int counted;              /* instructions since LOCAL_WORK was last updated */
  int since_boundary;       /* clock mode: instructions since the timer was last read, or -1 if unknown */
  auto_vec<gimple *> set_jumps;            /* calls that return twice */
  hash_map<basic_block, int> since_at_end; /* SINCE_BOUNDARY at the end of a basic block */
  hash_set<tree> body_choices;             /* variables by which iterations choose a body of their loop */
  int open_here;                           /* how many Cilk blocks are open at the current statement */

  tree make_event_variable(tree type, const char *name);
  /* Returns the address of the variable OF, as an operand of a statement.  */
  tree event_address_operand_of(tree of) {
    return build_fold_addr_expr(of);
  }
  /* Returns the address of the record of a site of this KIND, for the construct that begins at MARK.  */
  tree marker_site_address(gimple *mark, cilkprof_site_kind kind) {
    return event_address_operand_of(site_record(mark, fun->decl, kind));
  }
  /* Returns the address of the frame of the function, as an operand of a statement.  */
  tree event_frame_address() {
    return POINTER_TYPE_P(TREE_TYPE(frame)) ? frame : event_address_operand_of(frame);
  }
  gcall *build_event_call(event which, std::initializer_list<tree> arguments);
  gcall *build_call_of_engine(engine_function which, std::initializer_list<tree> arguments);
  gcall *build_call_of_engine(engine_function which, const vec<tree> &arguments);
  tree block_kind_of_marker(marker which); /* the kind of block for the engine */
  /* Inserts STATEMENT before the one at AT, which stays the current one.  */
  void insert_event_before_statement(gimple_stmt_iterator *at, gimple *statement) {
    gsi_insert_before(at, statement, GSI_SAME_STMT);
  }
  gimple_stmt_iterator insert_event_after_call(gimple_stmt_iterator at, gimple *call, gimple *statement);
  int instructions_since_timing_read(basic_block bb);
  int instructions_of_strand_statement(gimple *statement);
  void count_strand_instructions(gimple *statement, basic_block block);
  void time_uncounted_statement(gimple_stmt_iterator *at);
  void make_timing_variables();
  void start_strand_timing(gimple_seq *statements, tree work, tree expected);
  void end_strand_timing(gimple_stmt_iterator *at, tree work);
  tree expected_strand_loop_instructions(class loop *loop, gimple_seq *statements);
  void add_counted_loops_at_entry();

  /* What each form does with a statement.  A bool result is false if the statement ended its block.  */
  virtual gimple *event_replacing_marker(gimple_stmt_iterator *at,
                                         marker which) = 0; /* returns the marker's replacement */
  virtual bool instrument_call(gimple_stmt_iterator *at, call_class kind, call_form form) = 0;
  virtual void instrument_shared_loop(gimple_stmt_iterator *at) = 0; /* a call that runs a cilk_for */
  /* A call that waits for children that other workers may run.  */
  virtual bool instrument_join(gimple_stmt_iterator *) {
    return true;
  }
  virtual void start_timing_before(gimple_stmt_iterator *at) = 0;
  virtual bool instrument_charged_call(gimple_stmt_iterator *at) = 0;
  virtual void instrument_api_call(gimple_stmt_iterator *at) = 0;
  virtual bool instrument_setjmp(gimple_stmt_iterator *at) = 0;
  virtual void instrument_return_statement(gimple_stmt_iterator *at) = 0;
  virtual void build_resume_event(gimple_seq *statements, basic_block bb) = 0; /* BB is a landing pad */
  /* Returns true if no event is needed at the landing pad in this block, because a call soon after it has one.  */
  virtual bool resumes_by_later_event_p(basic_block) {
    return false;
  }
  /* Prepares for the statements of BB, before they are instrumented.  */
  virtual void begin_instrumenting_block(basic_block) {}
  virtual void finish_instrumenting_block(basic_block bb) = 0;
  virtual unsigned finish_instrumentation(const vec<basic_block> &blocks) = 0;

private:
  void remove_marker_and_advance(gimple_stmt_iterator *at);
  bool instrument_statement(gimple_stmt_iterator *at, call_form *next);
  void instrument_basic_block(basic_block bb, hash_map<basic_block, call_form> *pending);
  void instrument_landing_pads(const vec<basic_block> &blocks);
};

void make_setjmp_first_after_events(gimple *call); /* returning-twice.cc */

instrumenter *make_inlined_instrumenter(function *fun);
instrumenter *make_outlined_instrumenter(function *fun);

#endif
