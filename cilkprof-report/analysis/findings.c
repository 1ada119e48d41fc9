/* Helpers of the rules that make up the verdict: bounds of the speedup, names of call sites, and the list of findings.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "cilkprof-report/analysis/findings.h"
#include "cilkprof-report/model/library.h"
#include "cilkprof-report/support/support.h"

/* Returns the lower bound of the speedup on P PROCESSORS: work / (work / P + 1.7 burdened span).  */
double verdict_speedup_lower_bound(const struct cilkprof_totals *totals, double processors) {
  double work = (double)totals->work;
  return work / (work / processors + 1.7 * (double)totals->burdened_span);
}

/* Returns the upper bound of the speedup on PROCESSORS: their number or the parallelism, whichever is smaller.  */
double verdict_speedup_upper_bound(const struct cilkprof_totals *totals, double processors) {
  double parallelism = (double)totals->work / (double)totals->span;
  return parallelism < processors ? parallelism : processors;
}

/* Returns the source location of SITE for a finding, without folders, as "qsort.c:20".  The text is allocated.  */
char *finding_site_place(const struct site *site) {
  const char *file = base_name(site->file);
  return site->line > 0 ? format_string("%s:%u", file, site->line) : format_string("%s", file);
}

/* Returns the source location in user code that leads to SITE, for a finding.  If SITE itself is in a library, its own
   location follows.  The text is allocated.  */
char *finding_user_place(const struct model *model, const struct site *site) {
  const struct site *user = model_user_site(model, site);
  if (user == site || user == NULL || user->line == 0)
    return finding_site_place(site);
  return format_string("%s (code from %s)", finding_site_place(user), finding_site_place(site));
}

/* Returns the word for TONE, that of a finding: "good", "notice" or "bad".  */
const char *finding_tone_name(enum tone tone) {
  static const char *const names[] = {[TONE_GOOD] = "good", [TONE_NOTICE] = "notice", [TONE_BAD] = "bad"};
  return names[tone];
}

/* Adds a finding to VERDICT, which takes over TEXT; SUBJECT is not copied.  A verdict holds MOST_FINDINGS; further ones
   are dropped.  */
void add_finding(struct verdict *verdict, enum tone tone, const char *subject, char *text) {
  if (verdict->count < MOST_FINDINGS)
    verdict->findings[verdict->count++] = (struct finding){tone, subject, text};
}
