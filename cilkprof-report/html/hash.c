/* SHA-256 in base64, by which a page tells the browser which scripts are its own (FIPS 180-4).
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <string.h>
#include "cilkprof-report/html/html.h"

enum { BLOCK = 64, ROUNDS = 64, LENGTH_AT = 56 };

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes.  */
static const uint32_t constants[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

void html_hash_begin(struct html_hash *hash) {
  *hash = (struct html_hash){
      .state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

/* Returns VALUE rotated to the right by COUNT bits, for the hash of a page.  */
static uint32_t html_hash_rotate(uint32_t value, int count) {
  return value >> count | value << (32 - count);
}

/* Returns three rotations of VALUE combined, the last of which is a shift if SHIFT, for the hash of a page.  */
static uint32_t html_hash_mix(uint32_t value, int first, int second, int third, bool shift) {
  return html_hash_rotate(value, first) ^ html_hash_rotate(value, second) ^
         (shift ? value >> third : html_hash_rotate(value, third));
}

/* Adds the whole block of HASH to its state.  */
static void html_hash_add_block(struct html_hash *hash) {
  uint32_t words[ROUNDS], v[8];
  for (int i = 0; i < 16; i++) {
    const unsigned char *at = &hash->block[4 * i];
    words[i] = (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
  }
  for (int i = 16; i < ROUNDS; i++)
    words[i] = html_hash_mix(words[i - 2], 17, 19, 10, true) + words[i - 7] +
               html_hash_mix(words[i - 15], 7, 18, 3, true) + words[i - 16];
  memcpy(v, hash->state, sizeof v);
  for (int i = 0; i < ROUNDS; i++) {
    uint32_t first =
        v[7] + html_hash_mix(v[4], 6, 11, 25, false) + ((v[4] & v[5]) ^ (~v[4] & v[6])) + constants[i] + words[i];
    uint32_t second = html_hash_mix(v[0], 2, 13, 22, false) + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
    memmove(v + 1, v, 7 * sizeof *v);
    v[4] += first;
    v[0] = first + second;
  }
  for (int i = 0; i < 8; i++)
    hash->state[i] += v[i];
}

void html_hash_add(struct html_hash *hash, const void *bytes, size_t size) {
  const unsigned char *at = bytes;
  while (size-- > 0) {
    hash->block[hash->size++ % BLOCK] = *at++;
    if (hash->size % BLOCK == 0)
      html_hash_add_block(hash);
  }
}

/* Writes the hash in base64 to TEXT, with a zero at its end.  */
void html_hash_end(struct html_hash *hash, char text[static HTML_HASH_ROOM]) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  uint64_t bits = 8 * hash->size;
  unsigned char result[33] = {0}, length[8];
  for (int i = 0; i < 8; i++)
    length[i] = (unsigned char)(bits >> (56 - 8 * i));
  html_hash_add(hash, "\x80", 1);
  while (hash->size % BLOCK != LENGTH_AT)
    html_hash_add(hash, "", 1);
  html_hash_add(hash, length, sizeof length);
  for (int i = 0; i < 32; i++)
    result[i] = (unsigned char)(hash->state[i / 4] >> (24 - 8 * (i % 4)));
  for (int i = 0; i < 33; i += 3) {
    uint32_t group = (uint32_t)result[i] << 16 | (uint32_t)result[i + 1] << 8 | result[i + 2];
    for (int k = 0; k < 4; k++)
      *text++ = digits[group >> (18 - 6 * k) & 63];
  }
  text[-1] = '='; /* the last group has two bytes */
  *text = 0;
}
