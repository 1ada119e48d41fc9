/* Calling contexts (CILKPROF_CONTEXTS=1): the cost of the invocations of a site, by the chain of call sites above them.
   SPDX-License-Identifier: MIT

   The tree of contexts is folded at recursion: only a top-call-site invocation goes down in the tree, to the child of
   the current context for its site, and up again when it returns.  Other invocations are part of the context that they
   run in.  So no site occurs twice on a path, and the cost of a context less that of its children is exactly its own.
   A site has at most one open top-call-site invocation, and so at most one open context, which is stored in the site.
   Therefore contexts end with their calls, also where control leaves by exit, longjmp or an exception.  Every root
   (roots/root.c) has a tree of its own.  */

#include "libcilkprof/engine/span/site.h"
#include "libcilkprof/engine/memory.h"

/* The highest number of contexts: sites that call each other in every order would have more than fit into memory.  A
   test builds the engine with fewer.  */
#ifndef CILKPROF_MAX_CONTEXTS
#define CILKPROF_MAX_CONTEXTS (1 << 20)
#endif

enum { MOST = CILKPROF_MAX_CONTEXTS, LEAST = 1 << 10 };

/* Returns where the search for the calling context of SITE below PARENT begins in the hash table of contexts.  The
   table has twice as many slots as there is room for contexts.  */
static size_t first_context_slot(const context_t *parent, const site_t *site) {
  uint64_t hash = ((uint64_t)parent >> 3) * 0x9E3779B97F4A7C15u ^ (uint64_t)site >> 3;
  hash *= 0xD6E8FEB86659FD93u;
  return (size_t)((unsigned __int128)hash * (2 * profiled_thread()->contexts.room) >> 64);
}

/* Returns the calling context of SITE below PARENT, which is added if there is none; NULL if there is no room for
   it.  */
static context_t *find_or_add_context(context_t *parent, site_t *site) {
  struct profiled_contexts *tree = &profiled_thread()->contexts;
  size_t slot = first_context_slot(parent, site);
  for (; tree->slots[slot]; slot = slot + 1 < 2 * tree->room ? slot + 1 : 0) {
    context_t *known = &tree->contexts[tree->slots[slot]];
    if (known->parent == parent && known->site == site)
      return known;
  }
  if (tree->count == tree->room)
    return NULL;
  tree->slots[slot] = (uint32_t)tree->count;
  context_t *new = &tree->contexts[tree->count++];
  new->tally.tree = parent->tally.tree;
  new->parent = parent;
  new->site = site;
  return new;
}

/* Begins a top-call-site invocation of SITE in the calling context PARENT.  Returns its context; NULL, with a flag of
   the profile set, if there is no room for it.  Most calls enter the same child of PARENT as the call before, so that
   one is tried first.  */
context_t *__cilkprof_context_enter(context_t *parent, site_t *site) {
  context_t *context = parent->last;
  if (!context || context->site != site)
    context = find_or_add_context(parent, site);
  if (!context)
    set_profile_flags(CILKPROF_CONTEXTS_CUT);
  else
    parent->last = context;
  return context;
}

/* Ends an invocation in CONTEXT, a calling context, and books it there, with the values of the return slots, at TOP of
   the log.  Returns the new top of the log.  */
entry_t *__cilkprof_context_leave(context_t *context, entry_t *top) {
  __cilkprof_add_total(&context->on_work);
  return __cilkprof_log_push_tally(&context->tally, top);
}

/* Begins a top-call-site invocation of SITE, in the frame with KEY, and enters its calling context.  Used where
   contexts are recorded, but no roots: then the site itself stores the context of its open invocation.  */
static void enter_context_at_top_call(site_t *site, uint64_t key) {
  struct profiled_contexts *tree = &profiled_thread()->contexts;
  open_top_call_of_site(site, key);
  site->last.context = tree->current ? __cilkprof_context_enter(tree->current, site) : NULL;
  if (site->last.context)
    tree->current = site->last.context;
}

/* Ends and books the open top-call-site invocation of SITE, and leaves its calling context.  Returns the new top of the
   log.  The site stores its context where it would otherwise store its last entry, so no entries are merged.  */
static entry_t *leave_context_at_top_return(site_t *site, entry_t *top) {
  struct profiled_contexts *tree = &profiled_thread()->contexts;
  context_t *context = site->last.context;
  top = book_top_call_of_site(site, top, top);
  site->last.context = NULL;
  if (!context || !tree->current)
    return top;
  tree->current = context->parent;
  return __cilkprof_context_leave(context, top);
}

static const struct cilkprof_tops context_tops = {.call = enter_context_at_top_call,
                                                  .returned = leave_context_at_top_return};

/* Starts to record calling contexts: reserves memory for as many as possible.  Returns 0, or -1 if there is no
   memory.  */
int __cilkprof_contexts_start(void) {
  struct profiled_contexts *tree = &profiled_thread()->contexts;
  for (tree->room = MOST; tree->room >= LEAST || tree->room == MOST; tree->room /= 4) {
    tree->contexts = __cilkprof_reserve(tree->room * (sizeof *tree->contexts + 2 * sizeof *tree->slots));
    if (!tree->contexts)
      continue;
    tree->slots = (uint32_t *)(tree->contexts + tree->room);
    tree->count = 1;
    tree->current = tree->contexts;
    profiled_thread()->tops = &context_tops;
    return 0;
  }
  return -1;
}

/* Returns the node below which the calling contexts of a tree are.  NUMBER 0 is the program, whose node always exists;
   any other number is a root, for which a new node is added at each call.  Returns NULL if contexts are not recorded or
   there is no room.  */
context_t *__cilkprof_context_tree(uint64_t number) {
  struct profiled_contexts *tree = &profiled_thread()->contexts;
  if (!tree->contexts || !number || tree->count == tree->room)
    return number ? NULL : tree->contexts;
  context_t *new = &tree->contexts[tree->count++];
  new->tally.tree = number;
  return new;
}

/* Replaces the sites of all calling contexts by what MOVED returns for them: a shared library with sites has been
   unloaded.  All contexts are dropped if there was no memory for the copy of one of their sites.  */
void __cilkprof_contexts_moved(site_t *(*moved)(site_t *site)) {
  struct profiled_contexts *tree = &profiled_thread()->contexts;
  for (size_t i = 0; i < tree->count; i++)
    if (tree->contexts[i].site && !(tree->contexts[i].site = moved(tree->contexts[i].site))) {
      tree->current = tree->contexts = NULL;
      set_profile_flags(CILKPROF_CONTEXTS_CUT);
      return;
    }
}

/* Returns all calling contexts, parents before their children, and stores their number in *COUNT, which is 0 if none
   are recorded.  The first one is the start of the program.  */
context_t *__cilkprof_contexts(size_t *count) {
  struct profiled_contexts *tree = &profiled_thread()->contexts;
  *count = tree->contexts ? tree->count : 0;
  return tree->contexts;
}
