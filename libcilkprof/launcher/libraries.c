/* The libraries that a program needs, directly or indirectly.
   SPDX-License-Identifier: MIT

   Where they are depends on run paths, LD_LIBRARY_PATH and a cache.  So this asks the program's dynamic linker,
   which lists them without running anything.  */

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libcilkprof/launcher/launcher.h"

/* Returns the part of a library's PATH after the last slash.  */
static const char *launched_library_file_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash != NULL ? slash + 1 : path;
}

/* Returns true if the library's NAME begins with WITH, as libgomp.so.1 does with libgomp.so.  */
static bool has_launched_library_prefix(const char *name, const char *with) {
  return strncmp(name, with, strlen(with)) == 0;
}

/* Appends PATH to the list of libraries that PROGRAM needs.  The list owns it from here on.  */
static void add_launched_library(struct program *program, char *path) {
  size_t count = 0;
  while (program->libraries != NULL && program->libraries[count] != NULL)
    count++;
  program->libraries = reallocarray(program->libraries, count + 2, sizeof *program->libraries);
  if (program->libraries == NULL)
    fail_without_memory();
  program->libraries[count] = path;
  program->libraries[count + 1] = NULL;
}

/* Takes a library from a LINE of the dynamic linker's list: adds its path to PROGRAM, and notes whether it is a runtime
   of Cilk, OpenMP or oneTBB.  The line is like "libm.so.6 => /lib/libm.so.6 (0x0000ffffb6880000)", or like "... => not
   found"; only the path is there if the program itself has it.  */
static void parse_launched_linker_line(struct program *program, char *line) {
  char *name = line + strspn(line, "\t "), *path = strstr(name, " => "), *end = strstr(name, " (0x");
  if (end != NULL)
    *end = 0;
  if (path != NULL) {
    *path = 0;
    path += 4;
  } else if (*name == '/')
    path = name;
  else
    return;
  const char *short_name = launched_library_file_name(name);
  program->cilk |= has_launched_library_prefix(short_name, "libcilkprof-parallel.so");
  program->gomp |= has_launched_library_prefix(short_name, "libgomp.so");
  program->omp |=
      has_launched_library_prefix(short_name, "libomp.so") || has_launched_library_prefix(short_name, "libiomp5.so");
  program->tbb |= has_launched_library_prefix(short_name, "libtbb.so") ||
                  has_launched_library_prefix(short_name, "libtbb_debug.so");
  if (end == NULL)
    return;
  if ((path = strdup(path)) == NULL)
    fail_without_memory();
  add_launched_library(program, path);
}

/* Starts the dynamic linker LINKER to list the libraries of the program at PATH, into the descriptor OUTPUT.  Returns
   its process, or 0 if it cannot be started.  */
static pid_t start_launched_dynamic_linker(const char *linker, char *path, int output) {
  char name[] = "ld.so", option[] = "--list", *argv[] = {name, option, path, NULL};
  posix_spawn_file_actions_t actions;
  pid_t process;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  int error = posix_spawn(&process, linker, &actions, NULL, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  return error == 0 ? process : 0;
}

/* Fills in the libraries that PROGRAM needs, and which parallel runtimes are among them, by asking its dynamic LINKER
   for the list.  If the linker cannot be run, the program cannot either: that is reported later.  */
void find_launched_libraries(struct program *program, const char *linker) {
  int ends[2];
  char *line = NULL;
  size_t size = 0;
  if (pipe2(ends, O_CLOEXEC) < 0)
    fail(program->path, "%s", strerror(errno));
  pid_t process = start_launched_dynamic_linker(linker, program->path, ends[1]);
  close(ends[1]);
  FILE *lines = fdopen(ends[0], "r");
  while (lines != NULL && getline(&line, &size, lines) >= 0)
    parse_launched_linker_line(program, line);
  free(line);
  if (lines != NULL)
    fclose(lines);
  while (process > 0 && waitpid(process, NULL, 0) < 0 && errno == EINTR)
    ;
}
