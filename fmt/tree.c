/* Decodes and checks the tree of a profile.
   SPDX-License-Identifier: MIT  */

#include "fmt/reader.h"
#include "fmt/verify.h"

/* Returns the next COUNT structures of RECORD, the TREE record, in memory of the profile; NULL if the record is too
   short.  Each has SIZE bytes, which are integers of 64 bits.  */
static const void *take_tree_array(struct reader *reader, struct record *record, uint64_t count, size_t size) {
  if (count > (record->length - record->taken) / size)
    return NULL;
  void *array = reader_allocate(reader, count * size);
  if (record_take_bytes(reader, record, array, count * size) != 0)
    return NULL;
  file_to_host_order64(reader, array, count * size / sizeof(uint64_t));
  return array;
}

/* Decodes the COUNT names at the end of RECORD, the TREE record, into TREE.  Returns 0, or -1 with the error filled
   in.  */
static int take_tree_names(struct reader *reader, struct record *record, struct cilkprof_tree *tree, uint64_t count) {
  if (count > (record->length - record->taken) / sizeof(uint32_t))
    return reader_fail(reader, record->offset, "the task tree has fewer names than it states");
  const char **names = reader_allocate(reader, count * sizeof *names);
  tree->names = names;
  tree->name_count = count;
  for (size_t i = 0; i < count; i++)
    if (record_take_text(reader, record, &names[i]) != 0)
      return -1;
  return 0;
}

/* Decodes the sums of hardware counters in RECORD, the TREE record, into TREE, if the flags of the tree say that it has
   any.  Returns 0, or -1 with the error filled in.  */
static int take_tree_counts(struct reader *reader, struct record *record, struct cilkprof_tree *tree) {
  uint64_t count;
  if (!(tree->flags & CILKPROF_TREE_COUNTED))
    return 0;
  if (record_take_bytes(reader, record, &count, sizeof count) != 0)
    return -1;
  file_to_host_order64(reader, &count, 1);
  tree->counts = take_tree_array(reader, record, count, sizeof *tree->counts);
  if (tree->counts == NULL)
    return reader_fail(reader, record->offset, "the task tree has fewer counters than it states");
  tree->count_count = count;
  return 0;
}

/* Decodes and checks the TREE record: the tree of sections, tasks and locks that emulators run.  Returns 0, or -1 with
   the error filled in.  */
int decode_tree_record(struct reader *reader, struct record *record) {
  struct cilkprof_tree *tree = &reader->profile->tree;
  struct cilkprof_tree_payload fixed;
  if (record_take_bytes(reader, record, &fixed, sizeof fixed) != 0)
    return -1;
  file_to_host_order64(reader, &fixed, sizeof fixed / sizeof(uint64_t));
  *tree = (struct cilkprof_tree){
      .flags = fixed.flags, .units_per_second = fixed.units_per_second, .tolerance = fixed.tolerance};
  tree->nodes = take_tree_array(reader, record, fixed.node_count, sizeof *tree->nodes);
  tree->children =
      tree->nodes != NULL ? take_tree_array(reader, record, fixed.child_count, sizeof *tree->children) : NULL;
  if (tree->children == NULL)
    return reader_fail(reader, record->offset, "the task tree does not have the stated number of nodes and children");
  tree->node_count = fixed.node_count;
  tree->child_count = fixed.child_count;
  if (take_tree_counts(reader, record, tree) != 0 || take_tree_names(reader, record, tree, fixed.name_count) != 0)
    return -1;
  const char *wrong = cilkprof_verify_tree(tree);
  return wrong != NULL ? reader_fail(reader, record->offset, "%s", wrong) : 0;
}

/* Checks CHILD, a child of the node of TREE with index PARENT.  Tasks occur only in sections.  Returns NULL, or what is
   wrong.  */
static const char *verify_tree_child(const struct cilkprof_tree *tree, size_t parent,
                                     const struct cilkprof_tree_child *child) {
  if (child->repeat == 0)
    return "a child in the task tree occurs zero times";
  if (child->node == CILKPROF_NO_NODE)
    return NULL;
  if (child->node >= parent)
    return "a node of the task tree precedes one of its children";
  if (tree->nodes[child->node].kind == CILKPROF_TREE_TASK && tree->nodes[parent].kind != CILKPROF_TREE_SECTION)
    return "a task of the tree is outside of any section";
  return NULL;
}

/* Checks the node of TREE at index PLACE, whose children must begin at index FIRST.  Returns NULL, or what is
   wrong.  */
static const char *verify_tree_node(const struct cilkprof_tree *tree, size_t place, uint64_t first) {
  const struct cilkprof_tree_node *node = &tree->nodes[place];
  const uint64_t flags = CILKPROF_TREE_NOWAIT | CILKPROF_TREE_SPAWNS;
  if (node->kind < CILKPROF_TREE_TASK || node->kind > CILKPROF_TREE_LOCK)
    return "unknown kind of node in the task tree";
  if (node->flags & ~(node->kind == CILKPROF_TREE_SECTION ? flags : 0))
    return "unknown node flags in the task tree";
  if (node->name >= tree->name_count)
    return "a node of the task tree refers to a missing name";
  if (node->first != first || node->count > tree->child_count - first)
    return "the children in the task tree do not match its nodes";
  for (uint64_t i = 0; i < node->count; i++) {
    const char *wrong = verify_tree_child(tree, place, &tree->children[first + i]);
    if (wrong != NULL)
      return wrong;
  }
  return NULL;
}

/* Checks kinds, flags and indices in TREE, and that its last node is the program.  Returns NULL, or what is wrong.  */
const char *cilkprof_verify_tree(const struct cilkprof_tree *tree) {
  const uint64_t flags = CILKPROF_TREE_WIDENED | CILKPROF_TREE_CUT | CILKPROF_TREE_OPEN | CILKPROF_TREE_NESTING |
                         CILKPROF_TREE_OF_CILK | CILKPROF_TREE_COUNTED;
  uint64_t first = 0;
  if (tree->flags & ~flags)
    return "unknown flags of the task tree";
  if (tree->node_count == 0 || tree->nodes[tree->node_count - 1].kind != CILKPROF_TREE_TASK)
    return "the last node of the task tree is not the program";
  for (size_t i = 0; i < tree->node_count; i++) {
    const char *wrong = verify_tree_node(tree, i, first);
    if (wrong != NULL)
      return wrong;
    first += tree->nodes[i].count;
  }
  for (size_t i = 0; i < tree->count_count; i++)
    if (tree->counts[i].name >= tree->name_count)
      return "a counter of the task tree refers to a missing name";
  return first == tree->child_count ? NULL : "the children in the task tree do not match its nodes";
}
