/* Reads names of schedules.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/emulation/emulation.h"
#include "cilkprof-report/support/support.h"

static const struct {
  const char *name;
  enum schedule_kind kind;
  bool chunks;
} names[] = {
    {"static", SCHEDULE_STATIC, true}, {"dynamic", SCHEDULE_DYNAMIC, true}, {"guided", SCHEDULE_GUIDED, true},
    {"tasks", SCHEDULE_TASKS, false},  {"cilk", SCHEDULE_CILK, false},      {"greedy", SCHEDULE_GREEDY, false},
};

/* Reads a comma and the size of chunks, the end of a schedule such as "static,4", from *TEXT, and advances *TEXT.
   Returns 0 if there is no size.  */
static uint64_t parse_emulated_schedule_chunk(const char **text) {
  char *end;
  if (**text != ',' || !isdigit((unsigned char)(*text)[1]))
    return 0;
  unsigned long long chunk = strtoull(*text + 1, &end, 10);
  if (chunk == 0 || chunk > UINT32_MAX)
    fail(*text + 1, "the chunks of a schedule have 1 to %u iterations", UINT32_MAX);
  *text = end;
  return chunk;
}

struct schedule parse_emulated_schedule(const char **text) {
  const char *begin = *text;
  size_t length = strcspn(begin, ",");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (strlen(names[i].name) != length || memcmp(begin, names[i].name, length) != 0)
      continue;
    struct schedule schedule = {.kind = names[i].kind};
    *text += length;
    if (names[i].chunks)
      schedule.chunk = parse_emulated_schedule_chunk(text);
    schedule.name = format_string("%.*s", (int)(*text - begin), begin);
    if (**text == ',' && (*text)[1] != 0)
      ++*text;
    else if (**text != 0)
      break;
    return schedule;
  }
  fail(begin, "unknown schedule; known are static[,CHUNK], dynamic[,CHUNK], guided[,CHUNK], tasks, cilk and greedy");
}

/* Returns whether SCHEDULE is one of OpenMP loops (static, dynamic or guided), which teams of threads run.  */
bool is_emulated_team_schedule(const struct schedule *schedule) {
  return schedule->kind <= SCHEDULE_GUIDED;
}

/* Emulates TREE under SCHEDULE on MACHINE.  Returns the forecast: the running time, and where processor time is
   lost.  */
struct forecast emulate_schedule(const struct task_tree *tree, const struct schedule *schedule,
                                 const struct machine *machine) {
  return (is_emulated_team_schedule(schedule) ? emulate_teams : emulate_stealing)(tree, schedule, machine);
}
