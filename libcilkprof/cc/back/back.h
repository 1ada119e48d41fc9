/* The back end's side of -fcilkprof: what the parts of this plugin share.
   SPDX-License-Identifier: GPL-3.0-or-later

   The order of things, for every unit (README.md has the passes):
     prepare.cc     after inlining: takes the bodies of the events, finds the functions that can leave frames behind
     loops.cc       early: iterations of a cilk_for that need not be told apart lose their marker: they can vectorise
     instrument.cc  after all optimisation: puts calls of events at calls, spawns, syncs, returns
     splice.cc      inlines these; GCC's own passes then clean up, and turn the frame into registers where it can be  */

#ifndef CILKPROF_CC_BACK_H
#define CILKPROF_CC_BACK_H

#include "libcilkprof/cc/gcc/middle-end.h"
#include "libcilkprof/cc/markers.h"
#include "libcilkprof/abi/state.h"
#include "fmt/description.h"

enum measuring { MEASURE_COUNT, MEASURE_HYBRID, MEASURE_CLOCK };
extern measuring mode;

/* Strands are counted, and the engine is the one that answers what-if questions.  */
extern bool whatif;

/* Events are not inlined but call functions of these names with _t_ in them: the engine's, which call back into a tool
   of the user's own, or those of a tool that replaces the engine.  Every frame is then linked, so that every event has
   the local work.  */
extern bool calling_back;

/* Functions are not copied for a reference run.  */
extern bool no_reference;

/* For tests: events are inlined in every function, or in none.  */
extern bool always_inline, always_outline;

/* The events (abi/events.def) that are inlined.  */
enum event {
#define INLINED(name, result, ...) EVENT_##name,
#define TOLD(name, result, ...)    EVENT_##name,
#include "libcilkprof/abi/events.def"
  EVENT_types, /* none: its parameters show the engine's types */
  EVENTS
};

/* Those that are called: of the engine, or back into a tool.  */
enum engine_function {
#define CALLED(name, result, ...)   CALL_o_##name,
#define DIRECT(name, result, ...)   CALL_##name,
#define TOLD(name, result, ...)     CALL_##name,
#define CALLBACK(name, result, ...) CALL_##name,
#include "libcilkprof/abi/events.def"
  ENGINE_FUNCTIONS
};

/* prepare.cc */
bool events_available_p();
tree event_function(event which);
void keep_event_bodies();
void release_event_bodies(void *, void *);
bool own_function_p(tree function); /* an event, a marker or part of the engine */
bool instrumented_p(tree function);
bool called_by_others_p(cgraph_node *node); /* by functions of this unit that are not instrumented */
bool made_later_p(const cgraph_node *node); /* by a pass over one function: a loop that GCC runs in parallel */
opt_pass *make_preparing_pass();

/* The engine's types, as parameters of __cilkprof_h_types.  */
enum engine_type { TYPE_FRAME, TYPE_SITE, TYPE_FUNCTION, TYPE_PLACE };
tree type_of_engine(engine_type which);
tree field_of(tree record, const char *name);

/* calls.cc */
enum call_class {
  CALL_OF_NO_INTEREST, /* its cost is its caller's */
  CALL_DIRECT,         /* of an instrumented function in this unit */
  CALL_OF_API,         /* of the engine, by the program itself (cilkprof.h): it looks at the open frames; or a jump */
  CALL_FOREIGN         /* of code that may have no instrumentation */
};
call_class classify_call(const gimple *statement);
bool callers_cost_p(tree function);         /* it is known to the compiler: calls of it are of no interest */
bool uncounted_p(const gimple *statement);  /* it runs code without events that is not counted */
bool quiet_call_p(const gimple *statement); /* of no interest, but it may run code of the program */
bool put_in_p(const gimple *statement);     /* the program has no such call */
bool leaves_frames_p(function *fun);        /* a callee of FUN may leave its frame behind */
void find_functions_that_leave_frames();

/* leaves.cc: functions without events, and calls of them that are booked when they have returned.  */
void find_leaves();
bool leaves_available_p(); /* not in every mode */
bool leaf_p(tree function);
bool without_events_p(function *fun);
struct small_locks;
void find_leaf_calls(function *fun, small_locks *locks, struct timed_parts *timed, hash_set<gimple *> *found);
/* Calls of leaves, or of what may be one, in loops that call nothing else (span/series.h).  */
void find_series(function *fun, hash_set<gimple *> *leaf_calls, hash_set<gimple *> *found);

/* records.cc */
tree function_record(tree function);
/* TARGET is what the call calls, where that may have no instrumentation and the record is to say so.  FACTS_KNOWN are
   flags of its description.  */
tree site_record(gimple *call, tree function, cilkprof_site_kind kind, tree target = NULL_TREE,
                 unsigned facts_known = 0);
tree lock_record(gimple *mark, tree function);                          /* of a lock that is like a leaf */
tree task_record(gimple *call, tree function, cilkprof_site_kind kind); /* of a task that is a call */
tree place_record(); /* a new one, for a place where strands begin to be timed */
/* Whether the record says that its function did so much since its last event; the first one to ask decides.  */
bool site_knows_work(tree site, unsigned HOST_WIDE_INT work);
bool enterable_p(cgraph_node *node);    /* by code without instrumentation */
void find_enterable_copies();           /* of functions: they are known by the name of their original */
bool same_function_p(tree a, tree b);   /* to the programmer */
tree programmers_symbol(tree function); /* an identifier; copies of a function have the same */

/* task-calls.cc */
void find_task_calls();                     /* tasks of OpenMP's that are one call, and marks them as such */
bool surely_deferred_p(const gimple *mark); /* where that holds for any, and so is what it makes */

/* copies.cc */
void copy_recursive_functions();

/* bare.cc */
bool bare_p(tree function); /* a copy without events */
void make_bare_copies();
void find_called_as_they_are();
bool stays_instrumented_p(cgraph_node *node);  /* in the bare program as well */
bool looks_for_bare_copy_p(cgraph_node *node); /* at its start: other code can enter it */
void look_for_bare_copy(function *fun);
/* Before and after the passes over one function.  */
void bare_passes_start(void *, void *);
void bare_passes_end(void *, void *);

/* splice.cc */
bool inlining_pays_p(function *fun); /* of its events */
void settle_inlining();              /* for all functions, before any is instrumented */
bool inlines_events_p(tree function);
bool any_inlines_events_p(tree function); /* it or a copy of it */
unsigned inline_events(function *fun, const vec<gcall *> &calls);

/* loop-counts.cc: a loop whose instructions are counted when it is entered, with those of the loops in it.  */
struct counted_loop {
  class loop *loop;
  tree count;
};

/* strands.cc: which strands of a function are timed in hybrid mode, and not only counted.  */
struct timed_parts {
  auto_vec<class loop *> loops;         /* a strand that enters one of these is */
  hash_set<basic_block> blocks;         /* of these loops */
  auto_vec<counted_loop> counted;       /* in them, or they themselves, */
  hash_set<basic_block> counted_blocks; /* with these blocks */
  bool uncounted = false;               /* and one with a statement for which uncounted_p holds */
  bool any() const {
    return uncounted || loops.length();
  }
};
bool event_p(const gimple *statement); /* it ends a strand */
void find_timed_parts(function *fun, small_locks *locks, timed_parts *found);
void find_counted_loops(timed_parts *timed);
tree computed_count(const counted_loop &counted, gimple_seq *statements);

/* following.cc: what comes behind a call, where one event serves for two.  */
struct calls_followed {
  hash_set<gimple *> by_event;        /* calls of instrumented functions: the next event comes before any other call */
  hash_set<gimple *> by_call;         /* calls of foreign code: the next thing is a call that is an event, */
  hash_set<basic_block> pads_by_call; /* and landing pads of which that is so; */
  hash_set<gimple *> told_frame;      /* these next calls */
};
void find_calls_followed(function *fun, bool by_calls, hash_set<gimple *> *leaf_calls, calls_followed *found);
bool landing_pad_p(basic_block bb);
bool receiver_p(basic_block bb); /* control arrives there by a jump, not by an exception */

/* plan.cc */
bool handler_p(cgraph_node *node); /* it may be a signal handler */

/* instrument.cc */
bool silent_marker_p(const gimple *statement); /* a marker that is no event itself */
bool spawn_marker_p(const gimple *statement);  /* the next call is spawned */

/* engine-calls.cc */
tree function_of_engine(engine_function which);
engine_function called_back(event which); /* ENGINE_FUNCTIONS: it is none that a tool is told of */
void register_engine_functions(const char *plugin);

/* link.cc */
const char *name_of_mode();
void need_engine(const char *plugin);

/* loops.cc, instrument.cc */
extern bool cleaning; /* the function's events are inlined: passes that clean up are to follow */
opt_pass *make_iteration_pass();
opt_pass *make_instrumenting_pass();

#endif
