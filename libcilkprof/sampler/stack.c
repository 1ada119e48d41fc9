/* From a thread's stack to a logical call path.
   SPDX-License-Identifier: MIT

   The frames that the last sample found are remembered with their nodes.  Unwinding stops at the first frame that is
   unchanged: it has the same code, stack address and task, and every frame outside of it still returns to the same
   address.  So a sample costs only as much as has changed since the last one, however deep the stack is.  */

#include "libcilkprof/sampler/unwind.h"

struct walk {
  struct sampled_thread *self;
  struct sampled_task *task;       /* the task that the next frame belongs to */
  const struct interruption *from; /* where the thread was interrupted; NULL if the walk starts at the caller */
  size_t fresh;                    /* number of new frames, the innermost first */
  bool begun, ended;               /* ENDED: the start of the thread or a remembered frame was reached */
  bool apart; /* the walk ended at the boundary of a task created elsewhere: the frames outside are not on its path */
};

/* Returns whether the frames outside of the last remembered one are unchanged.  Forgets those that are not.  */
static bool still_there(struct sampled_thread *self) {
  for (size_t i = self->depth - 1; i > 0; i--) {
    const uintptr_t *slot = self->frames[i].slot;
    if (!slot || *slot != self->frames[i - 1].pc) {
      self->depth = i;
      return false;
    }
  }
  return true;
}

static bool is_remembered(struct sampled_thread *self, const struct frame *frame) {
  while (self->depth && self->frames[self->depth - 1].sp <= frame->sp) {
    const struct frame *last = &self->frames[self->depth - 1];
    if (last->sp == frame->sp && last->pc == frame->pc && last->exact == frame->exact &&
        last->serial == frame->serial && still_there(self))
      return true;
    if (self->depth)
      self->depth--;
  }
  return false;
}

static uint32_t serial_of(struct sampled_thread *self, struct sampled_task *task) {
  if (!task)
    return 0;
  if (!task->serial)
    task->serial = ++self->serial;
  return task->serial;
}

static void find_task(struct walk *walk, struct frame *frame) {
  while (walk->task && frame->sp >= walk->task->boundary)
    walk->task = walk->task->outer;
  frame->serial = serial_of(walk->self, walk->task);
}

/* Returns whether FRAME is the outermost one of a task created elsewhere: it has the same code and distance from the
   boundary as one that the unwinder found.  */
static bool is_edge(const struct walk *walk, const struct frame *frame) {
  const struct edge *edge = &walk->self->edge;
  return walk->task && !walk->task->creator && frame->pc == edge->pc &&
         walk->task->boundary - frame->sp == edge->distance;
}

/* Walks by remembered frame layouts.  Returns false if that leads neither to a remembered frame nor to the edge of a
   task.  */
static bool walk_known(struct walk *walk, const struct unwinder *at) {
  enum { FAR = 64 };
  struct sampled_thread *self = walk->self;
  struct frame frame = {.pc = at->pc, .sp = at->registers[REGISTER_SP], .exact = walk->from != NULL}, outer = {0};
  while (walk->fresh < FAR) {
    find_task(walk, &frame);
    if (is_remembered(self, &frame))
      return true;
    walk->apart = is_edge(walk, &frame);
    if (!walk->apart && !__cilkprof_s_caller(self, &frame, &outer, walk->from ? walk->from->link : 0))
      break;
    self->fresh[walk->fresh++] = frame;
    if (walk->apart)
      return true;
    frame = outer;
  }
  return false;
}

/* Adds a frame; returns whether to continue.  The address of a frame is its stack pointer at its call or at the
   interruption.  */
static bool visit(struct walk *walk, const struct unwinder *at) {
  struct sampled_thread *self = walk->self;
  bool first = !walk->begun;
  struct frame frame = {.pc = at->pc, .sp = at->registers[REGISTER_SP], .exact = at->exact && (walk->from || !first)};
  walk->begun = true;
  struct frame *inner = walk->fresh ? &self->fresh[walk->fresh - 1] : NULL;
  for (; walk->task && frame.sp >= walk->task->boundary; walk->task = walk->task->outer)
    if (inner && !walk->task->creator) {
      walk->ended = walk->apart = true;
      return false;
    }
  if (inner)
    inner->slot = __cilkprof_s_find_slot(inner->sp, frame.sp, frame.pc);
  if (inner && !frame.exact)
    __cilkprof_s_learn(self, inner, frame.pc, frame.sp, walk->fresh == 1 && walk->from ? walk->from->link : 0);
  frame.serial = serial_of(self, walk->task);
  if (is_remembered(self, &frame)) {
    walk->ended = true;
    return false;
  }
  if (walk->fresh == MOST_FRAMES)
    return false;
  self->fresh[walk->fresh++] = frame;
  return true;
}

/* The remembered frame that holds the address CREATOR, or the outermost one if none does.  */
static size_t frame_of(const struct sampled_thread *self, uintptr_t creator) {
  size_t i = self->depth - 1;
  while (i > 0 && self->frames[i - 1].sp <= creator)
    i--;
  return i;
}

static struct sampled_task *task_of(const struct frame *frame) {
  struct sampled_task *task = SAMPLER.agent->running();
  while (task && frame->sp >= task->boundary)
    task = task->outer;
  return task;
}

/* The path that ends at SITE in FRAME.  */
static uint32_t at_site(const struct frame *frame, const void *site) {
  if (!site)
    return frame->node;
  return __cilkprof_s_child(SAMPLER.nodes[frame->node].stack.parent, CILKPROF_STACK_SPAWN, (uintptr_t)site);
}

/* The path of the code that created TASK; an orphan node if it is not known yet.  */
static uint32_t base_of(const struct sampled_thread *self, struct sampled_task *task) {
  if (task->creator)
    return self->depth ? at_site(&self->frames[frame_of(self, task->creator)], task->site) : 0;
  uint32_t origin = atomic_load_explicit(&task->origin_path, memory_order_relaxed);
  if (!origin) {
    origin = task->origin ? __cilkprof_s_origin_path(task->origin) : __cilkprof_s_orphan();
    atomic_store_explicit(&task->origin_path, origin, memory_order_release);
  }
  return origin;
}

/* The parent node of FRAME, which is to be remembered next.  */
static uint32_t above(const struct sampled_thread *self, const struct frame *frame, bool known) {
  const struct frame *outer = self->depth ? &self->frames[self->depth - 1] : NULL;
  struct sampled_task *task = frame->serial ? task_of(frame) : NULL;
  if (task && (!outer || outer->serial != frame->serial))
    return base_of(self, task);
  if (outer)
    return outer->node;
  return known ? 0 : __cilkprof_s_child(0, CILKPROF_STACK_UNKNOWN, 0);
}

/* Remembers FRAME with its node.  Returns false if there is no memory.  */
static bool remember(struct sampled_thread *self, struct frame *frame, bool known, bool last) {
  uint32_t parent = above(self, frame, known);
  enum cilkprof_stack_kind kind = frame->exact && last ? CILKPROF_STACK_EXACT : CILKPROF_STACK_CALL;
  frame->node = __cilkprof_s_child(parent, kind, frame->pc + (frame->exact && !last));
  if (!frame->node || self->depth == MOST_FRAMES)
    return false;
  self->frames[self->depth++] = *frame;
  return true;
}

static void learn_edge(const struct walk *walk) {
  const struct frame *last = &walk->self->fresh[walk->fresh - 1];
  const struct sampled_task *task = task_of(last);
  if (task)
    walk->self->edge = (struct edge){last->pc, task->boundary - last->sp};
}

static bool find_frames(struct walk *walk) {
  struct unwinder at;
  if (walk->from)
    __cilkprof_s_unwind_from(&at, walk->from->context);
  else
    unwind_here(&at);
  if (walk_known(walk, &at))
    return true;
  walk->fresh = 0;
  walk->task = SAMPLER.agent->running();
  while (visit(walk, &at))
    if (!__cilkprof_s_unwind(&at)) {
      walk->apart = walk->task && !walk->task->creator && at.registers[REGISTER_FP] == walk->task->boundary;
      walk->ended = walk->apart || !at.pc;
      break;
    }
  if (walk->apart)
    learn_edge(walk);
  return walk->ended;
}

/* Remembers the frames from the outermost one to the one that holds the address UNTIL.  */
static bool walk_stack(struct sampled_thread *self, const struct interruption *from, uintptr_t until) {
  struct walk walk = {.self = self, .task = SAMPLER.agent->running(), .from = from};
  bool known = find_frames(&walk);
  if (walk.apart)
    self->depth = 0;
  while (walk.fresh > 0 && (!self->depth || self->frames[self->depth - 1].sp > until)) {
    walk.fresh--;
    if (!remember(self, &self->fresh[walk.fresh], known, walk.fresh == 0))
      return false;
  }
  return true;
}

/* If memory runs out, the path ends early; 0 if there is none at all.  */
uint32_t __cilkprof_s_path(const struct interruption *place) {
  struct sampled_thread *self = SELF;
  if (!walk_stack(self, place, 0))
    sampler_count(&SAMPLER.shared->sampling.lost_samples, 1);
  return self->depth ? self->frames[self->depth - 1].node : 0;
}

uint32_t __cilkprof_s_context(uintptr_t creator, const void *site) {
  struct sampled_thread *self = SELF;
  if (!self)
    return 0;
  self->busy = true;
  atomic_signal_fence(memory_order_seq_cst);
  bool whole = walk_stack(self, NULL, creator);
  uint32_t node = whole && self->depth ? at_site(&self->frames[frame_of(self, creator)], site) : 0;
  atomic_signal_fence(memory_order_seq_cst);
  self->busy = false;
  return node;
}

/* Returns the innermost frame whose callee returns to SITE, and forgets the frames inside of it; if there is none,
   returns the innermost frame.  NULL if the stack is unknown.  */
static const struct frame *frame_at(struct sampled_thread *self, const void *site) {
  size_t depth = self->depth;
  while (depth > 0 && self->frames[depth - 1].pc != (uintptr_t)site)
    depth--;
  if (depth)
    self->depth = depth;
  return self->depth ? &self->frames[self->depth - 1] : NULL;
}

static uint32_t path_at(const void *site, bool makes) {
  struct sampled_thread *self = SELF;
  if (!self)
    return 0;
  self->busy = true;
  atomic_signal_fence(memory_order_seq_cst);
  const struct frame *frame = walk_stack(self, NULL, 0) ? frame_at(self, site) : NULL;
  bool found = frame && frame->pc == (uintptr_t)site;
  uint32_t node = !frame ? 0 : found && makes ? at_site(frame, site) : frame->node;
  atomic_signal_fence(memory_order_seq_cst);
  self->busy = false;
  return node;
}

uint32_t __cilkprof_s_context_at(const void *site) {
  return path_at(site, true);
}

uint32_t __cilkprof_s_call_at(const void *site) {
  return path_at(site, false);
}

void __cilkprof_s_over(struct sampled_task *task, uintptr_t creator) {
  uint32_t origin = atomic_load_explicit(&task->origin_path, memory_order_acquire);
  uint32_t context = origin ? __cilkprof_s_context(creator, task->site) : 0;
  if (!context)
    return;
  SELF->busy = true;
  atomic_signal_fence(memory_order_seq_cst);
  __cilkprof_s_adopt(origin, context);
  atomic_signal_fence(memory_order_seq_cst);
  SELF->busy = false;
}
