/* Variables of the program of which every thread has its own: threadprivate, __thread, thread_local.
   SPDX-License-Identifier: MIT

   The fibers of a team are one thread, which has one of each.  So a fiber that is left takes their values with it, and
   gets them back when it goes on: their addresses stay the same.  The first fiber begins with the values that the
   thread has, others with what their predecessor of the same number had in the last team of that size, or else with the
   initial values.  */

#include <stddef.h>
#include <string.h>

#include "libcilkprof/engine/memory.h"
#include "libcilkprof/engine/teams/teams.h"

/* A variable of the thread.  */
struct thread_variable {
  struct thread_variable *next; /* made before this one */
  char *address;
  size_t bytes;
  size_t offset;    /* in what a fiber keeps */
  int is_copied_in; /* all threads of the next team begin with the value of the first one */
  char initial[];
};

static struct thread_variable *variables; /* of the thread that began the program, the last one first */
static size_t variables_bytes;            /* of all of them */
static const void *variables_thread;      /* the state of that thread */

extern EXPORT void __cilkprof_omp_thread_variable(void *address, uint64_t bytes);
extern EXPORT void __cilkprof_omp_copyin(const void *address);

/* Returns the variable at ADDRESS; NULL: it is not known.  */
static struct thread_variable *find_team_variable(const void *address) {
  struct thread_variable *variable = variables;
  while (variable && variable->address != address)
    variable = variable->next;
  return variable;
}

/* Notes the variable of this thread with BYTES at ADDRESS, before it is first used.  Constructors of the program call
   this, in units that may define the same variable.  */
void __cilkprof_omp_thread_variable(void *address, uint64_t bytes) {
  if (find_team_variable(address) || (variables && variables_thread != &THREAD))
    return;
  struct thread_variable *made = __cilkprof_allocate(sizeof *made + bytes);
  if (!made)
    return;
  *made = (struct thread_variable){variables, address, bytes, variables_bytes, 0};
  memcpy(made->initial, address, bytes);
  variables = made;
  variables_bytes += bytes;
  variables_thread = &THREAD;
}

/* Tells that the region that begins next copies the variable at ADDRESS from its first thread to all others.  */
void __cilkprof_omp_copyin(const void *address) {
  struct thread_variable *variable = find_team_variable(address);
  if (variable)
    variable->is_copied_in = 1;
}

void __cilkprof_team_forget_copyin(void) {
  for (struct thread_variable *variable = variables; variable; variable = variable->next)
    variable->is_copied_in = 0;
}

/* Returns whether FIBER has room for the values of variables that belong to the thread that runs now.  */
static int keeps_fiber_variables(const struct team_fiber *fiber) {
  return fiber->variables && variables_thread == &THREAD;
}

/* Makes room in FIBER for all variables that are known, with the initial values of those that it does not have yet, or
   of all if ANEW.  Returns 0, or -1 if there is no memory.  */
static int give_fiber_variables(struct team_fiber *fiber, int anew) {
  char *values = fiber->variables;
  if (fiber->variables_bytes < variables_bytes) {
    if (!(values = __cilkprof_allocate(variables_bytes)))
      return -1;
    if (fiber->variables)
      memcpy(values, fiber->variables, fiber->variables_bytes);
  }
  for (const struct thread_variable *variable = variables; variable; variable = variable->next)
    if (anew || variable->offset >= fiber->variables_bytes)
      memcpy(values + variable->offset, variable->initial, variable->bytes);
  fiber->variables = values;
  fiber->variables_bytes = variables_bytes;
  return 0;
}

int __cilkprof_team_begin_variables(struct team *team) {
  if (!variables || variables_thread != &THREAD)
    return 0;
  for (uint64_t i = 0; i < team->threads; i++) {
    struct team_fiber *fiber = &team->fibers[i];
    if (give_fiber_variables(fiber, team->outer != NULL) < 0)
      return -1;
    for (const struct thread_variable *variable = variables; variable; variable = variable->next)
      if (i == 0 || variable->is_copied_in)
        memcpy(fiber->variables + variable->offset, variable->address, variable->bytes);
  }
  __cilkprof_team_forget_copyin();
  return 0;
}

void __cilkprof_fiber_leaves_variables(struct team_fiber *fiber) {
  if (!keeps_fiber_variables(fiber))
    return;
  for (const struct thread_variable *variable = variables; variable; variable = variable->next)
    if (variable->offset < fiber->variables_bytes)
      memcpy(fiber->variables + variable->offset, variable->address, variable->bytes);
}

void __cilkprof_fiber_takes_variables(const struct team_fiber *fiber) {
  if (!keeps_fiber_variables(fiber))
    return;
  for (const struct thread_variable *variable = variables; variable; variable = variable->next)
    if (variable->offset < fiber->variables_bytes)
      memcpy(variable->address, fiber->variables + variable->offset, variable->bytes);
}
