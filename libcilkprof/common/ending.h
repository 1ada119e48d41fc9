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

/* Replaces _exit in programs that cilkprof links: calls before_exit, which writes what was measured, and ends the
   process with STATUS.  */
void __wrap__exit(int status) {
  before_exit(status);
  __real__exit(status);
}

/* Replaces _Exit in programs that cilkprof links: calls before_exit, which writes what was measured, and ends the
   process with STATUS.  */
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

/* Replaces execve in programs that cilkprof links: writes what was measured before the process runs another program,
   and returns -1 if it cannot.  */
int __wrap_execve(const char *path, char *const argv[], char *const envp[]) {
  EXEC(__real_execve(path, argv, envp));
}

/* Replaces execv in programs that cilkprof links: writes what was measured before the process runs another program, and
   returns -1 if it cannot.  */
int __wrap_execv(const char *path, char *const argv[]) {
  EXEC(__real_execve(path, argv, environ));
}

/* Replaces execvp in programs that cilkprof links: writes what was measured before the process runs another program,
   and returns -1 if it cannot.  */
int __wrap_execvp(const char *file, char *const argv[]) {
  EXEC(__real_execvp(file, argv));
}

/* Replaces execvpe in programs that cilkprof links: writes what was measured before the process runs another program,
   and returns -1 if it cannot.  */
int __wrap_execvpe(const char *file, char *const argv[], char *const envp[]) {
  EXEC(__real_execvpe(file, argv, envp));
}

/* Replaces fexecve in programs that cilkprof links: writes what was measured before the process runs another program,
   and returns -1 if it cannot.  */
int __wrap_fexecve(int file, char *const argv[], char *const envp[]) {
  EXEC(__real_fexecve(file, argv, envp));
}

/* Replaces execveat in programs that cilkprof links: writes what was measured before the process runs another program,
   and returns -1 if it cannot.  */
int __wrap_execveat(int folder, const char *path, char *const argv[], char *const envp[], int flags) {
  EXEC(__real_execveat(folder, path, argv, envp, flags));
}

/* Returns how many ARGUMENTS of a function such as execl follow the first one, including the NULL at their end.  */
static size_t count_exec_arguments(va_list arguments) {
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
  size_t count = first ? count_exec_arguments(counted) : 0;                                                            \
  va_end(counted);                                                                                                     \
  char **argv = alloca((count + 1) * sizeof *argv);                                                                    \
  argv[0] = (char *)(uintptr_t)first;                                                                                  \
  for (size_t i = 1; i <= count; i++)                                                                                  \
  argv[i] = va_arg(arguments, char *)

/* Replaces execl in programs that cilkprof links: collects its arguments in an array and calls __wrap_execve.  */
int __wrap_execl(const char *path, const char *argument, ...) {
  COLLECT(argument);
  va_end(arguments);
  return __wrap_execve(path, argv, environ);
}

/* Replaces execlp in programs that cilkprof links: collects its arguments in an array and calls __wrap_execvp.  */
int __wrap_execlp(const char *file, const char *argument, ...) {
  COLLECT(argument);
  va_end(arguments);
  return __wrap_execvp(file, argv);
}

/* Replaces execle in programs that cilkprof links: collects its arguments in an array and calls __wrap_execve with the
   environment that follows them.  */
int __wrap_execle(const char *path, const char *argument, ...) {
  COLLECT(argument);
  char *const *envp = va_arg(arguments, char *const *);
  va_end(arguments);
  return __wrap_execve(path, argv, envp);
}

#endif
