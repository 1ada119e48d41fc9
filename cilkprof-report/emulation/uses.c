/* Finds the memory use of the sections of a program: counted or simulated.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/emulation/cachegrind.h"
#include "cilkprof-report/emulation/uses.h"
#include "cilkprof-report/support/support.h"

enum { MAX_DEPTH = 100 }; /* levels around sections up to which their order is found */

/* Returns the memory use of the section NAME.  If there is none, adds one if ROOM is not NULL, and otherwise returns
   NULL.  */
static struct section_use *find_emulated_section_use(struct section_uses *uses, const char *name, size_t *room) {
  for (size_t i = 0; i < uses->count; i++)
    if (strcmp(uses->sections[i].name, name) == 0)
      return &uses->sections[i];
  if (room == NULL)
    return NULL;
  uses->sections = grow_array(uses->sections, uses->count, room, sizeof *uses->sections);
  uses->sections[uses->count] = (struct section_use){.name = name};
  return &uses->sections[uses->count++];
}

/* Finds the outermost sections of an emulated TREE, adds up those with the same name, and sorts them in the order of
   the program.  Children come before their parents, so the loop runs downwards: how often a node is run is known before
   its children are visited.  */
static void find_emulated_section_uses(struct section_uses *uses, const struct task_tree *tree) {
  double *times = allocate(tree->node_count, sizeof *times);
  size_t room = 0;
  uses->of_node = allocate(tree->node_count, sizeof *uses->of_node);
  times[tree->node_count - 1] = 1;
  for (size_t i = tree->node_count; i-- > 0;) {
    const struct tree_node *node = &tree->nodes[i];
    const struct tree_child *children = emulated_node_children(tree, node);
    uses->of_node[i] = NO_SECTION;
    if (times[i] > 0 && node->kind == CILKPROF_TREE_SECTION) {
      struct section_use *section = find_emulated_section_use(uses, node->name, &room);
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
  for (size_t i = 0; i < tree->node_count; i++) /* reverse to the order of the program */
    if (uses->of_node[i] != NO_SECTION)
      uses->of_node[i] = (uint32_t)uses->count - 1 - uses->of_node[i];
  for (size_t i = 0; i < uses->count / 2; i++) {
    struct section_use other = uses->sections[i];
    uses->sections[i] = uses->sections[uses->count - 1 - i];
    uses->sections[uses->count - 1 - i] = other;
  }
  free(times);
}

/* Computes the memory traffic of all sections, in MB/s, from their misses and times.  LINE is the number of bytes that
   a miss transfers.  */
static void compute_section_memory_traffic(struct section_uses *uses, double line) {
  for (size_t i = 0; i < uses->count; i++) {
    struct section_use *section = &uses->sections[i];
    if (section->use.time > 0)
      section->traffic = section->use.misses * line / section->use.time * 1e3; /* bytes per ns to MB/s */
  }
}

/* Adds instructions, misses and times that the processor counted, as the profile has them, to the memory use of
   sections.  */
static void add_counted_section_misses(struct section_uses *uses, const struct cilkprof_tree *from) {
  for (size_t i = 0; i < from->count_count; i++) {
    const struct cilkprof_tree_counts *counts = &from->counts[i];
    struct section_use *section = find_emulated_section_use(uses, from->names[counts->name], NULL);
    if (section == NULL)
      continue;
    section->use.instructions += (double)counts->instructions;
    section->use.misses += (double)counts->misses;
    section->use.time += (double)counts->nanoseconds;
    uses->source = USES_COUNTED;
  }
}

/* Assigns the sections of a file to those of the tree, in the order of the program.  */
struct order {
  struct section_uses *uses;
  const struct task_tree *tree;
  const struct cachegrind *file;
  size_t next; /* section of the file */
};

/* Assigns the next sections of a file of callgrind to the subtree of node NUMBER, in the order of the program.  Returns
   false if the file has too few, or the subtree is too deep.  */
static bool assign_simulated_section_misses(struct order *order, uint32_t number, unsigned depth) {
  const struct tree_node *node = &order->tree->nodes[number];
  if (order->uses->of_node[number] != NO_SECTION) {
    if (order->next == order->file->section_count)
      return false;
    struct memory_use *use = &order->uses->sections[order->uses->of_node[number]].use;
    use->instructions += order->file->sections[order->next].instructions;
    use->misses += order->file->sections[order->next++].misses;
    return true;
  }
  if (depth == MAX_DEPTH || node->sections == 0)
    return node->sections == 0;
  const struct tree_child *children = emulated_node_children(order->tree, node);
  for (uint64_t c = 0; c < node->count; c++)
    for (uint64_t i = 0; children[c].node != NO_NODE && i < children[c].repeat; i++)
      if (!assign_simulated_section_misses(order, children[c].node, depth + 1))
        return false;
      else if (order->tree->nodes[children[c].node].sections == 0)
        break;
  return true;
}

/* Adds instructions and misses that valgrind simulated to the memory use of sections: those of each section, or a part
   of the total in proportion to the work.  Fails if the file PATH is of another program.  */
static void add_simulated_section_misses(struct section_uses *uses, const struct task_tree *tree,
                                         const struct cachegrind *simulated, const char *path) {
  double ns = 1e9 / tree->units_per_second;
  for (size_t i = 0; i < uses->count; i++)
    uses->sections[i].use = (struct memory_use){.time = uses->sections[i].work * ns};
  if (simulated->by_section) {
    struct order order = {uses, tree, simulated, 0};
    if (!assign_simulated_section_misses(&order, (uint32_t)(tree->node_count - 1), 0) ||
        order.next != simulated->section_count)
      fail(path, "its %zu sections are not those of the profile; run the same program with the same arguments",
           simulated->section_count);
    uses->source = USES_SIMULATED;
    return;
  }
  double work = emulated_tree_root(tree)->work;
  for (size_t i = 0; i < uses->count && work > 0; i++) {
    uses->sections[i].use.instructions = simulated->all.instructions * uses->sections[i].work / work;
    uses->sections[i].use.misses = simulated->all.misses * uses->sections[i].work / work;
  }
  uses->source = USES_DIVIDED;
}

struct section_uses find_section_memory_uses(const struct task_tree *tree, const struct cilkprof_tree *from,
                                             const char *file, double line) {
  struct section_uses uses = {0};
  find_emulated_section_uses(&uses, tree);
  if (file != NULL) {
    if (!(tree->units_per_second > 0))
      fail(file, "it cannot be used: the profile has instructions, and how long sections take is not known");
    struct cachegrind simulated = read_cachegrind_simulation(file);
    line = simulated.line > 0 ? simulated.line : line;
    add_simulated_section_misses(&uses, tree, &simulated, file);
  } else {
    add_counted_section_misses(&uses, from);
  }
  compute_section_memory_traffic(&uses, line);
  return uses;
}
