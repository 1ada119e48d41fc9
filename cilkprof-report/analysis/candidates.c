/* Candidates of what-if: which are worth asking for, and what is known of them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/analysis/verdict.h"
#include "cilkprof-report/analysis/whatif.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/support/support.h"
#include "cilkprof-report/support/table.h"

double whatif_speedup(const struct model *model, double work, double span, unsigned processors) {
  double time = work / processors > span ? work / processors : span;
  return time > 0 ? (double)model->totals.work / time : 0;
}

static size_t length_without(const char *text, const char *end) {
  size_t length = strlen(text), part = strlen(end);
  return length >= part && strcmp(text + length - part, end) == 0 ? length - part : length;
}

/* Whether one of the function's names is CANDIDATE.  A static one may also be told from others by its file.  */
static bool is_called(const struct function *function, const char *candidate) {
  bool plain = strncmp(function->name, "_Z", 2) == 0; /* the report was not to demangle them */
  char *file = function->unit != NULL ? format_string(" (%s)", base_name(function->unit)) : format_string("%s", "");
  char *whole = plain ? demangle(function->symbol, demangle_style("auto"), true) : NULL;
  char *brief = plain ? demangle(function->symbol, demangle_style("auto"), false) : NULL;
  const char *names[] = {plain ? whole : function->name, plain ? brief : function->short_name, function->symbol};
  size_t length = length_without(candidate, file);
  bool called = false;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    called |= length_without(names[i], file) == length && strncmp(names[i], candidate, length) == 0;
  free(file);
  free(whole);
  free(brief);
  return called;
}

/* Whether the site is part of what CANDIDATE names, which PLACE is, as libcilkprof/span/whatif.c has it.  */
static bool is_candidate(const struct site *site, const char *candidate, const struct symspec *place, bool only_loops) {
  bool is_loop = site->kind == CILKPROF_SITE_LOOP; /* its callee has the symbol of the function that it is in */
  if (place->line > 0 && place->file != NULL)
    return site->line == place->line && is_file(site->file, place->file) && (is_loop || !only_loops);
  return !is_loop && is_called(site->callee, candidate);
}

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

enum { LEAST = 1, MOST = 90 }; /* percent of the span */

/* A call with nearly all of the span below it is the program itself: what it calls is worth asking for.  */
static bool is_worth_asking(const struct model *model, const struct annotation *line) {
  bool is_program = percent(line->on_span.span, model->totals.span) >= MOST;
  return percent(line->local_span, model->totals.span) >= (is_program ? MOST : LEAST);
}

/* Whether the call sites of another file would be taken for those of SITE when its file is called NAME.  */
static bool is_ambiguous(const struct model *model, const struct site *site, const char *name) {
  for (size_t i = 0; i < model->site_count; i++) {
    const struct site *other = &model->sites[i];
    if (other->line == site->line && other->file != site->file && is_file(other->file, name))
      return true;
  }
  return false;
}

/* FILE:LINE, with as much of the path as it takes to name this file only.  */
static char *candidate_name(const struct model *model, const struct site *site) {
  const char *name = base_name(site->file);
  while (name > site->file && is_ambiguous(model, site, name))
    for (name--; name > site->file && name[-1] != '/'; name--)
      ;
  return format_string("%s:%u", name, site->line);
}

/* Whether most of the candidate's time passes where a what-if run, which counts instructions, sees nothing.  That of a
   library function which cannot call the program is part of its caller, and not known.  */
static bool is_out_of_sight(const struct model *model, const struct candidate *candidate) {
  uint64_t unseen = 0;
  if (model->program.mode == CILKPROF_MODE_COUNT)
    return false;
  size_t count;
  const struct site **sites = find_sites(model, candidate->name, &count);
  for (size_t i = 0; i < count; i++)
    if (sites[i]->callee->foreign)
      add(&unseen, sites[i]->measured->on_span.local.span);
  free(sites);
  return unseen > candidate->line.on_span.span / 2;
}

/* A line with calls on the span, and what these hold of it themselves.  */
struct line_on_span {
  const struct site *site; /* that holds most of it there */
  uint64_t span;
};

static bool is_line(const void *array, size_t place, const void *key) {
  const struct line_on_span *line = (const struct line_on_span *)array + place;
  const struct site *site = key;
  return line->site->file == site->file && line->site->line == site->line;
}

/* All of them, in the order of their sites: a large program has many, few of which are worth a closer look.  */
static struct line_on_span *find_lines(struct model *model, size_t *count) {
  const struct site **sites = sites_by_span(model); /* those without a part of the span come last */
  struct line_on_span *lines = NULL;
  struct table table = {0};
  size_t room = 0;
  *count = 0;
  for (size_t i = 0; i < model->site_count && sites[i]->measured->on_span.local.span > 0; i++) {
    if (sites[i]->kind == CILKPROF_SITE_OUTSIDE || sites[i]->line == 0)
      continue;
    uint64_t hash = hash_add((uintptr_t)sites[i]->file, sites[i]->line);
    size_t place = table_find(&table, hash, is_line, lines, sites[i], *count);
    if (place == *count) {
      lines = grow(lines, (*count)++, &room, sizeof *lines);
      lines[place] = (struct line_on_span){sites[i], 0};
    }
    add(&lines[place].span, sites[i]->measured->on_span.local.span);
  }
  table_forget(&table);
  return lines;
}

size_t whatif_candidates(struct model *model, struct candidate *candidates, size_t count) {
  size_t found = 0, line_count;
  struct line_on_span *lines = find_lines(model, &line_count);
  for (size_t i = 0; i < line_count && found < count; i++) {
    if (percent(lines[i].span, model->totals.span) < LEAST)
      continue;
    char *name = candidate_name(model, lines[i].site);
    struct candidate candidate = {name, whatif_sites(model, name)};
    if (is_worth_asking(model, &candidate.line) && !is_out_of_sight(model, &candidate))
      candidates[found++] = candidate;
  }
  free(lines);
  return found;
}
