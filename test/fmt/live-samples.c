/* Live files of runs that are sampled: nodes in any order become stacks, parents first; whatever lies there, nothing
   else happens.
   SPDX-License-Identifier: MIT  */

#include "fmt/live.h"
#include "test/fmt/profile-bytes.h"
#include "test/fmt/tap.h"

struct object {
  uint64_t id_size;
  uint8_t id[8];
  char path[24];
};

struct node {
  struct cilkprof_stack stack;
  uint32_t others[2];
};

enum { NODES = 8, OBJECTS = 2 };

struct pages {
  struct cilkprof_sampling sampling;
  uint64_t node_count, object_count;
  struct object objects[OBJECTS];
  struct node nodes[NODES];
};

/* Returns samples as a running program has them in its pages.  */
static struct pages test_fmt_sample_pages(void) {
  struct pages pages =
      {
          .sampling = {CILKPROF_SAMPLED_CILK, CILKPROF_SAMPLING_PERF, 4, 5, 6, 1000, 1, 0, 1234567, 77, 8, 9, 10},
          .node_count = NODES,
          .object_count = OBJECTS,
          .objects = {{3, "\1\2\3", "/bin/program"}, {0, "", "/lib/library.so"}},
          .nodes =
              {
                  [1] = {{3, 0, CILKPROF_STACK_EXACT, 0x111, 1, 10, 20, 30}, {0}},
                  [2] = {{0, 0, CILKPROF_STACK_KINDS, 0, 0, 0, 0, 0}, {0}}, /* free */
                  [3] = {{5, 1, CILKPROF_STACK_CALL, 0x333, 0, 0, 0, 0}, {0}},
                  [5] = {{0, 0, CILKPROF_STACK_CALL, 0x555, 0, 0, 0, 0}, {0}}, /* 4 was only taken */
                  [6] = {{2, 9, CILKPROF_STACK_EXACT, 0x666, 2, 40, 50, 60}, {0}},
                  [7] = {{0, CILKPROF_NO_OBJECT, CILKPROF_STACK_ORPHAN, 0, 3, 70, 80, 90}, {0}},
              },
      };
  return pages;
}

/* Records that only a finished profile has, written before the pages of a live file.  */
static unsigned extra_objects, extra_stacks, extra_sites;

/* Returns the bytes of a live file with PAGES, which the caller frees.  */
static struct bytes test_fmt_write_live(const struct pages *pages) {
  enum { HEADER = 4096 };
  struct bytes bytes = {NULL, 0};
  struct sample s = test_fmt_sample_profile();
  struct cilkprof_writer writer = {.put = test_fmt_put_bytes, .closure = &bytes};
  struct cilkprof_live_samples_payload payload = {
      .sampling = HEADER + offsetof(struct pages, sampling),
      .object_count = HEADER + offsetof(struct pages, object_count),
      .objects = HEADER + offsetof(struct pages, objects),
      .object_size = sizeof(struct object),
      .id_size = offsetof(struct object, id_size),
      .id = offsetof(struct object, id),
      .path = offsetof(struct object, path),
      .node_count = HEADER + offsetof(struct pages, node_count),
      .nodes = HEADER + offsetof(struct pages, nodes),
      .node_size = sizeof(struct node),
  };
  s.program.mode = CILKPROF_MODE_SAMPLED;
  s.program.flags = CILKPROF_INCOMPLETE;
  s.run.load_count = 0;
  cilkprof_write_begin(&writer);
  cilkprof_write_program(&writer, &s.program);
  cilkprof_write_run(&writer, &s.run);
  for (unsigned i = 0; i < extra_objects; i++)
    cilkprof_write_object(&writer, &s.objects[0]);
  for (unsigned i = 0; i < extra_stacks; i++)
    cilkprof_write_stack(&writer, &s.stacks[0]);
  for (unsigned i = 0; i < extra_sites; i++)
    cilkprof_write_site(&writer, &s.sites[0]);
  cilkprof_write_live_samples(&writer, &payload);
  while (bytes.size < HEADER)
    test_fmt_put_bytes(&bytes, "", 1);
  test_fmt_put_bytes(&bytes, pages, sizeof *pages);
  return bytes;
}

/* Reads a live file with PAGES into PROFILE.  Returns the reader's result, 0 if it was accepted.  */
static int test_fmt_read_live(const struct pages *pages, struct cilkprof_profile *profile) {
  struct cilkprof_read_error error = {0, ""};
  struct bytes bytes = test_fmt_write_live(pages);
  int result = cilkprof_read(bytes.data, bytes.size, profile, &error);
  if (result != 0)
    printf("# %zu: %s\n", error.offset, error.message);
  free(bytes.data);
  return result;
}

/* Checks that the nodes of a live file become stacks, parents first, and that its other fields are read.  */
static void test_fmt_stacks(struct tap *tap) {
  static const struct cilkprof_stack wanted[] = {
      {CILKPROF_NO_CONTEXT, 0, CILKPROF_STACK_CALL, 0x555, 0, 0, 0, 0},
      {0, 1, CILKPROF_STACK_CALL, 0x333, 0, 0, 0, 0},
      {1, 0, CILKPROF_STACK_EXACT, 0x111, 1, 10, 20, 30},
      {CILKPROF_NO_CONTEXT, CILKPROF_NO_OBJECT, CILKPROF_STACK_EXACT, 0x666, 2, 40, 50, 60},
      {CILKPROF_NO_CONTEXT, CILKPROF_NO_OBJECT, CILKPROF_STACK_ORPHAN, 0, 3, 70, 80, 90},
  };
  struct pages pages = test_fmt_sample_pages();
  struct cilkprof_profile profile;
  if (!tap_check(tap, test_fmt_read_live(&pages, &profile) == 0, "a live file is read"))
    return;
  tap_check(tap, profile.stack_count == 5 && memcmp(profile.stacks, wanted, sizeof wanted) == 0,
            "parents come first, and what is above a free node is not known");
  tap_check(tap, memcmp(&profile.sampling, &pages.sampling, sizeof pages.sampling) == 0, "the sampling");
  tap_check(tap, profile.program.flags == (CILKPROF_INCOMPLETE | CILKPROF_FROM_LIVE), "it says what it is");
  tap_check(tap,
            profile.object_count == 2 && strcmp(profile.objects[0].path, "/bin/program") == 0 &&
                profile.objects[0].build_id_size == 3 && memcmp(profile.objects[0].build_id, "\1\2\3", 3) == 0 &&
                profile.objects[1].build_id_size == 0 && strcmp(profile.objects[1].path, "/lib/library.so") == 0,
            "the objects");
  cilkprof_profile_free(&profile);
  pages.nodes[5].stack.parent = 1;
  if (tap_check(tap, test_fmt_read_live(&pages, &profile) == 0, "nodes below themselves")) {
    tap_check(tap, profile.stack_count == 5, "are each there once");
    cilkprof_profile_free(&profile);
  }
  pages = test_fmt_sample_pages();
  pages.sampling.workers = 0;
  tap_check(tap, test_fmt_read_live(&pages, &profile) != 0, "a file that was only begun is refused");
}

/* Checks that a live file that is changed or cut short at any byte is read or refused, without a fault.  */
static void test_fmt_damaged(struct tap *tap) {
  struct pages pages = test_fmt_sample_pages();
  struct bytes whole = test_fmt_write_live(&pages);
  size_t accepted = 0;
  for (int recovered = 0; recovered < 2; recovered++)
    for (size_t i = 0; i < 3 * whole.size; i++) {
      struct cilkprof_profile profile;
      struct cilkprof_losses losses;
      struct cilkprof_read_error error;
      size_t at = i % whole.size, size = i < 2 * whole.size ? whole.size : at;
      uint8_t *copy = malloc(size > 0 ? size : 1), flip = i < whole.size ? 255 : 1;
      memcpy(copy, whole.data, size);
      if (at < size)
        copy[at] ^= flip;
      int result = recovered ? cilkprof_recover(copy, size, &profile, &losses, &error)
                             : cilkprof_read(copy, size, &profile, &error);
      accepted += result == 0;
      if (result == 0)
        cilkprof_profile_free(&profile);
      free(copy);
    }
  free(whole.data);
  tap_check(tap, accepted > 100, "changed and cut short everywhere, it is read or refused");
}

/* Checks that a live file that also has records of the kind that EXTRA counts and WHAT names is refused and not
   recovered: they would contradict its pages.  */
static void test_fmt_extra_records(struct tap *tap, const char *what, unsigned *extra) {
  struct pages pages = test_fmt_sample_pages();
  struct cilkprof_profile profile;
  struct cilkprof_losses losses;
  struct cilkprof_read_error error;
  *extra = 200;
  struct bytes bytes = test_fmt_write_live(&pages);
  tap_check(tap, cilkprof_read(bytes.data, bytes.size, &profile, &error) != 0, "a live file with records of %s", what);
  tap_check(tap, cilkprof_recover(bytes.data, bytes.size, &profile, &losses, &error) != 0, "nor is it recovered");
  free(bytes.data);
  *extra = 0;
}

/* Runs all tests.  Returns the exit status.  */
int main(void) {
  struct tap tap = {0, 0};
  test_fmt_stacks(&tap);
  test_fmt_extra_records(&tap, "objects", &extra_objects);
  test_fmt_extra_records(&tap, "stacks", &extra_stacks);
  test_fmt_extra_records(&tap, "sites", &extra_sites);
  test_fmt_damaged(&tap);
  return tap_end(&tap);
}
