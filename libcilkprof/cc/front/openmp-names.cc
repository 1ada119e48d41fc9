/* Names of OpenMP constructs in the profile, and notes about what the profile leaves out.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "front.h"
#include "fmt/description.h"

/* Puts a note that the report repeats into the object file: MESSAGE, with its place WHERE.  The section is not loaded.
   The messages have no characters that are special in the assembler; file names may.  */
static void keep_omp_limit_for_report(location_t where, const char *message) {
  expanded_location place = expand_location(where);
  char *file = xstrdup(place.file ? lbasename(place.file) : "?");
  for (char *c = file; *c; c++)
    if (*c == '"' || *c == '\\' || (unsigned char)*c < ' ' || (unsigned char)*c >= 127)
      *c = '?';
  char *text = xasprintf("\t.pushsection %s,\"\",%%progbits\n\t.string \"%s:%d: %s\"\n\t.popsection",
                         CILKPROF_NOTES_SECTION, file, place.line, message);
  symtab->finalize_toplevel_asm(build_string(strlen(text) + 1, text));
  free(text);
  free(file);
}

/* Tells the user, at WHERE, and the report what the profile of an OpenMP construct leaves out.  Each MESSAGE is given
   once per translation unit.  */
void note_omp_limit_once(location_t where, const char *message) {
  static hash_set<const char *> said;
  if (said.add(message))
    return;
  inform(where, "%<-fcilkprof%>: %s", message);
  keep_omp_limit_for_report(where, message);
}

/* Returns a tree for the string literal TEXT.  */
tree omp_string_literal_tree(const char *text) {
  return build_string_literal(strlen(text) + 1, text);
}

/* Returns a string literal with the name of an OpenMP CONSTRUCT in the profile.  It includes the source location WHERE,
   as in "omp section fft.c:12".  */
tree located_omp_construct_name(const char *construct, location_t where) {
  expanded_location place = expand_location(where);
  char *name = xasprintf("%s %s:%d", construct, place.file ? lbasename(place.file) : "?", place.line);
  tree made = omp_string_literal_tree(name);
  free(name);
  return made;
}
