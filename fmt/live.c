/* Reads a live file.  Nothing in the file is trusted, and its pages may belong to a process that still runs.
   SPDX-License-Identifier: MIT  */

#include <string.h>
#include "fmt/live.h"
#include "fmt/reader.h"
#include "fmt/verify.h"

enum { MOST_CHUNKS = 1024 }; /* each record is searched for in all of them */

/* The fields of a site's record, in the order of struct cilkprof_live_payload.  */
enum { NEXT, DESCRIPTION, CALLEE, FLAGS, COUNT, LOCAL_WORK, LOCAL_LOST, LOCAL_BURDEN_LOST, TOP_CALL_SITE, TOP_CALLER };
_Static_assert(sizeof(struct cilkprof_live_payload) == 16 * 8, "the payload has no holes");

static uint64_t word_at(const struct reader *reader, const uint8_t *at) {
  uint64_t word;
  memcpy(&word, at, sizeof word);
  reader_order64(reader, &word, 1);
  return word;
}

static int check_fields(struct reader *reader, const struct record *record, const struct live_file *live) {
  for (int i = 0; i <= TOP_CALLER; i++) {
    size_t size = i >= TOP_CALL_SITE ? sizeof(struct cilkprof_measure) : sizeof(uint64_t);
    if (live->record_size < size || live->fields[i] > live->record_size - size)
      return reader_fail(reader, record->offset, "a field lies outside of its record");
  }
  if (live->first_site > reader->size || reader->size - live->first_site < sizeof(uint64_t))
    return reader_fail(reader, record->offset, "the pages behind this record are missing: the file was cut short");
  return 0;
}

int live_open(struct reader *reader, struct record *record, struct live_file *live) {
  struct cilkprof_live_payload payload;
  size_t fixed = sizeof payload, left = record->length - fixed;
  if (record->length < fixed)
    return reader_fail(reader, record->offset, "this record has the wrong length");
  memcpy(&payload, record->payload, fixed);
  reader_order64(reader, &payload, fixed / sizeof(uint64_t));
  size_t chunk = sizeof(struct cilkprof_live_chunk), range = sizeof(struct cilkprof_live_range);
  if (payload.chunk_count > MOST_CHUNKS || payload.chunk_count > left / chunk || payload.range_count > left / range ||
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
  return check_fields(reader, record, live);
}

/* Returns the record that was at ADDRESS in the process, or NULL if the file does not have it.  */
static const uint8_t *record_at(const struct reader *reader, uint64_t address) {
  const struct live_file *live = reader->live;
  for (uint64_t i = 0; i < live->chunk_count; i++) {
    const uint8_t *chunk = live->chunks + i * sizeof(struct cilkprof_live_chunk);
    uint64_t start = word_at(reader, chunk), size = word_at(reader, chunk + 8), offset = word_at(reader, chunk + 16);
    if (offset == 0 || address < start || address - start >= size || offset > reader->size ||
        size > reader->size - offset || size - (address - start) < live->record_size)
      continue;
    return reader->bytes + offset + (address - start);
  }
  return NULL;
}

static uint64_t field(const struct reader *reader, const uint8_t *record, int which) {
  return word_at(reader, record + reader->live->fields[which]);
}

/* Returns the number of sites.  The linked list may contain a cycle, so the number is at most that of the records that
   fit into the file.  */
size_t live_count(struct reader *reader) {
  size_t count = 0, most = reader->size / reader->live->record_size;
  uint64_t address = word_at(reader, reader->bytes + reader->live->first_site);
  for (const uint8_t *record; count < most && (record = record_at(reader, address)) != NULL; count++)
    address = field(reader, record, NEXT);
  return count;
}

/* Returns the index of the object that contains ADDRESS, or CILKPROF_NO_OBJECT, and sets *PLACE to the address in the
   object's file.  */
static uint32_t object_of(const struct reader *reader, uint64_t address, uint64_t *place) {
  const struct cilkprof_profile *profile = reader->profile;
  if (address & CILKPROF_LIVE_PLACE_MARK) {
    *place = address & (((uint64_t)1 << CILKPROF_LIVE_PLACE_SHIFT) - 1);
    address = (address & ~CILKPROF_LIVE_PLACE_MARK) >> CILKPROF_LIVE_PLACE_SHIFT;
    return address < profile->object_count ? (uint32_t)address : CILKPROF_NO_OBJECT;
  }
  for (uint32_t i = 0; i < reader->live->range_count && i < profile->object_count && i < profile->run.load_count; i++) {
    const uint8_t *range = reader->live->ranges + i * sizeof(struct cilkprof_live_range);
    if (address < word_at(reader, range) || address >= word_at(reader, range + 8))
      continue;
    *place = address - profile->run.load_addresses[i];
    return i;
  }
  return CILKPROF_NO_OBJECT;
}

static struct cilkprof_measure measure_at(const struct reader *reader, const uint8_t *record, int which) {
  struct cilkprof_measure measure;
  memcpy(&measure, record + reader->live->fields[which], sizeof measure);
  reader_order64(reader, &measure, sizeof measure / sizeof(uint64_t));
  return measure;
}

/* Returns ALL - PART, or 0 if that is negative, as it may be if the process was changing the record.  */
static uint64_t difference_or_zero(uint64_t all, uint64_t part) {
  return all > part ? all - part : 0;
}

static struct cilkprof_measure local_at(const struct reader *reader, const uint8_t *record) {
  uint64_t work = field(reader, record, LOCAL_WORK);
  return (struct cilkprof_measure){field(reader, record, COUNT), work,
                                   difference_or_zero(work, field(reader, record, LOCAL_LOST)),
                                   work - field(reader, record, LOCAL_BURDEN_LOST)};
}

/* Returns the measure of invocations without parallelism.  */
static struct cilkprof_measure serial_measure(uint64_t count, uint64_t work) {
  return (struct cilkprof_measure){count, work, work, work};
}

/* Sets the on-work values of a site.  The record of a leaf has only its local values and, in the field TOP_CALLER,
   those of the invocations that are not top-caller invocations; its totals follow from these.  */
static void fill_totals(const struct reader *reader, const uint8_t *record, struct cilkprof_measures *on_work) {
  on_work->local = local_at(reader, record);
  on_work->top_call_site = measure_at(reader, record, TOP_CALL_SITE);
  on_work->top_caller = measure_at(reader, record, TOP_CALLER);
  if (field(reader, record, FLAGS) & reader->live->leaf) {
    const struct cilkprof_measure *all = &on_work->local, *others = &on_work->top_caller;
    on_work->top_call_site = serial_measure(all->count, all->work);
    on_work->top_caller =
        serial_measure(difference_or_zero(all->count, others->count), difference_or_zero(all->work, others->work));
  }
}

/* Adds the sites to the profile, in the order in which they were first reached.  A callee in no known object stays
   without a name, and a site whose description is in none is left out.  */
int live_fill(struct reader *reader) {
  struct cilkprof_profile *profile = reader->profile;
  uint64_t address = word_at(reader, reader->bytes + reader->live->first_site);
  size_t count = live_count(reader);
  profile->program.flags |= CILKPROF_INCOMPLETE | CILKPROF_NO_ON_SPAN | CILKPROF_FROM_LIVE;
  for (size_t i = 0; i < count; i++) {
    const uint8_t *record = record_at(reader, address);
    struct cilkprof_site *site = &profile->sites[profile->site_count];
    memset(site, 0, sizeof *site);
    site->object = object_of(reader, field(reader, record, DESCRIPTION), &site->description);
    site->callee_object = CILKPROF_NO_OBJECT;
    if (field(reader, record, CALLEE) != 0)
      site->callee_object = object_of(reader, field(reader, record, CALLEE), &site->callee);
    fill_totals(reader, record, &site->on_work);
    cilkprof_add(&profile->totals.work, site->on_work.local.work, &profile->program.flags);
    if (field(reader, record, FLAGS) & reader->live->spawn)
      cilkprof_add(&profile->totals.spawns, site->on_work.local.count, &profile->program.flags);
    if (site->object != CILKPROF_NO_OBJECT)
      profile->site_count++;
    address = field(reader, record, NEXT);
  }
  return 0;
}
