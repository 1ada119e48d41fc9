/* Call sites and functions, sorted by file and line.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/model/library.h"
#include "cilkprof-report/model/source-order.h"
#include "cilkprof-report/support/support.h"

/* Returns the key of a line.  Until order_sort, its upper half is the number of the file in the unsorted names.  */
static uint64_t key_of(struct source_order *order, const char *file, uint32_t line) {
  if (file != order->last_file) {
    order->last_file = file;
    order->last_number = name_number(&order->files, file);
  }
  return (uint64_t)order->last_number << 32 | line;
}

static void add_item(struct ordered *list, size_t *room, uint64_t key, const void *of) {
  list->items = grow(list->items, list->count, room, sizeof *list->items);
  list->items[list->count++] = (struct keyed){key, of};
}

void order_add_site(struct source_order *order, const char *file, uint32_t line, const struct site *site) {
  add_item(&order->sites, &order->site_room, key_of(order, file, line), site);
}

void order_add_function(struct source_order *order, const char *file, const struct function *function) {
  add_item(&order->functions, &order->function_room, key_of(order, file, function->place.line), function);
}

static const char *caller_name(const struct site *site) {
  return site->caller != NULL ? site->caller->brief_name : "";
}

static int compare_sites(const void *left, const void *right, const void *closure) {
  const struct site *a = left, *b = right;
  (void)closure;
  int order = a->caller != b->caller ? strcmp(caller_name(a), caller_name(b)) : 0;
  return order != 0 ? order : a < b ? -1 : a > b;
}

static int compare_functions(const void *left, const void *right, const void *closure) {
  const struct function *a = left, *b = right;
  (void)closure;
  int order = strcmp(a->brief_name, b->brief_name);
  return order != 0 ? order : a->number < b->number ? -1 : a->number > b->number;
}

/* Sorts the program's own files before system files.  */
static int compare_files(const void *left, const void *right) {
  const char *a = *(const char *const *)left, *b = *(const char *const *)right;
  return is_system_file(a) != is_system_file(b) ? is_system_file(a) - is_system_file(b) : strcmp(a, b);
}

/* Sorts FILES.  RANKS[i] becomes the index of file number i among the sorted files.  */
static void sort_files(struct names *files, uint64_t *ranks) {
  const char **sorted = allocate(files->count, sizeof *sorted);
  for (size_t i = 0; i < files->count; i++)
    sorted[i] = files->strings[i];
  qsort(sorted, files->count, sizeof *sorted, compare_files);
  for (size_t i = 0; i < files->count; i++)
    ranks[name_number(files, sorted[i])] = i;
  for (size_t i = 0; i < files->count; i++)
    files->strings[i] = sorted[i];
  table_forget(&files->table); /* it has the old indices */
  free(sorted);
}

/* Replaces file numbers by RANKS in the keys of LIST and sorts it.  */
static void sort_list(struct ordered *list, const uint64_t *ranks,
                      int (*compare)(const void *left, const void *right, const void *closure)) {
  for (size_t i = 0; i < list->count; i++)
    list->items[i].key = ranks[list->items[i].key >> 32] << 32 | order_line(list->items[i].key);
  sort_keyed(list->items, list->count, compare, NULL);
}

void order_sort(struct source_order *order) {
  uint64_t *ranks = allocate(order->files.count, sizeof *ranks);
  sort_files(&order->files, ranks);
  sort_list(&order->sites, ranks, compare_sites);
  sort_list(&order->functions, ranks, compare_functions);
  free(ranks);
}

/* Returns the key of the next item of LIST, or UINT64_MAX if there is none.  */
static uint64_t next_key(const struct ordered *list) {
  return list->next < list->count ? list->items[list->next].key : UINT64_MAX;
}

bool order_next(const struct source_order *order, uint64_t *key) {
  uint64_t site = next_key(&order->sites), function = next_key(&order->functions);
  *key = site < function ? site : function;
  return order->sites.next < order->sites.count || order->functions.next < order->functions.count;
}

void order_free(struct source_order *order) {
  free(order->sites.items);
  free(order->functions.items);
}
