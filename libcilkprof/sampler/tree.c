/* The tree of call paths.  Threads add to it at any time, without locks; the children of a node are a linked list.
   SPDX-License-Identifier: MIT

   Samples of a task that was created elsewhere are below an orphan node until the path that created it is known,
   which is when the task is done: then the tree below the orphan is merged into that path.  So there are as many
   nodes as different paths, not as many as tasks.  */

#include <string.h>

#include "libcilkprof/sampler/state.h"

/* Returns node NUMBER of the tree of call paths.  */
static struct node *call_path_node(uint32_t number) {
  return &SAMPLER.nodes[number];
}

/* Allocates a node of the tree of call paths, and returns its number; 0 if there is no memory.  Any thread may take a
   node that another one freed, because the nodes of a task are freed by the thread that waited for it.  A thread takes
   the whole free list at once, so that no node is taken twice.  */
static uint32_t take_call_path_node(void) {
  struct sampled_thread *self = SELF;
  if (!self->free && atomic_load_explicit(&SAMPLER.free, memory_order_relaxed))
    self->free = atomic_exchange_explicit(&SAMPLER.free, 0, memory_order_acquire);
  uint32_t number = self->free;
  if (number) {
    self->free = call_path_node(number)->sibling;
    return number;
  }
  uint64_t *count = &SAMPLER.shared->node_count, next = __atomic_load_n(count, __ATOMIC_RELAXED);
  do
    if (!__cilkprof_s_memory_grow(next + 1))
      return 0;
  while (!__atomic_compare_exchange_n(count, &next, next + 1, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return (uint32_t)next;
}

/* Adds node NUMBER, which is no longer in the tree, to the free list of all threads.  */
static void free_call_path_node(uint32_t number) {
  struct node *node = call_path_node(number);
  memset(&node->stack, 0, sizeof node->stack);
  node->stack.kind = CILKPROF_STACK_KINDS; /* marks it as free for readers of the live file */
  atomic_store_explicit(&node->child, 0, memory_order_relaxed);
  node->sibling = atomic_load_explicit(&SAMPLER.free, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(&SAMPLER.free, &node->sibling, number, memory_order_release,
                                                memory_order_relaxed))
    ;
}

/* Returns the node like WANTED in the list of siblings from FROM up to, but without, TO; 0 if there is none.  */
static uint32_t find_call_path_sibling(uint32_t from, uint32_t to, const struct cilkprof_stack *wanted) {
  for (; from != to; from = call_path_node(from)->sibling) {
    const struct cilkprof_stack *stack = &call_path_node(from)->stack;
    if (stack->address == wanted->address && stack->kind == wanted->kind && stack->object == wanted->object)
      return from;
  }
  return 0;
}

/* Returns the child of PARENT that is like WANTED, and adds it if there is none; 0 if there is no memory.  Other
   threads may add children at the same time.  */
static uint32_t find_call_path_child(uint32_t parent, const struct cilkprof_stack *wanted) {
  uint32_t first = atomic_load_explicit(&call_path_node(parent)->child, memory_order_acquire);
  uint32_t found = find_call_path_sibling(first, 0, wanted), made = 0;
  while (!found) {
    if (!made && !(made = take_call_path_node()))
      return 0;
    uint32_t seen = first;
    call_path_node(made)->stack = *wanted;
    call_path_node(made)->sibling = first;
    atomic_store_explicit(&call_path_node(made)->child, 0, memory_order_relaxed);
    if (atomic_compare_exchange_strong_explicit(&call_path_node(parent)->child, &first, made, memory_order_release,
                                                memory_order_acquire))
      return made;
    found = find_call_path_sibling(first, seen, wanted); /* other threads added children, maybe the same one */
  }
  if (made)
    free_call_path_node(made);
  return found;
}

/* Returns the node below PARENT for code at PC, which is a return address unless KIND is CILKPROF_STACK_EXACT, and adds
   it if there is none.  A PC of 0 means unknown code.  Returns 0 if there is no memory.  */
uint32_t __cilkprof_s_child(uint32_t parent, enum cilkprof_stack_kind kind, uintptr_t pc) {
  struct cilkprof_stack wanted = {.parent = parent, .object = CILKPROF_NO_OBJECT, .kind = kind};
  if (pc)
    wanted.object = __cilkprof_s_object_of(kind == CILKPROF_STACK_EXACT ? pc : pc - 1, &wanted.address);
  if (pc && kind != CILKPROF_STACK_EXACT)
    wanted.address++;
  return find_call_path_child(parent, &wanted);
}

/* Returns a new node outside of the tree, for samples of a task whose creating path is not known yet; 0 if there is no
   memory.  */
uint32_t __cilkprof_s_orphan(void) {
  uint32_t number = take_call_path_node();
  if (number) {
    call_path_node(number)->stack =
        (struct cilkprof_stack){.object = CILKPROF_NO_OBJECT, .kind = CILKPROF_STACK_ORPHAN};
    call_path_node(number)->sibling = 0;
    atomic_store_explicit(&call_path_node(number)->child, 0, memory_order_relaxed);
  }
  return number;
}

/* Adds a number of SAMPLES, and WORK, IDLENESS and WAITING in nanoseconds, to node NUMBER.  */
void __cilkprof_s_add(uint32_t number, uint64_t samples, uint64_t work, uint64_t idleness, uint64_t waiting) {
  struct cilkprof_stack *stack = &call_path_node(number)->stack;
  sampler_add_to_counter(&stack->samples, samples);
  sampler_add_to_counter(&stack->work_ns, work);
  sampler_add_to_counter(&stack->idleness_ns, idleness);
  sampler_add_to_counter(&stack->waiting_ns, waiting);
}

/* Moves the values of node NUMBER to the same node below PARENT, which it returns, and remembers that in the old node
   while its children are visited.  Without memory they are added to the parent.  */
static uint32_t move_call_path_node(uint32_t number, uint32_t parent) {
  struct cilkprof_stack stack = call_path_node(number)->stack,
                        wanted = {
                            .parent = parent, .object = stack.object, .kind = stack.kind, .address = stack.address};
  uint32_t place = find_call_path_child(parent, &wanted);
  if (!place) {
    sampler_add_to_counter(&SAMPLER.shared->sampling.lost_samples, stack.samples);
    place = parent;
  }
  __cilkprof_s_add(place, stack.samples, stack.work_ns, stack.idleness_ns, stack.waiting_ns);
  __cilkprof_s_counters_move(number, place);
  call_path_node(number)->stack.samples = place;
  return place;
}

/* Merges the tree of call paths below ORPHAN into that below PARENT, and frees its nodes.  The task is done, so no
   other thread accesses these nodes.  */
void __cilkprof_s_adopt(uint32_t orphan, uint32_t parent) {
  struct cilkprof_stack *top = &call_path_node(orphan)->stack;
  __cilkprof_s_add(parent, top->samples, top->work_ns, top->idleness_ns, top->waiting_ns);
  __cilkprof_s_counters_move(orphan, parent);
  top->samples = parent;
  for (uint32_t node = orphan;;) {
    uint32_t child = atomic_load_explicit(&call_path_node(node)->child, memory_order_relaxed);
    if (child) {
      move_call_path_node(child, (uint32_t)call_path_node(node)->stack.samples);
      atomic_store_explicit(&call_path_node(node)->child, call_path_node(child)->sibling, memory_order_relaxed);
      node = child;
      continue;
    }
    uint32_t above = call_path_node(node)->stack.parent;
    free_call_path_node(node);
    if (node == orphan)
      return;
    node = above;
  }
}
