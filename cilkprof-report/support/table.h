/* A hash table of the elements of an array.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_TABLE_H
#define CILKPROF_REPORT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Starts as {0}.  It knows the places of the elements in their array, not the elements.  */
struct table {
  struct table_slot *slots;
  size_t slot_count, used;
};

#define TABLE_NONE SIZE_MAX

/* The place of the element for which EQUAL holds, or NEXT: then KEY is from now on the element at place NEXT.  With
   NEXT TABLE_NONE nothing is added.  */
size_t table_find(struct table *table, uint64_t hash, bool (*equal)(const void *array, size_t place, const void *key),
                  const void *array, const void *key, size_t next);

/* Frees what it knows; nothing may be looked up any more.  */
void table_forget(struct table *table);

#endif
