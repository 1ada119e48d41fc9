/* Helpers of the rules that make up the verdict: bounds of the speedup, names of call sites, and the list of findings.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "cilkprof-report/analysis/findings.h"
#include "cilkprof-report/model/library.h"
#include "cilkprof-report/support/support.h"

double speedup_lower(const struct cilkprof_totals *totals, double processors) {
  double work = (double)totals->work;
  return work / (work / processors + 1.7 * (double)totals->burdened_span);
}

double speedup_upper(const struct cilkprof_totals *totals, double processors) {
  double parallelism = (double)totals->work / (double)totals->span;
  return parallelism < processors ? parallelism : processors;
}

char *site_place(const struct site *site) {
  const char *file = base_name(site->file);
  return site->line > 0 ? format_string("%s:%u", file, site->line) : format_string("%s", file);
}

char *user_place(const struct model *model, const struct site *site) {
  const struct site *user = user_site(model, site);
  if (user == site || user == NULL || user->line == 0)
    return site_place(site);
  return format_string("%s (code from %s)", site_place(user), site_place(site));
}

const char *tone_name(enum tone tone) {
  static const char *const names[] = {[TONE_GOOD] = "good", [TONE_NOTICE] = "notice", [TONE_BAD] = "bad"};
  return names[tone];
}

void add_finding(struct verdict *verdict, enum tone tone, const char *subject, char *text) {
  if (verdict->count < MOST_FINDINGS)
    verdict->findings[verdict->count++] = (struct finding){tone, subject, text};
}
