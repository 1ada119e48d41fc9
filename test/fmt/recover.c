/* Damaged files: what is recovered is what was written, and what is lost is named.
   SPDX-License-Identifier: MIT  */

#include "test/fmt/profile-bytes.h"
#include "test/fmt/tap.h"

/* Returns whether SITE is one that was written.  */
static int test_fmt_is_written(const struct sample *s, const struct cilkprof_site *site) {
  return memcmp(site, &s->sites[0], sizeof *site) == 0 || memcmp(site, &s->sites[1], sizeof *site) == 0;
}

/* Returns whether STACK is one of S, except for a parent or object that was lost, or a placeholder for one that was
   lost itself.  */
static int test_fmt_is_stack(const struct sample *s, const struct cilkprof_stack *stack) {
  static const struct cilkprof_stack lost = {
      CILKPROF_NO_CONTEXT, CILKPROF_NO_OBJECT, CILKPROF_STACK_UNKNOWN, 0, 0, 0, 0, 0};
  for (size_t i = 0; i < 3; i++) {
    struct cilkprof_stack written = s->stacks[i];
    if (stack->parent == CILKPROF_NO_CONTEXT)
      written.parent = stack->parent;
    if (stack->object == CILKPROF_NO_OBJECT) {
      written.object = stack->object;
      written.address = 0;
    }
    if (memcmp(stack, &written, sizeof written) == 0)
      return 1;
  }
  return memcmp(stack, &lost, sizeof lost) == 0;
}

/* Returns whether everything in the recovered PROFILE was written in S, at the same place.  */
static int test_fmt_is_part(const struct sample *s, const struct cilkprof_profile *profile) {
  if (profile->site_count > 2 || profile->object_count > 2 || profile->context_count > 2 ||
      profile->program.mode != s->program.mode || profile->program.argc != s->program.argc)
    return 0;
  for (size_t i = 0; i < profile->object_count; i++)
    if (profile->objects[i].path[0] != 0 && strcmp(profile->objects[i].path, s->objects[i].path) != 0)
      return 0;
  for (size_t i = 0; i < profile->site_count; i++)
    if (!test_fmt_is_written(s, &profile->sites[i]) || profile->objects[profile->sites[i].object].path[0] == 0)
      return 0;
  for (size_t i = 0; i < profile->stack_count; i++)
    if (profile->stack_count > 3 || !profile->has_sampling || !test_fmt_is_stack(s, &profile->stacks[i]))
      return 0;
  if (profile->timeline.bucket_ns > 0 && profile->timeline.work_ns[5] != 6)
    return 0;
  if (profile->thread_count > 0)
    return 0;
  return memcmp(profile->contexts, s->contexts, profile->context_count * sizeof *s->contexts) == 0;
}

/* Returns whether LOSSES has any.  */
static int test_fmt_is_loss(const struct cilkprof_losses *losses) {
  return losses->header || losses->run || losses->totals || losses->end || losses->objects + losses->sites > 0 ||
         losses->others + losses->bytes > 0;
}

struct outcome {
  int recovered, refused, wrong;
};

/* Recovers a profile from SIZE damaged BYTES of S, and counts in OUTCOME whether that succeeded, and whether it was
   wrong.  */
static void test_fmt_try(const struct sample *s, const uint8_t *bytes, size_t size, struct outcome *outcome) {
  struct cilkprof_profile profile;
  struct cilkprof_losses losses;
  struct cilkprof_read_error error = {SIZE_MAX, ""};
  uint8_t *copy = malloc(size > 0 ? size : 1);
  if (copy == NULL)
    abort();
  memcpy(copy, bytes, size);
  if (cilkprof_recover(copy, size, &profile, &losses, &error) != 0) {
    outcome->refused++;
    outcome->wrong += error.offset > size || error.message[0] == 0;
  } else {
    uint64_t marks = CILKPROF_INCOMPLETE | CILKPROF_DAMAGED;
    outcome->recovered++;
    outcome->wrong +=
        !test_fmt_is_part(s, &profile) || !test_fmt_is_loss(&losses) || (profile.program.flags & marks) != marks;
    cilkprof_profile_free(&profile);
  }
  free(copy);
}

/* Checks that nothing is lost from a file without damage.  */
static void test_fmt_whole(struct tap *tap, const struct sample *s, const struct bytes *whole) {
  struct cilkprof_profile profile;
  struct cilkprof_losses losses;
  struct cilkprof_read_error error;
  int result = cilkprof_recover(whole->data, whole->size, &profile, &losses, &error);
  tap_check(tap,
            result == 0 && !test_fmt_is_loss(&losses) && profile.site_count == 2 && profile.context_count == 2 &&
                profile.program.flags == s->program.flags,
            "a file that is whole has no losses");
  cilkprof_profile_free(&profile);
}

/* Returns the losses if one byte of the record of TAG number WHICH is flipped.  Sets *SITES to how many sites
   remain.  */
static struct cilkprof_losses test_fmt_lose(const struct bytes *whole, uint32_t tag, int which, size_t *sites) {
  struct cilkprof_losses losses = {0};
  struct cilkprof_profile profile;
  struct cilkprof_read_error error;
  for (size_t offset = sizeof(struct cilkprof_file_header), start; start = offset, offset < whole->size;) {
    struct cilkprof_record_header header = test_fmt_next_record(whole, &offset);
    if (header.tag != tag || which-- > 0)
      continue;
    whole->data[start + sizeof header] ^= 0x10;
    if (cilkprof_recover(whole->data, whole->size, &profile, &losses, &error) == 0) {
      *sites = profile.site_count;
      cilkprof_profile_free(&profile);
    }
    whole->data[start + sizeof header] ^= 0x10;
    break;
  }
  return losses;
}

/* Checks what is lost along with a damaged record of each kind.  */
static void test_fmt_kinds(struct tap *tap, const struct bytes *whole) {
  size_t sites = 0;
  struct cilkprof_losses losses = test_fmt_lose(whole, CILKPROF_RECORD_SITE, 1, &sites);
  tap_check(tap, losses.sites == 1 && losses.others == 5 + 4 && sites == 1,
            "a lost site takes loops, estimates, contexts, roots, transitions, spans and counters with it");
  losses = test_fmt_lose(whole, CILKPROF_RECORD_OBJECT, 1, &sites);
  tap_check(tap, losses.objects == 1 && losses.sites == 1 && sites == 1, "a lost object takes its sites with it");
  losses = test_fmt_lose(whole, CILKPROF_RECORD_TOTALS, 0, &sites);
  tap_check(tap, losses.totals && sites == 2 && losses.sites == 0, "lost totals");
  losses = test_fmt_lose(whole, CILKPROF_RECORD_RUN, 0, &sites);
  tap_check(tap, losses.run && sites == 2, "a lost run");
  losses = test_fmt_lose(whole, CILKPROF_RECORD_CONTEXT, 0, &sites);
  tap_check(tap, losses.others == 5 + 4 && sites == 2,
            "a lost context takes the others, loops, estimates, roots, transitions, spans and counters with it");
  losses = test_fmt_lose(whole, CILKPROF_RECORD_LOOP, 0, &sites);
  tap_check(tap, losses.others == 1 + 1 + 2 + 1 + 4 && sites == 2,
            "a lost loop takes estimates, contexts, roots, transitions, spans and counters with it");
  losses = test_fmt_lose(whole, CILKPROF_RECORD_ESTIMATE, 0, &sites);
  tap_check(tap, losses.others == 1 + 1 + 2 + 1 + 4 && sites == 2,
            "a lost estimate takes loops, contexts, roots, transitions, spans and counters with it");
  losses = test_fmt_lose(whole, CILKPROF_RECORD_PART, 0, &sites);
  tap_check(tap, losses.others == 6 + 4 && losses.sites == 0 && sites == 2, "a lost part of a root takes it with it");
  losses = test_fmt_lose(whole, CILKPROF_RECORD_TREE, 0, &sites);
  tap_check(tap, losses.others > 0 && sites == 2, "a lost tree");
  losses = test_fmt_lose(whole, CILKPROF_RECORD_SAMPLING, 0, &sites);
  tap_check(
      tap, losses.others == 1 + 3 + 1 + 1 + 2 + 1 + 4,
      "a lost sampling takes the stacks, loops, estimates, contexts, roots, transitions, spans and counters with it");
  losses = test_fmt_lose(whole, CILKPROF_RECORD_WORKERS, 0, &sites);
  tap_check(tap, losses.others == 1 + 1 + 1 + 2 + 1 + 4 && sites == 2, "lost workers leave the sites");
  losses = test_fmt_lose(whole, CILKPROF_RECORD_STACK, 0, &sites);
  tap_check(tap, losses.others == 1 + 1 + 1 + 2 + 1 + 4, "a lost stack leaves the others");
  losses = test_fmt_lose(whole, CILKPROF_RECORD_TRANSITIONS, 1, &sites);
  tap_check(tap, losses.others == 4 + 1 + 1 + 2 + 1, "lost transitions take those of other threads with them");
  losses = test_fmt_lose(whole, CILKPROF_RECORD_STACK_SPAN, 0, &sites);
  tap_check(tap, losses.others == 4 + 1 + 1 + 2 + 1, "what is lost on the span");
  losses = test_fmt_lose(whole, CILKPROF_RECORD_COUNTERS, 0, &sites);
  tap_check(tap, losses.others == 4 + 1 + 1 + 2 + 1, "lost counters");
  losses = test_fmt_lose(whole, CILKPROF_RECORD_END, 0, &sites);
  tap_check(tap, losses.end && sites == 2, "a lost end");
}

/* Checks that a record with a correct checksum that is not valid is left out, and no more.  */
static void test_fmt_invalid(struct tap *tap) {
  struct sample s = test_fmt_sample_profile();
  struct cilkprof_profile profile;
  struct cilkprof_losses losses;
  struct cilkprof_read_error error;
  s.region.kind = 99;
  struct bytes bytes = test_fmt_write_sample(&s);
  int result = cilkprof_recover(bytes.data, bytes.size, &profile, &losses, &error);
  tap_check(tap, result == 0 && profile.region_count == 0 && profile.site_count == 2 && profile.whatif_count == 1,
            "a region that is not valid is left out");
  if (result == 0)
    cilkprof_profile_free(&profile);
  free(bytes.data);
}

/* Recovers the sample after every kind of loss: records, its end, bits, and 200 bytes at any place.  Says how many were
   recovered.  Returns the exit status.  */
int main(void) {
  struct tap tap = {0, 0};
  struct sample s = test_fmt_sample_profile();
  struct bytes whole = test_fmt_write_sample(&s);
  struct outcome cut = {0, 0, 0}, flipped = {0, 0, 0}, zeroed = {0, 0, 0};
  test_fmt_whole(&tap, &s, &whole);
  test_fmt_kinds(&tap, &whole);
  test_fmt_invalid(&tap);
  for (size_t size = 0; size < whole.size; size++)
    test_fmt_try(&s, whole.data, size, &cut);
  tap_check(&tap, cut.wrong == 0 && cut.recovered > cut.refused, "cut short at every byte");
  for (size_t i = 0; i < whole.size; i++)
    for (int bit = 0; bit < 8; bit += 3) {
      whole.data[i] ^= (uint8_t)(1 << bit);
      test_fmt_try(&s, whole.data, whole.size, &flipped);
      whole.data[i] ^= (uint8_t)(1 << bit);
    }
  tap_check(&tap, flipped.wrong == 0 && flipped.recovered > 5 * flipped.refused, "three bits of every byte flipped");
  for (size_t i = 0; i + 200 < whole.size; i += 8) {
    uint8_t saved[200];
    memcpy(saved, whole.data + i, sizeof saved);
    memset(whole.data + i, 0, sizeof saved);
    test_fmt_try(&s, whole.data, whole.size, &zeroed);
    memcpy(whole.data + i, saved, sizeof saved);
  }
  tap_check(&tap, zeroed.wrong == 0 && zeroed.recovered > 0, "200 bytes of zeros anywhere");
  free(whole.data);
  printf("# cut %d/%d/%d, flipped %d/%d/%d, zeroed %d/%d/%d: recovered, refused, wrong\n", cut.recovered, cut.refused,
         cut.wrong, flipped.recovered, flipped.refused, flipped.wrong, zeroed.recovered, zeroed.refused, zeroed.wrong);
  return tap_end(&tap);
}
