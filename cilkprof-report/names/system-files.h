/* Tests whether code belongs to the system and to libraries, about which the user can do little.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_SYSTEM_FILES_H
#define CILKPROF_REPORT_SYSTEM_FILES_H

#include "cilkprof-report/names/functions.h"

/* Returns whether FILE is a header of the system, of the compiler or of an installed library.  */
bool is_system_source_file(const char *file);

/* Returns whether FUNCTION belongs to a library: it is not instrumented, or is defined in a system header, or is in a
   namespace of the C++ library or oneTBB if its definition is unknown.  */
static inline bool is_library_function(const struct function *function) {
  return function->library;
}
/* Returns whether FUNCTION takes the place of one of oneTBB's in a profile, or stands for its tasks.  It does little
   but call the user's functions: they are what can be changed.  */
bool is_stand_in_function(const struct function *function);
/* Sets LIBRARY of the functions of libraries.  The functions must have their names already.  */
void mark_library_functions(struct functions *functions);

#endif
