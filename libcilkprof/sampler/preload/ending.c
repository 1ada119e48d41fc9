/* Exits that bypass the exit handlers.  This library is loaded before the C library, so the program's calls of these
   functions arrive here.
   SPDX-License-Identifier: MIT  */

#include <dlfcn.h>
#include <errno.h>
#include <sys/syscall.h>

#include "libcilkprof/sampler/sampler.h"
#include "libcilkprof/common/ending.h"

/* Ends sampling and writes the profile before a sampled program ends by _exit.  */
static void before_exit(int status) {
  (void)status;
  __cilkprof_s_finish();
}

/* Writes the samples so far before a sampled program replaces itself by an exec, which may fail.  The result, 0,
   is passed to after_exec.  */
static int before_exec(void) {
  __cilkprof_s_snapshot();
  return 0;
}

/* Returns -1, the result of an exec that failed; sampling has gone on.  */
static int after_exec(int before) {
  (void)before;
  return -1;
}

/* Ends the process with STATUS by a system call, as the C library's _exit does, whose calls arrive here.  */
void __real__exit(int status) {
  for (;;)
    syscall(SYS_exit_group, status);
}

/* Ends the process with STATUS by a system call, as the C library's _Exit does, whose calls arrive here.  */
void __real__Exit(int status) {
  __real__exit(status);
}

/* Calls the next definition of the function, the C library's.  */
#define NEXT(name, ...)                                                                                                \
  do {                                                                                                                 \
    __typeof__(&name) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name);                                               \
    if (!next) {                                                                                                       \
      errno = ENOSYS;                                                                                                  \
      return -1;                                                                                                       \
    }                                                                                                                  \
    return next(__VA_ARGS__);                                                                                          \
  } while (0)

/* Calls the C library's execve, which this library's function of that name hides.  */
int __real_execve(const char *path, char *const argv[], char *const envp[]) {
  NEXT(execve, path, argv, envp);
}

/* Calls the C library's execvp, which this library's function of that name hides.  */
int __real_execvp(const char *file, char *const argv[]) {
  NEXT(execvp, file, argv);
}

/* Calls the C library's execvpe, which this library's function of that name hides.  */
int __real_execvpe(const char *file, char *const argv[], char *const envp[]) {
  NEXT(execvpe, file, argv, envp);
}

/* Calls the C library's fexecve, which this library's function of that name hides.  */
int __real_fexecve(int file, char *const argv[], char *const envp[]) {
  NEXT(fexecve, file, argv, envp);
}

/* Calls the C library's execveat, which this library's function of that name hides.  Fails with ENOSYS if the C library
   has none.  */
int __real_execveat(int folder, const char *path, char *const argv[], char *const envp[], int flags) {
  NEXT(execveat, folder, path, argv, envp, flags);
}

#define HERE(name) extern __typeof__(name) name __attribute__((alias("__wrap_" #name), visibility("default")))

#pragma GCC diagnostic ignored "-Wmissing-attributes"
extern __attribute__((noreturn)) void _Exit(int status);
HERE(_exit);
HERE(_Exit);
HERE(execve);
HERE(execv);
HERE(execvp);
HERE(execvpe);
HERE(fexecve);
HERE(execveat);
HERE(execl);
HERE(execlp);
HERE(execle);
