/* How sure the times of call sites are whose calls were not all followed.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_MODEL_ESTIMATES_H
#define CILKPROF_REPORT_MODEL_ESTIMATES_H

#include <stdbool.h>
#include "fmt/profile.h"

/* The estimates of several profiles, added up by site.  Initially {0}.  */
struct estimates {
  struct cilkprof_estimate *of_sites; /* indexed by the number of the site; all zero: it has none */
  size_t count;                       /* of the array */
};

struct model;
struct site;

/* Adds the estimates of PROFILE.  PLACES[i] is the number in the model of its site number i.  */
void add_model_estimates(struct estimates *estimates, const struct cilkprof_profile *profile, const uint32_t *places);

/* Tells the sites of MODEL which estimate each of them has.  */
void set_model_site_estimates(struct model *model);

/* Returns whether the standard error of the time that SITE's callee itself took is so large that it should be
   marked.  */
bool is_model_site_unsure(const struct site *site);

/* Returns the sums over all sites of MODEL at which calls were counted.  SITE and ERROR of the result have no
   meaning.  */
struct cilkprof_estimate model_estimate_of_all(const struct model *model);

#endif
