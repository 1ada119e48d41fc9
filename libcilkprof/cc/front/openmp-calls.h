/* Declarations that the openmp-*.cc files share, for replacing calls of libgomp by serial code.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_CC_OPENMP_CALLS_H
#define CILKPROF_CC_OPENMP_CALLS_H

/* Processes the functions of one translation unit.  */
class serial_maker {
public:
  serial_maker();
  void run(cgraph_node *node);

private:
  bool reducing;           /* some task has a reduction, so the taskgroups of libgomp are kept */
  bool ended;              /* a basic block of the current function was split */
  hash_set<gimple *> kept; /* calls of libgomp that must not be replaced */

  hash_map<tree, tree> sections; /* the number of sections, by the variable that says which is next */
  tree memory; /* a variable for the memory of the function's work shares; NULL_TREE if none has any */

  bool statement(gimple_stmt_iterator *at);
  bool call_body(gimple_stmt_iterator *at, gcall *region);
  /* openmp-shares.cc */
  void find_sections(function *fun);
  bool make_share(gimple_stmt_iterator *at, gcall *call, built_in_function which);
  void start_loop(gimple_stmt_iterator *at, gcall *call);
  void start_doacross(gimple_stmt_iterator *at, gcall *call, bool shares, tree type);
  void start_sections(gimple_stmt_iterator *at, gcall *call);
  void next_section(gimple_stmt_iterator *at, gcall *call);
  void start_scope(gimple_stmt_iterator *at, gcall *call);
  void begin_share(gimple_seq *all, tree reductions, tree needed);
  void get_memory(gimple_seq *all, tree address);
  void release_memory(gimple_stmt_iterator *at);
  void begin_region_reduction(gimple_seq *all, gcall *region);
  void end_region_reduction(gimple_seq *all, gcall *region);
  /* openmp-tasks.cc */
  bool make_task(gimple_stmt_iterator *at, gcall *task);
  bool make_taskloop(gimple_stmt_iterator *at, gcall *loop);
  bool make_group(gimple_stmt_iterator *at, gcall *call, marker which);
  void begin_reduction(gimple_seq *all, tree what);
  void add_kept(gimple_seq *all, enum built_in_function which);
};

/* openmp-gimple.cc */
tree engine_function(const char *name, tree type); /* a declaration of it */
tree marker_decl(marker which, tree type);
gcall *plain_marker(marker which, location_t where);
gcall *number_marker(marker which, tree number, location_t where);
tree function_argument(gcall *call, unsigned index); /* NULL_TREE if the argument is not a function */
void inline_again(tree function); /* the only call is where GCC outlined it, so inline it whatever its size */
location_t place_of(gcall *call, tree function);
tree as_count(gimple_seq *before, tree value);
void replace_by_value(gimple_stmt_iterator *at, gcall *call, int value);
tree at_address(gimple_seq *before, tree address, tree type); /* the object at ADDRESS */
tree loaded(gimple_seq *before, tree address, tree type);     /* its value, in a variable */

/* openmp-detach.cc: creates the event of a detached task, and waits for events.  DEPEND is the argument of libgomp for
   AWAIT_DEPEND, else null.  The engine uses the same numbers.  */
enum awaited { AWAIT_CHILDREN, AWAIT_GROUP, AWAIT_ALL, AWAIT_DEPEND };
void begin_detached(gimple_seq *all, gcall *task);
void await_events(gimple_seq *all, awaited what, tree depend);
void await_events(gimple_stmt_iterator *before, awaited what);

/* openmp-locks.cc: marks the code of FUN that holds a lock.  Returns true if there is any.  */
bool mark_locks(function *fun);

/* openmp-tasks.cc */
void wait_here(gimple_stmt_iterator *at, gcall *call, bool barrier);
void wait_for_dependences(gimple_stmt_iterator *at, gcall *call);

#endif
