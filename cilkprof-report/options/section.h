/* The attributes of a section of the report, from which its options are parsed and its input is chosen.  The table that
   has one row for each section is sections/sections.def.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_SECTION_H
#define CILKPROF_REPORT_SECTION_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "cilkprof-report/options/symspec.h"

struct input;
struct model;
struct options;

/* A set of sections: bit N is row N of the table.  */
typedef uint64_t section_set;

enum section_trait {
  /* Sections that are printed without being named.  */
  PRINTED_BY_DEFAULT = 1 << 0, /* if the command line names no section */
  PRINTED_IF_PRESENT = 1 << 1, /* in this case, if the profile also has the data that the section shows */
  PRINTED_FOR_TRIALS = 1 << 2, /* if --trials is given and no section that was named shows the trials */

  /* The data that the section shows.  The report fails if the profile lacks data that a section needs.  */
  NEEDS_COSTS = 1 << 3,   /* work and span */
  NEEDS_SAMPLES = 1 << 4, /* samples of a parallel run */
  NEEDS_TREE = 1 << 5,    /* the recorded tree of parallel sections and tasks */
  SHOWS_REGIONS = 1 << 6,
  SHOWS_WHATIFS = 1 << 7,
  SHOWS_TRIALS = 1 << 8,
  JUDGES_TRIALS = 1 << 9, /* has the findings about the trials, so that other sections need not repeat them */

  /* The data that must be read from the program.  */
  NEEDS_PLACES = 1 << 10,     /* source locations of functions */
  NEEDS_UNCALLED = 1 << 11,   /* functions and call sites that were never called */
  NEEDS_NO_PROGRAM = 1 << 12, /* nothing: the profiles are enough */

  /* The output of the section.  */
  WRITES_FILE = 1 << 13,      /* the section is written to its own file, not to standard output */
  TAKES_OUTPUT = 1 << 14,     /* if nothing else is requested, --output names that file */
  GOES_WITH_FORMAT = 1 << 15, /* the section can be combined with --format */
  PRINTS_ORDER = 1 << 16,     /* the section is input for the linker; only one of these can be printed */
  BSD_PRINTS_LATER = 1 << 17, /* the section follows the next one in the traditional order */

  NEEDS_STRANDS = 1 << 19,    /* samples of a serial run */
  COMPARES_WORKERS = 1 << 18, /* the section compares samples of runs with different numbers of workers */
};

enum option_role {
  ROLE_ON,    /* prints the section; an argument that is a symspec selects functions */
  ROLE_OFF,   /* drops the section or, with a symspec, prints it without these functions */
  ROLE_ALIAS, /* another letter for ROLE_ON, without an argument */
  ROLES,
};

typedef void section_print(FILE *out, struct model *model, const struct options *options);
typedef void section_print_input(FILE *out, const struct input *input, const struct options *options);

struct section {
  struct argp_option options[ROLES]; /* the key is the letter, or 0; without help there is no such option */
  void (*take_argument)(struct options *options, const char *argument); /* NULL: an argument is a symspec */
  enum filter_kind filter;                                              /* to which symspecs are added */
  unsigned traits;
  section_print *print;             /* from the model, or NULL */
  section_print_input *print_input; /* from the profiles as they were read, or NULL */
};

struct section_table {
  const char *heading;        /* of these options in --help */
  const struct section *rows; /* in the order of the report */
  size_t count;
};

/* Returns the sections of TABLE that have at least one of TRAITS.  */
section_set options_sections_with(const struct section_table *table, unsigned traits);

/* Returns whether one of the sections to print by OPTIONS has at least one of TRAITS.  */
bool options_want(const struct options *options, unsigned traits);
/* Returns whether all sections to print have at least one of TRAITS, and OPTIONS request only sections.  */
bool options_want_only(const struct options *options, unsigned traits);

/* Selects SECTIONS in OPTIONS, as if the command line had named them.  */
void options_add_sections(struct options *options, section_set sections);
/* Drops SECTIONS from OPTIONS, as if the command line had not named them.  */
void options_drop_sections(struct options *options, section_set sections);

/* Returns whether the profiles must be added up to a model.  Information about the profiles, and the file with their
   sum, do not need it.  */
bool options_need_model(const struct options *options);
/* Returns whether the report needs the source locations of functions.  */
bool options_need_places(const struct options *options);

#endif
