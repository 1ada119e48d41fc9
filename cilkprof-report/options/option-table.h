/* The options by their names.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_OPTION_TABLE_H
#define CILKPROF_REPORT_OPTION_TABLE_H

#include <argp.h>

/* Options without a letter.  */
enum {
  KEY_SITES = 0x100,
  KEY_VERDICT,
  KEY_SUMMARY,
  KEY_CRITICAL_PATH,
  KEY_WHATIF,
  KEY_CONTEXTS,
  KEY_REGIONS,
  KEY_CSV,
  KEY_PLOT,
  KEY_HTML,
  KEY_TRIALS,
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
};

extern const struct argp_option argp_options[];

#endif
