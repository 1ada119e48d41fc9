/* Sums of the what-if results of several profiles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/model/model.h"
#include "cilkprof-report/model/whatifs.h"
#include "cilkprof-report/support/support.h"

/* Returns the one of COUNT what-ifs that has the candidate and factor of WANTED, or NULL.  */
static struct cilkprof_whatif *find_model_whatif(struct cilkprof_whatif *whatifs, size_t count,
                                                 const struct cilkprof_whatif *wanted) {
  for (size_t i = 0; i < count; i++)
    if (whatifs[i].faster == wanted->faster && strcmp(whatifs[i].candidate, wanted->candidate) == 0)
      return &whatifs[i];
  return NULL;
}

/* Adds the what-ifs of PROFILE to the COUNT sums of the profiles before it.  FIRST says that there are none before it.
   A what-if that some profile lacks is left out, because it cannot be compared with the other sums.  */
void add_model_whatifs(struct cilkprof_whatif **sums, size_t *count, const struct cilkprof_profile *profile,
                       bool first) {
  if (first) {
    *sums = allocate(profile->whatif_count, sizeof **sums);
    for (*count = 0; *count < profile->whatif_count; ++*count)
      (*sums)[*count] = profile->whatifs[*count];
    return;
  }
  size_t kept = 0;
  for (size_t i = 0; i < *count; i++) {
    const struct cilkprof_whatif *other = find_model_whatif(profile->whatifs, profile->whatif_count, &(*sums)[i]);
    if (other == NULL)
      continue;
    struct cilkprof_whatif *sum = &(*sums)[kept++];
    *sum = (*sums)[i];
    model_add_saturating(&sum->count, other->count);
    model_add_saturating(&sum->work, other->work);
    model_add_saturating(&sum->span, other->span);
  }
  *count = kept;
}

/* Returns whether each of COUNT profiles has WHATIF.  */
static bool is_common_model_whatif(const struct cilkprof_profile *profiles, size_t count,
                                   const struct cilkprof_whatif *whatif) {
  for (size_t i = 0; i < count; i++)
    if (find_model_whatif(profiles[i].whatifs, profiles[i].whatif_count, whatif) == NULL)
      return false;
  return true;
}

/* Adds to LIST the what-ifs of profile number PROFILE that are left out of the sum and that no earlier profile has.  A
   candidate that is left out altogether is named once, without its factors.  Returns the longer list and frees
   LIST.  */
static char *list_lost_model_whatifs(char *list, const struct cilkprof_profile *profiles, size_t count,
                                     size_t profile) {
  for (size_t i = 0; i < profiles[profile].whatif_count; i++) {
    const struct cilkprof_whatif *whatif = &profiles[profile].whatifs[i];
    struct cilkprof_whatif free_of_cost = {.candidate = whatif->candidate};
    bool known = false;
    for (size_t before = 0; before < profile; before++)
      known |= find_model_whatif(profiles[before].whatifs, profiles[before].whatif_count, whatif) != NULL;
    bool with_candidate = whatif->faster > 0 && !is_common_model_whatif(profiles, count, &free_of_cost);
    if (known || with_candidate || is_common_model_whatif(profiles, count, whatif))
      continue;
    char factor[32] = "";
    if (whatif->faster > 0)
      snprintf(factor, sizeof factor, "/%llu", (unsigned long long)whatif->faster);
    char *longer =
        format_string("%s%s%s%s", list != NULL ? list : "", list != NULL ? ", " : "", whatif->candidate, factor);
    free(list);
    list = longer;
  }
  return list;
}

/* Prints one line on standard error that names the what-ifs that are left out of the sum of these profiles, if any.  */
void tell_lost_model_whatifs(const struct cilkprof_profile *profiles, size_t count) {
  char *list = NULL;
  for (size_t i = 0; i < count; i++)
    list = list_lost_model_whatifs(list, profiles, count, i);
  if (list != NULL)
    note("the sum of the profiles", "what-ifs that are not in all profiles are ignored: %s; name the same in every run",
         list);
  free(list);
}
