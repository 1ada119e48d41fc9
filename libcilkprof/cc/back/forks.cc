/* Forks: functions that neither fork nor join have no events (-fcilkprof-forks).
   SPDX-License-Identifier: GPL-3.0-or-later

   In code that does not fork, work is span, and nothing in it moves the critical path.  So it is compiled as without
   -fcilkprof, and is part of the strand of what calls it; samples tell what is in it.  A call of it may still reach a
   function that forks: that one enters as if foreign code had called it (libcilkprof/engine/control/charged.c).

   Other units may have another copy of an inline function, in which more or less was inlined.  So calls of functions
   that forked in this unit do not rely on it where the linker chooses.  */

#include "back.h"

static hash_set<tree> *without_forks; /* functions of the unit that neither fork nor join */
static hash_set<tree> *forking;       /* those of them that may call functions that do */

/* Returns the function of this unit that FUNCTION, which is called, is another name of; NULL_TREE if there is none, or
   if the program may have another in its place.  */
static tree called_function_of_unit(tree function) {
  cgraph_node *node = function ? cgraph_node::get(function) : NULL;
  enum availability known;
  node = node ? node->ultimate_alias_target(&known) : NULL;
  return node && known > AVAIL_INTERPOSABLE ? node->decl : NULL_TREE;
}

/* Returns true if FUNCTION, which is called, has a body in this unit that neither forks nor joins.  */
bool callee_without_forks_p(tree function) {
  return without_forks && without_forks->contains(called_function_of_unit(function));
}

/* Returns true if a call of FUNCTION, which neither forks nor joins, may reach one that does.  */
bool callee_may_reach_fork_p(tree function) {
  return forking->contains(called_function_of_unit(function));
}

/* Starts with no such functions, when the unit is prepared.  */
void start_finding_forks() {
  without_forks = new hash_set<tree>;
  forking = new hash_set<tree>;
}

/* Notes that FUNCTION neither forks nor joins; that calls of it may reach a function that does.  */
void note_function_without_forks(tree function) {
  without_forks->add(function);
}
void note_way_to_fork(tree function) {
  forking->add(function);
}

/* Returns true if it was noted that calls of FUNCTION may reach a function that forks, also where the program may have
   another one in its place.  */
bool way_to_fork_noted_p(tree function) {
  return forking->contains(function);
}
