/* The file that a run leaves: its name, the command line in it, and its writing.  For the engine, and for the recorder
   of samples.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_COMMON_FILE_H
#define CILKPROF_COMMON_FILE_H

#include "fmt/profile.h"
#include "libcilkprof/common/system.h"

/* file.c.  Of the process PID; one that is not the FIRST, which started, has a file of its own.  */
CILKPROF_HIDDEN void __cilkprof_file_start(void); /* before the program changes its folder */
/* Puts the name of the process's live file, beside its profile, into PATH; returns -1 if it has none.  */
CILKPROF_HIDDEN int __cilkprof_file_live_name(char *path, size_t size, int pid, int first);
CILKPROF_HIDDEN int __cilkprof_file_write(int pid, int first, void (*contents)(struct cilkprof_writer *writer));
/* One line about the file that was named last: what is wrong with it, NULL for errno.  */
CILKPROF_HIDDEN void __cilkprof_file_say(const char *wrong, const char *advice);

/* command.c: the command line, which is not the program's to change.  */
CILKPROF_HIDDEN void __cilkprof_command_start(void);
CILKPROF_HIDDEN const char *const *__cilkprof_command(uint32_t *count);

#endif
