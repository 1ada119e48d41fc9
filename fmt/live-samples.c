/* Reading the live file of a run that was sampled.  Nothing in it is trusted; its pages may be those of a process that
   still runs.
   SPDX-License-Identifier: MIT  */

#include <string.h>
#include "fmt/live.h"
#include "fmt/reader.h"
#include "fmt/verify.h"

_Static_assert(sizeof(struct cilkprof_live_samples_payload) == 10 * 8, "the payload has no holes");

/* COUNT things of SIZE bytes from OFFSET on are in the file.  */
static int holds(const struct reader *reader, uint64_t offset, uint64_t size, uint64_t count) {
  return offset <= reader->size && size > 0 && count <= (reader->size - offset) / size;
}

static uint64_t word_at(const struct reader *reader, uint64_t offset) {
  uint64_t word;
  memcpy(&word, reader->bytes + offset, sizeof word);
  reader_order64(reader, &word, 1);
  return word;
}

/* As many as it says, or as are there: the process may have been killed while the file grew.  */
static uint64_t count_at(const struct reader *reader, uint64_t offset, uint64_t from, uint64_t size, uint64_t most) {
  uint64_t count = word_at(reader, offset), room = from < reader->size ? (reader->size - from) / size : 0;
  count = count < room ? count : room;
  return count < most ? count : most;
}

int live_samples_open(struct reader *reader, struct record *record, struct live_samples *live) {
  struct cilkprof_live_samples_payload *p = &live->payload;
  if (record_take_all(reader, record, p, sizeof *p) != 0)
    return -1;
  reader_order64(reader, p, sizeof *p / sizeof(uint64_t));
  if (p->object_size <= p->path || p->object_size < sizeof(uint64_t) ||
      p->id_size > p->object_size - sizeof(uint64_t) || p->object_size <= p->id ||
      p->object_size > CILKPROF_STRING_LIMIT || p->node_size < sizeof(struct cilkprof_stack))
    return reader_fail(reader, record->offset, "a field lies outside of its record");
  if (!holds(reader, p->sampling, sizeof(struct cilkprof_sampling), 1) || !holds(reader, p->object_count, 8, 1) ||
      !holds(reader, p->node_count, 8, 1))
    return reader_fail(reader, record->offset, "the pages behind this record are missing: the file was cut short");
  live->object_count = count_at(reader, p->object_count, p->objects, p->object_size, UINT32_MAX - 1);
  live->node_count = count_at(reader, p->node_count, p->nodes, p->node_size, UINT32_MAX - 1);
  reader->live_samples = live;
  return 0;
}

/* The nodes' numbers in the profile, and a path of them.  */
size_t live_samples_storage(const struct live_samples *live) {
  return live->object_count * (sizeof(struct cilkprof_object) + 2 * live->payload.object_size + 32) +
         live->node_count * (sizeof(struct cilkprof_stack) + 2 * sizeof(uint32_t)) + 64;
}

static void fill_objects(struct reader *reader) {
  const struct live_samples *live = reader->live_samples;
  const struct cilkprof_live_samples_payload *p = &live->payload;
  struct cilkprof_profile *profile = reader->profile;
  uint64_t *addresses = reader_allocate(reader, live->object_count * sizeof *addresses);
  memset(addresses, 0, live->object_count * sizeof *addresses); /* those of the nodes are the objects' own */
  for (uint64_t i = 0; i < live->object_count; i++) {
    uint64_t at = p->objects + i * p->object_size, id_size = word_at(reader, at + p->id_size);
    size_t room = p->object_size - p->path, length = strnlen((const char *)reader->bytes + at + p->path, room);
    char *path = reader_allocate(reader, length + 1);
    memcpy(path, reader->bytes + at + p->path, length);
    path[length] = 0;
    id_size = id_size < p->object_size - p->id ? id_size : 0;
    uint8_t *id = reader_allocate(reader, id_size);
    memcpy(id, reader->bytes + at + p->id, id_size);
    profile->objects[i] = (struct cilkprof_object){path, id, (uint32_t)id_size};
  }
  profile->object_count = live->object_count;
  profile->run.load_count = (uint32_t)live->object_count;
  profile->run.load_addresses = addresses;
}

static struct cilkprof_stack node_at(const struct reader *reader, uint64_t number) {
  const struct cilkprof_live_samples_payload *p = &reader->live_samples->payload;
  struct cilkprof_stack stack;
  memcpy(&stack, reader->bytes + p->nodes + number * p->node_size, sizeof stack);
  stack.parent = reader_order32(reader, stack.parent);
  stack.object = reader_order32(reader, stack.object);
  reader_order64(reader, &stack.kind, 6);
  return stack;
}

enum { NOT_YET = 0, ON_PATH = UINT32_MAX }; /* else one more than its number in the profile */

/* One whose parents are in the profile.  What is wrong with it, or still being made, is left out.  */
static void add_node(struct reader *reader, uint32_t node, uint32_t *numbers) {
  struct cilkprof_profile *profile = reader->profile;
  struct cilkprof_stack stack = node_at(reader, node);
  uint32_t above = stack.parent ? numbers[stack.parent] : NOT_YET;
  stack.parent = above != NOT_YET && above != ON_PATH ? above - 1 : CILKPROF_NO_CONTEXT;
  if (cilkprof_verify_stack(profile, &stack) != NULL)
    return;
  profile->stacks[profile->stack_count++] = stack;
  numbers[node] = (uint32_t)profile->stack_count;
}

/* All from NODE up to what is in the profile already, in a circle maybe, then down again.  */
static void add_path(struct reader *reader, uint32_t node, uint32_t *numbers, uint32_t *path) {
  size_t length = 0;
  while (node != 0 && node < reader->live_samples->node_count && numbers[node] == NOT_YET) {
    numbers[node] = ON_PATH;
    path[length++] = node;
    node = node_at(reader, node).parent;
  }
  while (length > 0)
    add_node(reader, path[--length], numbers);
}

int live_samples_fill(struct reader *reader) {
  const struct live_samples *live = reader->live_samples;
  struct cilkprof_profile *profile = reader->profile;
  memcpy(&profile->sampling, reader->bytes + live->payload.sampling, sizeof profile->sampling);
  reader_order64(reader, &profile->sampling, sizeof profile->sampling / sizeof(uint64_t));
  const char *wrong = cilkprof_verify_sampling(&profile->sampling);
  if (wrong != NULL)
    return reader_fail(reader, live->payload.sampling, "%s", wrong);
  profile->has_sampling = 1;
  profile->program.flags |= CILKPROF_INCOMPLETE | CILKPROF_FROM_LIVE;
  fill_objects(reader);
  uint32_t *numbers = reader_allocate(reader, live->node_count * sizeof *numbers);
  uint32_t *path = reader_allocate(reader, live->node_count * sizeof *path);
  memset(numbers, 0, live->node_count * sizeof *numbers);
  for (uint32_t i = 1; i < live->node_count; i++) {
    struct cilkprof_stack stack = node_at(reader, i);
    if (stack.kind < CILKPROF_STACK_KINDS && (stack.samples || stack.waiting_ns))
      add_path(reader, i, numbers, path);
  }
  return 0;
}
