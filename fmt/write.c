/* Writes a profile.  This file is linked into user programs: it allocates no memory and calls only memcpy and strlen.
   SPDX-License-Identifier: MIT  */

#include <string.h>
#include "fmt/live.h"

/* The header of a record has the length and the checksum of its payload.  Therefore a function that passes the pieces
   of a payload to payload_put is called three times: to compute the length, to compute the checksum, and to write.  */
struct payload {
  struct cilkprof_writer *writer;
  enum { MEASURE, CHECK, WRITE } pass;
  uint64_t length;
  uint64_t root_part_of_record; /* the tag of the data if the record is part of a root, else 0 */
  uint32_t checksum;
};

/* Passes SIZE bytes to the function of WRITER that writes them to the profile, unless an earlier call of it has
   failed.  */
static void writer_put_bytes(struct cilkprof_writer *writer, const void *bytes, size_t size) {
  if (!writer->failed && size > 0 && writer->put(writer->closure, bytes, size) != 0)
    writer->failed = 1;
}

/* Adds SIZE bytes to PAYLOAD, the contents of a record: to its length, to its checksum, or to the file, depending on
   the pass.  */
static void payload_put(struct payload *payload, const void *bytes, size_t size) {
  if (payload->pass == MEASURE)
    payload->length += size;
  else if (payload->pass == CHECK)
    payload->checksum = cilkprof_checksum(payload->checksum, bytes, size);
  else
    writer_put_bytes(payload->writer, bytes, size);
}

/* Adds a string of SIZE bytes to PAYLOAD, the contents of a record, with its length before it.  A string longer than
   CILKPROF_STRING_LIMIT is cut.  */
static void payload_put_string(struct payload *payload, const void *bytes, size_t size) {
  uint32_t length = size < CILKPROF_STRING_LIMIT ? (uint32_t)size : CILKPROF_STRING_LIMIT;
  payload_put(payload, &length, sizeof length);
  payload_put(payload, bytes, length);
}

/* Calls PRODUCE with DATA to add the contents of a record to PAYLOAD.  In a record that is part of a root, the tag of
   the data comes first.  */
static void produce_part_payload(struct payload *payload, void (*produce)(struct payload *payload, const void *data),
                                 const void *data) {
  if (payload->root_part_of_record)
    payload_put(payload, &payload->root_part_of_record, sizeof payload->root_part_of_record);
  produce(payload, data);
}

/* Writes a record with TAG to the profile.  PRODUCE, which gets DATA, passes its contents to payload_put, and is called
   three times.  After a root, the record becomes a PART record of that root.  */
static void write_profile_record(struct cilkprof_writer *writer, enum cilkprof_record_tag tag,
                                 void (*produce)(struct payload *payload, const void *data), const void *data) {
  static const char zeros[8];
  struct payload payload = {.writer = writer, .pass = MEASURE, .root_part_of_record = writer->in_root ? tag : 0};
  if (payload.root_part_of_record)
    tag = CILKPROF_RECORD_PART;
  produce_part_payload(&payload, produce, data);

  struct cilkprof_record_header header = {.tag = tag, .length = payload.length};
  payload.pass = CHECK;
  payload.checksum = cilkprof_checksum(0, &header.tag, sizeof header.tag);
  payload.checksum = cilkprof_checksum(payload.checksum, &header.length, sizeof header.length);
  produce_part_payload(&payload, produce, data);
  header.checksum = payload.checksum;

  writer_put_bytes(writer, &header, sizeof header);
  payload.pass = WRITE;
  produce_part_payload(&payload, produce, data);
  writer_put_bytes(writer, zeros, cilkprof_padding(header.length));
  writer->records++;
}

struct bytes {
  const void *data;
  size_t size;
};

/* Adds the bytes that DATA, a struct bytes, describes to PAYLOAD, the contents of a record, as they are in memory.  */
static void produce_plain_payload(struct payload *payload, const void *data) {
  const struct bytes *bytes = data;
  payload_put(payload, bytes->data, bytes->size);
}

/* Writes a record with TAG whose contents, the SIZE bytes at DATA, are the same in memory and in the file.  */
static void write_plain_record(struct cilkprof_writer *writer, enum cilkprof_record_tag tag, const void *data,
                               size_t size) {
  struct bytes bytes = {data, size};
  write_profile_record(writer, tag, produce_plain_payload, &bytes);
}

/* Begins a profile: writes the header of the file.  The caller has set the members PUT and CLOSURE of WRITER.  */
void cilkprof_write_begin(struct cilkprof_writer *writer) {
  struct cilkprof_file_header header = {.order = CILKPROF_FILE_ORDER, .version = CILKPROF_FILE_VERSION};
  memcpy(header.magic, CILKPROF_FILE_MAGIC, sizeof header.magic);
  header.checksum = cilkprof_checksum(0, &header, offsetof(struct cilkprof_file_header, checksum));
  writer->records = 0;
  writer->failed = writer->in_root = 0;
  writer_put_bytes(writer, &header, sizeof header);
}

/* Adds the contents of the PROGRAM record to PAYLOAD.  DATA is a struct cilkprof_program.  */
static void produce_program_payload(struct payload *payload, const void *data) {
  const struct cilkprof_program *program = data;
  struct cilkprof_program_payload fixed = {
      .mode = program->mode,
      .argc = program->argc,
      .flags = program->flags,
      .burden = program->burden,
      .loop_workers = program->loop_workers,
  };
  payload_put(payload, &fixed, sizeof fixed);
  for (uint32_t i = 0; i < program->argc; i++)
    payload_put_string(payload, program->argv[i], strlen(program->argv[i]));
}

/* Writes the PROGRAM record of a profile: how PROGRAM was measured, and its command line.  */
void cilkprof_write_program(struct cilkprof_writer *writer, const struct cilkprof_program *program) {
  write_profile_record(writer, CILKPROF_RECORD_PROGRAM, produce_program_payload, program);
}

/* Adds the contents of the RUN record to PAYLOAD.  DATA is a struct cilkprof_run.  */
static void produce_run_payload(struct payload *payload, const void *data) {
  const struct cilkprof_run *run = data;
  struct cilkprof_run_payload fixed = {
      .pid = run->pid,
      .start_ns = run->start_ns,
      .elapsed_ns = run->elapsed_ns,
      .units_per_second = run->units_per_second,
      .burden_units = run->burden_units,
      .timer_hz = run->timer_hz,
      .timer_cost = run->timer_cost,
      .preempted_strands = run->preempted_strands,
      .preempted_units = run->preempted_units,
      .load_count = run->load_count,
  };
  payload_put(payload, &fixed, sizeof fixed);
  payload_put(payload, run->load_addresses, run->load_count * sizeof *run->load_addresses);
}

/* Writes the RUN record of a profile, which has the values of RUN that differ from run to run.  */
void cilkprof_write_run(struct cilkprof_writer *writer, const struct cilkprof_run *run) {
  write_profile_record(writer, CILKPROF_RECORD_RUN, produce_run_payload, run);
}

/* Adds the contents of an OBJECT record to PAYLOAD: path and build ID.  DATA is a struct cilkprof_object.  */
static void produce_object_payload(struct payload *payload, const void *data) {
  const struct cilkprof_object *object = data;
  payload_put_string(payload, object->path, strlen(object->path));
  payload_put_string(payload, object->build_id, object->build_id_size);
}

/* Writes an OBJECT record, for an executable or library, to the profile.  Sites and stacks refer to objects by the
   order in which they are written.  */
void cilkprof_write_object(struct cilkprof_writer *writer, const struct cilkprof_object *object) {
  write_profile_record(writer, CILKPROF_RECORD_OBJECT, produce_object_payload, object);
}

/* Writes the TOTALS record of a profile: work, span and burdened span of the program, and the number of its spawns and
   syncs.  */
void cilkprof_write_totals(struct cilkprof_writer *writer, const struct cilkprof_totals *totals) {
  write_plain_record(writer, CILKPROF_RECORD_TOTALS, totals, sizeof *totals);
}

/* Writes the USAGE record of a profile: the resources that the profiled thread used, with and without measurement.  */
void cilkprof_write_usage(struct cilkprof_writer *writer, const struct cilkprof_usage_record *usage) {
  write_plain_record(writer, CILKPROF_RECORD_USAGE, usage, sizeof *usage);
}

/* Writes the WORKERS record of a profile: how a run on several workers went.  */
void cilkprof_write_workers(struct cilkprof_writer *writer, const struct cilkprof_workers *workers) {
  write_plain_record(writer, CILKPROF_RECORD_WORKERS, workers, sizeof *workers);
}

/* Writes a SITE record, a call site with its measurements, to the profile.  Its objects have been written before.  */
void cilkprof_write_site(struct cilkprof_writer *writer, const struct cilkprof_site *site) {
  write_plain_record(writer, CILKPROF_RECORD_SITE, site, sizeof *site);
}

/* Writes a LOOP record, what is known of a loop that processors divide, to the profile.  Its site has been written
   before.  */
void cilkprof_write_loop(struct cilkprof_writer *writer, const struct cilkprof_loop *loop) {
  write_plain_record(writer, CILKPROF_RECORD_LOOP, loop, sizeof *loop);
}

/* Writes an ESTIMATE record with how sure the times of a site are.  */
void cilkprof_write_estimate(struct cilkprof_writer *writer, const struct cilkprof_estimate *estimate) {
  write_plain_record(writer, CILKPROF_RECORD_ESTIMATE, estimate, sizeof *estimate);
}

/* Adds the contents of a REGION record to PAYLOAD.  DATA is a struct cilkprof_region.  */
static void produce_region_payload(struct payload *payload, const void *data) {
  const struct cilkprof_region *region = data;
  struct cilkprof_region_payload fixed = {.kind = region->kind, .total = region->total};
  payload_put(payload, &fixed, sizeof fixed);
  payload_put_string(payload, region->label, strlen(region->label));
}

/* Writes a REGION record, a part of the program that the user named, to the profile.  */
void cilkprof_write_region(struct cilkprof_writer *writer, const struct cilkprof_region *region) {
  write_profile_record(writer, CILKPROF_RECORD_REGION, produce_region_payload, region);
}

/* Writes a CONTEXT record, a calling context, to the profile, or to the root that was written last.  Its site and its
   parent have been written before.  */
void cilkprof_write_context(struct cilkprof_writer *writer, const struct cilkprof_context *context) {
  write_plain_record(writer, CILKPROF_RECORD_CONTEXT, context, sizeof *context);
}

/* Adds the contents of a WHATIF record to PAYLOAD.  DATA is a struct cilkprof_whatif.  */
static void produce_whatif_payload(struct payload *payload, const void *data) {
  const struct cilkprof_whatif *whatif = data;
  struct cilkprof_whatif_payload fixed = {
      .faster = whatif->faster, .count = whatif->count, .work = whatif->work, .span = whatif->span};
  payload_put(payload, &fixed, sizeof fixed);
  payload_put_string(payload, whatif->candidate, strlen(whatif->candidate));
}

/* Writes a WHATIF record, the work and span if a candidate were faster, to the profile, or to the root that was written
   last.  */
void cilkprof_write_whatif(struct cilkprof_writer *writer, const struct cilkprof_whatif *whatif) {
  write_profile_record(writer, CILKPROF_RECORD_WHATIF, produce_whatif_payload, whatif);
}

/* Adds the contents of the TREE record to PAYLOAD: nodes, children, sums of hardware counters if there are any, and
   names.  DATA is a struct cilkprof_tree.  */
static void produce_tree_payload(struct payload *payload, const void *data) {
  const struct cilkprof_tree *tree = data;
  struct cilkprof_tree_payload fixed = {.flags = tree->flags,
                                        .units_per_second = tree->units_per_second,
                                        .tolerance = tree->tolerance,
                                        .node_count = tree->node_count,
                                        .child_count = tree->child_count,
                                        .name_count = tree->name_count};
  payload_put(payload, &fixed, sizeof fixed);
  payload_put(payload, tree->nodes, tree->node_count * sizeof *tree->nodes);
  payload_put(payload, tree->children, tree->child_count * sizeof *tree->children);
  if (tree->flags & CILKPROF_TREE_COUNTED) {
    uint64_t count = tree->count_count;
    payload_put(payload, &count, sizeof count);
    payload_put(payload, tree->counts, count * sizeof *tree->counts);
  }
  for (size_t i = 0; i < tree->name_count; i++)
    payload_put_string(payload, tree->names[i], strlen(tree->names[i]));
}

/* Writes the TREE record of a profile: the tree of sections, tasks and locks, for emulations.  */
void cilkprof_write_tree(struct cilkprof_writer *writer, const struct cilkprof_tree *tree) {
  write_profile_record(writer, CILKPROF_RECORD_TREE, produce_tree_payload, tree);
}

/* Writes the SAMPLING record of a profile, which states how a parallel run was sampled.  */
void cilkprof_write_sampling(struct cilkprof_writer *writer, const struct cilkprof_sampling *sampling) {
  write_plain_record(writer, CILKPROF_RECORD_SAMPLING, sampling, sizeof *sampling);
}

/* Writes a STACK record, a node in the tree of sampled call paths, to the profile.  SAMPLING and its parent have been
   written before.  */
void cilkprof_write_stack(struct cilkprof_writer *writer, const struct cilkprof_stack *stack) {
  write_plain_record(writer, CILKPROF_RECORD_STACK, stack, sizeof *stack);
}

/* Writes a STACK_SPAN record, what of the samples of a stack is on the span, to the profile.  The stack has been
   written.  */
void cilkprof_write_stack_span(struct cilkprof_writer *writer, const struct cilkprof_stack_span *span) {
  write_plain_record(writer, CILKPROF_RECORD_STACK_SPAN, span, sizeof *span);
}

/* Writes a COUNTERS record, what the processor counted in the samples of a stack, to the profile.  The stack has been
   written before.  */
void cilkprof_write_counters(struct cilkprof_writer *writer, const struct cilkprof_counters *counters) {
  write_plain_record(writer, CILKPROF_RECORD_COUNTERS, counters, sizeof *counters);
}

/* Adds the contents of the TIMELINE record to PAYLOAD.  DATA is a struct cilkprof_timeline.  */
static void produce_timeline_payload(struct payload *payload, const void *data) {
  const struct cilkprof_timeline *timeline = data;
  struct cilkprof_timeline_payload fixed = {timeline->bucket_ns, timeline->thread_count, timeline->bucket_count};
  payload_put(payload, &fixed, sizeof fixed);
  payload_put(payload, timeline->work_ns, timeline->thread_count * timeline->bucket_count * sizeof *timeline->work_ns);
}

/* Writes the TIMELINE record of a profile: the work of each sampled thread over time.  */
void cilkprof_write_timeline(struct cilkprof_writer *writer, const struct cilkprof_timeline *timeline) {
  write_profile_record(writer, CILKPROF_RECORD_TIMELINE, produce_timeline_payload, timeline);
}

/* Adds the contents of a TRANSITIONS record to PAYLOAD.  DATA is a struct cilkprof_transitions.  */
static void produce_transitions_payload(struct payload *payload, const void *data) {
  const struct cilkprof_transitions *transitions = data;
  struct cilkprof_transitions_payload fixed = {transitions->dropped, transitions->count};
  payload_put(payload, &fixed, sizeof fixed);
  payload_put(payload, transitions->list, transitions->count * sizeof *transitions->list);
}

/* Writes a TRANSITIONS record to the profile: what the next thread did, and when.  All objects and stacks have been
   written before.  */
void cilkprof_write_transitions(struct cilkprof_writer *writer, const struct cilkprof_transitions *transitions) {
  write_profile_record(writer, CILKPROF_RECORD_TRANSITIONS, produce_transitions_payload, transitions);
}

/* Adds the contents of a ROOT record to PAYLOAD, without the parts of the root.  DATA is a struct cilkprof_root.  */
static void produce_root_payload(struct payload *payload, const void *data) {
  const struct cilkprof_root *root = data;
  struct cilkprof_root_payload fixed = {
      .kind = root->kind, .invocations = root->invocations, .totals = root->totals, .own = root->own};
  payload_put(payload, &fixed, sizeof fixed);
  payload_put_string(payload, root->name, strlen(root->name));
}

/* Writes a ROOT record, without the parts of ROOT, to the profile.  All records that are written after it, up to the
   next root or the end, become its parts.  */
void cilkprof_write_root(struct cilkprof_writer *writer, const struct cilkprof_root *root) {
  writer->in_root = 0;
  write_profile_record(writer, CILKPROF_RECORD_ROOT, produce_root_payload, root);
  writer->in_root = 1;
}

/* Writes the values of SITE inside the root that was written last, as a PART record, to the profile.  */
void cilkprof_write_root_site(struct cilkprof_writer *writer, const struct cilkprof_root_site *site) {
  write_plain_record(writer, CILKPROF_RECORD_SITE, site, sizeof *site);
}

struct live {
  const struct cilkprof_live_payload *payload;
  const struct cilkprof_live_chunk *chunks;
  const struct cilkprof_live_range *ranges;
};

/* Adds the contents of the LIVE record to PAYLOAD: the layout of the pages that follow it, their chunks, and the ranges
   of the objects.  DATA is a struct live.  */
static void produce_live_payload(struct payload *payload, const void *data) {
  const struct live *live = data;
  payload_put(payload, live->payload, sizeof *live->payload);
  payload_put(payload, live->chunks, live->payload->chunk_count * sizeof *live->chunks);
  payload_put(payload, live->ranges, live->payload->range_count * sizeof *live->ranges);
}

/* Writes the LIVE record, the last one of a live file: PAYLOAD says how to find the sites in the pages that follow,
   CHUNKS where in the file these are, and RANGES where the objects were in memory.  */
void cilkprof_write_live(struct cilkprof_writer *writer, const struct cilkprof_live_payload *payload,
                         const struct cilkprof_live_chunk *chunks, const struct cilkprof_live_range *ranges) {
  struct live live = {payload, chunks, ranges};
  write_profile_record(writer, CILKPROF_RECORD_LIVE, produce_live_payload, &live);
}

/* Writes the LIVE_SAMPLES record, the last one in the live file of a sampled run: PAYLOAD says where the samples are in
   the pages that follow.  */
void cilkprof_write_live_samples(struct cilkprof_writer *writer, const struct cilkprof_live_samples_payload *payload) {
  write_plain_record(writer, CILKPROF_RECORD_LIVE_SAMPLES, payload, sizeof *payload);
}

/* Writes the END record, which has the number of records before it, and so ends the profile.  Returns 0, or -1 if any
   write failed.  */
int cilkprof_write_end(struct cilkprof_writer *writer) {
  uint64_t records = writer->records;
  writer->in_root = 0;
  write_plain_record(writer, CILKPROF_RECORD_END, &records, sizeof records);
  return writer->failed ? -1 : 0;
}
