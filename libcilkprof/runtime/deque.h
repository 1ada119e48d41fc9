/* The deque of a worker's waiting children: its owner pushes and takes at the bottom, thieves steal at the top.
   SPDX-License-Identifier: MIT

   It is Chase and Lev's deque in a ring of fixed size, with the memory order of Le, Pop, Cohen and Zappa Nardelli,
   "Correct and Efficient Work-Stealing for Weak Memory Models" (2013).  Where they have a fence before the owner's
   relaxed store to the bottom, every such store is a release here: a thief that reads a value stored by a take must
   also see the items that were pushed before.  */

#ifndef CILKPROF_PARALLEL_DEQUE_H
#define CILKPROF_PARALLEL_DEQUE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

enum { MAX_DEQUE_ITEMS = 64 /* a power of 2 */, CACHE_LINES = 128 /* two: they are fetched in pairs */ };

struct deque {
  _Alignas(CACHE_LINES) _Atomic long top;
  _Alignas(CACHE_LINES) _Atomic long bottom;
  void *_Atomic ring[MAX_DEQUE_ITEMS];
};

/* Returns the place of item number AT in the ring of the deque D.  Numbers grow without end, and wrap around in the
   ring.  */
static inline void *_Atomic *deque_place(struct deque *d, long at) {
  return &d->ring[at & (MAX_DEQUE_ITEMS - 1)];
}

/* Returns the number of items in the deque.  For threads other than the owner it is an estimate.  */
static inline long deque_size(struct deque *d) {
  return atomic_load_explicit(&d->bottom, memory_order_relaxed) - atomic_load_explicit(&d->top, memory_order_relaxed);
}

/* Adds ITEM at the bottom of the deque.  Returns false if it is full.  Called by the owner.  */
static inline bool deque_push(struct deque *d, void *item) {
  long bottom = atomic_load_explicit(&d->bottom, memory_order_relaxed);
  if (bottom - atomic_load_explicit(&d->top, memory_order_acquire) >= MAX_DEQUE_ITEMS)
    return false;
  atomic_store_explicit(deque_place(d, bottom), item, memory_order_relaxed);
  atomic_store_explicit(&d->bottom, bottom + 1, memory_order_release);
  return true;
}

/* Returns the item that deque_take would return, if no thief steals it first; NULL if there is none.  Called by the
   owner.  */
static inline void *deque_newest(struct deque *d) {
  long bottom = atomic_load_explicit(&d->bottom, memory_order_relaxed);
  return atomic_load_explicit(&d->top, memory_order_relaxed) < bottom
             ? atomic_load_explicit(deque_place(d, bottom - 1), memory_order_relaxed)
             : NULL;
}

/* Removes the newest item, number NEWEST, from the deque.  Returns false if a thief has taken it, or if the deque was
   empty.  Called by the owner.  */
static inline bool deque_remove_newest(struct deque *d, long newest) {
  atomic_store_explicit(&d->bottom, newest, memory_order_release);
  atomic_thread_fence(memory_order_seq_cst);
  long top = atomic_load_explicit(&d->top, memory_order_relaxed);
  if (top < newest)
    return true;
  bool removed = top == newest && atomic_compare_exchange_strong_explicit(&d->top, &top, top + 1, memory_order_seq_cst,
                                                                          memory_order_relaxed);
  atomic_store_explicit(&d->bottom, newest + 1, memory_order_release);
  return removed;
}

/* Removes the newest item, at the bottom of the deque, and returns it; NULL if there is none.  Called by the owner.  */
static inline void *deque_take(struct deque *d) {
  long newest = atomic_load_explicit(&d->bottom, memory_order_relaxed) - 1;
  void *item = atomic_load_explicit(deque_place(d, newest), memory_order_relaxed);
  return deque_remove_newest(d, newest) ? item : NULL;
}

/* Removes ITEM if it is the newest one in the deque, and returns true.  A thief that takes an item leaves it in its
   place, so removing it may still fail.  Called by the owner.  */
static inline bool deque_take_item(struct deque *d, const void *item) {
  long newest = atomic_load_explicit(&d->bottom, memory_order_relaxed) - 1;
  return atomic_load_explicit(deque_place(d, newest), memory_order_relaxed) == item && deque_remove_newest(d, newest);
}

/* Steals the oldest item, at the top of the deque, and returns it; NULL if there is none, or if another thread was
   faster.  Called by a thief.  */
static inline void *deque_steal(struct deque *d) {
  long top = atomic_load_explicit(&d->top, memory_order_acquire);
  atomic_thread_fence(memory_order_seq_cst);
  if (top >= atomic_load_explicit(&d->bottom, memory_order_acquire))
    return NULL;
  void *item = atomic_load_explicit(deque_place(d, top), memory_order_relaxed);
  return atomic_compare_exchange_strong_explicit(&d->top, &top, top + 1, memory_order_seq_cst, memory_order_relaxed)
             ? item
             : NULL;
}

#endif
