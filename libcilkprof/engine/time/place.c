/* Hybrid mode: what strands cost that begin to be measured at one place, learnt from those that are timed.
   SPDX-License-Identifier: MIT

   Two reads of the timer take longer than most strands with a loop.  So of the short ones at a place only some are
   timed, one in SAMPLE or SELDOM, chosen so that nothing in the program is in step with it; the instructions of all are
   counted, and those that are not timed cost what an instruction cost in those that were.  Where strands are long, or
   some of the last ones were, all are timed.

   A short strand is timed with what reading the timer takes, which is read once more before it; so what it took may
   come out as less than nothing.  In the sum that is right: it is kept with its sign.  */

#include "libcilkprof/common/protocol.h"
#include "libcilkprof/engine/host.h"
#include "libcilkprof/engine/time/clock.h"

enum {
  FIRST = 8,       /* executions that are timed at first */
  SAMPLE = 16,     /* then one in so many, */
  SELDOM = 64,     /* and where the cost stays the same, one in so many: */
  STEADY = 16,     /* from one MANY to the next it changed by one in so many at most */
  MANY = 256,      /* after so many, old ones count half: the program may have gone on to something else */
  SHORT_NS = 2000, /* what is longer is worth two reads of the timer, */
  OUTLIER = 8,     /* times what is usual is most likely not the program's; where it is, it comes again */
  WATCHED = 64,    /* as are so many behind it */
  DISTURBED = 4,   /* times as long as usual: a read of the timer that was interrupted */
  CALIBRATION_ROUNDS = 40,
  CALIBRATION_EXECUTIONS = 31,
};

/* What random numbers begin with.  */
#define RANDOM 88172645463325252u

static struct {
  uint64_t read;        /* ticks: what reading the timer takes, */
  uint64_t event;       /* and what else of the events is timed with a strand */
  uint64_t short_units; /* SHORT_NS */
  uint64_t scale;       /* of long strands, in 1/CILKPROF_TIMED_SCALE */
} learning = {.scale = CILKPROF_TIMED_SCALE};

/* Whether this thread is recorded.  A function that no event has announced yet may be the first of the program.  */
static int is_recorded(void) {
  static const uint64_t hybrid = CILKPROF_MODE_HYBRID;
  static const function_t first = {.mode = &hybrid};
  if (!THREAD.foreign.key)
    HOST.start(&first);
  return THREAD.recording != 0;
}

EXPORT uint64_t __cilkprof_place_begin(place_t *place) {
  if (__CILKPROF_RARE(!THREAD.recording) && !is_recorded())
    return 0;
  __cilkprof_forget_others();
  uint64_t first = __cilkprof_p_timer();
  if (__CILKPROF_RARE(first - THREAD.last > THREAD.look_after))
    first = __cilkprof_look();
  uint64_t now = __cilkprof_p_timer();
  profiled_thread()->places.last_read = now - first;
  profiled_thread()->places.probes = THREAD.probes;
  place->timer = now;
  return (uint64_t)place | 1;
}

static uint64_t random_number(void) {
  uint64_t x = profiled_thread()->places.random;
  x ^= x << 13;
  x ^= x >> 7;
  x ^= x << 17;
  return profiled_thread()->places.random = x;
}

/* Old ones count half from here on.  */
static void forget_half(place_t *place) {
  uint64_t before = place->factor_before, now = place->factor, change = now > before ? now - before : before - now;
  place->steady = change <= before / STEADY;
  place->factor_before = now;
  place->executions /= 2;
  place->instructions /= 2;
  place->units = (uint64_t)((int64_t)place->units / 2);
}

/* UNITS, with its sign, is what so many instructions took.  */
static void learn(place_t *place, uint64_t instructions, uint64_t units) {
  place->executions++;
  place->instructions += instructions;
  place->units += units;
  if (place->executions < FIRST)
    return;
  uint64_t sum = (int64_t)place->units > 0 ? place->units : 0;
  place->factor = sum >> 48 ? (sum / place->instructions) << 16 : (sum << 16) / place->instructions;
  if (place->watched)
    place->watched--;
  else if (sum / place->executions < learning.short_units) {
    uint64_t sample = place->steady ? SELDOM : SAMPLE;
    place->skip = sample / 2 + (random_number() >> 33) % sample; /* SAMPLE - 1/2 on average */
  }
  if (place->executions >= MANY)
    forget_half(place);
}

/* What the events take is subtracted.  */
static uint64_t without_events(uint64_t units) {
  uint64_t read = profiled_thread()->places.last_read < DISTURBED * learning.read ? profiled_thread()->places.last_read
                                                                                  : learning.read;
  return units - ((read + learning.event) * THREAD.scale >> 16) - (THREAD.probes - profiled_thread()->places.probes);
}

/* An interrupt, or what it left of the caches, in a strand that was chosen to be timed would be all of its path, and
   among a few hundred short ones most of what is learnt.  The strand gets what is usual.  */
static int is_outlier(const place_t *place, uint64_t usual, uint64_t units) {
  return place->executions >= FIRST && !place->watched && (int64_t)units > (int64_t)(OUTLIER * usual) &&
         (int64_t)units > (int64_t)learning.short_units / OUTLIER;
}

/* A strand that is long, and not because it has many instructions: others may be, which only the timer tells.  */
static int is_surprise(uint64_t usual, uint64_t units) {
  return (int64_t)units > (int64_t)learning.short_units && units > 2 * usual;
}

EXPORT uint64_t __cilkprof_place_end(place_t *place, uint64_t instructions) {
  uint64_t units = without_events(__cilkprof_time(place->timer));
  if (instructions && instructions < __CILKPROF_LONG) {
    uint64_t usual = (uint64_t)((unsigned __int128)instructions * place->factor >> 16);
    int outlier = is_outlier(place, usual, units);
    if (is_surprise(usual, units))
      place->watched = WATCHED;
    if (outlier)
      return usual;
    learn(place, instructions, units);
  }
  return (int64_t)units > 0 ? __cilkprof_timed(units) : 0;
}

/* Of long strands the time is known: a run after this one may take them to be some times as long beside those that are
   counted or learnt.  */
uint64_t __cilkprof_timed(uint64_t units) {
  if (units < learning.short_units)
    return units;
  if (__CILKPROF_RARE(learning.scale != CILKPROF_TIMED_SCALE))
    units = (uint64_t)((unsigned __int128)units * learning.scale / CILKPROF_TIMED_SCALE);
  profiled_thread()->places.timed_units += units;
  return units;
}

void __cilkprof_timed_start(uint64_t scale) {
  learning.scale = scale;
}

uint64_t __cilkprof_timed_units(uint64_t *as_timed) {
  uint64_t units = profiled_thread()->places.timed_units;
  *as_timed = (uint64_t)((unsigned __int128)units * CILKPROF_TIMED_SCALE / learning.scale);
  return units;
}

/* What a strand with nothing in it seems to take.  */
static uint64_t empty_strand(void) {
  uint64_t sorted[CALIBRATION_ROUNDS];
  static place_t place;
  uint64_t (*volatile begin)(place_t *) = __cilkprof_place_begin;
  for (int i = 0, at; i < CALIBRATION_ROUNDS; i++) {
    uint64_t ticks = 0;
    for (int j = 0; j < CALIBRATION_EXECUTIONS; j++) {
      begin(&place);
      ticks += __cilkprof_p_timer() - place.timer;
    }
    for (at = i; at > 0 && sorted[at - 1] > ticks; at--)
      sorted[at] = sorted[at - 1];
    sorted[at] = ticks;
  }
  return sorted[CALIBRATION_ROUNDS / 4] / CALIBRATION_EXECUTIONS;
}

void __cilkprof_places_start(void) {
  profiled_thread()->places.random = RANDOM;
  learning.read = ENGINE.timer_cost / 1024;
  learning.short_units = (uint64_t)((unsigned __int128)SHORT_NS * __cilkprof_units_per_second() / 1000000000);
  uint64_t empty = empty_strand();
  learning.event = empty > learning.read ? empty - learning.read : 0;
}
