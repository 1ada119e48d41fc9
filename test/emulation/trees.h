/* Trees for the tests of the emulators, as they are before anything is compressed.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_TEST_TREES_H
#define CILKPROF_TEST_TREES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/emulation/emulation.h"

/* In a text: 7 is work; T(...) a task, S(...) a section, N(...) one without a wait, P(...) one that spawns, L2(...)
   lock number 2; *9 after one says how often it comes.  */
struct item {
  uint64_t before, repeat;
  struct plain_node *node; /* NULL: only the work before it */
};

struct plain_node {
  char kind; /* as in a text, L for all locks */
  uint64_t lock;
  size_t count;
  struct item items[12];
  uint64_t number; /* while it is written down */
};

struct plain_node *test_emulation_tree_parse(const char *text);
/* One of that number.  LOCKS, NOWAIT, SPAWNS: whether there are any.  */
enum { TREES_LOCKS = 1, TREES_NOWAIT = 2, TREES_SPAWNS = 4, TREES_LOOPS = 8 };
struct plain_node *test_emulation_tree_random(uint64_t seed, unsigned kinds);
void test_emulation_tree_print(const struct plain_node *node, FILE *out);

struct task_tree *test_emulation_tree_compressed(struct plain_node *root);

double naive_teams(const struct plain_node *root, const struct schedule *schedule, unsigned processors,
                   enum section_nesting nesting, const struct overheads *overheads);
double naive_greedy(const struct plain_node *root, unsigned processors);
double naive_work(const struct plain_node *node);
double naive_span(const struct plain_node *node);

/* memory.c */
struct tap;
void test_emulation_memory_model(struct tap *tap);

/* Returns whether NODE is a section of any kind, and not a task or a lock.  */
static inline bool test_emulation_is_section(const struct plain_node *node) {
  return node != NULL && strchr("SNP", node->kind) != NULL;
}

#endif
