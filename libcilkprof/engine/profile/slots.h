/* Makes the records of an object that is loaded, from its slots (abi/slots.h).
   SPDX-License-Identifier: MIT

   This is compiled into every instrumented object (engine/profile/records.c), where it runs while the object is being
   relocated: it calls nothing, not even libc.  It is also in the engine, for objects that were linked without that.  */

#ifndef CILKPROF_PROFILE_SLOTS_H
#define CILKPROF_PROFILE_SLOTS_H

#include <stddef.h>
#include <stdint.h>

#include "libcilkprof/abi/slots.h"
#include "libcilkprof/abi/state.h"
#include "libcilkprof/engine/places.h"

union slot {
  struct {
    uint8_t kind, flags, more_flags, unused;
    union {
      uint32_t work;
      int32_t distance; /* from here */
    };
  };
  void *record;
};

/* Memory that holds records, and the sites among them.  */
struct slot_records {
  char *start, *end;
  struct __cilkprof_site *sites, *sites_end;
};

/* Maps BYTES of zeroed memory for records, in parallel runs in the first place that is free.  Returns NULL if there is
   none.  */
static inline char *map_records(size_t bytes) {
#ifdef __CILKPROF_PARALLEL
  for (uint64_t i = 0; i < RECORD_PLACES && bytes <= RECORDS_PLACE * (RECORD_PLACES - i); i++) {
    char *at = map_records_at(RECORDS_FIRST + i * RECORDS_PLACE, bytes);
    if (at)
      return at;
  }
#endif
  return map_records_at(0, bytes);
}

/* Returns the size of the record of SLOT, a multiple of that of a cache line; 0 if it has none.  */
static inline size_t slot_record_size(const union slot *slot) {
  size_t size = slot->kind == __CILKPROF_SLOT_FUNCTION ? sizeof(struct __cilkprof_function)
                : slot->kind == __CILKPROF_SLOT_SITE   ? sizeof(struct __cilkprof_site)
                : slot->kind == __CILKPROF_SLOT_POINT  ? sizeof(struct __cilkprof_timing_point)
                                                       : 0;
  return (size + __CILKPROF_LINE - 1) / __CILKPROF_LINE * __CILKPROF_LINE;
}

/* Returns what the distance in WORD leads to.  */
static inline void *slot_record_distance_target(union slot *word) {
  return (char *)&word->distance + word->distance;
}

/* Returns the address that WORD, the one after a slot, stands for, and clears it; NULL if it is a word of another
   kind.  */
static inline const void *take_slot_record_address(union slot *word) {
  const void *address = word->kind == __CILKPROF_SLOT_ADDRESS      ? slot_record_distance_target(word)
                        : word->kind == __CILKPROF_SLOT_ADDRESS_AT ? *(void **)slot_record_distance_target(word)
                                                                   : NULL;
  if (address)
    word->record = NULL;
  return address;
}

/* Makes the record of the function of SLOT at AT.  OUTSIDE is the caller of functions that code without instrumentation
   calls.  */
static inline void make_function_record(union slot *slot, struct __cilkprof_function *at,
                                        struct __cilkprof_function *outside) {
  at->mode = *(const __cilkprof_u64 **)slot_record_distance_target(slot);
  at->outside.flags = slot->flags;
  if (slot->more_flags & __CILKPROF_SLOT_COUNTABLE >> 8)
    at->outside.flags |= (__cilkprof_u64)1 << __CILKPROF_SITE_COUNTABLE;
  if (slot->more_flags & __CILKPROF_SLOT_COMPARES >> 8)
    at->outside.flags |= (__cilkprof_u64)1 << __CILKPROF_SITE_COMPARES;
  at->address = take_slot_record_address(slot + 1);
  if (at->address) {
    at->outside.function = outside;
    at->outside.description = slot;
  }
  slot->record = at;
}

/* Makes the record of the site of SLOT at AT, for a call by FUNCTION.  */
static inline void make_site_record(union slot *slot, struct __cilkprof_site *at,
                                    struct __cilkprof_function *function) {
  at->flags = slot->flags | (__cilkprof_u64)slot->work << __CILKPROF_SITE_WORK;
  at->function = function;
  at->description = slot;
  at->target = take_slot_record_address(slot + 1);
  slot->record = at;
}

/* Makes the records of the functions in slots START to END, one after the other from AT on.  Returns where they end.
   They come first, because sites of any slots refer to them.  */
static inline char *make_function_records(union slot *start, union slot *end, char *at,
                                          struct __cilkprof_function *outside) {
  for (union slot *slot = start; slot < end; slot++)
    if (slot->kind == __CILKPROF_SLOT_FUNCTION) {
      size_t size = slot_record_size(slot);
      make_function_record(slot, (struct __cilkprof_function *)at, outside);
      at += size;
    }
  return at;
}

/* Makes the records of the sites in slots START to END, one after the other from AT on.  Those of functions have been
   made.  Returns where they end.  */
static inline struct __cilkprof_site *make_site_records(union slot *start, union slot *end,
                                                        struct __cilkprof_site *at) {
  struct __cilkprof_function *function = NULL;
  for (union slot *slot = start; slot < end; slot++)
    if (!(slot->kind & __CILKPROF_SLOT_KIND) && slot->record)
      function = slot->record;
    else if (slot->kind == __CILKPROF_SLOT_OWNER) {
      function = ((union slot *)slot_record_distance_target(slot))->record;
      slot->record = NULL;
    } else if (slot->kind == __CILKPROF_SLOT_SITE)
      make_site_record(slot, at++, function);
  return at;
}

/* Makes the records of the timing points in slots START to END, one after the other from AT on.  */
static inline void make_point_records(union slot *start, union slot *end, char *at) {
  for (union slot *slot = start; slot < end; slot++)
    if (slot->kind == __CILKPROF_SLOT_POINT) {
      size_t size = slot_record_size(slot);
      ((struct __cilkprof_timing_point *)at)->varies = slot->flags & __CILKPROF_SLOT_VARIES;
      slot->record = at;
      at += size;
    }
}

/* Makes the records of slots START to END of an object, unless they have been made.  OUTSIDE is the caller of functions
   that code without instrumentation calls.  Returns where they are: nowhere if there are none.  Without memory, the
   object cannot run, and the system ends the program as at any place where it has none.  */
static inline struct slot_records make_slot_records(union slot *start, union slot *end,
                                                    struct __cilkprof_function *outside) {
  struct slot_records made = {NULL, NULL, NULL, NULL};
  size_t size = 0;
  for (const union slot *slot = start; slot < end; slot++)
    size += slot_record_size(slot);
  size = (size + 65535) / 65536 * 65536; /* whole pages, of any size */
  if (size == 0)
    return made;
  made.start = map_records(size);
  if (!made.start)
    __builtin_trap();
  made.end = made.start + size;
  made.sites = (struct __cilkprof_site *)make_function_records(start, end, made.start, outside);
  made.sites_end = make_site_records(start, end, made.sites);
  make_point_records(start, end, (char *)made.sites_end);
  return made;
}

#endif
