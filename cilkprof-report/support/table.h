/* A hash table of the elements of an array.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_TABLE_H
#define CILKPROF_REPORT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Contains the indices of the elements in their array, not the elements.  Initially {0}.  */
struct table {
  struct table_slot *slots;
  size_t slot_count, used;
};

#define TABLE_NONE SIZE_MAX

/* Returns the index of the element for which EQUAL holds.  If there is none, adds KEY as the element at index NEXT,
   unless NEXT is TABLE_NONE, and returns NEXT.  */
size_t hash_table_find(struct table *table, uint64_t hash,
                       bool (*equal)(const void *array, size_t place, const void *key), const void *array,
                       const void *key, size_t next);

/* Frees the table.  */
void hash_table_free(struct table *table);

#endif
