/* The profile file: its name, the command line in it, and its writing.  For the engine and the sampler.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_COMMON_FILE_H
#define CILKPROF_COMMON_FILE_H

#include "fmt/profile.h"
#include "libcilkprof/common/system.h"

/* file.c.  The profile of process PID, which has a name of its own if it is not FIRST, the process that started.  */
CILKPROF_HIDDEN void __cilkprof_file_start(void); /* call before the program changes its directory */
/* Puts the name of the process's live file, beside its profile, into PATH; returns -1 if it has none.  */
CILKPROF_HIDDEN int __cilkprof_file_live_name(char *path, size_t size, int pid, int first);
CILKPROF_HIDDEN int __cilkprof_file_live_create(const char *path); /* a descriptor, or -1 */
CILKPROF_HIDDEN int __cilkprof_file_live_open(const char *path);   /* of the file that was created */
CILKPROF_HIDDEN int __cilkprof_file_write(int pid, int first, void (*contents)(struct cilkprof_writer *writer));
/* Prints a message about the last named file: WRONG, or why it was not written if that is NULL.  */
CILKPROF_HIDDEN void __cilkprof_file_say(const char *wrong, const char *advice);

/* command.c: the command line, even if the program changes its arguments.  */
CILKPROF_HIDDEN void __cilkprof_command_start(void);
CILKPROF_HIDDEN const char *const *__cilkprof_command(uint32_t *count);

#endif
