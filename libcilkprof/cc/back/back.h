/* Declarations that the files of the -fcilkprof plugin share, roughly from the lowest layer to the highest.
   SPDX-License-Identifier: GPL-3.0-or-later

   What happens to every unit (../README.md lists all passes):
     prepare.cc     after inlining: sets the events aside and finds out what functions must know about each other
     loops.cc       early: removes markers of cilk_for iterations that need no events, so that they vectorise
     instrument.cc  after all optimisation: inserts events at calls, spawns, syncs and returns
     splice.cc      inlines the events; GCC's own passes then clean up and turn frames into registers  */

#ifndef CILKPROF_CC_BACK_H
#define CILKPROF_CC_BACK_H

#include "libcilkprof/cc/gcc/middle-end.h"
#include "libcilkprof/cc/markers.h"
#include "libcilkprof/abi/state.h"
#include "fmt/description.h"

/* options.cc */
enum measuring { MEASURE_COUNT, MEASURE_HYBRID, MEASURE_CLOCK };
extern measuring mode;

/* Strands are counted, and the program is linked with the engine that answers what-if questions.  */
extern bool whatif;

/* Strands are counted, and the program is linked with the engine that profiles all workers of a parallel run.  Each of
   them has records of its own.  */
extern bool all_workers;

/* Events are not inlined but call functions with _t_ in their names.  These belong to the engine, which calls back into
   a tool of the user, or to a tool that replaces the engine.  Every frame is linked, so that every event has the local
   work.  */
extern bool calling_back;

/* Functions are not copied for a reference run.  */
extern bool no_reference;

/* For tests: events are inlined in every function, or in none.  */
extern bool always_inline, always_outline;

bool only_forks_have_events_p();                               /* as with -fcilkprof-forks */
bool read_back_plugin_option(const plugin_argument &argument); /* false if it is unknown */
const char *measuring_mode_name();

/* functions.cc */
const char *instrumented_decl_name_or_empty(tree decl); /* an empty string if it has none */
bool cilkprof_function_p(tree function);                /* an event, a marker or part of the engine */
bool instrumented_function_p(tree function);
bool instrumented_start_p(tree function); /* of the program: main, or the main program of Fortran */
bool bare_copy_p(tree function);          /* a copy without events */
bool range_body_p(tree function);         /* the body of a cilk_for that workers share */
void stop_instrumenting_new_functions();  /* do not instrument functions that are created from now on */
bool created_after_instrument_preparation_p(
    const cgraph_node *node);                /* by a pass, such as the one that parallelises loops */
void find_functions_called_without_events(); /* functions that uninstrumented ones of this unit call */
void note_direct_instrumented_copy(tree copy);
bool direct_instrumented_copy_p(tree function);             /* only instrumented code of this unit calls it */
bool enterable_by_uninstrumented_code_p(cgraph_node *node); /* code without instrumentation may call it */
bool may_be_instrumented_handler_p(cgraph_node *node);      /* it may be installed as one */

/* symbols.cc */
tree original_site_symbol_identifier(tree function);         /* the symbol of the function that the optimisers copied */
bool copies_of_same_instrumented_function_p(tree a, tree b); /* they are copies of one function */

/* The inlined events of abi/events.def.  */
enum event {
#define INLINED(name, result, ...) EVENT_##name,
#define TOLD(name, result, ...)    EVENT_##name,
#include "libcilkprof/abi/events.def"
  EVENT_types, /* not an event: its parameters have the engine's types */
  EVENTS
};

/* The functions of abi/events.def that are called, in the engine or in a tool.  */
enum engine_function {
#define CALLED(name, result, ...)   CALL_o_##name,
#define DIRECT(name, result, ...)   CALL_##name,
#define TOLD(name, result, ...)     CALL_##name,
#define CALLBACK(name, result, ...) CALL_##name,
#define SHORT(name, result, ...)    CALL_o_short_##name,
#include "libcilkprof/abi/events.def"
  ENGINE_FUNCTIONS
};

/* The engine's types, which are those of the parameters of __cilkprof_h_types.  */
enum engine_type { TYPE_FRAME, TYPE_SITE, TYPE_FUNCTION, TYPE_TIMING_POINT };

/* events.cc */
bool find_event_functions(); /* false if the unit cannot have events */
bool unit_has_events_p();
bool unit_has_event_bodies_p();          /* those of inlined events; if not, they are called */
tree event_function_decl(event which);   /* of an inlined event, or of what is called in its place */
bool set_aside_event(cgraph_node *node); /* false if it is none */
void keep_event_bodies();
void keep_body_to_inline(cgraph_node *node);
void copy_child_to_inline(cgraph_node *child);
tree event_child_to_inline(tree child); /* the address of the copy of CHILD, or CHILD */
bool calls_child_to_inline_p(const gimple *statement);
void release_event_bodies(void *, void *);

/* engine-types.cc */
void register_engine_type_roots(const char *plugin);
tree engine_type_tree(engine_type which);
tree engine_work_type_tree(); /* of numbers of instructions, and of all other values of the engine */
tree engine_record_field(tree record, const char *name);
tree engine_thread_variable(); /* with this thread's state */
tree thread_counting_tree();   /* THREAD.counting */
tree thread_began_anew_tree(); /* THREAD.began_anew */
tree thread_in_guard_tree();   /* THREAD.in_guard */

/* engine-calls.cc */
tree engine_function_decl(engine_function which);
tree short_event_function_decl(event which);     /* called where the body of the event is missing */
engine_function callback_for_event(event which); /* ENGINE_FUNCTIONS if there is no callback for this event */
void register_engine_function_roots(const char *plugin);

/* forks.cc, find-forks.cc */
void exclude_functions_without_forks();
void describe_loop_lines_of_unit(); /* loop-lines.cc */
void start_finding_forks();
void note_function_without_forks(tree function);
void note_way_to_fork(tree function);
bool way_to_fork_noted_p(tree function);
bool callee_without_forks_p(tree function);  /* it has no events for that reason */
bool callee_may_reach_fork_p(tree function); /* such a one, which may call one with events */

/* calls.cc */
enum call_class {
  CALL_OF_NO_INTEREST, /* its cost is charged to the caller */
  CALL_DIRECT,         /* the callee is an instrumented function of this unit */
  CALL_OF_API,         /* the program calls the engine (cilkprof.h), which reads the open frames; or it is a jump */
  CALL_FOREIGN         /* the callee may have no instrumentation */
};
call_class classify_call_for_events(const gimple *statement);
call_class classify_call_or_spawn_for_events(gimple *statement); /* also of a call that is spawned by a closure */
bool event_callee_of_api_p(tree function);                       /* it is a function of cilkprof.h */
bool mutex_event_callee_p(tree function);                        /* it tells of a mutex, also in counted code */
bool profiled_spawn_p(const gimple *statement);                  /* a spawned call that another worker may run */
bool profiled_loop_p(const gimple *statement);                   /* a call that runs a cilk_for, which workers share */
bool profiled_join_p(const gimple *statement);                   /* a call that waits for such children */
tree called_or_spawned_decl(gimple *call);                       /* NULL_TREE if it is not known */
bool spawns_instrumented_function_p(gimple *call);               /* by a closure: a function of this unit */
bool charged_to_instrumented_caller_p(tree function);      /* the compiler knows it: calls of it are of no interest */
bool statement_gets_event_p(const gimple *statement);      /* it ends a strand */
bool spawn_marker_for_event_p(const gimple *statement);    /* the next call is spawned */
bool marker_without_event_p(const gimple *statement);      /* a marker that is not an event itself */
bool runs_uncounted_code_p(const gimple *statement);       /* it runs code without events that is not counted */
bool counted_lock_call_p(const gimple *statement);         /* it sets or unsets a lock of OpenMP */
bool charged_call_event_p(const gimple *statement);        /* a call of no interest that may run code of the program */
bool synthetic_call_for_engine_p(const gimple *statement); /* a plugin inserted the call */
bool instrumented_loop_has_statement_p(class loop *loop, bool (*wanted)(const gimple *));

/* deferrals.cc: what is only there so that workers can share the program.  */
bool prepares_deferral_p(const gimple *statement);
int count_spawned_arguments(const gimple *call);

/* abandoned-frames.cc */
bool may_abandon_instrumented_frames_p(function *fun); /* a jump or an exception in FUN or a callee may leave frames */
void find_instrumented_functions_abandoning_frames();

/* leaves.cc: functions without events, and calls of them that have a single event, after they return.  */
void find_leaf_functions();
bool leaf_functions_enabled_p(); /* some modes have none */
bool leaf_callee_p(tree function);
bool function_without_events_p(function *fun);
struct small_locks;
void find_leaf_calls(function *fun, small_locks *locks, struct timed_parts *timed, hash_set<gimple *> *found);
/* Finds calls of known or possible leaves in loops that call nothing else (span/series.h).  */
void find_leaf_call_series(function *fun, hash_set<gimple *> *leaf_calls, hash_set<gimple *> *found);

/* splice.cc */
bool inlining_events_pays_p(function *fun);  /* of its events */
void copy_children_to_inline();              /* the children that functions with inlined events spawn */
void decide_event_inlining();                /* for all functions, before any is instrumented */
bool events_worth_inlining_p(tree function); /* as was decided, in whatever form a test asks for */
bool inlines_events_p(tree function);
bool any_copy_inlines_events_p(tree function); /* it or a copy of it */
unsigned inline_prepared_calls(function *fun, const vec<gcall *> &calls);
unsigned inline_events(function *fun, const vec<gcall *> &calls);

/* bare.cc */
bool bare_copies_wanted_p();               /* some modes have none */
tree bare_copy_of(tree function);          /* NULL_TREE if there is none */
tree original_of_bare_copy(tree function); /* NULL_TREE if FUNCTION is no bare copy */
tree called_by_bare_copy_call(tree copy);  /* the original, or the alias by which it is called */
bool can_call_bare_copy_p(tree function);  /* with all its parameters */
cgraph_node *copy_despite_noclone(cgraph_node *original, const char *ending);
void make_bare_copies();
void strip_bare_copies();
void strip_bare_block(basic_block bb, bool counted); /* removes its markers, and makes it call bare copies */
void find_callees_needing_bare_check();
void let_counted_code_enter_copy(tree function);
bool counted_code_enters_copy_p(tree function);
bool stays_instrumented_p(cgraph_node *node);   /* in the bare program as well */
bool checks_for_bare_copy_p(cgraph_node *node); /* it continues in its bare copy if this is a reference run */
/* bare-check.cc */
void insert_bare_check(function *fun);
gimple_seq build_call_with_own_parameters(tree callee, function *fun); /* CALLEE is of the same type as FUN */
void leave_function_unless_equal(basic_block test, tree variable, unsigned value, gimple_seq statements,
                                 profile_probability likely);
/* countable.cc: functions that do not spawn themselves, calls of which may be counted.  */
bool counted_calls_enabled_p(); /* some modes have none */
void find_countable_functions();
bool countable_function_p(tree function);
bool countable_callee_p(tree function);                /* FUNCTION is called */
bool forbids_counted_calls_p(const gimple *statement); /* a function with it is not countable */
void note_copy_in_recursion(tree copy, tree original);
bool in_same_recursion_p(tree function, tree other);
/* guarded.cc: functions that decide first of all whether they spawn.  */
void find_guarded_functions();
bool guarded_callee_p(tree function);           /* FUNCTION is called, */
bool guarded_countable_callee_p(tree function); /* is countable, and has a guard nevertheless */
void guard_bare_copies();
void make_guarded_parts();
unsigned inline_guarded_parts(function *fun);
/* counted-calls.cc */
engine_function counted_call_event(tree function);
void find_counted_calls(function *fun, hash_set<gimple *> *leaf_calls, hash_set<gimple *> *found);
/* serial.cc: functions that cannot spawn.  */
void find_serial_instrumented_functions();
bool serial_instrumented_function_p(tree function);
bool call_may_spawn_p(const gimple *statement);   /* it calls a function of the unit that is not serial */
bool serial_instrumented_callee_p(tree function); /* FUNCTION is called */
bool counts_bare_entries_p(tree function);        /* it counts how often it goes on in its bare copy */

/* counting.cc */
void count_calls_in_bare_copy(function *fun);
void count_calls_in_block(basic_block bb, tree function);
gimple_seq build_bare_entry_count(tree function);

/* counted-loops.cc: loops with a second body, in which iterations are counted.  */
bool add_counted_bodies(function *fun);
bool calling_loops_possible_p(function *fun); /* its serial loops may have second bodies */
void find_blocks_behind_marker(function *fun, marker which, hash_set<basic_block> *found);
gcall *build_marker_without_effect(marker which, tree result = NULL_TREE, tree argument = NULL_TREE);

/* bare.cc: called before and after the passes over one function.  */
void silence_bare_copy_warnings(void *, void *);
void restore_warnings_after_bare_copy(void *, void *);

/* copies.cc */
void copy_recursive_instrumented_functions();

/* mutexes.cc */
void insert_mutex_events_in_unit();         /* tells the engine when mutexes are locked and unlocked, */
void insert_mutex_events_in_counted_code(); /* also in counted code */

/* task-calls.cc */
void replace_task_call_markers_in_unit();               /* finds OpenMP tasks that are one call, and marks the calls */
bool task_marker_always_deferred_p(const gimple *mark); /* the marked task is never executed at once, nor final */

/* scopes.cc: where a statement is in the source, and the function that it was written in, which was inlined; NULL_TREE:
   it was not.  */
struct user_place {
  location_t place;
  tree function;
  bool at_call; /* PLACE is the call of the function, which is a library's */
};
user_place user_place_of_site_statement(const gimple *statement);

/* atomics.cc */
void note_atomic_updates(function *fun);                       /* called for each function, before its callers */
bool updates_atomically_p(tree function);                      /* it has atomic updates, as far as its code is known */
bool loop_updates_atomically_p(gimple *mark);                  /* the parallel loop that begins at MARK has them */
int inlining_depth_of_site_statement(const gimple *statement); /* the number of inlined calls around it */
tree innermost_inlined_function(const gimple *statement);
location_t location_at_inlining_depth(const gimple *statement, int deep);

/* records.cc: variables that stand for records, until load_records makes the code find them.  */
tree function_record(tree function);
/* TARGET is the callee if it may have no instrumentation and the record is to say so.  FACTS_KNOWN are flags of the
   site's description.  */
tree site_record(gimple *call, tree function, cilkprof_site_kind kind, tree target = NULL_TREE,
                 unsigned facts_known = 0);
tree serial_loop_record(gimple *mark, tree function);
tree lock_site_record(gimple *mark, tree function); /* for a lock that is treated like a leaf */
tree task_site_record(gimple *call, tree function, cilkprof_site_kind kind); /* for a task that is one call */
tree make_timing_point_record(bool uncounted);    /* whether the strands run code that is not counted */
tree call_counter(tree site);                     /* of calls in code without events */
/* counts calls of SITE in code without events */ /* a new record, for a place where timing of strands starts */
/* Stores in the record how much the function did since the last event, unless another value is there already.  Returns
   true if the record has this value.  */
bool store_work_in_site(tree site, unsigned HOST_WIDE_INT work);
void find_record_enterable_copies(); /* of functions: they represent their originals */

/* slots.cc */
void load_records(function *fun); /* makes its statements, which name records, read their slots */
void register_slots(const char *plugin);

/* loop-counts.cc: a loop whose instructions, and those of its inner loops, are counted at its entry.  */
struct counted_loop {
  class loop *loop;
  tree count;
};

/* calling-loops.cc: the place of the innermost serial loop around a call; UNKNOWN_LOCATION: there is none.  They are
   found once for a function, while GCC has its loops.  */
void find_loops_around_calls(function *fun);
location_t loop_around_call(gimple *call);
/* clocks.cc */
void find_clocks_around_calls(function *fun);
const char *clock_around_call(gimple *call);
bool serial_loop_p(class loop *loop); /* nothing in it is parallel */
bool loop_in_parallel_code_p(class loop *loop);

/* loops-without-events.cc */
bool serial_loops_are_sites_p(function *fun);            /* its loops without events are sites if they run long */
bool frame_for_serial_loops_p(function *fun);            /* it has a frame for their sake */
bool loop_worth_events_p(class loop *loop);              /* it has none, and may run long */
gimple *statement_at_serial_loop_head(class loop *loop); /* the one that says best where it is, or NULL */
/* Finds the outermost loops; if DIVIDING, long loops of inlined functions in place of the loop around them.  */
void find_loops_without_events(class loop *outer, small_locks *locks, bool dividing, vec<class loop *> *found);

/* strands.cc: which strands of a function are timed in hybrid mode, and not only counted.  */
struct timed_parts {
  auto_vec<class loop *> loops;          /* a strand that enters one of these is timed */
  hash_set<basic_block> blocks;          /* the blocks of these loops */
  auto_vec<counted_loop> counted;        /* those of these loops that are counted as a whole */
  hash_set<basic_block> counted_blocks;  /* their blocks, and those of loops whose iterations are counted */
  hash_map<basic_block, int> iterations; /* the headers of the latter, and the instructions of an iteration */
  bool uncounted = false;                /* some strand is timed because of a statement with runs_uncounted_code_p */
  /* Returns true if any strand of the function is timed.  */
  bool any_strand_timed_p() const {
    return uncounted || loops.length();
  }
};
void find_timed_strand_parts(function *fun, small_locks *locks, hash_set<basic_block> *counted, bool dividing,
                             timed_parts *found);
void find_counted_loops(timed_parts *timed);
tree build_strand_loop_instruction_count(const counted_loop &counted, gimple_seq *statements);

/* following.cc: calls after which one event serves for two.  */
struct calls_followed {
  hash_set<gimple *> by_event;        /* calls of instrumented functions that an event follows before any other call */
  hash_set<gimple *> by_call;         /* foreign calls that a near call with an event follows */
  hash_set<basic_block> pads_by_call; /* landing pads that such a call follows */
  hash_set<gimple *> passed_frame;    /* these following calls, whose event is passed the frame */
};
void find_calls_sharing_next_event(function *fun, bool by_calls, hash_set<gimple *> *leaf_calls,
                                   hash_set<gimple *> *counted, calls_followed *found);
bool landing_pad_event_block_p(basic_block bb);
bool jump_receiver_event_block_p(basic_block bb); /* control arrives there by a jump, not by an exception */

/* link.cc */
void require_engine_at_link(const char *plugin);

/* loops.cc */
bool has_iteration_markers_p(function *fun); /* of a cilk_for */

/* The passes: events.cc, loops.cc, prepare.cc, instrument.cc.  */
opt_pass *make_event_dropping_pass();
opt_pass *make_iteration_pass();
opt_pass *make_preparing_pass();
opt_pass *make_instrumenting_pass();
extern bool cleaning; /* the function's events were inlined, and clean-up passes must follow */

#endif
