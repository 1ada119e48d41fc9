/* The emulators: the figures of the paper, exactly; random trees against independent simulators; the bounds of theory.
   SPDX-License-Identifier: GPL-3.0-or-later

     emulation FIRST LAST      the numbers of the random trees  */

#include <math.h>
#include "test/emulation/trees.h"
#include "test/fmt/tap.h"

static const struct overheads none;

/* Returns the time that TREE takes in an emulation under the schedule NAME, -1 if it never ends.  */
static double test_emulation_run(const struct task_tree *tree, const char *name, unsigned processors,
                                 enum section_nesting nesting, const struct overheads *overheads) {
  struct machine machine = {.processors = processors, .nesting = nesting, .overheads = *overheads, .seed = 1};
  struct schedule schedule = parse_emulated_schedule(&name);
  struct forecast forecast = emulate_schedule(tree, &schedule, &machine);
  return forecast.deadlock ? -1 : forecast.time;
}

/* Checks that the tree TEXT takes the time WANTED under SCHEDULE on so many PROCESSORS.  WHAT names the test.  */
static void test_emulation_check(struct tap *tap, const char *text, const char *schedule, unsigned processors,
                                 enum section_nesting nesting, double wanted, const char *what) {
  struct task_tree *tree = test_emulation_tree_compressed(test_emulation_tree_parse(text));
  double got = test_emulation_run(tree, schedule, processors, nesting, &none);
  if (!tap_check(tap, got == wanted, "%s", what))
    printf("# %s: %.17g instead of %.17g\n", schedule, got, wanted);
}

/* Checks the example of Figure 5 in paper 002: three unequal iterations and a lock, on two processors.  */
static void test_emulation_figure_5(struct tap *tap) {
  static const char loop[] = "T(S(T(150 L0(450) 50) T(100 L0(300) 200) T(150 L0(50) 50)))";
  test_emulation_check(tap, loop, "static,1", 2, NESTING_SHARED, 1150,
                       "Figure 5: (static,1) takes 1150, 1500 / 1150 = 1.30");
  test_emulation_check(tap, loop, "static", 2, NESTING_SHARED, 1250,
                       "Figure 5: (static) takes 1250, 1500 / 1250 = 1.20");
  test_emulation_check(tap, loop, "dynamic,1", 2, NESTING_SHARED, 950,
                       "Figure 5: (dynamic,1) takes 950, 1500 / 950 = 1.58");
  test_emulation_check(tap, loop, "static", 1, NESTING_SHARED, 1500, "on one processor it takes 1500");
}

/* Checks the example of Figure 7 in paper 002: two loops in a loop on two processors, with a speedup of 30 / 20 = 1.5
   if threads are pinned, and of 30 / 15 = 2 if processors are shared.  */
static void test_emulation_figure_7(struct tap *tap) {
  static const char loops[] = "T(S(T(S(T(10) T(5))) T(S(T(5) T(10)))))";
  test_emulation_check(tap, loops, "static,1", 2, NESTING_PINNED, 20,
                       "Figure 7: bound to processors in turn it takes 20, 1.5");
  test_emulation_check(tap, loops, "static,1", 2, NESTING_SHARED, 15, "Figure 7: with preemption it takes 15, 2.0");
  test_emulation_check(tap, loops, "greedy", 2, NESTING_SHARED, 15, "Figure 7: by idle workers it takes 15, 2.0");
  test_emulation_check(tap, loops, "cilk", 2, NESTING_SHARED, 15, "Figure 7: by work stealing it takes 15, 2.0");
  test_emulation_check(tap, loops, "static,1", 2, NESTING_SERIAL, 15, "and one thread for each inner loop takes 15");
}

/* Checks loops without a wait, very many tasks, locks in two orders, and spawns.  */
static void test_emulation_others(struct tap *tap) {
  test_emulation_check(tap, "T(N(T(10) T(30)) N(T(30) T(10)))", "static,1", 2, NESTING_SHARED, 40,
                       "no wait between two loops");
  test_emulation_check(tap, "T(S(T(10) T(30)) S(T(30) T(10)))", "static,1", 2, NESTING_SHARED, 60, "and a wait");
  test_emulation_check(tap, "T(100 S(T(10)*1000000000) 7)", "static", 4, NESTING_SHARED, 2500000107.0,
                       "10^9 equal tasks, static");
  test_emulation_check(tap, "T(100 S(T(10)*1000000000) 7)", "static,3", 4, NESTING_SHARED, 2500000127.0,
                       "10^9 equal tasks, static,3");
  test_emulation_check(tap, "T(100 S(T(10)*1000000000) 7)", "dynamic,1", 4, NESTING_SHARED, 2500000107.0,
                       "10^9, dynamic,1");
  test_emulation_check(tap, "T(100 S(T(10)*1000000000) 7)", "guided", 4, NESTING_SHARED, 2500000107.0, "10^9, guided");
  test_emulation_check(tap, "T(100 S(T(10)*1000000000) 7)", "greedy", 4, NESTING_SHARED, 2500000107.0, "10^9, greedy");
  test_emulation_check(tap, "T(S(T(L0(L1(5))) T(L1(L0(5)))))", "static", 2, NESTING_SHARED, 10,
                       "locks in two orders, in time");
  test_emulation_check(tap, "T(S(T(L0(3 L1(5))) T(L1(3 L0(5)))))", "static", 2, NESTING_SHARED, -1,
                       "locks in two orders: never ends");
  test_emulation_check(tap, "T(S(T(L0(3 L1(5))) T(L1(3 L0(5)))))", "greedy", 2, NESTING_SHARED, -1,
                       "nor does it with idle workers");
  test_emulation_check(tap, "T(P(5 T(20) 5 T(20) 5))", "greedy", 2, NESTING_SHARED, 30,
                       "spawns one after another, by two");
  test_emulation_check(tap, "T(P(5 T(20) 5 T(20) 5))", "greedy", 3, NESTING_SHARED, 30, "and by three");
  test_emulation_check(tap, "T(P(5 T(20) 5 T(20) 5))", "greedy", 1, NESTING_SHARED, 55, "and by one");
}

/* Checks the cost of every overhead by itself, with two tasks of 10 and a lock on two processors.  */
static void test_emulation_overheads(struct tap *tap) {
  static const char text[] = "T(S(T(10 L0(1)) T(10 L0(1))))";
  const struct {
    const char *what, *schedule;
    struct overheads overheads;
    double wanted;
  } costs[] = {
      {"nothing", "dynamic,1", {.fork = 0}, 12},
      {"a fork", "dynamic,1", {.fork = 100}, 112},
      {"a join", "dynamic,1", {.join = 100}, 112},
      {"a chunk", "dynamic,1", {.iteration = 100}, 112},
      {"a lock", "dynamic,1", {.lock = 100}, 212},
      {"a task", "tasks", {.task = 100}, 112},
      {"chunks that are known before", "static", {.iteration = 100}, 12},
      {"a burden", "cilk", {.burden = 100}, 111},
      {"steals of a greedy scheduler", "greedy", {.steal = 100, .burden = 100, .spawn = 100}, 12},
  };
  struct task_tree *tree = test_emulation_tree_compressed(test_emulation_tree_parse(text));
  for (size_t i = 0; i < sizeof costs / sizeof *costs; i++) {
    double got = test_emulation_run(tree, costs[i].schedule, 2, NESTING_SHARED, &costs[i].overheads);
    if (!tap_check(tap, got == costs[i].wanted, "the cost of %s", costs[i].what))
      printf("# %g instead of %g\n", got, costs[i].wanted);
  }
}

/* Checks that the losses of an emulation add up to the time that the processors did not work.  */
static void test_emulation_losses(struct tap *tap) {
  struct task_tree *tree = test_emulation_tree_compressed(
      test_emulation_tree_parse("T(50 S(T(150 L0(450) 50) T(100 L0(300) 200) T(150 L0(50) 50)))"));
  const char *name = "dynamic,1";
  struct machine machine = {.processors = 2, .overheads = {.fork = 10}};
  struct schedule schedule = parse_emulated_schedule(&name);
  struct forecast forecast = emulate_schedule(tree, &schedule, &machine);
  tap_check(tap,
            forecast.time == 1010 && forecast.serial == 50 && forecast.overhead == 10 && forecast.locked == 350 &&
                forecast.worst == 350 && forecast.imbalance == 2 * 1010 - 1550 - 50 - 10 - 350,
            "where the processors' time goes");
}

/* Checks that an emulation ends however many tasks there are, even if they take no time.  */
static void test_emulation_cut(struct tap *tap) {
  static const char *const texts[] = {"T(S(T(1 L0(1))*1000000000000))", "T(S(T(L0(0))*1000000000000))",
                                      "T(P(T(L0(0))*1000000000000))"};
  static const char *const names[] = {"static", "dynamic,2", "guided", "cilk", "greedy"};
  bool cut = true;
  for (size_t t = 0; t < 3; t++)
    for (size_t i = 0; i < 5; i++) {
      const char *name = names[i];
      struct schedule schedule = parse_emulated_schedule(&name);
      struct machine machine = {.processors = 3, .seed = 1, .most_steps = 1000};
      cut &= emulate_schedule(test_emulation_tree_compressed(test_emulation_tree_parse(texts[t])), &schedule, &machine)
                 .cut;
    }
  tap_check(tap, cut, "too many steps are not taken");
  struct task_tree *tree = test_emulation_tree_compressed(test_emulation_tree_parse("T(P(T(1 S(T(1 L0(1))*3))*1000))"));
  struct machine few = {.processors = 2, .seed = 1, .most_steps = 100000}, many = few;
  many.processors = 1000;
  for (size_t i = 3; i < 5; i++) {
    const char *name = names[i];
    struct schedule schedule = parse_emulated_schedule(&name);
    struct forecast on_few = emulate_schedule(tree, &schedule, &few),
                    on_many = emulate_schedule(tree, &schedule, &many);
    if (!tap_check(tap, !on_few.cut && on_many.cut, "looks of one worker at another are steps: %s", names[i]))
      printf("# %llu and %llu steps\n", (unsigned long long)on_few.steps, (unsigned long long)on_many.steps);
  }
}

struct tally {
  unsigned trees, wrong;
};

/* Counts a tree for which the emulator and brute force differ, and prints the first few.  */
static void test_emulation_differs(struct tally *tally, uint64_t seed, const struct plain_node *root, const char *what,
                                   double got, double wanted) {
  if (tally->wrong++ > 3)
    return;
  printf("# tree %llu, %s: %.17g instead of %.17g: ", (unsigned long long)seed, what, got, wanted);
  test_emulation_tree_print(root, stdout);
  putchar('\n');
}

/* Returns whether A and B differ by rounding only.  */
static bool test_emulation_is_close(double a, double b) {
  return fabs(a - b) <= 1e-9 * (fabs(a) + fabs(b));
}

/* Compares the emulator of teams with brute force, on the random tree SEED.  */
static void test_emulation_compare_teams(struct tally *tally, uint64_t seed) {
  static const char *const names[] = {"static", "static,1", "static,2", "dynamic", "dynamic,3", "guided", "guided,2"};
  static const unsigned processors[] = {1, 2, 3, 4, 7};
  struct plain_node *root = test_emulation_tree_random(seed, TREES_LOCKS | TREES_NOWAIT | TREES_LOOPS);
  struct task_tree *tree = test_emulation_tree_compressed(root);
  const char *name = names[seed % 7];
  enum section_nesting nesting = (enum section_nesting)(seed / 7 % 3);
  unsigned count = processors[seed / 21 % 5];
  struct overheads overheads = {0};
  if (seed % 2)
    overheads = (struct overheads){.fork = 3, .join = 2, .nested = 7, .iteration = 1, .lock = 2};
  const char *at = name;
  struct schedule schedule = parse_emulated_schedule(&at);
  double wanted = naive_teams(root, &schedule, count, nesting, &overheads);
  double got = test_emulation_run(tree, name, count, nesting, &overheads);
  tally->trees++;
  if (!test_emulation_is_close(got, wanted))
    test_emulation_differs(tally, seed, root, name, got, wanted);
}

/* Compares the greedy scheduler with brute force, on the random tree SEED.  */
static void test_emulation_compare_greedy(struct tally *tally, uint64_t seed) {
  static const unsigned processors[] = {1, 2, 3, 4, 8};
  unsigned kinds = TREES_LOOPS | (seed % 2 ? TREES_SPAWNS : 0) | (seed % 3 == 0 ? TREES_LOCKS : 0);
  struct plain_node *root = test_emulation_tree_random(seed, kinds);
  unsigned count = processors[seed % 5];
  double wanted = naive_greedy(root, count),
         got = test_emulation_run(test_emulation_tree_compressed(root), "greedy", count, NESTING_SHARED, &none);
  tally->trees++;
  if (!test_emulation_is_close(got, wanted))
    test_emulation_differs(tally, seed, root, "greedy", got, wanted);
}

/* Checks work, span and greedy schedules of the random tree SEED: on one processor the time is the work, on many the
   span, and between them it lies within the bounds of Graham and Brent.  */
static void test_emulation_bounds(struct tally *tally, uint64_t seed) {
  struct plain_node *root = test_emulation_tree_random(seed, TREES_LOOPS | TREES_SPAWNS);
  struct task_tree *tree = test_emulation_tree_compressed(root);
  double work = naive_work(root), span = naive_span(root);
  tally->trees++;
  if (emulated_tree_root(tree)->work != work || emulated_tree_root(tree)->span != span)
    test_emulation_differs(tally, seed, root, "span", emulated_tree_root(tree)->span, span);
  static const char *const names[] = {"greedy", "cilk", "tasks"};
  for (int i = 0; i < 3; i++)
    if (test_emulation_run(tree, names[i], 1, NESTING_SHARED, &none) != work)
      test_emulation_differs(tally, seed, root, "on one processor",
                             test_emulation_run(tree, names[i], 1, NESTING_SHARED, &none), work);
  if (emulated_tree_root(tree)->all_tasks < 1000 &&
      test_emulation_run(tree, "greedy", 1024, NESTING_SHARED, &none) != span)
    test_emulation_differs(tally, seed, root, "on 1024 processors",
                           test_emulation_run(tree, "greedy", 1024, NESTING_SHARED, &none), span);
  for (unsigned processors = 2; processors <= 64; processors *= 2) {
    double time = test_emulation_run(tree, "greedy", processors, NESTING_SHARED, &none), least = work / processors;
    if (time < least * (1 - 1e-12) || time < span || time > (least + span) * (1 + 1e-12))
      test_emulation_differs(tally, seed, root, "outside of the bounds", time, least + span);
  }
}

/* Calls WHAT for all seeds from FIRST to LAST, and reports one result.  */
static void test_emulation_all(struct tap *tap, uint64_t first, uint64_t last, void (*what)(struct tally *, uint64_t),
                               const char *name) {
  struct tally tally = {0, 0};
  for (uint64_t seed = first; seed <= last; seed++)
    what(&tally, seed);
  tap_check(tap, tally.wrong == 0, "%s: %u trees", name, tally.trees);
}

/* Runs all tests, those with random trees for the seeds from the first argument to the second, else 1 to 3000.  Returns
   the exit status.  */
int main(int argc, char **argv) {
  struct tap tap = {0, 0};
  uint64_t first = argc > 2 ? strtoull(argv[1], NULL, 10) : 1, last = argc > 2 ? strtoull(argv[2], NULL, 10) : 3000;
  setvbuf(stdout, NULL, _IOLBF, 1 << 12);
  test_emulation_figure_5(&tap);
  test_emulation_figure_7(&tap);
  test_emulation_others(&tap);
  test_emulation_overheads(&tap);
  test_emulation_losses(&tap);
  test_emulation_cut(&tap);
  test_emulation_memory_model(&tap);
  test_emulation_all(&tap, first, last, test_emulation_compare_teams, "OpenMP's loops against brute force");
  test_emulation_all(&tap, first, last, test_emulation_compare_greedy, "idle workers against brute force");
  test_emulation_all(&tap, first, last, test_emulation_bounds, "work, span and the bounds");
  return tap_end(&tap);
}
