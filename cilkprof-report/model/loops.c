/* Loops that processors divide, added up over profiles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "cilkprof-report/model/loops.h"
#include "cilkprof-report/model/sums.h"
#include "cilkprof-report/support/support.h"

/* Callback of hash_table_find: returns whether a loop of the model is at the site with the number KEY.  */
static bool is_model_loop_at(const void *array, size_t place, const void *key) {
  return ((const struct cilkprof_loop *)array)[place].site == *(const uint64_t *)key;
}

/* Adds the values of LOOP to SUM, another loop of the same site.  */
static void add_model_loop_values(struct cilkprof_loop *sum, const struct cilkprof_loop *loop) {
  model_add_saturating(&sum->executions, loop->executions);
  model_add_saturating(&sum->pieces, loop->pieces);
  model_add_saturating(&sum->single, loop->single);
  model_add_saturating(&sum->work, loop->work);
  for (int i = 0; i < CILKPROF_SHARES; i++) {
    model_add_saturating(&sum->longest[i], loop->longest[i]);
    model_add_saturating(&sum->more[i], loop->more[i]);
  }
}

void add_model_loops(struct loops *loops, const struct cilkprof_profile *profile, const uint32_t *places) {
  for (size_t i = 0; i < profile->loop_count; i++) {
    struct cilkprof_loop loop = profile->loops[i];
    loop.site = places[loop.site];
    size_t place = hash_table_find(&loops->table, hash_add(0, loop.site), is_model_loop_at, loops->loops, &loop.site,
                                   loops->count);
    if (place < loops->count) {
      add_model_loop_values(&loops->loops[place], &loop);
      continue;
    }
    loops->loops = grow_array(loops->loops, loops->count, &loops->room, sizeof *loops->loops);
    loops->loops[loops->count++] = loop;
  }
}
