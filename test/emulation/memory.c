/* The model of memory: factors by hand, the coefficients of the paper, fits of points that are few and noisy, and trees
   whose sections take longer.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include "cilkprof-report/emulation/uses.h"
#include "test/emulation/trees.h"
#include "test/fmt/tap.h"

/* Returns a machine with these COUNT settings.  */
static struct memory_machine test_emulation_machine_of(const char *const settings[][2], size_t count) {
  struct memory_machine machine = {.line = 64};
  for (size_t i = 0; i < count; i++)
    if (!set_memory_contention_parameter(&machine, settings[i][0], settings[i][1]))
      abort();
  return machine;
}
#define MACHINE(settings) test_emulation_machine_of(settings, sizeof(settings) / sizeof *(settings))

/* Checks by how much THREADS that share memory slow each other down.  */
static void test_emulation_burden(struct tap *tap, const struct memory_machine *machine, const struct memory_use *use,
                                  double traffic, unsigned threads, double wanted, const char *what) {
  double got = memory_contention_burden(machine, use, traffic, threads);
  if (!tap_check(tap, fabs(got - wanted) < 1e-6, "%s: %u threads", what, threads))
    printf("# %.9g instead of %.9g\n", got, wanted);
}

/* Checks burdens that were computed by hand: 2 ns for an instruction, half of which is a wait of 100 ns for each of
   10,000 misses.  */
static void test_emulation_by_hand(struct tap *tap) {
  static const char *const settings[][2] = {
      {"psi4", "linear:0.5:160"}, {"phi", "32000:-1:0"}, {"psi2", "linear:1:160"}};
  static const char *const four[][2] = {{"psi4", "linear:0.5:160"}, {"phi", "32000:-1:0"}};
  static const char *const quiet[][2] = {{"psi4", "linear:0.5:160"}, {"phi", "32000:-1:321"}};
  struct memory_machine both = MACHINE(settings), alone = MACHINE(four), busy = MACHINE(quiet);
  struct memory_use use = {.instructions = 1e6, .time = 2e6, .misses = 1e4};
  test_emulation_burden(tap, &both, &use, 320, 1, 1, "by hand");
  test_emulation_burden(tap, &both, &use, 320, 2, (1 + 0.01 * 400 / 3) / 2, "by hand: 240 MB/s each, a miss waits 133");
  test_emulation_burden(tap, &both, &use, 320, 3, 1.5, "by hand: between two numbers, 160 MB/s each");
  test_emulation_burden(tap, &both, &use, 320, 4, (1 + 0.01 * 800 / 3) / 2, "by hand: four have no less than two");
  test_emulation_burden(tap, &both, &use, 320, 5, 0, "by hand: of more than four nothing is known");
  test_emulation_burden(tap, &alone, &use, 320, 4, 2.5, "by hand: 80 MB/s each, a miss waits 400");
  test_emulation_burden(tap, &alone, &use, 1e6, 4, 1.00048, "by hand: no less than one thread has alone");
  test_emulation_burden(tap, &busy, &use, 320, 4, 1, "by hand: traffic that does not disturb others");
  use.misses = 999;
  test_emulation_burden(tap, &alone, &use, 320, 4, 1, "less than a miss for 1000 instructions");
  use.misses = 1e6;
  test_emulation_burden(tap, &both, &use, 320, 2, 4.0 / 3, "misses that take all of the time, and more");
  test_emulation_burden(tap, &alone, &use, 320, 4, 4, "misses that take all of the time, and more");
  use.instructions = 0;
  test_emulation_burden(tap, &alone, &use, 320, 4, 1, "no instructions");
}

/* Checks equations (6) and (7) of paper 002 with its coefficients: 5000 MB/s, two cycles for an instruction, 20 misses
   for 1000 of them.  */
static void test_emulation_paper(struct tap *tap) {
  static const char *const settings[][2] = {{"phi", "101481:-0.964:2000"},
                                            {"psi2", "linear:1.35:1758"},
                                            {"psi4", "log:5756:-38805"},
                                            {"psi8", "log:6143:-39657"},
                                            {"psi12", "log:6314:-39621"}};
  struct memory_machine machine = MACHINE(settings);
  struct memory_use use = {.instructions = 1e9, .time = 2e9, .misses = 2e7};
  tap_check(tap,
            fabs(contended_memory_traffic(&machine, 5000, 2) - 4254) < 1e-6 &&
                fabs(contended_memory_traffic(&machine, 5000, 4) - (5756 * log(5000) - 38805) / 4) < 1e-6 &&
                fabs(contended_memory_traffic(&machine, 5000, 12) - (6314 * log(5000) - 39621) / 12) < 1e-6,
            "the paper's traffic of 2, 4 and 12 threads");
  test_emulation_burden(tap, &machine, &use, 5000, 2, 1.0464835765, "the paper's coefficients");
  test_emulation_burden(tap, &machine, &use, 5000, 4, 1.2510294872, "the paper's coefficients");
  test_emulation_burden(tap, &machine, &use, 5000, 8, 1.5599698943, "the paper's coefficients");
  test_emulation_burden(tap, &machine, &use, 5000, 12, 1.8338765186, "the paper's coefficients");
  test_emulation_burden(tap, &machine, &use, 1999, 12, 1, "the paper's coefficients, below 2000 MB/s");
}

/* Checks that wrong parameters are refused and right ones are read.  */
static void test_emulation_settings(struct tap *tap) {
  static const char *const wrong[][2] = {{"phi", "1:2"},
                                         {"phi", "1:2:3:4"},
                                         {"phi", "-1:-1:0"},
                                         {"phi", "nan:-1:0"},
                                         {"phi", "1:-11:0"},
                                         {"psi1", "linear:1:0"},
                                         {"psi2", "1:0"},
                                         {"psi2", "linear:1"},
                                         {"psi2", "cubic:1:2"},
                                         {"psi2", "linear:-1:2"},
                                         {"psi2", "linear:inf:2"},
                                         {"psi2000", "linear:1:0"},
                                         {"psi", "linear:1:0"},
                                         {"psi2x", "linear:1:0"},
                                         {"psi-2", "linear:1:0"},
                                         {"line", "0"},
                                         {"line", "64 "},
                                         {"line", ""},
                                         {"", ""},
                                         {"psi2", "linear"},
                                         {"psi2", "log:1:2:3"},
                                         {"other", "1"}};
  struct memory_machine machine = {0};
  bool refused = true;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    refused &= !set_memory_contention_parameter(&machine, wrong[i][0], wrong[i][1]);
  tap_check(tap, refused && machine.fit_count == 0 && machine.wait == 0, "settings that are none");
  char name[16];
  for (unsigned i = 0; i < 3 * MAX_FITS; i++) {
    snprintf(name, sizeof name, "psi%u", 2 + i * 7 % (2 * MAX_FITS));
    set_memory_contention_parameter(&machine, name, "linear:1:1");
  }
  bool sorted = machine.fit_count == MAX_FITS;
  for (size_t i = 1; i < machine.fit_count; i++)
    sorted &= machine.fits[i - 1].threads < machine.fits[i].threads;
  tap_check(tap, sorted, "no more fits than there is room for, and in order");
}

static const double alone[] = {28000, 6400, 3200, 1600, 800, 400};
enum { LEVELS = sizeof alone / sizeof *alone };

/* Returns a random factor that differs from 1 by at most MUCH.  */
static double test_emulation_noise(uint64_t *random, double much) {
  *random = *random * UINT64_C(6364136223846793005) + 1442695040888963407;
  return 1 + much * ((double)(*random >> 33) / 0x1p30 - 1);
}

/* Stores measurements of 1, 2, 4 and 8 threads, which share a bandwidth of MOST, in POINTS.  They have noise of up to
   MUCH.  Returns how many there are.  */
static size_t test_emulation_make_points(struct memory_point *points, double most, double much, uint64_t seed) {
  size_t count = 0;
  for (unsigned threads = 1; threads <= 8; threads *= 2)
    for (unsigned level = 0; level < LEVELS; level++) {
      double traffic = fmin(alone[level], most / threads) * test_emulation_noise(&seed, much);
      points[count++] =
          (struct memory_point){threads, level, traffic, 60000 / traffic * test_emulation_noise(&seed, much)};
    }
  return count;
}

/* Returns whether MACHINE makes sense for any traffic: a thread has no more bandwidth than alone, all together have no
   less than one, and more threads never make it faster.  */
static bool test_emulation_is_sane(const struct memory_machine *machine) {
  struct memory_use use = {.instructions = 1e6, .misses = 1e4};
  for (double traffic = 1; traffic < 1e6; traffic *= 1.1) {
    double before = traffic, slower = 1;
    use.time = use.misses * machine->line / traffic * 1e3;
    for (unsigned threads = 1; threads <= memory_contention_threads(machine); threads++) {
      double here = contended_memory_traffic(machine, traffic, threads),
             burden = memory_contention_burden(machine, &use, traffic, threads);
      if (!(here <= before * (1 + 1e-9)) || !(here * threads >= traffic * (1 - 1e-9)) ||
          !(burden >= slower * (1 - 1e-9)) || !(burden <= threads))
        return false;
      before = here;
      slower = burden;
    }
  }
  return true;
}

/* Checks that the parameters are found again from measurements with noise.  */
static void test_emulation_fits(struct tap *tap) {
  struct memory_point points[4 * LEVELS];
  struct memory_machine machine = fit_memory_contention(points, test_emulation_make_points(points, 1e9, 0.04, 1), 64);
  tap_check(tap,
            machine.fit_count == 3 && machine.fits[2].threads == 8 && machine.fits[2].slope == 8 &&
                machine.fits[2].offset == 0,
            "enough memory for all: nobody is disturbed");
  tap_check(tap, fabs(machine.exponent + 1) < 0.05, "what a miss waits for is found");
  machine = fit_memory_contention(points, test_emulation_make_points(points, 30000, 0.04, 2), 64);
  double eight = contended_memory_traffic(&machine, 28000, 8), four = contended_memory_traffic(&machine, 28000, 4);
  tap_check(tap, fabs(eight / 3750 - 1) < 0.1 && fabs(four / 7500 - 1) < 0.1, "30000 MB/s for all are found");
  tap_check(tap, contended_memory_traffic(&machine, 400, 8) == 400, "and little traffic is not disturbed");
  bool sane = true;
  for (uint64_t seed = 1; seed <= 300; seed++) {
    size_t count = test_emulation_make_points(points, 20000 + 500 * (double)seed, 0.002 * (double)seed, seed);
    machine = fit_memory_contention(points, count, 64);
    sane &= test_emulation_is_sane(&machine);
    points[seed % count].traffic = points[seed * 7 % count].wait = 0;
    machine = fit_memory_contention(points, seed % count, 64);
    sane &= test_emulation_is_sane(&machine);
  }
  tap_check(tap, sane, "300 times noise, with points that are missing: nothing gets faster by it");
  size_t count = 0;
  for (unsigned level = 0; level < LEVELS; level++) {
    points[count++] = (struct memory_point){1, level, alone[level], 10};
    points[count++] = (struct memory_point){2, level, (0.5 * alone[level] + 100) / 2, 20};
    points[count++] = (struct memory_point){4, level, (900 * log(alone[level]) - 4000) / 4, 30};
  }
  machine = fit_memory_contention(points, count, 64);
  tap_check(tap,
            !machine.fits[0].logarithmic && fabs(machine.fits[0].slope - 0.5) < 1e-6 &&
                fabs(machine.fits[0].offset - 100) < 1e-3,
            "a straight line is found");
  tap_check(tap,
            machine.fits[1].logarithmic && fabs(machine.fits[1].slope - 900) < 1e-3 &&
                fabs(machine.fits[1].offset + 4000) < 1e-2,
            "and a logarithm");
}

/* Returns the time of the tree TEXT whose sections take FACTOR times as long.  */
static double test_emulation_burdened_time(const char *text, double factor, const char *name, unsigned processors) {
  struct task_tree *tree = test_emulation_tree_compressed(test_emulation_tree_parse(text));
  struct section_uses uses = find_section_memory_uses(tree, &(struct cilkprof_tree){0}, NULL, 64);
  struct schedule schedule = parse_emulated_schedule(&name);
  struct machine machine = {.processors = processors, .seed = 1};
  return emulate_schedule(make_burdened_emulated_tree(tree, &uses, &factor), &schedule, &machine).time;
}

/* Checks that burdens apply inside of sections and nowhere else.  */
static void test_emulation_trees(struct tap *tap) {
  tap_check(tap, test_emulation_burdened_time("T(100 S(T(10)*4) 7)", 2, "static", 4) == 127,
            "sections take longer, others do not");
  tap_check(tap, test_emulation_burdened_time("T(100 S(T(10)*4) 7)", 2, "greedy", 1) == 187, "all of their work does");
  tap_check(tap, test_emulation_burdened_time("T(L0(5) S(T(L0(5)) T(L0(5))) L0(5))", 3, "static", 2) == 40,
            "what is in and out of sections takes longer in them alone");
  tap_check(tap, test_emulation_burdened_time("T(S(T(4 S(T(3) T(3)))) L0(S(T(7) T(7))))", 2, "greedy", 2) == 28,
            "sections in sections and in locks");
  bool same = true;
  for (uint64_t seed = 1; seed <= 500; seed++) {
    struct task_tree *tree =
        test_emulation_tree_compressed(test_emulation_tree_random(seed, TREES_LOCKS | TREES_NOWAIT | TREES_SPAWNS));
    struct section_uses uses = find_section_memory_uses(tree, &(struct cilkprof_tree){0}, NULL, 64);
    struct machine machine = {.processors = 3, .seed = 1};
    const char *name = "dynamic,2";
    struct schedule schedule = parse_emulated_schedule(&name);
    double one = 1;
    struct forecast a = emulate_schedule(tree, &schedule, &machine);
    struct forecast b = emulate_schedule(make_burdened_emulated_tree(tree, &uses, &one), &schedule, &machine);
    same &= a.time == b.time && a.locked == b.locked && a.imbalance == b.imbalance;
  }
  tap_check(tap, same, "500 random trees in which nothing takes longer are as they were");
}

/* Runs all tests of the model of memory contention.  */
void test_emulation_memory_model(struct tap *tap) {
  test_emulation_by_hand(tap);
  test_emulation_paper(tap);
  test_emulation_settings(tap);
  test_emulation_fits(tap);
  test_emulation_trees(tap);
}
