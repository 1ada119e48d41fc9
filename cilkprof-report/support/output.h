/* The files that the report writes.
   SPDX-License-Identifier: GPL-3.0-or-later

   All of them come from here.  What was there before stays until all of the new file is written; it stays for good when
   the report fails, or when it is something to keep: an ELF file, a profile, a source, an input of this report.  */

#ifndef CILKPROF_REPORT_OUTPUT_H
#define CILKPROF_REPORT_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

/* Before anything else: what is printed is checked when the report exits, in whichever way.  */
void output_start(void);
/* All has been printed.  Without this call the file of output_redirect is not replaced.  */
void output_finish(void);

/* Opens a file for writing; "-" is standard output.  Fails when it is to be kept and FORCE is not given.  */
FILE *output_open(const char *path, bool force);
/* Fails when not all of it could be written.  */
void output_close(FILE *stream);
/* From now on standard output is the file; NULL and "-" change nothing, nor does a second call.  */
void output_redirect(const char *path, bool force);

/* Fails when output_open would, before anything is read or written.  NULL is no file.  */
void output_check(const char *path, bool force);
/* Whether the name, which may be NULL, means standard output as it is.  */
bool output_is_standard(const char *path);
/* Whether this report writes the file already.  */
bool output_is_taken(const char *path);

#endif
