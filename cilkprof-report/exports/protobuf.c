/* Writes messages of protocol buffers.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <zlib.h>
#include "cilkprof-report/exports/protobuf.h"
#include "cilkprof-report/support/support.h"

enum { KIND_NUMBER = 0, KIND_BYTES = 2 };

/* Appends a byte to the message.  */
static void protobuf_put_byte(struct message *message, unsigned byte) {
  message->bytes = grow_array(message->bytes, message->size, &message->room, 1);
  message->bytes[message->size++] = (uint8_t)byte;
}

/* Appends VALUE to the message without a field, as an element of a list.  Numbers are written with seven bits in each
   byte, the lowest first.  */
void protobuf_put_element(struct message *message, uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    protobuf_put_byte(message, (value & 0x7F) | 0x80);
  protobuf_put_byte(message, (unsigned)value);
}

/* Appends field number FIELD, the number VALUE, to the message.  */
void protobuf_put_number(struct message *message, unsigned field, uint64_t value) {
  protobuf_put_element(message, field << 3 | KIND_NUMBER);
  protobuf_put_element(message, value);
}

/* Appends field number FIELD, a string or other data of SIZE bytes, to the message.  */
void protobuf_put_bytes(struct message *message, unsigned field, const void *bytes, size_t size) {
  protobuf_put_element(message, field << 3 | KIND_BYTES);
  protobuf_put_element(message, size);
  for (size_t i = 0; i < size; i++)
    protobuf_put_byte(message, ((const uint8_t *)bytes)[i]);
}

/* Appends PART to the message as field number FIELD, and empties it for the next use.  */
void protobuf_put_part(struct message *message, unsigned field, struct message *part) {
  protobuf_put_bytes(message, field, part->bytes, part->size);
  part->size = 0;
}

/* Prints the message as a gzip file.  The header that zlib writes has neither a name nor a time, so equal messages give
   equal files.  */
void protobuf_print_gzip(FILE *out, const struct message *message) {
  enum { GZIP = 16, PART = 1 << 16 };
  static uint8_t part[PART];
  z_stream stream = {0};
  size_t done = 0;
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + GZIP, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY) !=
      Z_OK)
    fail_without_memory();
  for (int result = Z_OK; result != Z_STREAM_END;) {
    if (stream.avail_in == 0 && done < message->size) { /* zlib takes less than 2^32 bytes at once */
      size_t rest = message->size - done;
      stream.next_in = message->bytes + done;
      stream.avail_in = rest < UINT32_MAX ? (uInt)rest : UINT32_MAX;
      done += stream.avail_in;
    }
    stream.next_out = part;
    stream.avail_out = PART;
    result = deflate(&stream, done == message->size ? Z_FINISH : Z_NO_FLUSH);
    fwrite(part, 1, PART - stream.avail_out, out);
  }
  deflateEnd(&stream);
}
