/* Calling contexts, on request (CILKPROF_CONTEXTS=1): what the invocations of a site cost, by what they lie below.
   SPDX-License-Identifier: MIT

   The tree is folded at recursion: only a top-call-site invocation goes down in it, to the child of the current context
   for that site, and back when it returns.  All others are part of the context that they run in.  So no site occurs
   twice on a path, and what a context has beyond its children is exactly its own.  A site has at most one open
   invocation of this kind, and so one open context, which it knows: control that leaves by exit, longjmp or an
   exception closes contexts as it closes calls.  Every root (root.c) has a tree of its own.  */

#include "libcilkprof/engine/span/site.h"
#include "libcilkprof/engine/memory.h"

/* Sites that call each other in every order have more contexts than memory holds.  A test builds with fewer.  */
#ifndef CILKPROF_CONTEXTS_MOST
#define CILKPROF_CONTEXTS_MOST (1 << 20)
#endif

enum { MOST = CILKPROF_CONTEXTS_MOST, LEAST = 1 << 10 };

/* A hash table finds them by parent and site; there is no place for more than half as many as it has slots.  */

static size_t slot_for(const context_t *parent, const site_t *site) {
  uint64_t hash = ((uint64_t)parent >> 3) * 0x9E3779B97F4A7C15u ^ (uint64_t)site >> 3;
  hash *= 0xD6E8FEB86659FD93u;
  return (size_t)((unsigned __int128)hash * (2 * profiled_thread()->contexts.room) >> 64);
}

/* The child of PARENT for SITE; NULL: there is none, and no room for it.  */
static context_t *child(context_t *parent, site_t *site) {
  struct profiled_contexts *tree = &profiled_thread()->contexts;
  size_t slot = slot_for(parent, site);
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

/* Most calls are made where the one before was made.  */
context_t *__cilkprof_context_enter(context_t *parent, site_t *site) {
  context_t *context = parent->last;
  if (!context || context->site != site)
    context = child(parent, site);
  if (!context)
    flag(CILKPROF_CONTEXTS_CUT);
  else
    parent->last = context;
  return context;
}

entry_t *__cilkprof_context_leave(context_t *context, entry_t *top) {
  __cilkprof_add_total(&context->on_work);
  return __cilkprof_push_tally(&context->tally, top);
}

/* Where only contexts are looked at, and no roots, an invocation's context is in its site.  */
static void top_call(site_t *site, uint64_t key) {
  struct profiled_contexts *tree = &profiled_thread()->contexts;
  open_top(site, key);
  site->last.context = tree->current ? __cilkprof_context_enter(tree->current, site) : NULL;
  if (site->last.context)
    tree->current = site->last.context;
}

/* A site's last context stands in the place of its last entry: nothing is merged.  */
static entry_t *top_returned(site_t *site, entry_t *top) {
  struct profiled_contexts *tree = &profiled_thread()->contexts;
  context_t *context = site->last.context;
  top = book_top(site, top, top);
  site->last.context = NULL;
  if (!context || !tree->current)
    return top;
  tree->current = context->parent;
  return __cilkprof_context_leave(context, top);
}

static const struct cilkprof_tops context_tops = {.call = top_call, .returned = top_returned};

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

context_t *__cilkprof_context_tree(uint64_t number) {
  struct profiled_contexts *tree = &profiled_thread()->contexts;
  if (!tree->contexts || !number || tree->count == tree->room)
    return number ? NULL : tree->contexts;
  context_t *new = &tree->contexts[tree->count++];
  new->tally.tree = number;
  return new;
}

/* Without memory for the sites' copies there are no contexts any more.  */
void __cilkprof_contexts_moved(site_t *(*moved)(site_t *site)) {
  struct profiled_contexts *tree = &profiled_thread()->contexts;
  for (size_t i = 0; i < tree->count; i++)
    if (tree->contexts[i].site && !(tree->contexts[i].site = moved(tree->contexts[i].site))) {
      tree->current = tree->contexts = NULL;
      flag(CILKPROF_CONTEXTS_CUT);
      return;
    }
}

context_t *__cilkprof_contexts(size_t *count) {
  struct profiled_contexts *tree = &profiled_thread()->contexts;
  *count = tree->contexts ? tree->count : 0;
  return tree->contexts;
}
