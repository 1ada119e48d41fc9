/* Wrappers of the functions that end a program without running the exit handlers: _exit, and exec and its variants.
   SPDX-License-Identifier: MIT

   In programs that cilkprof links, the linker redirects calls of these functions here (--wrap, in cilkprof.specs).
   A file that includes this defines what to do before an exit, before an exec, and after an exec that failed, when
   the program goes on.  */

#ifndef CILKPROF_COMMON_ENDING_H
#define CILKPROF_COMMON_ENDING_H

#include <alloca.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

static void before_exit(int status);
static int before_exec(void);
static int after_exec(int before); /* BEFORE is what before_exec returned; returns -1 */

/* Not for libcilkprof.so: a library cannot redirect calls of the program.  */
#define WRAPPED(result, name, ...)                                                                                     \
  extern result __real_##name(__VA_ARGS__);                                                                            \
  extern result __wrap_##name(__VA_ARGS__)

WRAPPED(void, _exit, int status);
WRAPPED(void, _Exit, int status);
WRAPPED(int, execve, const char *path, char *const argv[], char *const envp[]);
WRAPPED(int, execv, const char *path, char *const argv[]);
WRAPPED(int, execvp, const char *file, char *const argv[]);
WRAPPED(int, execvpe, const char *file, char *const argv[], char *const envp[]);
WRAPPED(int, fexecve, int file, char *const argv[], char *const envp[]);
WRAPPED(int, execveat, int folder, const char *path, char *const argv[], char *const envp[], int flags);
extern int __wrap_execl(const char *path, const char *argument, ...);
extern int __wrap_execlp(const char *file, const char *argument, ...);
extern int __wrap_execle(const char *path, const char *argument, ...);

void __wrap__exit(int status) {
  before_exit(status);
  __real__exit(status);
}

void __wrap__Exit(int status) {
  before_exit(status);
  __real__Exit(status);
}

#define EXEC(call)                                                                                                     \
  do {                                                                                                                 \
    int was_live = before_exec();                                                                                      \
    call;                                                                                                              \
    return after_exec(was_live);                                                                                       \
  } while (0)

int __wrap_execve(const char *path, char *const argv[], char *const envp[]) {
  EXEC(__real_execve(path, argv, envp));
}

int __wrap_execv(const char *path, char *const argv[]) {
  EXEC(__real_execve(path, argv, environ));
}

int __wrap_execvp(const char *file, char *const argv[]) {
  EXEC(__real_execvp(file, argv));
}

int __wrap_execvpe(const char *file, char *const argv[], char *const envp[]) {
  EXEC(__real_execvpe(file, argv, envp));
}

int __wrap_fexecve(int file, char *const argv[], char *const envp[]) {
  EXEC(__real_fexecve(file, argv, envp));
}

int __wrap_execveat(int folder, const char *path, char *const argv[], char *const envp[], int flags) {
  EXEC(__real_execveat(folder, path, argv, envp, flags));
}

static size_t count_arguments(va_list arguments) {
  size_t count = 1;
  while (va_arg(arguments, char *))
    count++;
  return count;
}

/* Declares ARGV with the variable arguments of the caller from FIRST on; what follows them can still be read.  */
#define COLLECT(first)                                                                                                 \
  va_list arguments, counted;                                                                                          \
  va_start(arguments, first);                                                                                          \
  va_copy(counted, arguments);                                                                                         \
  size_t count = first ? count_arguments(counted) : 0;                                                                 \
  va_end(counted);                                                                                                     \
  char **argv = alloca((count + 1) * sizeof *argv);                                                                    \
  argv[0] = (char *)(uintptr_t)first;                                                                                  \
  for (size_t i = 1; i <= count; i++)                                                                                  \
  argv[i] = va_arg(arguments, char *)

int __wrap_execl(const char *path, const char *argument, ...) {
  COLLECT(argument);
  va_end(arguments);
  return __wrap_execve(path, argv, environ);
}

int __wrap_execlp(const char *file, const char *argument, ...) {
  COLLECT(argument);
  va_end(arguments);
  return __wrap_execvp(file, argv);
}

int __wrap_execle(const char *path, const char *argument, ...) {
  COLLECT(argument);
  char *const *envp = va_arg(arguments, char *const *);
  va_end(arguments);
  return __wrap_execve(path, argv, envp);
}

#endif
