/* Linked into every instrumented executable and library: makes its records, tells the engine where they are and when
   the object is unloaded, and asks whether its functions are to run without events.
   SPDX-License-Identifier: MIT

   Functions of an object may run before any of its constructors: an allocator is called by the dynamic linker itself.
   So the records are made when the object is relocated, by the resolver of an indirect function.  */

#include "libcilkprof/engine/profile/slots.h"

#define HIDDEN __attribute__((visibility("hidden")))

extern void __cilkprof_records_add(char *start, char *end);
extern int __cilkprof_reference_start(void) __attribute__((weak)); /* missing where a tool replaces the engine */
extern void __cilkprof_sites_add(void *begin, void *end) __attribute__((weak));
extern void __cilkprof_unload(const void *inside, char *start, char *end);
extern struct __cilkprof_function __cilkprof_outside;
extern union slot __start_cilkprof_slots[] HIDDEN, __stop_cilkprof_slots[] HIDDEN;
extern void *const __dso_handle HIDDEN; /* 0 in an executable */

/* Makes the section exist in objects without records.  It has no kind.  */
static union slot none __attribute__((section("cilkprof_slots"), used));

/* Whether functions are to run without events.  Functions that other code can enter check it (cc/back/bare.cc).  */
extern int __cilkprof_bare __attribute__((visibility("hidden"), weak)); /* defined in every unit */
int __cilkprof_bare;

static struct slot_records records;

/* Makes the records of this object, unless they have been made.  */
static void make_records(void) {
  if (!records.start)
    records = make_slot_records(__start_cilkprof_slots, __stop_cilkprof_slots, &__cilkprof_outside);
}

/* Makes the records while this object is relocated.  Returns a function, as a resolver must.  */
static __attribute__((used)) void (*resolve_records(void))(void) {
  make_records();
  return make_records;
}

static void make_records_early(void) __attribute__((ifunc("resolve_records")));
/* Because of its value, and because LOAD uses it, the resolver is called.  */
static void (*volatile relocated)(void) = make_records_early;

/* Tells the engine where the records of this executable or library are, and asks whether its functions are to run
   without events.  Runs before the program's own constructors.  */
static __attribute__((constructor(101))) void register_profile_records(void) {
  relocated();
  __cilkprof_bare = __cilkprof_reference_start && __cilkprof_reference_start();
  if (!records.start)
    return;
  __cilkprof_records_add(records.start, records.end);
  if (__cilkprof_sites_add)
    __cilkprof_sites_add(records.sites, records.sites_end);
}

/* Tells the engine that this library is unloaded.  Runs after the library's own destructors: the one with the lowest
   priority number is last.  An executable is never unloaded.  */
static __attribute__((destructor(101))) void unregister_profile_records(void) {
  if (__dso_handle)
    __cilkprof_unload(&none, records.start, records.end);
}
