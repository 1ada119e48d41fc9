/* The pass that replaces markers by events and adds events to calls and returns, after all optimisation.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "instrumenter.h"

bool cleaning;

namespace {

const pass_data instrumenting_data = {GIMPLE_PASS, "cilkprof", OPTGROUP_NONE, TV_NONE, PROP_ssa | PROP_cfg, 0, 0, 0, 0};

/* The pass cilkprof: replaces the markers in one function by events, and adds events at its calls and returns.  */
class instrumenting_pass : public gimple_opt_pass {
public:
  /* Makes the pass "cilkprof".  */
  instrumenting_pass() : gimple_opt_pass(instrumenting_data, g) {}

  /* Returns true if FUN is to be instrumented: there are events, and it is neither excluded nor made by a later
     pass.  */
  bool gate(function *fun) final override {
    cleaning = false;
    if (!unit_has_events_p() || created_after_instrument_preparation_p(cgraph_node::get(fun->decl)))
      return false;
    tree original = original_of_bare_copy(fun->decl);
    return instrumented_function_p(fun->decl) || (original && counted_code_enters_copy_p(original));
  }

  /* Instruments FUN, with events that are inlined or called, and puts the check for a bare copy before them.  Returns
     what GCC has to do afterwards.  */
  unsigned int execute(function *fun) final override {
    static bool first = true;
    if (first)
      keep_event_bodies();
    first = false;
    note_atomic_updates(fun);
    if (bare_copy_p(fun->decl)) {
      count_calls_in_bare_copy(fun);
      return 0;
    }
    cleaning = inlines_events_p(fun->decl);
    instrumenter *made = cleaning ? make_inlined_instrumenter(fun) : make_outlined_instrumenter(fun);
    unsigned todo = made->instrument_function();
    delete made;
    insert_bare_check(fun);
    return todo;
  }
};

} // namespace

/* Returns the pass "cilkprof", which replaces the markers of a function by events and adds events to its calls and
   returns.  */
opt_pass *make_instrumenting_pass() {
  return new instrumenting_pass;
}
