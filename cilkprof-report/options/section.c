/* The set of sections to print, and the data that they need.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "cilkprof-report/options/options.h"
#include "cilkprof-report/options/section.h"

section_set options_sections_with(const struct section_table *table, unsigned traits) {
  section_set set = 0;
  for (size_t i = 0; i < table->count; i++)
    if (table->rows[i].traits & traits)
      set |= (section_set)1 << i;
  return set;
}

bool options_want(const struct options *options, unsigned traits) {
  return (options->sections & options_sections_with(options->table, traits)) != 0;
}

bool options_want_only(const struct options *options, unsigned traits) {
  return !options_need_model(options) && !(options->sections & ~options_sections_with(options->table, traits));
}

/* Adds SECTIONS to those that are printed, as if the command line had named them.  */
void options_add_sections(struct options *options, section_set sections) {
  options->sections |= sections;
  options->named |= sections;
}

/* Removes SECTIONS from those that are printed, as if the command line had not named them.  */
void options_drop_sections(struct options *options, section_set sections) {
  options->sections &= ~sections;
  options->named &= ~sections;
}

bool options_need_model(const struct options *options) {
  for (size_t i = 0; i < options->table->count; i++)
    if (options->sections >> i & 1 && options->table->rows[i].print != NULL)
      return true;
  return options->gate_count > 0 || options->format != NULL || options->diff;
}

bool options_need_places(const struct options *options) {
  return options_want(options, NEEDS_PLACES) || options->gate_count > 0 || options->inline_file_names ||
         options->no_static || options->format_needs_places || symspec_filters_need_places(options->filters);
}
