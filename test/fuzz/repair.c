/* Right checksums for a mutated profile.
   SPDX-License-Identifier: MIT  */

#include <string.h>
#include "fmt/layout.h"
#include "test/fuzz/repair.h"

/* Makes the header of the file valid.  */
static void fuzz_repair_header(uint8_t *bytes) {
  struct cilkprof_file_header header;
  memcpy(&header, bytes, sizeof header);
  memcpy(header.magic, CILKPROF_FILE_MAGIC, sizeof header.magic);
  header.order = CILKPROF_FILE_ORDER;
  header.version = CILKPROF_FILE_VERSION;
  header.zero = 0;
  header.checksum = cilkprof_checksum(0, &header, offsetof(struct cilkprof_file_header, checksum));
  memcpy(bytes, &header, sizeof header);
}

/* Makes the record at AT valid, of which there are LEFT bytes to the end of the file; a length beyond that is cut.
   RECORDS is the number for the last record.  Returns the size of the record.  */
static size_t fuzz_repair_record(uint8_t *at, size_t left, uint64_t records) {
  struct cilkprof_record_header header;
  uint8_t *payload = at + sizeof header;
  memcpy(&header, at, sizeof header);
  left -= sizeof header;
  if (header.length > left || cilkprof_padding(header.length) > left - header.length)
    header.length = left & ~(uint64_t)7;
  if (header.tag == CILKPROF_RECORD_END && header.length == sizeof records)
    memcpy(payload, &records, sizeof records);
  header.checksum = cilkprof_checksum(0, &header.tag, sizeof header.tag);
  header.checksum = cilkprof_checksum(header.checksum, &header.length, sizeof header.length);
  header.checksum = cilkprof_checksum(header.checksum, payload, header.length);
  memset(payload + header.length, 0, cilkprof_padding(header.length));
  memcpy(at, &header, sizeof header);
  return sizeof header + header.length + cilkprof_padding(header.length);
}

/* Makes the header and the checksums of all records in the profile of SIZE BYTES right, so that fuzzing gets beyond
   them.  Does nothing if there is not even a whole header.  */
void fuzz_repair(uint8_t *bytes, size_t size) {
  size_t offset = sizeof(struct cilkprof_file_header);
  if (size < offset)
    return;
  fuzz_repair_header(bytes);
  for (uint64_t records = 0; size - offset >= sizeof(struct cilkprof_record_header); records++)
    offset += fuzz_repair_record(bytes + offset, size - offset, records);
}
