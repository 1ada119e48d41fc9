/* Finds object files by their build-ids.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_FIND_H
#define CILKPROF_REPORT_FIND_H

#include "cilkprof-report/objects/objects.h"
#include "fmt/profile.h"

/* Returns whether FILE and the profiled OBJECT have the same build-id.  */
bool is_same_object_build(const struct object *file, const struct cilkprof_object *object);

/* Returns the path of a file that is OBJECT, which is part of the profile in the file PROFILE, or NULL if none is
   found.  If OBJECT has no build-id, the path is the recorded one and is not checked.  FOLDERS are directories with
   debugging information, separated by colons.  Allocated.  */
char *find_object_file(const struct cilkprof_object *object, const char *profile, const char *folders);

struct object *find_object_debug_info(const struct object *object, const char *folders);

#endif
