/* Calls of libgomp, made serial: what the parts of that share.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_CC_OPENMP_CALLS_H
#define CILKPROF_CC_OPENMP_CALLS_H

/* The functions of one unit.  */
class serial_maker {
public:
  serial_maker();
  void run(cgraph_node *node);

private:
  bool reducing;           /* tasks reduce: libgomp's taskgroups are needed for that, and stay */
  bool ended;              /* a block of the function that is looked at now ends elsewhere */
  hash_set<gimple *> kept; /* calls of libgomp */

  hash_map<tree, tree> sections; /* how many there are, by the variable that says which is the next */

  bool statement(gimple_stmt_iterator *at);
  void find_sections(function *fun);
  void next_section(gimple_stmt_iterator *at, gcall *call);
  /* openmp-tasks.cc */
  bool make_task(gimple_stmt_iterator *at, gcall *task);
  bool make_taskloop(gimple_stmt_iterator *at, gcall *loop);
  bool make_group(gimple_stmt_iterator *at, gcall *call, marker which);
  void add_kept(gimple_seq *all, enum built_in_function which);
};

/* openmp-calls.cc */
tree marker_decl(marker which, tree type);
gcall *plain_marker(marker which, location_t where);
tree function_argument(gcall *call, unsigned index); /* NULL_TREE: it is none */
void inline_again(tree function);                    /* which is called once, where it was made, whatever its size */
location_t place_of(gcall *call, tree function);
tree as_count(gimple_seq *before, tree value);

/* openmp-locks.cc: marks what FUN does while it holds a lock.  Returns whether there is any.  */
bool mark_locks(function *fun);

/* openmp-tasks.cc */
gcall *task_marker(gimple_seq *before, const char *construct, location_t where, tree deferred, tree flags, tree depend);

#endif
