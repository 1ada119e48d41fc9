/* Finds the last-level cache of this machine in the files of the system.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
#include "cilkprof-report/emulation/caches.h"
#include "cilkprof-report/emulation/memory.h"
#include "cilkprof-report/support/support.h"

enum { MAX_CACHES = 16, FEWEST_WAYS = 8, DEFAULT_BYTES = 32 << 20 };

/* Reads the attribute NAME of the cache with index CACHE from the files of the system: a number that may have a unit,
   as 32768K.  Returns 0 if there is none.  */
static size_t read_machine_cache_attribute(unsigned cache, const char *name) {
  char *path = format_string("/sys/devices/system/cpu/cpu0/cache/index%u/%s", cache, name);
  FILE *file = fopen(path, "r");
  unsigned long number = 0;
  char unit = 0;
  if (file != NULL) {
    if (fscanf(file, "%lu%c", &number, &unit) < 1)
      number = 0;
    fclose(file);
  }
  free(path);
  return number << (unit == 'K' ? 10 : unit == 'M' ? 20 : 0);
}

/* Returns whether NUMBER is a power of two, as cache simulators require of line sizes and numbers of sets.  */
static bool is_simulatable_cache_size(size_t number) {
  return number > 0 && (number & (number - 1)) == 0;
}

/* Sets the associativity of CACHE so that simulators accept it.  Keeps the real one if the number of sets is a power of
   two; otherwise chooses another one for which it is, of at least FEWEST_WAYS if possible.  */
static void choose_simulated_cache_ways(struct cache *cache) {
  size_t lines = cache->bytes / cache->line, sets = 1;
  if (cache->ways > 0 && lines % cache->ways == 0 && is_simulatable_cache_size(lines / cache->ways))
    return;
  while (lines % (2 * sets) == 0 && lines / (2 * sets) >= FEWEST_WAYS)
    sets *= 2;
  cache->ways = lines / sets;
}

struct cache last_level_cache_to_simulate(void) {
  struct cache last = {0};
  size_t level = 0;
  for (unsigned i = 0; i < MAX_CACHES; i++) {
    size_t its = read_machine_cache_attribute(i, "level"), bytes = read_machine_cache_attribute(i, "size");
    if (its > level && bytes > 0) {
      level = its;
      last = (struct cache){bytes, read_machine_cache_attribute(i, "coherency_line_size"),
                            read_machine_cache_attribute(i, "ways_of_associativity")};
    }
  }
  last.bytes = last.bytes > 0 ? last.bytes : DEFAULT_BYTES;
  last.line = is_simulatable_cache_size(last.line) ? last.line : DEFAULT_LINE;
  last.bytes -= last.bytes % last.line;
  choose_simulated_cache_ways(&last);
  return last;
}
