/* Exits that bypass the exit handlers.  This library is loaded before the C library, so the program's calls of these
   functions arrive here.
   SPDX-License-Identifier: MIT  */

#include <dlfcn.h>
#include <errno.h>
#include <sys/syscall.h>

#include "libcilkprof/sampler/sampler.h"
#include "libcilkprof/common/ending.h"

static void before_exit(int status) {
  (void)status;
  __cilkprof_s_finish();
}

static int before_exec(void) {
  __cilkprof_s_snapshot();
  return 0;
}

static int after_exec(int before) {
  (void)before;
  return -1;
}

void __real__exit(int status) {
  for (;;)
    syscall(SYS_exit_group, status);
}

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

int __real_execve(const char *path, char *const argv[], char *const envp[]) {
  NEXT(execve, path, argv, envp);
}

int __real_execvp(const char *file, char *const argv[]) {
  NEXT(execvp, file, argv);
}

int __real_execvpe(const char *file, char *const argv[], char *const envp[]) {
  NEXT(execvpe, file, argv, envp);
}

int __real_fexecve(int file, char *const argv[], char *const envp[]) {
  NEXT(fexecve, file, argv, envp);
}

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
