/* Fuzzing the reader of the format: every byte that it hands out is looked at.
   SPDX-License-Identifier: MIT  */

#include <stdlib.h>
#include <string.h>
#include "fmt/profile.h"
#include "test/fuzz/fuzz.h"
#include "test/fuzz/limits.h"
#include "test/fuzz/repair.h"

static volatile uint64_t sink;

static void look(const void *bytes, size_t size) {
  for (size_t i = 0; i < size; i++)
    sink += ((const uint8_t *)bytes)[i];
}

static void look_at_root(const struct cilkprof_root *root) {
  look(root->name, strlen(root->name));
  look(root->sites, root->site_count * sizeof *root->sites);
  look(root->contexts, root->context_count * sizeof *root->contexts);
  for (size_t i = 0; i < root->whatif_count; i++)
    look(root->whatifs[i].candidate, strlen(root->whatifs[i].candidate));
}

static void look_at(const struct cilkprof_profile *profile) {
  for (uint32_t i = 0; i < profile->program.argc; i++)
    look(profile->program.argv[i], strlen(profile->program.argv[i]));
  look(profile->run.load_addresses, profile->run.load_count * sizeof *profile->run.load_addresses);
  look(profile->sites, profile->site_count * sizeof *profile->sites);
  look(profile->loops, profile->loop_count * sizeof *profile->loops);
  look(profile->contexts, profile->context_count * sizeof *profile->contexts);
  for (size_t i = 0; i < profile->object_count; i++) {
    look(profile->objects[i].path, strlen(profile->objects[i].path));
    look(profile->objects[i].build_id, profile->objects[i].build_id_size);
  }
  for (size_t i = 0; i < profile->region_count; i++)
    look(profile->regions[i].label, strlen(profile->regions[i].label));
  for (size_t i = 0; i < profile->whatif_count; i++)
    look(profile->whatifs[i].candidate, strlen(profile->whatifs[i].candidate));
  for (size_t i = 0; i < profile->root_count; i++)
    look_at_root(&profile->roots[i]);
}

static void recover_one(const uint8_t *bytes, size_t size) {
  struct cilkprof_profile profile;
  struct cilkprof_losses losses;
  struct cilkprof_read_error error;
  if (cilkprof_recover(bytes, size, &profile, &losses, &error) == 0) {
    look_at(&profile);
    cilkprof_profile_free(&profile);
  }
}

/* BYTES are freed.  */
static void read_in_place(uint8_t *bytes, size_t size) {
  struct cilkprof_profile profile;
  struct cilkprof_read_error error;
  if (cilkprof_read_in_place(bytes, size, &profile, &error) == 0) {
    look_at(&profile);
    cilkprof_profile_free(&profile);
  }
}

static void read_one(const uint8_t *bytes, size_t size) {
  struct cilkprof_profile profile;
  struct cilkprof_read_error error = {SIZE_MAX, ""};
  if (cilkprof_read(bytes, size, &profile, &error) == 0) {
    look_at(&profile);
    cilkprof_profile_free(&profile);
  } else if (error.offset > size || error.message[0] == 0) {
    abort(); /* a refusal says where and why */
  }
}

/* As it is, with what is right of it, and with right checksums.  The copy has no byte too many, so that reading past
 * its end is seen.  */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  uint8_t *copy = malloc(size > 0 ? size : 1);
  if (copy == NULL)
    return 0;
  memcpy(copy, bytes, size);
  limits_begin(size);
  read_one(bytes, size);
  recover_one(bytes, size);
  repair(copy, size);
  read_one(copy, size);
  read_in_place(copy, size);
  limits_end(0);
  return 0;
}
