/* Prints the tree of a profile, a node or a run of work a line, indented: print-tree FILE
   SPDX-License-Identifier: MIT

     tree FLAGS nodes children units work
     task NAME            work N           section NAME FLAGS    lock NAME
   followed by "xN" where it comes N times; the work before each of them stands first.  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "fmt/profile.h"

/* Returns the contents of the file PATH, which is allocated, and their number in *SIZE.  Exits with status 2 if it
   cannot be read.  */
static void *test_libcilkprof_file_bytes(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  char *bytes = NULL;
  *size = 0;
  for (size_t got = 1; file != NULL && got > 0; *size += got) {
    bytes = realloc(bytes, *size + (1 << 16));
    got = fread(bytes + *size, 1, 1 << 16, file);
  }
  if (file == NULL || ferror(file))
    exit(2);
  fclose(file);
  return bytes;
}

/* Prints the children of node NUMBER and everything below them, indented by DEPTH.  */
static void test_libcilkprof_print_node(const struct cilkprof_tree *tree, uint64_t number, int depth) {
  static const char *const kinds[] = {"", "task", "section", "lock"};
  const struct cilkprof_tree_node *node = &tree->nodes[number];
  if (depth > 50) {
    printf("%*s...\n", 2 * depth, "");
    return;
  }
  for (uint64_t i = 0; i < node->count; i++) {
    const struct cilkprof_tree_child *child = &tree->children[node->first + i];
    printf("%*s%llu", 2 * depth, "", (unsigned long long)child->before);
    if (child->node != CILKPROF_NO_NODE) {
      const struct cilkprof_tree_node *inner = &tree->nodes[child->node];
      printf(" %s %s", kinds[inner->kind], tree->names[inner->name]);
      if (inner->kind == CILKPROF_TREE_SECTION)
        printf(" %llu", (unsigned long long)inner->flags);
    }
    if (child->repeat > 1)
      printf(" x%llu", (unsigned long long)child->repeat);
    putchar('\n');
    if (child->node != CILKPROF_NO_NODE)
      test_libcilkprof_print_node(tree, child->node, depth + 1);
  }
}

/* Returns the work of the whole TREE.  Children come before their parents in the file, so one pass is enough.  */
static uint64_t test_libcilkprof_work_of(const struct cilkprof_tree *tree) {
  uint64_t *works = calloc(tree->node_count, sizeof *works), work = 0;
  for (size_t i = 0; works != NULL && i < tree->node_count; i++) {
    for (uint64_t c = 0; c < tree->nodes[i].count; c++) {
      const struct cilkprof_tree_child *child = &tree->children[tree->nodes[i].first + c];
      works[i] += child->repeat * (child->before + (child->node == CILKPROF_NO_NODE ? 0 : works[child->node]));
    }
    work = works[i];
  }
  free(works);
  return work;
}

/* Prints the tree in the profile that the first argument names, else in cilkprof.out: with a second argument only its
   sizes and its work.  Returns 1 if the profile cannot be read.  */
int main(int argc, char **argv) {
  struct cilkprof_profile profile;
  struct cilkprof_read_error error;
  size_t size;
  void *bytes = test_libcilkprof_file_bytes(argc > 1 ? argv[1] : "cilkprof.out", &size);
  if (cilkprof_read(bytes, size, &profile, &error) != 0) {
    printf("%s\n", error.message);
    return 1;
  }
  const struct cilkprof_tree *tree = &profile.tree;
  if (tree->node_count == 0) {
    puts("no tree");
    return 0;
  }
  printf("tree %llu %zu nodes %zu children %llu %llu\n", (unsigned long long)tree->flags, tree->node_count,
         tree->child_count, (unsigned long long)tree->units_per_second,
         (unsigned long long)test_libcilkprof_work_of(tree));
  if (argc < 3)
    test_libcilkprof_print_node(tree, tree->node_count - 1, 0);
  return 0;
}
