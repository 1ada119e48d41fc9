/* Candidates of what-if: which are worth asking for, what is known of them, and how to ask.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/analysis/verdict.h"
#include "cilkprof-report/analysis/whatif.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/support/support.h"

double whatif_speedup(const struct model *model, double work, double span, unsigned processors) {
  double time = work / processors > span ? work / processors : span;
  return time > 0 ? (double)model->totals.work / time : 0;
}

/* Whether the site is part of what CANDIDATE names.  */
static bool is_candidate(const struct site *site, const char *candidate) {
  const struct function *callee = site->callee;
  if (strcmp(callee->name, candidate) == 0 || strcmp(callee->short_name, candidate) == 0 ||
      strcmp(callee->symbol, candidate) == 0)
    return true;
  struct symspec spec = symspec_parse(candidate);
  return spec.line > 0 && site->line == spec.line && spec.file != NULL && is_file(site->file, spec.file);
}

struct annotation whatif_sites(const struct model *model, const char *candidate) {
  const struct site **sites = allocate(model->site_count, sizeof *sites);
  size_t count = 0;
  for (size_t i = 0; i < model->site_count; i++)
    if (is_candidate(&model->sites[i], candidate))
      sites[count++] = &model->sites[i];
  struct annotation found = {0};
  if (count > 0)
    found = annotation_of(sites, count);
  free(sites);
  return found;
}

/* A call with nearly all of the span below it is the program itself: what it calls is worth asking for.  */
static bool is_worth_asking(const struct model *model, const struct annotation *line) {
  enum { LEAST = 1, MOST = 90 }; /* percent of the span */
  bool is_program = percent(line->on_span.span, model->totals.span) >= MOST;
  return percent(line->local_span, model->totals.span) >= (is_program ? MOST : LEAST);
}

size_t whatif_candidates(struct model *model, struct candidate *candidates, size_t count) {
  const struct site **sites = sites_by_span(model);
  size_t found = 0;
  for (size_t i = 0; i < model->site_count && found < count; i++) {
    if (sites[i]->kind == CILKPROF_SITE_OUTSIDE || sites[i]->line == 0)
      continue;
    char *name = site_place(sites[i]);
    bool known = false;
    for (size_t c = 0; c < found; c++)
      known |= strcmp(candidates[c].name, name) == 0;
    struct annotation line = whatif_sites(model, name);
    if (!known && is_worth_asking(model, &line))
      candidates[found++] = (struct candidate){name, line};
  }
  return found;
}

/* As a word of the shell.  */
static void print_quoted(FILE *out, const char *word) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=-+,@%";
  if (word[0] != 0 && word[strspn(word, plain)] == 0) {
    fputs(word, out);
    return;
  }
  putc('\'', out);
  for (; *word != 0; word++)
    if (*word == '\'')
      fputs("'\\''", out);
    else
      putc(*word, out);
  putc('\'', out);
}

static bool has_suffix(const char *file, const char *const *suffixes) {
  const char *dot = strrchr(base_name(file), '.');
  for (; dot != NULL && *suffixes != NULL; suffixes++)
    if (strcmp(dot + 1, *suffixes) == 0)
      return true;
  return false;
}

/* The sources that have call sites; others, and the options, the user knows.  */
static void print_sources(FILE *out, const struct model *model) {
  static const char *const c[] = {"c", NULL}, *const cplusplus[] = {"cc", "cpp", "cxx", "C", "c++", NULL};
  const char **files = allocate(model->site_count, sizeof *files);
  size_t count = 0;
  bool plain = true;
  for (size_t i = 0; i < model->site_count; i++) {
    const char *file = model->sites[i].file;
    bool known = !has_suffix(file, c) && !has_suffix(file, cplusplus);
    for (size_t f = 0; f < count && !known; f++)
      known = files[f] == file;
    if (!known)
      files[count++] = file;
    plain &= !has_suffix(file, cplusplus);
  }
  fputs(plain ? "cc" : "c++", out);
  fputs(" -O2 -fcilkplus -fcilkprof=whatif", out);
  for (size_t f = 0; f < count; f++) {
    putc(' ', out);
    print_quoted(out, files[f]);
  }
  free(files);
}

void print_whatif_commands(FILE *out, const struct model *model, const struct candidate *candidates, size_t count) {
  print_sources(out, model);
  fputs(" -o ", out);
  print_quoted(out, model->program.argc > 0 ? model->program.argv[0] : "a.out");
  fputs("\nCILKPROF_WHATIF=", out);
  char *list = format_string("%s", candidates[0].name);
  for (size_t i = 1; i < count; i++) {
    char *longer = format_string("%s,%s", list, candidates[i].name);
    free(list);
    list = longer;
  }
  print_quoted(out, list);
  free(list);
  for (uint32_t i = 0; i < model->program.argc; i++) {
    putc(' ', out);
    print_quoted(out, model->program.argv[i]);
  }
  putc('\n', out);
}
