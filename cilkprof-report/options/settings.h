/* What the values of options mean.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_SETTINGS_H
#define CILKPROF_REPORT_SETTINGS_H

#include "cilkprof-report/options/options.h"

/* Each fails when the text is not what it should be.  */
unsigned read_number(const char *text, unsigned least, unsigned most);
/* Whether TEXT, which may be NULL, is auto; fails when it is something else.  */
bool read_auto(const char *text);
/* What --csv has rows for; TEXT may be NULL.  */
enum csv_rows read_csv_rows(const char *text);
/* One number or several, separated by commas.  */
void read_processors(struct options *options, const char *text);
enum section_nesting read_nesting(const char *text);
double read_percent(const char *text);
void check_file_format(const char *name);

/* Files that are written where none is named.  */
extern const char default_html[], default_plot[];

/* Appends folders that are separated by colons.  */
void add_folders(struct options *options, const char *folders);

/* What follows from all options together, and from the environment.  */
void settings_finish(struct options *options);

/* Fails when there is no such metric.  */
enum weight weight_find(const char *name);

#endif
