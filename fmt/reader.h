/* What the two halves of the reader share: read.c walks the records of a file, decode.c fills in what they hold.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_FMT_READER_H
#define CILKPROF_FMT_READER_H

#include "fmt/layout.h"

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

/* decode.c.  Each returns 0, or -1 with the error filled in.  */
__attribute__((format(printf, 3, 4))) int reader_fail(struct reader *reader, size_t offset, const char *format, ...);
int record_take_all(struct reader *reader, struct record *record, void *to, size_t size);
int record_decode(struct reader *reader, struct record *record);
size_t record_storage(const struct record *record); /* an upper bound of the memory for what a record holds */
void *reader_allocate(struct reader *reader, size_t size);
uint32_t reader_order32(const struct reader *reader, uint32_t value);
void reader_order64(const struct reader *reader, void *values, size_t count);

#endif
