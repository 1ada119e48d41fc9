/* System calls under names that no program has: what takes the place of the C library's functions in what is linked
   into programs (own-names).
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_OWN_CALLS_H
#define CILKPROF_OWN_CALLS_H

#include <sys/stat.h>
#include <sys/types.h>

#include "libcilkprof/common/system.h"

/* As the functions of the C library without the first part of their names.  */
CILKPROF_HIDDEN int __cilkprof_unlink(const char *path);
CILKPROF_HIDDEN int __cilkprof_rename(const char *from, const char *to);
CILKPROF_HIDDEN int __cilkprof_stat(const char *path, struct stat *found);
CILKPROF_HIDDEN int __cilkprof_fstat(int file, struct stat *found);
CILKPROF_HIDDEN ssize_t __cilkprof_readlink(const char *path, char *to, size_t room);
CILKPROF_HIDDEN char *__cilkprof_getcwd(char *to, size_t room);
CILKPROF_HIDDEN void *__cilkprof_memcpy(void *to, const void *from, size_t size);

#endif
