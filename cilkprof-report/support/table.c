/* A hash table of the elements of an array: open addressing, linear probing.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include "cilkprof-report/support/support.h"
#include "cilkprof-report/support/table.h"

/* Half of the hash is enough: EQUAL resolves collisions.  */
struct table_slot {
  uint32_t hash, place; /* index plus one; 0: the slot is empty */
};

/* Doubles the slots of the table and inserts all of its elements again.  */
static void enlarge_hash_table(struct table *table) {
  struct table larger = {.slot_count = table->slot_count > 0 ? 2 * table->slot_count : 256, .used = table->used};
  larger.slots = allocate(larger.slot_count, sizeof *larger.slots);
  for (size_t i = 0; i < table->slot_count; i++) {
    if (table->slots[i].place == 0)
      continue;
    size_t at = table->slots[i].hash & (larger.slot_count - 1);
    while (larger.slots[at].place != 0)
      at = (at + 1) & (larger.slot_count - 1);
    larger.slots[at] = table->slots[i];
  }
  free(table->slots);
  *table = larger;
}

size_t hash_table_find(struct table *table, uint64_t hash,
                       bool (*equal)(const void *array, size_t place, const void *key), const void *array,
                       const void *key, size_t next) {
  if (2 * table->used >= table->slot_count)
    enlarge_hash_table(table);
  uint32_t half = (uint32_t)hash; /* hash_add mixes the other half into it */
  size_t mask = table->slot_count - 1, at = half & mask;
  for (; table->slots[at].place != 0; at = (at + 1) & mask)
    if (table->slots[at].hash == half && equal(array, table->slots[at].place - 1, key))
      return table->slots[at].place - 1;
  if (next != TABLE_NONE) {
    if (next >= UINT32_MAX)
      fail("profiles", "they have more than 4 billion call sites");
    table->slots[at] = (struct table_slot){half, (uint32_t)next + 1};
    table->used++;
  }
  return next;
}

/* Frees the slots of the table and leaves it empty.  */
void hash_table_free(struct table *table) {
  free(table->slots);
  *table = (struct table){0};
}
