/* What-if questions: the candidates, and where they begin and end.
   SPDX-License-Identifier: MIT

   A candidate is a function or a source location, FILE:LINE or FILE:LINE:COLUMN: all call sites that call this
   function, or that are at this location.  The part of the program that is assumed to be faster is all that runs from
   the call to the return of a candidate's outermost invocations.  These are top-call-site invocations, so other
   invocations need not be examined.  */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libcilkprof/engine/names/selector.h"
#include "libcilkprof/engine/whatif/whatif.h"
#include "libcilkprof/common/system.h"

#ifdef __CILKPROF_WHATIF

enum {
  MOST = __CILKPROF_CANDIDATES,
  ALL = (1 << MOST) - 1,
  DEFAULT_FASTER = 2,
  MAX_FASTER = 100,
  MAX_UNITS = 10000, /* for a unit of work: a span of days still fits into a lane */
  TEXT = 8192,       /* bytes: CILKPROF_WHATIF is shorter */
};

/* A level is the index of an open root invocation, from the program, which is 0, inwards.  */
static struct candidate {
  struct cilkprof_selector selector;
  const char *text;         /* as the user named it, without the factor */
  uint64_t faster;          /* how many times faster it is assumed to be; 0: only the case of no cost is computed */
  uint64_t open[MAX_TREES]; /* open top-call-site invocations of its sites, by level */
  struct outermost {
    uint64_t count, work;
  } of[MAX_TREES],       /* its outermost invocations that ended, by tree */
      before[MAX_TREES]; /* the same when the open root invocation of that tree began */
} candidates[MOST];
static int candidate_count;
static uint64_t unit = 1; /* the cost of a unit of work outside of all candidates: a multiple of their factors */

static uint64_t trees[MAX_TREES]; /* the trees of the open root invocations, by level */
static size_t level;              /* the innermost one */

/* The lanes of the root invocations that ended, by tree.  */
static lanes_t ended[MAX_TREES];

/* The candidates in which a root invocation began, one bit each, by level.  Inside the root invocation they are not
   open, and work has its real cost.  So when such a candidate returns, the enclosing root invocation gets the
   candidate's real span, at the cost of the candidate, and no paths of its tasks.  */
static uint64_t interrupted[MAX_TREES];
static int was_interrupted; /* a root invocation began in any candidate */

/* Returns the what-if candidates, one bit each, to which the site of SLOT belongs, whose callee is that of the site of
   CALLEE_SLOT.  The two differ in an indirect call.  */
static uint64_t matching_whatif_candidates(const void *slot, const void *callee_slot) {
  uint64_t found = 0;
  for (int i = 0; i < candidate_count; i++)
    found |= (uint64_t)__cilkprof_selects(&candidates[i].selector, slot, callee_slot) << i;
  return found;
}

/* Returns what a unit of work inside of the what-if candidate C costs on its two lanes: nothing on the first, less by
   its factor on the second.  */
static __cilkprof_pair whatif_lane_units_inside_candidate(const struct candidate *c) {
  return (__cilkprof_pair){0, c->faster ? unit / c->faster : 0};
}

/* Returns what a unit of work costs on every what-if lane, inside of the candidates INSIDE, one bit each.  */
lanes_t __cilkprof_lane_units(uint64_t inside) {
  lanes_t units;
  for (int i = 0; i < MOST; i++)
    units.pairs[i] =
        inside >> i & 1 ? whatif_lane_units_inside_candidate(&candidates[i]) : (__cilkprof_pair){unit, unit};
  return units;
}

/* Sets what a unit of work costs now on every what-if lane, by the candidates that are open in the innermost root
   invocation.  */
static void set_whatif_lane_units(void) {
  THREAD.inside = 0;
  for (int i = 0; i < candidate_count; i++)
    THREAD.inside |= (uint64_t)(candidates[i].open[level] != 0) << i;
  THREAD.lane_units = __cilkprof_lane_units(THREAD.inside);
}

/* Begins a top-call-site invocation of SITE for the what-if candidates WHICH, one bit each, and notes of which ones it
   is the outermost invocation.  */
static void open_whatif_candidates(site_t *site, uint64_t which) {
  for (int i = 0; i < candidate_count; i++)
    if (which >> i & 1 && candidates[i].open[level]++ == 0)
      site->flags |= (uint64_t)1 << (__CILKPROF_SITE_OUTERMOST + i);
  if (which)
    set_whatif_lane_units();
}

/* Begins a top-call-site invocation of SITE for the what-if candidates that it belongs to, which are determined at its
   first one.  */
void __cilkprof_whatif_call(site_t *site) {
  if (!(site->flags >> __CILKPROF_SITE_MATCHED & 1))
    site->flags |= (uint64_t)1 << __CILKPROF_SITE_MATCHED |
                   matching_whatif_candidates(site->description, site->description) << __CILKPROF_SITE_CANDIDATE;
  open_whatif_candidates(site, site->flags >> __CILKPROF_SITE_CANDIDATE & ALL);
}

/* Begins the what-if candidates that name FUNCTION, when it is entered by an indirect call.  The name of the callee is
   known only when it is entered for the first time.  That invocation is a top-call-site invocation, and has already
   begun.  */
void __cilkprof_whatif_entered(const function_t *function) {
  site_t *site = called_site((const frame_t *)THREAD.foreign.key);
  if (!THREAD.recording || !site->callee || site->flags >> __CILKPROF_SITE_NAMED & 1)
    return;
  uint64_t more = matching_whatif_candidates(site->description, function->outside.description) &
                  ~(site->flags >> __CILKPROF_SITE_CANDIDATE);
  site->flags |= (uint64_t)1 << __CILKPROF_SITE_NAMED | more << __CILKPROF_SITE_CANDIDATE;
  open_whatif_candidates(site, more);
}

/* Undoes __cilkprof_whatif_call of SITE: its invocation will begin again, inside a root invocation.  */
void __cilkprof_whatif_taken_back(site_t *site) {
  for (int i = 0; i < candidate_count; i++)
    candidates[i].open[level] -= site->flags >> (__CILKPROF_SITE_CANDIDATE + i) & 1;
  site->flags &= ~((uint64_t)ALL << __CILKPROF_SITE_OUTERMOST);
  set_whatif_lane_units();
}

/* Counts the open invocation of SITE as one of its candidates again if BACK, else not any more: the fiber in which it
   is open goes on, or lets another one run.  */
void __cilkprof_whatif_set_aside(const site_t *site, int back) {
  for (int i = 0; i < candidate_count; i++)
    if (site->flags >> (__CILKPROF_SITE_CANDIDATE + i) & 1)
      candidates[i].open[level] += back ? 1 : -1;
}

/* Begins a root invocation of TREE (roots/root.h) on the what-if lanes: inside it no candidate is open, and work has
   its real cost.  */
void __cilkprof_whatif_root_invocation_begins(uint64_t tree) {
  interrupted[level] |= THREAD.inside;
  was_interrupted |= THREAD.inside != 0;
  trees[++level] = tree;
  interrupted[level] = 0;
  set_whatif_lane_units();
  for (int i = 0; i < candidate_count; i++)
    candidates[i].before[tree] = candidates[i].of[tree];
}

/* Ends a root invocation of TREE (roots/root.h), the innermost one, on the what-if lanes.  If COUNTS, its lanes are
   added to those of TREE; otherwise it could not be measured, and its candidates are not counted.  */
void __cilkprof_whatif_root_invocation_ends(uint64_t tree, int counts) {
  for (int i = 0; i < candidate_count; i++)
    if (counts)
      ended[tree].pairs[i] += THREAD.lanes.pairs[i];
    else
      candidates[i].of[tree] = candidates[i].before[tree];
  level--;
  set_whatif_lane_units();
}

/* Counts an outermost invocation of the what-if candidate C, which has ended, for the open root invocations from the
   innermost outwards, up to one in which another invocation of C is open: there, and further out, that one will be
   counted.  */
static void count_outermost_whatif_candidate(struct candidate *c) {
  for (size_t i = level + 1; i-- > 0 && !c->open[i];) {
    c->of[trees[i]].count++;
    c->of[trees[i]].work += THREAD.work;
  }
}

/* Ends an outermost invocation of C, the what-if candidate with index I: counts it, and work costs again what it cost
   before.  */
static void end_outermost_whatif_candidate(struct candidate *c, int i) {
  count_outermost_whatif_candidate(c);
  set_whatif_lane_units();
  if (interrupted[level] >> i & 1)
    THREAD.lanes.pairs[i] = THREAD.span * whatif_lane_units_inside_candidate(c);
  interrupted[level] &= ~((uint64_t)1 << i);
}

/* Ends a top-call-site invocation of SITE, whose totals are in the return slots, for the what-if candidates that it
   belongs to.  */
void __cilkprof_whatif_returned(site_t *site) {
  for (int i = 0; i < candidate_count; i++) {
    struct candidate *c = &candidates[i];
    uint64_t outermost = (uint64_t)1 << (__CILKPROF_SITE_OUTERMOST + i);
    if (!(site->flags >> (__CILKPROF_SITE_CANDIDATE + i) & 1))
      continue;
    c->open[level]--;
    if (!(site->flags & outermost))
      continue;
    site->flags &= ~outermost;
    end_outermost_whatif_candidate(c, i);
  }
}

/* Returns the least common multiple of A and B, the factors of what-if candidates.  */
static uint64_t whatif_factors_common_multiple(uint64_t a, uint64_t b) {
  uint64_t multiple = a;
  while (multiple % b)
    multiple += a;
  return multiple;
}

/* Returns the factor in TEXT, a what-if candidate as the user named it, which follows the last slash; NULL if there is
   none: a slash may also belong to a path.  */
static char *find_whatif_factor(char *text) {
  char *factor = NULL;
  for (char *at = __cilkprof_find_selector_mark(text, '/'); *at; at = __cilkprof_find_selector_mark(factor, '/'))
    factor = at + 1;
  return factor && !strchr(factor, ':') ? factor : NULL;
}

/* Returns DIGITS, the factor of a what-if candidate, as a number; 0 if it cannot be used as a factor.  */
static uint64_t read_whatif_factor(const char *digits) {
  uint64_t factor = digits[strspn(digits, "0123456789")] ? 0 : strtoul(digits, NULL, 10);
  return factor < 2 || factor > MAX_FASTER ? 0 : factor;
}

/* Returns a message about what is wrong with FASTER, the factor of a what-if candidate, or NULL.  */
static const char *check_whatif_factor(uint64_t faster) {
  if (!faster)
    return "its factor is not a whole number from 2 to 100";
  return whatif_factors_common_multiple(unit, faster) > MAX_UNITS
             ? "its factor and those before it have no common multiple up to 10000"
             : NULL;
}

/* Returns the first what-if candidate named TEXT, and, unless FASTER is 0, with the factor FASTER; NULL if there is
   none.  */
static const struct candidate *find_whatif_candidate(const char *text, uint64_t faster) {
  for (const struct candidate *c = candidates; c < candidates + candidate_count; c++)
    if (strcmp(c->text, text) == 0 && (!faster || c->faster == faster))
      return c;
  return NULL;
}

/* Adds the what-if candidate that the user named TEXT: FUNCTION, FILE:LINE or cilk_for FILE:LINE, with or without
   /FASTER.  NAME is a copy of it, into which its selector points.  Says so on standard error if it cannot be used.  */
static void add_whatif_candidate(char *text, char *name) {
  char *factor = find_whatif_factor(text);
  uint64_t faster = factor ? read_whatif_factor(factor) : DEFAULT_FASTER;
  if (factor)
    factor[-1] = 0;
  if (!*text) {
    __cilkprof_say(name, "names no function or call site", "it is left out");
    return;
  }
  const char *wrong = check_whatif_factor(faster);
  if (wrong) {
    __cilkprof_say(name, wrong, "only the case that it costs nothing is computed");
    faster = 0;
  }
  if (find_whatif_candidate(text, faster))
    return;
  if (candidate_count == MOST) {
    __cilkprof_say(name, "too many candidates", "the limit is seven");
    return;
  }
  if (faster)
    unit = whatif_factors_common_multiple(unit, faster);
  strcpy(name, text);
  candidates[candidate_count++] =
      (struct candidate){.selector = __cilkprof_parse_selector(name), .text = text, .faster = faster};
}

/* Reads the what-if candidates from CILKPROF_WHATIF.  Says so on standard error if it names none.  */
void __cilkprof_whatif_start(void) {
  static char texts[TEXT], names[TEXT];
  const char *wanted = secure_getenv("CILKPROF_WHATIF"), *wrong = "names no candidate";
  if (wanted && strlen(wanted) >= TEXT)
    wrong = "too long";
  else
    strcpy(texts, wanted ? wanted : "");
  for (char *list = texts, *at; (at = __cilkprof_next_selector(&list));) {
    wrong = NULL;
    strcpy(names + (at - texts), at);
    add_whatif_candidate(at, names + (at - texts));
  }
  if (wrong)
    __cilkprof_say("CILKPROF_WHATIF", wrong, "no what-if is computed");
  set_whatif_lane_units();
}

/* Writes LANE to the profile, unless its values contradict each other, as they may if the run did not reach its
   end.  */
static void write_whatif_lane(struct cilkprof_writer *writer, const struct cilkprof_whatif *lane) {
  if (lane->span <= lane->work)
    cilkprof_write_whatif(writer, lane);
}

/* Writes the what-if lanes of TREE, the program or a root, whose work is WORK, to the profile.  Says on standard error
   why a candidate is left out.  */
void __cilkprof_whatif_write(struct cilkprof_writer *writer, uint64_t tree, uint64_t work) {
  const lanes_t *lanes = tree ? &ended[tree] : &THREAD.foreign.lanes;
  if ((unsigned __int128)work * unit >> 63 != 0) {
    __cilkprof_say("CILKPROF_WHATIF", "the work is too large", "it is left out");
    return;
  }
  if (was_interrupted && ENGINE.flags & CILKPROF_TASKS) {
    if (!tree && getpid() == ENGINE.pid)
      __cilkprof_say("CILKPROF_WHATIF", "a root is inside a candidate whose OpenMP tasks outlive it",
                     "it is left out; ask again without --root");
    return;
  }
  for (int i = 0; i < candidate_count; i++) {
    const struct candidate *c = &candidates[i];
    const __cilkprof_pair *spans = &lanes->pairs[i];
    uint64_t count = c->of[tree].count, saved = c->of[tree].work;
    int is_first = find_whatif_candidate(c->text, 0) == c; /* others with this name have different factors */
    if (!count) {
      if (is_first && !tree &&
          getpid() == ENGINE.pid) /* a copy of the process writes a snapshot: the candidate may be reached later */
        __cilkprof_say(c->text, "no such function or call site was reached, or it was inlined",
                       "its what-if is left out");
      continue;
    }
    if (is_first)
      write_whatif_lane(writer, &(struct cilkprof_whatif){c->text, 0, count, work - saved, (*spans)[0] / unit});
    if (c->faster)
      write_whatif_lane(writer,
                        &(struct cilkprof_whatif){c->text, c->faster, count, work * c->faster - (c->faster - 1) * saved,
                                                  (*spans)[1] / (unit / c->faster)});
  }
}

#else

/* Prints a message if CILKPROF_WHATIF asks what-if questions, which this build of the engine does not answer.  */
void __cilkprof_whatif_start(void) {
  const char *wanted = secure_getenv("CILKPROF_WHATIF");
  if (wanted && *wanted)
    __cilkprof_say("CILKPROF_WHATIF", "this program was not built for what-if questions",
                   "compile it with -fcilkprof=whatif");
}

#endif
