/* Reads a live file.  Nothing in the file is trusted, and its pages may belong to a process that still runs.
   SPDX-License-Identifier: MIT  */

#include <string.h>
#include "fmt/live.h"
#include "fmt/reader.h"
#include "fmt/verify.h"

enum { MAX_CHUNKS = 1024 }; /* each record is searched for in all of them */

/* The fields of a site's record, in the order of struct cilkprof_live_payload.  */
enum { NEXT, DESCRIPTION, CALLEE, FLAGS, COUNT, LOCAL_WORK, LOCAL_LOST, LOCAL_BURDEN_LOST, TOP_CALL_SITE, TOP_CALLER };
_Static_assert(sizeof(struct cilkprof_live_payload) == 16 * 8, "the payload has no holes");

/* Returns the 64-bit integer at AT, which points into the live file, in the byte order of this machine.  */
static uint64_t read_live_word(const struct reader *reader, const uint8_t *at) {
  uint64_t word;
  memcpy(&word, at, sizeof word);
  file_to_host_order64(reader, &word, 1);
  return word;
}

/* Checks that every field that LIVE describes lies inside the record of a site, and that the file has the address of
   the first site.  RECORD is where LIVE comes from.  Returns 0, or -1 with the error filled in.  */
static int check_live_fields(struct reader *reader, const struct record *record, const struct live_file *live) {
  for (int i = 0; i <= TOP_CALLER; i++) {
    size_t size = i >= TOP_CALL_SITE ? sizeof(struct cilkprof_measure) : sizeof(uint64_t);
    if (live->record_size < size || live->fields[i] > live->record_size - size)
      return reader_fail(reader, record->offset, "a field extends beyond its record");
  }
  if (live->first_site > reader->size || reader->size - live->first_site < sizeof(uint64_t))
    return reader_fail(reader, record->offset, "the pages after this record are missing: the file is truncated");
  return 0;
}

/* Decodes RECORD, the LIVE record at the end of the records of a live file, into *LIVE, and makes it that of READER.
   Returns 0, or -1 with the error filled in if the record or what it describes is not valid.  */
int read_live_header(struct reader *reader, struct record *record, struct live_file *live) {
  struct cilkprof_live_payload payload;
  size_t fixed = sizeof payload, left = record->length - fixed;
  if (record->length < fixed)
    return reader_fail(reader, record->offset, "this record has the wrong length");
  memcpy(&payload, record->payload, fixed);
  file_to_host_order64(reader, &payload, fixed / sizeof(uint64_t));
  size_t chunk = sizeof(struct cilkprof_live_chunk), range = sizeof(struct cilkprof_live_range);
  if (payload.chunk_count > MAX_CHUNKS || payload.chunk_count > left / chunk || payload.range_count > left / range ||
      payload.chunk_count * chunk + payload.range_count * range != left)
    return reader_fail(reader, record->offset, "this record has the wrong length");
  *live = (struct live_file){
      .chunks = record->payload + fixed,
      .ranges = record->payload + fixed + payload.chunk_count * chunk,
      .chunk_count = payload.chunk_count,
      .range_count = payload.range_count,
      .first_site = payload.first_site,
      .record_size = payload.record_size,
      .spawn = payload.spawn,
      .leaf = payload.leaf,
  };
  memcpy(live->fields, &payload.next, sizeof live->fields);
  reader->live = live;
  return check_live_fields(reader, record, live);
}

/* Returns the site's record that was at ADDRESS in the process, inside the live file; NULL if the file does not have
   it.  */
static const uint8_t *find_live_record(const struct reader *reader, uint64_t address) {
  const struct live_file *live = reader->live;
  for (uint64_t i = 0; i < live->chunk_count; i++) {
    const uint8_t *chunk = live->chunks + i * sizeof(struct cilkprof_live_chunk);
    uint64_t start = read_live_word(reader, chunk), size = read_live_word(reader, chunk + 8),
             offset = read_live_word(reader, chunk + 16);
    if (offset == 0 || address < start || address - start >= size || offset > reader->size ||
        size > reader->size - offset || size - (address - start) < live->record_size)
      continue;
    return reader->bytes + offset + (address - start);
  }
  return NULL;
}

/* Returns field WHICH of RECORD, the record of a site in a live file.  WHICH is one of NEXT to LOCAL_BURDEN_LOST.  */
static uint64_t read_live_field(const struct reader *reader, const uint8_t *record, int which) {
  return read_live_word(reader, record + reader->live->fields[which]);
}

/* Returns the number of sites in the live file.  The linked list may contain a cycle, so the number is at most that of
   the records that fit into the file.  */
size_t count_live_sites(struct reader *reader) {
  size_t count = 0, most = reader->size / reader->live->record_size;
  uint64_t address = read_live_word(reader, reader->bytes + reader->live->first_site);
  for (const uint8_t *record; count < most && (record = find_live_record(reader, address)) != NULL; count++)
    address = read_live_field(reader, record, NEXT);
  return count;
}

/* Returns the index of the object that contains ADDRESS, an address in the process that left the live file, and sets
   *PLACE to the address in the object's file.  Returns CILKPROF_NO_OBJECT if no known object contains it.  */
static uint32_t find_live_object(const struct reader *reader, uint64_t address, uint64_t *place) {
  const struct cilkprof_profile *profile = reader->profile;
  if (address & CILKPROF_LIVE_PLACE_MARK) {
    *place = address & (((uint64_t)1 << CILKPROF_LIVE_PLACE_SHIFT) - 1);
    address = (address & ~CILKPROF_LIVE_PLACE_MARK) >> CILKPROF_LIVE_PLACE_SHIFT;
    return address < profile->object_count ? (uint32_t)address : CILKPROF_NO_OBJECT;
  }
  for (uint32_t i = 0; i < reader->live->range_count && i < profile->object_count && i < profile->run.load_count; i++) {
    const uint8_t *range = reader->live->ranges + i * sizeof(struct cilkprof_live_range);
    if (address < read_live_word(reader, range) || address >= read_live_word(reader, range + 8))
      continue;
    *place = address - profile->run.load_addresses[i];
    return i;
  }
  return CILKPROF_NO_OBJECT;
}

/* Returns the totals in field WHICH of RECORD, the record of a site in a live file: TOP_CALL_SITE or TOP_CALLER.  */
static struct cilkprof_measure read_live_measure(const struct reader *reader, const uint8_t *record, int which) {
  struct cilkprof_measure measure;
  memcpy(&measure, record + reader->live->fields[which], sizeof measure);
  file_to_host_order64(reader, &measure, sizeof measure / sizeof(uint64_t));
  return measure;
}

/* Returns ALL - PART, or 0 if that is negative, as it may be if the process was changing the record when it was
   killed.  */
static uint64_t live_difference_or_zero(uint64_t all, uint64_t part) {
  return all > part ? all - part : 0;
}

/* Returns the local values in RECORD, the record of a site in a live file.  The process stores how much of the local
   work is not on the span, instead of the span.  */
static struct cilkprof_measure read_live_local_measure(const struct reader *reader, const uint8_t *record) {
  uint64_t work = read_live_field(reader, record, LOCAL_WORK);
  return (struct cilkprof_measure){read_live_field(reader, record, COUNT), work,
                                   live_difference_or_zero(work, read_live_field(reader, record, LOCAL_LOST)),
                                   work - read_live_field(reader, record, LOCAL_BURDEN_LOST)};
}

/* Returns the values of COUNT invocations without parallelism: their span and burdened span are their WORK.  */
static struct cilkprof_measure serial_live_measure(uint64_t count, uint64_t work) {
  return (struct cilkprof_measure){count, work, work, work};
}

/* Sets *ON_WORK to the on-work values of the site whose record in the live file is RECORD.  The record of a leaf has
   only its local values and, in the field TOP_CALLER, those of the invocations that are not top-caller invocations; its
   totals follow from these.  */
static void read_live_on_work(const struct reader *reader, const uint8_t *record, struct cilkprof_measures *on_work) {
  on_work->local = read_live_local_measure(reader, record);
  on_work->top_call_site = read_live_measure(reader, record, TOP_CALL_SITE);
  on_work->top_caller = read_live_measure(reader, record, TOP_CALLER);
  if (read_live_field(reader, record, FLAGS) & reader->live->leaf) {
    const struct cilkprof_measure *all = &on_work->local, *others = &on_work->top_caller;
    on_work->top_call_site = serial_live_measure(all->count, all->work);
    on_work->top_caller = serial_live_measure(live_difference_or_zero(all->count, others->count),
                                              live_difference_or_zero(all->work, others->work));
  }
}

/* Adds the sites in the pages of a live file to the profile, in the order in which they were first reached, and sums up
   work and spawns.  A callee in no known object stays without a name, and a site whose description is in none is left
   out.  Returns 0.  */
int read_live_sites(struct reader *reader) {
  struct cilkprof_profile *profile = reader->profile;
  uint64_t address = read_live_word(reader, reader->bytes + reader->live->first_site);
  size_t count = count_live_sites(reader);
  profile->program.flags |= CILKPROF_INCOMPLETE | CILKPROF_NO_ON_SPAN | CILKPROF_FROM_LIVE;
  for (size_t i = 0; i < count; i++) {
    const uint8_t *record = find_live_record(reader, address);
    struct cilkprof_site *site = &profile->sites[profile->site_count];
    memset(site, 0, sizeof *site);
    site->object = find_live_object(reader, read_live_field(reader, record, DESCRIPTION), &site->description);
    site->callee_object = CILKPROF_NO_OBJECT;
    if (read_live_field(reader, record, CALLEE) != 0)
      site->callee_object = find_live_object(reader, read_live_field(reader, record, CALLEE), &site->callee);
    read_live_on_work(reader, record, &site->on_work);
    cilkprof_add(&profile->totals.work, site->on_work.local.work, &profile->program.flags);
    if (read_live_field(reader, record, FLAGS) & reader->live->spawn)
      cilkprof_add(&profile->totals.spawns, site->on_work.local.count, &profile->program.flags);
    if (site->object != CILKPROF_NO_OBJECT)
      profile->site_count++;
    address = read_live_field(reader, record, NEXT);
  }
  return 0;
}
