/* Roots: decodes and checks their records, and makes the profile of a root as if it were a program.
   SPDX-License-Identifier: MIT  */

#include <stdlib.h>
#include <string.h>
#include "fmt/reader.h"
#include "fmt/verify.h"

enum part root_part_of_record(const struct reader *reader, const struct record *record) {
  uint64_t tag = 0;
  if (record->length >= sizeof tag)
    memcpy(&tag, record->payload, sizeof tag);
  file_to_host_order64(reader, &tag, 1);
  return tag == CILKPROF_RECORD_SITE      ? PART_SITE
         : tag == CILKPROF_RECORD_CONTEXT ? PART_CONTEXT
         : tag == CILKPROF_RECORD_WHATIF  ? PART_WHATIF
                                          : PART_UNKNOWN;
}

/* Returns an upper bound of the memory, in bytes, for the decoded contents of RECORD, a PART record.  */
size_t root_part_memory_bound(const struct reader *reader, const struct record *record) {
  switch (root_part_of_record(reader, record)) {
  case PART_SITE:
    return sizeof(struct cilkprof_root_site);
  case PART_CONTEXT:
    return sizeof(struct cilkprof_context);
  case PART_WHATIF:
    return sizeof(struct cilkprof_whatif) + record->length + 8;
  default:
    return 0;
  }
}

/* Allocates the memory for as many roots and parts of roots as CENSUS counted in the profile.  The parts of all roots
   are in one array of each kind, one root after another; those of the first root begin where the arrays begin.  */
void allocate_decoded_roots(struct reader *reader, const struct census *census) {
  uint64_t count = census->of[CILKPROF_RECORD_ROOT];
  reader->profile->roots = reader_allocate(reader, count * sizeof *reader->profile->roots);
  reader->next_root = (struct cilkprof_root){
      .sites = reader_allocate(reader, census->parts[PART_SITE] * sizeof(struct cilkprof_root_site)),
      .contexts = reader_allocate(reader, census->parts[PART_CONTEXT] * sizeof(struct cilkprof_context)),
      .whatifs = reader_allocate(reader, census->parts[PART_WHATIF] * sizeof(struct cilkprof_whatif)),
  };
}

/* Decodes a ROOT record and adds it to the roots of the profile.  Its parts will follow those of the root before it.
   Returns 0, or -1 with the error filled in.  */
int decode_root_record(struct reader *reader, struct record *record) {
  struct cilkprof_profile *profile = reader->profile;
  struct cilkprof_root *root = &profile->roots[profile->root_count], *before = root - 1;
  struct cilkprof_root_payload fixed;
  *root = reader->next_root;
  if (profile->root_count > 0) {
    root->sites = before->sites + before->site_count;
    root->contexts = before->contexts + before->context_count;
    root->whatifs = before->whatifs + before->whatif_count;
  }
  profile->root_count++;
  if (record_take_bytes(reader, record, &fixed, sizeof fixed) != 0 ||
      record_take_text(reader, record, &root->name) != 0)
    return -1;
  file_to_host_order64(reader, &fixed, sizeof fixed / sizeof(uint64_t));
  root->kind = fixed.kind;
  root->invocations = fixed.invocations;
  root->totals = fixed.totals;
  root->own = fixed.own;
  return 0;
}

/* Decodes the rest of RECORD, a PART record with the values of a site inside ROOT, and adds it to ROOT.  Returns 0, or
   -1 with the error filled in.  */
static int decode_root_site_part(struct reader *reader, struct record *record, struct cilkprof_root *root) {
  struct cilkprof_root_site *site = &root->sites[root->site_count++];
  if (record_take_bytes(reader, record, site, sizeof *site) != 0)
    return -1;
  file_to_host_order64(reader, site, sizeof *site / sizeof(uint64_t));
  return 0;
}

/* Decodes a PART record, a site, calling context or what-if of the last root before it, and adds it to that root.
   Parts of an unknown kind are skipped.  Returns 0, or -1 with the error filled in.  */
int decode_part_record(struct reader *reader, struct record *record) {
  struct cilkprof_profile *profile = reader->profile;
  uint64_t tag;
  if (profile->root_count == 0)
    return reader_fail(reader, record->offset, "this record belongs to no root");
  struct cilkprof_root *root = &profile->roots[profile->root_count - 1];
  enum part part = root_part_of_record(reader, record);
  if (record_take_bytes(reader, record, &tag, sizeof tag) != 0)
    return -1;
  switch (part) {
  case PART_SITE:
    return decode_root_site_part(reader, record, root);
  case PART_CONTEXT:
    return record_take_context(reader, record, &root->contexts[root->context_count++]);
  case PART_WHATIF:
    return record_take_whatif(reader, record, &root->whatifs[root->whatif_count++]);
  default: /* written by a later version */
    record->taken = record->length;
    return 0;
  }
}

/* Fills in the sites and calling contexts of PROFILE, which is that of ROOT, a root of WHOLE.  PLACES maps indices of
   sites in WHOLE to those in PROFILE.  */
static void fill_root_profile(const struct cilkprof_profile *whole, const struct cilkprof_root *root,
                              struct cilkprof_profile *profile, uint32_t *places) {
  for (size_t i = 0; i < root->site_count; i++) {
    const struct cilkprof_root_site *from = &root->sites[i];
    struct cilkprof_site *to = &profile->sites[i];
    *to = whole->sites[from->site];
    to->on_work = from->on_work;
    to->on_span = from->on_span;
    places[from->site] = (uint32_t)i;
  }
  for (size_t i = 0; i < root->context_count; i++) {
    profile->contexts[i] = root->contexts[i];
    profile->contexts[i].site = places[root->contexts[i].site];
  }
}

int cilkprof_root_profile(const struct cilkprof_profile *whole, const struct cilkprof_root *root,
                          struct cilkprof_profile *profile) {
  size_t sites = root->site_count * sizeof *profile->sites, contexts = root->context_count * sizeof *profile->contexts;
  uint32_t *places = malloc(whole->site_count * sizeof *places + 1);
  *profile = *whole;
  profile->file = NULL;
  profile->storage = malloc(sites + contexts + 1);
  if (places != NULL && profile->storage != NULL) {
    profile->totals = root->totals;
    profile->own = root->own;
    profile->root = root;
    profile->outside = whole->totals.work > root->totals.work ? whole->totals.work - root->totals.work : 0;
    profile->has_usage = 0; /* usage, workers and tree are those of the whole run */
    profile->workers = (struct cilkprof_workers){0};
    profile->tree = (struct cilkprof_tree){0};
    profile->root_count = profile->region_count = profile->loop_count = profile->estimate_count = 0;
    profile->sites = profile->storage;
    profile->site_count = root->site_count;
    profile->contexts = (struct cilkprof_context *)(profile->sites + root->site_count);
    profile->context_count = root->context_count;
    profile->whatifs = root->whatifs;
    profile->whatif_count = root->whatif_count;
    if (root->kind & CILKPROF_ROOT_PARTIAL)
      profile->program.flags |= CILKPROF_INCOMPLETE;
    memset(places, 0xff, whole->site_count * sizeof *places);
    fill_root_profile(whole, root, profile, places);
  }
  int failed = places == NULL || profile->storage == NULL;
  free(places);
  if (failed)
    free(profile->storage);
  return failed ? -1 : 0;
}

/* Checks the indices in ROOT, a root of PROFILE, and that it has a known kind, a name and a root invocation.  Returns
   NULL, or what is wrong.  */
static const char *verify_root_record(const struct cilkprof_profile *profile, const struct cilkprof_root *root) {
  if (root->kind & ~(uint64_t)CILKPROF_ROOT_PARTIAL)
    return "unknown kind of root";
  if (root->name[0] == 0 || root->invocations == 0)
    return "a root has no name or no invocations";
  for (size_t i = 0; i < root->site_count; i++)
    if (root->sites[i].site >= profile->site_count || (i > 0 && root->sites[i].site <= root->sites[i - 1].site))
      return "a root refers to an unlisted call site, or out of order";
  for (size_t i = 0; i < root->context_count; i++)
    if (root->contexts[i].site >= profile->site_count ||
        (root->contexts[i].parent >= i && root->contexts[i].parent != CILKPROF_NO_CONTEXT))
      return "a context of a root refers to an unlisted parent or call site";
  return NULL;
}

/* Checks PART, the profile of a root, and that its calling contexts refer only to its own sites.  Returns NULL, or what
   is wrong.  */
static const char *verify_root_profile(const struct cilkprof_profile *part) {
  const char *wrong = NULL;
  for (size_t i = 0; i < part->site_count && wrong == NULL; i++)
    wrong = cilkprof_verify_site(part, &part->sites[i]);
  for (size_t i = 0; i < part->context_count && wrong == NULL; i++)
    wrong = cilkprof_verify_context(part, &part->contexts[i]);
  return wrong != NULL ? wrong : cilkprof_verify_profile(part);
}

/* Checks all roots of PROFILE, each as if it were a profile of its own.  A root for whose profile there is no memory is
   not checked.  Returns NULL, or what is wrong.  */
const char *verify_all_roots(const struct cilkprof_profile *profile) {
  const char *wrong = NULL;
  for (size_t i = 0; i < profile->root_count && wrong == NULL; i++) {
    struct cilkprof_profile part;
    wrong = verify_root_record(profile, &profile->roots[i]);
    if (wrong != NULL || cilkprof_root_profile(profile, &profile->roots[i], &part) != 0)
      continue;
    wrong = verify_root_profile(&part);
    free(part.storage);
  }
  return wrong;
}
