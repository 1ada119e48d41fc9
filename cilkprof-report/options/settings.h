/* Parses the values of options, and derives settings from them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_SETTINGS_H
#define CILKPROF_REPORT_SETTINGS_H

#include "cilkprof-report/options/options.h"

/* Each of these fails if the text is not valid.  */
unsigned read_option_number(const char *option, const char *text, unsigned least, unsigned most);
/* Returns true if TEXT is "auto", false if it is NULL.  */
bool read_whatif_option(const char *text);
/* Returns the rows that --csv prints; TEXT may be NULL.  */
enum csv_rows read_csv_option(const char *text);
enum efficiency_by read_efficiency_option(const char *text);
/* Adds one or several numbers, separated by commas, to the list of processors.  */
void read_processors_option(struct options *options, const char *text);
enum section_nesting read_nesting_option(const char *text);
double read_percent_option(const char *text);
void check_file_format_option(const char *name);

/* The files that --html and --plot write without an argument.  */
extern const char default_html[], default_plot[];

/* Appends directories that are separated by colons.  */
void add_source_folders_option(struct options *options, const char *folders);

/* Sets options that depend on others or on the environment.  Fails if options contradict each other.  */
void finish_option_settings(struct options *options);

/* Returns the metric called NAME.  Fails if there is none.  */
enum weight find_option_metric(const char *name);

#endif
