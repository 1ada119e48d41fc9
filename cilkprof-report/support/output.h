/* The files that the report writes.
   SPDX-License-Identifier: GPL-3.0-or-later

   All files are written through these functions.  An old file stays until the new one is written completely, and also
   if the report fails.  ELF files, profiles, sources and inputs of this report are not overwritten.  */

#ifndef CILKPROF_REPORT_OUTPUT_H
#define CILKPROF_REPORT_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

/* Arranges that standard output is checked for errors whenever the report exits.  Must be called first.  */
void output_start(void);
/* States that the report has been printed completely.  Without this call the file of output_redirect is not
   replaced.  */
void output_finish(void);

/* Opens a file for writing; "-" is standard output.  Fails if the file must not be overwritten and FORCE is false.  */
FILE *output_open(const char *path, bool force);
/* Closes a stream of output_open.  Fails if not everything could be written.  */
void output_close(FILE *stream);
/* Redirects standard output to the file.  NULL, "-" and a second call have no effect.  */
void output_redirect(const char *path, bool force);

/* Fails if the file must not be overwritten and FORCE is false, as output_open would, before anything is read or
   written.  PATH may be NULL.  */
void output_check(const char *path, bool force);
/* Returns whether PATH, which may be NULL, is standard output.  */
bool output_is_standard(const char *path);
/* Returns whether this report already writes the file.  */
bool output_is_taken(const char *path);

#endif
