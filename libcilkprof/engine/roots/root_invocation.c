/* Root invocations: begins and ends them, and adds their values to their roots.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/engine/roots/root_invocation.h"
#include "libcilkprof/engine/whatif/whatif.h"
#include "libcilkprof/common/system.h"

/* The flags of a site that are set aside, with ACTIVE, when a root invocation begins.  */
#define SET_ASIDE (__CILKPROF_SITE_TOP_CALLER | (uint64_t)0xff << __CILKPROF_SITE_OUTERMOST)

/* Hides the open top-call-site invocations of INVOCATION, the innermost root invocation, from their sites, because
   another root invocation begins, in which none is open.  */
static void set_aside_for_root(struct root_table *roots, const struct root_invocation *invocation) {
  for (struct open_top *open = &roots->open[invocation->first]; open < &roots->open[roots->open_count]; open++) {
    site_t *site = open->site;
    root_site_t *covered = __cilkprof_root_site(site, invocation->tree),
                *function = __cilkprof_root_site(caller_of_site(site), invocation->tree);
    open->flags = site->flags & SET_ASIDE;
    site->flags &= ~SET_ASIDE;
    site->active = 0;
    caller_of_site(site)->open--;
    if (covered)
      covered->covered++;
    if (function)
      function->covered++;
    if (!covered || !function)
      set_profile_flags(CILKPROF_INCOMPLETE);
  }
}

/* Undoes set_aside_for_root when a root invocation has ended: INVOCATION is the innermost root invocation again, and
   its open invocations are those of their sites.  */
static void bring_back_after_root(struct root_table *roots, const struct root_invocation *invocation) {
  for (struct open_top *open = &roots->open[invocation->first]; open < &roots->open[roots->open_count]; open++) {
    site_t *site = open->site;
    root_site_t *covered = __cilkprof_root_site(site, invocation->tree),
                *function = __cilkprof_root_site(caller_of_site(site), invocation->tree);
    site->flags |= open->flags;
    site->active = open->key;
    caller_of_site(site)->open++;
    if (covered)
      covered->covered--;
    if (function)
      function->covered--;
  }
}

/* Begins an invocation of the root with NUMBER at the top of the log, and sets aside all invocations that are open.
   Returns the root invocation.  */
struct root_invocation *__cilkprof_root_invocation_begins(uint64_t number) {
  struct root_table *roots = profiled_thread()->roots;
  set_aside_for_root(roots, &roots->invocations[roots->depth]);
  struct root_invocation *invocation = &roots->invocations[++roots->depth];
  roots->is_open[number] = 1;
  *invocation = (struct root_invocation){.tree = number + 1,
                                         .first = roots->open_count,
                                         .start = __cilkprof_p_log_top(),
                                         .number = ++roots->begun,
                                         .syncs = THREAD.syncs,
                                         .loop_spawns = THREAD.loop_spawns,
                                         .context = roots->contexts[number],
                                         .around = THREAD.frames,
                                         .from = THREAD.blocks + (THREAD.frames->block == THREAD.blocks)};
  __cilkprof_whatif_root_invocation_begins(invocation->tree);
  return invocation;
}

/* Adds what INVOCATION, a root invocation that ends, did to the on-work values of the sites that it reached, and its
   spawns to ROOT.  Returns the local work of these sites.  */
static uint64_t add_sites_to_root(const struct root_invocation *invocation, struct root *root) {
  uint64_t work = 0;
  for (root_site_t *in = invocation->sites; in; in = in->next) {
    const site_t *site = in->what;
    if (!site) /* its library was unloaded, and there was no memory for a copy */
      continue;
    const struct root_local *before = &in->before.site;
    in->on_work.count += site->count - before->count;
    in->on_work.work += site->local_work - before->work;
    in->on_work.off_span += site->local_off_span - before->off_span;
    in->on_work.off_burdened_span += site->local_off_burdened_span - before->off_burdened_span;
    work += site->local_work - before->work;
    if (site->flags & __CILKPROF_SITE_SPAWN)
      root->totals.spawns += site->count - before->count;
  }
  return work;
}

/* Removes from sites and calling contexts what INVOCATION, a root invocation that ends, added, because it could not be
   measured.  */
static void discard_root_invocation(const struct root_invocation *invocation) {
  for (root_site_t *in = invocation->sites; in; in = in->next) {
    in->top_call_site = in->before.top_call_site;
    in->top_caller = in->before.top_caller;
  }
  for (context_t *context = invocation->contexts; context; context = context->next)
    context->on_work = context->before;
}

/* Says on standard error, once for ROOT, that tasks cross the boundary of a root invocation, which can then not be
   measured, and marks ROOT as partial.  */
static void report_crossed_root(struct root *root) {
  if (!(root->kind & CILKPROF_ROOT_PARTIAL))
    __cilkprof_say(root->text,
                   "some invocations cannot be measured: their tasks outlive them, or they wait for tasks of others",
                   "these are left out; make the function wait for its own tasks");
  root->kind |= CILKPROF_ROOT_PARTIAL;
}

/* Ends the innermost root invocation: adds its values, which END has, to its root, or discards them if it could not be
   measured.  The invocations that are open around it are no longer set aside.  The root becomes partial if the sites do
   not account for all work and span of the root invocation.  */
void __cilkprof_root_invocation_ends(const struct root_invocation_end *end) {
  struct root_table *roots = profiled_thread()->roots;
  const struct root_invocation *invocation = &roots->invocations[roots->depth];
  struct root *root = &roots->roots[invocation->tree - 1];
  int counts = end->counts && !invocation->is_crossed;
  if (invocation->is_crossed)
    report_crossed_root(root);
  if (counts) {
    root->invocations++;
    root->totals.work += end->total.work;
    root->totals.span += end->total.span;
    root->totals.burdened_span += end->total.burdened_span;
    root->totals.syncs += THREAD.syncs - invocation->syncs;
    root->totals.spawns += THREAD.loop_spawns - invocation->loop_spawns - (uint64_t)end->spawned;
    root->own.count += end->own.count;
    root->own.work += end->own.work;
    root->own.span += end->own.span;
    root->own.burdened_span += end->own.burdened_span;
    uint64_t work = end->own.work + add_sites_to_root(invocation, root), span = end->own.span;
    if (!(ENGINE.flags & CILKPROF_NO_ON_SPAN))
      span += __cilkprof_root_on_span(invocation->tree, invocation->start, end->top);
    if (work != end->total.work || (span != end->total.span && !(ENGINE.flags & CILKPROF_NO_ON_SPAN)))
      root->kind |= CILKPROF_ROOT_PARTIAL;
  } else
    discard_root_invocation(invocation);
  roots->is_open[invocation->tree - 1] = 0;
  __cilkprof_whatif_root_invocation_ends(invocation->tree, counts);
  roots->depth--;
  bring_back_after_root(roots, &roots->invocations[roots->depth]);
}

/* Marks all open root invocations that began after the one with number ROOT_INVOCATION as impossible to measure,
   because the program waits in them for a task that ended in that one: the path crosses their boundaries.  */
void __cilkprof_root_invocations_wait_for(uint64_t root_invocation) {
  struct root_table *roots = profiled_thread()->roots;
  for (size_t i = roots ? roots->depth : 0; i > 0 && roots->invocations[i].number > root_invocation; i--)
    roots->invocations[i].is_crossed = 1;
}

/* Returns the number of the innermost open root invocation; 0 if none is open.  */
uint64_t __cilkprof_root_invocation(void) {
  const struct root_table *roots = profiled_thread()->roots;
  return roots ? roots->invocations[roots->depth].number : 0;
}

/* Returns whether children of BLOCK of FRAME belong to ROOT_INVOCATION.  SPAWNED is that of the frame's state there.
   Children that were spawned before a region began do not, although they belong to the same block.  */
static int is_child_in_root_invocation(const struct root_invocation *root_invocation, const frame_t *frame,
                                       const block_t *block, uint64_t spawned) {
  if (frame != root_invocation->around)
    return frame > root_invocation->around;
  return (uintptr_t)block >= (uintptr_t)root_invocation->from &&
         !(root_invocation->frame && block == root_invocation->from && spawned == SPAWNED_BEFORE);
}

/* Marks the open root invocations inside BLOCK of FRAME as impossible to measure, because a path of tasks leads from
   here to that block and crosses their boundaries.  SPAWNED is that of the frame's state there.  */
void __cilkprof_root_invocations_reach_out(const frame_t *frame, const block_t *block, uint64_t spawned) {
  struct root_table *roots = profiled_thread()->roots;
  for (size_t i = roots ? roots->depth : 0;
       i > 0 && !is_child_in_root_invocation(&roots->invocations[i], frame, block, spawned); i--)
    roots->invocations[i].is_crossed = 1;
}

/* Remembers the values of SITE, which is invoked, for the open root invocations that had not reached it.  If an open
   root invocation has already reached SITE, so have all those around it.  */
void __cilkprof_root_invocations_reach(site_t *site) {
  struct root_table *roots = profiled_thread()->roots;
  for (struct root_invocation *invocation = &roots->invocations[roots->depth]; invocation > roots->invocations;
       invocation--) {
    root_site_t *in = __cilkprof_root_site(site, invocation->tree);
    if (!in)
      roots->roots[invocation->tree - 1].kind |= CILKPROF_ROOT_PARTIAL;
    if (!in || in->root_invocation == invocation->number)
      return;
    in->root_invocation = invocation->number;
    in->before.site =
        (struct root_local){site->count, site->local_work, site->local_off_span, site->local_off_burdened_span};
    in->before.top_call_site = in->top_call_site;
    in->before.top_caller = in->top_caller;
    in->next = invocation->sites;
    invocation->sites = in;
  }
}

/* Remembers the values of CONTEXT, a calling context, when INVOCATION, a root invocation, enters it for the first
   time.  */
void __cilkprof_root_invocation_enters(struct root_invocation *invocation, context_t *context) {
  if (context->root_invocation == invocation->number)
    return;
  context->root_invocation = invocation->number;
  context->before = context->on_work;
  context->next = invocation->contexts;
  invocation->contexts = context;
}
