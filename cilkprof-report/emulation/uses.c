/* What the program's sections use of memory: counted, or simulated.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/emulation/cachegrind.h"
#include "cilkprof-report/emulation/uses.h"
#include "cilkprof-report/support/support.h"

enum { MOST_DEPTH = 100 }; /* of locks around sections, where their order is asked for */

static struct section_use *find_section(struct section_uses *uses, const char *name, size_t *room) {
  for (size_t i = 0; i < uses->count; i++)
    if (strcmp(uses->sections[i].name, name) == 0)
      return &uses->sections[i];
  if (room == NULL)
    return NULL;
  uses->sections = grow(uses->sections, uses->count, room, sizeof *uses->sections);
  uses->sections[uses->count] = (struct section_use){.name = name};
  return &uses->sections[uses->count++];
}

/* Children come before their parents: downwards, how often a node begins is known before what is in it.  */
static void find_sections(struct section_uses *uses, const struct task_tree *tree) {
  double *times = allocate(tree->node_count, sizeof *times);
  size_t room = 0;
  uses->of_node = allocate(tree->node_count, sizeof *uses->of_node);
  times[tree->node_count - 1] = 1;
  for (size_t i = tree->node_count; i-- > 0;) {
    const struct tree_node *node = &tree->nodes[i];
    const struct tree_child *children = children_of(tree, node);
    uses->of_node[i] = NO_SECTION;
    if (times[i] > 0 && node->kind == CILKPROF_TREE_SECTION) {
      struct section_use *section = find_section(uses, node->name, &room);
      section->times += times[i];
      section->work += times[i] * node->work;
      section->tasks = node->all_tasks > section->tasks ? node->all_tasks : section->tasks;
      uses->of_node[i] = (uint32_t)(section - uses->sections);
    } else if (times[i] > 0) {
      for (uint64_t c = 0; c < node->count; c++)
        if (children[c].node != NO_NODE)
          times[children[c].node] += times[i] * (double)children[c].repeat;
    }
  }
  for (size_t i = 0; i < tree->node_count; i++) /* as the program has them */
    if (uses->of_node[i] != NO_SECTION)
      uses->of_node[i] = (uint32_t)uses->count - 1 - uses->of_node[i];
  for (size_t i = 0; i < uses->count / 2; i++) {
    struct section_use other = uses->sections[i];
    uses->sections[i] = uses->sections[uses->count - 1 - i];
    uses->sections[uses->count - 1 - i] = other;
  }
  free(times);
}

static void finish(struct section_uses *uses, double line) {
  for (size_t i = 0; i < uses->count; i++) {
    struct section_use *section = &uses->sections[i];
    if (section->use.time > 0)
      section->traffic = section->use.misses * line / section->use.time * 1e3; /* bytes in nanoseconds */
  }
}

static void take_counted(struct section_uses *uses, const struct cilkprof_tree *from) {
  for (size_t i = 0; i < from->count_count; i++) {
    const struct cilkprof_tree_counts *counts = &from->counts[i];
    struct section_use *section = find_section(uses, from->names[counts->name], NULL);
    if (section == NULL)
      continue;
    section->use.instructions += (double)counts->instructions;
    section->use.misses += (double)counts->misses;
    section->use.time += (double)counts->nanoseconds;
    uses->source = USES_COUNTED;
  }
}

/* The next sections of a file are those of NODE, in the order of the program.  False: there are not so many.  */
struct order {
  struct section_uses *uses;
  const struct task_tree *tree;
  const struct cachegrind *file;
  size_t next;
};

static bool take_in_order(struct order *order, uint32_t number, unsigned depth) {
  const struct tree_node *node = &order->tree->nodes[number];
  if (order->uses->of_node[number] != NO_SECTION) {
    if (order->next == order->file->section_count)
      return false;
    struct memory_use *use = &order->uses->sections[order->uses->of_node[number]].use;
    use->instructions += order->file->sections[order->next].instructions;
    use->misses += order->file->sections[order->next++].misses;
    return true;
  }
  if (depth == MOST_DEPTH || node->sections == 0)
    return node->sections == 0;
  const struct tree_child *children = children_of(order->tree, node);
  for (uint64_t c = 0; c < node->count; c++)
    for (uint64_t i = 0; children[c].node != NO_NODE && i < children[c].repeat; i++)
      if (!take_in_order(order, children[c].node, depth + 1))
        return false;
      else if (order->tree->nodes[children[c].node].sections == 0)
        break;
  return true;
}

static void take_simulated(struct section_uses *uses, const struct task_tree *tree, const struct cachegrind *simulated,
                           const char *path) {
  double ns = 1e9 / tree->units_per_second;
  for (size_t i = 0; i < uses->count; i++)
    uses->sections[i].use = (struct memory_use){.time = uses->sections[i].work * ns};
  if (simulated->by_section) {
    struct order order = {uses, tree, simulated, 0};
    if (!take_in_order(&order, (uint32_t)(tree->node_count - 1), 0) || order.next != simulated->section_count)
      fail(path, "its %zu sections are not those of the profile: make it of the same program with the same arguments",
           simulated->section_count);
    uses->source = USES_SIMULATED;
    return;
  }
  double work = tree_root(tree)->work;
  for (size_t i = 0; i < uses->count && work > 0; i++) {
    uses->sections[i].use.instructions = simulated->all.instructions * uses->sections[i].work / work;
    uses->sections[i].use.misses = simulated->all.misses * uses->sections[i].work / work;
  }
  uses->source = USES_DIVIDED;
}

struct section_uses section_uses_make(const struct task_tree *tree, const struct cilkprof_tree *from, const char *file,
                                      double line) {
  struct section_uses uses = {0};
  find_sections(&uses, tree);
  if (file != NULL) {
    if (!(tree->units_per_second > 0))
      fail(file, "it cannot be used: the profile has instructions, and how long sections take is not known");
    struct cachegrind simulated = cachegrind_read(file);
    line = simulated.line > 0 ? simulated.line : line;
    take_simulated(&uses, tree, &simulated, file);
  } else {
    take_counted(&uses, from);
  }
  finish(&uses, line);
  return uses;
}
