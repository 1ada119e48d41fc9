/* Decodes the payloads of records into the profile.  Nothing in the file is trusted.
   SPDX-License-Identifier: MIT  */

#include "fmt/reader.h"
#include "fmt/verify.h"

/* Returns an upper bound of the memory, in bytes, for the decoded contents of RECORD.  A string has four bytes of
   length in the file; in memory it has a zero byte at its end and up to seven bytes of padding.  An argument of the
   command line and a name of the tree also need a pointer.  */
size_t record_memory_bound(const struct reader *reader, const struct record *record) {
  switch (record->tag) {
  case CILKPROF_RECORD_PROGRAM:
    return 5 * record->length + 8;
  case CILKPROF_RECORD_OBJECT:
    return sizeof(struct cilkprof_object) + record->length + 16;
  case CILKPROF_RECORD_RUN:
    return record->length;
  case CILKPROF_RECORD_SITE:
    return sizeof(struct cilkprof_site);
  case CILKPROF_RECORD_LOOP:
    return sizeof(struct cilkprof_loop);
  case CILKPROF_RECORD_ESTIMATE:
    return sizeof(struct cilkprof_estimate);
  case CILKPROF_RECORD_REGION:
    return sizeof(struct cilkprof_region) + record->length + 8;
  case CILKPROF_RECORD_CONTEXT:
    return sizeof(struct cilkprof_context);
  case CILKPROF_RECORD_WHATIF:
    return sizeof(struct cilkprof_whatif) + record->length + 8;
  case CILKPROF_RECORD_TREE:
    return 5 * record->length + 8;
  case CILKPROF_RECORD_ROOT:
    return sizeof(struct cilkprof_root) + record->length + 8;
  case CILKPROF_RECORD_PART:
    return root_part_memory_bound(reader, record);
  case CILKPROF_RECORD_STACK:
    return sizeof(struct cilkprof_stack);
  case CILKPROF_RECORD_STACK_SPAN:
    return sizeof(struct cilkprof_stack_span);
  case CILKPROF_RECORD_COUNTERS:
    return sizeof(struct cilkprof_counters);
  case CILKPROF_RECORD_TIMELINE:
    return record->length + 8;
  case CILKPROF_RECORD_TRANSITIONS:
    return sizeof(struct cilkprof_transitions) + record->length + 8;
  default:
    return 0;
  }
}

/* Decodes the PROGRAM record: the mode of measurement, flags, burden and command line.  Returns 0, or -1 with the error
   filled in.  */
static int decode_program_record(struct reader *reader, struct record *record) {
  struct cilkprof_program *program = &reader->profile->program;
  struct cilkprof_program_payload fixed = {0};
  if (record_take_bytes(reader, record, &fixed, sizeof fixed) != 0)
    return -1;
  file_to_host_order64(reader, &fixed.flags, 3);
  program->mode = file_to_host_order32(reader, fixed.mode);
  program->argc = file_to_host_order32(reader, fixed.argc);
  program->flags = fixed.flags;
  program->burden = fixed.burden;
  program->loop_workers = fixed.loop_workers;
  if (program->argc > (record->length - record->taken) / sizeof(uint32_t))
    return reader_fail(reader, record->offset, "the command line has fewer than %u arguments", program->argc);
  const char **argv = reader_allocate(reader, program->argc * sizeof *argv);
  program->argv = argv;
  for (uint32_t i = 0; i < program->argc; i++)
    if (record_take_text(reader, record, &argv[i]) != 0)
      return -1;
  return record_fail_if_wrong(reader, record, cilkprof_verify_program(program));
}

/* Decodes the RUN record: times, units, and the load address of every object.  Returns 0, or -1 with the error filled
   in.  */
static int decode_run_record(struct reader *reader, struct record *record) {
  struct cilkprof_run_payload fixed = {0};
  if (record_take_bytes(reader, record, &fixed, sizeof fixed) != 0)
    return -1;
  file_to_host_order64(reader, &fixed, sizeof fixed / sizeof(uint64_t));
  if (fixed.load_count > UINT32_MAX || fixed.load_count != (record->length - record->taken) / sizeof(uint64_t))
    return reader_fail(reader, record->offset, "the run does not have the stated number of load addresses");
  size_t size = fixed.load_count * sizeof(uint64_t);
  uint64_t *addresses = reader_allocate(reader, size);
  if (record_take_bytes(reader, record, addresses, size) != 0)
    return -1;
  file_to_host_order64(reader, addresses, fixed.load_count);
  reader->profile->run = (struct cilkprof_run){
      .pid = fixed.pid,
      .start_ns = fixed.start_ns,
      .elapsed_ns = fixed.elapsed_ns,
      .units_per_second = fixed.units_per_second,
      .burden_units = fixed.burden_units,
      .timer_hz = fixed.timer_hz,
      .timer_cost = fixed.timer_cost,
      .preempted_strands = fixed.preempted_strands,
      .preempted_units = fixed.preempted_units,
      .load_count = (uint32_t)fixed.load_count,
      .load_addresses = addresses,
  };
  return 0;
}

/* Decodes an OBJECT record, the path and build ID of an executable or library, and adds it to the objects of the
   profile.  Returns 0, or -1 with the error filled in.  */
static int decode_object_record(struct reader *reader, struct record *record) {
  struct cilkprof_object *object = &reader->profile->objects[reader->profile->object_count++];
  if (record_take_text(reader, record, &object->path) != 0)
    return -1;
  return record_take_string(reader, record, &object->build_id, &object->build_id_size);
}

/* Decodes the TOTALS record: work, span, burdened span, spawns and syncs of the program.  Returns 0, or -1 with the
   error filled in.  */
static int decode_totals_record(struct reader *reader, struct record *record) {
  struct cilkprof_totals *totals = &reader->profile->totals;
  if (record_take_whole(reader, record, totals, sizeof *totals) != 0)
    return -1;
  file_to_host_order64(reader, totals, sizeof *totals / sizeof(uint64_t));
  return 0;
}

/* Decodes and checks the USAGE record: the resources that the run and its reference runs used.  Returns 0, or -1 with
   the error filled in.  */
static int decode_usage_record(struct reader *reader, struct record *record) {
  struct cilkprof_usage_record *usage = &reader->profile->usage;
  if (record_take_whole(reader, record, usage, sizeof *usage) != 0)
    return -1;
  file_to_host_order64(reader, usage, sizeof *usage / sizeof(uint64_t));
  reader->profile->has_usage = 1;
  return record_fail_if_wrong(reader, record, cilkprof_verify_usage(usage));
}

/* Decodes and checks the WORKERS record: how a run on several workers went.  Returns 0, or -1 with the error filled
   in.  */
static int decode_workers_record(struct reader *reader, struct record *record) {
  struct cilkprof_workers *workers = &reader->profile->workers;
  if (record_take_whole(reader, record, workers, sizeof *workers) != 0)
    return -1;
  file_to_host_order64(reader, workers, sizeof *workers / sizeof(uint64_t));
  return record_fail_if_wrong(reader, record, cilkprof_verify_workers(workers));
}

/* Decodes and checks a SITE record and adds it to the call sites of the profile.  A profile that is read in place
   stores its sites over records that have been read.  Returns 0, or -1 with the error filled in.  */
static int decode_site_record(struct reader *reader, struct record *record) {
  struct cilkprof_site *site = &reader->profile->sites[reader->profile->site_count++];
  if (record_take_whole(reader, record, site, sizeof *site) != 0)
    return -1;
  site->object = file_to_host_order32(reader, site->object);
  site->callee_object = file_to_host_order32(reader, site->callee_object);
  file_to_host_order64(reader, &site->description,
                       (sizeof *site - offsetof(struct cilkprof_site, description)) / sizeof(uint64_t));
  return record_fail_if_wrong(reader, record, cilkprof_verify_site(reader->profile, site));
}

/* Decodes and checks a LOOP record and adds it to the loops of the profile.  Returns 0, or -1 with the error filled
   in.  */
static int decode_loop_record(struct reader *reader, struct record *record) {
  struct cilkprof_loop *loop = &reader->profile->loops[reader->profile->loop_count++];
  if (record_take_whole(reader, record, loop, sizeof *loop) != 0)
    return -1;
  file_to_host_order64(reader, loop, sizeof *loop / sizeof(uint64_t));
  return record_fail_if_wrong(reader, record, cilkprof_verify_loop(reader->profile, loop));
}

/* Decodes and checks an ESTIMATE record and adds it to the estimates of the profile.  Returns 0, or -1 with the error
   filled in.  */
static int decode_estimate_record(struct reader *reader, struct record *record) {
  struct cilkprof_estimate *estimate = &reader->profile->estimates[reader->profile->estimate_count++];
  if (record_take_whole(reader, record, estimate, sizeof *estimate) != 0)
    return -1;
  file_to_host_order64(reader, estimate, sizeof *estimate / sizeof(uint64_t));
  return record_fail_if_wrong(reader, record, cilkprof_verify_estimate(reader->profile, estimate));
}

/* Decodes and checks a REGION record, a part of the program that the user named, and adds it to the regions of the
   profile.  Returns 0, or -1 with the error filled in.  */
static int decode_region_record(struct reader *reader, struct record *record) {
  struct cilkprof_region *region = &reader->profile->regions[reader->profile->region_count++];
  struct cilkprof_region_payload fixed;
  if (record_take_bytes(reader, record, &fixed, sizeof fixed) != 0 ||
      record_take_text(reader, record, &region->label) != 0)
    return -1;
  file_to_host_order64(reader, &fixed, sizeof fixed / sizeof(uint64_t));
  region->kind = fixed.kind;
  region->total = fixed.total;
  return record_fail_if_wrong(reader, record, cilkprof_verify_region(reader->profile, region));
}

/* Copies the next calling context of RECORD, a CONTEXT record or a part of a root, to *CONTEXT, without checking it.
   Returns 0, or -1 with the error filled in.  */
int record_take_context(struct reader *reader, struct record *record, struct cilkprof_context *context) {
  if (record_take_bytes(reader, record, context, sizeof *context) != 0)
    return -1;
  context->parent = file_to_host_order32(reader, context->parent);
  context->site = file_to_host_order32(reader, context->site);
  file_to_host_order64(reader, &context->on_work, 2 * sizeof(struct cilkprof_measure) / sizeof(uint64_t));
  return 0;
}

/* Decodes and checks a CONTEXT record and adds it to the calling contexts of the profile.  Its parent must be one that
   is already there.  Returns 0, or -1 with the error filled in.  */
static int decode_context_record(struct reader *reader, struct record *record) {
  struct cilkprof_context *context = &reader->profile->contexts[reader->profile->context_count];
  if (record_take_context(reader, record, context) != 0)
    return -1;
  const char *wrong = cilkprof_verify_context(reader->profile, context);
  reader->profile->context_count++;
  return record_fail_if_wrong(reader, record, wrong);
}

/* Copies the next what-if of RECORD, a WHATIF record or a part of a root, to *WHATIF, and checks it.  Returns 0, or -1
   with the error filled in.  */
int record_take_whatif(struct reader *reader, struct record *record, struct cilkprof_whatif *whatif) {
  struct cilkprof_whatif_payload fixed;
  if (record_take_bytes(reader, record, &fixed, sizeof fixed) != 0 ||
      record_take_text(reader, record, &whatif->candidate) != 0)
    return -1;
  file_to_host_order64(reader, &fixed, sizeof fixed / sizeof(uint64_t));
  whatif->faster = fixed.faster;
  whatif->count = fixed.count;
  whatif->work = fixed.work;
  whatif->span = fixed.span;
  return record_fail_if_wrong(reader, record, cilkprof_verify_whatif(whatif));
}

/* Decodes a WHATIF record, the work and span of the program if a candidate were faster, and adds it to the profile.
   Returns 0, or -1 with the error filled in.  */
static int decode_whatif_record(struct reader *reader, struct record *record) {
  return record_take_whatif(reader, record, &reader->profile->whatifs[reader->profile->whatif_count++]);
}

/* Decodes and checks the SAMPLING record, which states how a parallel run was sampled.  Returns 0, or -1 with the error
   filled in.  */
static int decode_sampling_record(struct reader *reader, struct record *record) {
  struct cilkprof_sampling *sampling = &reader->profile->sampling;
  if (record_take_whole(reader, record, sampling, sizeof *sampling) != 0)
    return -1;
  file_to_host_order64(reader, sampling, sizeof *sampling / sizeof(uint64_t));
  reader->profile->has_sampling = 1;
  return record_fail_if_wrong(reader, record, cilkprof_verify_sampling(sampling));
}

/* Decodes and checks a STACK record, a node in the tree of sampled call paths, and adds it to the profile.  Its parent
   must be one that is already there.  Returns 0, or -1 with the error filled in.  */
static int decode_stack_record(struct reader *reader, struct record *record) {
  struct cilkprof_stack *stack = &reader->profile->stacks[reader->profile->stack_count];
  if (record_take_whole(reader, record, stack, sizeof *stack) != 0)
    return -1;
  stack->parent = file_to_host_order32(reader, stack->parent);
  stack->object = file_to_host_order32(reader, stack->object);
  file_to_host_order64(reader, &stack->kind,
                       (sizeof *stack - offsetof(struct cilkprof_stack, kind)) / sizeof(uint64_t));
  const char *wrong = cilkprof_verify_stack(reader->profile, stack);
  reader->profile->stack_count++;
  return record_fail_if_wrong(reader, record, wrong);
}

/* Decodes and checks a STACK_SPAN record, what of a stack is on the span, and adds it to the profile.  Returns 0, or -1
   with the error filled in.  */
static int decode_stack_span_record(struct reader *reader, struct record *record) {
  struct cilkprof_profile *profile = reader->profile;
  struct cilkprof_stack_span *span = &profile->stack_spans[profile->stack_span_count];
  if (record_take_whole(reader, record, span, sizeof *span) != 0)
    return -1;
  file_to_host_order64(reader, span, sizeof *span / sizeof(uint64_t));
  const char *wrong = cilkprof_verify_stack_span(profile, span);
  profile->stack_span_count++;
  return record_fail_if_wrong(reader, record, wrong);
}

/* Decodes and checks a COUNTERS record, what the processor counted for a stack, and adds it to the profile.  Returns 0,
   or -1 with the error filled in.  */
static int decode_counters_record(struct reader *reader, struct record *record) {
  struct cilkprof_profile *profile = reader->profile;
  struct cilkprof_counters *counters = &profile->counters[profile->counters_count];
  if (record_take_whole(reader, record, counters, sizeof *counters) != 0)
    return -1;
  file_to_host_order64(reader, counters, sizeof *counters / sizeof(uint64_t));
  const char *wrong = cilkprof_verify_counters(profile, counters);
  profile->counters_count++;
  return record_fail_if_wrong(reader, record, wrong);
}

/* Decodes the TIMELINE record, the work of each sampled thread over time.  Returns 0, or -1 with the error filled
   in.  */
static int decode_timeline_record(struct reader *reader, struct record *record) {
  struct cilkprof_timeline_payload fixed = {0};
  if (record_take_bytes(reader, record, &fixed, sizeof fixed) != 0)
    return -1;
  file_to_host_order64(reader, &fixed, sizeof fixed / sizeof(uint64_t));
  uint64_t values = (record->length - record->taken) / sizeof(uint64_t);
  if (fixed.bucket_ns == 0 || fixed.thread_count > values || fixed.bucket_count > values ||
      fixed.thread_count * (unsigned __int128)fixed.bucket_count != values)
    return reader_fail(reader, record->offset, "the timeline does not have the stated number of values");
  uint64_t *work = reader_allocate(reader, values * sizeof *work);
  if (record_take_bytes(reader, record, work, values * sizeof *work) != 0)
    return -1;
  file_to_host_order64(reader, work, values);
  reader->profile->timeline = (struct cilkprof_timeline){fixed.bucket_ns, fixed.thread_count, fixed.bucket_count, work};
  return 0;
}

/* Decodes and checks a TRANSITIONS record, and adds a thread to those of the profile.  Returns 0, or -1 with the error
   filled in.  */
static int decode_transitions_record(struct reader *reader, struct record *record) {
  struct cilkprof_profile *profile = reader->profile;
  struct cilkprof_transitions_payload fixed = {0};
  if (record_take_bytes(reader, record, &fixed, sizeof fixed) != 0)
    return -1;
  file_to_host_order64(reader, &fixed, sizeof fixed / sizeof(uint64_t));
  struct cilkprof_transition *list;
  if (fixed.count != (record->length - record->taken) / sizeof *list)
    return reader_fail(reader, record->offset, "the thread does not have the stated number of transitions");
  list = reader_allocate(reader, fixed.count * sizeof *list);
  if (record_take_bytes(reader, record, list, fixed.count * sizeof *list) != 0)
    return -1;
  for (uint64_t i = 0; i < fixed.count; i++) {
    file_to_host_order64(reader, &list[i], 2);
    list[i].object = file_to_host_order32(reader, list[i].object);
    list[i].thread = file_to_host_order32(reader, list[i].thread);
    list[i].kind = file_to_host_order32(reader, list[i].kind);
    list[i].state = file_to_host_order32(reader, list[i].state);
    const char *wrong = cilkprof_verify_transition(profile, &list[i], i > 0 ? list[i - 1].time_ns : 0);
    if (wrong != NULL)
      return record_fail_if_wrong(reader, record, wrong);
  }
  profile->threads[profile->thread_count++] = (struct cilkprof_transitions){fixed.dropped, fixed.count, list};
  return 0;
}

/* Decoders by tag.  Records with other tags are skipped: END and the records of live files are handled by the walk
   through the file (read.c), and unknown tags are from newer versions.  */
static int (*const decoders[CILKPROF_RECORD_TAGS])(struct reader *reader, struct record *record) = {
    [CILKPROF_RECORD_PROGRAM] = decode_program_record,
    [CILKPROF_RECORD_RUN] = decode_run_record,
    [CILKPROF_RECORD_OBJECT] = decode_object_record,
    [CILKPROF_RECORD_TOTALS] = decode_totals_record,
    [CILKPROF_RECORD_USAGE] = decode_usage_record,
    [CILKPROF_RECORD_SITE] = decode_site_record,
    [CILKPROF_RECORD_REGION] = decode_region_record,
    [CILKPROF_RECORD_CONTEXT] = decode_context_record,
    [CILKPROF_RECORD_WHATIF] = decode_whatif_record,
    [CILKPROF_RECORD_TREE] = decode_tree_record,
    [CILKPROF_RECORD_ROOT] = decode_root_record,
    [CILKPROF_RECORD_PART] = decode_part_record,
    [CILKPROF_RECORD_SAMPLING] = decode_sampling_record,
    [CILKPROF_RECORD_STACK] = decode_stack_record,
    [CILKPROF_RECORD_TIMELINE] = decode_timeline_record,
    [CILKPROF_RECORD_LOOP] = decode_loop_record,
    [CILKPROF_RECORD_ESTIMATE] = decode_estimate_record,
    [CILKPROF_RECORD_TRANSITIONS] = decode_transitions_record,
    [CILKPROF_RECORD_COUNTERS] = decode_counters_record,
    [CILKPROF_RECORD_WORKERS] = decode_workers_record,
    [CILKPROF_RECORD_STACK_SPAN] = decode_stack_span_record,
};

/* Decodes RECORD into the profile by the decoder for its tag; a record with an unknown tag is skipped.  Returns 0, or
   -1 with the error filled in if the record is not valid or has bytes left over.  */
int record_decode(struct reader *reader, struct record *record) {
  if (record->tag >= CILKPROF_RECORD_TAGS || decoders[record->tag] == NULL)
    return 0;
  int result = decoders[record->tag](reader, record);
  if (result == 0 && record->taken != record->length)
    return reader_fail(reader, record->offset, "this record is longer than its contents");
  return result;
}
