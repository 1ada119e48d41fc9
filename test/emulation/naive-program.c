/* What a thread of a team does, written out.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "test/emulation/naive-program.h"

/* Appends OPERATION to PROGRAM.  */
static void naive_add(struct program *program, struct operation operation) {
  if (program->count == program->room) {
    program->room = program->room ? 2 * program->room : 16;
    program->operations = realloc(program->operations, program->room * sizeof operation);
  }
  program->operations[program->count++] = operation;
}

/* Appends the operations of NODE to PROGRAM, without those of its tasks if OWN.  Taking a lock costs LOCK.  */
static void naive_write_node(struct program *program, const struct plain_node *node, bool own, double lock) {
  for (size_t i = 0; i < node->count; i++) {
    const struct item *item = &node->items[i];
    if (own && item->node != NULL && item->node->kind == 'T')
      continue;
    for (uint64_t r = 0; r < item->repeat; r++) {
      /* work alone is one piece, however often it comes */
      if (item->node == NULL && r > 0)
        continue;
      naive_add(program, (struct operation){
                             WORK, (double)item->before * (item->node == NULL ? (double)item->repeat : 1), 0, NULL});
      if (item->node == NULL)
        continue;
      if (item->node->kind == 'L') {
        naive_add(program, (struct operation){TAKE, 0, item->node->lock, NULL});
        naive_add(program, (struct operation){WORK, lock, 0, NULL});
        naive_write_node(program, item->node, false, lock);
        naive_add(program, (struct operation){RELEASE, 0, item->node->lock, NULL});
      } else {
        naive_add(program, (struct operation){SECTION, 0, 0, item->node});
      }
    }
  }
}

/* Appends the operations of NODE to PROGRAM, and its end.  If OWN, NODE is a section, and its tasks are left out: they
   are iterations of a loop.  Taking a lock costs LOCK.  */
void naive_write_program(struct program *program, const struct plain_node *node, bool own, double lock) {
  naive_write_node(program, node, own, lock);
  naive_add(program, (struct operation){END, 0, 0, NULL});
}

/* Appends the operations of an iteration to PROGRAM, and its end: ITEM is a task of a section, with the work before it.
   A task that only works becomes a single operation, as in the emulator.  Taking a lock costs LOCK.  */
void naive_write_iteration(struct program *program, const struct item *item, double lock) {
  bool plain = true;
  double sum = (double)item->before;
  for (size_t i = 0; i < item->node->count; i++) {
    plain &= item->node->items[i].node == NULL;
    sum += (double)item->node->items[i].before * (double)item->node->items[i].repeat;
  }
  naive_add(program, (struct operation){WORK, plain ? sum : (double)item->before, 0, NULL});
  if (!plain)
    naive_write_node(program, item->node, false, lock);
  naive_add(program, (struct operation){END, 0, 0, NULL});
}
