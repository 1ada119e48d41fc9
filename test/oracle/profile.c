/* The measurements that the engine made.
   SPDX-License-Identifier: MIT  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmt/description.h"
#include "test/oracle/measure.h"

/* Returns a name for a site from all that its description has.  Allocated.  */
char *oracle_site_name(unsigned kind, unsigned flags, unsigned line, unsigned column, const char *const strings[4],
                       const char *callee) {
  static const char *const kinds[] = {"call", "spawn", "loop", "outside"};
  char *name;
  if (asprintf(&name, "%s:%u:%u: %s %s > %s (%s, flags %u)", strings[0], line, column, kind < 4 ? kinds[kind] : "?",
               strings[1], callee, strings[3], flags) < 0)
    oracle_fail("out of memory");
  return name;
}

/* Returns the name of SITE of PROFILE, from its description in the executable.  Allocated.  */
static char *oracle_name_of(const struct cilkprof_profile *profile, const struct cilkprof_site *site) {
  const char *path = profile->objects[site->object].path;
  const char *at = oracle_executable_description(oracle_executable_open(path), site->description);
  struct cilkprof_description head;
  const char *strings[4];
  memcpy(&head, at, sizeof head);
  at += sizeof head;
  for (int i = 0; i < 4; i++, at += strlen(at) + 1)
    strings[i] = at;
  const char *callee = strings[2];
  if (site->callee_object != CILKPROF_NO_OBJECT)
    callee =
        oracle_executable_function(oracle_executable_open(profile->objects[site->callee_object].path), site->callee);
  return oracle_site_name(head.kind, head.flags, head.line, head.column, strings, callee ? callee : "?");
}

/* Returns the contents of the file PATH, and its size in *SIZE.  Allocated.  */
static void *oracle_read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "r");
  if (!file)
    oracle_fail("%s: cannot be opened", path);
  size_t room = 1 << 16;
  char *bytes = oracle_allocate(room);
  *size = 0;
  for (size_t got; (got = fread(bytes + *size, 1, room - *size, file)) > 0;)
    if ((*size += got) == room)
      bytes = oracle_reallocate(bytes, room *= 2);
  fclose(file);
  return bytes;
}

/* Adds the contexts of PROFILE to TABLE.  */
static void oracle_add_contexts(struct table *table, const struct cilkprof_profile *profile, char *const *site_names) {
  uint32_t *context_of = oracle_allocate(profile->context_count * sizeof *context_of);
  oracle_contexts_begin();
  for (size_t i = 0; i < profile->context_count; i++) {
    const struct cilkprof_context *context = &profile->contexts[i];
    uint32_t parent = context->parent == CILKPROF_NO_CONTEXT ? 0 : context_of[context->parent];
    context_of[i] = oracle_contexts_enter(parent, context->site);
    if (oracle_contexts_on_work(context_of[i])->top_call_site.count)
      oracle_fail("context %zu is there twice", i);
    oracle_contexts_on_work(context_of[i])->top_call_site = context->on_work;
    oracle_contexts_on_span(context_of[i])->top_call_site = context->on_span;
  }
  oracle_contexts_end(table, site_names);
  free(context_of);
}

/* Returns the profile in the file PATH, which the caller frees.  Fails if it cannot be read.  */
struct cilkprof_profile oracle_profile_read(const char *path) {
  size_t size;
  void *bytes = oracle_read_file(path, &size);
  struct cilkprof_profile profile;
  struct cilkprof_read_error error;
  if (cilkprof_read(bytes, size, &profile, &error) < 0)
    oracle_fail("%s: %s", path, error.message);
  free(bytes);
  return profile;
}

/* Adds everything in PROFILE that is compared to TABLE.  */
void oracle_profile_tabulate(struct table *table, const struct cilkprof_profile *profile) {
  if (profile->program.flags & ~(uint64_t)CILKPROF_TASKS)
    oracle_fail("flags %lu", (unsigned long)profile->program.flags);
  table->totals = profile->totals;
  table->own = profile->own;
  char **names = oracle_allocate(profile->site_count * sizeof *names);
  for (size_t i = 0; i < profile->site_count; i++)
    names[i] = oracle_name_of(profile, &profile->sites[i]);
  oracle_add_contexts(table, profile, names);
  for (size_t i = 0; i < profile->site_count; i++)
    oracle_table_add(table, names[i], &profile->sites[i].on_work, &profile->sites[i].on_span);
  free(names);
  for (size_t i = 0; i < profile->whatif_count; i++) {
    const struct cilkprof_whatif *from = &profile->whatifs[i];
    oracle_table_add_whatif(
        table, &(struct whatif_row){strdup(from->candidate), from->faster, from->count, from->work, from->span});
  }
}
