/* Reads a trace (tracer.c says how it is written).
   SPDX-License-Identifier: MIT  */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "test/oracle/trace.h"

/* Adds the function of the record LINE to RUN.  */
static void oracle_read_function(struct run *run, const char *line) {
  uint64_t address;
  if (sscanf(line, "%*u %" SCNx64, &address) != 1)
    oracle_fail("a function record is damaged");
  if (run->function_count + 1 >= run->function_room) {
    run->function_room = run->function_room ? 2 * run->function_room : 64;
    run->addresses = oracle_reallocate(run->addresses, run->function_room * sizeof *run->addresses);
  }
  run->addresses[++run->function_count] = address;
}

/* Adds the site of the record LINE to RUN; its strings follow in TRACE.  */
static void oracle_read_site(struct run *run, FILE *trace, const char *line) {
  struct site new = {0};
  if (sscanf(line, "%*u %u %u %u %u %u %" SCNx64, &new.function, &new.kind, &new.flags, &new.line, &new.column,
             &new.callee) != 6)
    oracle_fail("a site is damaged");
  for (int i = 0; i < 4; i++) {
    size_t size = 0;
    ssize_t length = getline(&new.strings[i], &size, trace);
    if (length <= 0)
      oracle_fail("the trace is cut short");
    new.strings[i][length - 1] = 0;
  }
  if (run->site_count + 1 >= run->site_room) {
    run->site_room = run->site_room ? 2 * run->site_room : 64;
    run->sites = oracle_reallocate(run->sites, run->site_room * sizeof *run->sites);
  }
  run->sites[++run->site_count] = new;
}

enum { FINAL = 2 }; /* of libgomp's flags */

/* Passes the event with LETTER, of invocation FRAME and with values V, on to the function that follows it.  */
static void oracle_event(char letter, uint64_t frame, const uint64_t *v) {
  switch (letter) {
  case 'e':
    return oracle_on_enter(frame, (uint32_t)v[0], (uint32_t)v[1]);
  case 'c':
    return oracle_on_call(frame, v[0], (uint32_t)v[1], false);
  case 's':
    return oracle_on_call(frame, v[0], (uint32_t)v[1], true);
  case 'f':
    return oracle_on_foreign_call(frame, v[0], (uint32_t)v[1], v[2], v[3] != 0);
  case 'g':
    return; /* the return to the caller follows */
  case 'r':
    return oracle_on_returned(frame, (uint32_t)v[0]);
  case 'R':
    return oracle_on_spawn_returned(frame, v[0], (uint32_t)v[1]);
  case 'y':
    return oracle_on_sync(frame, v[0]);
  case 'l':
    return oracle_on_leave(frame, v[0]);
  case 'm':
    return oracle_on_resume(frame);
  case 'b':
    return oracle_on_block_begin(frame, v[0], (uint32_t)v[1], v[2]);
  case 'd':
    return oracle_on_block_end(frame, v[0]);
  case 'G':
    return oracle_on_loop_grains(frame, v[0], v[1]);
  case 'i':
    return oracle_on_iterate(frame, v[0]);
  case 'n':
    return oracle_on_grain(frame, v[0]);
  case 'L':
    return oracle_on_loop_end(frame, v[0], v[1]);
  case 'p':
    return oracle_on_serial_loop(frame, v[0], (uint32_t)v[1], v[2]);
  case 't':
    return oracle_on_team(frame, v[0]);
  case 'o':
    return oracle_on_team_loop(frame, v[0], v[1], v[2]);
  case 'k':
    return oracle_on_task_call(frame, v[0], (const uint32_t[]){(uint32_t)v[1], (uint32_t)v[2]}, v[3] != 0,
                               v[4] & FINAL);
  case 'K':
    return oracle_on_task_returned(frame, v[0]);
  case 'w':
    return oracle_on_taskwait(frame, v[0], v[1]);
  case 'Q':
    return oracle_on_team_run(frame, v[0], (uint32_t)v[1], v[2]);
  case 'N':
    return oracle_on_thread(frame, v[0]);
  case 'X':
    return oracle_on_team_end(frame, v[0]);
  case 'P':
    return oracle_on_post(frame, v[0], v[1]);
  case 'J':
    return oracle_on_join_post(frame, v[0], v[1]);
  case 'z':
    return oracle_on_regions_end(frame, v[0]);
  case 'x':
    return oracle_on_tasks_leave(frame, v[0]);
  default:
    oracle_fail("an unknown event, '%c'", letter);
  }
}

/* Reads the event in LINE and passes it on.  All values are decimal, except the address in a foreign call.  */
static void oracle_read_event(const char *line) {
  uint64_t values[6] = {0};
  char *end, letter = *line++;
  for (int i = 0; i < 6; i++, line = end)
    values[i] = strtoull(line, &end, letter == 'f' && i == 3 ? 16 : 10);
  oracle_event(letter, values[0], values + 1);
}

/* Reads the event of a task that begins, with the addresses it depends on.  */
static void oracle_read_task(const char *line) {
  enum { MAX_USES = 16 };
  struct use uses[MAX_USES];
  uint64_t values[6];
  size_t count = 0;
  char *end;
  for (int i = 0; i < 6; i++, line = end)
    values[i] = strtoull(line, &end, 10);
  for (; *line != '\n' && count < MAX_USES; count++, line = end) {
    uses[count].how = (unsigned)strtoull(line, &end, 10);
    uses[count].address = strtoull(end, &end, 10);
  }
  oracle_on_task_begin(values[0], values[1], (uint32_t[]){(uint32_t)values[2], (uint32_t)values[3]}, values[4],
                       values[5] & FINAL, uses, count);
}

/* Reads the start or stop of a region in LINE and passes it on.  Its label is the rest of the line, and may have
   blanks.  */
static void oracle_read_region(char *line) {
  char letter = *line++, *end;
  uint64_t frame = strtoull(line, &end, 10), work = strtoull(end, &end, 10);
  end[strcspn(end, "\n")] = 0;
  (letter == 'A' ? oracle_on_region_start : oracle_on_region_stop)(frame, work, end + 1);
}

/* Reads TRACE to RUN, whose dag follows from it.  Loops of Cilk are divided for WORKERS.  Fails if events contradict
   each other.  */
void oracle_run_read(struct run *run, FILE *trace, uint64_t workers) {
  char *line = NULL;
  size_t size = 0;
  oracle_follow_start(run, workers);
  while (getline(&line, &size, trace) > 0)
    if (*line == 'F')
      oracle_read_function(run, line + 1);
    else if (*line == 'S')
      oracle_read_site(run, trace, line + 1);
    else if (*line == 'T')
      oracle_read_task(line + 1);
    else if (*line == 'A' || *line == 'Z')
      oracle_read_region(line);
    else
      oracle_read_event(line);
  oracle_follow_end();
  free(line);
}

/* Frees all of RUN.  */
void oracle_run_free(struct run *run) {
  for (size_t i = 1; i <= run->site_count; i++)
    for (int j = 0; j < 4; j++)
      free(run->sites[i].strings[j]);
  free(run->sites);
  free(run->invocations);
  free(run->addresses);
  oracle_regions_free(run);
  oracle_dag_free(&run->dag);
}
