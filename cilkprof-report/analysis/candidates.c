/* Candidates of what-if: finds those that are worth a question, and the call sites of those that the user named.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/analysis/bottlenecks.h"
#include "cilkprof-report/analysis/whatif.h"
#include "cilkprof-report/model/library.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/support/support.h"
#include "cilkprof-report/support/table.h"

double whatif_speedup(const struct model *model, double work, double span, unsigned processors) {
  double time = work / processors > span ? work / processors : span;
  return time > 0 ? (double)model->totals.work / time : 0;
}

/* Returns the length of TEXT without END, if it ends with that.  */
static size_t length_without_suffix(const char *text, const char *end) {
  size_t length = strlen(text), part = strlen(end);
  return length >= part && strcmp(text + length - part, end) == 0 ? length - part : length;
}

/* Returns whether CANDIDATE is one of the names of FUNCTION.  The file may be added to distinguish static
   functions.  */
static bool has_name(const struct function *function, const char *candidate) {
  bool mangled = strncmp(function->name, "_Z", 2) == 0; /* the user asked for names that are not demangled */
  char *file = function->unit != NULL ? format_string(" (%s)", base_name(function->unit)) : format_string("%s", "");
  char *whole = mangled ? demangle(function->symbol, demangle_style("auto"), true) : NULL;
  char *brief = mangled ? demangle(function->symbol, demangle_style("auto"), false) : NULL;
  const char *names[] = {mangled ? whole : function->name, mangled ? brief : function->short_name, function->symbol};
  size_t length = length_without_suffix(candidate, file);
  bool matches = false;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    matches |= length_without_suffix(names[i], file) == length && strncmp(names[i], candidate, length) == 0;
  free(file);
  free(whole);
  free(brief);
  return matches;
}

/* Returns whether SITE belongs to CANDIDATE, whose parsed form is PLACE.  The rules are those of
   libcilkprof/engine/whatif/whatif.c.  */
static bool is_candidate(const struct site *site, const char *candidate, const struct symspec *place, bool only_loops) {
  bool is_loop = site->kind == CILKPROF_SITE_LOOP; /* the callee has the symbol of the enclosing function */
  if (place->line > 0 && place->file != NULL)
    return site->line == place->line && is_file(site->file, place->file) && (is_loop || !only_loops);
  return !is_loop && has_name(site->callee, candidate);
}

/* Returns the call sites of CANDIDATE.  */
static const struct site **find_sites(const struct model *model, const char *candidate, size_t *count) {
  static const char loop[] = "cilk_for ";
  bool only_loops = strncmp(candidate, loop, strlen(loop)) == 0;
  struct symspec place = symspec_parse(only_loops ? candidate + strlen(loop) : candidate);
  const struct site **sites = allocate(model->site_count, sizeof *sites);
  *count = 0;
  for (size_t i = 0; i < model->site_count; i++)
    if (is_candidate(&model->sites[i], candidate, &place, only_loops))
      sites[(*count)++] = &model->sites[i];
  return sites;
}

struct annotation whatif_sites(const struct model *model, const char *candidate) {
  size_t count;
  const struct site **sites = find_sites(model, candidate, &count);
  struct annotation found = {0};
  struct nesting nesting = nesting_make(model);
  if (count > 0)
    found = annotation_of(&nesting, sites, count);
  nesting_free(&nesting);
  free(sites);
  return found;
}

/* Returns whether NAME, the end of the file name of SITE, also matches another file with a call site on that line.  */
static bool is_ambiguous(const struct model *model, const struct site *site, const char *name) {
  for (size_t i = 0; i < model->site_count; i++) {
    const struct site *other = &model->sites[i];
    if (other->line == site->line && other->file != site->file && is_file(other->file, name))
      return true;
  }
  return false;
}

/* Returns FILE:LINE of SITE, with as many folders of the path as are needed to be unambiguous.  */
static char *candidate_name(const struct model *model, const struct site *site) {
  const char *name = base_name(site->file);
  while (name > site->file && is_ambiguous(model, site, name))
    for (name--; name > site->file && name[-1] != '/'; name--)
      ;
  return format_string("%s:%u", name, site->line);
}

const struct function *whatif_library(const struct model *model, const char *candidate) {
  const struct function *library = NULL;
  size_t count;
  const struct site **sites = find_sites(model, candidate, &count);
  bool all = count > 0;
  for (size_t i = 0; i < count; i++) {
    all &= sites[i]->callee->foreign;
    library = sites[i]->callee;
  }
  free(sites);
  return all ? library : NULL;
}

/* Returns the largest function without instrumentation that CANDIDATE calls, if such functions make up most of its
   time: a what-if run counts instructions, and counts none in them.  Otherwise returns NULL.  Library functions that
   cannot call the program do not count here: their time is part of their caller's, and not known separately.  */
static const struct function *find_unseen(const struct model *model, const struct candidate *candidate) {
  const struct function *largest = NULL;
  uint64_t unseen = 0, most = 0;
  if (model->program.mode == CILKPROF_MODE_COUNT)
    return NULL;
  size_t count;
  const struct site **sites = find_sites(model, candidate->name, &count);
  for (size_t i = 0; i < count; i++) {
    uint64_t span = sites[i]->measured->on_span.local.span;
    if (!sites[i]->callee->foreign)
      continue;
    add_saturating(&unseen, span);
    if (span >= most) {
      largest = sites[i]->callee;
      most = span;
    }
  }
  free(sites);
  return unseen > candidate->line.on_span.span / 2 ? largest : NULL;
}

/* A source line of user code with calls on the span.  */
struct line_on_span {
  const struct site *site; /* call that leads to the largest part of SPAN */
  uint64_t span;           /* local span of all calls, including library functions below them */
};

/* Callback of table_find: returns whether the element at PLACE is the source line of the call site KEY.  */
static bool is_same_line(const void *array, size_t place, const void *key) {
  const struct line_on_span *line = (const struct line_on_span *)array + place;
  const struct site *site = key;
  return line->site->file == site->file && line->site->line == site->line;
}

static int compare_lines(const void *left, const void *right) {
  const struct line_on_span *a = left, *b = right;
  if (a->span != b->span)
    return a->span > b->span ? -1 : 1;
  return a->site < b->site ? -1 : a->site > b->site;
}

/* Returns the call in user code that leads to SITE, or NULL if there is none with a known line.  */
static const struct site *user_line(const struct model *model, const struct site *site) {
  const struct site *user = user_site(model, site);
  return user != NULL && user->caller != NULL && user->line > 0 ? user : NULL;
}

/* Returns all lines of user code with calls on the span, sorted by span, largest first.  A hash table finds lines,
   which are many in a large program.  */
static struct line_on_span *find_lines(struct model *model, size_t *count) {
  const struct site **sites = sites_by_span(model); /* those that are not on the span come last */
  struct line_on_span *lines = NULL;
  struct table table = {0};
  size_t room = 0;
  *count = 0;
  for (size_t i = 0; i < model->site_count && sites[i]->measured->on_span.local.span > 0; i++) {
    const struct site *site = user_line(model, sites[i]);
    if (site == NULL)
      continue;
    uint64_t hash = hash_add((uintptr_t)site->file, site->line);
    size_t place = table_find(&table, hash, is_same_line, lines, site, *count);
    if (place == *count) {
      lines = grow(lines, (*count)++, &room, sizeof *lines);
      lines[place] = (struct line_on_span){site, 0};
    }
    add_saturating(&lines[place].span, sites[i]->measured->on_span.local.span);
  }
  table_forget(&table);
  if (*count > 0)
    qsort(lines, *count, sizeof *lines, compare_lines);
  return lines;
}

struct candidates {
  struct candidate *list;
  size_t count, most;
};

static bool is_listed(const struct candidates *candidates, const char *name) {
  for (size_t i = 0; i < candidates->count; i++)
    if (strcmp(candidates->list[i].name, name) == 0)
      return true;
  return false;
}

enum { LEAST = 1, MOST = 90 }; /* percent of the span */

/* Returns whether CANDIDATE is nearly the whole span, but little of that is SPAN, its own: then only its callees are
   worth a question.  */
static bool is_program(const struct model *model, const struct candidate *candidate, uint64_t span) {
  return percent(candidate->line.on_span.span, model->totals.span) >= MOST && percent(span, model->totals.span) < MOST;
}

/* Adds the line of SITE, whose own span is SPAN, unless it is listed already.  NAMED: the verdict names the line, which
   is added even if it is nearly the whole program.  */
static void add_candidate(const struct model *model, struct candidates *candidates, const struct site *site,
                          uint64_t span, bool named) {
  char *name = candidates->count < candidates->most ? candidate_name(model, site) : NULL;
  if (name == NULL || is_listed(candidates, name))
    return;
  struct candidate candidate = {.name = name, .line = whatif_sites(model, name)};
  if (!named && is_program(model, &candidate, span))
    return;
  candidate.unseen = find_unseen(model, &candidate);
  candidates->list[candidates->count++] = candidate;
}

/* Adds the source location that the verdict names for BOTTLENECK, and that of its largest part.  A what-if question
   about the own code of a function always includes its callees.  */
static void add_bottleneck(const struct model *model, struct candidates *candidates,
                           const struct bottleneck *bottleneck) {
  const struct site *place = bottleneck->place_count > 0 ? user_line(model, bottleneck->places[0]) : NULL;
  const struct site *part = bottleneck->part != NULL ? user_line(model, bottleneck->part) : NULL;
  if (place != NULL)
    add_candidate(model, candidates, place, bottleneck->held.span, bottleneck->kind != BOTTLENECK_CODE);
  if (part != NULL && percent(bottleneck->part_span, model->totals.span) >= LARGE_SHARE)
    add_candidate(model, candidates, part, bottleneck->part_span, true);
}

size_t whatif_candidates(struct model *model, struct candidate *list, size_t most) {
  struct candidates candidates = {list, 0, most};
  struct bottleneck bottlenecks[MOST_BOTTLENECKS];
  size_t line_count, bottleneck_count = bottlenecks_find(model, large_span(model), bottlenecks, MOST_BOTTLENECKS);
  struct line_on_span *lines = find_lines(model, &line_count);
  for (size_t i = 0; i < bottleneck_count; i++)
    add_bottleneck(model, &candidates, &bottlenecks[i]);
  for (size_t i = 0; i < line_count && percent(lines[i].span, model->totals.span) >= LEAST; i++)
    add_candidate(model, &candidates, lines[i].site, lines[i].span, false);
  free(lines);
  return candidates.count;
}
