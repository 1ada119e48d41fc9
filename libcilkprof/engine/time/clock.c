/* The timer: its frequency and cost, what an instruction is worth in time, and strands that were preempted.
   SPDX-License-Identifier: MIT

   In hybrid mode tiny strands are counted in instructions and all others are timed; the unit is the instruction, and
   time is converted by what an instruction cost in a calibration at the start: the recursion below, whose calls cost
   what a compiler's estimate says they do.  */

#include <errno.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

#include "libcilkprof/engine/time/clock.h"

enum {
  CALIBRATION_DEPTH = 15,           /* of the recursion: 1973 calls */
  CALIBRATION_INSTRUCTIONS = 14793, /* what they are estimated at: test/libcilkprof/calibration.t compares */
  CALIBRATION_ROUNDS = 160,
  TIMER_ROUNDS = 64,
  FASTEST = 16, /* of these rounds one in so many is faster than the one that counts */
  FREQUENCY_ROUNDS = 9,
  FREQUENCY_NS = 100000,
  LONG_STRAND_NS = 50000,
  LOOK_AFTER_NS = 500000, /* a look takes a microsecond or two; threads are rarely switched for less than this */
  SHORT_STRAND_NS = 100,  /* a few instructions take less, unless they wait for memory */
  INTERRUPT_NS = 1000,    /* this they take only when there was an interrupt, or a page fault, */
  PAGE_FAULTS = 3,        /* and then less than so many times that; an interrupt takes more */
  DISTURBED_MOST = 200,   /* short strands that were slow, while */
  DISTURBED_NS = 10000000 /* this passes: interrupts, and the cold caches that they leave, are no more frequent */,
  TOGETHER_NS = 3000, /* between two clocks that are read together */
  TOGETHER_TRIES = 4,
  EVENT_INSTRUCTIONS = 25, /* what an event that is called adds to a strand */
  LOOP_NODE_INSTRUCTIONS = 10,
  LOOP_NODE_MOST = 255,
  POPULATED_LOG = 1 << 18,
  POPULATED_FRAMES = 1 << 15,
};

static struct { uint64_t short_strand, interrupt, disturbed; } ticks_for; /* clock mode: those above in ticks */

static uint64_t clock_ns(clockid_t clock) {
  struct timespec now;
  if (clock_gettime(clock, &now) < 0)
    return 0;
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

uint64_t __cilkprof_now_ns(void) {
  return clock_ns(CLOCK_MONOTONIC);
}

static __attribute__((noinline, noclone)) uint64_t recursion(uint64_t n) {
  if (n < 2)
    return n;
  uint64_t x = recursion(n - 1);
  __asm__ volatile("" ::: "memory"); /* else the second call becomes a loop */
  uint64_t y = recursion(n - 2);
  __asm__ volatile("" ::: "memory");
  return x + y;
}

static void recur(void) {
  uint64_t result = recursion(CALIBRATION_DEPTH);
  __asm__ volatile("" : : "r"(result));
}

static void read_31_times(void) {
  for (int j = 0; j < 31; j++)
    __cilkprof_p_timer();
}

/* What WHAT takes in ticks.  Most rounds are slower than they need be, because caches are cold at the start or others
   use the processor, and a few are faster because the timer stepped: one of the fastest counts.  */
static uint64_t ticks_of(void (*what)(void), int rounds) {
  uint64_t fastest[CALIBRATION_ROUNDS / FASTEST];
  int most = rounds / FASTEST, kept = 0;
  for (int i = 0, place; i < rounds; i++) {
    uint64_t begin = __cilkprof_p_timer();
    what();
    uint64_t ticks = __cilkprof_p_timer() - begin;
    if (kept == most && ticks >= fastest[most - 1])
      continue;
    for (place = kept < most ? kept++ : most - 1; place > 0 && fastest[place - 1] > ticks; place--)
      fastest[place] = fastest[place - 1];
    fastest[place] = ticks;
  }
  return fastest[most - 1];
}

/* On aarch64 the timer tells its frequency.  0: it does not.  */
static uint64_t told_frequency(void) {
#ifdef __CILKPROF_TIMER
  extern uint64_t __cilkprof_test_timer_hz(void) __attribute__((weak));
  if (__cilkprof_test_timer_hz)
    return __cilkprof_test_timer_hz();
#endif
  uint64_t hz = 0;
#if defined(__aarch64__)
  __asm__("mrs %0, cntfrq_el0" : "=r"(hz));
#endif
  return hz;
}

static void insert(uint64_t *sorted, int count, uint64_t value) {
  for (; count > 0 && sorted[count - 1] > value; count--)
    sorted[count] = sorted[count - 1];
  sorted[count] = value;
}

/* Against the system's clock.  Most of several times are right even if the timer steps, or if the thread is interrupted
   where it looks at both.  One that stands still gets a frequency that it might have: all is in seconds.  */
static uint64_t measured_frequency(void) {
  uint64_t sorted[FREQUENCY_ROUNDS];
  for (int i = 0; i < FREQUENCY_ROUNDS; i++) {
    uint64_t begin_ns = __cilkprof_now_ns(), begin = __cilkprof_p_timer(), ns;
    do
      ns = __cilkprof_now_ns() - begin_ns;
    while (ns < FREQUENCY_NS);
    uint64_t ticks = __cilkprof_p_timer() - begin;
    insert(sorted, i, (int64_t)ticks > 0 ? (uint64_t)((unsigned __int128)ticks * 1000000000 / ns) : 0);
  }
  uint64_t hz = sorted[FREQUENCY_ROUNDS / 2];
  return hz ? hz : 1000000000;
}

static uint64_t timer_frequency(void) {
  uint64_t told = told_frequency();
  return told ? told : measured_frequency();
}

static uint64_t ns_to_ticks(uint64_t ns) {
  return (uint64_t)((unsigned __int128)ns * ENGINE.timer_hz / 1000000000);
}

/* Reads the timer and the thread's CPU time together: nothing came between.  */
static uint64_t read_together(uint64_t *cpu_ns) {
  int error = errno;
  uint64_t before, after;
  int tries = 0;
  do {
    before = __cilkprof_p_timer();
    *cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
    after = __cilkprof_p_timer();
  } while (after - before > ns_to_ticks(TOGETHER_NS) && ++tries < TOGETHER_TRIES);
  errno = error;
  return before;
}

static struct switches count_switches(void) {
  struct rusage usage;
  int error = errno;
  if (getrusage(RUSAGE_THREAD, &usage) < 0)
    usage.ru_nvcsw = usage.ru_nivcsw = 0;
  errno = error;
  return (struct switches){(uint64_t)usage.ru_nvcsw, (uint64_t)usage.ru_nivcsw};
}

static int page_faults_since_last_time(void) {
  struct rusage usage;
  int error = errno;
  if (getrusage(RUSAGE_THREAD, &usage) < 0)
    usage.ru_minflt = usage.ru_majflt = 0;
  errno = error;
  long faults = usage.ru_minflt + usage.ru_majflt;
  int more = faults != profiled_thread()->clock.page_faults;
  profiled_thread()->clock.page_faults = faults;
  return more;
}

/* The engine's own page faults would be work where every strand is timed; on old systems they are.  */
static void populate(void *memory, size_t bytes) {
#ifdef MADV_POPULATE_WRITE
  int error = errno;
  madvise(memory, bytes, MADV_POPULATE_WRITE);
  errno = error;
#else
  (void)memory;
  (void)bytes;
#endif
}

void __cilkprof_clock_start(void) {
  THREAD.burden = ENGINE.burden;
  THREAD.loop_node = LOOP_NODE_INSTRUCTIONS;
  ENGINE.start_monotonic_ns = __cilkprof_now_ns();
  if (ENGINE.mode == CILKPROF_MODE_COUNT)
    return;
  uint64_t ticks = ticks_of(recur, CALIBRATION_ROUNDS);
  if (!ticks)
    ticks = 1;
  THREAD.scale = (((uint64_t)CALIBRATION_INSTRUCTIONS << 16) + ticks / 2) / ticks;
  ENGINE.timer_cost = ticks_of(read_31_times, TIMER_ROUNDS) * 1024 / 32;
  ENGINE.timer_hz = timer_frequency();
  if (ENGINE.mode == CILKPROF_MODE_CLOCK) {
    THREAD.burden = (uint64_t)(((unsigned __int128)ENGINE.burden << 16) / THREAD.scale);
    THREAD.loop_node = ((uint64_t)LOOP_NODE_INSTRUCTIONS << 16) / THREAD.scale;
    if (THREAD.loop_node > LOOP_NODE_MOST)
      THREAD.loop_node = LOOP_NODE_MOST;
    THREAD.timer_cost = ENGINE.timer_cost / 1024 + 1; /* with what an inlined event adds to a strand */
    THREAD.event_cost = ((uint64_t)EVENT_INSTRUCTIONS << 16) / THREAD.scale;
    populate(__cilkprof_p_log_top(), POPULATED_LOG);
    populate(THREAD.frames + 1, POPULATED_FRAMES);
    page_faults_since_last_time();
  }
  THREAD.long_strand = ns_to_ticks(LONG_STRAND_NS);
  ticks_for.short_strand = THREAD.short_strand = ns_to_ticks(SHORT_STRAND_NS);
  ticks_for.interrupt = ns_to_ticks(INTERRUPT_NS);
  ticks_for.disturbed = ns_to_ticks(DISTURBED_NS);
  THREAD.look_after = ns_to_ticks(LOOK_AFTER_NS);
  profiled_thread()->clock.ticks = read_together(&profiled_thread()->clock.cpu_ns);
  profiled_thread()->clock.switches = count_switches();
  THREAD.last = __cilkprof_p_timer();
  __cilkprof_places_start();
}

void __cilkprof_clock_pause(struct cilkprof_pause *pause) {
  if (ENGINE.mode == CILKPROF_MODE_COUNT)
    return;
  pause->ticks = __cilkprof_p_timer();
  pause->cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

uint64_t __cilkprof_clock_continue(const struct cilkprof_pause *pause) {
  struct profiled_clock *clock = &profiled_thread()->clock;
  if (ENGINE.mode == CILKPROF_MODE_COUNT)
    return 0;
  clock->cpu_ns += clock_ns(CLOCK_THREAD_CPUTIME_ID) - pause->cpu_ns;
  uint64_t ticks = __cilkprof_p_timer() - pause->ticks;
  clock->ticks += ticks;
  return ticks;
}

uint64_t __cilkprof_ticks_to_units(uint64_t ticks) {
  if (ENGINE.mode != CILKPROF_MODE_HYBRID)
    return ticks;
  return (uint64_t)((unsigned __int128)ticks * THREAD.scale >> 16);
}

uint64_t __cilkprof_units_per_second(void) {
  return ENGINE.mode == CILKPROF_MODE_COUNT ? 0 : __cilkprof_ticks_to_units(ENGINE.timer_hz);
}

/* Looks at the CPU time.  Returns for how many ticks the thread ran since the last look.  A timer that steps back makes
   no time pass.  In the child of a fork the CPU time begins anew: nothing is known of the time before.  */
static uint64_t look(void) {
  struct profiled_clock *clock = &profiled_thread()->clock;
  uint64_t cpu_ns, now = read_together(&cpu_ns), passed = now - clock->ticks;
  uint64_t ran = cpu_ns >= clock->cpu_ns ? ns_to_ticks(cpu_ns - clock->cpu_ns) : passed;
  if ((int64_t)passed > (int64_t)ran)
    clock->stolen += passed - ran;
  clock->cpu_ns = cpu_ns;
  clock->ticks = now;
  clock->switches = count_switches();
  THREAD.last = __cilkprof_p_timer();
  return ran;
}

/* A timed strand begins a while after the last look: what was stolen up to here is not the strand's.  */
uint64_t __cilkprof_look(void) {
  look();
  return THREAD.last;
}

static uint64_t corrected(uint64_t ticks, uint64_t to) {
  struct profiled_clock *clock = &profiled_thread()->clock;
  clock->preempted_strands++;
  clock->preempted_ticks += ticks - to;
  return to;
}

/* What others had of a strand of so many ticks, of all that they had since the last look.  Mostly it is all: had they
   had some before, there would have been a look.  But in clock mode there is none while all strands are short, and
   little by little much is stolen from them.  Each time was too short for a look then, and once at least it was from
   this one.  */
static uint64_t stolen_from(uint64_t ticks, uint64_t before, uint64_t stolen, uint64_t switches) {
  if (before <= THREAD.look_after || switches < 2)
    return stolen;
  uint64_t share = (uint64_t)((unsigned __int128)stolen * ticks / (before + ticks)), others = switches - 1;
  uint64_t earlier = others < before / THREAD.long_strand ? others * THREAD.long_strand : before;
  return stolen > earlier && stolen - earlier > share ? stolen - earlier : share;
}

/* A strand that took long may have been interrupted.  The switch to another thread and back costs some itself: a strand
   that was mostly preempted, and had no more than that, is taken to have done nothing.  */
EXPORT uint64_t __cilkprof_long_strand(uint64_t ticks) {
  struct profiled_clock *clock = &profiled_thread()->clock;
  if ((int64_t)ticks < 0)
    return 0; /* the timer stepped back */
  struct switches seen = clock->switches;
  uint64_t before = __cilkprof_p_timer() - ticks - clock->ticks;
  if ((int64_t)before < 0)
    before = 0;
  uint64_t ran = look(), passed = before + ticks;
  uint64_t waits = clock->switches.waits - seen.waits, preemptions = clock->switches.preemptions - seen.preemptions;
  uint64_t stolen = passed > ran ? stolen_from(ticks, before, passed - ran, waits + preemptions) : 0;
  if (!THREAD.recording || stolen < ticks / 64)
    return ticks;
  uint64_t own = ticks > stolen ? ticks - stolen : 0;
  return corrected(ticks, waits || own > THREAD.long_strand || own > ticks / 2 ? own : 0);
}

/* Whether short strands are slow so rarely that it is not the program that makes them slow.  If they are not, they are
   left alone until the time is over and there is an interrupt.  */
static int disturbed(void) {
  struct profiled_clock *clock = &profiled_thread()->clock;
  if (THREAD.last - clock->disturbed_since > ticks_for.disturbed) {
    clock->disturbed_since = THREAD.last;
    clock->disturbed_strands = 0;
  }
  int rare = ++clock->disturbed_strands <= DISTURBED_MOST;
  THREAD.short_strand = rare ? ticks_for.short_strand : ticks_for.interrupt;
  return rare;
}

/* Clock mode: so few instructions cannot have taken so long, unless there were page faults.  */
EXPORT uint64_t __cilkprof_short_strand(uint64_t ticks, uint64_t instructions) {
  uint64_t likely = (instructions << 16) / THREAD.scale + THREAD.timer_cost;
  if (!THREAD.recording)
    return ticks;
  int rare = disturbed();
  if (ticks <= ticks_for.interrupt)
    return rare ? corrected(ticks, likely) : ticks;
  int faults = page_faults_since_last_time();
  look();
  if ((int64_t)ticks < 0)
    return 0;
  return faults && ticks < PAGE_FAULTS * ticks_for.interrupt ? ticks : corrected(ticks, likely);
}

uint64_t __cilkprof_own_ticks(void) {
  uint64_t now = __cilkprof_p_timer();
  if (now - THREAD.last > THREAD.look_after)
    now = __cilkprof_look();
  return now - profiled_thread()->clock.stolen;
}

void __cilkprof_not_this_strand(uint64_t units) {
  if (ENGINE.mode == CILKPROF_MODE_HYBRID)
    profiled_thread()->clock.not_this_strand += (uint64_t)(((unsigned __int128)units << 16) / THREAD.scale);
}

/* Those of a strand that was not timed.  */
void __cilkprof_forget_others(void) {
  if (__CILKPROF_RARE(profiled_thread()->clock.not_this_strand && !profiled_thread()->quiet.depth))
    profiled_thread()->clock.not_this_strand = 0;
}

static uint64_t without_others(uint64_t ticks) {
  struct profiled_clock *clock = &profiled_thread()->clock;
  uint64_t own = ticks > clock->not_this_strand ? ticks - clock->not_this_strand : 0;
  clock->not_this_strand = 0;
  return own;
}

/* Hybrid mode: how much work a strand is that was timed since BEGIN.  */
uint64_t __cilkprof_time(uint64_t begin) {
  uint64_t ticks = __cilkprof_p_timer() - begin;
  if (__CILKPROF_RARE(profiled_thread()->clock.not_this_strand && THREAD.recording))
    ticks = without_others(ticks);
  if (__CILKPROF_RARE(ticks > THREAD.long_strand))
    return __cilkprof_ticks_to_units(__cilkprof_long_strand(ticks)); /* it may take days */
  return ticks * THREAD.scale >> 16;
}
