/* Messages of protocol buffers, as they are written.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "cilkprof-report/exports/protobuf.h"
#include "cilkprof-report/support/support.h"
#include "fmt/layout.h"

enum { KIND_NUMBER = 0, KIND_BYTES = 2 };

static void put_byte(struct message *message, unsigned byte) {
  message->bytes = grow(message->bytes, message->size, &message->room, 1);
  message->bytes[message->size++] = (uint8_t)byte;
}

/* Seven bits a byte, the lowest first.  */
void message_element(struct message *message, uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    put_byte(message, (value & 0x7F) | 0x80);
  put_byte(message, (unsigned)value);
}

void message_number(struct message *message, unsigned field, uint64_t value) {
  message_element(message, field << 3 | KIND_NUMBER);
  message_element(message, value);
}

void message_bytes(struct message *message, unsigned field, const void *bytes, size_t size) {
  message_element(message, field << 3 | KIND_BYTES);
  message_element(message, size);
  for (size_t i = 0; i < size; i++)
    put_byte(message, ((const uint8_t *)bytes)[i]);
}

void message_part(struct message *message, unsigned field, struct message *part) {
  message_bytes(message, field, part->bytes, part->size);
  part->size = 0;
}

static void put_little_endian(FILE *out, uint32_t value, int bytes) {
  for (; bytes > 0; bytes--, value >>= 8)
    putc((int)(value & 0xFF), out);
}

/* Blocks that are stored as they are, each with its length and the complement of that.  */
void message_print_gzip(FILE *out, const struct message *message) {
  static const uint8_t header[] = {0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255};
  size_t done = 0;
  fwrite(header, 1, sizeof header, out);
  do {
    size_t part = message->size - done < UINT16_MAX ? message->size - done : UINT16_MAX;
    putc(done + part == message->size, out);
    put_little_endian(out, (uint32_t)part, 2);
    put_little_endian(out, ~(uint32_t)part, 2);
    if (part > 0)
      fwrite(message->bytes + done, 1, part, out);
    done += part;
  } while (done < message->size);
  put_little_endian(out, cilkprof_checksum(0, message->bytes, message->size), 4);
  put_little_endian(out, (uint32_t)message->size, 4);
}
