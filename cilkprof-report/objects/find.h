/* Files that are known by their build-ids.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_FIND_H
#define CILKPROF_REPORT_FIND_H

#include "cilkprof-report/objects/objects.h"
#include "fmt/profile.h"

/* Whether FILE is the one that was profiled as OBJECT: both have the same build-id.  */
bool is_same_build(const struct object *file, const struct cilkprof_object *object);

/* The path of a file that is OBJECT, of the profile at PROFILE; NULL where none is found.  That of an object without
   build-id is the recorded one, whatever lies there.  FOLDERS have debugging information, and are separated by colons.
   Allocated.  */
char *find_object(const struct cilkprof_object *object, const char *profile, const char *folders);

/* The file with the symbols and lines that strip took out of OBJECT; NULL where it has all of its own, or none is
   found.  */
struct object *find_debug_info(const struct object *object, const char *folders);

#endif
