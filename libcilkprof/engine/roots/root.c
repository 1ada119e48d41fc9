/* Roots: which invocations are root invocations, and what they book.
   SPDX-License-Identifier: MIT

   A root invocation begins with a top-call-site invocation of a site that a root names, while no other invocation of
   that root is open.  It is measured as a program of its own, so at its start no invocation is open: the invocations
   that are open around it are set aside until it ends, and sites find none of their own invocations above those in the
   root invocation.  An invocation that is the first of its site here need not be the first for the root invocations
   around this one, or for the program: this is determined for each of them when the invocation begins.  An invocation
   that is below another of its site here is so for all of them.

   When the root invocation ends, the log from where it began holds its longest path, whether or not that is on the
   longest path of the program later.  The values of a site are remembered when the root invocation first reaches it;
   the difference at the end is what the site has in the root invocation.  */

#include <stdlib.h>
#include <string.h>

#include "libcilkprof/engine/roots/root_invocation.h"
#include "libcilkprof/engine/span/site.h"
#include "libcilkprof/engine/whatif/whatif.h"
#include "libcilkprof/common/system.h"
#include "libcilkprof/engine/memory.h"

enum { TEXT = 8192 }; /* bytes: CILKPROF_ROOT is shorter */

/* Returns the roots of this thread; NULL if CILKPROF_ROOT names none or the thread is not profiled.  */
static struct root_table *profiled_root_table(void) {
  return profiled_thread()->roots;
}

/* Returns the index of the outermost root invocation, from INVOCATION outwards, for which a new invocation of WHAT, a
   site or function, is a top one: the root invocations up to there have no other invocation of it open.  */
static size_t outermost_root_for_top(const struct root_table *roots, size_t invocation, const void *what) {
  for (; invocation > 0; invocation--) {
    const root_site_t *around = __cilkprof_known_root_site(what, roots->invocations[invocation - 1].tree);
    if (around && around->covered)
      break;
  }
  return invocation;
}

/* Begins a top-call-site invocation of SITE in the frame with KEY, for every root invocation in which it is one.  If
   too many are open, the profile becomes incomplete.  */
static void open_site_in_roots(struct root_table *roots, site_t *site, uint64_t key) {
  size_t depth = roots->depth;
  if (roots->open_count == MAX_OPEN) {
    set_profile_flags(CILKPROF_INCOMPLETE | CILKPROF_NO_ON_SPAN);
    return;
  }
  struct open_top *open = &roots->open[roots->open_count++];
  int is_caller = caller_of_site(site)->open == 0;
  __cilkprof_root_invocations_reach(site);
  *open = (struct open_top){
      .site = site,
      .key = key,
      .top_from = (uint8_t)outermost_root_for_top(roots, depth, site),
      .caller_from = (uint8_t)(is_caller ? outermost_root_for_top(roots, depth, caller_of_site(site)) : depth + 1)};
  open_top_call_of_site(site, key);
  for (size_t i = open->top_from; i <= depth && roots->invocations[i].context; i++) {
    context_t *context = __cilkprof_context_enter(roots->invocations[i].context, site);
    if (!context) {
      open->no_context |= (uint16_t)(1u << i);
      continue;
    }
    roots->invocations[i].context = context;
    __cilkprof_root_invocation_enters(&roots->invocations[i], context);
  }
}

/* Begins an invocation of every root that names SITE and is not open.  */
static void begin_root_invocations(struct root_table *roots, site_t *site) {
  uint64_t which = __cilkprof_root_site(site, 0)->roots;
  for (size_t i = 0; i < roots->count; i++)
    if (which >> i & 1 && !roots->is_open[i])
      __cilkprof_root_invocation_begins(i);
}

/* Begins a top-call-site invocation of SITE in the frame with KEY: first the root invocations that begin with it, then
   the invocation itself in these and in those around it.  */
static void begin_top_call_in_roots(site_t *site, uint64_t key) {
  struct root_table *roots = profiled_root_table();
  if (__CILKPROF_RARE(site->flags >> __CILKPROF_SITE_ROOT & 1))
    begin_root_invocations(roots, site);
  open_site_in_roots(roots, site, key);
}

/* Finds the innermost open invocation of SITE in the innermost root invocation, and drops those inside it, which were
   not booked because a signal interrupted the events.  Returns whether there is one.  */
static int find_open_top_in_roots(struct root_table *roots, const site_t *site) {
  size_t first = roots->invocations[roots->depth].first, count = roots->open_count;
  while (count > first && roots->open[count - 1].site != site)
    count--;
  if (count == first || count != roots->open_count)
    set_profile_flags(CILKPROF_INCOMPLETE | CILKPROF_NO_ON_SPAN);
  for (; count > first && roots->open_count > count; roots->open_count--) {
    site_t *lost = roots->open[roots->open_count - 1].site;
    lost->active = 0;
    caller_of_site(lost)->open--;
  }
  return count > first;
}

/* Books OPEN, an invocation of SITE that returns, for the whole program, at TOP of the log.  In the innermost root
   invocation it is a top-call-site invocation, but it need not be one for the program.  Returns the new top of the
   log.  */
static entry_t *book_root_top_for_program(site_t *site, const struct open_top *open, entry_t *top) {
  site->flags &= ~(uint64_t)__CILKPROF_SITE_TOP_CALLER;
  if (open->top_from == 0) {
    site->flags |= open->caller_from == 0 ? __CILKPROF_SITE_TOP_CALLER : 0;
    return book_top_call_of_site(site, top, top);
  }
  site->active = 0;
  caller_of_site(site)->open--;
  return book_plain_call_of_site(site, top);
}

/* Books an invocation of SITE, which is a top-call-site invocation in INVOCATION, for the root of INVOCATION, at TOP of
   the log.  Returns the new top of the log.  */
static entry_t *book_for_root(const struct root_invocation *invocation, site_t *site, int is_top_caller, entry_t *top) {
  root_site_t *in = __cilkprof_root_site(site, invocation->tree);
  if (!in)
    return top;
  __cilkprof_add_total(&in->top_call_site);
  if (is_top_caller)
    __cilkprof_add_total(&in->top_caller);
  return __cilkprof_log_push_tally(is_top_caller ? &in->top : &in->below, top);
}

/* Leaves the current calling context of INVOCATION, an open root invocation, and books the invocation that returns
   there.  Returns the new top of the log.  */
static entry_t *leave_root_context(struct root_invocation *invocation, entry_t *top) {
  context_t *context = invocation->context;
  invocation->context = context->parent;
  return __cilkprof_context_leave(context, top);
}

/* Returns the top of the log after a push at BEFORE that returned TOP.  In the sink, whose entries nobody reads, the
   top does not move.  */
static entry_t *root_log_top_after(entry_t *before, entry_t *top) {
  return before == THREAD.sink ? before : top;
}

/* Keeps a copy of the entries from START to TOP, which an invocation of SITE has booked, for the paths to the ends of
   tasks that it is on.  Does nothing if no such paths are kept.  */
static void remember_entries_for_roots(struct root_table *roots, const site_t *site, const entry_t *start,
                                       const entry_t *top) {
  if (!profiled_thread()->tasks.accesses)
    return;
  roots->booked_site = site;
  roots->booked_at = site->count;
  roots->booked_count = (size_t)(top - start);
  memcpy(roots->booked, start, roots->booked_count * sizeof *start);
}

/* Copies the log's entries of the invocation of SITE that has just returned to ENTRIES, with the values for the program
   and for all roots.  Returns their number; 0 if it was not a top-call-site invocation, not even in a root
   invocation.  */
size_t __cilkprof_root_booked(const site_t *site, entry_t entries[MAX_BOOKED]) {
  const struct root_table *roots = profiled_root_table();
  if (site != roots->booked_site || site->count != roots->booked_at)
    return 0;
  memcpy(entries, roots->booked, roots->booked_count * sizeof *entries);
  return roots->booked_count;
}

/* Ends a top-call-site invocation of SITE: books it for the program and for all root invocations in which it is one,
   and ends the root invocations that began with it.  Returns the new top of the log.  */
static entry_t *end_top_call_in_roots(site_t *site, entry_t *top) {
  struct root_table *roots = profiled_root_table();
  const entry_t *start = top;
  if (__CILKPROF_RARE(!find_open_top_in_roots(roots, site)))
    return book_top_call_of_site(site, top, top);
  const struct open_top *open = &roots->open[--roots->open_count];
  top = root_log_top_after(top, book_root_top_for_program(site, open, top));
  for (size_t i = open->top_from; i <= roots->depth; i++) {
    struct root_invocation *invocation = &roots->invocations[i];
    if (i > 0)
      top = root_log_top_after(top, book_for_root(invocation, site, i >= open->caller_from, top));
    if (invocation->context && !(open->no_context >> i & 1))
      top = root_log_top_after(top, leave_root_context(invocation, top));
  }
  struct root_invocation_end end = {.counts = 1,
                                    .spawned = (site->flags & __CILKPROF_SITE_SPAWN) != 0,
                                    .top = top,
                                    .total = {1, THREAD.work, THREAD.span, THREAD.burdened_span}};
  remember_entries_for_roots(roots, site, start, top);
  while (roots->depth && !roots->invocations[roots->depth].frame &&
         roots->invocations[roots->depth].first == roots->open_count) {
    struct root_invocation *invocation = &roots->invocations[roots->depth];
    root_site_t *in = __cilkprof_root_site(site, invocation->tree);
    invocation->is_crossed |= profiled_thread()->tasks.go_on;
    if (in && !invocation->is_crossed)
      in->invocations++;
    __cilkprof_root_invocation_ends(&end);
  }
  return top;
}

/* Returns the ROOTS, one bit each, whose selectors select the site of SLOT, whose callee is that of the site of
   CALLEE_SLOT.  The two differ in an indirect call.  */
static uint64_t matching_roots(const struct root_table *roots, const void *slot, const void *callee_slot) {
  uint64_t found = 0;
  for (size_t i = 0; i < roots->count; i++)
    found |= (uint64_t)__cilkprof_selects(&roots->selectors[i], slot, callee_slot) << i;
  return found;
}

/* Notes that the roots WHICH, one bit each, name SITE, so that its invocations may be root invocations.  */
static void add_roots_to_site(site_t *site, uint64_t which) {
  root_site_t *known = which ? __cilkprof_root_site(site, 0) : NULL;
  if (!known)
    return;
  known->roots |= which;
  site->flags |= (uint64_t)1 << __CILKPROF_SITE_ROOT;
}

/* Determines which roots name SITE, when it is reached for the first time.  The callee of an indirect call is not known
   yet; __cilkprof_root_entered adds the roots that name it.  */
static void match_roots_to_site(site_t *site) {
  add_roots_to_site(site, matching_roots(profiled_root_table(), site->description, site->description));
}

/* Undoes the beginning of the innermost open top-call-site invocation: of its site, its calling contexts and its
   what-if candidates.  */
static void undo_top_call_in_roots(struct root_table *roots) {
  const struct open_top *open = &roots->open[--roots->open_count];
  site_t *site = open->site;
  site->active = 0;
  site->flags &= ~(uint64_t)__CILKPROF_SITE_TOP_CALLER;
  caller_of_site(site)->open--;
  for (size_t i = open->top_from; i <= roots->depth && roots->invocations[i].context; i++)
    if (!(open->no_context >> i & 1))
      roots->invocations[i].context = roots->invocations[i].context->parent;
  __cilkprof_whatif_taken_back(site);
}

/* Begins the root invocations that begin with FUNCTION, when it is entered by an indirect call.  The name of the callee
   is known only when it is entered for the first time.  That invocation is a top-call-site invocation, and has already
   begun.  If a root names it, it is undone and begins again, inside the root invocation.  */
void __cilkprof_root_entered(const function_t *function) {
  struct root_table *roots = profiled_root_table();
  site_t *site = called_site((const frame_t *)THREAD.foreign.key);
  if (!THREAD.recording || !site->callee || site->flags >> __CILKPROF_SITE_ENTERED & 1)
    return;
  site->flags |= (uint64_t)1 << __CILKPROF_SITE_ENTERED;
  add_roots_to_site(site, matching_roots(roots, site->description, function->outside.description));
  if (!(site->flags >> __CILKPROF_SITE_ROOT & 1) || !roots->open_count ||
      roots->open[roots->open_count - 1].site != site)
    return;
  uint64_t key = site->active;
  undo_top_call_in_roots(roots);
  begin_top_call_in_roots(site, key);
  __cilkprof_whatif_call(site);
}

/* Replaces the sites of all open invocations in roots, and those with values in a root, by what MOVED returns for them:
   a shared library with sites has been unloaded.  */
void __cilkprof_roots_moved(site_t *(*moved)(site_t *site)) {
  struct root_table *roots = profiled_root_table();
  if (!roots)
    return;
  for (size_t i = 0; i < roots->open_count; i++) {
    site_t *site = roots->open[i].site; /* the profiled thread may replace it at the same time */
    __atomic_compare_exchange_n(&roots->open[i].site, &site, moved(site), 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  }
  __cilkprof_root_values_moved(moved);
}

static const struct cilkprof_tops root_tops = {
    .listed = match_roots_to_site, .call = begin_top_call_in_roots, .returned = end_top_call_in_roots};

/* Returns whether TEXT, a root as the user named it, is NAME (FILE:LINE), as the report prints functions that differ
   only in their parameters.  Such a name selects no call sites, which do not know where their callees are defined.  */
static int has_location_in_root_name(const char *text) {
  const char *location = strstr(text, " ("), *line = location ? strrchr(location, ':') : NULL;
  size_t digits = line ? strspn(line + 1, "0123456789") : 0;
  return digits && strcmp(line + 1 + digits, ")") == 0;
}

/* Adds the root that the user named TEXT to ROOTS, unless it is there already or there are too many.  NAME is memory
   for a copy, into which its selector points.  */
static void add_root(struct root_table *roots, const char *text, char *name) {
  if (has_location_in_root_name(text)) {
    __cilkprof_say(text, "to choose one of several functions of that name, add its parameters",
                   "cilkprof-report --full-names prints them");
    return;
  }
  for (size_t i = 0; i < roots->count; i++)
    if (strcmp(roots->roots[i].text, text) == 0)
      return;
  if (roots->count == MAX_ROOTS) {
    __cilkprof_say(text, "too many roots", "the limit is eight");
    return;
  }
  strcpy(name, text);
  roots->roots[roots->count].text = text;
  roots->selectors[roots->count] = __cilkprof_parse_selector(name);
  roots->contexts[roots->count] = __cilkprof_context_tree(roots->count + 1);
  roots->count++;
}

/* Starts to measure ROOTS, which have been read from CILKPROF_ROOT.  Returns 0, or -1 if there is no memory.  */
static int start_roots(struct root_table *roots) {
  roots->open = __cilkprof_reserve(MAX_OPEN * sizeof *roots->open);
  if (!roots->open || __cilkprof_root_values_start() < 0)
    return -1;
  roots->invocations[0].context = __cilkprof_context_tree(0);
  profiled_thread()->roots = roots;
  profiled_thread()->tops = &root_tops;
  return 0;
}

/* Reads the roots from CILKPROF_ROOT and starts to measure them.  Says so on standard error if it names none that can
   be measured.  */
void __cilkprof_roots_start(void) {
  static char texts[TEXT], names[TEXT];
  static struct root_table roots;
  const char *wanted = secure_getenv("CILKPROF_ROOT"), *wrong = "names no function, call site or region";
  if (!wanted || !*wanted)
    return;
  if (strlen(wanted) >= TEXT)
    wrong = "too long";
  else
    strcpy(texts, wanted);
  for (char *list = texts, *at; (at = __cilkprof_next_selector(&list));)
    add_root(&roots, at, names + (at - texts));
  if (roots.count && start_roots(&roots) < 0)
    wrong = "out of memory";
  if (!profiled_thread()->roots)
    __cilkprof_say("CILKPROF_ROOT", wrong, "the profile is of the whole program");
}

/* Returns the roots of this run, with the sums over their invocations, and stores their number in *COUNT; NULL if there
   are none.  */
const struct root *__cilkprof_roots(size_t *count) {
  *count = profiled_root_table() ? profiled_root_table()->count : 0;
  return profiled_root_table() ? profiled_root_table()->roots : NULL;
}
