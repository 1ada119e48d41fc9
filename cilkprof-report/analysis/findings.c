/* Helpers of the rules that make up the verdict: names of call sites, and the list of findings.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <string.h>
#include "cilkprof-report/analysis/findings.h"
#include "cilkprof-report/analysis/words.h"
#include "cilkprof-report/model/library.h"
#include "cilkprof-report/support/support.h"

/* Returns the source location of SITE for a finding, without folders, as "qsort.c:20".  The text is allocated.  */
char *finding_site_place(const struct site *site) {
  const char *file = base_name(site->file);
  return site->line > 0 ? format_string("%s:%u", file, site->line) : format_string("%s", file);
}

/* Returns the call site in user code that leads to SITE, for a finding; SITE itself if there is none with a line.  */
static const struct site *finding_user_site(const struct model *model, const struct site *site) {
  const struct site *user = model_user_site(model, site);
  return user == NULL || user->line == 0 ? site : user;
}

/* Returns whether SITE is in a header of ours that takes the place of another library's, such as <execution>.  Its
   users know the functions of that library, and not where ours are.  */
static bool is_finding_stand_in_for_library(const struct site *site) {
  return strstr(site->file, "/lib/cilkprof/include/") != NULL;
}

/* Returns where the user's code calls the library that SITE stands in for, as "in tbb::parallel_for at loop.cc:20";
   NULL if it is in no such header.  The text is allocated.  */
char *finding_stand_in_place(const struct model *model, const struct site *site) {
  const struct site *user = finding_user_site(model, site);
  return user == site || !is_finding_stand_in_for_library(site)
             ? NULL
             : format_string("in %s at %s", user->callee->brief_name, finding_site_place(user));
}

/* Returns the source location in user code that leads to SITE, for a finding.  If SITE itself is in a library, its own
   location follows, or the function that the user's code calls.  The text is allocated.  */
char *finding_user_place(const struct model *model, const struct site *site) {
  const struct site *user = finding_user_site(model, site);
  if (user == site)
    return finding_site_place(site);
  if (is_finding_stand_in_for_library(site))
    return format_string("%s (in %s)", finding_site_place(user), user->callee->brief_name);
  return format_string("%s (code from %s)", finding_site_place(user), finding_site_place(site));
}

/* Returns whether the loop or spawn at SITE is in a header of ours that takes the place of another library's: its user
   knows it by the library's function, and cannot change how it is divided.  */
bool is_finding_site_of_library(const struct model *model, const struct site *site) {
  return is_finding_stand_in_for_library(site) && finding_user_site(model, site) != site;
}

/* Returns what the loop or spawn at SITE is, for a finding: "the cilk_for at loop.c:3", or "std::for_each at loop.cc:3"
   if it is in a library that the user's code calls there.  The text is allocated.  */
char *finding_construct_text(const struct model *model, const struct site *site) {
  if (!is_finding_site_of_library(model, site))
    return format_string("the %s at %s", finding_loop_word(site->callee), finding_user_place(model, site));
  const struct site *user = finding_user_site(model, site);
  return format_string("%s at %s", user->callee->brief_name, finding_site_place(user));
}

/* Returns what the loop at SITE is divided into, for a finding: "iterations", or "chunks" if it goes over chunks of a
   range, as the parallel algorithms of standard C++ do.  */
const char *finding_iterations_word(const struct site *site) {
  return is_finding_stand_in_for_library(site) && strstr(site->file, "/pstl/") != NULL ? "chunks" : "iterations";
}

/* Returns the word for TONE, that of a finding: "good", "notice" or "bad".  */
const char *finding_tone_name(enum tone tone) {
  static const char *const names[] = {[TONE_GOOD] = "good", [TONE_NOTICE] = "notice", [TONE_BAD] = "bad"};
  return names[tone];
}

/* Returns the word by which other programs know findings with CODE.  */
const char *finding_code_name(enum finding_code code) {
  static const char *const names[] = {
#define FINDING(name, code, subject) code,
#include "cilkprof-report/analysis/findings.def"
#undef FINDING
  };
  return names[code];
}

/* Returns the subject of findings with CODE: a few words.  NULL: it is not the same for all.  */
static const char *finding_subject(enum finding_code code) {
  static const char *const subjects[] = {
#define FINDING(name, code, subject) subject,
#include "cilkprof-report/analysis/findings.def"
#undef FINDING
  };
  return subjects[code];
}

/* Returns a finding without a place or a share, which takes over TEXT; SUBJECT is not copied.  */
struct finding make_finding(enum finding_code code, enum tone tone, const char *subject, char *text) {
  return (struct finding){.code = code, .tone = tone, .subject = subject, .text = text, .share = NAN, .without = NAN};
}

/* Adds a finding to VERDICT, which takes over TEXT, and returns it.  A verdict holds MAX_FINDINGS; further ones are
   dropped.  */
struct finding *add_finding(struct verdict *verdict, enum finding_code code, enum tone tone, char *text) {
  struct finding *finding = &verdict->findings[verdict->count];
  *finding = make_finding(code, tone, finding_subject(code), text);
  verdict->count += verdict->count < MAX_FINDINGS;
  return finding;
}

/* Notes in FINDING the full name of the FUNCTION that it is about, and the source location in user code that leads to
   SITE, if that is not NULL and has a line.  */
void set_finding_place(const struct verdict *verdict, struct finding *finding, const char *function,
                       const struct site *site) {
  const struct site *user = site != NULL ? finding_user_site(verdict->model, site) : NULL;
  finding->function = function;
  finding->file = user != NULL && user->line > 0 ? user->file : NULL;
  finding->line = user != NULL ? user->line : 0;
}

/* Returns the call with most work of the function, loop or lock with the full name CALLEE; NULL: there is none.  */
const struct site *largest_call_for_finding(const struct model *model, const char *callee) {
  const struct site *largest = NULL;
  for (size_t i = 0; i < model->site_count; i++) {
    const struct site *site = &model->sites[i];
    uint64_t work = site->measured->on_work.top_call_site.work;
    if (strcmp(site->callee->name, callee) == 0 &&
        (largest == NULL || work > largest->measured->on_work.top_call_site.work))
      largest = site;
  }
  return largest;
}

/* Notes in FINDING that it is about so many PERCENT of WHOLE, as the words of WHOLE in cilkprof-report(1).  */
void set_finding_share(struct finding *finding, double percent, const char *whole) {
  finding->share = percent / 100;
  finding->whole = whole;
}
