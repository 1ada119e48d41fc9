/* A run as its trace tells it: the sites, the tree of invocations, and the dag of their strands.
   SPDX-License-Identifier: MIT  */

#ifndef ORACLE_TRACE_H
#define ORACLE_TRACE_H

#include <stdio.h>

#include "test/oracle/dag.h"

struct site {
  uint32_t function; /* that has the site: the caller */
  uint32_t kind, flags, line, column;
  uint64_t callee;  /* of an indirect call: its address in the executable; 0: none */
  char *strings[4]; /* file, caller, callee, unit */
};

/* A site's invocation: of a function, of code without instrumentation, of a loop or a spawned block.  Invocation 0 is
   the program; it has no site.  Callers come before what they call.  */
struct invocation {
  uint32_t caller;
  uint32_t site;
  uint32_t entered; /* the site that stands for entries from outside of the function that it turned out to be; or 0 */
  uint32_t first, last; /* vertices: every path into and out of it passes them */
  bool spawned, task;
  uint32_t crossed; /* the first vertex behind the last barrier of a team in it, where a path may leave it and go on in
                       another thread; 0: there is none */
  uint64_t spawns, syncs; /* of its own */
};

/* A root invocation through a region: what lies between a start and a stop of its label.  */
struct region {
  char *label;
  uint32_t owner;                        /* the invocation that it is a part of */
  uint32_t first, last;                  /* vertices: all paths pass them, and those of its owner are between them */
  uint32_t invocations, invocations_end; /* those from the first on, before the second, are in it */
  uint64_t spawns, syncs;                /* of its owner */
  bool measured;                         /* as a program of its own */
};

struct run {
  struct dag dag;
  struct site *sites; /* from 1 */
  struct invocation *invocations;
  size_t site_count, invocation_count, site_room, invocation_room;
  uint64_t *addresses; /* of functions, from 1 */
  size_t function_count, function_room;
  struct region *regions;
  size_t region_count;
  bool openmp; /* it has tasks or teams */
};

/* trace.c */
void oracle_run_read(struct run *run, FILE *trace, uint64_t workers);
void oracle_run_free(struct run *run);

/* follow.c */
void oracle_follow_start(struct run *run, uint64_t workers);
void oracle_follow_end(void);
void oracle_on_enter(uint64_t frame, uint32_t function, uint32_t outside);
void oracle_on_call(uint64_t frame, uint64_t work, uint32_t site, bool spawned);
void oracle_on_foreign_call(uint64_t frame, uint64_t work, uint32_t site, uint64_t callee, bool spawned);
void oracle_on_returned(uint64_t frame, uint32_t site);
void oracle_on_spawn_returned(uint64_t frame, uint64_t work, uint32_t site);
void oracle_on_sync(uint64_t frame, uint64_t work);
void oracle_on_leave(uint64_t frame, uint64_t work);
void oracle_on_resume(uint64_t frame);
void oracle_on_block_begin(uint64_t frame, uint64_t work, uint32_t site, uint64_t kind);
void oracle_on_block_end(uint64_t frame, uint64_t work);
void oracle_on_serial_loop(uint64_t frame, uint64_t work, uint32_t site, uint64_t inside);
void oracle_on_loop_grains(uint64_t frame, uint64_t grain, uint64_t trips);
void oracle_on_iterate(uint64_t frame, uint64_t work);
void oracle_on_grain(uint64_t frame, uint64_t work);
void oracle_on_loop_end(uint64_t frame, uint64_t work, uint64_t trips);

/* regions.c */
void oracle_on_region_start(uint64_t frame, uint64_t work, const char *label);
void oracle_on_region_stop(uint64_t frame, uint64_t work, const char *label);
void oracle_on_regions_end(uint64_t frame, uint64_t work);
void oracle_regions_free(struct run *run);

/* tasks.c: those of OpenMP.  */
struct use {
  unsigned how; /* 0 reads, 1 excludes, 2 writes */
  uint64_t address;
};
void oracle_on_team(uint64_t frame, uint64_t threads);
/* teams.c */
void oracle_on_team_run(uint64_t frame, uint64_t work, uint32_t site, uint64_t threads);
void oracle_on_thread(uint64_t frame, uint64_t thread);
void oracle_on_team_end(uint64_t frame, uint64_t work);
void oracle_on_post(uint64_t frame, uint64_t work, uint64_t number);
void oracle_on_join_post(uint64_t frame, uint64_t work, uint64_t number);
void oracle_on_team_loop(uint64_t frame, uint64_t schedule, uint64_t chunk, uint64_t trips);
void oracle_on_task_begin(uint64_t frame, uint64_t work, const uint32_t sites[2], uint64_t deferred, bool final,
                          const struct use *uses, size_t count);
void oracle_on_task_call(uint64_t frame, uint64_t work, const uint32_t sites[2], bool deferred, bool final);
void oracle_on_task_returned(uint64_t frame, uint64_t work);
void oracle_on_taskwait(uint64_t frame, uint64_t work, uint64_t what);
void oracle_on_tasks_leave(uint64_t frame, uint64_t work);

/* loops.c.  A loop's tree of spawns over GRAINS; the loop begins at vertex ENTRY.  Returns its last vertex.  */
struct grain {
  uint32_t first, last; /* vertices */
};
uint32_t oracle_loop_tree(struct run *run, uint32_t entry, const struct grain *grains, size_t count);
uint64_t oracle_loop_grain(uint64_t trips, uint64_t workers);
uint32_t oracle_team_loop(struct run *run, uint32_t entry, const struct grain *grains, size_t count);

#endif
