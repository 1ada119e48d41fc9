/* The table of options for argp.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_OPTION_TABLE_H
#define CILKPROF_REPORT_OPTION_TABLE_H

#include <argp.h>
#include "cilkprof-report/options/section.h"

/* Keys of options that have no letter.  */
enum {
  KEY_ALL = 0x100,
  KEY_SCREEN,
  KEY_CSV,
  KEY_TRIALS,
  KEY_NESTED,
  KEY_OVERHEADS,
  KEY_CACHEGRIND,
  KEY_COPIES,
  KEY_CALIBRATE,
  KEY_SYNTHESIZE,
  KEY_ROOT,
  KEY_FORMAT,
  KEY_METRIC,
  KEY_PROCESSORS,
  KEY_FORCE,
  KEY_RECOVER,
  KEY_USAGE,
  KEY_GPROF_COLUMNS,
  KEY_INLINE_FILE_NAMES,
  KEY_DEMANGLE,
  KEY_NO_DEMANGLE,
  KEY_DIFF,
  KEY_GATE,
  KEY_REFERENCE,
  KEY_COLOR,
  KEY_NO_PAGER,
  KEY_FULL_NAMES,
  KEY_WIDE,
  KEY_TOP,
  KEY_FOCUS,
  KEY_IGNORE,
  KEY_DEBUGINFO_PATH,
  KEY_FOLD_RECURSION,
  KEY_SECTIONS, /* the first key that section_option_key computes */
};

/* What follows the options on the command line.  */
#define OPTION_ARGUMENTS "[PROGRAM] [PROFILE...]\n--diff OLD NEW"

/* Returns the options of all sections, followed by all others.  */
struct argp_option *argp_options_make(const struct section_table *table);

/* help.c: prints the page TOPIC of --help on standard output, and exits.  NULL is the first page, with the options that
   are used most.  Fails if there is no such page.  */
__attribute__((noreturn)) void print_option_help(const struct section_table *table, const char *topic);

/* Returns the key of the option with ROLE of the section in row ROW of the table.  */
int section_option_key(const struct section_table *table, size_t row, enum option_role role);

#endif
