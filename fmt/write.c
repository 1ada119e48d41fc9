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
  uint64_t part_of; /* the tag of the data if the record is part of a root, else 0 */
  uint32_t checksum;
};

static void put(struct cilkprof_writer *writer, const void *bytes, size_t size) {
  if (!writer->failed && size > 0 && writer->put(writer->closure, bytes, size) != 0)
    writer->failed = 1;
}

static void payload_put(struct payload *payload, const void *bytes, size_t size) {
  if (payload->pass == MEASURE)
    payload->length += size;
  else if (payload->pass == CHECK)
    payload->checksum = cilkprof_checksum(payload->checksum, bytes, size);
  else
    put(payload->writer, bytes, size);
}

static void payload_put_string(struct payload *payload, const void *bytes, size_t size) {
  uint32_t length = size < CILKPROF_STRING_LIMIT ? (uint32_t)size : CILKPROF_STRING_LIMIT;
  payload_put(payload, &length, sizeof length);
  payload_put(payload, bytes, length);
}

/* Calls PRODUCE; in a record that is part of a root, the tag of the data comes first.  */
static void produce_part(struct payload *payload, void (*produce)(struct payload *payload, const void *data),
                         const void *data) {
  if (payload->part_of)
    payload_put(payload, &payload->part_of, sizeof payload->part_of);
  produce(payload, data);
}

static void write_record(struct cilkprof_writer *writer, enum cilkprof_record_tag tag,
                         void (*produce)(struct payload *payload, const void *data), const void *data) {
  static const char zeros[8];
  struct payload payload = {.writer = writer, .pass = MEASURE, .part_of = writer->in_root ? tag : 0};
  if (payload.part_of)
    tag = CILKPROF_RECORD_PART;
  produce_part(&payload, produce, data);

  struct cilkprof_record_header header = {.tag = tag, .length = payload.length};
  payload.pass = CHECK;
  payload.checksum = cilkprof_checksum(0, &header.tag, sizeof header.tag);
  payload.checksum = cilkprof_checksum(payload.checksum, &header.length, sizeof header.length);
  produce_part(&payload, produce, data);
  header.checksum = payload.checksum;

  put(writer, &header, sizeof header);
  payload.pass = WRITE;
  produce_part(&payload, produce, data);
  put(writer, zeros, cilkprof_padding(header.length));
  writer->records++;
}

struct bytes {
  const void *data;
  size_t size;
};

static void produce_bytes(struct payload *payload, const void *data) {
  const struct bytes *bytes = data;
  payload_put(payload, bytes->data, bytes->size);
}

/* Writes a record whose payload is the same in memory and in the file.  */
static void write_bytes(struct cilkprof_writer *writer, enum cilkprof_record_tag tag, const void *data, size_t size) {
  struct bytes bytes = {data, size};
  write_record(writer, tag, produce_bytes, &bytes);
}

void cilkprof_write_begin(struct cilkprof_writer *writer) {
  struct cilkprof_file_header header = {.order = CILKPROF_FILE_ORDER, .version = CILKPROF_FILE_VERSION};
  memcpy(header.magic, CILKPROF_FILE_MAGIC, sizeof header.magic);
  header.checksum = cilkprof_checksum(0, &header, offsetof(struct cilkprof_file_header, checksum));
  writer->records = 0;
  writer->failed = writer->in_root = 0;
  put(writer, &header, sizeof header);
}

static void produce_program(struct payload *payload, const void *data) {
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

void cilkprof_write_program(struct cilkprof_writer *writer, const struct cilkprof_program *program) {
  write_record(writer, CILKPROF_RECORD_PROGRAM, produce_program, program);
}

static void produce_run(struct payload *payload, const void *data) {
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

void cilkprof_write_run(struct cilkprof_writer *writer, const struct cilkprof_run *run) {
  write_record(writer, CILKPROF_RECORD_RUN, produce_run, run);
}

static void produce_object(struct payload *payload, const void *data) {
  const struct cilkprof_object *object = data;
  payload_put_string(payload, object->path, strlen(object->path));
  payload_put_string(payload, object->build_id, object->build_id_size);
}

void cilkprof_write_object(struct cilkprof_writer *writer, const struct cilkprof_object *object) {
  write_record(writer, CILKPROF_RECORD_OBJECT, produce_object, object);
}

void cilkprof_write_totals(struct cilkprof_writer *writer, const struct cilkprof_totals *totals) {
  write_bytes(writer, CILKPROF_RECORD_TOTALS, totals, sizeof *totals);
}

void cilkprof_write_usage(struct cilkprof_writer *writer, const struct cilkprof_usage_record *usage) {
  write_bytes(writer, CILKPROF_RECORD_USAGE, usage, sizeof *usage);
}

void cilkprof_write_site(struct cilkprof_writer *writer, const struct cilkprof_site *site) {
  write_bytes(writer, CILKPROF_RECORD_SITE, site, sizeof *site);
}

static void produce_region(struct payload *payload, const void *data) {
  const struct cilkprof_region *region = data;
  struct cilkprof_region_payload fixed = {.kind = region->kind, .total = region->total};
  payload_put(payload, &fixed, sizeof fixed);
  payload_put_string(payload, region->label, strlen(region->label));
}

void cilkprof_write_region(struct cilkprof_writer *writer, const struct cilkprof_region *region) {
  write_record(writer, CILKPROF_RECORD_REGION, produce_region, region);
}

void cilkprof_write_context(struct cilkprof_writer *writer, const struct cilkprof_context *context) {
  write_bytes(writer, CILKPROF_RECORD_CONTEXT, context, sizeof *context);
}

static void produce_whatif(struct payload *payload, const void *data) {
  const struct cilkprof_whatif *whatif = data;
  struct cilkprof_whatif_payload fixed = {
      .faster = whatif->faster, .count = whatif->count, .work = whatif->work, .span = whatif->span};
  payload_put(payload, &fixed, sizeof fixed);
  payload_put_string(payload, whatif->candidate, strlen(whatif->candidate));
}

void cilkprof_write_whatif(struct cilkprof_writer *writer, const struct cilkprof_whatif *whatif) {
  write_record(writer, CILKPROF_RECORD_WHATIF, produce_whatif, whatif);
}

static void produce_tree(struct payload *payload, const void *data) {
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

void cilkprof_write_tree(struct cilkprof_writer *writer, const struct cilkprof_tree *tree) {
  write_record(writer, CILKPROF_RECORD_TREE, produce_tree, tree);
}

void cilkprof_write_sampling(struct cilkprof_writer *writer, const struct cilkprof_sampling *sampling) {
  write_bytes(writer, CILKPROF_RECORD_SAMPLING, sampling, sizeof *sampling);
}

void cilkprof_write_stack(struct cilkprof_writer *writer, const struct cilkprof_stack *stack) {
  write_bytes(writer, CILKPROF_RECORD_STACK, stack, sizeof *stack);
}

static void produce_timeline(struct payload *payload, const void *data) {
  const struct cilkprof_timeline *timeline = data;
  struct cilkprof_timeline_payload fixed = {timeline->bucket_ns, timeline->thread_count, timeline->bucket_count};
  payload_put(payload, &fixed, sizeof fixed);
  payload_put(payload, timeline->work_ns, timeline->thread_count * timeline->bucket_count * sizeof *timeline->work_ns);
}

void cilkprof_write_timeline(struct cilkprof_writer *writer, const struct cilkprof_timeline *timeline) {
  write_record(writer, CILKPROF_RECORD_TIMELINE, produce_timeline, timeline);
}

static void produce_root(struct payload *payload, const void *data) {
  const struct cilkprof_root *root = data;
  struct cilkprof_root_payload fixed = {
      .kind = root->kind, .invocations = root->invocations, .totals = root->totals, .own = root->own};
  payload_put(payload, &fixed, sizeof fixed);
  payload_put_string(payload, root->name, strlen(root->name));
}

void cilkprof_write_root(struct cilkprof_writer *writer, const struct cilkprof_root *root) {
  writer->in_root = 0;
  write_record(writer, CILKPROF_RECORD_ROOT, produce_root, root);
  writer->in_root = 1;
}

void cilkprof_write_root_site(struct cilkprof_writer *writer, const struct cilkprof_root_site *site) {
  write_bytes(writer, CILKPROF_RECORD_SITE, site, sizeof *site);
}

struct live {
  const struct cilkprof_live_payload *payload;
  const struct cilkprof_live_chunk *chunks;
  const struct cilkprof_live_range *ranges;
};

static void produce_live(struct payload *payload, const void *data) {
  const struct live *live = data;
  payload_put(payload, live->payload, sizeof *live->payload);
  payload_put(payload, live->chunks, live->payload->chunk_count * sizeof *live->chunks);
  payload_put(payload, live->ranges, live->payload->range_count * sizeof *live->ranges);
}

void cilkprof_write_live(struct cilkprof_writer *writer, const struct cilkprof_live_payload *payload,
                         const struct cilkprof_live_chunk *chunks, const struct cilkprof_live_range *ranges) {
  struct live live = {payload, chunks, ranges};
  write_record(writer, CILKPROF_RECORD_LIVE, produce_live, &live);
}

void cilkprof_write_live_samples(struct cilkprof_writer *writer, const struct cilkprof_live_samples_payload *payload) {
  write_bytes(writer, CILKPROF_RECORD_LIVE_SAMPLES, payload, sizeof *payload);
}

int cilkprof_write_end(struct cilkprof_writer *writer) {
  uint64_t records = writer->records;
  writer->in_root = 0;
  write_bytes(writer, CILKPROF_RECORD_END, &records, sizeof records);
  return writer->failed ? -1 : 0;
}
