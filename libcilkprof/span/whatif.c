/* What-if: the candidates, and where they begin and end.
   SPDX-License-Identifier: MIT

   A candidate is a function or a place FILE:LINE: all call sites with that callee, or there.  What is taken to be
   faster is all from the call to the return of its outermost invocations.  Such an invocation is a top-call-site one,
   so nothing is looked at in any other.  */

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libcilkprof/span/whatif.h"
#include "libcilkprof/support/support.h"

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
  int is_loop;          /* only the loops of that line */
  const char *text;     /* as it was named, without the factor */
  uint64_t faster;      /* how many times; 0: that is not asked */
  uint64_t open;        /* top-call-site invocations of its sites */
  uint64_t count, work; /* of its outermost invocations that ended */
} candidates[MOST];
static int candidate_count;

/* The strings of a description.  */
enum { SOURCE, CALLER, CALLEE, UNIT, NAME, SHORT_NAME };

static const char *string_of(const void *description, int number) {
  const char *string = (const char *)description + sizeof(struct cilkprof_description);
  while (number-- > 0)
    string += strlen(string) + 1;
  return string;
}

/* PATH ends with the whole names in NAME, of so many bytes.  */
static int is_file(const char *path, const char *name, size_t bytes) {
  size_t length = strlen(path);
  return length >= bytes && memcmp(path + length - bytes, name, bytes) == 0 &&
         (length == bytes || path[length - bytes - 1] == '/');
}

/* TEXT is NAME, or NAME (FILE) as the report has static functions of the same name; UNIT is NULL for any other.  */
static int is_name(const char *text, const char *name, const char *unit) {
  size_t length = strlen(name), left = strlen(text);
  if (left < length || memcmp(text, name, length) != 0)
    return 0;
  text += length;
  left -= length;
  return !left || (unit && left > 3 && memcmp(text, " (", 2) == 0 && text[left - 1] == ')' &&
                   !memchr(text, '/', left) && is_file(unit, text + 2, left - 3));
}

/* The callee that is described there is called so, by its symbol or as the report prints it.  */
static int is_callee(const void *description, const char *text) {
  struct cilkprof_description head;
  memcpy(&head, description, sizeof head);
  const char *unit = head.flags & CILKPROF_SITE_CALLEE_LOCAL ? string_of(description, UNIT) : NULL;
  return strcmp(string_of(description, CALLEE), text) == 0 || is_name(text, string_of(description, NAME), unit) ||
         is_name(text, string_of(description, SHORT_NAME), unit);
}

/* The candidates to which a site with this description belongs, whose callee is described there.  */
static uint64_t matches(const void *description, const void *callee_description) {
  struct cilkprof_description head;
  memcpy(&head, description, sizeof head);
  const char *file = string_of(description, SOURCE);
  uint64_t found = 0;
  for (int i = 0; i < candidate_count; i++) {
    const struct candidate *c = &candidates[i];
    int match = c->line ? head.line == c->line && (!c->is_loop || head.kind == CILKPROF_SITE_LOOP) &&
                              is_file(file, c->name, strlen(c->name))
                        : is_callee(callee_description, c->name);
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
  site_t *site = called_site((const frame_t *)THREAD.foreign.key);
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
    THREAD.lanes.pairs[i] = (__cilkprof_pair){0, c->faster ? THREAD.span * (THREAD.lane_unit / c->faster) : 0};
  }
}

static uint64_t common_multiple(uint64_t a, uint64_t b) {
  uint64_t multiple = a;
  while (multiple % b)
    multiple += a;
  return multiple;
}

/* How long the name of the operator is that begins at AT, if it is one with characters that mean something else in a
   list of candidates; TEXT begins there or earlier.  */
static size_t operator_length(const char *text, const char *at) {
  static const char word[] = "operator";
  static const char *const symbols[] = {
      "->*", "<=>", "<<=", ">>=", "->", "<<", ">>", "<=", ">=", "()", "[]", "/=", "<", ">", ",", "/"};
  if (strncmp(at, word, sizeof word - 1) != 0 || (at > text && (isalnum((unsigned char)at[-1]) || at[-1] == '_')))
    return 0;
  at += sizeof word - 1;
  for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
    if (strncmp(at, symbols[i], strlen(symbols[i])) == 0)
      return sizeof word - 1 + strlen(symbols[i]);
  return 0;
}

/* The first MARK of TEXT, or its end: not one between brackets, nor one that is part of an operator's name.  */
static char *find_mark(char *text, char mark) {
  int depth = 0, angles = 0; /* inside other brackets < and > may be operators, and do not matter */
  char *at = text;
  for (; *at && (*at != mark || depth || angles); at++) {
    size_t length = operator_length(text, at);
    if (length)
      at += length - 1;
    else if (strchr("([{", *at))
      depth++;
    else if (strchr(")]}", *at))
      depth -= depth > 0;
    else if (!depth && *at == '<')
      angles++;
    else if (!depth && *at == '>')
      angles -= angles > 0;
  }
  return at;
}

/* Where TEXT has its factor, behind the last slash; NULL: it has none, that slash is part of a path.  */
static char *find_factor(char *text) {
  char *factor = NULL;
  for (char *at = find_mark(text, '/'); *at; at = find_mark(factor, '/'))
    factor = at + 1;
  return factor && !strchr(factor, ':') ? factor : NULL;
}

/* 0: it is none that can be used.  */
static uint64_t read_factor(const char *digits) {
  uint64_t factor = digits[strspn(digits, "0123456789")] ? 0 : strtoul(digits, NULL, 10);
  return factor < 2 || factor > MOST_FASTER ? 0 : factor;
}

/* What is wrong with a factor, or NULL.  */
static const char *check_factor(uint64_t faster) {
  if (!faster)
    return "its factor is not a whole number from 2 to 100";
  return common_multiple(THREAD.lane_unit, faster) > MOST_UNITS
             ? "its factor and those before it have no common multiple up to 10000"
             : NULL;
}

/* The first of the candidates that are named so, and if FASTER is not 0, that are to be so much faster.  */
static const struct candidate *find_candidate(const char *text, uint64_t faster) {
  for (const struct candidate *c = candidates; c < candidates + candidate_count; c++)
    if (strcmp(c->text, text) == 0 && (!faster || c->faster == faster))
      return c;
  return NULL;
}

/* Cuts the line off from FILE:LINE; 0: it is not that.  */
static uint64_t cut_line(char *text) {
  char *colon = strrchr(text, ':');
  if (!colon || !colon[1] || colon[1 + strspn(colon + 1, "0123456789")])
    return 0;
  *colon = 0;
  return strtoul(colon + 1, NULL, 10);
}

/* TEXT is FUNCTION, FILE:LINE, cilk_for FILE:LINE, or one of them and /FASTER; NAME is a copy of it.  */
static void add_candidate(char *text, char *name) {
  static const char loop[] = "cilk_for ";
  char *factor = find_factor(text);
  uint64_t faster = factor ? read_factor(factor) : DEFAULT_FASTER;
  if (factor)
    factor[-1] = 0;
  if (!*text) {
    __cilkprof_say(name, "names no function or call site", "it is left out");
    return;
  }
  const char *wrong = check_factor(faster);
  if (wrong) {
    __cilkprof_say(name, wrong, "it is only computed what if it cost nothing");
    faster = 0;
  }
  if (find_candidate(text, faster))
    return;
  if (candidate_count == MOST) {
    __cilkprof_say(name, "one candidate too many", "CILKPROF_WHATIF takes seven");
    return;
  }
  if (faster)
    THREAD.lane_unit = common_multiple(THREAD.lane_unit, faster);
  strcpy(name, text);
  uint64_t line = cut_line(name);
  int is_loop = line && strncmp(name, loop, sizeof loop - 1) == 0;
  candidates[candidate_count++] = (struct candidate){.name = is_loop ? name + sizeof loop - 1 : name,
                                                     .line = line,
                                                     .is_loop = is_loop,
                                                     .text = text,
                                                     .faster = faster};
}

/* Without the blanks around it.  */
static char *trim(char *text) {
  static const char blanks[] = " \t\n";
  text += strspn(text, blanks);
  size_t length = strlen(text);
  while (length && strchr(blanks, text[length - 1]))
    text[--length] = 0;
  return text;
}

void __cilkprof_whatif_start(void) {
  static char texts[TEXT], names[TEXT];
  const char *wanted = secure_getenv("CILKPROF_WHATIF"), *wrong = "names no candidate";
  THREAD.lane_unit = 1;
  if (wanted && strlen(wanted) >= TEXT)
    wrong = "too long";
  else
    strcpy(texts, wanted ? wanted : "");
  for (char *at = texts, *end; *at; at = end) {
    end = find_mark(at, ',');
    if (*end)
      *end++ = 0;
    at = trim(at);
    if (!*at)
      continue;
    wrong = NULL;
    strcpy(names + (at - texts), at);
    add_candidate(at, names + (at - texts));
  }
  if (wrong)
    __cilkprof_say("CILKPROF_WHATIF", wrong, "no what-if is computed");
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
    int is_first = find_candidate(c->text, 0) == c; /* several may ask for different factors */
    if (!c->count) {
      if (is_first && getpid() == ENGINE.pid) /* a copy writes what there is so far */
        __cilkprof_say(c->text, "no such function or call site was reached, or it was inlined",
                       "its what-if is left out");
      continue;
    }
    if (is_first)
      write_lane(writer, c, 0, work - c->work, (*spans)[0] / THREAD.lane_unit);
    if (c->faster)
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
