/* The record of a live file (cilkprof.out.PID.live): what the pages behind the records mean.
   SPDX-License-Identifier: MIT

   Such a file begins like a profile, with PROGRAM, RUN and OBJECT records.  LIVE is its last record.  Behind it lie the
   pages in which the program counted, without a checksum: they are as they were when it ended.  */

#ifndef CILKPROF_FMT_LIVE_H
#define CILKPROF_FMT_LIVE_H

#include "fmt/layout.h"

/* Then come the chunks, and a range for every object.  */
struct cilkprof_live_payload {
  uint64_t first_site;  /* where in the file the address of the first site's record is */
  uint64_t record_size; /* of a site; the fields that follow are where things lie in it */
  uint64_t next, description, callee, flags, count, local_work, local_off_span, local_off_burdened_span;
  uint64_t top_call_site, top_caller; /* count, work, span, burdened span */
  uint64_t spawn;                     /* in the flags: it is spawned, */
  uint64_t leaf;                      /* its callee calls nothing: top_caller holds count and work of the others */
  uint64_t chunk_count, range_count;
};

struct cilkprof_live_chunk {
  uint64_t address, size, offset; /* in memory, and in the file; OFFSET 0: it is not there */
};

/* Where an object lay in memory.  */
struct cilkprof_live_range {
  uint64_t low, high;
};

/* Addresses in a library that was unloaded: this bit, the object's index from bit 54 on, the address in its file.  */
#define CILKPROF_LIVE_PLACE_MARK  ((uint64_t)1 << 63)
#define CILKPROF_LIVE_PLACE_SHIFT 54

/* The same of a run that is sampled (LIVE_SAMPLES): where in the file things are, and in an object.  Nodes begin with a
   struct cilkprof_stack, in no order; the first is none, and free ones have no known kind.  Parents are numbers of
   nodes, 0 for none.  */
struct cilkprof_live_samples_payload {
  uint64_t sampling; /* struct cilkprof_sampling */
  uint64_t object_count, objects, object_size, id_size, id, path;
  uint64_t node_count, nodes, node_size;
};

void cilkprof_write_live_samples(struct cilkprof_writer *writer, const struct cilkprof_live_samples_payload *payload);
void cilkprof_write_live(struct cilkprof_writer *writer, const struct cilkprof_live_payload *payload,
                         const struct cilkprof_live_chunk *chunks, const struct cilkprof_live_range *ranges);

#endif
