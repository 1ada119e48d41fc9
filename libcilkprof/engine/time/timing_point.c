/* Timing points of hybrid mode: the cost of an instruction is learnt for each of them from the strands that are timed.
   SPDX-License-Identifier: MIT

   Two reads of the timer take longer than most strands that have a loop.  So only a sample of the short strands that
   begin at a timing point is timed, one in SAMPLE or SELDOM, chosen at random so that the sample does not fall into
   step with the program.  The instructions of all strands are counted.  A strand that is not timed costs its
   instructions times the cost of an instruction in the sample.  Where strands are long, or some recent ones were, all
   are timed.

   The time of a short strand includes the cost of reading the timer, which is subtracted; it is measured by an extra
   read before each strand.  The difference may be negative.  It is kept with its sign, so that sums are right.  */

#include "libcilkprof/common/protocol.h"
#include "libcilkprof/engine/host.h"
#include "libcilkprof/engine/time/call_cost.h"
#include "libcilkprof/engine/time/clock.h"
#include "libcilkprof/engine/time/divide.h"

enum {
  FIRST = 8,           /* strands that are timed at first */
  SAMPLE = 16,         /* then one strand in 16 is timed */
  SELDOM = 64,         /* or one in 64, where the cost of an instruction is steady */
  STEADY = 16,         /* steady: it changed by at most 1/STEADY while MANY strands were timed */
  MANY = 256,          /* after 256 timed strands, old ones count half: the program may do something else now */
  SHORT_CALL_NS = 200, /* longer calls are all timed, since they vary more than strands of known length */
  SHORT_NS = 2000,     /* longer strands are all timed: they are worth two reads of the timer */
  WATCHED = 64,        /* after an unexpectedly long strand, the next 64 are all timed */
  OUTLIER = 8,   /* times the expected cost: most likely not caused by the program; if it is, it will happen again */
  DISTURBED = 4, /* times the usual cost of reading the timer: that read was interrupted */
  CALIBRATION_ROUNDS = 40,
  CALIBRATION_EXECUTIONS = 31,
};

/* The seed of the random numbers.  */
#define RANDOM 88172645463325252u

static struct {
  uint64_t read;        /* the cost of reading the timer, in ticks */
  uint64_t event;       /* the cost of the rest of the events that is timed with a strand, in ticks */
  uint64_t short_units; /* SHORT_NS in units of work */
  uint64_t short_call;  /* SHORT_CALL_NS in units of work */
  uint64_t unforeseen;  /* what more the events of a call take that is timed, in units of work, if it is short */
  uint64_t scale;       /* the factor for long strands, in 1/CILKPROF_TIMED_SCALE */
} learning = {.scale = CILKPROF_TIMED_SCALE};

/* Returns whether this thread is recorded when it reaches a timing point.  Starts the engine if this is the first event
   of the program: a function may reach a timing point before any other event.  */
static int is_recorded_at_timing_point(void) {
  static const uint64_t hybrid = CILKPROF_MODE_HYBRID;
  static const function_t first = {.mode = &hybrid};
  if (!THREAD.foreign.key)
    HOST.start(&first);
  return THREAD.recording != 0;
}

/* Begins to time a strand at POINT, a timing point.  Returns the address of POINT with the lowest bit set, or 0 if the
   thread is not recorded.  */
EXPORT uint64_t __cilkprof_timing_point_begin(timing_point_t *point) {
  if (__CILKPROF_RARE(!THREAD.recording) && !is_recorded_at_timing_point())
    return 0;
  __cilkprof_clock_forget_others();
  uint64_t first = __cilkprof_p_timer();
  if (__CILKPROF_RARE(first - THREAD.last > THREAD.look_after))
    first = __cilkprof_look();
  uint64_t now = __cilkprof_p_timer();
  profiled_thread()->timing_points.last_read = now - first;
  profiled_thread()->timing_points.probes = THREAD.probes;
  profiled_thread()->timing_points.begun++;
  point->timer = now;
  point->before = 0;
  return (uint64_t)point | 1;
}

/* Returns the next pseudo-random number of this thread (xorshift), by which the strands to be timed are chosen.  */
static uint64_t random_for_timing_points(void) {
  uint64_t x = profiled_thread()->timing_points.random;
  x ^= x << 13;
  x ^= x >> 7;
  x ^= x << 17;
  return profiled_thread()->timing_points.random = x;
}

/* Halves the weight of the strands that were timed at POINT so far, and notes whether the cost of an instruction was
   steady.  */
static void halve_weight_of_timing_point(timing_point_t *point) {
  uint64_t before = point->factor_before, now = point->factor, change = now > before ? now - before : before - now;
  point->steady = change <= before / STEADY;
  point->factor_before = now;
  point->executions /= 2;
  point->instructions /= 2;
  point->units = (uint64_t)((int64_t)point->units / 2);
}

/* Adds a timed strand to what is known about the cost of an instruction at POINT: its INSTRUCTIONS took UNITS, which
   may be negative.  Decides how many of the next strands there are not timed.  */
static void learn_instruction_cost_at_timing_point(timing_point_t *point, uint64_t instructions, uint64_t units) {
  point->executions++;
  point->instructions += instructions;
  point->units += units;
  if (point->executions < FIRST)
    return;
  uint64_t sum = (int64_t)point->units > 0 ? point->units : 0;
  point->factor = sum >> 48 ? (sum / point->instructions) << 16 : (sum << 16) / point->instructions;
  if (point->watched)
    point->watched--;
  else if (divide_small(sum, point->executions) < learning.short_units) {
    uint64_t sample = point->steady ? SELDOM : SAMPLE;
    point->skip =
        sample / 2 + (random_for_timing_points() >> 33) % sample; /* SAMPLE - 1/2 on average, or SELDOM - 1/2 */
  }
  if (point->executions >= MANY)
    halve_weight_of_timing_point(point);
}

/* Returns UNITS, the time of a strand, without the cost of the events that were timed with it.  The result may be
   negative, modulo 2^64.  */
static uint64_t subtract_timing_cost_of_events(uint64_t units) {
  uint64_t read = profiled_thread()->timing_points.last_read < DISTURBED * learning.read
                      ? profiled_thread()->timing_points.last_read
                      : learning.read;
  return units - ((read + learning.event) * THREAD.scale >> 16) -
         (THREAD.probes - profiled_thread()->timing_points.probes);
}

/* Returns whether UNITS are so much more than the EXPECTED cost of a strand at POINT that an interrupt is the likely
   cause, or the cold caches that it left.  Such a strand is booked with the expected cost: its real time would dominate
   its path, and most of what is learnt from a few hundred short strands.  */
static int is_timing_outlier(const timing_point_t *point, uint64_t expected, uint64_t units) {
  return point->executions >= FIRST && !point->watched && (int64_t)units > (int64_t)(OUTLIER * expected) &&
         (int64_t)units > (int64_t)learning.short_units / OUTLIER;
}

/* Returns whether a strand that took UNITS is long although its EXPECTED cost, by its instructions, is not.  Then
   others may be too, which only the timer shows.  */
static int is_timing_unexpectedly_long(uint64_t expected, uint64_t units) {
  return (int64_t)units > (int64_t)learning.short_units && units > 2 * expected;
}

/* Returns whether what is measured since SINCE, and took UNITS, was disturbed by a sample, in it or shortly before, and
   is so short that this changes it much.  */
static int is_timing_disturbed(uint64_t since, uint64_t units) {
  enum { LITTLE = 250 };
  return profiled_thread()->clock.recovered - since < UINT64_MAX / 2 &&
         (int64_t)units < (int64_t)(LITTLE * learning.short_units);
}

/* Makes the samples of a disturbed strand wait in the list HELD, of what measures it, for the next one, if it was
   sampled itself, since SINCE; those in the list go with this one.  Of many equal strands the longest is on the span,
   and that would be one that was sampled, or never, however it is corrected.  The next one stands for it: its cost has
   nothing to do with the sample.  */
static void hold_samples_of_strand(uint64_t *held, uint64_t since) {
  if (profiled_thread()->clock.sampled - since < UINT64_MAX / 2)
    HOST.hold_samples(held);
  else if (*held)
    HOST.carry_samples(held, 1, 1);
}

/* Gives the samples that wait in HELD, if there are any, to a strand that took UNITS, where such strands take MEAN.  */
static void carry_samples_of_strand(uint64_t *held, uint64_t units, uint64_t mean) {
  if (__CILKPROF_RARE(*held))
    HOST.carry_samples(held, (int64_t)units > 0 ? units : 0, mean);
}

/* Sets the strand that POINT times aside, as the call that it makes has reached code of the program.  Returns what it
   took so far.  */
uint64_t __cilkprof_timing_point_pause(timing_point_t *point) {
  return point->before + subtract_timing_cost_of_events(__cilkprof_clock_strand_cost(point->timer));
}

/* Goes on with the strand that POINT timed, which took UNITS so far.  */
void __cilkprof_timing_point_resume(timing_point_t *point, uint64_t units) {
  point->before = units;
  profiled_thread()->timing_points.last_read = learning.read;
  profiled_thread()->timing_points.probes = THREAD.probes;
  profiled_thread()->clock.not_this_strand = 0;
  point->timer = __cilkprof_p_timer();
}

/* Returns whether all strands at POINT are to be timed: they run code that is not counted, and how long that takes
   varies.  Notes that the last one took UNITS, of which so much was EXPECTED.  */
static int is_timing_point_varying(timing_point_t *point, uint64_t expected, uint64_t units) {
  enum { SURE = 64, MUCH = 16 };
  if (!point->varies || (int64_t)units < 0)
    return 0;
  point->seen += units;
  if (units > OUTLIER * expected)
    point->outliers += units;
  int known = point->seen > SURE * learning.short_units;
  return (known && point->outliers > point->seen / MUCH) || units > OUTLIER * (expected + learning.short_units);
}

/* Ends the timed strand that began at POINT.  INSTRUCTIONS is how many were counted in it.  Returns its cost in units
   of work.  */
EXPORT uint64_t __cilkprof_timing_point_end(timing_point_t *point, uint64_t instructions) {
  uint64_t units = point->before + subtract_timing_cost_of_events(__cilkprof_clock_strand_cost(point->timer));
  uint64_t expected = (uint64_t)((unsigned __int128)instructions * point->factor >> 16);
  if (__CILKPROF_RARE(is_timing_point_varying(point, expected, units))) {
    point->watched = WATCHED;
    return __cilkprof_timed(units);
  }
  if (__CILKPROF_RARE(is_timing_disturbed(point->timer, units)) && instructions && point->last_instructions) {
    uint64_t like = (uint64_t)((unsigned __int128)instructions * point->last_units / point->last_instructions);
    hold_samples_of_strand(&point->held, point->timer);
    return like;
  }
  carry_samples_of_strand(&point->held, units, expected);
  point->last_instructions = instructions;
  point->last_units = (int64_t)units > 0 ? units : 0;
  if (instructions && instructions < __CILKPROF_LONG) {
    int outlier = is_timing_outlier(point, expected, units);
    if (is_timing_unexpectedly_long(expected, units))
      point->watched = WATCHED;
    if (outlier)
      return expected;
    learn_instruction_cost_at_timing_point(point, instructions, units);
  }
  return (int64_t)units > 0 ? __cilkprof_timed(units) : 0;
}

/* Returns a random number from LEAST, of up to 31 bits, to three times that, exclusively.  What is done each time after
   so many other things, as timing a strand, then does not stay in step with the program.  */
uint64_t __cilkprof_random_around(uint64_t least) {
  return least + ((random_for_timing_points() >> 32) * (2 * least) >> 32);
}

/* Returns the timer where a call begins that is to be timed.  */
uint64_t __cilkprof_call_begin(void) {
  __cilkprof_clock_forget_others();
  uint64_t now = __cilkprof_p_timer();
  if (__CILKPROF_RARE(now - THREAD.last > THREAD.look_after)) {
    __cilkprof_look();
    now = __cilkprof_p_timer();
  }
  return now;
}

/* Returns what is to be subtracted from UNITS, the time of calls on average, because the processor does not foresee
   which calls are timed.  Where calls are short, that is all it costs: in longer ones the processor recovers while they
   wait for memory or for results.  */
static uint64_t unforeseen_part_of_calls(uint64_t units) {
  uint64_t most = learning.unforeseen;
  if (units >= 4 * most)
    return 0;
  if (units > 2 * most)
    return (4 * most - units) / 2;
  return units < most ? units : most;
}

/* Returns what a call took that began when the timer was SINCE, in units of work, and adds it to what is known of such
   calls, COST.  The difference to the cost of the events may be negative, and is kept with its sign.  */
uint64_t __cilkprof_call_end(struct call_cost *cost, uint64_t since) {
  uint64_t units =
      __cilkprof_clock_strand_cost(since) - ((learning.read + learning.event) * THREAD.scale >> 16) - cost->counters;
  if (__CILKPROF_RARE(is_timing_disturbed(since, units)) && cost->timed >= FIRST) {
    hold_samples_of_strand(&cost->held, since);
    return __cilkprof_timed(cost->units);
  }
  carry_samples_of_strand(&cost->held, units, cost->units);
  cost->timed++;
  cost->timings++;
  cost->total += units;
  uint64_t mean = (int64_t)cost->total > 0 ? divide_small(cost->total, cost->timed) : 0,
           unforeseen = unforeseen_part_of_calls(mean);
  if (cost->timed >= FIRST) {
    cost->units = mean - unforeseen;
    cost->time_after = cost->units < learning.short_call ? __cilkprof_random_around(SAMPLE / 2) : 0;
  }
  if (cost->timed >= MANY) {
    cost->timed /= 2;
    cost->total = (uint64_t)((int64_t)cost->total / 2);
  }
  units -= unforeseen;
  return (int64_t)units > 0 ? __cilkprof_timed(units) : 0;
}

/* Returns the units of work that a stretch of code must take at least so that its time is worth measuring.  */
uint64_t __cilkprof_short_stretch(void) {
  return learning.short_call * 2;
}

/* Returns the units of work that may be followed at a time to learn from them.  */
uint64_t __cilkprof_long_sample(void) {
  enum { SHORT_STRETCHES = 50 };
  return learning.short_units * SHORT_STRETCHES;
}

/* Makes the next strands at POINT be timed, because one of them was long, and others may be.  */
void __cilkprof_watch_point(timing_point_t *point) {
  point->watched = WATCHED;
  point->skip = 0;
}

/* Returns the cost of a strand that began at POINT and turned out to be long, of so many INSTRUCTIONS, although the
   timed ones were short and it was only counted.  The time of short strands is mostly that of reading the timer, and
   what is left of it says little about an instruction of a long one.  So each counts at least as it does elsewhere.
   One of few instructions is only long if its samples tell so: it ran code that is not counted.
   More long ones may follow, and are timed.  */
EXPORT uint64_t __cilkprof_long_counted(timing_point_t *point, uint64_t instructions) {
  uint64_t learnt = (uint64_t)((unsigned __int128)instructions * point->factor >> 16);
  uint64_t ns = THREAD.sampled && THREAD.recording ? HOST.samples_of_strand() : 0;
  uint64_t sampled = (uint64_t)((unsigned __int128)ns * __cilkprof_units_per_second() / 1000000000);
  if (sampled <= learnt && instructions < __CILKPROF_LONG)
    return learnt;
  __cilkprof_watch_point(point);
  if (instructions < __CILKPROF_LONG)
    return __cilkprof_timed(sampled);
  return learnt > instructions ? learnt : instructions;
}

/* Returns the cost, in hybrid mode, of a strand that was timed at UNITS; long strands are scaled and summed.  The time
   of long strands is known exactly, that of others is estimated.  So a second run may scale long strands relative to
   the others, by what the first run measured (common/protocol.h).  */
uint64_t __cilkprof_timed(uint64_t units) {
  if (units < learning.short_units)
    return units;
  if (__CILKPROF_RARE(learning.scale != CILKPROF_TIMED_SCALE))
    units = (uint64_t)((unsigned __int128)units * learning.scale / CILKPROF_TIMED_SCALE);
  profiled_thread()->timing_points.timed_units += units;
  return units;
}

/* Sets the scale of long timed strands, in 1/CILKPROF_TIMED_SCALE.  */
void __cilkprof_timed_start(uint64_t scale) {
  learning.scale = scale;
}

/* Returns the cost of all long timed strands, in units of work, and stores the cost without the scale in *AS_TIMED.  */
uint64_t __cilkprof_timed_units(uint64_t *as_timed) {
  uint64_t units = profiled_thread()->timing_points.timed_units;
  *as_timed = (uint64_t)((unsigned __int128)units * CILKPROF_TIMED_SCALE / learning.scale);
  return units;
}

/* Returns how many ticks an empty strand seems to take: what timing it adds to the time of every strand.  */
static uint64_t measure_timing_of_empty_strand(void) {
  uint64_t sorted[CALIBRATION_ROUNDS];
  static timing_point_t point;
  uint64_t (*volatile begin)(timing_point_t *) = __cilkprof_timing_point_begin;
  for (int i = 0, at; i < CALIBRATION_ROUNDS; i++) {
    uint64_t ticks = 0;
    for (int j = 0; j < CALIBRATION_EXECUTIONS; j++) {
      begin(&point);
      ticks += __cilkprof_p_timer() - point.timer;
    }
    for (at = i; at > 0 && sorted[at - 1] > ticks; at--)
      sorted[at] = sorted[at - 1];
    sorted[at] = ticks;
  }
  return sorted[CALIBRATION_ROUNDS / 4] / CALIBRATION_EXECUTIONS;
}

/* A call that does nothing, and its events as far as they are timed with it: a few functions, of which the last one is
   entered by a branch that the processor does not foresee.  */
static __attribute__((noinline, noclone)) void begin_empty_call(uint64_t *since, int timed) {
  *since = timed ? __cilkprof_call_begin() : 0;
}
static __attribute__((noinline, noclone)) void empty_call(void) {
  __asm__ volatile("" : : : "memory");
}
static __attribute__((noinline, noclone)) uint64_t ticks_of_empty_call(const uint64_t *since) {
  return __cilkprof_p_timer() - *since;
}
static __attribute__((noinline, noclone)) uint64_t end_empty_call(const uint64_t *since) {
  return __CILKPROF_RARE(*since) ? ticks_of_empty_call(since) : 0;
}

/* Returns what an empty call seems to take that is timed, in units of work.  Only some calls are timed, at random, as
   in a program.  */
static uint64_t measure_timing_of_empty_call(void) {
  enum { CALLS = 128, TIMED_IN = 8 };
  uint64_t sorted[CALIBRATION_ROUNDS];
  for (int i = 0, at; i < CALIBRATION_ROUNDS; i++) {
    uint64_t ticks = 0, timed = 0, since;
    for (int j = 0; j < CALLS; j++) {
      begin_empty_call(&since, (random_for_timing_points() >> 33) % TIMED_IN == 0);
      empty_call();
      timed += since != 0;
      ticks += end_empty_call(&since);
    }
    uint64_t units = timed ? __cilkprof_ticks_to_units(ticks) / timed : 0;
    for (at = i; at > 0 && sorted[at - 1] > units; at--)
      sorted[at] = sorted[at - 1];
    sorted[at] = units;
  }
  return sorted[CALIBRATION_ROUNDS / 4];
}

/* Measures what the events at timing points cost themselves, so that it can be subtracted from the time of strands.  */
void __cilkprof_timing_points_start(void) {
  profiled_thread()->timing_points.random = RANDOM;
  learning.read = ENGINE.timer_cost / 1024;
  learning.short_units = (uint64_t)((unsigned __int128)SHORT_NS * __cilkprof_units_per_second() / 1000000000);
  learning.short_call = learning.short_units * SHORT_CALL_NS / SHORT_NS;
  uint64_t empty = measure_timing_of_empty_strand();
  learning.event = empty > learning.read ? empty - learning.read : 0;
  uint64_t call = measure_timing_of_empty_call(), foreseen = (learning.read + learning.event) * THREAD.scale >> 16;
  learning.unforeseen = call > foreseen ? call - foreseen : 0;
}
