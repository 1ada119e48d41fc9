/* CRC-32, eight bytes at a time.
   SPDX-License-Identifier: MIT

   The tables are linear: the entry of a byte is the sum (exclusive or) of the entries of its bits.  The compiler
   computes them from the entries of the eight bits, so the tables are constants without start-up code or 2,048 lines
   of source.  */

#include "fmt/layout.h"

#define ENTRY(i, a, b, c, d, e, f, g, h)                                                                               \
  ((i & 1 ? a : 0) ^ (i & 2 ? b : 0) ^ (i & 4 ? c : 0) ^ (i & 8 ? d : 0) ^ (i & 16 ? e : 0) ^ (i & 32 ? f : 0) ^       \
   (i & 64 ? g : 0) ^ (i & 128 ? h : 0))
#define ENTRIES4(i, ...)                                                                                               \
  ENTRY((i), __VA_ARGS__), ENTRY((i + 1), __VA_ARGS__), ENTRY((i + 2), __VA_ARGS__), ENTRY((i + 3), __VA_ARGS__)
#define ENTRIES16(i, ...)                                                                                              \
  ENTRIES4(i, __VA_ARGS__), ENTRIES4(i + 4, __VA_ARGS__), ENTRIES4(i + 8, __VA_ARGS__), ENTRIES4(i + 12, __VA_ARGS__)
#define ENTRIES64(i, ...)                                                                                              \
  ENTRIES16(i, __VA_ARGS__), ENTRIES16(i + 16, __VA_ARGS__), ENTRIES16(i + 32, __VA_ARGS__),                           \
      ENTRIES16(i + 48, __VA_ARGS__)
#define TABLE(...)                                                                                                     \
  { ENTRIES64(0, __VA_ARGS__), ENTRIES64(64, __VA_ARGS__), ENTRIES64(128, __VA_ARGS__), ENTRIES64(192, __VA_ARGS__) }

/* table[n][byte] is the contribution of BYTE when N more bytes follow it.  */
static const uint32_t table[8][256] = {
    TABLE(0x77073096U, 0xee0e612cU, 0x076dc419U, 0x0edb8832U, 0x1db71064U, 0x3b6e20c8U, 0x76dc4190U, 0xedb88320U),
    TABLE(0x191b3141U, 0x32366282U, 0x646cc504U, 0xc8d98a08U, 0x4ac21251U, 0x958424a2U, 0xf0794f05U, 0x3b83984bU),
    TABLE(0x01c26a37U, 0x0384d46eU, 0x0709a8dcU, 0x0e1351b8U, 0x1c26a370U, 0x384d46e0U, 0x709a8dc0U, 0xe1351b80U),
    TABLE(0xb8bc6765U, 0xaa09c88bU, 0x8f629757U, 0xc5b428efU, 0x5019579fU, 0xa032af3eU, 0x9b14583dU, 0xed59b63bU),
    TABLE(0x3d6029b0U, 0x7ac05360U, 0xf580a6c0U, 0x30704bc1U, 0x60e09782U, 0xc1c12f04U, 0x58f35849U, 0xb1e6b092U),
    TABLE(0xcb5cd3a5U, 0x4dc8a10bU, 0x9b914216U, 0xec53826dU, 0x03d6029bU, 0x07ac0536U, 0x0f580a6cU, 0x1eb014d8U),
    TABLE(0xa6770bb4U, 0x979f1129U, 0xf44f2413U, 0x33ef4e67U, 0x67de9cceU, 0xcfbd399cU, 0x440b7579U, 0x8816eaf2U),
    TABLE(0xccaa009eU, 0x4225077dU, 0x844a0efaU, 0xd3e51bb5U, 0x7cbb312bU, 0xf9766256U, 0x299dc2edU, 0x533b85daU),
};

/* Returns the four bytes at BYTE as a little-endian integer, which is how the tables of the CRC-32 take them on any
   machine.  */
static uint32_t checksum_input_word(const uint8_t *byte) {
  return (uint32_t)byte[0] | (uint32_t)byte[1] << 8 | (uint32_t)byte[2] << 16 | (uint32_t)byte[3] << 24;
}

uint32_t cilkprof_checksum(uint32_t checksum, const void *bytes, size_t size) {
  const uint8_t *byte = bytes;
  uint32_t sum = ~checksum;
  for (; size >= 8; byte += 8, size -= 8) {
    sum ^= checksum_input_word(byte);
    uint32_t next = checksum_input_word(byte + 4);
    sum = table[7][sum & 255] ^ table[6][sum >> 8 & 255] ^ table[5][sum >> 16 & 255] ^ table[4][sum >> 24] ^
          table[3][next & 255] ^ table[2][next >> 8 & 255] ^ table[1][next >> 16 & 255] ^ table[0][next >> 24];
  }
  for (; size > 0; byte++, size--)
    sum = sum >> 8 ^ table[0][(sum ^ *byte) & 255];
  return ~sum;
}
