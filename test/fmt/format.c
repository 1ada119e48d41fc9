/* What is written is read again; nothing else is.
   SPDX-License-Identifier: MIT  */

#include "test/fmt/profile-bytes.h"
#include "test/fmt/tap.h"

/* Returns whether object A, which was read, is object B, which was written.  */
static int test_fmt_same_object(const struct cilkprof_object *a, const struct cilkprof_object *b) {
  return strcmp(a->path, b->path) == 0 && a->build_id_size == b->build_id_size &&
         (a->build_id_size == 0 || memcmp(a->build_id, b->build_id, a->build_id_size) == 0);
}

/* Returns whether program A, which was read, is program B, which was written, with all arguments.  */
static int test_fmt_same_program(const struct cilkprof_program *a, const struct cilkprof_program *b) {
  if (a->mode != b->mode || a->flags != b->flags || a->burden != b->burden || a->loop_workers != b->loop_workers ||
      a->argc != b->argc)
    return 0;
  for (uint32_t i = 0; i < a->argc; i++)
    if (strcmp(a->argv[i], b->argv[i]) != 0)
      return 0;
  return 1;
}

/* Returns whether run A, which was read, is run B, which was written, with all load addresses.  */
static int test_fmt_same_run(const struct cilkprof_run *a, const struct cilkprof_run *b) {
  return a->pid == b->pid && a->start_ns == b->start_ns && a->elapsed_ns == b->elapsed_ns &&
         a->units_per_second == b->units_per_second && a->burden_units == b->burden_units &&
         a->timer_hz == b->timer_hz && a->timer_cost == b->timer_cost && a->preempted_strands == b->preempted_strands &&
         a->preempted_units == b->preempted_units && a->load_count == b->load_count &&
         memcmp(a->load_addresses, b->load_addresses, a->load_count * sizeof *a->load_addresses) == 0;
}

/* Returns whether measurement A, which was read, is B, which was written.  */
static int test_fmt_same_measure(const struct cilkprof_measure *a, const struct cilkprof_measure *b) {
  return memcmp(a, b, sizeof *a) == 0;
}

/* Returns whether region A, which was read, is region B, which was written.  */
static int test_fmt_same_region(const struct cilkprof_region *a, const struct cilkprof_region *b) {
  return strcmp(a->label, b->label) == 0 && a->kind == b->kind && test_fmt_same_measure(&a->total, &b->total);
}

/* Returns whether what-if A, which was read, is what-if B, which was written.  */
static int test_fmt_same_whatif(const struct cilkprof_whatif *a, const struct cilkprof_whatif *b) {
  return strcmp(a->candidate, b->candidate) == 0 && a->faster == b->faster && a->count == b->count &&
         a->work == b->work && a->span == b->span;
}

/* Returns whether tree A, which was read, is tree B, which was written, with all nodes, children, names and counts.  */
static int test_fmt_same_tree(const struct cilkprof_tree *a, const struct cilkprof_tree *b) {
  if (a->flags != b->flags || a->units_per_second != b->units_per_second || a->tolerance != b->tolerance ||
      a->node_count != b->node_count || a->child_count != b->child_count || a->name_count != b->name_count ||
      a->count_count != b->count_count)
    return 0;
  for (size_t i = 0; i < a->name_count; i++)
    if (strcmp(a->names[i], b->names[i]) != 0)
      return 0;
  return memcmp(a->nodes, b->nodes, a->node_count * sizeof *a->nodes) == 0 &&
         memcmp(a->children, b->children, a->child_count * sizeof *a->children) == 0 &&
         memcmp(a->counts, b->counts, a->count_count * sizeof *a->counts) == 0;
}

/* Returns whether time line A, which was read, is time line B, which was written.  */
static int test_fmt_same_timeline(const struct cilkprof_timeline *a, const struct cilkprof_timeline *b) {
  return a->bucket_ns == b->bucket_ns && a->thread_count == b->thread_count && a->bucket_count == b->bucket_count &&
         memcmp(a->work_ns, b->work_ns, a->thread_count * a->bucket_count * sizeof *a->work_ns) == 0;
}

/* Returns whether the COUNT threads A, which were read, have the transitions of S, which were written.  */
static int test_fmt_same_transitions(const struct cilkprof_transitions *a, size_t count, const struct sample *s) {
  for (size_t i = 0; i < 2 && count == 2; i++)
    if (a[i].dropped != s->threads[i].dropped || a[i].count != s->threads[i].count ||
        memcmp(a[i].list, s->threads[i].list, a[i].count * sizeof *a[i].list) != 0)
      return 0;
  return count == 2;
}

/* Returns whether root A, which was read, is that of S, which was written, with its sites, context and what-if.  */
static int test_fmt_same_root(const struct cilkprof_root *a, const struct sample *s) {
  const struct cilkprof_root *b = &s->root;
  return strcmp(a->name, b->name) == 0 && a->kind == b->kind && a->invocations == b->invocations &&
         memcmp(&a->totals, &b->totals, sizeof a->totals) == 0 && test_fmt_same_measure(&a->own, &b->own) &&
         a->site_count == 2 && memcmp(a->sites, s->root_sites, sizeof s->root_sites) == 0 && a->context_count == 1 &&
         memcmp(a->contexts, &s->root_context, sizeof s->root_context) == 0 && a->whatif_count == 1 &&
         test_fmt_same_whatif(a->whatifs, &s->root_whatif);
}

/* Checks the profile of the first root of WHOLE: it has the sites of the program, and the measurements of the root.  */
static void test_fmt_root_profile(struct tap *tap, const struct cilkprof_profile *whole, const struct sample *s,
                                  const char *what) {
  struct cilkprof_profile profile;
  if (!tap_check(tap, cilkprof_root_profile(whole, &whole->roots[0], &profile) == 0, "%s: profile of the root", what))
    return;
  tap_check(tap,
            profile.site_count == 2 && profile.sites[1].description == s->sites[1].description &&
                memcmp(&profile.sites[1].on_span, &s->root_sites[1].on_span, sizeof s->root_sites[1].on_span) == 0 &&
                profile.contexts[0].site == 1 && profile.outside == s->totals.work - s->root.totals.work,
            "%s: what it holds", what);
  free(profile.storage);
}

/* Checks that every field of PROFILE is that of the sample S.  WHAT names the test.  */
static void test_fmt_profile(struct tap *tap, struct cilkprof_profile *profile, const struct sample *s,
                             const char *what) {
  tap_check(tap, test_fmt_same_program(&profile->program, &s->program), "%s: program", what);
  tap_check(tap, test_fmt_same_run(&profile->run, &s->run), "%s: run", what);
  tap_check(tap, memcmp(&profile->totals, &s->totals, sizeof s->totals) == 0, "%s: totals", what);
  tap_check(tap,
            profile->object_count == 2 && test_fmt_same_object(&profile->objects[0], &s->objects[0]) &&
                test_fmt_same_object(&profile->objects[1], &s->objects[1]),
            "%s: objects", what);
  tap_check(tap, profile->site_count == 2 && memcmp(profile->sites, s->sites, sizeof s->sites) == 0, "%s: sites", what);
  tap_check(tap, profile->loop_count == 1 && memcmp(profile->loops, &s->loop, sizeof s->loop) == 0, "%s: loops", what);
  tap_check(tap, profile->estimate_count == 1 && memcmp(profile->estimates, &s->estimate, sizeof s->estimate) == 0,
            "%s: estimates", what);
  tap_check(tap, profile->region_count == 1 && test_fmt_same_region(profile->regions, &s->region), "%s: regions", what);
  tap_check(tap, profile->context_count == 2 && memcmp(profile->contexts, s->contexts, sizeof s->contexts) == 0,
            "%s: contexts", what);
  tap_check(tap, profile->whatif_count == 1 && test_fmt_same_whatif(profile->whatifs, &s->whatif), "%s: what-ifs",
            what);
  tap_check(tap, profile->has_usage && memcmp(&profile->usage, &s->usage, sizeof s->usage) == 0, "%s: usage", what);
  tap_check(tap, memcmp(&profile->workers, &s->workers, sizeof s->workers) == 0, "%s: workers", what);
  tap_check(tap, test_fmt_same_tree(&profile->tree, &s->tree), "%s: tree", what);
  tap_check(tap, profile->has_sampling && memcmp(&profile->sampling, &s->sampling, sizeof s->sampling) == 0,
            "%s: sampling", what);
  tap_check(tap, profile->stack_count == 3 && memcmp(profile->stacks, s->stacks, sizeof s->stacks) == 0, "%s: stacks",
            what);
  tap_check(tap,
            profile->stack_span_count == 1 && memcmp(profile->stack_spans, &s->stack_span, sizeof s->stack_span) == 0,
            "%s: what is on the span", what);
  tap_check(tap, profile->counters_count == 1 && memcmp(profile->counters, &s->counters, sizeof s->counters) == 0,
            "%s: counters", what);
  tap_check(tap, test_fmt_same_timeline(&profile->timeline, &s->timeline), "%s: time line", what);
  tap_check(tap, test_fmt_same_transitions(profile->threads, profile->thread_count, s), "%s: transitions", what);
  if (tap_check(tap, profile->root_count == 1 && test_fmt_same_root(profile->roots, s), "%s: roots", what))
    test_fmt_root_profile(tap, profile, s, what);
  cilkprof_profile_free(profile);
  tap_check(tap, profile->sites == NULL && profile->storage == NULL, "%s: freed", what);
}

/* Returns a copy of SIZE bytes of DATA, which may be NULL if SIZE is 0.  It is allocated to the exact size, so that
   AddressSanitizer sees reads past its end; the reader in place takes it over.  */
static void *test_fmt_copy_of(const void *data, size_t size) {
  void *copy = malloc(size > 0 ? size : 1);
  return size > 0 ? memcpy(copy, data, size) : copy;
}

/* Checks that both readers, in place and with a copy, get the sample S from BYTES.  WHAT names the test.  */
static void test_fmt_same(struct tap *tap, const struct bytes *bytes, const struct sample *s, const char *what) {
  struct cilkprof_profile profile;
  struct cilkprof_read_error error;
  if (tap_check(tap, cilkprof_read(bytes->data, bytes->size, &profile, &error) == 0, "%s is read", what))
    test_fmt_profile(tap, &profile, s, what);
  else
    printf("# %zu: %s\n", error.offset, error.message);
  void *copy = test_fmt_copy_of(bytes->data, bytes->size);
  if (tap_check(tap, cilkprof_read_in_place(copy, bytes->size, &profile, &error) == 0, "%s is read in place", what))
    test_fmt_profile(tap, &profile, s, what);
}

/* Returns whether both readers refuse the SIZE bytes of DATA, with the same offset and reason.  */
static int test_fmt_is_refused(const void *data, size_t size) {
  struct cilkprof_profile profile;
  struct cilkprof_read_error error = {SIZE_MAX, ""};
  int result = cilkprof_read(data, size, &profile, &error);
  if (result == 0)
    cilkprof_profile_free(&profile);
  struct cilkprof_read_error other;
  int in_place = cilkprof_read_in_place(test_fmt_copy_of(data, size), size, &profile, &other);
  if (in_place == 0)
    cilkprof_profile_free(&profile);
  return result == -1 && in_place == -1 && strcmp(error.message, other.message) == 0 && error.offset == other.offset &&
         error.offset <= size && error.message[0] != 0 && strchr(error.message, '\n') == NULL;
}

/* Checks that the checksum is the usual CRC-32, also if it is computed in parts.  */
static void test_fmt_checksum(struct tap *tap) {
  static const char digits[] = "123456789";
  int parts = 1;
  for (size_t i = 0; i < 9; i++)
    parts &= cilkprof_checksum(cilkprof_checksum(0, digits, i), digits + i, 9 - i) == 0xCBF43926U;
  tap_check(tap, cilkprof_checksum(0, digits, 9) == 0xCBF43926U, "the checksum is CRC-32");
  tap_check(tap, parts, "the checksum of the parts is that of the whole");
}

/* Reverses the byte order of COUNT numbers of SIZE bytes.  */
static void test_fmt_reverse(uint8_t *at, size_t size, size_t count) {
  for (; count > 0; count--, at += size)
    for (size_t i = 0; i < size / 2; i++) {
      uint8_t byte = at[i];
      at[i] = at[size - 1 - i];
      at[size - 1 - i] = byte;
    }
}

/* Reverses the lengths of COUNT strings.  */
static void test_fmt_reverse_strings(uint8_t *at, size_t count) {
  for (uint32_t length; count > 0; count--, at += sizeof length + length) {
    memcpy(&length, at, sizeof length);
    test_fmt_reverse(at, sizeof length, 1);
  }
}

/* Converts the payload of a record to the other byte order.  */
static void test_fmt_reverse_payload(uint32_t tag, uint8_t *payload, size_t length, uint32_t argc) {
  if (tag == CILKPROF_RECORD_PROGRAM) {
    test_fmt_reverse_strings(payload + sizeof(struct cilkprof_program_payload), argc);
    test_fmt_reverse(payload, 4, 2);
    test_fmt_reverse(payload + 8, 8, 3);
  } else if (tag == CILKPROF_RECORD_OBJECT) {
    test_fmt_reverse_strings(payload, 2);
  } else if (tag == CILKPROF_RECORD_PART) {
    uint64_t of;
    memcpy(&of, payload, sizeof of);
    test_fmt_reverse(payload, 8, 1);
    /* A root's site begins with a number of 64 bits.  */
    test_fmt_reverse_payload(of == CILKPROF_RECORD_SITE ? CILKPROF_RECORD_TOTALS : (uint32_t)of, payload + 8,
                             length - 8, argc);
  } else if (tag == CILKPROF_RECORD_REGION || tag == CILKPROF_RECORD_WHATIF || tag == CILKPROF_RECORD_ROOT) {
    size_t fixed = tag == CILKPROF_RECORD_REGION   ? sizeof(struct cilkprof_region_payload)
                   : tag == CILKPROF_RECORD_WHATIF ? sizeof(struct cilkprof_whatif_payload)
                                                   : sizeof(struct cilkprof_root_payload);
    test_fmt_reverse_strings(payload + fixed, 1);
    test_fmt_reverse(payload, 8, fixed / 8);
  } else if (tag == CILKPROF_RECORD_TREE) {
    struct cilkprof_tree_payload tree;
    memcpy(&tree, payload, sizeof tree);
    size_t fixed = sizeof tree + tree.node_count * sizeof(struct cilkprof_tree_node) +
                   tree.child_count * sizeof(struct cilkprof_tree_child);
    if (tree.flags & CILKPROF_TREE_COUNTED) {
      uint64_t counts;
      memcpy(&counts, payload + fixed, sizeof counts);
      fixed += sizeof counts + counts * sizeof(struct cilkprof_tree_counts);
    }
    test_fmt_reverse_strings(payload + fixed, tree.name_count);
    test_fmt_reverse(payload, 8, fixed / 8);
  } else if (tag == CILKPROF_RECORD_TRANSITIONS) {
    const size_t fixed = sizeof(struct cilkprof_transitions_payload), each = sizeof(struct cilkprof_transition);
    test_fmt_reverse(payload, 8, fixed / 8);
    for (size_t at = fixed; at < length; at += each) {
      test_fmt_reverse(payload + at, 8, 2);
      test_fmt_reverse(payload + at + 16, 4, 4);
    }
  } else if (tag == CILKPROF_RECORD_SITE || tag == CILKPROF_RECORD_CONTEXT || tag == CILKPROF_RECORD_STACK) {
    test_fmt_reverse(payload, 4, 2);
    test_fmt_reverse(payload + 8, 8, length / 8 - 1);
  } else {
    test_fmt_reverse(payload, 8, length / 8);
  }
}

/* Converts a file to the other byte order, as a machine of that order would have written it.  ARGC is the number of
   arguments in it.  */
static void test_fmt_reverse_file(struct bytes *bytes, uint32_t argc) {
  struct cilkprof_file_header *file = (struct cilkprof_file_header *)bytes->data;
  test_fmt_reverse(bytes->data + 8, 4, 2);
  file->checksum = cilkprof_checksum(0, bytes->data, 16);
  test_fmt_reverse(bytes->data + 16, 4, 1);
  for (size_t offset = sizeof *file, start; start = offset, offset < bytes->size;) {
    struct cilkprof_record_header header = test_fmt_next_record(bytes, &offset);
    uint8_t *at = bytes->data + start, *payload = at + sizeof header;
    test_fmt_reverse_payload(header.tag, payload, header.length, argc);
    test_fmt_reverse(at, 4, 1);
    test_fmt_reverse(at + 8, 8, 1);
    uint32_t checksum = cilkprof_checksum(cilkprof_checksum(0, at, 4), at + 8, 8 + header.length);
    memcpy(at + 4, &checksum, sizeof checksum);
    test_fmt_reverse(at + 4, 4, 1);
  }
}

/* Checks that WHOLE is refused if it is cut short at any byte.  The part is allocated to its exact size, so that
   AddressSanitizer sees reads past its end.  */
static void test_fmt_truncated(struct tap *tap, const struct bytes *whole) {
  size_t accepted = 0;
  for (size_t size = 0; size < whole->size; size++) {
    struct bytes part = {NULL, 0};
    test_fmt_put_bytes(&part, whole->data, size);
    accepted += !test_fmt_is_refused(part.data, part.size);
    free(part.data);
  }
  tap_check(tap, accepted == 0, "cut short at every byte, it is refused");
}

/* Checks that WHOLE is refused with any bit or byte flipped.  */
static void test_fmt_flipped(struct tap *tap, const struct bytes *whole) {
  size_t accepted = 0;
  for (size_t i = 0; i < whole->size; i++)
    for (unsigned mask = 1; mask < 512; mask *= 2) {
      uint8_t flip = mask == 256 ? 255 : (uint8_t)mask;
      whole->data[i] ^= flip;
      accepted += !test_fmt_is_refused(whole->data, whole->size);
      whole->data[i] ^= flip;
    }
  tap_check(tap, accepted == 0, "with any bit or any byte flipped, it is refused");
}

/* A put that fails after so many calls.  */
struct failing {
  unsigned calls, allowed;
};

/* Callback of the writer: fails after some calls.  */
static int test_fmt_put_failing(void *closure, const void *data, size_t size) {
  struct failing *failing = closure;
  (void)data;
  (void)size;
  return failing->calls++ < failing->allowed ? 0 : -1;
}

/* Checks that a writer whose output fails reports that at the end, and does not write any more.  */
static void test_fmt_failing_put(struct tap *tap, const struct sample *s) {
  int right = 1;
  for (unsigned allowed = 0; allowed < 8; allowed++) {
    struct failing failing = {0, allowed};
    struct cilkprof_writer writer = {.put = test_fmt_put_failing, .closure = &failing};
    cilkprof_write_begin(&writer);
    cilkprof_write_program(&writer, &s->program);
    cilkprof_write_run(&writer, &s->run);
    right &= cilkprof_write_end(&writer) == -1 && failing.calls == allowed + 1;
  }
  tap_check(tap, right, "after a put that failed nothing more is put, and the end says so");
}

/* Runs all tests, those of reading on files of both byte orders.  Returns the exit status.  */
int main(void) {
  struct tap tap = {0, 0};
  struct sample s = test_fmt_sample_profile();
  struct bytes native = test_fmt_write_sample(&s), other = test_fmt_write_sample(&s);
  test_fmt_checksum(&tap);
  test_fmt_same(&tap, &native, &s, "this byte order");
  test_fmt_reverse_file(&other, s.program.argc);
  tap_check(&tap, memcmp(native.data, other.data, 8) == 0 && memcmp(native.data + 8, other.data + 8, 4) != 0,
            "the files of both byte orders differ");
  test_fmt_same(&tap, &other, &s, "the other byte order");
  test_fmt_truncated(&tap, &native);
  test_fmt_truncated(&tap, &other);
  test_fmt_flipped(&tap, &native);
  test_fmt_flipped(&tap, &other);
  test_fmt_failing_put(&tap, &s);
  free(native.data);
  free(other.data);
  return tap_end(&tap);
}
