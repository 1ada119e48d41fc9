/* The sum of several profiles, written as one profile, as gprof -s does.
   SPDX-License-Identifier: GPL-3.0-or-later

   Sums that do not fit into 64 bits saturate, and a flag of the profile says so, because the sites then no longer add
   up to the totals.  */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/model/input.h"
#include "cilkprof-report/model/sum-samples.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/model/trees.h"
#include "cilkprof-report/model/whatifs.h"
#include "cilkprof-report/support/output.h"
#include "cilkprof-report/support/support.h"

struct sum {
  struct cilkprof_profile profile;
  size_t object_room, site_room;
  struct table objects, sites;
  struct loops loops;
  struct estimates estimates;
  struct contexts contexts;
  struct regions regions;
  struct usages usages;
  struct sample_sum samples;
  uint64_t *invocations; /* if the profiles are of a root: root invocations by site */
  size_t invocation_room;
};

/* Callback of hash_table_find: returns whether two objects are the same file by build-id, or by path if they have
   none.  */
static bool is_same_model_sum_object(const void *array, size_t place, const void *key) {
  const struct cilkprof_object *a = (const struct cilkprof_object *)array + place, *b = key;
  return a->build_id_size == b->build_id_size &&
         (a->build_id_size > 0 ? memcmp(a->build_id, b->build_id, a->build_id_size) == 0
                               : strcmp(a->path, b->path) == 0);
}

/* Returns the number of OBJECT in the sum, and adds it if it is new.  */
static uint32_t place_model_sum_object(struct sum *sum, const struct cilkprof_object *object) {
  struct cilkprof_profile *profile = &sum->profile;
  const uint8_t *bytes = object->build_id_size > 0 ? object->build_id : (const uint8_t *)object->path;
  size_t size = object->build_id_size > 0 ? object->build_id_size : strlen(object->path);
  uint64_t hash = 0;
  for (size_t i = 0; i < size; i++)
    hash = hash_add(hash, bytes[i]);
  size_t place =
      hash_table_find(&sum->objects, hash, is_same_model_sum_object, profile->objects, object, profile->object_count);
  if (place < profile->object_count)
    return (uint32_t)place;
  profile->objects = grow_array(profile->objects, profile->object_count, &sum->object_room, sizeof *profile->objects);
  profile->objects[profile->object_count] = *object;
  return (uint32_t)profile->object_count++;
}

/* Callback of hash_table_find: returns whether two call sites have the same description and the same callee.  */
static bool is_same_model_sum_site(const void *array, size_t place, const void *key) {
  const struct cilkprof_site *a = (const struct cilkprof_site *)array + place, *b = key;
  return a->object == b->object && a->description == b->description && a->callee_object == b->callee_object &&
         a->callee == b->callee;
}

/* Returns the number of the call site SITE in SUM, or the number of sites if it is new.  The next site to be added must
   then be SITE.  */
static size_t find_model_sum_site(struct sum *sum, const struct cilkprof_site *site) {
  uint64_t hash = hash_add(hash_add(0, site->description), (uint64_t)site->object << 32 | site->callee_object);
  hash = hash_add(hash, site->callee);
  return hash_table_find(&sum->sites, hash, is_same_model_sum_site, sum->profile.sites, site, sum->profile.site_count);
}

/* Adds the call site SITE to SUM, or its measurements if the sum has the site already.  Returns its number in the
   sum.  */
static uint32_t place_model_sum_site(struct sum *sum, const struct cilkprof_site *site) {
  struct cilkprof_profile *profile = &sum->profile;
  size_t place = find_model_sum_site(sum, site);
  if (place == profile->site_count) {
    profile->sites = grow_array(profile->sites, profile->site_count, &sum->site_room, sizeof *profile->sites);
    profile->sites[profile->site_count++] = *site;
  } else {
    add_model_measures(&profile->sites[place].on_work, &site->on_work);
    add_model_measures(&profile->sites[place].on_span, &site->on_span);
  }
  return (uint32_t)place;
}

/* Adds the totals of one run, of the profile FROM, to SUM.  FROM must have the units of the sum.  FIRST says that there
   are no runs before it.  */
static void add_model_sum_run(struct sum *sum, const struct cilkprof_profile *from, bool first) {
  struct cilkprof_run *run = &sum->profile.run;
  add_model_usage(&sum->usages, sum->profile.totals.work, from, first);
  model_add_saturating(&run->elapsed_ns, from->run.elapsed_ns);
  model_add_saturating(&run->preempted_strands, from->run.preempted_strands);
  model_add_saturating(&run->preempted_units, from->run.preempted_units);
  sum->profile.program.flags |= from->program.flags;
  add_model_totals(&sum->profile.totals, &from->totals);
  add_model_measure(&sum->profile.own, &from->own);
}

/* Returns a copy of ARRAY, which has COUNT elements of SIZE bytes.  Allocated.  */
static void *copy_model_sum_array(const void *array, size_t count, size_t size) {
  void *copied = allocate(count, size);
  if (count > 0)
    memcpy(copied, array, count * size);
  return copied;
}

/* Returns the counter of root invocations that are invocations of the call site number SITE in SUM.  New counters are
   0.  */
static uint64_t *model_sum_root_invocations(struct sum *sum, uint32_t site) {
  size_t before = sum->invocation_room;
  while (sum->invocation_room <= site)
    sum->invocations =
        grow_array(sum->invocations, sum->invocation_room, &sum->invocation_room, sizeof *sum->invocations);
  memset(sum->invocations + before, 0, (sum->invocation_room - before) * sizeof *sum->invocations);
  return &sum->invocations[site];
}

/* Adds the measurements of ORIGINAL, a profile with work and span that was read from PATH, to SUM.  OBJECTS[i] is the
   number in the sum of its object number i.  */
static void add_measured_to_model_sum(struct sum *sum, const struct cilkprof_profile *original, const uint32_t *objects,
                                      const char *path, bool first) {
  struct cilkprof_profile from = *original;
  from.sites = copy_model_sum_array(from.sites, from.site_count, sizeof *from.sites);
  from.loops = copy_model_sum_array(from.loops, from.loop_count, sizeof *from.loops);
  from.estimates = copy_model_sum_array(from.estimates, from.estimate_count, sizeof *from.estimates);
  from.contexts = copy_model_sum_array(from.contexts, from.context_count, sizeof *from.contexts);
  from.regions = copy_model_sum_array(from.regions, from.region_count, sizeof *from.regions);
  convert_model_profile_units(&from, sum->profile.run.units_per_second);
  uint32_t *places = allocate(from.site_count, sizeof *places);
  add_model_sum_run(sum, &from, first);
  for (size_t i = 0; i < from.site_count; i++) {
    struct cilkprof_site site = from.sites[i];
    site.object = objects[site.object];
    if (site.callee_object != CILKPROF_NO_OBJECT)
      site.callee_object = objects[site.callee_object];
    places[i] = place_model_sum_site(sum, &site);
    if (from.root != NULL)
      model_add_saturating(model_sum_root_invocations(sum, places[i]), from.root->sites[i].invocations);
  }
  add_model_loops(&sum->loops, &from, places);
  add_model_estimates(&sum->estimates, &from, places);
  add_model_contexts(&sum->contexts, &from, places, path);
  add_model_regions(&sum->regions, &from);
  add_model_whatifs(&sum->profile.whatifs, &sum->profile.whatif_count, original, first);
  add_model_tree(&sum->profile.tree, &original->tree);
  free(places);
  free(from.sites);
  free(from.loops);
  free(from.estimates);
  free(from.contexts);
  free(from.regions);
}

/* Adds the profile FROM, which was read from PATH, to SUM: its objects, measurements and samples.  FIRST says that
   there are none before it.  */
static void add_profile_to_model_sum(struct sum *sum, const struct cilkprof_profile *from, const char *path,
                                     bool first) {
  uint32_t *objects = allocate(from->object_count, sizeof *objects);
  for (size_t i = 0; i < from->object_count; i++)
    objects[i] = place_model_sum_object(sum, &from->objects[i]);
  if (from->program.mode != CILKPROF_MODE_SAMPLED)
    add_measured_to_model_sum(sum, from, objects, path, first);
  else
    sum->profile.program.flags |= from->program.flags;
  if (sum->profile.program.mode == CILKPROF_MODE_SAMPLED)
    model_add_saturating(&sum->profile.run.elapsed_ns, from->run.elapsed_ns);
  add_model_samples(&sum->samples, from, objects, path);
  free(objects);
}

/* Makes the totals of PROFILE, a sum, the sums of its call sites again, because conversion of units rounds every value
   by itself.  Drops all on-span data if one run has none, because the sums then mean nothing.  */
static void restore_model_sum_totals(struct cilkprof_profile *profile) {
  uint64_t work = profile->own.work, span = profile->own.span;
  bool no_on_span = profile->program.flags & CILKPROF_NO_ON_SPAN;
  for (size_t i = 0; i < profile->site_count; i++) {
    if (no_on_span)
      profile->sites[i].on_span = (struct cilkprof_measures){0};
    model_add_saturating(&work, profile->sites[i].on_work.local.work);
    model_add_saturating(&span, profile->sites[i].on_span.local.span);
  }
  profile->program.flags |= model_saturation_flags();
  if (profile->program.flags & CILKPROF_INCOMPLETE)
    return;
  profile->totals.work = work;
  if (!no_on_span)
    profile->totals.span = span;
}

/* Moves the calling contexts of SUM into its profile if all runs have them: those of some runs would not add up to the
   sites.  */
static void set_model_sum_contexts(struct sum *sum) {
  struct cilkprof_profile *profile = &sum->profile;
  bool no_on_span = profile->program.flags & CILKPROF_NO_ON_SPAN;
  if (sum->contexts.missing != NULL && sum->contexts.count > 0 && sum->invocations == NULL)
    note(sum->contexts.missing, "it has no calling contexts, so the sum has none");
  if (sum->contexts.missing != NULL) {
    profile->program.flags &= ~(uint64_t)CILKPROF_CONTEXTS_CUT;
    return;
  }
  profile->context_count = sum->contexts.count;
  profile->contexts = allocate(profile->context_count, sizeof *profile->contexts);
  for (size_t i = 0; i < profile->context_count; i++) {
    const struct context *from = &sum->contexts.contexts[i];
    profile->contexts[i] = (struct cilkprof_context){from->parent, from->site, from->on_work, from->on_span};
    if (no_on_span)
      profile->contexts[i].on_span = (struct cilkprof_measure){0};
  }
}

/* Callback of the writer: writes SIZE bytes to the FILE in CLOSURE.  Returns 0, or -1 on an error.  */
static int put_model_sum_bytes(void *closure, const void *bytes, size_t size) {
  return fwrite(bytes, 1, size, closure) == size ? 0 : -1;
}

/* Writes the what-ifs and then the calling contexts of PROFILE, the sum of the whole program or of a root.  */
static void write_model_sum_whatifs_contexts(struct cilkprof_writer *writer, const struct cilkprof_profile *profile) {
  for (size_t i = 0; i < profile->whatif_count; i++)
    cilkprof_write_whatif(writer, &profile->whatifs[i]);
  for (size_t i = 0; i < profile->context_count; i++)
    cilkprof_write_context(writer, &profile->contexts[i]);
}

/* Callback of qsort: compares two sites of a root by the number of the call site, in which order the file must have
   them.  */
static int compare_model_sum_root_sites(const void *left, const void *right) {
  uint64_t a = ((const struct cilkprof_root_site *)left)->site, b = ((const struct cilkprof_root_site *)right)->site;
  return a < b ? -1 : a > b;
}

/* Writes ROOT with the sites of SUM, the sum of the profiles of this root.  The sites get the numbers that they have in
   WHOLE, the sum of the whole profiles.  */
static void write_model_sum_root_records(struct cilkprof_writer *writer, struct sum *whole, struct sum *sum,
                                         struct cilkprof_root *root) {
  struct cilkprof_profile *profile = &sum->profile;
  struct cilkprof_root_site *sites = allocate(profile->site_count, sizeof *sites);
  for (size_t i = 0; i < profile->site_count; i++)
    sites[i] = (struct cilkprof_root_site){find_model_sum_site(whole, &profile->sites[i]),
                                           *model_sum_root_invocations(sum, (uint32_t)i), profile->sites[i].on_work,
                                           profile->sites[i].on_span};
  for (size_t i = 0; i < profile->context_count; i++)
    profile->contexts[i].site = (uint32_t)sites[profile->contexts[i].site].site;
  qsort(sites, profile->site_count, sizeof *sites, compare_model_sum_root_sites);
  root->totals = profile->totals;
  root->own = profile->own;
  cilkprof_write_root(writer, root);
  for (size_t i = 0; i < profile->site_count; i++)
    cilkprof_write_root_site(writer, &sites[i]);
  write_model_sum_whatifs_contexts(writer, profile);
  free(sites);
}

/* Adds up the profiles of INPUT for the root NAME, which all of them have, and writes the sum.  */
static void write_model_sum_root(struct cilkprof_writer *writer, const struct input *input, struct sum *whole,
                                 const char *name) {
  struct sum sum = {.profile = {.program = input->wholes[0].program, .run = whole->profile.run}};
  struct cilkprof_root root = {.name = name};
  for (size_t i = 0; i < input->measured; i++) {
    const struct cilkprof_root *one = find_model_root(&input->wholes[i], name);
    struct cilkprof_profile part;
    if (cilkprof_root_profile(&input->wholes[i], one, &part) != 0)
      fail_without_memory();
    part.has_sampling = 0; /* samples belong to the whole run */
    root.kind |= one->kind;
    model_add_saturating(&root.invocations, one->invocations);
    add_profile_to_model_sum(&sum, &part, input->paths[i], i == 0);
  }
  restore_model_sum_totals(&sum.profile);
  set_model_sum_contexts(&sum);
  write_model_sum_root_records(writer, whole, &sum, &root);
  free(sum.invocations);
}

/* Writes the sums of all roots that every profile of INPUT has, and tells the user about the others.  */
static void write_model_sum_roots(struct cilkprof_writer *writer, const struct input *input, struct sum *whole) {
  for (size_t i = 0; i < input->wholes[0].root_count; i++) {
    const char *name = input->wholes[0].roots[i].name, *without = NULL;
    for (size_t k = 1; k < input->measured && without == NULL; k++)
      without = find_model_root(&input->wholes[k], name) == NULL ? input->paths[k] : NULL;
    if (without != NULL)
      note(without, "it has no root %s, so the sum has none", name);
    else
      write_model_sum_root(writer, input, whole, name);
  }
}

/* Writes SAMPLES, the sum of the samples of all runs, if there are any.  */
static void write_model_sum_samples(struct cilkprof_writer *writer, const struct sample_sum *samples) {
  if (samples->profiles == 0)
    return;
  cilkprof_write_sampling(writer, &samples->sampling);
  for (size_t i = 0; i < samples->count; i++)
    cilkprof_write_stack(writer, &samples->stacks[i]);
  for (size_t i = 0; i < samples->count; i++)
    if (samples->spans[i].samples > 0)
      cilkprof_write_stack_span(writer, &samples->spans[i]);
  for (size_t i = 0; i < samples->count; i++)
    if (samples->counters[i].cycles > 0)
      cilkprof_write_counters(writer, &samples->counters[i]);
  if (samples->timeline.bucket_ns > 0)
    cilkprof_write_timeline(writer, &samples->timeline);
  for (size_t i = 0; i < samples->thread_count; i++)
    cilkprof_write_transitions(writer, &samples->threads[i]);
}

/* Writes the profile of SUM and the sums of its roots to OUT, in the format of cilkprof.out.  Returns 0, or -1 with
   errno set.  */
static int write_model_sum_profile(FILE *out, const struct input *input, struct sum *sum) {
  struct cilkprof_writer writer = {.put = put_model_sum_bytes, .closure = out};
  const struct cilkprof_profile *profile = &sum->profile;
  cilkprof_write_begin(&writer);
  cilkprof_write_program(&writer, &profile->program);
  cilkprof_write_run(&writer, &profile->run);
  for (size_t i = 0; i < profile->object_count; i++)
    cilkprof_write_object(&writer, &profile->objects[i]);
  cilkprof_write_totals(&writer, &profile->totals);
  if (profile->has_usage)
    cilkprof_write_usage(&writer, &profile->usage);
  if (profile->workers.workers > 0)
    cilkprof_write_workers(&writer, &profile->workers);
  for (size_t i = 0; i < profile->site_count; i++)
    cilkprof_write_site(&writer, &profile->sites[i]);
  for (size_t i = 0; i < sum->loops.count; i++)
    cilkprof_write_loop(&writer, &sum->loops.loops[i]);
  for (size_t i = 0; i < sum->estimates.count; i++)
    if (sum->estimates.of_sites[i].counted + sum->estimates.of_sites[i].error > 0)
      cilkprof_write_estimate(&writer, &sum->estimates.of_sites[i]);
  for (size_t i = 0; i < profile->region_count; i++)
    cilkprof_write_region(&writer, &profile->regions[i]);
  write_model_sum_whatifs_contexts(&writer, profile);
  if (profile->tree.node_count > 0)
    cilkprof_write_tree(&writer, &profile->tree);
  write_model_sum_samples(&writer, &sum->samples);
  write_model_sum_roots(&writer, input, sum);
  return cilkprof_write_end(&writer);
}

/* Returns whether PATH ends in ".sum".  */
static bool is_model_sum_path(const char *path) {
  size_t length = strlen(path);
  return length >= 4 && strcmp(path + length - 4, ".sum") == 0;
}

/* Writes the sum of the profiles of INPUT to PATH.  A PATH that ends in .sum may be one of the profiles, so that sums
   can be continued.  FORCE says that an existing file may be overwritten.  */
void write_model_sum(const struct input *input, const char *path, bool force) {
  struct sum sum = {0};
  struct cilkprof_run *run = &sum.profile.run;
  sum.profile.program = input->wholes[0].program;
  *run = input->wholes[0].run;
  run->elapsed_ns = run->preempted_strands = run->preempted_units = 0;
  for (size_t i = 0; i < input->count; i++)
    add_profile_to_model_sum(&sum, &input->wholes[i], input->paths[i], i == 0);
  sum.profile.regions = sum.regions.regions;
  sum.profile.region_count = sum.regions.count;
  sum.profile.usage = sum.usages.sum;
  sum.profile.workers = sum.usages.workers;
  sum.profile.has_usage = sum.usages.known;
  restore_model_sum_totals(&sum.profile);
  set_model_sum_contexts(&sum);
  run->load_count = (uint32_t)sum.profile.object_count;
  /* Load addresses differ from run to run: those of the sum are zero.  */
  run->load_addresses = allocate(run->load_count, sizeof *run->load_addresses);
  FILE *out = output_open(path, force || is_model_sum_path(path));
  if (write_model_sum_profile(out, input, &sum) != 0)
    fail(path, "%s", strerror(errno));
  output_close(out);
}
