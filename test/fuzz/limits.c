/* The memory of the code under test, through the hooks that the sanitizers offer.
   SPDX-License-Identifier: MIT  */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include "test/fuzz/limits.h"

/* Of the sanitizers; gcc does not ship their header.  */
int __sanitizer_install_malloc_and_free_hooks(void (*malloc_hook)(const volatile void *, size_t),
                                              void (*free_hook)(const volatile void *));
size_t __sanitizer_get_allocated_size(const volatile void *block);

enum { SLOTS = 1 << 18 };

/* Blocks that are in use: a table with linear probing.  Freed places stay taken until the next input.  */
static const volatile void *blocks[SLOTS];
static uint32_t used[SLOTS];
static size_t used_count;
static size_t live, limit;
static int counting;

/* Returns the slot of the hash table where BLOCK is or would be.  */
static size_t fuzz_slot_of(const volatile void *block) {
  return (size_t)(((uintptr_t)block >> 4) * UINT64_C(0x9E3779B97F4A7C15) >> 46);
}

/* Hook of malloc: counts the memory, and aborts if the input makes the reader take too much.  */
static void fuzz_allocated(const volatile void *block, size_t size) {
  if (!counting || block == NULL)
    return;
  live += size;
  if (live > limit || used_count == SLOTS / 2) {
    fprintf(stderr, "fuzz: the input makes it use %zu bytes of memory\n", live);
    abort();
  }
  size_t slot = fuzz_slot_of(block);
  while (blocks[slot] != NULL && blocks[slot] != block)
    slot = (slot + 1) % SLOTS;
  if (blocks[slot] == NULL)
    used[used_count++] = (uint32_t)slot;
  blocks[slot] = block;
}

/* Hook of free: no longer counts the memory of the block.  */
static void fuzz_freed(const volatile void *block) {
  if (!counting || block == NULL)
    return;
  for (size_t slot = fuzz_slot_of(block); blocks[slot] != NULL; slot = (slot + 1) % SLOTS)
    if (blocks[slot] == block) {
      live -= __sanitizer_get_allocated_size(block);
      blocks[slot] = (const void *)1; /* nothing lies there */
      return;
    }
}

/* Begins to count the memory that is allocated for an input of SIZE bytes.  Until fuzz_limits_end, an allocation that
   makes it more than 64 times that and 64 MB aborts.  */
void fuzz_limits_begin(size_t size) {
  static int hooked;
  if (!hooked++)
    __sanitizer_install_malloc_and_free_hooks(fuzz_allocated, fuzz_freed);
  live = 0;
  limit = 64 * size + (64 << 20);
  counting = 1;
}

/* Ends the counting of memory and forgets all blocks.  If FREE_REST, first frees those that are still in use, as the
   report leaves them to the end of the process.  */
void fuzz_limits_end(int free_rest) {
  counting = 0;
  for (size_t i = 0; i < used_count; i++) {
    if (free_rest && blocks[used[i]] != (const void *)1)
      free((void *)(uintptr_t)blocks[used[i]]);
    blocks[used[i]] = NULL;
  }
  used_count = 0;
}
