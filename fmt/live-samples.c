/* Reads the live file of a sampled run.  Nothing in the file is trusted, and its pages may belong to a process that
   still runs.
   SPDX-License-Identifier: MIT

   The nodes are in no order, and the process may have been moving one of them.  A node whose parent cannot be found, or
   that is an ancestor of itself, is treated as a node without a parent.  */

#include <string.h>
#include "fmt/live.h"
#include "fmt/reader.h"

_Static_assert(sizeof(struct cilkprof_live_samples_payload) == 10 * 8, "the payload has no holes");

/* Places of nodes that have no index in the profile: UNPLACED until they are visited, OPEN while they are in the chain
   of ancestors that is being placed.  */
enum { UNPLACED = UINT32_MAX - 1, OPEN = UINT32_MAX - 2, MAX_NODES = 1 << 24, MAX_OBJECTS = 1 << 16 };

/* Returns whether the live file has SIZE bytes at OFFSET.  */
static int live_file_has_bytes(const struct reader *reader, uint64_t offset, uint64_t size) {
  return offset <= reader->size && size <= reader->size - offset;
}

/* Returns the 64-bit integer at OFFSET of the live file, which must be inside it, in the byte order of this
   machine.  */
static uint64_t read_live_samples_word(const struct reader *reader, uint64_t offset) {
  uint64_t word;
  memcpy(&word, reader->bytes + offset, sizeof word);
  file_to_host_order64(reader, &word, 1);
  return word;
}

/* Returns the number of elements of SIZE bytes at OFFSET of the live file.  The file states it at offset STATED_AT; the
   result is at most MOST and at most as many as fit into the file.  */
static uint64_t read_live_samples_count(const struct reader *reader, uint64_t stated_at, uint64_t offset, uint64_t size,
                                        uint64_t most) {
  uint64_t stated = read_live_samples_word(reader, stated_at),
           fit = offset < reader->size ? (reader->size - offset) / size : 0;
  stated = stated < fit ? stated : fit;
  return stated < most ? stated : most;
}

/* Decodes RECORD, the LIVE_SAMPLES record at the end of the records of a live file, into *LIVE, and makes it that of
   READER.  Returns 0, or -1 with the error filled in if what it describes is outside the file.  */
int read_live_samples_header(struct reader *reader, struct record *record, struct live_samples *live) {
  struct cilkprof_live_samples_payload *payload = &live->at;
  if (record->length != sizeof *payload)
    return reader_fail(reader, record->offset, "this record has the wrong length");
  memcpy(payload, record->payload, sizeof *payload);
  file_to_host_order64(reader, payload, sizeof *payload / sizeof(uint64_t));
  if (payload->object_size < sizeof(uint64_t) || payload->id_size > payload->object_size - sizeof(uint64_t) ||
      payload->id > payload->path || payload->path >= payload->object_size ||
      payload->object_size > CILKPROF_STRING_LIMIT || payload->node_size < sizeof(struct cilkprof_stack) ||
      payload->node_size > CILKPROF_STRING_LIMIT)
    return reader_fail(reader, record->offset, "a field extends beyond its record");
  if (!live_file_has_bytes(reader, payload->sampling, sizeof(struct cilkprof_sampling)) ||
      !live_file_has_bytes(reader, payload->object_count, sizeof(uint64_t)) ||
      !live_file_has_bytes(reader, payload->node_count, sizeof(uint64_t)))
    return reader_fail(reader, record->offset, "the pages after this record are missing: the file is truncated");
  live->object_count =
      read_live_samples_count(reader, payload->object_count, payload->objects, payload->object_size, MAX_OBJECTS);
  live->node_count =
      read_live_samples_count(reader, payload->node_count, payload->nodes, payload->node_size, MAX_NODES);
  reader->live_samples = live;
  return 0;
}

/* Returns an upper bound of the memory, in bytes, that read_live_samples needs: for each object the structure, its
   strings and its load address; for each node a stack, its place, and an element of the chain in place_live_stack.  */
size_t live_samples_memory_bound(const struct reader *reader) {
  const struct live_samples *live = reader->live_samples;
  return live->object_count * (sizeof(struct cilkprof_object) + sizeof(uint64_t) + live->at.object_size + 32) +
         live->node_count * (sizeof(struct cilkprof_stack) + 2 * sizeof(uint32_t)) + 64;
}

/* Copies the paths and build IDs of the objects of a sampled run from the pages of its live file into the profile.
   Their load addresses are 0, because addresses of stacks are already those in the objects' files.  */
static void read_live_samples_objects(struct reader *reader) {
  const struct live_samples *live = reader->live_samples;
  struct cilkprof_profile *profile = reader->profile;
  uint64_t count = live->object_count, *loads = reader_allocate(reader, count * sizeof *loads);
  profile->objects = reader_allocate(reader, count * sizeof *profile->objects);
  memset(loads, 0, count * sizeof *loads);
  profile->run.load_count = (uint32_t)count;
  profile->run.load_addresses = loads;
  for (uint64_t i = 0; i < count; i++) {
    uint64_t at = live->at.objects + i * live->at.object_size, room = live->at.object_size - live->at.path;
    uint64_t id_size = read_live_samples_word(reader, at + live->at.id_size), most = live->at.path - live->at.id;
    const char *path = (const char *)reader->bytes + at + live->at.path;
    size_t length = strnlen(path, room);
    char *text = reader_allocate(reader, length + 1);
    memcpy(text, path, length);
    text[length] = 0;
    id_size = id_size < most ? id_size : most;
    uint8_t *id = reader_allocate(reader, id_size);
    memcpy(id, reader->bytes + at + live->at.id, id_size);
    profile->objects[profile->object_count++] = (struct cilkprof_object){text, id, (uint32_t)id_size};
  }
}

/* Returns the sampled call path that NODE of the live file is.  An unknown object, or the address of a kind without
   one, is removed.  */
static struct cilkprof_stack read_live_stack(const struct reader *reader, uint32_t node) {
  const struct live_samples *live = reader->live_samples;
  struct cilkprof_stack stack;
  memcpy(&stack, reader->bytes + live->at.nodes + node * live->at.node_size, sizeof stack);
  stack.parent = file_to_host_order32(reader, stack.parent);
  stack.object = file_to_host_order32(reader, stack.object);
  file_to_host_order64(reader, &stack.kind, (sizeof stack - offsetof(struct cilkprof_stack, kind)) / sizeof(uint64_t));
  if (stack.object >= reader->profile->object_count)
    stack.object = CILKPROF_NO_OBJECT;
  if (stack.kind >= CILKPROF_STACK_UNKNOWN)
    stack.object = CILKPROF_NO_OBJECT, stack.address = 0;
  return stack;
}

/* Returns whether STACK was read from a node of a live file that is free, or was allocated but not yet filled in.  */
static int is_free_live_stack(const struct cilkprof_stack *stack) {
  static const struct cilkprof_stack zero;
  return stack->kind >= CILKPROF_STACK_KINDS || memcmp(stack, &zero, sizeof zero) == 0;
}

/* Adds NODE of a live file to the stacks of the profile, after its ancestors that are not there yet.  PLACES has the
   index in the profile of each node, or UNPLACED or OPEN.  CHAIN has room for all nodes.  */
static void place_live_stack(struct reader *reader, uint32_t node, uint32_t *places, uint32_t *chain) {
  struct cilkprof_profile *profile = reader->profile;
  uint64_t count = reader->live_samples->node_count;
  size_t length = 0;
  for (; node > 0 && node < count && places[node] == UNPLACED; length++) {
    struct cilkprof_stack stack = read_live_stack(reader, node);
    if (is_free_live_stack(&stack))
      break;
    places[node] = OPEN;
    chain[length] = node;
    node = stack.parent;
  }
  uint32_t parent = node > 0 && node < count && places[node] < OPEN ? places[node] : CILKPROF_NO_CONTEXT;
  while (length-- > 0) {
    struct cilkprof_stack stack = read_live_stack(reader, chain[length]);
    stack.parent = parent;
    parent = places[chain[length]] = (uint32_t)profile->stack_count;
    profile->stacks[profile->stack_count++] = stack;
  }
}

/* Fills in the sampling, objects and stacks of the profile from the pages of the live file of a sampled run, and marks
   the profile as incomplete.  */
void read_live_samples(struct reader *reader) {
  const struct live_samples *live = reader->live_samples;
  struct cilkprof_profile *profile = reader->profile;
  uint32_t *places = reader_allocate(reader, live->node_count * sizeof *places);
  uint32_t *chain = reader_allocate(reader, live->node_count * sizeof *chain);
  memcpy(&profile->sampling, reader->bytes + live->at.sampling, sizeof profile->sampling);
  file_to_host_order64(reader, &profile->sampling, sizeof profile->sampling / sizeof(uint64_t));
  profile->has_sampling = 1;
  profile->program.flags |= CILKPROF_INCOMPLETE | CILKPROF_FROM_LIVE;
  read_live_samples_objects(reader);
  profile->stacks = reader_allocate(reader, live->node_count * sizeof *profile->stacks);
  for (uint32_t node = 0; node < live->node_count; node++)
    places[node] = UNPLACED;
  for (uint32_t node = 1; node < live->node_count; node++)
    place_live_stack(reader, node, places, chain);
}
