/* Libraries that were linked without -fcilkprof, as libtool does it: records.c is not in them, so the engine makes
   their records, and keeps what is known of them when they are unloaded.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/engine/memory.h"
#include "libcilkprof/engine/profile/output.h"
#include "libcilkprof/engine/profile/slots.h"
#include "libcilkprof/engine/span/counted_sums.h"

extern EXPORT void __cilkprof_load(union slot *start, union slot *end);
extern EXPORT void __cilkprof_close(union slot *start, union slot *end);
extern EXPORT void __cilkprof_records_add(char *start, char *end);
extern EXPORT void __cilkprof_unload(const void *inside, char *records, char *records_end);

/* An object whose records the engine made.  */
struct loaded {
  struct loaded *next;
  const union slot *slots; /* NULL: it was unloaded */
  char *records, *records_end;
};
static struct loaded *objects;

/* Returns the object whose slots begin at SLOTS, if the engine made its records, or one that was unloaded if SLOTS is
   NULL; else NULL.  */
static struct loaded *find_loaded_object(const union slot *slots) {
  struct loaded *object = objects;
  while (object && object->slots != slots)
    object = object->next;
  return object;
}

/* Notes that the engine made the records MADE of an object with SLOTS.  Without memory for that, they stay when the
   object is unloaded, and the profile lacks its name.  */
static void note_loaded_object(const union slot *slots, struct slot_records made) {
  struct loaded *object = find_loaded_object(NULL);
  if (!object) {
    object = __cilkprof_allocate(sizeof *object);
    if (!object)
      return;
    object->next = objects;
    objects = object;
  }
  object->slots = slots;
  object->records = made.start;
  object->records_end = made.end;
}

/* Makes the records of an object with slots START to END, unless they have been made, and adds them to the live file.
   A constructor of every instrumented object calls this (cc/back/slots.cc).  */
void __cilkprof_load(union slot *start, union slot *end) {
  struct slot_records made = make_slot_records(start, end, &__cilkprof_outside);
  if (!made.start)
    return;
  note_loaded_object(start, made);
  __cilkprof_records_add(made.start, made.end);
  __cilkprof_sites_add(made.sites, made.sites_end);
}

/* Keeps the sites of the object with slots START to END, which is unloaded, if the engine made its records.  A
   destructor of every instrumented object calls this; that of an executable does when the program ends.  */
void __cilkprof_close(union slot *start, union slot *end) {
  (void)end;
  struct loaded *object = find_loaded_object(start);
  if (!object || __cilkprof_profile_object_address(start).object == 0)
    return;
  object->slots = NULL;
  __cilkprof_unload(start, object->records, object->records_end);
}
