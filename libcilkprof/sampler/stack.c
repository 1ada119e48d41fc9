/* From a thread's stack to a logical call path.
   SPDX-License-Identifier: MIT

   The frames that the last sample found are remembered with their nodes.  Unwinding stops at the first frame that is
   unchanged: it has the same code, stack address and task, and every frame outside of it still returns to the same
   address.  So a sample costs only as much as has changed since the last one, however deep the stack is.  */

#include "libcilkprof/sampler/unwind.h"

/* So many new frames are found by remembered layouts; and by the unwinder, where the samples must not take long: then
   the path begins with an unknown part.  */
enum { FAR = 64 };

struct walk {
  struct sampled_thread *self;
  struct sampled_task *task;       /* the task that the next frame belongs to */
  const struct interruption *from; /* where the thread was interrupted; NULL if the walk starts at the caller */
  size_t fresh;                    /* number of new frames, the innermost first */
  bool begun, ended;               /* ENDED: the start of the thread or a remembered frame was reached */
  bool cut;                        /* there are more new frames than an agent that takes samples itself waits for */
  bool apart; /* the walk ended at the boundary of a task created elsewhere: the frames outside are not on its path */
};

/* Returns whether the frames outside of the last remembered one are unchanged since the last sample.  Forgets those
   that are not.  */
static bool is_sampled_stack_unchanged(struct sampled_thread *self) {
  for (size_t i = self->depth - 1; i > 0; i--) {
    const uintptr_t *slot = self->frames[i].slot;
    if (!slot || *slot != self->frames[i - 1].pc) {
      self->depth = i;
      return false;
    }
  }
  return true;
}

/* Returns true if FRAME is unchanged since the last sample, and so are all frames outside of it.  Forgets the frames
   that are no longer on the stack.  */
static bool is_sampled_frame_remembered(struct sampled_thread *self, const struct frame *frame) {
  while (self->depth && self->frames[self->depth - 1].sp <= frame->sp) {
    const struct frame *last = &self->frames[self->depth - 1];
    if (last->sp == frame->sp && last->pc == frame->pc && last->exact == frame->exact &&
        last->serial == frame->serial && is_sampled_stack_unchanged(self))
      return true;
    if (self->depth)
      self->depth--;
  }
  return false;
}

/* Returns the serial number of TASK on the thread SELF, giving it one if it has none; 0 if TASK is NULL.  */
static uint32_t sampled_task_serial(struct sampled_thread *self, struct sampled_task *task) {
  if (!task)
    return 0;
  if (!task->serial)
    task->serial = ++self->serial;
  return task->serial;
}

/* Finds the task that FRAME, the next one outwards on the WALK, belongs to, and notes its serial number in FRAME.  */
static void find_sampled_frame_task(struct walk *walk, struct frame *frame) {
  while (walk->task && frame->sp >= walk->task->boundary)
    walk->task = walk->task->outer;
  frame->serial = sampled_task_serial(walk->self, walk->task);
}

/* Returns whether FRAME is the outermost one of a task created elsewhere: it has the same code and distance from the
   boundary as one that the unwinder found.  */
static bool is_sampled_task_edge(const struct walk *walk, const struct frame *frame) {
  const struct edge *edge = &walk->self->edge;
  return walk->task && !walk->task->creator && frame->pc == edge->pc &&
         walk->task->boundary - frame->sp == edge->distance;
}

/* Walks the stack outwards from AT by remembered frame layouts, without unwind tables.  Returns false if that leads
   neither to a remembered frame nor to the edge of a task.  */
static bool walk_remembered_frame_shapes(struct walk *walk, const struct unwinder *at) {
  struct sampled_thread *self = walk->self;
  struct frame frame = {.pc = at->pc, .sp = at->registers[REGISTER_SP], .exact = walk->from != NULL}, outer = {0};
  while (walk->fresh < FAR) {
    find_sampled_frame_task(walk, &frame);
    if (is_sampled_frame_remembered(self, &frame))
      return true;
    walk->apart = is_sampled_task_edge(walk, &frame);
    if (!walk->apart && !__cilkprof_s_caller(self, &frame, &outer, walk->from ? walk->from->link : 0))
      break;
    self->fresh[walk->fresh++] = frame;
    if (walk->apart)
      return true;
    frame = outer;
  }
  return false;
}

/* Adds the frame AT, found by the unwinder, to the WALK; returns whether to continue.  The address of a frame is its
   stack pointer at its call or at the interruption.  */
static bool visit_sampled_frame(struct walk *walk, const struct unwinder *at) {
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
  frame.serial = sampled_task_serial(self, walk->task);
  if (is_sampled_frame_remembered(self, &frame)) {
    walk->ended = true;
    return false;
  }
  if (walk->fresh == (SAMPLER.agent->took ? FAR : MAX_FRAMES)) {
    walk->cut = true;
    return false;
  }
  self->fresh[walk->fresh++] = frame;
  return true;
}

/* Returns the index of the remembered frame that holds the address CREATOR, or of the outermost one if none does.  */
static size_t sampled_frame_holding(const struct sampled_thread *self, uintptr_t creator) {
  size_t i = self->depth - 1;
  while (i > 0 && self->frames[i - 1].sp <= creator)
    i--;
  return i;
}

/* Returns the task of this thread that FRAME belongs to; NULL if it belongs to none.  */
static struct sampled_task *sampled_task_of_frame(const struct frame *frame) {
  struct sampled_task *task = SAMPLER.agent->running();
  while (task && frame->sp >= task->boundary)
    task = task->outer;
  return task;
}

/* Returns the call path that ends with a spawn at SITE in FRAME, or where FRAME is now if SITE is NULL; 0 if there is
   no memory.  */
static uint32_t call_path_at_site(const struct frame *frame, const void *site) {
  if (!site)
    return frame->node;
  return __cilkprof_s_child(SAMPLER.nodes[frame->node].stack.parent, CILKPROF_STACK_SPAWN, (uintptr_t)site);
}

/* Returns the call path of the code that created TASK; an orphan node if it is not known yet, and 0 if there is no
   memory.  */
static uint32_t call_path_of_creator(const struct sampled_thread *self, struct sampled_task *task) {
  if (task->creator)
    return self->depth ? call_path_at_site(&self->frames[sampled_frame_holding(self, task->creator)], task->site) : 0;
  uint32_t origin = atomic_load_explicit(&task->origin_path, memory_order_relaxed);
  if (!origin) {
    origin = task->place    ? __cilkprof_s_place_path(task->place)
             : task->origin ? __cilkprof_s_origin_path(task->origin)
                            : __cilkprof_s_orphan();
    atomic_store_explicit(&task->origin_path, origin, memory_order_release);
  }
  return origin;
}

/* Returns the call path of the caller of FRAME, which is to be remembered next: the node of the frame outside of it, or
   the path that created its task.  KNOWN tells that the walk reached the end of the stack; otherwise the path begins
   with an unknown part.  */
static uint32_t call_path_above_frame(const struct sampled_thread *self, const struct frame *frame, bool known) {
  const struct frame *outer = self->depth ? &self->frames[self->depth - 1] : NULL;
  struct sampled_task *task = frame->serial ? sampled_task_of_frame(frame) : NULL;
  if (task && (!outer || outer->serial != frame->serial))
    return call_path_of_creator(self, task);
  if (outer)
    return outer->node;
  return known ? 0 : __cilkprof_s_child(0, CILKPROF_STACK_UNKNOWN, 0);
}

/* Remembers FRAME with its node in the tree of call paths.  LAST tells that it is the innermost one.  Returns false if
   there is no memory.  */
static bool remember_sampled_frame(struct sampled_thread *self, struct frame *frame, bool known, bool last) {
  uint32_t parent = call_path_above_frame(self, frame, known);
  enum cilkprof_stack_kind kind = frame->exact && last ? CILKPROF_STACK_EXACT : CILKPROF_STACK_CALL;
  frame->node = __cilkprof_s_child(parent, kind, frame->pc + (frame->exact && !last));
  if (!frame->node || self->depth == MAX_FRAMES)
    return false;
  self->frames[self->depth++] = *frame;
  return true;
}

/* Remembers the outermost frame that the WALK found of a task created elsewhere, so that the next walk stops there
   without the unwinder.  */
static void learn_sampled_task_edge(const struct walk *walk) {
  const struct frame *last = &walk->self->fresh[walk->fresh - 1];
  const struct sampled_task *task = sampled_task_of_frame(last);
  if (task)
    walk->self->edge = (struct edge){last->pc, task->boundary - last->sp};
}

/* Finds the frames of the stack that are new since the last sample, by remembered layouts or else by the unwinder.
   Returns false if the WALK does not reach a remembered frame, the start of the thread, or the boundary of a task
   created elsewhere.  */
static bool find_sampled_frames(struct walk *walk) {
  struct unwinder at;
  if (walk->from)
    __cilkprof_s_unwind_from(&at, walk->from->context);
  else
    unwind_here(&at);
  if (walk_remembered_frame_shapes(walk, &at))
    return true;
  walk->fresh = 0;
  walk->task = SAMPLER.agent->running();
  while (visit_sampled_frame(walk, &at))
    if (!__cilkprof_s_unwind(&at)) {
      walk->apart = walk->task && !walk->task->creator && at.registers[REGISTER_FP] == walk->task->boundary;
      walk->ended = walk->apart || !at.pc;
      break;
    }
  if (walk->apart)
    learn_sampled_task_edge(walk);
  return walk->ended;
}

/* Remembers the frames of this thread's stack, with their nodes, from the outermost one to the one that holds the
   address UNTIL.  FROM is where the thread was interrupted; NULL: start at the caller.  Returns false if there is no
   memory.  */
static bool walk_sampled_stack(struct sampled_thread *self, const struct interruption *from, uintptr_t until) {
  struct walk walk = {.self = self, .task = SAMPLER.agent->running(), .from = from};
  bool known = find_sampled_frames(&walk);
  if (walk.apart || walk.cut)
    self->depth = 0;
  while (walk.fresh > 0 && (!self->depth || self->frames[self->depth - 1].sp > until)) {
    walk.fresh--;
    if (!remember_sampled_frame(self, &self->fresh[walk.fresh], known, walk.fresh == 0))
      return false;
  }
  return true;
}

/* Returns how many frames of this thread are outside of the agent's code, as which that counts which it calls, unless
   that is the program's again.  */
static size_t depth_outside_of_agent(const struct sampled_thread *self) {
  enum { FEW = 8 };
  size_t depth = self->depth;
  for (size_t i = 1; SAMPLER.agent->is_own && i <= FEW && i <= self->depth; i++) {
    uintptr_t pc = self->frames[self->depth - i].pc;
    if (SAMPLER.agent->runs_program(pc))
      break;
    if (SAMPLER.agent->is_own(pc))
      depth = self->depth - i;
  }
  return depth;
}

/* Returns the node of the call path at which this thread was interrupted, at PLACE; where it called the agent, if it
   was in its code.  If memory runs out, the path ends early; 0 if there is none at all.  */
uint32_t __cilkprof_s_path(const struct interruption *place) {
  struct sampled_thread *self = SELF;
  if (SAMPLER.agent->took && self->depth > 2 * FAR) /* to look at all of them would take too long */
    self->depth = 0;
  if (!walk_sampled_stack(self, place, 0))
    sampler_add_to_counter(&SAMPLER.shared->sampling.lost_samples, 1);
  size_t depth = depth_outside_of_agent(self);
  return depth ? self->frames[depth - 1].node : 0;
}

/* Returns the call path of this thread up to the call of the agent's innermost function; 0 if it is unknown.  */
uint32_t __cilkprof_s_path_to_agent(void) {
  struct sampled_thread *self = SELF;
  if (self->depth > 2 * FAR)
    self->depth = 0;
  walk_sampled_stack(self, NULL, 0);
  self->depth = depth_outside_of_agent(self);
  return self->depth ? self->frames[self->depth - 1].node : 0;
}

/* Returns the call path of the calling function's caller, up to the frame that holds the address CREATOR, at SITE in
   that frame; 0 if it is unknown.  */
uint32_t __cilkprof_s_context(uintptr_t creator, const void *site) {
  struct sampled_thread *self = SELF;
  if (!self)
    return 0;
  self->busy = true;
  atomic_signal_fence(memory_order_seq_cst);
  bool whole = walk_sampled_stack(self, NULL, creator);
  uint32_t node =
      whole && self->depth ? call_path_at_site(&self->frames[sampled_frame_holding(self, creator)], site) : 0;
  atomic_signal_fence(memory_order_seq_cst);
  self->busy = false;
  return node;
}

/* Returns the innermost frame whose callee returns to SITE, and forgets the frames inside of it; if there is none,
   returns the innermost frame.  NULL if the stack is unknown.  */
static const struct frame *sampled_frame_returning_to(struct sampled_thread *self, const void *site) {
  size_t depth = self->depth;
  while (depth > 0 && self->frames[depth - 1].pc != (uintptr_t)site)
    depth--;
  if (depth)
    self->depth = depth;
  return self->depth ? &self->frames[self->depth - 1] : NULL;
}

/* Returns the call path of this thread up to the call that returns to SITE; 0 if it is unknown.  MAKES tells that the
   call creates a task, whose path it is then.  */
static uint32_t call_path_of_call(const void *site, bool makes) {
  struct sampled_thread *self = SELF;
  if (!self)
    return 0;
  self->busy = true;
  atomic_signal_fence(memory_order_seq_cst);
  const struct frame *frame = walk_sampled_stack(self, NULL, 0) ? sampled_frame_returning_to(self, site) : NULL;
  bool found = frame && frame->pc == (uintptr_t)site;
  uint32_t node = !frame ? 0 : found && makes ? call_path_at_site(frame, site) : frame->node;
  atomic_signal_fence(memory_order_seq_cst);
  self->busy = false;
  return node;
}

/* Returns the call path of a task that this thread creates in a call that returns to SITE; 0 if it is unknown.  */
uint32_t __cilkprof_s_context_at(const void *site) {
  return call_path_of_call(site, true);
}

/* Returns the call path of this thread up to the call that returns to SITE; 0 if it is unknown.  */
uint32_t __cilkprof_s_call_at(const void *site) {
  return call_path_of_call(site, false);
}

/* Moves the samples of TASK, which is done, to the call path of the frame of this thread that created it: the one that
   holds CREATOR.  */
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
