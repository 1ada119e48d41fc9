/* Fibers that wait for each other by variables of the program: one spins until another has written to a variable.
   SPDX-License-Identifier: MIT

   The compiler tells of every atomic read and write, and of every flush, where threads of a team may be; and of
   volatile variables that a loop reads until they change.  A fiber that reads a variable again, and has done next to
   nothing since, waits for another fiber, which gets its turn.  What reads a variable goes on behind the last write to
   it by another fiber.  A flush names no variable: what waits with it has no such edge.  */

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "libcilkprof/common/system.h"
#include "libcilkprof/engine/memory.h"
#include "libcilkprof/engine/teams/teams.h"

enum { SPIN_MOST = 2000 }; /* the work between two reads of a variable that is known to be only a spin */

/* Returns where the list begins that has the post for ADDRESS, if there is one, in the hash table of TEAM.  */
static struct team_post **team_post_bucket(struct team *team, const void *address) {
  return &team->posts[((uint64_t)address * 0x9E3779B97F4A7C15u >> 40) % POST_BUCKETS];
}

/* Returns the post of the last write to ADDRESS in this run of TEAM; NULL: there was none, or ADDRESS is NULL.  */
static struct team_post *find_team_post(struct team *team, const void *address) {
  struct team_post *post = team->posts && address ? *team_post_bucket(team, address) : NULL;
  while (post && post->address != address)
    post = post->next;
  return post && post->run == team->run ? post : NULL;
}

/* Returns the post for ADDRESS in the table of TEAM, which is made if there is none; NULL: there is no memory.  It may
   be that of an earlier run.  */
static struct team_post *make_team_post(struct team *team, const void *address) {
  if (!team->posts && !(team->posts = __cilkprof_reserve(POST_BUCKETS * sizeof *team->posts)))
    return NULL;
  struct team_post **bucket = team_post_bucket(team, address), *post = *bucket;
  while (post && post->address != address)
    post = post->next;
  if (post || !(post = __cilkprof_allocate(sizeof *post)))
    return post;
  post->address = address;
  post->next = *bucket;
  return *bucket = post;
}

/* Copies the entries of the path FROM to POST.  If there is no memory it has none, and the profile says that shares of
   the span are not known.  */
static void keep_post_entries(struct team_post *post, const struct path *from) {
  if (from->count > post->path.room) {
    post->path.entries = __cilkprof_allocate(2 * from->count * sizeof(entry_t));
    post->path.room = post->path.entries ? 2 * from->count : 0;
  }
  if (from->count > post->path.room) {
    set_profile_flags(CILKPROF_NO_ON_SPAN);
    post->path.count = 0;
    return;
  }
  post->path.count = from->count;
  if (from->count)
    memcpy(post->path.entries, from->entries, from->count * sizeof(entry_t));
}

/* Returns whether what FIBER does is measured.  */
static int is_fiber_measured(const struct team_fiber *fiber) {
  return !fiber->team->bare && THREAD.recording && THREAD.team == __CILKPROF_TEAM_FIBERS;
}

/* Returns the word of memory that has the first byte of the variable at ADDRESS; 0 if that is NULL.  */
static uint64_t word_with_team_flag(const void *address) {
  return address ? *(const volatile uint64_t *)((uintptr_t)address & ~(uintptr_t)7) : 0;
}

/* Returns whether FIBER has tried to change the variable at ADDRESS and failed: it is as it was when FIBER read it, so
   FIBER still waits.  Else, if it has read it, it has gone on, and waits only after it has read it twice.  */
static int has_fiber_failed(struct team_fiber *fiber, const void *address) {
  if (!fiber->polls || fiber->polled != address)
    return 0;
  if (fiber->poll_seen == word_with_team_flag(address))
    return 1;
  fiber->polls = 0;
  return 0;
}

void __cilkprof_fiber_posts(const void *address) {
  struct team_fiber *fiber = fiber_sharing_work();
  if (fiber && has_fiber_failed(fiber, address))
    return;
  struct team_post *post = fiber && is_fiber_measured(fiber) ? make_team_post(fiber->team, address) : NULL;
  if (!post)
    return;
  frame_t *frame = THREAD.frames;
  struct path here;
  __cilkprof_team_path_length(frame, frame->local_work, &here);
  __cilkprof_team_path_entries(frame, frame->local_work, &here, &fiber->entries);
  keep_post_entries(post, &here);
  post->path.span = here.span;
  post->path.burdened_span = here.burdened_span;
  post->path.lanes = here.lanes;
  post->run = fiber->team->run;
  post->writer = fiber;
}

/* Returns whether the path A is longer than B: its span, its burdened span, or one of its what-if lanes.  */
static int is_post_longer(const struct path *a, const struct path *b) {
  lanes_t lanes = b->lanes;
  return a->span > b->span || a->burdened_span > b->burdened_span || __cilkprof_lanes_lengthen(&lanes, a->lanes);
}

/* Makes FIBER, which runs, go on with the path to the last write to ADDRESS by another fiber, if that is longer than
   its own, and sets its time.  */
static void join_team_post(struct team_fiber *fiber, const void *address) {
  const struct team_post *post = find_team_post(fiber->team, address);
  frame_t *frame = THREAD.frames;
  struct path here;
  __cilkprof_team_path_length(frame, frame->local_work, &here);
  fiber->time = here.span;
  if (!post || post->writer == fiber || !is_post_longer(&post->path, &here))
    return;
  __cilkprof_fiber_goes_behind(fiber, frame, frame->local_work, &post->path, &here);
  fiber->time = post->path.span > here.span ? post->path.span : here.span;
}

/* Says that the program seems to wait for another thread where there is none, and ends it, unless it has other threads,
   which may do what it waits for: it has read the variable at ADDRESS, or executed a flush if that is NULL, in a region
   that one thread runs, and done next to nothing else for seconds.  */
static void notice_wait_without_team(const void *address) {
  enum { OFTEN = 1 << 10, OFTEN_NS = 10000000, LINKS_OF_FOLDER = 2 };
  static const void *polled;
  static uint64_t seen, times, since, last;
  static int said;
  uint64_t now = word_with_team_flag(address);
  if (polled != address || seen != now || times == 0) {
    polled = address;
    seen = now;
    times = 1;
    since = last = __cilkprof_team_cpu_ns();
    return;
  }
  if (++times % OFTEN || said)
    return;
  uint64_t before = last;
  last = __cilkprof_team_cpu_ns();
  if (last - before > OFTEN_NS)
    since = last; /* there is work in between */
  if (last - since < 5000000000u)
    return;
  said = 1;
  __cilkprof_say("omp parallel", "a thread waits for another one, but one thread runs the region",
                 "call omp_get_num_threads in it, so that it is run by a team");
  struct stat threads; /* a folder with one folder for each */
  if (stat("/proc/self/task", &threads) < 0 || threads.st_nlink <= LINKS_OF_FOLDER + 1)
    exit(EXIT_FAILURE);
}

/* Says that all threads of TEAM wait for each other, and ends the program.  A flush does not tell what a thread waits
   for: then they may do more than that, and only the first time is told of.  */
static void notice_stuck_team(const struct team *team) {
  static int said;
  while (team->outer)
    team = team->outer->team;
  const char *what = team->flushes ? "they go on; threads can be seen to go on if they wait by omp atomic read"
                                   : "the program ends here";
  if (!said++)
    __cilkprof_say(__cilkprof_team_name(team), "all threads of the team wait for each other", what);
  if (!team->flushes)
    exit(EXIT_FAILURE);
}

void __cilkprof_fiber_polls(const void *address) {
  struct team_fiber *fiber = __cilkprof_fiber; /* also in a region that it runs alone: it waits for its team there */
  if (!fiber) {
    if (__cilkprof_team_level() > 0)
      notice_wait_without_team(address);
    return;
  }
  int measured = is_fiber_measured(fiber);
  if (measured)
    join_team_post(fiber, address);
  uint64_t seen = word_with_team_flag(address);
  int again = fiber->polls && fiber->polled == address && fiber->poll_seen == seen &&
              fiber->time - fiber->poll_time < SPIN_MOST;
  fiber->polls = again ? fiber->polls + 1 : 1;
  fiber->polled = address;
  fiber->poll_seen = seen;
  fiber->poll_time = fiber->time;
  if (!again) {
    __cilkprof_fiber_has_gone_on(fiber);
    return;
  }
  for (struct team_fiber *outer = fiber; outer && !address; outer = outer->team->outer)
    outer->team->flushes = 1;
  fiber->state = FIBER_WAITS;
  int stuck = __cilkprof_fiber_lets_others_run(fiber);
  fiber->state = FIBER_READY;
  if (word_with_team_flag(address) != seen)
    __cilkprof_fiber_has_gone_on(fiber);
  else if (stuck)
    notice_stuck_team(fiber->team);
  if (measured)
    join_team_post(fiber, address);
}
