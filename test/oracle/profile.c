/* The measurements that the engine made.
   SPDX-License-Identifier: MIT  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmt/description.h"
#include "test/oracle/measure.h"

char *site_name(unsigned kind, unsigned flags, unsigned line, unsigned column, const char *const strings[4],
                const char *callee) {
  static const char *const kinds[] = {"call", "spawn", "loop", "outside"};
  char *name;
  if (asprintf(&name, "%s:%u:%u: %s %s > %s (%s, flags %u)", strings[0], line, column, kind < 4 ? kinds[kind] : "?",
               strings[1], callee, strings[3], flags) < 0)
    fail("out of memory");
  return name;
}

static char *name_of(const struct cilkprof_profile *profile, const struct cilkprof_site *site) {
  const char *path = profile->objects[site->object].path;
  const char *at = executable_description(executable_open(path), site->description);
  struct cilkprof_description head;
  const char *strings[4];
  memcpy(&head, at, sizeof head);
  at += sizeof head;
  for (int i = 0; i < 4; i++, at += strlen(at) + 1)
    strings[i] = at;
  const char *callee = strings[2];
  if (site->callee_object != CILKPROF_NO_OBJECT)
    callee = executable_function(executable_open(profile->objects[site->callee_object].path), site->callee);
  return site_name(head.kind, head.flags, head.line, head.column, strings, callee ? callee : "?");
}

static void *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "r");
  if (!file)
    fail("%s: cannot be opened", path);
  size_t room = 1 << 16;
  char *bytes = allocate(room);
  *size = 0;
  for (size_t got; (got = fread(bytes + *size, 1, room - *size, file)) > 0;)
    if ((*size += got) == room)
      bytes = reallocate(bytes, room *= 2);
  fclose(file);
  return bytes;
}

static void add_contexts(struct table *table, const struct cilkprof_profile *profile, char *const *site_names) {
  uint32_t *context_of = allocate(profile->context_count * sizeof *context_of);
  contexts_begin();
  for (size_t i = 0; i < profile->context_count; i++) {
    const struct cilkprof_context *context = &profile->contexts[i];
    uint32_t parent = context->parent == CILKPROF_NO_CONTEXT ? 0 : context_of[context->parent];
    context_of[i] = contexts_enter(parent, context->site);
    if (contexts_on_work(context_of[i])->top_call_site.count)
      fail("context %zu is there twice", i);
    contexts_on_work(context_of[i])->top_call_site = context->on_work;
    contexts_on_span(context_of[i])->top_call_site = context->on_span;
  }
  contexts_end(table, site_names);
  free(context_of);
}

struct cilkprof_profile profile_read(const char *path) {
  size_t size;
  void *bytes = read_file(path, &size);
  struct cilkprof_profile profile;
  struct cilkprof_read_error error;
  if (cilkprof_read(bytes, size, &profile, &error) < 0)
    fail("%s: %s", path, error.message);
  free(bytes);
  return profile;
}

void profile_tabulate(struct table *table, const struct cilkprof_profile *profile) {
  if (profile->program.flags & ~(uint64_t)CILKPROF_TASKS)
    fail("flags %lu", (unsigned long)profile->program.flags);
  table->totals = profile->totals;
  table->own = profile->own;
  char **names = allocate(profile->site_count * sizeof *names);
  for (size_t i = 0; i < profile->site_count; i++)
    names[i] = name_of(profile, &profile->sites[i]);
  add_contexts(table, profile, names);
  for (size_t i = 0; i < profile->site_count; i++)
    table_add(table, names[i], &profile->sites[i].on_work, &profile->sites[i].on_span);
  free(names);
  for (size_t i = 0; i < profile->whatif_count; i++) {
    const struct cilkprof_whatif *from = &profile->whatifs[i];
    table_add_whatif(table,
                     &(struct whatif_row){strdup(from->candidate), from->faster, from->count, from->work, from->span});
  }
}
