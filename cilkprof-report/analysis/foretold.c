/* Explains the forecasts of an emulation in words.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <stdlib.h>
#include "cilkprof-report/analysis/findings.h"
#include "cilkprof-report/analysis/foretold.h"
#include "cilkprof-report/support/support.h"

#define LITTLE_LOSS   0.05 /* part of the processors' time that is not worth mentioning */
#define GOOD_USE      0.75 /* speedup per processor from which on a forecast is good */
#define POOR_USE      0.25 /* speedup per processor below which a forecast is bad */
#define LITTLE_GAIN   1.1  /* more processors that gain less are not worth it */
#define NOTHING_GAINS 1.05 /* smaller speedups are none */

bool has_analysed_tree_sections(const struct cilkprof_tree *tree) {
  for (size_t i = 0; i < tree->node_count; i++)
    if (tree->nodes[i].kind == CILKPROF_TREE_SECTION)
      return true;
  return false;
}

/* Fails if MODEL has no tree of sections and tasks from which forecasts can be made.  The model of a root never has
   one.  WANTED says what needs the tree.  */
void check_analysed_model_tree(const struct model *model, const char *wanted) {
  if (model->root != NULL)
    fail(wanted,
         "the tree of tasks covers the whole program, but the report is about root %s; use --root=", model->root);
  if (model->tree.node_count == 0 && model->program.flags & CILKPROF_INCOMPLETE)
    fail(wanted,
         "the program was killed, so there is no tree of tasks; cilkprof run --interval=60 writes it every minute");
  if (model->tree.node_count == 0)
    fail(wanted, "no tree of tasks was recorded; profile a Cilk or OpenMP program again, or annotate serial code "
                 "(cilkprof-annotate(3))");
  if (!has_analysed_tree_sections(&model->tree))
    fail(wanted, "the program reached no section, spawn, task or loop");
}

struct forecasts forecasts_of_analysed_model(const struct model *model, const struct options *options,
                                             const char *wanted) {
  static struct {
    unsigned model; /* its number */
    const unsigned *processors;
    struct forecasts forecasts;
  } last; /* a page needs them several times */
  if (wanted != NULL)
    check_analysed_model_tree(model, wanted);
  if (last.model != model->number || last.processors != options->processor_list) {
    last.forecasts = make_forecasts(&model->tree, options->profiles[0], options);
    last.model = model->number;
    last.processors = options->processor_list;
  }
  return last.forecasts;
}

/* Fails if the file that --cachegrind names does not match the tree of MODEL.  Call it before anything is printed.  */
void check_analysed_model_cachegrind(const struct model *model, const struct options *options) {
  if (options->cachegrind == NULL)
    return;
  struct task_tree *tree = make_emulated_tree(&model->tree, options->profiles[0]);
  if (tree == NULL)
    fail(options->cachegrind, "the profile has no tree of tasks to go with it");
  find_section_memory_uses(tree, &model->tree, options->cachegrind, DEFAULT_LINE);
}

/* Returns what LOSS, a loss of processor time in a forecast, is called in a finding.  The text is allocated.  */
static char *forecast_loss_in_words(const struct loss *loss) {
  switch (loss->kind) {
  case LOSS_SERIAL:
    return format_string("the serial part");
  case LOSS_IMBALANCE:
    return format_string("imbalance");
  case LOSS_LOCK:
    return loss->lock == NULL         ? format_string("locks")
           : loss->lock->name[0] != 0 ? format_string("the lock %s", loss->lock->name)
                                      : format_string("the lock %#llx", (unsigned long long)loss->lock->id);
  case LOSS_MEMORY:
    return format_string("memory");
  default:
    return format_string("overhead");
  }
}

/* Returns a sentence for a finding that explains LOSS, the largest loss of a forecast, or says what to do about it.  */
static const char *forecast_loss_advice(const struct loss *loss) {
  switch (loss->kind) {
  case LOSS_SERIAL:
    return "Processors are idle outside of parallel sections.";
  case LOSS_IMBALANCE:
    return "Threads finish their share early and wait for the others, or there are too few tasks.";
  case LOSS_LOCK:
    return "Hold it for less time, or keep a private copy per thread and combine them.";
  case LOSS_MEMORY:
    return "Processors wait for memory: access less of it, or use all of each cache line.";
  default:
    return "The pieces of work are too small for what it costs to distribute them.";
  }
}

/* Returns the speedup of the forecast under the best schedule on the number of processors with index PROCESSORS; 0 if
   it is unknown.  */
static double forecast_speedup_to_judge(const struct forecasts *forecasts, size_t processors) {
  return forecast_speedup(forecasts, forecast_at(forecasts, best_forecast_schedule(forecasts, processors), processors));
}

/* Adds a finding about the best forecast speedup on the number of processors with index PLACE.  PLAIN is the speedup
   without contention for memory.  */
static void judge_best_forecast(struct verdict *verdict, const struct forecasts *forecasts, size_t place,
                                double plain) {
  unsigned processors = forecasts->processors[place];
  double speedup = forecast_speedup_to_judge(forecasts, place);
  enum tone tone = speedup >= GOOD_USE * processors   ? TONE_GOOD
                   : speedup >= POOR_USE * processors ? TONE_NOTICE
                                                      : TONE_BAD;
  if (speedup < NOTHING_GAINS && processors > 1)
    add_finding(verdict, FINDING_FORETOLD, TONE_BAD,
                format_string("no speedup on any of these numbers of processors; the best is %.2fx with %s on %u.",
                              speedup, forecasts->schedules[best_forecast_schedule(forecasts, place)].name,
                              processors));
  else {
    const char *name = forecasts->schedules[best_forecast_schedule(forecasts, place)].name;
    char *aside = plain > speedup * 1.005 ? format_string(" (%.2fx without memory contention)", plain) : NULL;
    add_finding(
        verdict, FINDING_FORETOLD, tone,
        format_string("%.2fx on %u processors with %s%s.", speedup, processors, name, aside != NULL ? aside : ""));
    free(aside);
  }
}

/* Adds a finding about what limits the best forecast: its largest loss of processor time, and others that are not
   small.  */
static void judge_forecast_losses(struct verdict *verdict, const struct forecasts *forecasts, size_t place) {
  struct loss losses[LOSSES];
  size_t best = best_forecast_schedule(forecasts, place);
  forecast_losses(forecasts, forecast_at(forecasts, best, place), forecasts->processors[place], losses);
  if (losses[0].share < LITTLE_LOSS) {
    add_finding(verdict, FINDING_FORETOLD_LIMIT, TONE_GOOD,
                format_string("none yet: the processors are busy nearly all the time."));
    return;
  }
  char *text = forecast_loss_in_words(&losses[0]), *before;
  before = text;
  text = format_string("%s, %.0f%% of processor time.", text, 100 * losses[0].share);
  free(before);
  for (size_t i = 1; i < LOSSES && losses[i].share >= LITTLE_LOSS / 5; i++) {
    char *name = forecast_loss_in_words(&losses[i]);
    before = text;
    text = format_string("%s%s%s %.0f%%", text, i == 1 ? "  Then " : ", ", name, 100 * losses[i].share);
    free(before);
    free(name);
  }
  before = text;
  text =
      format_string("%s%s  %s", text, losses[1].share >= LITTLE_LOSS / 5 ? "." : "", forecast_loss_advice(&losses[0]));
  free(before);
  add_finding(verdict, FINDING_FORETOLD_LIMIT, TONE_NOTICE, text);
}

/* Adds a finding if the next larger number of processors gains little according to FORECASTS.  */
static void judge_more_forecast_processors(struct verdict *verdict, const struct forecasts *forecasts, size_t place) {
  if (place + 1 >= forecasts->processor_count || forecasts->processors[place + 1] <= forecasts->processors[place])
    return;
  double here = forecast_speedup_to_judge(forecasts, place), next = forecast_speedup_to_judge(forecasts, place + 1);
  if (here > 0 && next > 0 && next < LITTLE_GAIN * here) /* 0: unknown */
    add_finding(verdict, FINDING_MORE_PROCESSORS, TONE_NOTICE,
                format_string("they would not pay: %u give %.2fx.", forecasts->processors[place + 1], next));
}

/* Adds a finding about the first of FORECASTS in which threads wait for locks of each other forever, if there is
   one.  */
static void judge_forecast_deadlocks(struct verdict *verdict, const struct forecasts *forecasts) {
  for (size_t i = 0; i < forecasts->schedule_count * forecasts->processor_count; i++)
    if (forecasts->forecasts[i].deadlock) {
      add_finding(verdict, FINDING_DEADLOCK, TONE_BAD,
                  format_string("with %s on %u processors, threads wait for locks that others hold.  Acquire locks in "
                                "the same order everywhere.",
                                forecasts->schedules[i / forecasts->processor_count].name,
                                forecasts->processors[i % forecasts->processor_count]));
      return;
    }
}

/* Returns whether there is a forecast that includes contention for memory, for the number of processors with index
   PLACE.  */
static bool has_memory_forecast_to_judge(const struct forecasts *forecasts, size_t place) {
  if (forecasts->burdened == NULL)
    return false;
  struct forecasts with = forecasts_with_memory(forecasts);
  return forecast_speedup_to_judge(&with, place) > 0;
}

/* Returns the section that contention for memory slows down most, and by which factor in BURDEN; NULL if there is
   none.  */
static const struct section_use *slowest_section_to_judge(const struct forecasts *forecasts, size_t place,
                                                          double *burden) {
  const struct section_use *slowest = NULL;
  *burden = 1;
  for (size_t i = 0; i < forecasts->uses.count; i++) {
    double factor = forecast_memory_burden(forecasts, &forecasts->uses.sections[i], place);
    if (factor > *burden) {
      *burden = factor;
      slowest = &forecasts->uses.sections[i];
    }
  }
  return slowest;
}

/* Adds a finding about how much contention for memory slows the program down on the number of processors with index
   PLACE, or why that is unknown.  */
static void judge_forecast_memory(struct verdict *verdict, const struct forecasts *forecasts, size_t place) {
  unsigned processors = forecasts->processors[place];
  double burden;
  if (forecasts->uses.source == USES_UNKNOWN)
    add_finding(verdict, FINDING_FORETOLD_MEMORY, TONE_NOTICE,
                format_string("not modelled: the run had no hardware counters, and --cachegrind=FILE is not given."));
  else if (forecasts->burdened == NULL)
    add_finding(verdict, FINDING_FORETOLD_MEMORY, TONE_NOTICE,
                format_string("not modelled: measure this machine first, with cilkprof report --calibrate."));
  else if (!has_memory_forecast_to_judge(forecasts, place))
    add_finding(verdict, FINDING_FORETOLD_MEMORY, TONE_NOTICE,
                format_string("not modelled for %u processors: this machine was measured with up to %u.", processors,
                              memory_contention_threads(&forecasts->memory)));
  else if (processors > 1) {
    const struct section_use *section = slowest_section_to_judge(forecasts, place, &burden);
    add_finding(verdict, FINDING_FORETOLD_MEMORY, section == NULL ? TONE_GOOD : TONE_NOTICE,
                section == NULL
                    ? format_string("enough for %u processors: no section slows down.", processors)
                    : format_string("shared by %u processors, it slows %s%s down %.2fx.", processors,
                                    section->name[0] != 0 ? "the section " : "sections", section->name, burden));
  }
}

/* Adds findings about defects of the tree from which FORECASTS were made, and about emulations that were cut short.  */
static void judge_forecast_tree(struct verdict *verdict, const struct forecasts *forecasts) {
  uint64_t flags = forecasts->tree->flags;
  if (flags & CILKPROF_TREE_NESTING)
    add_finding(verdict, FINDING_ANNOTATIONS, TONE_BAD,
                format_string("some do not match and were ignored; the program said where when it ran."));
  if (flags & CILKPROF_TREE_OPEN)
    add_finding(verdict, FINDING_OPEN_SECTION, TONE_NOTICE, format_string("the program ended inside a section."));
  if (flags & CILKPROF_TREE_CUT)
    add_finding(verdict, FINDING_CUT_TREE, TONE_BAD,
                format_string(
                    "out of memory: some sections count as serial work.  cilkprof run --tree-memory=MB allows more."));
  else if (flags & CILKPROF_TREE_WIDENED && !(flags & CILKPROF_TREE_OF_CILK))
    add_finding(verdict, FINDING_COARSE_TREE, TONE_NOTICE,
                format_string("there were many different tasks: neighbours were replaced by their mean."));
  for (size_t i = 0; i < forecasts->schedule_count * forecasts->processor_count; i++)
    if (forecasts->forecasts[i].cut) {
      add_finding(
          verdict, FINDING_LEFT_OUT, TONE_NOTICE,
          format_string(
              "there are too many tasks with locks or sections to emulate; choose fewer schedules and processors."));
      return;
    }
}

/* Returns a verdict with findings about FORECASTS, in the order in which they should be read.  */
struct verdict verdict_of_forecasts(const struct forecasts *forecasts, const struct options *options) {
  struct verdict verdict = {0};
  size_t place = options->processor_count > 0 ? forecasts->processor_count - 1 : enough_forecast_processors(forecasts);
  double plain = forecast_speedup_to_judge(forecasts, place);
  struct forecasts view = *forecasts;
  judge_forecast_tree(&verdict, forecasts);
  judge_forecast_deadlocks(&verdict, forecasts);
  if (plain <= 0)
    return verdict;
  if (has_memory_forecast_to_judge(forecasts, place))
    view = forecasts_with_memory(forecasts);
  judge_best_forecast(&verdict, &view, place, plain);
  if (forecasts->processors[place] > 1)
    judge_forecast_losses(&verdict, &view, place);
  judge_more_forecast_processors(&verdict, &view, place);
  judge_forecast_memory(&verdict, forecasts, place);
  return verdict;
}

/* Returns the speedup of MODEL, an annotated program, that the best schedule of an emulation gives on so many
   PROCESSORS, with memory that is shared as far as that is known.  NaN: its emulation does not end.  */
static double expected_annotated_speedup(const struct model *model, const struct options *options,
                                         unsigned processors) {
  struct options on_these = *options;
  on_these.processor_list = &processors;
  on_these.processor_count = 1;
  struct forecasts forecasts = make_forecasts(&model->tree, options->profiles[0], &on_these);
  if (has_memory_forecast_to_judge(&forecasts, 0))
    forecasts = forecasts_with_memory(&forecasts);
  double speedup = forecast_speedup_to_judge(&forecasts, 0);
  return speedup > 0 ? speedup : NAN;
}

/* Returns the speedup of MODEL, a program of Cilk or OpenMP, that a quick emulation gives on so many PROCESSORS.  A
   report asks for the same few numbers many times, so the answers are kept.  */
static double emulated_speedup_on(const struct model *model, const struct options *options, unsigned processors) {
  enum { KEPT = 16 };
  static struct {
    unsigned model; /* its number */
    struct task_tree *tree;
    size_t count;
    unsigned processors[KEPT];
    double speedups[KEPT];
  } known;
  if (known.model != model->number) {
    known.model = model->number;
    known.tree = make_emulated_tree(&model->tree, options->profiles[0]);
    known.count = 0;
  }
  for (size_t i = 0; i < known.count; i++)
    if (known.processors[i] == processors)
      return known.speedups[i];
  double speedup = quick_forecast_speedup(known.tree, processors);
  if (known.count < KEPT) {
    known.processors[known.count] = processors;
    known.speedups[known.count++] = speedup;
  }
  return speedup;
}

/* Returns the speedup of MODEL that is expected on so many PROCESSORS.  NaN: the profile has no tree with sections, or
   its emulation does not end.  */
double expected_speedup_on(const struct model *model, const struct options *options, unsigned processors) {
  if (!has_analysed_tree_sections(&model->tree))
    return NAN;
  if (!(model->tree.flags & CILKPROF_TREE_OF_CILK))
    return expected_annotated_speedup(model, options, processors);
  double emulated = emulated_speedup_on(model, options, processors);
  const struct speedup_limits limits = speedup_bounds_of_model(model);
  return isnan(emulated) ? NAN : speedup_between_bounds(&limits, processors, emulated);
}

double expected_speedup(const struct model *model, const struct options *options) {
  return expected_speedup_on(model, options, options->processors);
}
