/* The last record of a live file (cilkprof.out.PID.live), which describes the pages that follow.
   SPDX-License-Identifier: MIT

   A live file begins like a profile, with PROGRAM, RUN and OBJECT records.  LIVE is its last record.  The pages in
   which the program kept its counters follow, without a checksum, as they were when the program ended.  */

#ifndef CILKPROF_FMT_LIVE_H
#define CILKPROF_FMT_LIVE_H

#include "fmt/layout.h"

/* The chunks, and a range for every object, follow this structure.  */
struct cilkprof_live_payload {
  uint64_t first_site;  /* offset in the file of the address of the first site's record */
  uint64_t record_size; /* of a site; the next members are offsets of its fields */
  uint64_t next, description, callee, flags, count, local_work, local_off_span, local_off_burdened_span;
  uint64_t top_call_site, top_caller; /* count, work, span, burdened span */
  uint64_t spawn;                     /* bit of the flags: the call is spawned */
  uint64_t leaf; /* bit of the flags: the callee is a leaf; top_caller has count and work of all other invocations */
  uint64_t chunk_count, range_count;
};

struct cilkprof_live_chunk {
  uint64_t address, size, offset; /* ADDRESS in memory, OFFSET in the file; OFFSET 0: the file does not have it */
};

/* The addresses of an object in memory.  */
struct cilkprof_live_range {
  uint64_t low, high;
};

/* An address in a library that was unloaded has this bit set, the object's index from bit 54 on, and the address in the
   object's file below it.  */
#define CILKPROF_LIVE_PLACE_MARK  ((uint64_t)1 << 63)
#define CILKPROF_LIVE_PLACE_SHIFT 54

/* The LIVE_SAMPLES record is the last one in the live file of a sampled run.  It has offsets in the file, and for
   ID_SIZE, ID and PATH offsets in an object.  Each node begins with a struct cilkprof_stack; nodes are in no order.
   The first node is not used, and the kind of free nodes is unknown.  Parents are indices of nodes, 0 for none.  */
struct cilkprof_live_samples_payload {
  uint64_t sampling; /* struct cilkprof_sampling */
  uint64_t object_count, objects, object_size, id_size, id, path;
  uint64_t node_count, nodes, node_size;
};

void cilkprof_write_live_samples(struct cilkprof_writer *writer, const struct cilkprof_live_samples_payload *payload);
void cilkprof_write_live(struct cilkprof_writer *writer, const struct cilkprof_live_payload *payload,
                         const struct cilkprof_live_chunk *chunks, const struct cilkprof_live_range *ranges);

#endif
