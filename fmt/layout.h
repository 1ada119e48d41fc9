/* The binary layout of a cilkprof.out file.
   SPDX-License-Identifier: MIT

   The file is a header and records; the last record is CILKPROF_RECORD_END.  Integers have the byte order of the
   machine that wrote the file, which the header states.  Every record starts at a multiple of 8 bytes: payloads are
   padded with zeros.

     PROGRAM  struct cilkprof_program_payload, then argc strings
     RUN      struct cilkprof_run_payload, then load_count integers of 64 bits
     OBJECT   the path as a string, the build-id as a string of bytes
     TOTALS   struct cilkprof_totals
     SITE     struct cilkprof_site
     LOOP     struct cilkprof_loop
     ESTIMATE struct cilkprof_estimate
     REGION   struct cilkprof_region_payload, then the label as a string
     CONTEXT  struct cilkprof_context
     WHATIF   struct cilkprof_whatif_payload, then the candidate as a string
     USAGE    struct cilkprof_usage_record
     WORKERS  struct cilkprof_workers
     TREE     struct cilkprof_tree_payload, the nodes, their children, with CILKPROF_TREE_COUNTED the number of
              counts and the counts, then the names as strings
     SAMPLING struct cilkprof_sampling
     STACK    struct cilkprof_stack
     STACK_SPAN struct cilkprof_stack_span
     COUNTERS struct cilkprof_counters
     TIMELINE struct cilkprof_timeline_payload, then thread_count times bucket_count integers of 64 bits
     TRANSITIONS struct cilkprof_transitions_payload, then count times struct cilkprof_transition; one for each thread
     LIVE     struct cilkprof_live_payload, the chunks, the ranges; only in a live file
     ROOT     struct cilkprof_root_payload, then the name as a string
     PART     a part of the last root before it: a tag in 64 bits, then for SITE struct cilkprof_root_site, for
              CONTEXT and WHATIF the payload of that record
     LIVE_SAMPLES struct cilkprof_live_samples_payload; only in a live file
     END      the number of records before it, 64 bits

   A string is its length in 32 bits, then its bytes, without a zero at its end and without padding.

   PROGRAM, RUN and TOTALS occur exactly once in a file; USAGE, WORKERS, SAMPLING, TIMELINE and TREE occur at most once.
   PROGRAM precedes the sites.  An object precedes the sites and stacks that refer to it, a site precedes the loops,
   estimates and contexts that refer to it, and a parent its contexts; SAMPLING and a parent precede the stacks, which
   precede the transitions, and the spans and counters, which are in the order of their stacks. Roots follow everything
   else, each before its parts.  A reader skips tags that it does not know: new kinds of data get new tags, and the
   meaning of the records above never changes within a version.  */

#ifndef CILKPROF_FMT_LAYOUT_H
#define CILKPROF_FMT_LAYOUT_H

#include "fmt/profile.h"

#define CILKPROF_FILE_MAGIC   "cilkprof" /* 8 bytes, without a zero at the end */
#define CILKPROF_FILE_ORDER   0x01020304U
#define CILKPROF_FILE_VERSION 1U

/* The maximum length of a path, an argument or a build-id; the writer truncates longer ones.  */
#define CILKPROF_STRING_LIMIT (1U << 20)

struct cilkprof_file_header {
  char magic[8];
  uint32_t order;
  uint32_t version;
  uint32_t checksum; /* of the 16 bytes before it */
  uint32_t zero;
};

enum cilkprof_record_tag {
  CILKPROF_RECORD_PROGRAM = 1,
  CILKPROF_RECORD_RUN = 2,
  CILKPROF_RECORD_OBJECT = 3,
  CILKPROF_RECORD_TOTALS = 4,
  CILKPROF_RECORD_SITE = 5,
  CILKPROF_RECORD_END = 6,
  CILKPROF_RECORD_REGION = 7,
  CILKPROF_RECORD_CONTEXT = 8,
  CILKPROF_RECORD_WHATIF = 9,
  CILKPROF_RECORD_LIVE = 10, /* live.h */
  CILKPROF_RECORD_USAGE = 11,
  CILKPROF_RECORD_SAMPLING = 12,
  CILKPROF_RECORD_STACK = 13,
  CILKPROF_RECORD_TIMELINE = 14,
  CILKPROF_RECORD_TREE = 15,
  CILKPROF_RECORD_ROOT = 16,
  CILKPROF_RECORD_PART = 17,
  CILKPROF_RECORD_LIVE_SAMPLES = 20, /* live.h */
  CILKPROF_RECORD_LOOP = 21,
  CILKPROF_RECORD_TRANSITIONS = 22,
  CILKPROF_RECORD_ESTIMATE = 23,
  CILKPROF_RECORD_COUNTERS = 24,
  CILKPROF_RECORD_WORKERS = 25,
  CILKPROF_RECORD_STACK_SPAN = 26,
  CILKPROF_RECORD_TAGS /* one more than the largest tag */
};

struct cilkprof_record_header {
  uint32_t tag;
  uint32_t checksum; /* of the tag, the length and the payload without its padding */
  uint64_t length;   /* of the payload without its padding */
};

struct cilkprof_program_payload {
  uint32_t mode, argc;
  uint64_t flags, burden, loop_workers;
};

struct cilkprof_run_payload {
  uint64_t pid, start_ns, elapsed_ns, units_per_second, burden_units, timer_hz, timer_cost;
  uint64_t preempted_strands, preempted_units;
  uint64_t load_count;
};

struct cilkprof_region_payload {
  uint64_t kind;
  struct cilkprof_measure total;
};

struct cilkprof_timeline_payload {
  uint64_t bucket_ns, thread_count, bucket_count;
};

struct cilkprof_transitions_payload {
  uint64_t dropped, count;
};

struct cilkprof_whatif_payload {
  uint64_t faster, count, work, span;
};

struct cilkprof_tree_payload {
  uint64_t flags, units_per_second, tolerance;
  uint64_t node_count, child_count, name_count;
};

struct cilkprof_root_payload {
  uint64_t kind, invocations;
  struct cilkprof_totals totals;
  struct cilkprof_measure own;
};

/* Sites are most of a large file, so they and other structures are written as they are in memory.  */
_Static_assert(sizeof(struct cilkprof_file_header) == 24, "the header has no holes");
_Static_assert(sizeof(struct cilkprof_record_header) == 16, "the record header has no holes");
_Static_assert(sizeof(struct cilkprof_site) == 2 * 4 + 26 * 8, "a site has no holes");
_Static_assert(sizeof(struct cilkprof_loop) == 19 * 8, "a loop has no holes");
_Static_assert(sizeof(struct cilkprof_estimate) == 5 * 8, "an estimate has no holes");
_Static_assert(sizeof(struct cilkprof_context) == 2 * 4 + 8 * 8, "a context has no holes");
_Static_assert(sizeof(struct cilkprof_sampling) == 13 * 8, "the sampling has no holes");
_Static_assert(sizeof(struct cilkprof_stack) == 2 * 4 + 6 * 8, "a stack has no holes");
_Static_assert(sizeof(struct cilkprof_stack_span) == 3 * 8, "what is on the span has no holes");
_Static_assert(sizeof(struct cilkprof_counters) == 5 * 8, "counters have no holes");
_Static_assert(sizeof(struct cilkprof_transition) == 2 * 8 + 4 * 4, "a transition has no holes");
_Static_assert(sizeof(struct cilkprof_region_payload) == 5 * 8, "a region has no holes");
_Static_assert(sizeof(struct cilkprof_usage_record) == 12 * 8, "the usage has no holes");
_Static_assert(sizeof(struct cilkprof_workers) == 4 * 8, "the workers have no holes");
_Static_assert(sizeof(struct cilkprof_tree_node) == 6 * 8, "a node has no holes");
_Static_assert(sizeof(struct cilkprof_tree_child) == 3 * 8, "a child has no holes");
_Static_assert(sizeof(struct cilkprof_tree_counts) == 6 * 8, "counts have no holes");
_Static_assert(sizeof(struct cilkprof_root_payload) == 11 * 8, "a root has no holes");
_Static_assert(sizeof(struct cilkprof_root_site) == 26 * 8, "a root's site has no holes");
_Static_assert(sizeof(struct cilkprof_totals) == 5 * 8, "the totals have no holes");

/* Returns the number of bytes that pad LENGTH to a multiple of 8.  */
static inline uint64_t cilkprof_padding(uint64_t length) {
  return -length & 7;
}

/* Returns the CRC-32 (as in gzip) of the bytes so far, whose CRC-32 is CHECKSUM, and SIZE more BYTES.  The first call
   passes 0 as CHECKSUM.  */
uint32_t cilkprof_checksum(uint32_t checksum, const void *bytes, size_t size);

#endif
