/* Writes messages of protocol buffers.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_PROTOBUF_H
#define CILKPROF_REPORT_PROTOBUF_H

#include <stdint.h>
#include <stdio.h>

/* Initially {0}.  The caller frees the bytes.  */
struct message {
  uint8_t *bytes;
  size_t size, room;
};

/* Append a field that is a number, or bytes.  */
void protobuf_put_number(struct message *message, unsigned field, uint64_t value);
void protobuf_put_bytes(struct message *message, unsigned field, const void *bytes, size_t size);
/* Appends PART as a field and empties it.  */
void protobuf_put_part(struct message *message, unsigned field, struct message *part);
/* Appends a number without a field, as an element of a list.  */
void protobuf_put_element(struct message *message, uint64_t value);

/* Prints the message as a gzip file.  */
void protobuf_print_gzip(FILE *out, const struct message *message);

#endif
