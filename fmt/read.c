/* Reading a profile from memory.  Nothing in the file is trusted: not its lengths, not its counts, not its order.
   SPDX-License-Identifier: MIT

   The file is walked twice.  The first walk checks the records and measures them, the second fills one block of memory
   that is allocated in between, so that no allocation is larger than a small multiple of what the file really holds. */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "fmt/layout.h"
#include "fmt/verify.h"

struct reader {
  const uint8_t *bytes;
  size_t size;
  int swap; /* the file has the other byte order */
  struct cilkprof_profile *profile;
  struct cilkprof_read_error *error;
  size_t storage_size, storage_used;
};

struct record {
  size_t offset;
  uint32_t tag;
  const uint8_t *payload;
  size_t length, taken; /* of the payload: all of it, and what has been decoded */
};

__attribute__((format(printf, 3, 4))) static int fail(struct reader *reader, size_t offset, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(reader->error->message, sizeof reader->error->message, format, arguments);
  va_end(arguments);
  reader->error->offset = offset;
  return -1;
}

static uint32_t order32(const struct reader *reader, uint32_t value) {
  return reader->swap ? __builtin_bswap32(value) : value;
}

static void order64(const struct reader *reader, void *values, size_t count) {
  for (uint8_t *at = values; reader->swap && count > 0; at += sizeof(uint64_t), count--) {
    uint64_t value;
    memcpy(&value, at, sizeof value);
    value = __builtin_bswap64(value);
    memcpy(at, &value, sizeof value);
  }
}

static int read_header(struct reader *reader) {
  struct cilkprof_file_header header;
  if (reader->size == 0)
    return fail(reader, 0, "the file is empty");
  size_t magic_size = reader->size < sizeof header.magic ? reader->size : sizeof header.magic;
  if (memcmp(reader->bytes, CILKPROF_FILE_MAGIC, magic_size) != 0)
    return fail(reader, 0, "not a cilkprof profile");
  if (reader->size < sizeof header)
    return fail(reader, reader->size, "the file ends inside its header: it was cut short");
  memcpy(&header, reader->bytes, sizeof header);
  reader->swap = header.order != CILKPROF_FILE_ORDER;
  if (order32(reader, header.order) != CILKPROF_FILE_ORDER ||
      order32(reader, header.checksum) !=
          cilkprof_checksum(0, &header, offsetof(struct cilkprof_file_header, checksum)) ||
      header.zero != 0)
    return fail(reader, 0, "the header is damaged");
  if (order32(reader, header.version) != CILKPROF_FILE_VERSION)
    return fail(reader, offsetof(struct cilkprof_file_header, version), "version %u of the format is not supported",
                order32(reader, header.version));
  return 0;
}

/* Reads the record at OFFSET, which lies inside the file.  */
static int read_record(struct reader *reader, size_t offset, struct record *record) {
  struct cilkprof_record_header header;
  if (reader->size - offset < sizeof header)
    return fail(reader, reader->size, "the file ends inside a record: it was cut short");
  memcpy(&header, reader->bytes + offset, sizeof header);
  uint64_t length = header.length;
  order64(reader, &length, 1);
  size_t left = reader->size - offset - sizeof header;
  if (length > left || cilkprof_padding(length) > left - length)
    return fail(reader, offset, "the file ends inside this record: it was cut short or is damaged");
  *record = (struct record){
      .offset = offset,
      .tag = order32(reader, header.tag),
      .payload = reader->bytes + offset + sizeof header,
      .length = length,
  };
  return 0;
}

static size_t end_of(const struct record *record) {
  return record->offset + sizeof(struct cilkprof_record_header) + record->length + cilkprof_padding(record->length);
}

static int check_record(struct reader *reader, const struct record *record) {
  struct cilkprof_record_header header;
  memcpy(&header, reader->bytes + record->offset, sizeof header);
  uint32_t checksum = cilkprof_checksum(0, &header.tag, sizeof header.tag);
  checksum = cilkprof_checksum(checksum, &header.length, sizeof header.length);
  checksum = cilkprof_checksum(checksum, record->payload, record->length);
  if (checksum != order32(reader, header.checksum))
    return fail(reader, record->offset, "the checksum of this record is wrong: the file is damaged");
  for (uint64_t i = 0; i < cilkprof_padding(record->length); i++)
    if (record->payload[record->length + i] != 0)
      return fail(reader, record->offset, "the padding of this record is not zero: the file is damaged");
  return 0;
}

/* Copies SIZE bytes of the payload.  */
static int take(struct reader *reader, struct record *record, void *to, size_t size) {
  if (record->length - record->taken < size)
    return fail(reader, record->offset, "this record is too short for what it has to hold");
  if (size > 0)
    memcpy(to, record->payload + record->taken, size);
  record->taken += size;
  return 0;
}

static int take_all(struct reader *reader, struct record *record, void *to, size_t size) {
  if (record->length != size)
    return fail(reader, record->offset, "this record has the wrong length");
  return take(reader, record, to, size);
}

/* Memory of the profile.  storage_for has measured all that is asked for here; more would be a bug of this file.  */
static void *allocate(struct reader *reader, size_t size) {
  uint8_t *memory = (uint8_t *)reader->profile->storage + reader->storage_used;
  size += cilkprof_padding(size);
  if (size > reader->storage_size - reader->storage_used)
    abort();
  reader->storage_used += size;
  return memory;
}

/* An upper bound of the memory for what a record holds.  A string of the file has four bytes of length, in memory one
   zero and up to seven bytes of padding; an argument has a pointer as well.  */
static size_t storage_for(const struct record *record) {
  switch (record->tag) {
  case CILKPROF_RECORD_PROGRAM:
    return 5 * record->length + 8;
  case CILKPROF_RECORD_OBJECT:
    return sizeof(struct cilkprof_object) + record->length + 16;
  case CILKPROF_RECORD_RUN:
    return record->length;
  case CILKPROF_RECORD_SITE:
    return sizeof(struct cilkprof_site);
  default:
    return 0;
  }
}

/* A string in memory of its own, followed by a zero byte that *LENGTH does not count.  */
static int take_string(struct reader *reader, struct record *record, const uint8_t **string, uint32_t *length) {
  if (take(reader, record, length, sizeof *length) != 0)
    return -1;
  *length = order32(reader, *length);
  if (*length > CILKPROF_STRING_LIMIT || *length > record->length - record->taken)
    return fail(reader, record->offset, "a string of %u bytes is too long for this record", *length);
  uint8_t *copy = allocate(reader, (size_t)*length + 1);
  copy[*length] = 0;
  *string = copy;
  return take(reader, record, copy, *length);
}

static int take_text(struct reader *reader, struct record *record, const char **text) {
  const uint8_t *string;
  uint32_t length;
  if (take_string(reader, record, &string, &length) != 0)
    return -1;
  if (memchr(string, 0, length) != NULL)
    return fail(reader, record->offset, "a string of this record holds a zero byte");
  *text = (const char *)string;
  return 0;
}

static int decode_program(struct reader *reader, struct record *record) {
  struct cilkprof_program *program = &reader->profile->program;
  struct cilkprof_program_payload fixed;
  if (take(reader, record, &fixed, sizeof fixed) != 0)
    return -1;
  order64(reader, &fixed.flags, 3);
  program->mode = order32(reader, fixed.mode);
  program->argc = order32(reader, fixed.argc);
  program->flags = fixed.flags;
  program->burden = fixed.burden;
  program->loop_workers = fixed.loop_workers;
  if (program->argc > (record->length - record->taken) / sizeof(uint32_t))
    return fail(reader, record->offset, "the command line has fewer than %u arguments", program->argc);
  const char **argv = allocate(reader, program->argc * sizeof *argv);
  program->argv = argv;
  for (uint32_t i = 0; i < program->argc; i++)
    if (take_text(reader, record, &argv[i]) != 0)
      return -1;
  const char *wrong = cilkprof_verify_program(program);
  return wrong != NULL ? fail(reader, record->offset, "%s", wrong) : 0;
}

static int decode_run(struct reader *reader, struct record *record) {
  struct cilkprof_run_payload fixed;
  if (take(reader, record, &fixed, sizeof fixed) != 0)
    return -1;
  order64(reader, &fixed, sizeof fixed / sizeof(uint64_t));
  if (fixed.load_count > UINT32_MAX || fixed.load_count != (record->length - record->taken) / sizeof(uint64_t))
    return fail(reader, record->offset, "the run has not as many load addresses as it says");
  size_t size = fixed.load_count * sizeof(uint64_t);
  uint64_t *addresses = allocate(reader, size);
  if (take(reader, record, addresses, size) != 0)
    return -1;
  order64(reader, addresses, fixed.load_count);
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

static int decode_object(struct reader *reader, struct record *record) {
  struct cilkprof_object *object = &reader->profile->objects[reader->profile->object_count++];
  if (take_text(reader, record, &object->path) != 0)
    return -1;
  return take_string(reader, record, &object->build_id, &object->build_id_size);
}

static int decode_totals(struct reader *reader, struct record *record) {
  struct cilkprof_totals *totals = &reader->profile->totals;
  if (take_all(reader, record, totals, sizeof *totals) != 0)
    return -1;
  order64(reader, totals, sizeof *totals / sizeof(uint64_t));
  return 0;
}

static int decode_site(struct reader *reader, struct record *record) {
  struct cilkprof_site *site = &reader->profile->sites[reader->profile->site_count++];
  if (take_all(reader, record, site, sizeof *site) != 0)
    return -1;
  site->object = order32(reader, site->object);
  site->callee_object = order32(reader, site->callee_object);
  order64(reader, &site->description, (sizeof *site - offsetof(struct cilkprof_site, description)) / sizeof(uint64_t));
  const char *wrong = cilkprof_verify_site(reader->profile, site);
  return wrong != NULL ? fail(reader, record->offset, "%s", wrong) : 0;
}

static int decode_end(struct reader *reader, struct record *record, uint64_t records) {
  uint64_t stated = 0;
  if (take_all(reader, record, &stated, sizeof stated) != 0)
    return -1;
  order64(reader, &stated, 1);
  if (stated != records)
    return fail(reader, record->offset, "the file has %llu records and should have %llu", (unsigned long long)records,
                (unsigned long long)stated);
  if (end_of(record) != reader->size)
    return fail(reader, end_of(record), "more bytes follow the end of the profile");
  return 0;
}

static int decode(struct reader *reader, struct record *record) {
  int result = 0;
  switch (record->tag) {
  case CILKPROF_RECORD_PROGRAM:
    result = decode_program(reader, record);
    break;
  case CILKPROF_RECORD_RUN:
    result = decode_run(reader, record);
    break;
  case CILKPROF_RECORD_OBJECT:
    result = decode_object(reader, record);
    break;
  case CILKPROF_RECORD_TOTALS:
    result = decode_totals(reader, record);
    break;
  case CILKPROF_RECORD_SITE:
    result = decode_site(reader, record);
    break;
  default:
    return 0;
  }
  if (result == 0 && record->taken != record->length)
    return fail(reader, record->offset, "this record is longer than what it has to hold");
  return result;
}

/* How many records of each known tag the file has.  */
struct census {
  uint64_t records, of[CILKPROF_RECORD_END + 1];
  size_t end; /* offset of the END record */
};

/* The first walk: every record is whole, and the last is END.  */
static int walk(struct reader *reader, struct census *census) {
  struct record record;
  size_t offset = sizeof(struct cilkprof_file_header);
  for (; offset < reader->size; offset = end_of(&record)) {
    if (read_record(reader, offset, &record) != 0 || check_record(reader, &record) != 0)
      return -1;
    census->end = offset;
    if (record.tag == CILKPROF_RECORD_END)
      return decode_end(reader, &record, census->records);
    census->records++;
    if (record.tag < CILKPROF_RECORD_END)
      census->of[record.tag]++;
    reader->storage_size += storage_for(&record);
  }
  return fail(reader, reader->size, "the file ends without its last record: it was cut short");
}

static int check_census(struct reader *reader, const struct census *census) {
  if (census->of[CILKPROF_RECORD_PROGRAM] != 1 || census->of[CILKPROF_RECORD_RUN] != 1 ||
      census->of[CILKPROF_RECORD_TOTALS] != 1)
    return fail(reader, census->end, "the program, the run and the totals must each be there once");
  return 0;
}

/* The second walk, over records that are known to be whole.  What is right in a site depends on the program's flags. */
static int fill(struct reader *reader, const struct census *census) {
  struct cilkprof_profile *profile = reader->profile;
  profile->sites = allocate(reader, census->of[CILKPROF_RECORD_SITE] * sizeof *profile->sites);
  profile->objects = allocate(reader, census->of[CILKPROF_RECORD_OBJECT] * sizeof *profile->objects);
  struct record record;
  for (size_t offset = sizeof(struct cilkprof_file_header); offset < census->end; offset = end_of(&record)) {
    if (read_record(reader, offset, &record) != 0)
      return -1;
    if (record.tag == CILKPROF_RECORD_SITE && profile->program.mode == 0)
      return fail(reader, offset, "a site stands before the program's record");
    if (decode(reader, &record) != 0)
      return -1;
  }
  const char *wrong = cilkprof_verify_profile(profile);
  return wrong != NULL ? fail(reader, census->end, "%s", wrong) : 0;
}

int cilkprof_read(const void *bytes, size_t size, struct cilkprof_profile *profile, struct cilkprof_read_error *error) {
  struct reader reader = {.bytes = bytes, .size = size, .profile = profile, .error = error};
  struct census census = {.records = 0};
  memset(profile, 0, sizeof *profile);
  if (read_header(&reader) != 0 || walk(&reader, &census) != 0 || check_census(&reader, &census) != 0)
    return -1;
  profile->storage = malloc(reader.storage_size + 1);
  if (profile->storage == NULL)
    return fail(&reader, 0, "no memory is left to read it");
  if (fill(&reader, &census) != 0) {
    cilkprof_profile_free(profile);
    return -1;
  }
  return 0;
}

void cilkprof_profile_free(struct cilkprof_profile *profile) {
  free(profile->storage);
  memset(profile, 0, sizeof *profile);
}
