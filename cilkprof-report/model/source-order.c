/* Call sites and functions, sorted by file and line.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/model/library.h"
#include "cilkprof-report/model/source-order.h"
#include "cilkprof-report/support/support.h"

/* Returns the key by which LINE of FILE is sorted.  Until model_source_order_sort, its upper half is the number of the
   file in the unsorted names.  */
static uint64_t model_source_order_key(struct source_order *order, const char *file, uint32_t line) {
  if (file != order->last_file) {
    order->last_file = file;
    order->last_number = interned_name_number(&order->files, file);
  }
  return (uint64_t)order->last_number << 32 | line;
}

/* Appends OF, a call site or a function, with its KEY to LIST, whose array has *ROOM elements and grows as needed.  */
static void model_source_order_add_item(struct ordered *list, size_t *room, uint64_t key, const void *of) {
  list->items = grow_array(list->items, list->count, room, sizeof *list->items);
  list->items[list->count++] = (struct keyed){key, of};
}

/* Adds SITE to ORDER, which is to show it in FILE at LINE.  */
void model_source_order_add_site(struct source_order *order, const char *file, uint32_t line, const struct site *site) {
  model_source_order_add_item(&order->sites, &order->site_room, model_source_order_key(order, file, line), site);
}

/* Adds FUNCTION to ORDER, which is to show it in FILE at the line where it is defined.  */
void model_source_order_add_function(struct source_order *order, const char *file, const struct function *function) {
  model_source_order_add_item(&order->functions, &order->function_room,
                              model_source_order_key(order, file, function->place.line), function);
}

/* Returns the brief name of the caller of SITE, by which call sites of one line are sorted; "" for code without
   instrumentation.  */
static const char *model_source_order_caller_name(const struct site *site) {
  return site->caller != NULL ? site->caller->brief_name : "";
}

/* Callback of sort_keyed: compares two call sites of one line by the name of the caller, then by their place in the
   model.  */
static int compare_model_source_order_sites(const void *left, const void *right, const void *closure) {
  const struct site *a = left, *b = right;
  (void)closure;
  int order = a->caller != b->caller ? strcmp(model_source_order_caller_name(a), model_source_order_caller_name(b)) : 0;
  return order != 0 ? order : a < b ? -1 : a > b;
}

/* Callback of sort_keyed: compares two functions that start in one line by brief name, then by number.  */
static int compare_model_source_order_functions(const void *left, const void *right, const void *closure) {
  const struct function *a = left, *b = right;
  (void)closure;
  int order = strcmp(a->brief_name, b->brief_name);
  return order != 0 ? order : a->number < b->number ? -1 : a->number > b->number;
}

/* Callback of qsort: compares two source files by name, and sorts the program's own files before system files.  */
static int compare_model_source_order_files(const void *left, const void *right) {
  const char *a = *(const char *const *)left, *b = *(const char *const *)right;
  return is_system_source_file(a) != is_system_source_file(b) ? is_system_source_file(a) - is_system_source_file(b)
                                                              : strcmp(a, b);
}

/* Sorts the source files FILES.  RANKS[i] becomes the index of file number i among the sorted files.
   Frees the table of FILES: no name can be looked up in it afterwards.  */
static void sort_model_source_order_files(struct names *files, uint64_t *ranks) {
  const char **sorted = allocate(files->count, sizeof *sorted);
  for (size_t i = 0; i < files->count; i++)
    sorted[i] = files->strings[i];
  qsort(sorted, files->count, sizeof *sorted, compare_model_source_order_files);
  for (size_t i = 0; i < files->count; i++)
    ranks[interned_name_number(files, sorted[i])] = i;
  for (size_t i = 0; i < files->count; i++)
    files->strings[i] = sorted[i];
  hash_table_free(&files->table); /* it has the old indices */
  free(sorted);
}

/* Replaces file numbers by RANKS in the keys of LIST, and sorts it by file and line, then by COMPARE.  */
static void sort_model_source_order_list(struct ordered *list, const uint64_t *ranks,
                                         int (*compare)(const void *left, const void *right, const void *closure)) {
  for (size_t i = 0; i < list->count; i++)
    list->items[i].key = ranks[list->items[i].key >> 32] << 32 | model_source_order_line(list->items[i].key);
  sort_keyed(list->items, list->count, compare, NULL);
}

void model_source_order_sort(struct source_order *order) {
  uint64_t *ranks = allocate(order->files.count, sizeof *ranks);
  sort_model_source_order_files(&order->files, ranks);
  sort_model_source_order_list(&order->sites, ranks, compare_model_source_order_sites);
  sort_model_source_order_list(&order->functions, ranks, compare_model_source_order_functions);
  free(ranks);
}

/* Returns the key of the next item of LIST, or UINT64_MAX if there is none.  */
static uint64_t model_source_order_next_key(const struct ordered *list) {
  return list->next < list->count ? list->items[list->next].key : UINT64_MAX;
}

/* Sets *KEY to the smallest key among the next call site and the next function of ORDER.  Returns false if there are
   none.  */
bool model_source_order_next(const struct source_order *order, uint64_t *key) {
  uint64_t site = model_source_order_next_key(&order->sites), function = model_source_order_next_key(&order->functions);
  *key = site < function ? site : function;
  return order->sites.next < order->sites.count || order->functions.next < order->functions.count;
}

/* Frees the lists of call sites and functions of ORDER.  */
void model_source_order_free(struct source_order *order) {
  free(order->sites.items);
  free(order->functions.items);
}
