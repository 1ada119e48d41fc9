/* What decoders of records share: taking bytes, numbers and strings from a record, memory for them, and errors.
   SPDX-License-Identifier: MIT  */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "fmt/reader.h"

__attribute__((format(printf, 3, 4))) int reader_fail(struct reader *reader, size_t offset, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(reader->error->message, sizeof reader->error->message, format, arguments);
  va_end(arguments);
  reader->error->offset = offset;
  return -1;
}

/* Returns VALUE, an integer of the profile, in the byte order of this machine.  */
uint32_t file_to_host_order32(const struct reader *reader, uint32_t value) {
  return reader->swap ? __builtin_bswap32(value) : value;
}

/* Converts COUNT integers of 64 bits at VALUES, which need not be aligned, from the byte order of the profile to that
   of this machine.  */
void file_to_host_order64(const struct reader *reader, void *values, size_t count) {
  for (uint8_t *at = values; reader->swap && count > 0; at += sizeof(uint64_t), count--) {
    uint64_t value;
    memcpy(&value, at, sizeof value);
    value = __builtin_bswap64(value);
    memcpy(at, &value, sizeof value);
  }
}

/* Copies the next SIZE bytes of the payload of RECORD to TO.  Returns 0, or -1 with the error filled in if the record
   has fewer left.  */
int record_take_bytes(struct reader *reader, struct record *record, void *to, size_t size) {
  if (record->length - record->taken < size)
    return reader_fail(reader, record->offset, "this record is too short for its contents");
  if (size > 0)
    memmove(to, record->payload + record->taken, size); /* source and destination of a site may overlap */
  record->taken += size;
  return 0;
}

/* Copies the whole payload of RECORD to TO.  Returns 0, or -1 with the error filled in if the payload does not have
   exactly SIZE bytes.  */
int record_take_whole(struct reader *reader, struct record *record, void *to, size_t size) {
  if (record->length != size)
    return reader_fail(reader, record->offset, "this record has the wrong length");
  return record_take_bytes(reader, record, to, size);
}

/* Returns SIZE bytes of the storage of the profile that is being read; never NULL.  The storage has the size that
   record_memory_bound computed, so running out of it is a bug of the reader, and aborts.  */
void *reader_allocate(struct reader *reader, size_t size) {
  uint8_t *memory = (uint8_t *)reader->profile->storage + reader->storage_used;
  size += cilkprof_padding(size);
  if (size > reader->storage_size - reader->storage_used)
    abort();
  reader->storage_used += size;
  return memory;
}

/* Copies the next string of RECORD into memory of the profile.  A zero byte follows it, which *LENGTH does not count.
   Returns 0, or -1 with the error filled in.  */
int record_take_string(struct reader *reader, struct record *record, const uint8_t **string, uint32_t *length) {
  if (record_take_bytes(reader, record, length, sizeof *length) != 0)
    return -1;
  *length = file_to_host_order32(reader, *length);
  if (*length > CILKPROF_STRING_LIMIT || *length > record->length - record->taken)
    return reader_fail(reader, record->offset, "a string of %u bytes is too long for this record", *length);
  uint8_t *copy = reader_allocate(reader, (size_t)*length + 1);
  copy[*length] = 0;
  *string = copy;
  return record_take_bytes(reader, record, copy, *length);
}

/* Copies the next string of RECORD into memory of the profile and sets *TEXT to it.  Returns 0, or -1 with the error
   filled in if it is too long or contains a zero byte.  */
int record_take_text(struct reader *reader, struct record *record, const char **text) {
  const uint8_t *string = (const uint8_t *)"";
  uint32_t length = 0;
  if (record_take_string(reader, record, &string, &length) != 0)
    return -1;
  if (memchr(string, 0, length) != NULL)
    return reader_fail(reader, record->offset, "a string in this record contains a zero byte");
  *text = (const char *)string;
  return 0;
}

/* Rejects RECORD with the message WRONG, which one of the checks in verify.c returned.  Returns 0 if WRONG is NULL,
   else -1 with the error filled in.  */
int record_fail_if_wrong(struct reader *reader, const struct record *record, const char *wrong) {
  return wrong != NULL ? reader_fail(reader, record->offset, "%s", wrong) : 0;
}
