/* The interface between the files of the reader: read.c walks the records of a file, the others decode them.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_FMT_READER_H
#define CILKPROF_FMT_READER_H

#include "fmt/live.h"

struct reader {
  const uint8_t *bytes;
  size_t size;
  int swap;    /* the file has the other byte order */
  int checked; /* the checksums of all records have been verified */
  struct cilkprof_profile *profile;
  struct cilkprof_read_error *error;
  struct cilkprof_root next_root; /* its pointers are the memory for the parts of all roots */
  size_t storage_size, storage_used;
  uint8_t *in_place;                       /* equals BYTES if sites may be moved there, else NULL */
  const struct live_file *live;            /* NULL: not a live file of counters */
  const struct live_samples *live_samples; /* NULL: not a live file of samples */
  struct cilkprof_losses *losses;          /* NULL: a damaged file is rejected */
  size_t looked_at;                        /* bytes examined in the search for records after damaged ones */
  int past_run, past_objects;              /* the walk has passed the RUN record, all OBJECT records */
  int closed;                              /* close_objects has determined which objects are lost */
  size_t believed;                         /* only objects with a smaller index are certain; SIZE_MAX: all */
  size_t believed_stacks;                  /* only stacks with a smaller index are certain; SIZE_MAX: all */
};

struct live_file;
struct live_samples;

struct record {
  size_t offset, end;
  enum { RECORD_WHOLE, RECORD_LOST, RECORD_GAP } state; /* a gap is an unknown number of lost records */
  uint32_t tag;
  const uint8_t *payload;
  size_t length, taken; /* bytes of the payload, and those of them that have been decoded */
};

/* The number of records of each known tag in the file.  */
struct census {
  uint64_t records, of[CILKPROF_RECORD_TAGS], parts[4];
  size_t end; /* offset of the END record, or of the record that ends a live file */
};

/* read.c.  Reads the record at OFFSET, which must be inside the file, and verifies its checksum.  Returns 0, or -1 with
   the error filled in.  */
int record_read(struct reader *reader, size_t offset, struct record *record);

/* recover.c.  */
/* Skips the record at OFFSET, which record_read rejected.  */
void record_skip_damaged(struct reader *reader, size_t offset, struct record *record);
/* Count a lost RECORD in the first walk, and fill its place in the second.  */
void record_count_lost(struct reader *reader, struct census *census, const struct record *record);
void record_fill_lost(struct reader *reader, const struct census *census, const struct record *record);
/* Notes that the walk has passed RECORD.  Both walks call it for each record.  */
void record_note_passed(struct reader *reader, const struct record *record);
/* Decodes RECORD as record_decode does, but omits it if it is not valid.  */
int record_recover(struct reader *reader, struct record *record);
/* Removes or replaces what the losses make unusable, at the end of the second walk.  */
void complete_recovered_profile(struct reader *reader, const struct census *census);

/* live.c.  A live file ends with a LIVE record and pages with the records of the sites.  */
struct live_file {
  const uint8_t *chunks, *ranges; /* in the file, with its byte order */
  uint64_t chunk_count, range_count, first_site, record_size;
  uint64_t fields[10]; /* offsets of fields in a record, in the order of struct cilkprof_live_payload */
  uint64_t spawn, leaf;
};
int read_live_header(struct reader *reader, struct record *record, struct live_file *live);
size_t count_live_sites(struct reader *reader); /* returns the number of sites */
int read_live_sites(struct reader *reader);

/* tree.c.  */
int decode_tree_record(struct reader *reader, struct record *record);

/* live-samples.c.  The live file of a sampled run.  */
struct live_samples {
  struct cilkprof_live_samples_payload at;
  uint64_t object_count, node_count;
};
int read_live_samples_header(struct reader *reader, struct record *record, struct live_samples *live);
size_t live_samples_memory_bound(const struct reader *reader);
void read_live_samples(struct reader *reader);

/* decode.c.  Functions that return an int return 0, or -1 with the error filled in.  */
int record_decode(struct reader *reader, struct record *record);
/* Returns an upper bound of the memory for the contents of RECORD.  */
size_t record_memory_bound(const struct reader *reader, const struct record *record);
int record_take_context(struct reader *reader, struct record *record, struct cilkprof_context *context);
int record_take_whatif(struct reader *reader, struct record *record, struct cilkprof_whatif *whatif);

/* take.c.  */
__attribute__((format(printf, 3, 4))) int reader_fail(struct reader *reader, size_t offset, const char *format, ...);
/* Copy the whole payload, which must have SIZE bytes; the next SIZE bytes of it; its next string.  */
int record_take_whole(struct reader *reader, struct record *record, void *to, size_t size);
int record_take_bytes(struct reader *reader, struct record *record, void *to, size_t size);
int record_take_string(struct reader *reader, struct record *record, const uint8_t **string, uint32_t *length);
int record_take_text(struct reader *reader, struct record *record, const char **text);
/* Fails with the message WRONG unless it is NULL.  */
int record_fail_if_wrong(struct reader *reader, const struct record *record, const char *wrong);

/* roots.c.  */
enum part { PART_SITE, PART_CONTEXT, PART_WHATIF, PART_UNKNOWN };
/* Returns the kind of data in a PART record.  */
enum part root_part_of_record(const struct reader *reader, const struct record *record);
size_t root_part_memory_bound(const struct reader *reader, const struct record *record);
void allocate_decoded_roots(struct reader *reader, const struct census *census);
int decode_root_record(struct reader *reader, struct record *record);
int decode_part_record(struct reader *reader, struct record *record);
const char *verify_all_roots(const struct cilkprof_profile *profile);

/* take.c.  Returns SIZE bytes of the profile's storage; never NULL.  */
void *reader_allocate(struct reader *reader, size_t size);
/* Convert integers of the file to the byte order of this machine.  */
uint32_t file_to_host_order32(const struct reader *reader, uint32_t value);
void file_to_host_order64(const struct reader *reader, void *values, size_t count);

#endif
