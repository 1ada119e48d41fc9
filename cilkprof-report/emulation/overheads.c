/* Overheads of runtime systems: measured on this machine, or typical ones.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/emulation/overheads.h"
#include "cilkprof-report/support/support.h"

#define INSTRUCTIONS_PER_NS 3 /* if instructions were counted: a processor with 3 GHz and one instruction per cycle */
#define MAX_NS              1e12

const struct overhead_name overhead_names[OVERHEADS] = {
    {"fork", "a team begins, for each thread but the first", offsetof(struct overheads, fork), 500},
    {"join", "a team ends, for each thread but the first", offsetof(struct overheads, join), 500},
    {"nested", "a team inside of another begins and ends, for each thread but the first",
     offsetof(struct overheads, nested), 20000},
    {"iteration", "a chunk of a loop is taken while it runs", offsetof(struct overheads, iteration), 40},
    {"lock", "a lock is taken and released", offsetof(struct overheads, lock), 40},
    {"task", "a task of OpenMP's is made and run", offsetof(struct overheads, task), 150},
    {"spawn", "a task of Cilk's is spawned", offsetof(struct overheads, spawn), 10},
    {"steal", "a worker tries to take a task from another", offsetof(struct overheads, steal), 200},
    {"burden", "a task goes on elsewhere", offsetof(struct overheads, burden), 3000},
};

/* Returns the address of the member of OVERHEADS that overhead_names[I] names.  */
double *emulated_overhead_by_index(struct overheads *overheads, size_t i) {
  return (double *)((char *)overheads + overhead_names[i].offset);
}

/* Returns the path of the file in which --calibrate keeps the overheads of runtime systems, or NULL if there is no
   folder for it.  The text is allocated.  */
char *emulated_overheads_path(void) {
  const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  if (cache != NULL && cache[0] == '/')
    return format_string("%s/cilkprof/overheads", cache);
  return home != NULL && home[0] == '/' ? format_string("%s/.cache/cilkprof/overheads", home) : NULL;
}

/* Returns the index in overhead_names of the overhead that the first LENGTH characters of TEXT name, or OVERHEADS if
   there is none.  */
static size_t find_emulated_overhead_name(const char *text, size_t length) {
  for (size_t i = 0; i < OVERHEADS; i++)
    if (strlen(overhead_names[i].name) == length && memcmp(overhead_names[i].name, text, length) == 0)
      return i;
  return OVERHEADS;
}

/* Returns whether VALUE is possible as the overhead of a runtime system in nanoseconds: not negative, not a NAN, and
   not too large.  */
static bool is_emulated_overhead_value(double value) {
  return value >= 0 && value <= MAX_NS; /* false for NAN */
}

/* Sets a parameter of contention for memory from TEXT, up to the next comma.  LENGTH is that of its name.  Returns the
   text after the comma, or NULL if it is not such a parameter.  */
static const char *parse_memory_contention_setting(struct memory_machine *memory, const char *text, size_t length) {
  size_t all = strcspn(text, ",");
  char *name = format_string("%.*s", (int)length, text);
  char *value = text[length] == '=' ? format_string("%.*s", (int)(all - length - 1), text + length + 1) : NULL;
  bool known = value != NULL && set_memory_contention_parameter(memory, name, value);
  free(name);
  free(value);
  return !known ? NULL : text[all] == ',' ? text + all + 1 : text + all;
}

/* Sets overheads and parameters of memory from TEXT, as "fork=900,lock=40,psi2=linear:1.5:2000".  Fails if TEXT is
   invalid.  */
void parse_emulated_overheads(struct overheads *overheads, struct memory_machine *memory, const char *text) {
  while (*text != 0) {
    size_t length = strcspn(text, "=,"), name = find_emulated_overhead_name(text, length);
    const char *behind = name == OVERHEADS ? parse_memory_contention_setting(memory, text, length) : NULL;
    if (behind != NULL) {
      text = behind;
      continue;
    }
    if (name == OVERHEADS || text[length] != '=')
      fail(text, "costs are named as in lock=40, in nanoseconds: fork, join, nested, iteration, lock, task, "
                 "spawn, steal, burden; and of memory line=64, phi=40000:-1:2000, psi2=linear:1.5:2000");
    char *end;
    double value = strtod(text + length + 1, &end);
    if (end == text + length + 1 || !is_emulated_overhead_value(value) || (*end != 0 && *end != ','))
      fail(text, "not a number of nanoseconds");
    *emulated_overhead_by_index(overheads, name) = value;
    text = *end == ',' ? end + 1 : end;
  }
}

/* Reads overheads in nanoseconds from the file that --calibrate wrote, in which each line has a name and a number.
   Lines that are not valid are ignored; overheads that the file lacks get typical values.  */
enum overheads_source read_emulated_overheads(struct overheads *overheads) {
  char *path = emulated_overheads_path(), line[256], name[32];
  FILE *file = path != NULL ? fopen(path, "r") : NULL;
  double value;
  size_t found = 0;
  for (size_t i = 0; i < OVERHEADS; i++)
    *emulated_overhead_by_index(overheads, i) = overhead_names[i].typical;
  while (file != NULL && fgets(line, sizeof line, file) != NULL)
    if (sscanf(line, "%31s %lf", name, &value) == 2 && find_emulated_overhead_name(name, strlen(name)) < OVERHEADS &&
        is_emulated_overhead_value(value)) {
      *emulated_overhead_by_index(overheads, find_emulated_overhead_name(name, strlen(name))) = value;
      found++;
    }
  if (file != NULL)
    fclose(file);
  free(path);
  return found > 0 ? OVERHEADS_MEASURED : OVERHEADS_TYPICAL;
}

/* Converts overheads from nanoseconds to units of a tree; UNITS_PER_SECOND of 0: the units are instructions.  */
struct overheads emulated_overheads_in_units(const struct overheads *overheads, double units_per_second) {
  struct overheads units = *overheads;
  for (size_t i = 0; i < OVERHEADS; i++)
    *emulated_overhead_by_index(&units, i) *= units_per_second > 0 ? units_per_second * 1e-9 : INSTRUCTIONS_PER_NS;
  return units;
}
