/* Parts of a run that are measured as programs of their own: that is, each of their passages.
   SPDX-License-Identifier: MIT

   A passage is all of an invocation of what is named, with what it called, that is not below another such one.  */

#include <stdlib.h>
#include <string.h>

#include "test/oracle/measure.h"

unsigned long cut_number(char *text, char mark, unsigned long otherwise) {
  char *at = strrchr(text, mark);
  if (!at || !at[1] || strspn(at + 1, "0123456789") != strlen(at + 1))
    return otherwise;
  *at = 0;
  return strtoul(at + 1, NULL, 10);
}

struct named named_by(const char *text) {
  struct named named = {.name = strdup(text)};
  named.line = cut_number(named.name, ':', 0);
  return named;
}

static bool ends_with(const char *path, const char *name) {
  size_t length = strlen(path), part = strlen(name);
  return length >= part && !strcmp(path + length - part, name) && (length == part || path[length - part - 1] == '/');
}

bool is_invocation_of(const struct run *run, const struct invocation *invocation, const struct named *named) {
  if (!invocation->site)
    return false;
  const struct site *site = &run->sites[invocation->site];
  if (named->line)
    return site->line == named->line && ends_with(site->strings[0], named->name);
  return !strcmp(site->strings[2], named->name) ||
         (invocation->entered && !strcmp(run->sites[invocation->entered].strings[2], named->name));
}

struct part part_program(const struct run *run) {
  struct part part = {.start_of = calloc(run->invocation_count, sizeof *part.start_of), .passages = 1};
  return part;
}

struct part part_root(const struct run *run, const char *name) {
  struct part part = {.start_of = allocate(run->invocation_count * sizeof *part.start_of)};
  struct named named = named_by(name);
  part.start_of[0] = NONE;
  for (uint32_t i = 1; i < run->invocation_count; i++) {
    part.start_of[i] = part.start_of[run->invocations[i].caller];
    if (part.start_of[i] == NONE && is_invocation_of(run, &run->invocations[i], &named)) {
      part.start_of[i] = i;
      part.passages++;
    }
  }
  free(named.name);
  return part;
}
