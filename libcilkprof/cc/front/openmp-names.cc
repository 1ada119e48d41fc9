/* Names of OpenMP constructs in the profile, and notes about what the profile leaves out.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "front.h"

/* Each note is given once per translation unit.  */
void say_once(location_t where, const char *message) {
  static hash_set<const char *> said;
  if (!said.add(message))
    inform(where, "%<-fcilkprof%>: %s", message);
}

tree string_literal(const char *text) {
  return build_string_literal(strlen(text) + 1, text);
}

/* The name includes the source location, as in "omp section fft.c:12".  */
tree construct_name(const char *construct, location_t where) {
  expanded_location place = expand_location(where);
  char *name = xasprintf("%s %s:%d", construct, place.file ? lbasename(place.file) : "?", place.line);
  tree made = string_literal(name);
  free(name);
  return made;
}
