/* The timer: its frequency and cost, the duration of an instruction, and the correction of strands that were preempted.
   SPDX-License-Identifier: MIT

   In hybrid mode tiny strands are counted in instructions and all others are timed.  The unit is the instruction.  Time
   is converted to instructions by a calibration at the start, which times the recursion below and compares it with the
   number of instructions that the compiler estimates for it.  */

#include <errno.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

#include "libcilkprof/engine/host.h"
#include "libcilkprof/engine/time/clock.h"

enum {
  CALIBRATION_DEPTH = 15,           /* of the recursion: 1973 calls */
  CALIBRATION_INSTRUCTIONS = 14793, /* the estimate for these calls, which test/libcilkprof/calibration.t checks */
  CALIBRATION_ROUNDS = 160,
  TIMER_ROUNDS = 64,
  FASTEST = 16, /* the round that counts is among the fastest 1/FASTEST of all rounds */
  LONG_STRAND_NS = 50000,
  HOST_TICK_NS = 10000000,
  LOOK_AFTER_NS = 500000, /* a look takes a microsecond or two; threads are rarely switched for less than this */
  SHORT_STRAND_NS = 100,  /* a few instructions take less, unless they wait for memory */
  INTERRUPT_NS = 1000,    /* a few instructions take this long only if there was an interrupt or a page fault */
  PAGE_FAULTS = 3,        /* times INTERRUPT_NS: page faults take less than this, interrupts more */
  /* Interrupts, and the cold caches that they leave, slow down at most MAX_DISTURBED short strands in
     DISTURBED_NS.  */
  MAX_DISTURBED = 200,
  DISTURBED_NS = 10000000,
  TOGETHER_NS = 3000, /* the longest time between two clocks that are read together */
  TOGETHER_TRIES = 4,
  EVENT_INSTRUCTIONS = 25, /* the cost that an event adds to a strand when it is called, not inlined */
  LOOP_NODE_INSTRUCTIONS = 10,
  MAX_LOOP_NODE = 255,
  POPULATED_LOG = 1 << 18,
  POPULATED_FRAMES = 1 << 15,
};

/* Clock mode: SHORT_STRAND_NS, INTERRUPT_NS and DISTURBED_NS in ticks.  */
static struct { uint64_t short_strand, interrupt, disturbed; } ticks_for;

/* Returns the time of CLOCK in nanoseconds; 0 if it cannot be read.  */
static uint64_t read_clock_ns(clockid_t clock) {
  struct timespec now;
  if (clock_gettime(clock, &now) < 0)
    return 0;
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Returns the monotonic time in nanoseconds.  */
uint64_t __cilkprof_now_ns(void) {
  return read_clock_ns(CLOCK_MONOTONIC);
}

/* Returns the Nth Fibonacci number.  The calibration times it, because the number of its instructions is known.  It is
   aligned, or its speed would depend on where the linker puts it, by a sixth on some processors.  */
static __attribute__((noinline, noclone, aligned(__CILKPROF_LINE))) uint64_t timer_calibration_recursion(uint64_t n) {
  if (n < 2)
    return n;
  uint64_t x = timer_calibration_recursion(n - 1);
  __asm__ volatile("" ::: "memory"); /* without it the compiler turns the second call into a loop */
  uint64_t y = timer_calibration_recursion(n - 2);
  __asm__ volatile("" ::: "memory");
  return x + y;
}

/* Runs the recursion that the calibration times once, and prevents the compiler from removing it.  */
static void run_timer_calibration_recursion(void) {
  uint64_t result = timer_calibration_recursion(CALIBRATION_DEPTH);
  __asm__ volatile("" : : "r"(result));
}

/* Reads the timer 31 times, to measure what reading it costs.  With the read that ends the measurement, a round has
   32.  */
static void read_timer_31_times(void) {
  for (int j = 0; j < 31; j++)
    __cilkprof_p_timer();
}

/* Returns how many ticks of the timer CODE takes, out of several ROUNDS.  Most rounds take too long, because caches are
   cold at the start or other threads use the processor; a few are too short because the timer stepped.  So the result
   is one of the fastest rounds, but not the fastest.  */
static uint64_t measure_code_ticks(void (*code)(void), int rounds) {
  uint64_t fastest[CALIBRATION_ROUNDS / FASTEST];
  int most = rounds / FASTEST, count = 0;
  for (int i = 0, at; i < rounds; i++) {
    uint64_t begin = __cilkprof_p_timer();
    code();
    uint64_t ticks = __cilkprof_p_timer() - begin;
    if (count == most && ticks >= fastest[most - 1])
      continue;
    for (at = count < most ? count++ : most - 1; at > 0 && fastest[at - 1] > ticks; at--)
      fastest[at] = fastest[at - 1];
    fastest[at] = ticks;
  }
  return fastest[most - 1];
}

/* Returns how many ticks the timer makes in NS nanoseconds.  */
static uint64_t ns_to_ticks(uint64_t ns) {
  return (uint64_t)((unsigned __int128)ns * ENGINE.timer_hz / 1000000000);
}

/* Reads the timer and the thread's CPU time, repeatedly until both were read without an interruption in between.
   Returns the timer.  */
static uint64_t read_timer_and_cpu_time(uint64_t *cpu_ns) {
  int error = errno;
  uint64_t before, after;
  int tries = 0;
  do {
    before = __cilkprof_p_timer();
    *cpu_ns = read_clock_ns(CLOCK_THREAD_CPUTIME_ID);
    after = __cilkprof_p_timer();
  } while (after - before > ns_to_ticks(TOGETHER_NS) && ++tries < TOGETHER_TRIES);
  errno = error;
  return before;
}

/* Returns how often the thread was taken off its processor so far, because it waited or was preempted.  */
static struct switches read_context_switches_for_clock(void) {
  struct rusage usage;
  int error = errno;
  if (getrusage(RUSAGE_THREAD, &usage) < 0)
    usage.ru_nvcsw = usage.ru_nivcsw = 0;
  errno = error;
  return (struct switches){(uint64_t)usage.ru_nvcsw, (uint64_t)usage.ru_nivcsw};
}

/* Returns whether there were page faults since the last call.  */
static int has_new_page_faults_in_timing(void) {
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

/* Makes the kernel provide BYTES of MEMORY now.  Otherwise, in clock mode, the engine's own page faults would be timed
   as work of the program.  On systems without MADV_POPULATE_WRITE they are.  */
static void populate_memory_before_timing(void *memory, size_t bytes) {
#ifdef MADV_POPULATE_WRITE
  int error = errno;
  madvise(memory, bytes, MADV_POPULATE_WRITE);
  errno = error;
#else
  (void)memory;
  (void)bytes;
#endif
}

/* Calibrates the timer when the measurement starts, and sets all thresholds that depend on it.  In count mode there is
   nothing to calibrate.  */
void __cilkprof_clock_start(void) {
  THREAD.burden = ENGINE.burden;
  THREAD.loop_node = LOOP_NODE_INSTRUCTIONS;
  ENGINE.start_monotonic_ns = __cilkprof_now_ns();
  if (ENGINE.mode == CILKPROF_MODE_COUNT)
    return;
  uint64_t ticks = measure_code_ticks(run_timer_calibration_recursion, CALIBRATION_ROUNDS);
  if (!ticks)
    ticks = 1;
  THREAD.scale = (((uint64_t)CALIBRATION_INSTRUCTIONS << 16) + ticks / 2) / ticks;
  ENGINE.timer_cost = measure_code_ticks(read_timer_31_times, TIMER_ROUNDS) * 1024 / 32;
  ENGINE.timer_hz = __cilkprof_timer_frequency();
  if (ENGINE.mode == CILKPROF_MODE_CLOCK) {
    THREAD.burden = (uint64_t)(((unsigned __int128)ENGINE.burden << 16) / THREAD.scale);
    THREAD.loop_node = ((uint64_t)LOOP_NODE_INSTRUCTIONS << 16) / THREAD.scale;
    if (THREAD.loop_node > MAX_LOOP_NODE)
      THREAD.loop_node = MAX_LOOP_NODE;
    THREAD.timer_cost = ENGINE.timer_cost / 1024 + 1; /* 1: the cost that an inlined event adds to a strand */
    THREAD.event_cost = ((uint64_t)EVENT_INSTRUCTIONS << 16) / THREAD.scale;
    populate_memory_before_timing(__cilkprof_p_log_top(), POPULATED_LOG);
    populate_memory_before_timing(THREAD.frames + 1, POPULATED_FRAMES);
    has_new_page_faults_in_timing();
  }
  THREAD.long_strand = ns_to_ticks(LONG_STRAND_NS);
  ticks_for.short_strand = THREAD.short_strand = ns_to_ticks(SHORT_STRAND_NS);
  ticks_for.interrupt = ns_to_ticks(INTERRUPT_NS);
  ticks_for.disturbed = ns_to_ticks(DISTURBED_NS);
  THREAD.look_after = ns_to_ticks(LOOK_AFTER_NS);
  profiled_thread()->clock.ticks = read_timer_and_cpu_time(&profiled_thread()->clock.cpu_ns);
  profiled_thread()->clock.switches = read_context_switches_for_clock();
  __cilkprof_host_start();
  THREAD.last = __cilkprof_p_timer();
  __cilkprof_timing_points_start();
}

/* Begins work of the engine that must not count as the program's: stores the timer and the thread's CPU time in *PAUSE,
   for __cilkprof_clock_continue.  */
void __cilkprof_clock_pause(struct cilkprof_pause *pause) {
  if (ENGINE.mode == CILKPROF_MODE_COUNT)
    return;
  pause->ticks = __cilkprof_p_timer();
  pause->cpu_ns = read_clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

/* Ends work of the engine that began with __cilkprof_clock_pause, which filled in PAUSE, so that its time is not taken
   for the program's.  Returns how many ticks it took; 0 in count mode.  */
uint64_t __cilkprof_clock_continue(const struct cilkprof_pause *pause) {
  struct profiled_clock *clock = &profiled_thread()->clock;
  if (ENGINE.mode == CILKPROF_MODE_COUNT)
    return 0;
  clock->cpu_ns += read_clock_ns(CLOCK_THREAD_CPUTIME_ID) - pause->cpu_ns;
  uint64_t ticks = __cilkprof_p_timer() - pause->ticks;
  clock->ticks += ticks;
  return ticks;
}

/* Returns TICKS of the timer in units of work: instructions in hybrid mode, ticks in clock mode.  */
uint64_t __cilkprof_ticks_to_units(uint64_t ticks) {
  if (ENGINE.mode != CILKPROF_MODE_HYBRID)
    return ticks;
  return (uint64_t)((unsigned __int128)ticks * THREAD.scale >> 16);
}

/* Returns how many units of work are a second; 0 in count mode, in which units are not time.  */
uint64_t __cilkprof_units_per_second(void) {
  return ENGINE.mode == CILKPROF_MODE_COUNT ? 0 : __cilkprof_ticks_to_units(ENGINE.timer_hz);
}

/* Reads the timer and the CPU time, adds the time in which other threads had the processor to what was stolen, and
   returns for how many ticks the thread ran since the last look; all of them if a fork has reset the CPU time to 0.  */
static uint64_t look_at_cpu_time_of_clock(void) {
  struct profiled_clock *clock = &profiled_thread()->clock;
  uint64_t cpu_ns, now = read_timer_and_cpu_time(&cpu_ns), passed = now - clock->ticks;
  uint64_t ran = cpu_ns >= clock->cpu_ns ? ns_to_ticks(cpu_ns - clock->cpu_ns) : passed;
  if ((int64_t)passed > (int64_t)ran)
    clock->stolen += passed - ran;
  clock->cpu_ns = cpu_ns;
  clock->ticks = now;
  clock->switches = read_context_switches_for_clock();
  THREAD.last = __cilkprof_p_timer();
  return ran;
}

/* Looks at the CPU time before a timed strand begins: time stolen before is not part of it, and not of what
   __cilkprof_own_ticks tells.  Returns the timer.  */
uint64_t __cilkprof_look(void) {
  struct profiled_clock *clock = &profiled_thread()->clock;
  uint64_t since = clock->ticks, stolen = clock->stolen;
  look_at_cpu_time_of_clock();
  HOST.catch_up(clock->cpu_ns);
  uint64_t host = ns_to_ticks(__cilkprof_host_took(0)), passed = clock->ticks - since;
  if (clock->stolen - stolen < host)
    clock->stolen = stolen + (host < passed ? host : passed);
  return THREAD.last;
}

/* Counts a strand of TICKS as preempted by other threads.  Returns OWN, its ticks without the preemption.  */
static uint64_t count_preempted_timed_strand(uint64_t ticks, uint64_t own) {
  struct profiled_clock *clock = &profiled_thread()->clock;
  clock->preempted_strands++;
  clock->preempted_ticks += ticks - own;
  return own;
}

/* Returns how many of STOLEN ticks were stolen from a strand of TICKS that has just ended.  STOLEN is the time that
   other threads had since the last look, in SWITCHES context switches; the strand began BEFORE ticks after that look.
   Usually all of it was stolen from this strand: a long theft before it would have led to a look.  In clock mode,
   though, there is no look while all strands are short, and many small thefts add up.  Each of those was too short for
   a look, and at least one switch was in this strand.  */
static uint64_t ticks_stolen_from_strand(uint64_t ticks, uint64_t before, uint64_t stolen, uint64_t switches) {
  if (before <= THREAD.look_after || switches < 2)
    return stolen;
  uint64_t share = (uint64_t)((unsigned __int128)stolen * ticks / (before + ticks)), others = switches - 1;
  uint64_t earlier = others < before / THREAD.long_strand ? others * THREAD.long_strand : before;
  return stolen > earlier && stolen - earlier > share ? stolen - earlier : share;
}

/* Returns the own time of a strand of TICKS, which is so long that other threads may have had the processor in between,
   or other machines of the host, whose time the CPU time contains or not.
   Switching to another thread and back takes time itself: a strand that was preempted most of the time, and has no more
   left than a switch takes, or than the kernel's tick, is taken to have done nothing.  */
EXPORT uint64_t __cilkprof_long_strand(uint64_t ticks) {
  struct profiled_clock *clock = &profiled_thread()->clock;
  if ((int64_t)ticks < 0)
    return 0; /* the timer stepped back */
  struct switches seen = clock->switches;
  uint64_t before = __cilkprof_p_timer() - ticks - clock->ticks;
  if ((int64_t)before < 0)
    before = 0;
  uint64_t ran = look_at_cpu_time_of_clock(), passed = before + ticks;
  HOST.catch_up(clock->cpu_ns);
  uint64_t waits = clock->switches.waits - seen.waits, preemptions = clock->switches.preemptions - seen.preemptions;
  uint64_t stolen = passed > ran ? ticks_stolen_from_strand(ticks, before, passed - ran, waits + preemptions) : 0;
  uint64_t host = ns_to_ticks(__cilkprof_host_took(ticks));
  if (stolen < host)
    stolen = host < ticks ? host : ticks;
  if (!THREAD.recording || stolen < ticks / 64)
    return ticks;
  uint64_t own = ticks > stolen ? ticks - stolen : 0;
  uint64_t error = host ? ns_to_ticks(HOST_TICK_NS) : THREAD.long_strand;
  return count_preempted_timed_strand(ticks, waits || own > error || own > ticks / 2 ? own : 0);
}

/* Counts a short strand that was slow.  Returns whether such strands are so rare that interrupts explain them.  If they
   are not, the program itself is slow: then strands shorter than an interrupt are left alone, until DISTURBED_NS have
   passed and a longer one comes.  */
static int slow_timed_strands_are_rare(void) {
  struct profiled_clock *clock = &profiled_thread()->clock;
  if (THREAD.last - clock->disturbed_since > ticks_for.disturbed) {
    clock->disturbed_since = THREAD.last;
    clock->disturbed_strands = 0;
  }
  int rare = ++clock->disturbed_strands <= MAX_DISTURBED;
  THREAD.short_strand = rare ? ticks_for.short_strand : ticks_for.interrupt;
  return rare;
}

/* Returns the own time, in ticks, of a strand of TICKS in clock mode, which is too long for so few INSTRUCTIONS unless
   there were page faults.  If interrupts are the likely cause, this is the time that the instructions usually take.  */
EXPORT uint64_t __cilkprof_short_strand(uint64_t ticks, uint64_t instructions) {
  uint64_t likely = (instructions << 16) / THREAD.scale + THREAD.timer_cost;
  if (!THREAD.recording)
    return ticks;
  int rare = slow_timed_strands_are_rare();
  if (ticks <= ticks_for.interrupt)
    return rare ? count_preempted_timed_strand(ticks, likely) : ticks;
  int faults = has_new_page_faults_in_timing();
  look_at_cpu_time_of_clock();
  if ((int64_t)ticks < 0)
    return 0;
  return faults && ticks < PAGE_FAULTS * ticks_for.interrupt ? ticks : count_preempted_timed_strand(ticks, likely);
}

/* Returns the timer, less the time in which other threads had the processor.  */
uint64_t __cilkprof_own_ticks(void) {
  uint64_t now = __cilkprof_p_timer();
  if (now - THREAD.last > THREAD.look_after)
    now = __cilkprof_look();
  return now - profiled_thread()->clock.stolen;
}

/* Notes, in hybrid mode, that UNITS of the strand being timed are booked elsewhere, to be subtracted when it ends.  */
void __cilkprof_not_this_strand(uint64_t units) {
  if (ENGINE.mode == CILKPROF_MODE_HYBRID)
    profiled_thread()->clock.not_this_strand += (uint64_t)(((unsigned __int128)units << 16) / THREAD.scale);
}

/* Forgets the units that are booked elsewhere when a strand begins to be timed: they belonged to an earlier one.
   During a charged call they are kept, because the caller's strand is still being timed.  */
void __cilkprof_clock_forget_others(void) {
  if (__CILKPROF_RARE(profiled_thread()->clock.not_this_strand && !profiled_thread()->charged.depth))
    profiled_thread()->clock.not_this_strand = 0;
}

/* Takes the time since the handler of a sample began, at SINCE, at the CPU time CPU_NS, off the strand that it
   interrupted.  The sample and the end of a thread's turn come at the same tick of the kernel: then other threads have
   the processor in the handler, and that time is taken off as theirs.  What the handler leaves in the caches makes the
   strands after it slower, too.  */
void __cilkprof_clock_sampled(uint64_t since, uint64_t cpu_ns) {
  struct profiled_clock *clock = &profiled_thread()->clock;
  enum { TIMES = 4 };
  uint64_t took = __cilkprof_p_timer() - since, own = took;
  if (took > THREAD.long_strand)
    own = ns_to_ticks(read_clock_ns(CLOCK_THREAD_CPUTIME_ID) - cpu_ns);
  if (own > took)
    own = took;
  clock->sampled = since + took;
  clock->recovered = clock->sampled + TIMES * own;
  clock->not_this_strand += own;
}

/* Returns TICKS, the time of a strand, without those that are booked elsewhere, and forgets the latter.  */
static uint64_t subtract_ticks_booked_elsewhere(uint64_t ticks) {
  struct profiled_clock *clock = &profiled_thread()->clock;
  uint64_t own = ticks > clock->not_this_strand ? ticks - clock->not_this_strand : 0;
  clock->not_this_strand = 0;
  return own;
}

/* Ends the timing of the strand that has been timed since BEGIN, and returns its cost in units of work: without units
   that are booked elsewhere and, if it is long, without the time for which other threads preempted it.  */
uint64_t __cilkprof_clock_strand_cost(uint64_t begin) {
  uint64_t ticks = __cilkprof_p_timer() - begin;
  if (__CILKPROF_RARE(profiled_thread()->clock.not_this_strand && THREAD.recording))
    ticks = subtract_ticks_booked_elsewhere(ticks);
  if (__CILKPROF_RARE(THREAD.sampled)) /* they tell of this strand, not of the next one */
    HOST.samples_of_strand();
  if (__CILKPROF_RARE(ticks > THREAD.long_strand))
    return __cilkprof_ticks_to_units(__cilkprof_long_strand(ticks)); /* a strand may take days: no overflow */
  return ticks * THREAD.scale >> 16;
}
