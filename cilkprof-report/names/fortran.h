/* Names of procedures of Fortran.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_FORTRAN_H
#define CILKPROF_REPORT_FORTRAN_H

#include "cilkprof-report/names/functions.h"

/* Returns whether the program of FUNCTIONS is one of Fortran, or has procedures of modules.  */
bool are_fortran_functions(const struct functions *functions);
/* Returns whether FILE, which may be NULL, is a source file of Fortran, by the end of its name.  */
bool is_fortran_function_source(const char *file);
/* Returns the name of the procedure with this symbol, in a program of Fortran, or NULL if it is the symbol itself.
   Allocated.  */
char *fortran_function_name(const char *symbol);

#endif
