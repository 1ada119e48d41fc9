/* What the two halves of the reader share: read.c walks the records of a file, decode.c fills in what they hold.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_FMT_READER_H
#define CILKPROF_FMT_READER_H

#include "fmt/live.h"

struct reader {
  const uint8_t *bytes;
  size_t size;
  int swap;    /* the file has the other byte order */
  int checked; /* every record has been found to be whole */
  struct cilkprof_profile *profile;
  struct cilkprof_read_error *error;
  struct cilkprof_root next_root; /* has the memory for the parts of roots */
  size_t storage_size, storage_used;
  uint8_t *in_place;                       /* the same as BYTES where the sites may take their place; else NULL */
  const struct live_file *live;            /* NULL: it is no live file */
  const struct live_samples *live_samples; /* NULL: it is none of samples */
  struct cilkprof_losses *losses;          /* NULL: a file with any damage is refused */
  size_t looked_at;                        /* bytes, where records were looked for behind a damaged one */
  int past_run, past_objects;              /* what has been passed: the record of the run, all those of objects */
  int closed;                              /* it is known which objects are lost */
  size_t believed;                         /* objects before the first of which nothing is known; SIZE_MAX: all */
  size_t believed_stacks;                  /* likewise */
};

struct live_file;
struct live_samples;

struct record {
  size_t offset, end;
  enum { RECORD_WHOLE, RECORD_LOST, RECORD_GAP } state; /* a gap is an unknown number of lost records */
  uint32_t tag;
  const uint8_t *payload;
  size_t length, taken; /* of the payload: all of it, and what has been decoded */
};

/* How many records of each known tag the file has.  */
struct census {
  uint64_t records, of[CILKPROF_RECORD_TAGS], parts[4];
  size_t end; /* offset of the END record */
};

/* read.c.  Reads the record at OFFSET, which lies inside the file, and checks it.  */
int record_read(struct reader *reader, size_t offset, struct record *record);

/* recover.c.  */
void record_skip(struct reader *reader, size_t offset, struct record *record); /* one that record_read refuses */
void record_count_lost(struct reader *reader, struct census *census, const struct record *record);
void record_fill_lost(struct reader *reader, const struct census *census, const struct record *record);
void record_passed(struct reader *reader, const struct record *record); /* in both walks, after each record */
int record_recover(struct reader *reader,
                   struct record *record); /* as record_decode, but it may leave the record out */
void profile_complete(struct reader *reader, const struct census *census);

/* live.c.  A live file ends with its LIVE record, and pages whose records are the sites.  */
struct live_file {
  const uint8_t *chunks, *ranges; /* as they are in the file */
  uint64_t chunk_count, range_count, first_site, record_size;
  uint64_t fields[10]; /* where in a record things are, in the order of the payload */
  uint64_t spawn, leaf;
};
int live_open(struct reader *reader, struct record *record, struct live_file *live);
size_t live_count(struct reader *reader); /* of the sites */
int live_fill(struct reader *reader);

/* tree.c */
int decode_tree(struct reader *reader, struct record *record);

/* live-samples.c.  The same of a run that is sampled.  */
struct live_samples {
  struct cilkprof_live_samples_payload at;
  uint64_t object_count, node_count;
};
int live_samples_open(struct reader *reader, struct record *record, struct live_samples *live);
size_t live_samples_storage(const struct reader *reader);
void live_samples_fill(struct reader *reader);

/* decode.c.  Each returns 0, or -1 with the error filled in.  */
__attribute__((format(printf, 3, 4))) int reader_fail(struct reader *reader, size_t offset, const char *format, ...);
int record_take_all(struct reader *reader, struct record *record, void *to, size_t size);
int record_take(struct reader *reader, struct record *record, void *to, size_t size); /* some of the payload */
int record_take_text(struct reader *reader, struct record *record, const char **text);
int record_decode(struct reader *reader, struct record *record);
/* An upper bound of the memory for what a record holds.  */
size_t record_storage(const struct reader *reader, const struct record *record);
int record_take(struct reader *reader, struct record *record, void *to, size_t size); /* copies some of the payload */
int record_take_text(struct reader *reader, struct record *record, const char **text);
int record_take_context(struct reader *reader, struct record *record, struct cilkprof_context *context);
int record_take_whatif(struct reader *reader, struct record *record, struct cilkprof_whatif *whatif);
int record_check(struct reader *reader, const struct record *record, const char *wrong);

/* roots.c.  */
enum part { PART_SITE, PART_CONTEXT, PART_WHATIF, PART_UNKNOWN };
enum part part_of(const struct reader *reader, const struct record *record);
size_t part_storage(const struct reader *reader, const struct record *record);
void roots_allocate(struct reader *reader, const struct census *census);
int record_decode_root(struct reader *reader, struct record *record);
int record_decode_part(struct reader *reader, struct record *record);
const char *roots_verify(const struct cilkprof_profile *profile);

void *reader_allocate(struct reader *reader, size_t size);
uint32_t reader_order32(const struct reader *reader, uint32_t value);
void reader_order64(const struct reader *reader, void *values, size_t count);

#endif
