/* What the files of this folder share.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_PATHS_INTERNAL_H
#define CILKPROF_PATHS_INTERNAL_H

#include <sched.h>
#include <stddef.h>

#include "libcilkprof/paths/paths.h"

enum { BLOCK_SIZE = 288, MOST_SITES = 1 << 14 };

/* What a path consists of is known by keys: the work of a site's own strands, all of an invocation of a site, the
   samples of a call path, and by how much the longest share would be longer in a smaller team.  */
enum key_kind { KEY_LOCAL, KEY_WHOLE, KEY_SAMPLES, KEY_MORE };
static inline uint64_t key_of(enum key_kind kind, uint32_t number) {
  return (uint64_t)number << 2 | kind;
}

/* A part of a path.  */
struct part {
  uint32_t key, count;
  uint64_t work, span;
};

/* A stretch of paths: the parts that were added since the path forked from, or joined, another one.  Only who has the
   one reference to a node adds to it.  Its blocks are nodes, too, of which only the parts count.  */
enum { PARTS = 10 };
struct path_node {
  _Atomic uint32_t references;
  uint16_t used;            /* of PARTS */
  atomic_flag locked;       /* another stretch is being made a part of this one */
  struct path_node *more;   /* the other blocks */
  struct path_node *end;    /* the last of these; NULL: there are none */
  struct path_node *before; /* the stretch before it */
  uint32_t blocks, fold_at; /* how many there are, and at how many they are folded */
  uint32_t depth, tidy_at;  /* about how many stretches there are up to here, and at how many they are looked at */
  struct part parts[PARTS];
};
_Static_assert(sizeof(struct path_node) <= BLOCK_SIZE, "a node is a block");
_Static_assert(sizeof(struct task) <= BLOCK_SIZE, "a task is a block");
_Static_assert(sizeof(struct team) <= BLOCK_SIZE, "a team is a block");
_Static_assert(DIVIDED * sizeof(struct divided) <= BLOCK_SIZE, "what a team divides is a block");
_Static_assert(sizeof(struct task_group) <= BLOCK_SIZE, "a group is a block");

/* Memory for anything small.  */
struct block {
  struct block *next;
  union {
    struct block *next_batch; /* of a free one that is the first of its batch */
    uint64_t count;           /* of one that is used for a list */
  };
};

/* What a site got in one thread.  */
struct site_sums {
  uint64_t count, work;          /* its own strands */
  struct cilkprof_measure whole; /* outermost invocations */
};

/* How a team shares work: what each thread did, or of a large team each group of neighbours.  */
enum { SHARES = BLOCK_SIZE / sizeof(uint64_t) };
struct shares {
  uint64_t work[SHARES];
};

/* Samples that wait for the end of the strand, by their call path.  */
enum { WAITING = 4096 };
struct waiting {
  uint32_t node, count;
  uint64_t work_ns;
};

struct path_thread {
  struct path_thread *next;
  atomic_bool taken;
  struct task *task;
  /* The clock (threads.c).  */
  uint64_t ticks, cpu_ns, since_ns;
  /* Free memory (blocks.c).  */
  struct block *free;
  size_t free_count;
  char *slab, *slab_end; /* memory that was never used */
  struct part *scratch;  /* for folding */
  size_t scratch_room;
  atomic_flag moving; /* an event takes the samples */
  uint32_t waiting_count;
  struct waiting waiting[WAITING];
  struct site_sums sums[MOST_SITES];
  struct cilkprof_loop loops[MOST_SITES];
};
extern PATHS_HIDDEN __thread struct path_thread *path_self __attribute__((tls_model("initial-exec")));

extern PATHS_HIDDEN uint64_t paths_burden_ns;     /* what moving a task to another thread costs */
extern PATHS_HIDDEN atomic_bool paths_incomplete; /* there was no memory for a part of what happened */

/* Locks and unlocks what is changed in a few instructions.  A thread that holds a lock may have lost its processor.  */
static inline void lock(atomic_flag *flag) {
  enum { SPINS = 100 };
  for (int i = 0; atomic_flag_test_and_set_explicit(flag, memory_order_acquire); i++)
    if (i >= SPINS)
      sched_yield();
}
static inline void unlock(atomic_flag *flag) {
  atomic_flag_clear_explicit(flag, memory_order_release);
}

/* blocks.c: memory of BLOCK_SIZE bytes, filled with zeros; NULL if there is none.  */
PATHS_HIDDEN void *block_take(void);
PATHS_HIDDEN void block_give(void *memory);
/* Maps SIZE bytes, which take memory only where they are used; NULL if there is none.  */
PATHS_HIDDEN void *paths_map(size_t size);

/* path.c */
PATHS_HIDDEN void path_fork(struct path *path, const struct path *from); /* PATH, which is empty, goes on from FROM */
PATHS_HIDDEN void path_longer(struct path *path, const struct path *other); /* PATH becomes the longer of both */
PATHS_HIDDEN void path_drop(struct path *path);
PATHS_HIDDEN void path_add(struct path *path, uint64_t key, struct part part);
/* Calls VISIT for each part of PATH.  */
PATHS_HIDDEN void path_visit(const struct path *path, void (*visit)(const struct part *part));

/* The end of PATH comes to MEETING.  Most paths are not the longest there.  */
static inline void meet(struct meeting *meeting, const struct path *path) {
  if (path->span <= atomic_load_explicit(&meeting->span, memory_order_relaxed) &&
      path->burdened_span <= atomic_load_explicit(&meeting->burdened_span, memory_order_relaxed))
    return;
  lock(&meeting->locked);
  path_longer(&meeting->longest, path);
  atomic_store_explicit(&meeting->span, meeting->longest.span, memory_order_relaxed);
  atomic_store_explicit(&meeting->burdened_span, meeting->longest.burdened_span, memory_order_relaxed);
  unlock(&meeting->locked);
}

/* PATH goes on from MEETING.  */
static inline void go_on_from_meeting(struct path *path, struct meeting *meeting) {
  lock(&meeting->locked);
  path_longer(path, &meeting->longest);
  unlock(&meeting->locked);
}

/* sites.c */
struct path_site {
  const void *code;
  uint64_t kind;
  uint32_t object; /* in the profile */
  uint64_t address;
};
PATHS_HIDDEN const struct path_site *paths_site_at(uint32_t number);
PATHS_HIDDEN uint32_t paths_site_count(void);

/* chunks.c: notes that TASK has no more chunks of the loop at SITE, which take WORK, and goes on when a team whose
   threads take a chunk whenever they have none would.  */
PATHS_HIDDEN void chunks_end(struct task *task, uint32_t site);
PATHS_HIDDEN void chunks_release(struct chunks *chunks);
/* Stores how long teams of 2, 4, ... threads take for the CHUNKS.  Returns for how many of these that is known.  */
PATHS_HIDDEN uint32_t chunks_longest(const struct chunks *chunks, uint64_t *longest);

/* teams.c: returns what TASK's team, which is locked, divides at SITE next; NULL if there is no memory.  */
PATHS_HIDDEN struct divided *divided_next(struct task *task, uint32_t site);
/* teams.c: notes that TASK has done WORK in its share of what its team divides at SITE.  */
PATHS_HIDDEN void share_ends(struct task *task, uint32_t site, uint64_t work);

/* shares.c: adds WORK to the share of TASK in *SHARES, which are made when there are none.  */
PATHS_HIDDEN void share_add(struct shares **shares, const struct task *task, uint64_t work);
/* Notes that a team of SIZE has ended what it DIVIDED, and frees its parts.  TASK goes on there.  */
PATHS_HIDDEN void shares_end(const struct divided *divided, uint32_t size, struct task *task);
PATHS_HIDDEN void shares_drop(const struct divided *divided); /* only frees them */

/* threads.c: all threads that ever were.  */
PATHS_HIDDEN struct path_thread *paths_threads(void);
static inline struct site_sums *sums_of(uint32_t site) {
  return &path_self->sums[site];
}

/* tasks.c: notes that TASK begins an invocation of SITE, or its share of one; and that an invocation is over, which did
   WORK and took SPAN.  */
PATHS_HIDDEN void invocation_begins(struct task *task, uint32_t site);
PATHS_HIDDEN void invocation_ends(struct task *task, uint32_t site, uint64_t work, uint64_t span, uint64_t burdened,
                                  bool outermost);

#endif
