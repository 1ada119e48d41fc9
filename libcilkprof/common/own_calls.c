/* System calls, and copies of memory, under names that no program has.
   SPDX-License-Identifier: MIT

   The engine and the runtime are linked into programs, and a program of ISO C may have functions of its own called
   `read', `open' or `stat'.  So in what is linked these names are replaced, by those in own-names: the C library has
   other names for some calls, and the others are here.  */

#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "libcilkprof/common/own_calls.h"

int __cilkprof_unlink(const char *path) {
  return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

int __cilkprof_rename(const char *from, const char *to) {
  return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int __cilkprof_stat(const char *path, struct stat *found) {
  return (int)syscall(SYS_newfstatat, AT_FDCWD, path, found, 0);
}

int __cilkprof_fstat(int file, struct stat *found) {
  return (int)syscall(SYS_fstat, file, found);
}

ssize_t __cilkprof_readlink(const char *path, char *to, size_t room) {
  return syscall(SYS_readlinkat, AT_FDCWD, path, to, room);
}

char *__cilkprof_getcwd(char *to, size_t room) {
  return syscall(SYS_getcwd, to, room) > 0 ? to : NULL;
}

/* Copies SIZE bytes, unseen by ThreadSanitizer: it sees no order in what workers pass to each other, unless it watches
   our own code.  */
void *__cilkprof_memcpy(void *to, const void *from, size_t size) {
#ifdef CILKPROF_WATCHES_THREADS
  memmove(to, from, size);
#else
  __mempcpy(to, from, size);
#endif
  return to;
}
