/* Reads files of the valgrind tools cachegrind and callgrind.
   SPDX-License-Identifier: GPL-3.0-or-later

   Both begin with "desc:" lines, list the counted events in "events:", and have the sums in "summary:".  Data about
   functions and lines are ignored.  A callgrind file has several such parts if callgrind was told to write one before
   calls of a function; "desc: Trigger:" then names the function.  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/emulation/cachegrind.h"
#include "cilkprof-report/support/support.h"

enum { MAX_EVENTS = 64 };

struct input {
  const char *path;
  size_t line; /* number of the current line */
  struct cachegrind *result;
  size_t room;
  int instructions, misses[3]; /* indices of these events; -1: not counted */
  size_t events;
  bool summed; /* the sums of this part have been read */
  size_t sums;
  const char *trigger; /* trigger of this part, or NULL */
  bool open;           /* inside a section */
};

/* Returns whether LINE of a file of cachegrind begins with WORD.  */
static bool cachegrind_simulation_line_begins(const char *line, const char *word) {
  return strncmp(line, word, strlen(word)) == 0;
}

/* Returns whether callgrind wrote the present part of its file before a call of FUNCTION.  */
static bool is_simulated_part_trigger(const struct input *input, const char *function) {
  const char *before = "--dump-before=";
  return input->trigger != NULL && cachegrind_simulation_line_begins(input->trigger, before) &&
         strcmp(input->trigger + strlen(before), function) == 0;
}

/* Reads the NAMES of the events that cachegrind counted, and notes the columns of instructions and misses.  Fails if
   these were not counted.  */
static void read_simulated_cache_events(struct input *input, char *names) {
  static const char *const misses[] = {"ILmr", "DLmr", "DLmw"};
  char *rest;
  input->instructions = -1;
  for (size_t i = 0; i < 3; i++)
    input->misses[i] = -1;
  input->events = 0;
  for (char *name = strtok_r(names, " \t", &rest); name != NULL; name = strtok_r(NULL, " \t", &rest)) {
    if (input->events == MAX_EVENTS)
      fail(input->path, "line %zu: unknown events for a file of cachegrind", input->line);
    if (strcmp(name, "Ir") == 0)
      input->instructions = (int)input->events;
    for (size_t i = 0; i < 3; i++)
      if (strcmp(name, misses[i]) == 0)
        input->misses[i] = (int)input->events;
    input->events++;
  }
  if (input->instructions < 0)
    fail(input->path, "line %zu: it counts no instructions (Ir): it is not cachegrind's", input->line);
  if (input->misses[1] < 0 || input->misses[2] < 0)
    fail(input->path, "it has no misses of the last-level cache: run valgrind with --cache-sim=yes");
  input->summed = false;
}

/* Reads the sums of a part of a file of cachegrind from TEXT, one for each event.  Zeros at the end may be missing.  */
static struct simulated read_simulated_cache_sums(const struct input *input, const char *text) {
  double values[MAX_EVENTS] = {0};
  size_t count = 0;
  for (; text[strspn(text, " \t")] != 0; count++) {
    char *end;
    text += strspn(text, " \t");
    unsigned long long value = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || (*end != 0 && *end != ' ' && *end != '\t') || count == input->events)
      fail(input->path, "line %zu: these are not the sums of its %zu events", input->line, input->events);
    values[count] = (double)value;
    text = end;
  }
  struct simulated sums = {.instructions = values[input->instructions]};
  for (size_t i = 0; i < 3; i++)
    sums.misses += input->misses[i] >= 0 ? values[input->misses[i]] : 0;
  return sums;
}

/* Adds MORE instructions and misses that cachegrind simulated to TO.  */
static void add_simulated_cache_counts(struct simulated *to, struct simulated more) {
  to->instructions += more.instructions;
  to->misses += more.misses;
}

/* Ends a part of a file of callgrind that has these SUMS.  Parts end where a section begins or ends, so the sums belong
   to the section that was open before.  */
static void end_simulated_cache_part(struct input *input, struct simulated sums) {
  struct cachegrind *result = input->result;
  add_simulated_cache_counts(&result->all, sums);
  if (input->open)
    add_simulated_cache_counts(&result->sections[result->section_count - 1], sums);
  if (is_simulated_part_trigger(input, SECTION_BEGINS)) {
    result->sections = grow_array(result->sections, result->section_count, &input->room, sizeof *result->sections);
    result->sections[result->section_count++] = (struct simulated){0};
    result->by_section = input->open = true;
  } else if (is_simulated_part_trigger(input, SECTION_ENDS)) {
    input->open = false;
  }
  input->trigger = NULL;
  input->summed = true;
  input->sums++;
}

/* Reads one LINE of a file of cachegrind or callgrind: the size of cache lines, a trigger, the names of events, or
   their sums.  Ignores other lines.  */
static void read_cachegrind_simulation_line(struct input *input, char *line) {
  static const char cache[] = "desc: LL cache:", trigger[] = "desc: Trigger: ";
  unsigned long long size;
  double bytes;
  if (cachegrind_simulation_line_begins(line, cache) &&
      sscanf(line + strlen(cache), "%llu B, %lf B,", &size, &bytes) == 2 && bytes >= 1)
    input->result->line = bytes;
  else if (cachegrind_simulation_line_begins(line, trigger))
    input->trigger = line + strlen(trigger);
  else if (cachegrind_simulation_line_begins(line, "events:"))
    read_simulated_cache_events(input, line + strlen("events:"));
  else if (cachegrind_simulation_line_begins(line, "summary:") || cachegrind_simulation_line_begins(line, "totals:")) {
    if (input->events == 0)
      fail(input->path, "line %zu: sums come before what was counted: it is not cachegrind's", input->line);
    if (!input->summed)
      end_simulated_cache_part(input, read_simulated_cache_sums(input, strchr(line, ':') + 1));
  }
}

struct cachegrind read_cachegrind_simulation(const char *path) {
  struct cachegrind result = {0};
  struct file file = read_whole_file(path, NULL);
  struct input input = {.path = path, .result = &result};
  char *text = reallocate(file.bytes, file.size + 1, 1), *end = text + file.size;
  *end = 0;
  for (char *line = text; line < end;) {
    char *stop = memchr(line, '\n', (size_t)(end - line)), *next = stop != NULL ? stop + 1 : end;
    if (stop != NULL)
      *stop = 0;
    input.line++;
    read_cachegrind_simulation_line(&input, line);
    line = next;
  }
  if (input.events == 0)
    fail(path, "it has no list of events: not a file of valgrind's cachegrind or callgrind");
  if (input.sums == 0 || !input.summed)
    fail(path, "it has no totals at its end: valgrind did not finish it");
  free(text);
  return result;
}
