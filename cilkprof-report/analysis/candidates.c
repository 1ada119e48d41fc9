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

/* Returns an upper bound of the speedup on PROCESSORS if a part of the program were faster, so that it had this WORK
   and SPAN, relative to the present program on one processor.  */
double whatif_speedup(const struct model *model, double work, double span, unsigned processors) {
  double time = work / processors > span ? work / processors : span;
  return time > 0 ? (double)model->totals.work / time : 0;
}

/* Returns the length of TEXT, the name of a what-if candidate or function, without END if it ends with that.  */
static size_t suggested_name_length_without_suffix(const char *text, const char *end) {
  size_t length = strlen(text), part = strlen(end);
  return length >= part && strcmp(text + length - part, end) == 0 ? length - part : length;
}

/* Returns whether CANDIDATE, as the user named it for what-if, is one of the names of FUNCTION.  The file may be added
   to distinguish static functions.  */
static bool has_whatif_suggestion_name(const struct function *function, const char *candidate) {
  bool mangled = strncmp(function->name, "_Z", 2) == 0; /* the user asked for names that are not demangled */
  char *file = function->unit != NULL ? format_string(" (%s)", base_name(function->unit)) : format_string("%s", "");
  char *whole = mangled ? demangle(function->symbol, demangle_style("auto"), true) : NULL;
  char *brief = mangled ? demangle(function->symbol, demangle_style("auto"), false) : NULL;
  const char *names[] = {mangled ? whole : function->name, mangled ? brief : function->short_name, function->symbol};
  size_t length = suggested_name_length_without_suffix(candidate, file);
  bool matches = false;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    matches |=
        suggested_name_length_without_suffix(names[i], file) == length && strncmp(names[i], candidate, length) == 0;
  free(file);
  free(whole);
  free(brief);
  return matches;
}

/* The source location of a what-if candidate.  */
struct suggested_place {
  const char *file;      /* allocated; NULL: the candidate is a function */
  uint32_t line, column; /* a column of 0 stands for all */
  bool only_loops;
};

/* Returns the source location that CANDIDATE, the text of a what-if candidate, names: FILE:LINE or FILE:LINE:COLUMN,
   perhaps after the word cilk_for.  Its line is 0 if CANDIDATE is a function.  */
static struct suggested_place parse_suggested_place(const char *candidate) {
  static const char loop[] = "cilk_for ";
  bool only_loops = strncmp(candidate, loop, strlen(loop)) == 0;
  struct symspec last = symspec_parse(only_loops ? candidate + strlen(loop) : candidate);
  if (last.line == 0 || last.file == NULL)
    return (struct suggested_place){0};
  struct symspec before = symspec_parse(last.file);
  bool with_column = before.line > 0 && before.file != NULL;
  return (struct suggested_place){with_column ? before.file : last.file, with_column ? before.line : last.line,
                                  with_column ? last.line : 0, only_loops};
}

/* Returns whether the call site SITE belongs to the what-if CANDIDATE, whose parsed form is PLACE.  The rules are those
   of libcilkprof/engine/names/selector.c.  */
static bool is_whatif_suggestion_site(const struct site *site, const char *candidate,
                                      const struct suggested_place *place) {
  bool is_loop = site->kind == CILKPROF_SITE_LOOP; /* the callee has the symbol of the enclosing function */
  if (site->kind == CILKPROF_SITE_SERIAL_LOOP)     /* in a program for what-if questions it is part of that function */
    return false;
  if (place->file != NULL)
    return site->line == place->line && (place->column == 0 || site->column == place->column) &&
           path_ends_in_file(site->file, place->file) && (is_loop || !place->only_loops);
  return !is_loop && has_whatif_suggestion_name(site->callee, candidate);
}

/* Returns the call sites of the what-if CANDIDATE, a function or a source location, in an allocated array.  *COUNT is
   their number.  */
static const struct site **find_whatif_suggestion_sites(const struct model *model, const char *candidate,
                                                        size_t *count) {
  struct suggested_place place = parse_suggested_place(candidate);
  const struct site **sites = allocate(model->site_count, sizeof *sites);
  *count = 0;
  for (size_t i = 0; i < model->site_count; i++)
    if (is_whatif_suggestion_site(&model->sites[i], candidate, &place))
      sites[(*count)++] = &model->sites[i];
  return sites;
}

/* Returns the sum of the costs of all call sites of the what-if CANDIDATE, a function or a source location.  */
struct annotation sum_whatif_suggestion_sites(const struct model *model, const char *candidate) {
  size_t count;
  const struct site **sites = find_whatif_suggestion_sites(model, candidate, &count);
  struct annotation found = {0};
  struct nesting nesting = make_model_nesting(model);
  if (count > 0)
    found = model_annotate_sites(&nesting, sites, count);
  free_model_nesting(&nesting);
  free(sites);
  return found;
}

/* Returns whether NAME, the end of the file name of SITE, also matches another file with a call site on that line, so
   that it cannot name a what-if candidate.  */
static bool is_suggested_name_ambiguous(const struct model *model, const struct site *site, const char *name) {
  for (size_t i = 0; i < model->site_count; i++) {
    const struct site *other = &model->sites[i];
    if (other->line == site->line && other->file != site->file && path_ends_in_file(other->file, name))
      return true;
  }
  return false;
}

/* Returns whether the line of SITE has calls of different functions, so that a what-if candidate for one of them has to
   name its column.  A loop is one with its body.  */
static bool is_suggested_line_of_several_calls(const struct model *model, const struct site *site) {
  if (site->kind == CILKPROF_SITE_LOOP || site->column == 0)
    return false;
  for (size_t i = 0; i < model->site_count; i++) {
    const struct site *other = &model->sites[i];
    if (other->file == site->file && other->line == site->line && other->column != site->column &&
        other->callee != site->callee && other->kind != CILKPROF_SITE_LOOP && other->caller != NULL &&
        other->kind != CILKPROF_SITE_SERIAL_LOOP && other->measured->on_work.local.count > 0)
      return true;
  }
  return false;
}

/* Returns the name of a what-if candidate: FILE:LINE of SITE, with as many folders of the path as are needed to be
   unambiguous, and with its column if the line also calls other functions.  The text is allocated.  */
static char *whatif_suggestion_name(const struct model *model, const struct site *site) {
  const char *name = base_name(site->file);
  while (name > site->file && is_suggested_name_ambiguous(model, site, name))
    for (name--; name > site->file && name[-1] != '/'; name--)
      ;
  return is_suggested_line_of_several_calls(model, site)
             ? format_string("%s:%u:%u", name, site->line, (unsigned)site->column)
             : format_string("%s:%u", name, site->line);
}

/* Returns a library function that the what-if CANDIDATE calls; NULL if not all its calls are to functions without
   instrumentation.  */
const struct function *whatif_suggestion_library(const struct model *model, const char *candidate) {
  const struct function *library = NULL;
  size_t count;
  const struct site **sites = find_whatif_suggestion_sites(model, candidate, &count);
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
static const struct function *find_unseen_suggested_callee(const struct model *model,
                                                           const struct candidate *candidate) {
  const struct function *largest = NULL;
  uint64_t unseen = 0, most = 0;
  if (model->program.mode == CILKPROF_MODE_COUNT)
    return NULL;
  size_t count;
  const struct site **sites = find_whatif_suggestion_sites(model, candidate->name, &count);
  for (size_t i = 0; i < count; i++) {
    uint64_t span = sites[i]->measured->on_span.local.span;
    if (!sites[i]->callee->foreign)
      continue;
    model_add_saturating(&unseen, span);
    if (span >= most) {
      largest = sites[i]->callee;
      most = span;
    }
  }
  free(sites);
  return unseen > candidate->line.on_span.span / 2 ? largest : NULL;
}

/* A source location of user code with calls on the span: a line, or one of several calls of it.  */
struct line_on_span {
  const struct site *site; /* call that leads to the largest part of SPAN */
  uint64_t span;           /* local span of all calls, including library functions below them */
};

/* Callback of hash_table_find: returns whether the element at PLACE is the source location of the call site KEY.  Calls
   of different functions on one line are two, but a loop is one with its body.  */
static bool is_same_suggested_line(const void *array, size_t place, const void *key) {
  const struct line_on_span *line = (const struct line_on_span *)array + place;
  const struct site *site = key;
  return line->site->file == site->file && line->site->line == site->line &&
         (line->site->column == site->column || line->site->callee == site->callee ||
          line->site->kind == CILKPROF_SITE_LOOP || site->kind == CILKPROF_SITE_LOOP);
}

/* Comparison for qsort: sorts the lines that may become what-if candidates by span, largest first.  */
static int compare_suggested_lines(const void *left, const void *right) {
  const struct line_on_span *a = left, *b = right;
  if (a->span != b->span)
    return a->span > b->span ? -1 : 1;
  return a->site < b->site ? -1 : a->site > b->site;
}

/* Returns the call in user code that leads to SITE and can be a what-if candidate, or NULL if there is none with a
   known line.  */
static const struct site *user_call_of_suggestion(const struct model *model, const struct site *site) {
  const struct site *user = model_user_site(model, site);
  bool exists = user != NULL && user->kind != CILKPROF_SITE_SERIAL_LOOP; /* in a program for what-if questions */
  return exists && user->caller != NULL && user->line > 0 ? user : NULL;
}

/* Returns all lines of user code with calls on the span, which may become what-if candidates, sorted by span, largest
   first.  A hash table finds lines, which are many in a large program.  */
static struct line_on_span *find_suggested_lines(struct model *model, size_t *count) {
  const struct site **sites = model_sites_by_span(model); /* those that are not on the span come last */
  struct line_on_span *lines = NULL;
  struct table table = {0};
  size_t room = 0;
  *count = 0;
  for (size_t i = 0; i < model->site_count && sites[i]->measured->on_span.local.span > 0; i++) {
    const struct site *site = user_call_of_suggestion(model, sites[i]);
    if (site == NULL)
      continue;
    uint64_t hash = hash_add((uintptr_t)site->file, site->line);
    size_t place = hash_table_find(&table, hash, is_same_suggested_line, lines, site, *count);
    if (place == *count) {
      lines = grow_array(lines, (*count)++, &room, sizeof *lines);
      lines[place] = (struct line_on_span){site, 0};
    }
    model_add_saturating(&lines[place].span, sites[i]->measured->on_span.local.span);
  }
  hash_table_free(&table);
  if (*count > 0)
    qsort(lines, *count, sizeof *lines, compare_suggested_lines);
  return lines;
}

struct candidates {
  struct candidate *list;
  size_t count, most;
};

/* Returns whether a candidate with this NAME, a source location, is already in the list of what-if CANDIDATES.  */
static bool is_whatif_suggestion_listed(const struct candidates *candidates, const char *name) {
  for (size_t i = 0; i < candidates->count; i++)
    if (strcmp(candidates->list[i].name, name) == 0)
      return true;
  return false;
}

enum { LEAST = 1, MOST = 90 }; /* percent of the span */

/* Returns whether CANDIDATE is nearly the whole span, but little of that is SPAN, its own: then only its callees are
   worth a what-if question.  */
static bool is_suggestion_nearly_program(const struct model *model, const struct candidate *candidate, uint64_t span) {
  return model_percent_of_whole(candidate->line.on_span.span, model->totals.span) >= MOST &&
         model_percent_of_whole(span, model->totals.span) < MOST;
}

/* Adds the line of SITE, whose own span is SPAN, to the what-if CANDIDATES, unless it is listed already or the list is
   full.  NAMED: the verdict names the line, which is added even if it is nearly the whole program.  */
static void add_whatif_suggestion(const struct model *model, struct candidates *candidates, const struct site *site,
                                  uint64_t span, bool named) {
  char *name = candidates->count < candidates->most ? whatif_suggestion_name(model, site) : NULL;
  if (name == NULL || is_whatif_suggestion_listed(candidates, name))
    return;
  struct candidate candidate = {.name = name, .line = sum_whatif_suggestion_sites(model, name)};
  if (!named && is_suggestion_nearly_program(model, &candidate, span))
    return;
  candidate.unseen = find_unseen_suggested_callee(model, &candidate);
  candidates->list[candidates->count++] = candidate;
}

/* Adds the source location that the verdict names for BOTTLENECK, and that of its largest part, to the what-if
   CANDIDATES.  A question about the own code of a function always includes its callees.  */
static void suggest_bottleneck(const struct model *model, struct candidates *candidates,
                               const struct bottleneck *bottleneck) {
  const struct site *place = bottleneck->place_count > 0 ? user_call_of_suggestion(model, bottleneck->places[0]) : NULL;
  const struct site *part = bottleneck->part != NULL ? user_call_of_suggestion(model, bottleneck->part) : NULL;
  if (place != NULL)
    add_whatif_suggestion(model, candidates, place, bottleneck->held.span, bottleneck->kind != BOTTLENECK_CODE);
  if (part != NULL && model_percent_of_whole(bottleneck->part_span, model->totals.span) >= LARGE_SHARE)
    add_whatif_suggestion(model, candidates, part, bottleneck->part_span, true);
}

/* Finds lines of user code that are worth a what-if question, at most MOST: first those that the verdict names, then
   those with the largest share of the span.  Library calls are part of the line that leads to them.  Returns the number
   of lines.  */
size_t find_whatif_suggestions(struct model *model, struct candidate *list, size_t most) {
  struct candidates candidates = {list, 0, most};
  struct bottleneck bottlenecks[MAX_BOTTLENECKS];
  size_t line_count,
      bottleneck_count = find_bottlenecks(model, least_bottleneck_span(model), bottlenecks, MAX_BOTTLENECKS);
  struct line_on_span *lines = find_suggested_lines(model, &line_count);
  for (size_t i = 0; i < bottleneck_count; i++)
    suggest_bottleneck(model, &candidates, &bottlenecks[i]);
  for (size_t i = 0; i < line_count && model_percent_of_whole(lines[i].span, model->totals.span) >= LEAST; i++)
    add_whatif_suggestion(model, &candidates, lines[i].site, lines[i].span, false);
  free(lines);
  return candidates.count;
}
