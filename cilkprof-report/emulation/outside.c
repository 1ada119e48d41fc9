/* Writes, compiles and runs small programs in a temporary folder.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "cilkprof-report/emulation/outside.h"
#include "cilkprof-report/support/support.h"

/* Creates a temporary folder for small programs that calibrate or check emulations.  Fails if it cannot be created.  */
struct outside make_emulation_scratch_folder(void) {
  const char *place = getenv("TMPDIR");
  char *folder = format_string("%s/cilkprof-XXXXXX", place != NULL && place[0] == '/' ? place : "/tmp");
  if (mkdtemp(folder) == NULL)
    fail(folder, "%s", strerror(errno));
  return (struct outside){folder};
}

/* Creates the file NAME in the temporary folder of calibrations and synthetic programs, and returns it open for
   writing.  Fails if that is not possible.  */
FILE *create_emulation_scratch_file(const struct outside *outside, const char *name) {
  char *path = format_string("%s/%s", outside->folder, name);
  FILE *file = fopen(path, "w");
  if (file == NULL)
    fail(path, "%s", strerror(errno));
  free(path);
  return file;
}

/* Closes a FILE in the temporary folder of calibrations and synthetic programs.  Fails if not all of it was
   written.  */
void close_emulation_scratch_file(FILE *file) {
  if (ferror(file) | (fclose(file) != 0))
    fail("a temporary file", "it cannot be written");
}

/* Writes TEXT to the new file NAME in the temporary folder of calibrations and synthetic programs.  Fails if that is
   not possible.  */
void write_emulation_scratch_text(const struct outside *outside, const char *name, const char *text) {
  FILE *file = create_emulation_scratch_file(outside, name);
  fputs(text, file);
  close_emulation_scratch_file(file);
}

/* Removes the temporary folder of calibrations and synthetic programs, and the files in it.  */
void remove_emulation_scratch_folder(struct outside *outside) {
  DIR *folder = opendir(outside->folder);
  for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;)
    if (entry->d_name[0] != '.')
      unlinkat(dirfd(folder), entry->d_name, 0);
  if (folder != NULL)
    closedir(folder);
  rmdir(outside->folder);
  free(outside->folder);
}

/* Returns the first line of TEXT, the error output of a command that calibrates or checks emulations.  The result is
   allocated.  */
static char *first_scratch_error_line(const char *text) {
  return format_string("%.*s", (int)strcspn(text, "\n"), text);
}

/* Returns the contents of the file NAME in the temporary folder of calibrations and synthetic programs, as an allocated
   string.  */
static char *read_emulation_scratch_file(const struct outside *outside, const char *name) {
  char *path = format_string("%s/%s", outside->folder, name);
  struct file file = read_whole_file(path, NULL);
  char *text = reallocate(file.bytes, file.size + 1, 1);
  text[file.size] = 0;
  free(path);
  return text;
}

/* Starts COMMAND in the temporary folder of calibrations and synthetic programs.  Its standard output and errors go to
   files, so that it never waits for a reader.  Returns 0, or an error number if it cannot be started.  */
static int start_emulation_scratch_command(const struct outside *outside, const char *const command[], pid_t *child) {
  extern char **environ;
  posix_spawn_file_actions_t actions;
  char *printed = format_string("%s/printed", outside->folder), *said = format_string("%s/said", outside->folder);
  const int flags = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, printed, flags, 0600);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, said, flags, 0600);
  posix_spawn_file_actions_addchdir_np(&actions, outside->folder);
  int error = posix_spawnp(child, command[0], &actions, NULL, (char *const *)(uintptr_t)command, environ);
  posix_spawn_file_actions_destroy(&actions);
  free(printed);
  free(said);
  return error;
}

char *run_emulation_scratch_command(const struct outside *outside, const char *const command[], char **said) {
  pid_t child;
  int status = 0, error = start_emulation_scratch_command(outside, command, &child);
  if (error != 0) {
    *said = format_string("%s: %s", command[0], strerror(error));
    return NULL;
  }
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      fail(command[0], "%s", strerror(errno));
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return read_emulation_scratch_file(outside, "printed");
  char *text = read_emulation_scratch_file(outside, "said");
  *said = text[0] != 0 ? first_scratch_error_line(text) : format_string("%s failed", command[0]);
  free(text);
  return NULL;
}

/* Returns the compiler for calibrations and synthetic programs: $CC, or cc.  */
const char *emulation_scratch_compiler(void) {
  const char *compiler = getenv("CC");
  return compiler != NULL && compiler[0] != 0 ? compiler : "cc";
}

/* Returns the path of the Cilk compiler, without instrumentation, for calibrations and synthetic programs, or NULL if
   there is none.  The text is allocated.  */
char *emulation_scratch_cilk_compiler(const struct outside *outside) {
  const char *const command[] = {"cilkprof-cc", "--print-path", NULL};
  char *said, *path = run_emulation_scratch_command(outside, command, &said);
  return path != NULL ? format_string("%.*s/cc", (int)strcspn(path, "\n"), path) : NULL;
}
