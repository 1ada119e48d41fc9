/* AFL++ runs the report itself; this makes the checksums of what it has mutated right.
   SPDX-License-Identifier: MIT  */

#include <stdlib.h>
#include <string.h>
#include "test/fuzz/repair.h"

void *afl_custom_init(void *afl, unsigned seed);
size_t afl_custom_post_process(void *data, const uint8_t *bytes, size_t size, const uint8_t **result);
void afl_custom_deinit(void *data);

struct copy {
  uint8_t *bytes;
  size_t room;
};

/* Called by AFL++ at the start.  Returns what the other functions get as DATA; NULL if there is no memory.  */
void *afl_custom_init(void *afl, unsigned seed) {
  (void)afl;
  (void)seed;
  return calloc(1, sizeof(struct copy));
}

/* Called by AFL++ for every input, SIZE BYTES.  Stores a copy with right checksums to RESULT; it belongs to DATA and is
   overwritten by the next one.  Returns its size, or 0 if there is no memory: then AFL++ skips the input.  */
size_t afl_custom_post_process(void *data, const uint8_t *bytes, size_t size, const uint8_t **result) {
  struct copy *copy = data;
  if (copy->room < size) {
    uint8_t *more = realloc(copy->bytes, size);
    if (more == NULL)
      return 0;
    copy->bytes = more;
    copy->room = size;
  }
  memcpy(copy->bytes, bytes, size);
  fuzz_repair(copy->bytes, size);
  *result = copy->bytes;
  return size;
}

/* Called by AFL++ at the end: frees DATA and the copy in it.  */
void afl_custom_deinit(void *data) {
  free(((struct copy *)data)->bytes);
  free(data);
}
