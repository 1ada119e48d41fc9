/* What-if: the candidates, and where they begin and end.
   SPDX-License-Identifier: MIT

   A candidate is a function or a place FILE:LINE: all call sites with that callee, or there.  What is taken to be
   faster is all from the call to the return of its outermost invocations.  Such an invocation is a top-call-site one,
   so nothing is looked at in any other.  */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libcilkprof/whatif.h"

#ifdef __CILKPROF_WHATIF

#include "fmt/description.h"

enum {
  MOST = __CILKPROF_CANDIDATES,
  ALL = (1 << MOST) - 1,
  DEFAULT_FASTER = 2,
  MOST_FASTER = 100,
  MOST_UNITS = 10000, /* to one of work: a span of days still fits into a lane */
  TEXT = 8192,
};

static struct candidate {
  const char *name;     /* a function, or a file */
  uint64_t line;        /* of the file; 0: it is a function */
  const char *text;     /* as it was named, without the factor */
  uint64_t faster;      /* how many times */
  uint64_t open;        /* top-call-site invocations of its sites */
  uint64_t count, work; /* of its outermost invocations that ended */
} candidates[MOST];
static int candidate_count;

/* PATH ends with the whole names in NAME.  */
static int is_file(const char *path, const char *name) {
  size_t length = strlen(path), part = strlen(name);
  return length >= part && strcmp(path + length - part, name) == 0 &&
         (length == part || path[length - part - 1] == '/');
}

/* SYMBOL is the C++ function NAME, as a::b or b, of whatever parameters; templates are known by their symbols only.  */
static int is_mangled(const char *symbol, const char *name) {
  if (strncmp(symbol, "_Z", 2) != 0)
    return 0;
  const char *at = symbol + 2;
  int nested = *at == 'N';
  at += nested;
  while (*at == 'K' || *at == 'L')
    at++;
  for (;;) {
    char *part;
    size_t length = strtoul(at, &part, 10), wanted = strcspn(name, ":(");
    if (length != wanted || !length || strncmp(part, name, length) != 0)
      return 0;
    at = part + length;
    name += length;
    if (name[0] != ':' || name[1] != ':')
      return nested ? *at == 'E' : *at != 'I';
    name += 2;
  }
}

/* The candidates to which a site with this description belongs, whose callee is described there.  */
static uint64_t matches(const void *description, const void *callee_description) {
  struct cilkprof_description head;
  memcpy(&head, description, sizeof head);
  const char *file = (const char *)description + sizeof head;
  const char *callee = (const char *)callee_description + sizeof head;
  callee += strlen(callee) + 1;
  callee += strlen(callee) + 1;
  uint64_t found = 0;
  for (int i = 0; i < candidate_count; i++) {
    const struct candidate *c = &candidates[i];
    int match = c->line ? head.line == c->line && is_file(file, c->name)
                        : strcmp(callee, c->name) == 0 || is_mangled(callee, c->name);
    found |= (uint64_t)match << i;
  }
  return found;
}

/* An invocation of the site, with none above it, begins for these candidates.  */
static void open_candidates(site_t *site, uint64_t which) {
  for (int i = 0; i < candidate_count; i++)
    if (which >> i & 1 && candidates[i].open++ == 0)
      site->flags |= (uint64_t)1 << (__CILKPROF_SITE_OUTERMOST + i);
}

void __cilkprof_whatif_call(site_t *site) {
  if (!(site->flags >> __CILKPROF_SITE_MATCHED & 1))
    site->flags |= (uint64_t)1 << __CILKPROF_SITE_MATCHED | matches(site->description, site->description)
                                                                << __CILKPROF_SITE_CANDIDATE;
  open_candidates(site, site->flags >> __CILKPROF_SITE_CANDIDATE & ALL);
}

/* The site of an indirect call has one callee, which shows its name when it is entered for the first time.  That
   invocation is a top-call-site one, and began already.  */
void __cilkprof_whatif_entered(const function_t *function) {
  site_t *site = (site_t *)(((const frame_t *)THREAD.foreign.key)->site & ~(uint64_t)__CILKPROF_CALL_KIND);
  if (!THREAD.recording || !site->callee || site->flags >> __CILKPROF_SITE_NAMED & 1)
    return;
  uint64_t more =
      matches(site->description, function->outside.description) & ~(site->flags >> __CILKPROF_SITE_CANDIDATE);
  site->flags |= (uint64_t)1 << __CILKPROF_SITE_NAMED | more << __CILKPROF_SITE_CANDIDATE;
  open_candidates(site, more);
}

/* On its lanes the candidate's outermost invocation cost nothing, and one FASTERth.  */
void __cilkprof_whatif_returned(site_t *site) {
  for (int i = 0; i < candidate_count; i++) {
    struct candidate *c = &candidates[i];
    uint64_t outermost = (uint64_t)1 << (__CILKPROF_SITE_OUTERMOST + i);
    if (!(site->flags >> (__CILKPROF_SITE_CANDIDATE + i) & 1))
      continue;
    c->open--;
    if (!(site->flags & outermost))
      continue;
    site->flags &= ~outermost;
    c->count++;
    c->work += THREAD.work;
    THREAD.lanes.pairs[i] = (__cilkprof_pair){0, THREAD.span * (THREAD.lane_unit / c->faster)};
  }
}

static uint64_t common_multiple(uint64_t a, uint64_t b) {
  uint64_t multiple = a;
  while (multiple % b)
    multiple += a;
  return multiple;
}

/* The number behind the last MARK of TEXT, which both are cut off from; OTHERWISE where there is none.  */
static uint64_t cut_number(char *text, char mark, uint64_t otherwise) {
  char *at = strrchr(text, mark);
  if (!at || !at[1] || at[1 + strspn(at + 1, "0123456789")])
    return otherwise;
  *at = 0;
  return strtoul(at + 1, NULL, 10);
}

/* TEXT is NAME, FILE:LINE, or one of them and /FASTER; NAME is a copy of it.  */
static void add_candidate(char *text, char *name) {
  uint64_t faster = cut_number(text, '/', DEFAULT_FASTER);
  if (faster < 2 || faster > MOST_FASTER || common_multiple(THREAD.lane_unit, faster) > MOST_UNITS) {
    __cilkprof_say(name, "not a factor that can be used", "it is left out; factors are 2 to 100");
    return;
  }
  if (candidate_count == MOST) {
    __cilkprof_say(name, "one candidate too many", "CILKPROF_WHATIF takes seven");
    return;
  }
  THREAD.lane_unit = common_multiple(THREAD.lane_unit, faster);
  strcpy(name, text);
  uint64_t line = cut_number(name, ':', 0);
  candidates[candidate_count++] = (struct candidate){.name = name, .line = line, .text = text, .faster = faster};
}

/* Commas separate candidates, unless they are between the parameters of one.  */
static char *end_of_candidate(char *at) {
  for (int depth = 0; *at && (*at != ',' || depth); at++)
    depth += *at == '(' || *at == '<' ? 1 : *at == ')' || *at == '>' ? -1 : 0;
  return at;
}

void __cilkprof_whatif_start(void) {
  static char texts[TEXT], names[TEXT];
  const char *wanted = secure_getenv("CILKPROF_WHATIF");
  THREAD.lane_unit = 1;
  if (!wanted || !*wanted || strlen(wanted) >= TEXT) {
    __cilkprof_say("CILKPROF_WHATIF", wanted && *wanted ? "too long" : "names no candidate", "no what-if is computed");
    return;
  }
  strcpy(texts, wanted);
  for (char *at = texts, *end; *at; at = end) {
    end = end_of_candidate(at);
    if (*end)
      *end++ = 0;
    if (!*at)
      continue;
    strcpy(names + (at - texts), at);
    add_candidate(at, names + (at - texts));
  }
}

/* The lane of a run that did not reach its end may make no sense.  */
static void write_lane(struct cilkprof_writer *writer, const struct candidate *c, uint64_t faster, uint64_t work,
                       uint64_t span) {
  if (span <= work)
    cilkprof_write_whatif(writer,
                          &(struct cilkprof_whatif){
                              .candidate = c->text, .faster = faster, .count = c->count, .work = work, .span = span});
}

void __cilkprof_whatif_write(struct cilkprof_writer *writer, uint64_t work) {
  if ((unsigned __int128)work * THREAD.lane_unit >> 63 != 0) {
    __cilkprof_say("CILKPROF_WHATIF", "the work is more than it can compute with", "it is left out");
    return;
  }
  for (int i = 0; i < candidate_count; i++) {
    const struct candidate *c = &candidates[i];
    const __cilkprof_pair *spans = &THREAD.foreign.lanes.pairs[i];
    if (!c->count) {
      if (getpid() == ENGINE.pid) /* a copy writes what there is so far */
        __cilkprof_say(c->text, "no such function or call site was reached", "its what-if is left out");
      continue;
    }
    write_lane(writer, c, 0, work - c->work, (*spans)[0] / THREAD.lane_unit);
    write_lane(writer, c, c->faster, work * c->faster - (c->faster - 1) * c->work,
               (*spans)[1] / (THREAD.lane_unit / c->faster));
  }
}

#else

void __cilkprof_whatif_start(void) {
  const char *wanted = secure_getenv("CILKPROF_WHATIF");
  if (wanted && *wanted)
    __cilkprof_say("CILKPROF_WHATIF", "this program was not built for what-if questions",
                   "compile it with -fcilkprof=whatif");
}

#endif
