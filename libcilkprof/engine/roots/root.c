/* Roots: where their root invocations begin and end.
   SPDX-License-Identifier: MIT

   A root invocation begins with a top-call-site invocation of a site that a root names, while no other root invocation
   of that root is open.  In it all is as at the program's start: no invocation is open.  So what is open around it is
   set aside, and sites find no invocation of theirs above one in the root invocation, until it ends.  What is the first
   of its site here may not be that for the root invocations around this one, or for the program: whether it is, is
   found out for each of them where it begins.  What is below another one here is so for all of them.

   At its end the log from where it began holds the root invocation's own longest path, whatever becomes of it later.
   What a site had before is remembered where the root invocation reaches it first: the difference is what it has in the
   root invocation.  */

#include <stdlib.h>
#include <string.h>

#include "libcilkprof/engine/roots/root_invocation.h"
#include "libcilkprof/engine/span/site.h"
#include "libcilkprof/engine/whatif/whatif.h"
#include "libcilkprof/common/system.h"
#include "libcilkprof/engine/memory.h"

enum { TEXT = 8192 };

static struct root_table *table(void) {
  return profiled_thread()->roots;
}

/* The outermost invocation, from INVOCATION on, in which WHAT, a site or function, has no other top-call-site
   invocation.  */
static size_t alone_from(const struct root_table *roots, size_t invocation, const void *what) {
  for (; invocation > 0; invocation--) {
    const root_site_t *around = __cilkprof_known_root_site(what, roots->invocations[invocation - 1].tree);
    if (around && around->covered)
      break;
  }
  return invocation;
}

static void open_site(struct root_table *roots, site_t *site, uint64_t key) {
  size_t depth = roots->depth;
  if (roots->open_count == OPEN_MOST) {
    flag(CILKPROF_INCOMPLETE | CILKPROF_NO_ON_SPAN);
    return;
  }
  struct open_top *open = &roots->open[roots->open_count++];
  int is_caller = site->function->open == 0;
  __cilkprof_root_invocations_reach(site);
  *open = (struct open_top){.site = site,
                            .key = key,
                            .top_from = (uint8_t)alone_from(roots, depth, site),
                            .caller_from = (uint8_t)(is_caller ? alone_from(roots, depth, site->function) : depth + 1)};
  open_top(site, key);
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

static void begin_root_invocations(struct root_table *roots, site_t *site) {
  uint64_t which = __cilkprof_root_site(site, 0)->roots;
  for (size_t i = 0; i < roots->count; i++)
    if (which >> i & 1 && !roots->is_open[i])
      __cilkprof_root_invocation_begins(i);
}

static void top_call(site_t *site, uint64_t key) {
  struct root_table *roots = table();
  if (__CILKPROF_RARE(site->flags >> __CILKPROF_SITE_ROOT & 1))
    begin_root_invocations(roots, site);
  open_site(roots, site, key);
}

/* The innermost open invocation is one of SITE: what is not booked as it should be, because a signal came between, is
   dropped.  Returns whether there is one.  */
static int find_open(struct root_table *roots, const site_t *site) {
  size_t first = roots->invocations[roots->depth].first, count = roots->open_count;
  while (count > first && roots->open[count - 1].site != site)
    count--;
  if (count == first || count != roots->open_count)
    flag(CILKPROF_INCOMPLETE | CILKPROF_NO_ON_SPAN);
  for (; count > first && roots->open_count > count; roots->open_count--) {
    site_t *lost = roots->open[roots->open_count - 1].site;
    lost->active = 0;
    lost->function->open--;
  }
  return count > first;
}

/* What the invocation is for the program: what it is here may be more.  */
static entry_t *book_for_program(site_t *site, const struct open_top *open, entry_t *top) {
  site->flags &= ~(uint64_t)__CILKPROF_SITE_TOP_CALLER;
  if (open->top_from == 0) {
    site->flags |= open->caller_from == 0 ? __CILKPROF_SITE_TOP_CALLER : 0;
    return book_top(site, top, top);
  }
  site->active = 0;
  site->function->open--;
  return book_plain(site, top);
}

/* The same for the root of INVOCATION.  */
static entry_t *book_for_root(const struct root_invocation *invocation, site_t *site, int is_top_caller, entry_t *top) {
  root_site_t *in = __cilkprof_root_site(site, invocation->tree);
  if (!in)
    return top;
  __cilkprof_add_total(&in->top_call_site);
  if (is_top_caller)
    __cilkprof_add_total(&in->top_caller);
  return __cilkprof_push_tally(is_top_caller ? &in->top : &in->below, top);
}

static entry_t *leave_context(struct root_invocation *invocation, entry_t *top) {
  context_t *context = invocation->context;
  invocation->context = context->parent;
  return __cilkprof_context_leave(context, top);
}

/* In the sink, where nobody reads them, entries lie on top of each other.  */
static entry_t *kept(entry_t *before, entry_t *top) {
  return before == THREAD.sink ? before : top;
}

/* Paths to the ends of tasks get the same entries.  */
static void remember_booked(struct root_table *roots, const site_t *site, const entry_t *start, const entry_t *top) {
  if (!profiled_thread()->tasks.accesses)
    return;
  roots->booked_site = site;
  roots->booked_at = site->count;
  roots->booked_count = (size_t)(top - start);
  memcpy(roots->booked, start, roots->booked_count * sizeof *start);
}

size_t __cilkprof_root_booked(const site_t *site, entry_t entries[BOOKED_MOST]) {
  const struct root_table *roots = table();
  if (site != roots->booked_site || site->count != roots->booked_at)
    return 0;
  memcpy(entries, roots->booked, roots->booked_count * sizeof *entries);
  return roots->booked_count;
}

static entry_t *top_returned(site_t *site, entry_t *top) {
  struct root_table *roots = table();
  const entry_t *start = top;
  if (__CILKPROF_RARE(!find_open(roots, site)))
    return book_top(site, top, top);
  const struct open_top *open = &roots->open[--roots->open_count];
  top = kept(top, book_for_program(site, open, top));
  for (size_t i = open->top_from; i <= roots->depth; i++) {
    struct root_invocation *invocation = &roots->invocations[i];
    if (i > 0)
      top = kept(top, book_for_root(invocation, site, i >= open->caller_from, top));
    if (invocation->context && !(open->no_context >> i & 1))
      top = kept(top, leave_context(invocation, top));
  }
  struct root_invocation_end end = {.counts = 1,
                                    .spawned = (site->flags & __CILKPROF_SITE_SPAWN) != 0,
                                    .top = top,
                                    .total = {1, THREAD.work, THREAD.span, THREAD.burdened_span}};
  remember_booked(roots, site, start, top);
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

/* The roots whose root invocations the invocations of a site with this description are, whose callee is described
   there.  */
static uint64_t matches(const struct root_table *roots, const void *description, const void *callee_description) {
  uint64_t found = 0;
  for (size_t i = 0; i < roots->count; i++)
    found |= (uint64_t)__cilkprof_selects(&roots->selectors[i], description, callee_description) << i;
  return found;
}

static void add_roots(site_t *site, uint64_t which) {
  root_site_t *known = which ? __cilkprof_root_site(site, 0) : NULL;
  if (!known)
    return;
  known->roots |= which;
  site->flags |= (uint64_t)1 << __CILKPROF_SITE_ROOT;
}

static void listed(site_t *site) {
  add_roots(site, matches(table(), site->description, site->description));
}

/* The innermost open invocation is as if it had not begun.  */
static void take_back(struct root_table *roots) {
  const struct open_top *open = &roots->open[--roots->open_count];
  site_t *site = open->site;
  site->active = 0;
  site->flags &= ~(uint64_t)__CILKPROF_SITE_TOP_CALLER;
  site->function->open--;
  for (size_t i = open->top_from; i <= roots->depth && roots->invocations[i].context; i++)
    if (!(open->no_context >> i & 1))
      roots->invocations[i].context = roots->invocations[i].context->parent;
  __cilkprof_whatif_taken_back(site);
}

/* The site of an indirect call has one callee, which shows its name when it is entered for the first time.  That
   invocation is a top-call-site one, and began already: it begins again, in the root invocation.  */
void __cilkprof_root_entered(const function_t *function) {
  struct root_table *roots = table();
  site_t *site = called_site((const frame_t *)THREAD.foreign.key);
  if (!THREAD.recording || !site->callee || site->flags >> __CILKPROF_SITE_ENTERED & 1)
    return;
  site->flags |= (uint64_t)1 << __CILKPROF_SITE_ENTERED;
  add_roots(site, matches(roots, site->description, function->outside.description));
  if (!(site->flags >> __CILKPROF_SITE_ROOT & 1) || !roots->open_count ||
      roots->open[roots->open_count - 1].site != site)
    return;
  uint64_t key = site->active;
  take_back(roots);
  top_call(site, key);
  __cilkprof_whatif_call(site);
}

void __cilkprof_roots_moved(site_t *(*moved)(site_t *site)) {
  struct root_table *roots = table();
  if (!roots)
    return;
  for (size_t i = 0; i < roots->open_count; i++) {
    site_t *site = roots->open[i].site; /* another thread may be about to replace it */
    __atomic_compare_exchange_n(&roots->open[i].site, &site, moved(site), 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  }
  __cilkprof_root_values_moved(moved);
}

static const struct cilkprof_tops root_tops = {.listed = listed, .call = top_call, .returned = top_returned};

/* Whether TEXT is NAME (FILE:LINE): so the report tells functions apart that only differ in their parameters.  Where a
   function is defined, those do not know who call it.  */
static int is_by_place(const char *text) {
  const char *place = strstr(text, " ("), *line = place ? strrchr(place, ':') : NULL;
  size_t digits = line ? strspn(line + 1, "0123456789") : 0;
  return digits && strcmp(line + 1 + digits, ")") == 0;
}

static void add_root(struct root_table *roots, const char *text, char *name) {
  if (is_by_place(text)) {
    __cilkprof_say(text, "one of several functions of that name is named by its parameters",
                   "cilkprof-report --full-names prints them");
    return;
  }
  for (size_t i = 0; i < roots->count; i++)
    if (strcmp(roots->roots[i].text, text) == 0)
      return;
  if (roots->count == ROOTS_MOST) {
    __cilkprof_say(text, "one root too many", "CILKPROF_ROOT takes eight");
    return;
  }
  strcpy(name, text);
  roots->roots[roots->count].text = text;
  roots->selectors[roots->count] = __cilkprof_parse_selector(name);
  roots->contexts[roots->count] = __cilkprof_context_tree(roots->count + 1);
  roots->count++;
}

/* Returns 0, or -1 when there is no memory.  */
static int start(struct root_table *roots) {
  roots->open = __cilkprof_reserve(OPEN_MOST * sizeof *roots->open);
  if (!roots->open || __cilkprof_root_values_start() < 0)
    return -1;
  roots->invocations[0].context = __cilkprof_context_tree(0);
  profiled_thread()->roots = roots;
  profiled_thread()->tops = &root_tops;
  return 0;
}

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
  for (char *list = texts, *at; (at = __cilkprof_next_name(&list));)
    add_root(&roots, at, names + (at - texts));
  if (roots.count && start(&roots) < 0)
    wrong = "no memory is left for it";
  if (!profiled_thread()->roots)
    __cilkprof_say("CILKPROF_ROOT", wrong, "the profile is of the whole program");
}

const struct root *__cilkprof_roots(size_t *count) {
  *count = table() ? table()->count : 0;
  return table() ? table()->roots : NULL;
}
