/* Threads that add to the tree of paths at once, by themselves and as tasks whose makers are known later, which one
   of them joins.  At the end each path is there once, nothing is lost, and what was given back was
   used again.
   SPDX-License-Identifier: MIT  */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "libcilkprof/sampler/state.h"

enum { THREADS = 4, ROUNDS = 20000, DEPTH = 6, WIDTH = 3 };

static uint64_t added[THREADS];

/* A task of each thread that is over, for the first thread to join; 0: there is none.  */
static struct {
  _Atomic uint32_t orphan;
  uint32_t maker;
} over[THREADS];

/* Returns the next random number.  */
static uint32_t test_samples_next(uint32_t *state) {
  return *state = *state * 1664525 + 1013904223;
}

/* Returns the node of a random path of DEPTH places below FROM.  A place is an address in this program, one of a few,
   so that threads meet on the same paths.  */
static uint32_t test_samples_walk(uint32_t from, uint32_t *state, int depth) {
  uint32_t node = from;
  for (int i = 0; i < depth && node; i++)
    node = __cilkprof_s_child(node, CILKPROF_STACK_CALL,
                              (uintptr_t)&test_samples_walk + 4 + 4 * (test_samples_next(state) >> 16) % (4 * WIDTH));
  return node;
}

/* Adopts the samples of the tasks that the other threads have left.  */
static void test_samples_join_all(void) {
  for (int i = 0; i < THREADS; i++) {
    uint32_t orphan = atomic_load_explicit(&over[i].orphan, memory_order_acquire);
    if (!orphan)
      continue;
    __cilkprof_s_adopt(orphan, over[i].maker);
    atomic_store_explicit(&over[i].orphan, 0, memory_order_release);
  }
}

/* Ends a task: its samples below ORPHAN are adopted by MAKER, by the first thread if that has time, else here.  NUMBER
   is the calling thread.  */
static void test_samples_finish(uintptr_t number, uint32_t orphan, uint32_t maker) {
  if (number == 0)
    test_samples_join_all();
  if (atomic_load_explicit(&over[number].orphan, memory_order_acquire)) {
    __cilkprof_s_adopt(orphan, maker);
    return;
  }
  over[number].maker = maker;
  atomic_store_explicit(&over[number].orphan, orphan, memory_order_release);
}

/* Thread function: adds samples to random paths, in tasks that end at once.  ARGUMENT is the thread's number.  */
static void *test_samples_work(void *argument) {
  uintptr_t number = (uintptr_t)argument;
  uint32_t state = (uint32_t)number + 1;
  struct sampled_thread *thread = calloc(1, sizeof *thread);
  SELF = thread;
  for (int i = 0; i < ROUNDS; i++) {
    uint32_t maker = test_samples_walk(0, &state, 1 + (int)(test_samples_next(&state) >> 16) % DEPTH),
             orphan = __cilkprof_s_orphan();
    for (int k = 0; k < 3; k++)
      __cilkprof_s_add(test_samples_walk(orphan, &state, 1 + (int)(test_samples_next(&state) >> 16) % 3), 1, 10, 1, 0);
    __cilkprof_s_add(maker, 1, 10, 1, 0);
    test_samples_finish(number, orphan, maker);
    added[number] += 4;
  }
  SELF = NULL;
  free(thread);
  return NULL;
}

/* Returns the number of threads, for the agent.  */
static int test_samples_workers(void) {
  return THREADS;
}

/* Returns the number of samples at NODE and below.  Adds to EQUAL the number of pairs of siblings that are equal.  */
static uint64_t test_samples_count(uint32_t node, int *equal) {
  struct node *nodes = SAMPLER.nodes;
  uint64_t samples = nodes[node].stack.samples;
  for (uint32_t a = nodes[node].child; a; a = nodes[a].sibling) {
    for (uint32_t b = nodes[a].sibling; b; b = nodes[b].sibling)
      *equal += nodes[a].stack.address == nodes[b].stack.address && nodes[a].stack.kind == nodes[b].stack.kind;
    samples += test_samples_count(a, equal);
  }
  return samples;
}

/* Runs the threads, joins what they have left, and prints whether the tree has all samples and no path twice.  Returns
   1 if there is no memory.  */
int main(void) {
  static const struct sampler_agent agent = {
      .sampled = CILKPROF_SAMPLED_CILK, .workers = test_samples_workers, .processors = test_samples_workers};
  pthread_t threads[THREADS];
  uint64_t wanted = 0;
  int equal = 0;
  SAMPLER.agent = &agent;
  if (!__cilkprof_s_memory_start())
    return 1;
  __cilkprof_s_objects_start();
  for (uintptr_t i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, test_samples_work, (void *)i);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  SELF = calloc(1, sizeof *SELF);
  test_samples_join_all();
  for (int i = 0; i < THREADS; i++)
    wanted += added[i];
  uint64_t lost = SAMPLER.shared->sampling.lost_samples, got = test_samples_count(0, &equal);
  printf("%d equal, %ld missing, %ld lost\n", equal, (long)(wanted - got), (long)lost);
  printf("%s\n", SAMPLER.shared->node_count < 40000 ? "as many nodes as paths" : "too many nodes");
  return 0;
}
