/* The engine's state of a fiber that does not run.
   SPDX-License-Identifier: MIT

   Frames, blocks and the log are stacks, and pointers lead into them from everywhere.  So what a fiber has of them is
   moved away when another fiber runs, and moved back to the same addresses when it goes on: to everything else in the
   engine there is one stack of each, as in a run without fibers.  */

#include <string.h>
#include <sys/mman.h>

#include "libcilkprof/engine/memory.h"
#include "libcilkprof/engine/teams/teams.h"
#include "libcilkprof/engine/time/clock.h"

/* The flags of a site that belong to its open top-call-site invocation.  */
#define SET_ASIDE (__CILKPROF_SITE_TOP_CALLER | (uint64_t)0xff << __CILKPROF_SITE_OUTERMOST)

/* An open top-call-site invocation of a fiber that does not run.  */
struct fiber_open_site {
  site_t *site;
  uint64_t key, flags;
  context_t *context;
};

/* Makes room for BYTES in BUFFER.  What it had stays.  Returns 0, or -1 if there is no memory.  */
static int grow_team_buffer(struct team_buffer *buffer, size_t bytes) {
  if (bytes <= buffer->room)
    return 0;
  size_t room = 2 * bytes < 4096 ? 4096 : 2 * bytes;
  void *memory = __cilkprof_reserve(room);
  if (!memory)
    return -1;
  if (buffer->memory) {
    memcpy(memory, buffer->memory, buffer->bytes);
    munmap(buffer->memory, buffer->room);
  }
  buffer->memory = memory;
  buffer->room = room;
  return 0;
}

int __cilkprof_team_buffer_set(struct team_buffer *buffer, const void *from, size_t bytes) {
  buffer->bytes = 0;
  if (grow_team_buffer(buffer, bytes) < 0) {
    set_profile_flags(CILKPROF_INCOMPLETE | CILKPROF_NO_ON_SPAN);
    return -1;
  }
  if (bytes)
    memcpy(buffer->memory, from, bytes);
  buffer->bytes = bytes;
  return 0;
}

/* Returns where the entries end that the current fiber has in the log: behind what its innermost frame has there.
   FLOOR is where they begin.  Where the log is not kept there are none.  */
static entry_t *fiber_log_end(entry_t *floor) {
  entry_t *top = __cilkprof_p_log_top(), *inner = THREAD.frames->top, *end = floor;
  if (top > end && top < THREAD.limit)
    end = top;
  if (inner > end && inner < THREAD.limit)
    end = inner;
  return end;
}

/* Takes the open invocation of SITE in the frame with KEY, if it is a top-call-site one, away from the site, and notes
   it in IMAGE.  */
static void set_fiber_site_aside(struct fiber_image *image, site_t *site, uint64_t key) {
  if (!site || site->active != key ||
      grow_team_buffer(&image->open, image->open.bytes + sizeof(struct fiber_open_site)) < 0)
    return;
  struct fiber_open_site *open = (struct fiber_open_site *)((char *)image->open.memory + image->open.bytes);
  image->open.bytes += sizeof *open;
  *open = (struct fiber_open_site){.site = site, .key = key, .flags = site->flags & SET_ASIDE};
  if (profiled_thread()->contexts.current)
    open->context = site->last.context;
  __cilkprof_whatif_set_aside(site, 0);
  site->active = 0;
  site->flags &= ~SET_ASIDE;
  caller_of_site(site)->open--;
}

/* Takes the open top-call-site invocations of the current fiber, above BASE, away from their sites, and notes them in
   IMAGE: another fiber may enter the same sites.  */
static void set_fiber_sites_aside(struct fiber_image *image, const struct fiber_base *base) {
  image->open.bytes = 0;
  for (const frame_t *frame = THREAD.frames; frame >= base->frame; frame--) {
    set_fiber_site_aside(image, called_site(frame), frame->key);
    for (const block_t *block = frame->block; block && block > base->block; block = block->outer.block)
      if (block->kind != __CILKPROF_BLOCK_SCOPE)
        set_fiber_site_aside(image, called_site(&block->outer), frame->key);
  }
}

/* Gives the invocations that IMAGE has set aside back to their sites.  */
static void bring_fiber_sites_back(const struct fiber_image *image) {
  const struct fiber_open_site *open = image->open.memory;
  for (size_t i = 0; i < image->open.bytes / sizeof *open; i++) {
    open[i].site->active = open[i].key;
    __cilkprof_whatif_set_aside(open[i].site, 1);
    open[i].site->flags |= open[i].flags;
    caller_of_site(open[i].site)->open++;
    if (open[i].context)
      open[i].site->last.context = open[i].context;
  }
}

void __cilkprof_image_save(struct fiber_image *image, const struct fiber_base *base) {
  struct __cilkprof_profiled_thread *profiled = THREAD.profiled;
  entry_t *end = fiber_log_end(base->top);
  image->thread = THREAD;
  image->ticks = ENGINE.mode == CILKPROF_MODE_HYBRID && THREAD.recording ? __cilkprof_own_ticks() : 0;
  __cilkprof_team_buffer_set(&image->frames, base->frame, (size_t)((char *)(THREAD.frames + 1) - (char *)base->frame));
  __cilkprof_team_buffer_set(&image->blocks, base->block + 1,
                             (size_t)((char *)(THREAD.blocks + 1) - (char *)(base->block + 1)));
  __cilkprof_team_buffer_set(&image->log, base->top, (size_t)((char *)end - (char *)base->top));
  set_fiber_sites_aside(image, base);
  if (!profiled)
    return;
  image->context = profiled->contexts.current;
  image->accesses = profiled->tasks.accesses;
  image->before_untracked = profiled->frames.before_untracked;
}

/* Makes FIBERS, the state of the thread in the image of a fiber, that of this thread.  What belongs to all fibers, such
   as counters of the run and what was learnt of the clock, stays as it is.  */
static void load_fiber_thread(const struct __cilkprof_thread *fibers) {
  struct __cilkprof_thread now = THREAD;
  THREAD = *fibers;
  THREAD.limit = now.limit;
  THREAD.fold_bytes = now.fold_bytes;
  THREAD.syncs = now.syncs;
  THREAD.loop_spawns = now.loop_spawns;
  THREAD.last = now.last;
  THREAD.long_strand = now.long_strand;
  THREAD.look_after = now.look_after;
  THREAD.probes = now.probes;
  THREAD.short_strand = now.short_strand;
  THREAD.scale = now.scale;
  THREAD.recording = now.recording;
  if (fibers->recording && !now.recording)
    THREAD.top = marked_log_top(THREAD.sink);
}

/* Makes the foreign code that this fiber is in, above the frame BASE, begin TICKS later, so that it is not charged for
   the time in which other fibers ran.  */
static void skip_ticks_of_other_fibers(uint64_t ticks, const frame_t *base) {
  if (THREAD.frames == base)
    return;
  int in_foreign_code = 0;
  for (frame_t *frame = THREAD.frames; frame > base; frame--)
    if (frame->site & __CILKPROF_CALL_FOREIGN) {
      if (in_foreign_code)
        frame->outer.started += ticks;
      in_foreign_code = 1;
    }
  if (in_foreign_code)
    THREAD.foreign.started += ticks;
}

void __cilkprof_image_load(const struct fiber_image *image, const struct fiber_base *base) {
  load_fiber_thread(&image->thread);
  memcpy(base->frame, image->frames.memory, image->frames.bytes);
  if (image->blocks.bytes)
    memcpy(base->block + 1, image->blocks.memory, image->blocks.bytes);
  if (image->log.bytes)
    memcpy(base->top, image->log.memory, image->log.bytes);
  bring_fiber_sites_back(image);
  if (image->ticks)
    skip_ticks_of_other_fibers(__cilkprof_own_ticks() - image->ticks, base->frame);
  if (!THREAD.profiled)
    return;
  THREAD.profiled->contexts.current = image->context;
  THREAD.profiled->tasks.accesses = image->accesses;
  THREAD.profiled->frames.before_untracked = image->before_untracked;
}

void __cilkprof_image_copy(struct fiber_image *to, const struct fiber_image *from) {
  struct fiber_image before = *to;
  *to = *from;
  to->frames = before.frames;
  to->blocks = before.blocks;
  to->log = before.log;
  to->open = before.open;
  to->accesses = before.accesses;
  __cilkprof_team_buffer_set(&to->frames, from->frames.memory, from->frames.bytes);
  __cilkprof_team_buffer_set(&to->blocks, from->blocks.memory, from->blocks.bytes);
  __cilkprof_team_buffer_set(&to->log, from->log.memory, from->log.bytes);
  __cilkprof_team_buffer_set(&to->open, from->open.memory, from->open.bytes);
}
