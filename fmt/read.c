/* Reads a profile from memory.  Nothing in the file is trusted: neither its lengths, nor its counts, nor its order.
   SPDX-License-Identifier: MIT

   The file is walked twice.  The first walk checks the records and computes the memory for their contents, the second
   decodes them into one block that is allocated in between.  So no allocation is larger than a small multiple of the
   size of the file.  Sites may instead be moved to the front of the memory of the file: a site is smaller than its
   record, so it never overwrites a record that has not been read.  */

#include <stdlib.h>
#include <string.h>
#include "fmt/pages.h"
#include "fmt/reader.h"
#include "fmt/verify.h"

/* Reads the header of the profile and determines its byte order.  Returns 0, or -1 with the error filled in if the file
   is no profile, is damaged there, or has a version that is not supported.  */
static int read_profile_header(struct reader *reader) {
  struct cilkprof_file_header header;
  if (reader->size == 0)
    return reader_fail(reader, 0, "the file is empty");
  size_t magic_size = reader->size < sizeof header.magic ? reader->size : sizeof header.magic;
  if (memcmp(reader->bytes, CILKPROF_FILE_MAGIC, magic_size) != 0)
    return reader_fail(reader, 0, "not a cilkprof profile");
  if (reader->size < sizeof header)
    return reader_fail(reader, reader->size, "the file ends in its header: it is truncated");
  memcpy(&header, reader->bytes, sizeof header);
  reader->swap = header.order != CILKPROF_FILE_ORDER;
  if (file_to_host_order32(reader, header.order) != CILKPROF_FILE_ORDER ||
      file_to_host_order32(reader, header.checksum) !=
          cilkprof_checksum(0, &header, offsetof(struct cilkprof_file_header, checksum)) ||
      header.zero != 0)
    return reader_fail(reader, 0, "the header is damaged");
  if (file_to_host_order32(reader, header.version) != CILKPROF_FILE_VERSION)
    return reader_fail(reader, offsetof(struct cilkprof_file_header, version),
                       "version %u of the format is not supported", file_to_host_order32(reader, header.version));
  return 0;
}

/* Checks the checksum and the padding of RECORD.  Returns 0, or -1 with the error filled in if the file is damaged.  */
static int check_record_checksum(struct reader *reader, const struct record *record) {
  struct cilkprof_record_header header;
  memcpy(&header, reader->bytes + record->offset, sizeof header);
  uint32_t checksum = cilkprof_checksum(0, &header.tag, sizeof header.tag);
  checksum = cilkprof_checksum(checksum, &header.length, sizeof header.length);
  checksum = cilkprof_checksum(checksum, record->payload, record->length);
  if (checksum != file_to_host_order32(reader, header.checksum))
    return reader_fail(reader, record->offset, "the checksum of this record is wrong: the file is damaged");
  for (uint64_t i = 0; i < cilkprof_padding(record->length); i++)
    if (record->payload[record->length + i] != 0)
      return reader_fail(reader, record->offset, "the padding of this record is not zero: the file is damaged");
  return 0;
}

int record_read(struct reader *reader, size_t offset, struct record *record) {
  struct cilkprof_record_header header;
  if (reader->size - offset < sizeof header)
    return reader_fail(reader, reader->size, "the file ends in a record: it is truncated");
  memcpy(&header, reader->bytes + offset, sizeof header);
  uint64_t length = header.length;
  file_to_host_order64(reader, &length, 1);
  size_t left = reader->size - offset - sizeof header;
  if (length > left || cilkprof_padding(length) > left - length)
    return reader_fail(reader, offset, "the file ends in this record: it is truncated or damaged");
  *record = (struct record){
      .offset = offset,
      .end = offset + sizeof header + length + cilkprof_padding(length),
      .tag = file_to_host_order32(reader, header.tag),
      .payload = reader->bytes + offset + sizeof header,
      .length = length,
  };
  return reader->checked ? 0 : check_record_checksum(reader, record);
}

/* Reads the record at OFFSET of the profile.  In a file that is recovered, a damaged record is skipped and *RECORD
   describes the loss.  Returns 0, or -1 with the error filled in.  */
static int read_or_skip_record(struct reader *reader, size_t offset, struct record *record) {
  if (record_read(reader, offset, record) == 0)
    return 0;
  if (reader->losses == NULL)
    return -1;
  record_skip_damaged(reader, offset, record);
  return 0;
}

/* Checks RECORD, the END record of a profile with RECORDS records before it: their number must be the one that it
   states, and nothing may follow.  A file that is recovered need not satisfy this.  Returns 0, or -1 with the error
   filled in.  */
static int check_end_record(struct reader *reader, struct record *record, uint64_t records) {
  uint64_t stated = 0;
  if (record_take_whole(reader, record, &stated, sizeof stated) != 0)
    return -1;
  file_to_host_order64(reader, &stated, 1);
  if (reader->losses != NULL)
    return 0;
  if (stated != records)
    return reader_fail(reader, record->offset, "the file has %llu records instead of %llu", (unsigned long long)records,
                       (unsigned long long)stated);
  if (record->end != reader->size)
    return reader_fail(reader, record->end, "the profile is followed by other data");
  return 0;
}

/* Walks through the profile for the first time: checks every record up to END, counts the records in *CENSUS, and adds
   up the memory for their contents.  In a live file, LIVE or LIVE_SAMPLES is the last record, which is decoded into
   *LIVE or *SAMPLES.  Returns 0, or -1 with the error filled in.  */
static int check_all_records(struct reader *reader, struct census *census, struct live_file *live,
                             struct live_samples *samples) {
  struct record record = {0};
  size_t offset = sizeof(struct cilkprof_file_header);
  for (; offset < reader->size; offset = record.end) {
    if (read_or_skip_record(reader, offset, &record) != 0)
      return -1;
    census->end = record.end;
    record_note_passed(reader, &record);
    if (record.state != RECORD_WHOLE) {
      record_count_lost(reader, census, &record);
      continue;
    }
    if (record.tag == CILKPROF_RECORD_END) {
      census->end = offset;
      return check_end_record(reader, &record, census->records);
    }
    if (record.tag == CILKPROF_RECORD_LIVE) {
      census->end = offset;
      return read_live_header(reader, &record, live);
    }
    if (record.tag == CILKPROF_RECORD_LIVE_SAMPLES) {
      census->end = offset;
      return read_live_samples_header(reader, &record, samples);
    }
    census->records++;
    if (record.tag < CILKPROF_RECORD_TAGS)
      census->of[record.tag]++;
    if (record.tag == CILKPROF_RECORD_PART)
      census->parts[root_part_of_record(reader, &record)]++;
    if (record.tag != CILKPROF_RECORD_SITE || reader->in_place == NULL)
      reader->storage_size += record_memory_bound(reader, &record);
  }
  if (reader->losses == NULL)
    return reader_fail(reader, reader->size, "the last record is missing: the file is truncated");
  reader->losses->end = 1;
  return 0;
}

/* Checks that the profile has the records that occur exactly once, and no second one of those that occur at most once.
   Live files and files that are recovered may lack some.  Returns 0, or -1 with the error filled in.  */
static int check_record_census(struct reader *reader, const struct census *census) {
  int live = reader->live != NULL || reader->live_samples != NULL;
  if ((live && census->of[CILKPROF_RECORD_SITE] > 0) ||
      (reader->live_samples != NULL &&
       census->of[CILKPROF_RECORD_OBJECT] + census->of[CILKPROF_RECORD_STACK] > 0)) /* these are in its pages */
    return reader_fail(reader, census->end, "a live file has records that only a finished profile has");
  if (live && census->of[CILKPROF_RECORD_PROGRAM] == 1 && census->of[CILKPROF_RECORD_RUN] == 1 &&
      census->of[CILKPROF_RECORD_TOTALS] == 0)
    return 0;
  if (reader->losses != NULL && census->of[CILKPROF_RECORD_PROGRAM] != 1)
    return reader_fail(reader, census->end, "the record of the program is lost: nothing can be recovered");
  if (reader->losses != NULL && census->of[CILKPROF_RECORD_RUN] <= 1 && census->of[CILKPROF_RECORD_TOTALS] <= 1)
    return 0;
  if (census->of[CILKPROF_RECORD_PROGRAM] != 1 || census->of[CILKPROF_RECORD_RUN] != 1 ||
      census->of[CILKPROF_RECORD_TOTALS] != 1)
    return reader_fail(reader, census->end,
                       "there must be exactly one record each of the program, the run and the totals");
  if (census->of[CILKPROF_RECORD_USAGE] > 1)
    return reader_fail(reader, census->end, "there is more than one usage record");
  if (census->of[CILKPROF_RECORD_WORKERS] > 1)
    return reader_fail(reader, census->end, "there is more than one record of a parallel run");
  if (census->of[CILKPROF_RECORD_TREE] > 1)
    return reader_fail(reader, census->end, "there is more than one task tree");
  if (census->of[CILKPROF_RECORD_SAMPLING] > 1 || census->of[CILKPROF_RECORD_TIMELINE] > 1)
    return reader_fail(reader, census->end, "there is more than one sampling record or timeline");
  return 0;
}

/* Walks through the profile for the second time: decodes the records that CENSUS counted, and checks the whole profile
   at the end.  Sites and regions must follow the program's record, because its flags decide which of their values are
   valid.  Returns 0, or -1 with the error filled in.  */
static int decode_all_records(struct reader *reader, const struct census *census) {
  struct cilkprof_profile *profile = reader->profile;
  profile->sites = reader->in_place != NULL
                       ? (void *)reader->in_place
                       : reader_allocate(reader, census->of[CILKPROF_RECORD_SITE] * sizeof *profile->sites);
  profile->objects = reader_allocate(reader, census->of[CILKPROF_RECORD_OBJECT] * sizeof *profile->objects);
  profile->loops = reader_allocate(reader, census->of[CILKPROF_RECORD_LOOP] * sizeof *profile->loops);
  profile->estimates = reader_allocate(reader, census->of[CILKPROF_RECORD_ESTIMATE] * sizeof *profile->estimates);
  profile->regions = reader_allocate(reader, census->of[CILKPROF_RECORD_REGION] * sizeof *profile->regions);
  profile->contexts = reader_allocate(reader, census->of[CILKPROF_RECORD_CONTEXT] * sizeof *profile->contexts);
  profile->whatifs = reader_allocate(reader, census->of[CILKPROF_RECORD_WHATIF] * sizeof *profile->whatifs);
  profile->stacks = reader_allocate(reader, census->of[CILKPROF_RECORD_STACK] * sizeof *profile->stacks);
  profile->stack_spans = reader_allocate(reader, census->of[CILKPROF_RECORD_STACK_SPAN] * sizeof *profile->stack_spans);
  profile->counters = reader_allocate(reader, census->of[CILKPROF_RECORD_COUNTERS] * sizeof *profile->counters);
  profile->threads = reader_allocate(reader, census->of[CILKPROF_RECORD_TRANSITIONS] * sizeof *profile->threads);
  allocate_decoded_roots(reader, census);
  struct record record = {0};
  for (size_t offset = sizeof(struct cilkprof_file_header); offset < census->end; offset = record.end) {
    if (read_or_skip_record(reader, offset, &record) != 0)
      return -1;
    record_note_passed(reader, &record);
    int of_samples = record.tag == CILKPROF_RECORD_STACK || record.tag == CILKPROF_RECORD_TIMELINE ||
                     record.tag == CILKPROF_RECORD_TRANSITIONS || record.tag == CILKPROF_RECORD_COUNTERS ||
                     record.tag == CILKPROF_RECORD_STACK_SPAN;
    if (record.state != RECORD_WHOLE)
      record_fill_lost(reader, census, &record);
    else if ((record.tag == CILKPROF_RECORD_SITE || record.tag == CILKPROF_RECORD_REGION) && profile->program.mode == 0)
      return reader_fail(reader, offset, "this record precedes that of the program");
    else if (of_samples && !profile->has_sampling && reader->losses == NULL)
      return reader_fail(reader, offset, "this record precedes that of the sampling");
    else if ((reader->losses != NULL ? record_recover : record_decode)(reader, &record) != 0)
      return -1;
  }
  if (reader->live != NULL && read_live_sites(reader) != 0)
    return -1;
  if (reader->live_samples != NULL)
    read_live_samples(reader);
  if (reader->losses != NULL)
    complete_recovered_profile(reader, census);
  const char *wrong = cilkprof_verify_profile(profile);
  if (wrong == NULL)
    wrong = verify_all_roots(profile);
  return wrong != NULL ? reader_fail(reader, census->end, "%s", wrong) : 0;
}

/* Reads the whole file of READER, which may be a live file, in two walks, into its profile.  With READER->losses,
   damaged records are skipped.  Returns 0, or -1 with the error filled in and nothing to free.  */
static int read_whole_profile(struct reader *reader) {
  struct census census = {.records = 0};
  struct live_file live;
  struct live_samples live_samples;
  struct cilkprof_profile *profile = reader->profile;
  memset(profile, 0, sizeof *profile);
  if (read_profile_header(reader) != 0) {
    if (reader->losses == NULL || reader->size < sizeof(struct cilkprof_file_header))
      return -1;
    reader->losses->header = 1; /* assume this version and byte order: otherwise no record is valid */
    reader->swap = 0;
  }
  if (check_all_records(reader, &census, &live, &live_samples) != 0 || check_record_census(reader, &census) != 0)
    return -1;
  if (reader->live != NULL) {
    reader->in_place = NULL; /* the sites of a live file are not in SITE records */
    census.of[CILKPROF_RECORD_SITE] = count_live_sites(reader);
    reader->storage_size += census.of[CILKPROF_RECORD_SITE] * sizeof(struct cilkprof_site);
  }
  if (reader->live_samples != NULL)
    reader->storage_size += live_samples_memory_bound(reader);
  if (reader->losses != NULL)
    reader->storage_size += census.of[CILKPROF_RECORD_OBJECT] *
                            sizeof(uint64_t); /* complete_recovered_profile may replace the load addresses */
  reader->checked = reader->losses == NULL;
  reader->looked_at = 0;
  reader->past_run = reader->past_objects = 0;
  profile->storage = cilkprof_large_pages(malloc(reader->storage_size + 1), reader->storage_size);
  if (profile->storage == NULL)
    return reader_fail(reader, 0, "out of memory");
  if (decode_all_records(reader, &census) != 0) {
    cilkprof_profile_free(profile);
    return -1;
  }
  return 0;
}

size_t cilkprof_first_profile_size(const void *bytes, size_t size) {
  struct cilkprof_profile profile;
  struct cilkprof_read_error error;
  struct reader reader = {.bytes = bytes, .size = size, .profile = &profile, .error = &error, .checked = 1};
  struct record record = {0};
  if (read_profile_header(&reader) != 0)
    return size;
  for (size_t offset = sizeof(struct cilkprof_file_header); offset < size; offset = record.end) {
    if (record_read(&reader, offset, &record) != 0)
      return size;
    if (record.tag != CILKPROF_RECORD_END)
      continue;
    size_t left = size - record.end, magic = sizeof CILKPROF_FILE_MAGIC - 1;
    return left >= magic && memcmp(reader.bytes + record.end, CILKPROF_FILE_MAGIC, magic) == 0 ? record.end : size;
  }
  return size;
}

int cilkprof_read(const void *bytes, size_t size, struct cilkprof_profile *profile, struct cilkprof_read_error *error) {
  struct reader reader = {.bytes = bytes, .size = size, .profile = profile, .error = error};
  return read_whole_profile(&reader);
}

int cilkprof_read_in_place(void *bytes, size_t size, struct cilkprof_profile *profile,
                           struct cilkprof_read_error *error) {
  struct reader reader = {.bytes = bytes, .size = size, .profile = profile, .error = error, .in_place = bytes};
  if (read_whole_profile(&reader) != 0) {
    free(bytes);
    return -1;
  }
  if (reader.in_place == NULL) {
    free(bytes);
    return 0;
  }
  void *sites = realloc(bytes, profile->site_count * sizeof *profile->sites + 1);
  profile->file = sites != NULL ? sites : bytes;
  profile->sites = profile->file;
  return 0;
}

int cilkprof_recover(const void *bytes, size_t size, struct cilkprof_profile *profile, struct cilkprof_losses *losses,
                     struct cilkprof_read_error *error) {
  struct reader reader = {.bytes = bytes, .size = size, .profile = profile, .error = error};
  memset(losses, 0, sizeof *losses);
  if (read_whole_profile(&reader) == 0)
    return 0;
  reader = (struct reader){.bytes = bytes,
                           .size = size,
                           .profile = profile,
                           .error = error,
                           .losses = losses,
                           .believed = SIZE_MAX,
                           .believed_stacks = SIZE_MAX};
  return read_whole_profile(&reader);
}

/* Frees the memory that PROFILE owns, which cilkprof_read, cilkprof_read_in_place or cilkprof_recover has filled in,
   and sets it to zeros.  */
void cilkprof_profile_free(struct cilkprof_profile *profile) {
  free(profile->storage);
  free(profile->file);
  memset(profile, 0, sizeof *profile);
}
