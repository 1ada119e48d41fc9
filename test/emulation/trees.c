/* Trees for the tests of the emulators: from a text, and at random.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "test/emulation/trees.h"

/* Returns a new node.  */
static struct plain_node *test_emulation_make(char kind) {
  struct plain_node *node = calloc(1, sizeof *node);
  node->kind = kind;
  return node;
}

/* Reads a number from *TEXT.  */
static uint64_t test_emulation_number(const char **text) {
  char *end;
  uint64_t value = strtoull(*text, &end, 10);
  *text = end;
  return value;
}

/* Reads a node from *TEXT, with all below it.  */
static struct plain_node *test_emulation_parse_node(const char **text) {
  struct plain_node *node = test_emulation_make(*(*text)++);
  uint64_t before = 0;
  if (node->kind == 'L')
    node->lock = test_emulation_number(text);
  for (++*text; **text != ')';) {
    struct item *item = &node->items[node->count];
    if (**text == ' ') {
      ++*text;
    } else if (**text >= '0' && **text <= '9') {
      before += test_emulation_number(text);
    } else {
      *item = (struct item){before, 1, test_emulation_parse_node(text)};
      if (**text == '*') {
        ++*text;
        item->repeat = test_emulation_number(text);
      }
      node->count++;
      before = 0;
    }
  }
  if (before > 0)
    node->items[node->count++] = (struct item){before, 1, NULL};
  ++*text;
  return node;
}

/* Returns the tree that TEXT describes, which is allocated.  */
struct plain_node *test_emulation_tree_parse(const char *text) {
  return test_emulation_parse_node(&text);
}

/* Prints NODE in the form of a text.  */
void test_emulation_tree_print(const struct plain_node *node, FILE *out) {
  fprintf(out, "%c", node->kind);
  if (node->kind == 'L')
    fprintf(out, "%llu", (unsigned long long)node->lock);
  fputc('(', out);
  for (size_t i = 0; i < node->count; i++) {
    const struct item *item = &node->items[i];
    fprintf(out, "%s%llu", i > 0 ? " " : "", (unsigned long long)item->before);
    if (item->node != NULL) {
      fputc(' ', out);
      test_emulation_tree_print(item->node, out);
    }
    if (item->repeat > 1)
      fprintf(out, "*%llu", (unsigned long long)item->repeat);
  }
  fputc(')', out);
}

static uint64_t state;

/* Returns a random number below LIMIT.  */
static uint64_t test_emulation_below(uint64_t limit) {
  state += UINT64_C(0x9E3779B97F4A7C15);
  uint64_t value = (state ^ state >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  value = (value ^ value >> 27) * UINT64_C(0x94D049BB133111EB);
  return (value ^ value >> 31) % limit;
}

static struct plain_node *test_emulation_random_node(char kind, unsigned depth, unsigned kinds);

/* Returns a random kind of section among KINDS.  */
static char test_emulation_section_kind(unsigned kinds) {
  if (kinds & TREES_SPAWNS && (!(kinds & TREES_LOOPS) || test_emulation_below(2) == 0))
    return 'P';
  return kinds & TREES_NOWAIT && test_emulation_below(3) == 0 ? 'N' : 'S';
}

/* Gives NODE random items, at most DEPTH levels deep.  */
static void test_emulation_random_items(struct plain_node *node, unsigned depth, unsigned kinds) {
  node->count = test_emulation_below(node->kind == 'L' ? 3 : 5);
  if (test_emulation_is_section(node))
    node->count++;
  for (size_t i = 0; i < node->count; i++) {
    struct item *item = &node->items[i];
    *item = (struct item){test_emulation_below(3) == 0 ? 0 : test_emulation_below(20), 1, NULL};
    uint64_t choice = test_emulation_below(10);
    if (test_emulation_is_section(node) && choice < 9)
      item->node = test_emulation_random_node('T', depth - 1, kinds);
    else if (depth > 0 && choice < 4)
      item->node = test_emulation_random_node(test_emulation_section_kind(kinds), depth, kinds);
    else if (depth > 0 && kinds & TREES_LOCKS && choice < 7 && node->kind != 'L')
      item->node = test_emulation_random_node('L', 0, kinds);
    if (test_emulation_below(4) == 0)
      item->repeat = 1 + test_emulation_below(test_emulation_is_section(node) && depth < 2 ? 30 : 3);
    if (item->node == NULL && item->before == 0)
      item->before = 1 + test_emulation_below(9);
  }
}

/* Returns a random node of KIND, at most DEPTH levels deep.  Locks hold neither locks nor sections, as programs that do
   so may deadlock.  */
static struct plain_node *test_emulation_random_node(char kind, unsigned depth, unsigned kinds) {
  struct plain_node *node = test_emulation_make(kind);
  if (kind == 'L')
    node->lock = test_emulation_below(2);
  test_emulation_random_items(node, depth, kind == 'L' ? 0 : kinds);
  return node;
}

/* Returns the random tree SEED.  */
struct plain_node *test_emulation_tree_random(uint64_t seed, unsigned kinds) {
  state = seed * 1000003;
  return test_emulation_random_node('T', 1 + (unsigned)test_emulation_below(3), kinds);
}

/* Nodes are not shared here: what the reader can do with one that is, it can do with two that are equal.  */
struct written {
  struct cilkprof_tree_node nodes[1 << 16];
  struct cilkprof_tree_child children[1 << 16];
  size_t node_count, child_count;
};

/* Adds NODE to the tree TO of a profile, after everything below it.  */
static void test_emulation_write_node(struct written *to, struct plain_node *node) {
  for (size_t i = 0; i < node->count; i++)
    if (node->items[i].node != NULL)
      test_emulation_write_node(to, node->items[i].node);
  struct cilkprof_tree_node *out = &to->nodes[to->node_count];
  *out = (struct cilkprof_tree_node){.kind = node->kind == 'T'   ? CILKPROF_TREE_TASK
                                             : node->kind == 'L' ? CILKPROF_TREE_LOCK
                                                                 : CILKPROF_TREE_SECTION,
                                     .flags = node->kind == 'N'   ? CILKPROF_TREE_NOWAIT
                                              : node->kind == 'P' ? CILKPROF_TREE_SPAWNS
                                                                  : 0,
                                     .lock = node->lock,
                                     .first = to->child_count,
                                     .count = node->count};
  for (size_t i = 0; i < node->count; i++)
    to->children[to->child_count++] =
        (struct cilkprof_tree_child){node->items[i].before, node->items[i].repeat,
                                     node->items[i].node != NULL ? node->items[i].node->number : CILKPROF_NO_NODE};
  node->number = to->node_count++;
}

/* Returns the tree ROOT as the emulator wants it, by way of the form in which it is in a profile.  */
struct task_tree *test_emulation_tree_compressed(struct plain_node *root) {
  static struct written written;
  static const char *const names[] = {""};
  written.node_count = written.child_count = 0;
  test_emulation_write_node(&written, root);
  return make_emulated_tree(&(struct cilkprof_tree){.node_count = written.node_count,
                                                    .child_count = written.child_count,
                                                    .name_count = 1,
                                                    .nodes = written.nodes,
                                                    .children = written.children,
                                                    .names = names},
                            "test");
}
