/* The what-ifs of several profiles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <string.h>
#include "cilkprof-report/model/model.h"
#include "cilkprof-report/model/whatifs.h"
#include "cilkprof-report/support/support.h"

static struct cilkprof_whatif *find_whatif(struct cilkprof_whatif *whatifs, size_t count,
                                           const struct cilkprof_whatif *wanted) {
  for (size_t i = 0; i < count; i++)
    if (whatifs[i].faster == wanted->faster && strcmp(whatifs[i].candidate, wanted->candidate) == 0)
      return &whatifs[i];
  return NULL;
}

void whatifs_add(struct cilkprof_whatif **sums, size_t *count, const struct cilkprof_profile *profile, bool first) {
  if (first) {
    *sums = allocate(profile->whatif_count, sizeof **sums);
    for (*count = 0; *count < profile->whatif_count; ++*count)
      (*sums)[*count] = profile->whatifs[*count];
    return;
  }
  size_t kept = 0;
  for (size_t i = 0; i < *count; i++) {
    const struct cilkprof_whatif *other = find_whatif(profile->whatifs, profile->whatif_count, &(*sums)[i]);
    if (other == NULL)
      continue;
    struct cilkprof_whatif *sum = &(*sums)[kept++];
    *sum = (*sums)[i];
    add(&sum->count, other->count);
    add(&sum->work, other->work);
    add(&sum->span, other->span);
  }
  *count = kept;
}
