/* Fuzzing the reader of the format: every byte that it hands out is looked at.
   SPDX-License-Identifier: MIT  */

#include <stdlib.h>
#include <string.h>
#include "fmt/profile.h"
#include "test/fuzz/fuzz.h"
#include "test/fuzz/limits.h"
#include "test/fuzz/repair.h"

static volatile uint64_t sink;

/* Reads all SIZE bytes, so that sanitizers notice any that are not there.  */
static void fuzz_look(const void *bytes, size_t size) {
  for (size_t i = 0; i < size; i++)
    sink += ((const uint8_t *)bytes)[i];
}

/* Reads all that ROOT points to.  */
static void fuzz_look_at_root(const struct cilkprof_root *root) {
  fuzz_look(root->name, strlen(root->name));
  fuzz_look(root->sites, root->site_count * sizeof *root->sites);
  fuzz_look(root->contexts, root->context_count * sizeof *root->contexts);
  for (size_t i = 0; i < root->whatif_count; i++)
    fuzz_look(root->whatifs[i].candidate, strlen(root->whatifs[i].candidate));
}

/* Reads all that PROFILE points to.  */
static void fuzz_look_at(const struct cilkprof_profile *profile) {
  for (uint32_t i = 0; i < profile->program.argc; i++)
    fuzz_look(profile->program.argv[i], strlen(profile->program.argv[i]));
  fuzz_look(profile->run.load_addresses, profile->run.load_count * sizeof *profile->run.load_addresses);
  fuzz_look(profile->sites, profile->site_count * sizeof *profile->sites);
  fuzz_look(profile->loops, profile->loop_count * sizeof *profile->loops);
  fuzz_look(profile->estimates, profile->estimate_count * sizeof *profile->estimates);
  fuzz_look(profile->contexts, profile->context_count * sizeof *profile->contexts);
  for (size_t i = 0; i < profile->object_count; i++) {
    fuzz_look(profile->objects[i].path, strlen(profile->objects[i].path));
    fuzz_look(profile->objects[i].build_id, profile->objects[i].build_id_size);
  }
  for (size_t i = 0; i < profile->region_count; i++)
    fuzz_look(profile->regions[i].label, strlen(profile->regions[i].label));
  for (size_t i = 0; i < profile->whatif_count; i++)
    fuzz_look(profile->whatifs[i].candidate, strlen(profile->whatifs[i].candidate));
  fuzz_look(profile->stack_spans, profile->stack_span_count * sizeof *profile->stack_spans);
  fuzz_look(profile->counters, profile->counters_count * sizeof *profile->counters);
  for (size_t i = 0; i < profile->thread_count; i++)
    fuzz_look(profile->threads[i].list, profile->threads[i].count * sizeof *profile->threads[i].list);
  for (size_t i = 0; i < profile->root_count; i++)
    fuzz_look_at_root(&profile->roots[i]);
}

/* Recovers a profile from the input of SIZE BYTES, if possible, and reads all of it.  */
static void fuzz_recover_one(const uint8_t *bytes, size_t size) {
  struct cilkprof_profile profile;
  struct cilkprof_losses losses;
  struct cilkprof_read_error error;
  if (cilkprof_recover(bytes, size, &profile, &losses, &error) == 0) {
    fuzz_look_at(&profile);
    cilkprof_profile_free(&profile);
  }
}

/* Reads the input of SIZE BYTES as a profile in place, which takes them over and frees them, and reads all of it.  */
static void fuzz_read_in_place(uint8_t *bytes, size_t size) {
  struct cilkprof_profile profile;
  struct cilkprof_read_error error;
  if (cilkprof_read_in_place(bytes, size, &profile, &error) == 0) {
    fuzz_look_at(&profile);
    cilkprof_profile_free(&profile);
  }
}

/* Reads the input as a profile, which must succeed or be refused with a reason, and then reads all of it.  */
static void fuzz_read_one(const uint8_t *bytes, size_t size) {
  struct cilkprof_profile profile;
  struct cilkprof_read_error error = {SIZE_MAX, ""};
  if (cilkprof_read(bytes, size, &profile, &error) == 0) {
    fuzz_look_at(&profile);
    cilkprof_profile_free(&profile);
  } else if (error.offset > size || error.message[0] == 0) {
    abort(); /* a refusal says where and why */
  }
}

/* Tests the input of SIZE BYTES: reads and recovers it as it is, then reads it with right checksums.  The copy has
   exactly SIZE bytes, so that sanitizers see reads past its end.  Returns 0.  */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  uint8_t *copy = malloc(size > 0 ? size : 1);
  if (copy == NULL)
    return 0;
  memcpy(copy, bytes, size);
  fuzz_limits_begin(size);
  fuzz_read_one(bytes, size);
  fuzz_recover_one(bytes, size);
  fuzz_repair(copy, size);
  fuzz_read_one(copy, size);
  fuzz_read_in_place(copy, size);
  fuzz_limits_end(0);
  return 0;
}
