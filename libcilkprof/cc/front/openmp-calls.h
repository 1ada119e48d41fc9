/* Declarations that the openmp-*.cc files share, for replacing calls of libgomp by serial code.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_CC_OPENMP_CALLS_H
#define CILKPROF_CC_OPENMP_CALLS_H

/* openmp.cc */
void note_omp_threads_ignored();

/* openmp-questions.cc: returns true if CALLEE, which may be NULL_TREE, tells a thread its number, or how many there
   are.  */
bool asks_for_omp_thread_p(tree callee);
/* Returns true if CALL is one by which a thread lets others go on that it waits for: what GCC has made of a flush, or a
   function that gives the processor away.  */
bool lets_omp_threads_run_p(tree call);
/* Returns true if REGION, a parallel one, needs a team: its code divides work by the numbers of threads, or waits for
   other threads.  Where constructs divide the work, the number of a thread may only be that of a place for its results.
   Sections that may wait for each other ask for nothing: here the region is made to ask how many threads it has.  */
bool make_omp_region_ask_for_team_p(tree region);

/* Which parallel regions of a unit are run by a team of fibers, because their code looks at the numbers of threads
   (openmp-teams.cc).  */
class team_finder {
public:
  void find_omp_teams();
  /* Returns true if FUNCTION, an outlined body, or what it calls in this unit, looks at the number of its thread.  */
  bool looks_at_omp_thread_p(tree function) {
    return looking.contains(function);
  }
  /* Returns true if FUNCTION is part of a region that one thread runs for all of a team.  */
  bool runs_for_whole_omp_team_p(tree function) {
    return serial.contains(function);
  }
  /* Returns true if the unit has regions that are run by teams.  */
  bool has_omp_teams_p() {
    return !looking.is_empty();
  }
  /* Returns true if the unit has regions, none of which are run by teams.  */
  bool has_only_plain_omp_regions_p() {
    return looking.is_empty() && !serial.is_empty();
  }

private:
  hash_set<tree> looking, serial;
  bool find_omp_thread_number_p(function *fun);
  void add_serial_omp_bodies(tree function);
};

/* Processes the functions of one translation unit.  */
class serial_maker {
public:
  serial_maker();
  void make_omp_function_serial(cgraph_node *node);
  /* Tells the user what the profile of the unit leaves out.  */
  void note_what_omp_ignores() {
    if (!teams.has_omp_teams_p())
      note_omp_threads_ignored();
  }

private:
  team_finder teams;
  hash_set<tree> awaited;  /* volatile variables for which threads wait */
  bool shared;             /* threads of a team may run the current function, each with its part of the work */
  bool reducing;           /* some task has a reduction, so the taskgroups of libgomp are kept */
  bool ended;              /* a basic block of the current function was split */
  hash_set<gimple *> kept; /* calls of libgomp that must not be replaced */

  hash_map<tree, tree> sections; /* the number of sections, by the variable that says which is next */
  tree memory; /* a variable for the memory of the function's work shares; NULL_TREE if none has any */

  bool replace_libgomp_statement(gimple_stmt_iterator *at);
  bool call_omp_region_body(gimple_stmt_iterator *at, gcall *region);
  /* openmp-shares.cc */
  void collect_omp_section_counts(function *fun);
  bool replace_omp_work_share_call(gimple_stmt_iterator *at, gcall *call, built_in_function which);
  void replace_omp_loop_start(gimple_stmt_iterator *at, gcall *call);
  void replace_omp_doacross_start(gimple_stmt_iterator *at, gcall *call, bool shares, tree type);
  void replace_omp_sections_start(gimple_stmt_iterator *at, gcall *call);
  void replace_omp_sections_next(gimple_stmt_iterator *at, gcall *call);
  void replace_omp_scope_start(gimple_stmt_iterator *at, gcall *call);
  void begin_omp_work_share(gimple_seq *all, tree reductions, tree needed);
  void allocate_omp_share_memory(gimple_seq *all, tree address);
  void release_omp_share_memory(gimple_stmt_iterator *at);
  void begin_omp_region_reduction(gimple_seq *all, gcall *region);
  void end_omp_region_reduction(gimple_seq *all, gcall *region);
  /* openmp-teams.cc */
  void run_omp_region_by_team(gimple_seq *all, gcall *region, tree function, tree threads);
  bool replace_team_call(gimple_stmt_iterator *at, gcall *call, built_in_function which);
  bool replace_team_loop_call(gimple_stmt_iterator *at, gcall *call, const char *name);
  void replace_omp_critical_call(gimple_stmt_iterator *at, gcall *call, built_in_function which);
  void replace_team_sections_call(gimple_stmt_iterator *at, gcall *call, bool first);
  void replace_omp_set_lock_calls(function *fun);
  /* openmp-tasks.cc */
  bool replace_omp_task(gimple_stmt_iterator *at, gcall *task);
  bool replace_omp_taskloop(gimple_stmt_iterator *at, gcall *loop);
  bool replace_omp_taskgroup(gimple_stmt_iterator *at, gcall *call, marker which);
  void begin_omp_task_reduction(gimple_seq *all, tree what);
  void add_kept_libgomp_call(gimple_seq *all, enum built_in_function which);
};

/* openmp-gimple.cc */
tree declare_omp_engine_function(const char *name, tree type); /* a declaration of it */
tree declare_omp_marker(marker which, tree type);
gcall *build_omp_plain_marker(marker which, location_t where);
gcall *build_omp_number_marker(marker which, tree number, location_t where);
tree omp_outlined_function_argument(gcall *call, unsigned index); /* NULL_TREE if the argument is not a function */
void inline_omp_body_again(tree function); /* the only call is where GCC outlined it, so inline it whatever its size */
void add_omp_body_call(gimple_seq *all, tree function, tree data, location_t where); /* a call that is inlined */
location_t libgomp_call_location(gcall *call, tree function);
tree omp_gimple_count_value(gimple_seq *before, tree value);
void replace_libgomp_call_by_value(gimple_stmt_iterator *at, gcall *call, int value);
tree omp_gimple_memory_at(gimple_seq *before, tree address, tree type);   /* the object at ADDRESS */
tree load_omp_gimple_memory(gimple_seq *before, tree address, tree type); /* its value, in a variable */

/* openmp-detach.cc: creates the event of a detached task, and waits for events.  DEPEND is the argument of libgomp for
   AWAIT_DEPEND, else null.  The engine uses the same numbers.  */
enum awaited { AWAIT_CHILDREN, AWAIT_GROUP, AWAIT_ALL, AWAIT_DEPEND };
void begin_detached_omp_task(gimple_seq *all, gcall *task);
void await_detached_omp_events(gimple_seq *all, awaited what, tree depend);
void await_detached_omp_events(gimple_stmt_iterator *before, awaited what);

/* openmp-locks.cc: marks the code of FUN that holds a lock.  Returns true if there is any.  */
bool mark_omp_locks(function *fun);

/* openmp-teams.cc: makes CALL a call of the engine's function NAME, with the same arguments.  */
void call_engine_instead_of_libgomp(gcall *call, const char *name);
/* Inserts, before the statement AT, the point at which threads of a team take turns.  */
void take_omp_turns_before(gimple_stmt_iterator *at);

/* openmp-threads.cc */
void tell_engine_of_omp_thread_variables();
void find_volatile_omp_flags(function *fun, hash_set<tree> *found);
bool tell_engine_of_omp_flags(function *fun, bool written, hash_set<tree> *awaited);
bool waits_for_omp_flags_p(function *fun);
bool surely_waits_for_omp_thread_p(gimple *statement);
void forget_omp_flags(function *fun);

/* openmp-tasks.cc */
void replace_omp_wait(gimple_stmt_iterator *at, gcall *call, bool barrier);
void replace_omp_taskwait_depend(gimple_stmt_iterator *at, gcall *call);

#endif
